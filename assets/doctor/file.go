package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
)

// IsGLTF tells by a file's name whether its format is glTF or on top of it.
func IsGLTF(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".gltf", ".glb", ".vrm", ".vrma":
		return true
	}
	return false
}

// Examine reads a file with load and judges it. A file that cannot be loaded is
// a finding, and its model is nil; the error is about a file that is not there
// or cannot be opened.
func Examine(path string, load func(string) (*assets.Model, error), budget Budget) (Report, *assets.Model, error) {
	var faults []gltf.Fault
	if st, err := os.Stat(path); err != nil {
		return Report{}, nil, err
	} else if st.IsDir() {
		return Report{}, nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a folder")}
	}
	if IsGLTF(path) {
		var err error
		if faults, err = gltf.Check(path); err != nil {
			return Report{}, nil, err
		}
	}
	m, err := load(path)
	report, m := Judge(path, faults, m, err, budget)
	return report, m, nil
}

// Judge judges a file that has been read: what is wrong with its format, its
// model, or the error in reading it. The model that it returns is nil where
// there is an error.
func Judge(path string, faults []gltf.Fault, m *assets.Model, err error, budget Budget) (Report, *assets.Model) {
	report := Report{File: path, Findings: []Finding{}}
	if m != nil {
		report = Check(m, budget)
		report.File = path
	}
	for _, f := range faults {
		finding := Finding{
			Code: "gltf-" + f.Code, Level: Error, Where: f.Where, Message: f.Message, Fix: fixes[f.Code],
		}
		if strings.HasPrefix(f.Code, "accessor-weights-") || f.Code == "accessor-joints-index-duplicate" {
			finding.Mendable = true
		}
		report.add(finding)
	}
	if err != nil {
		finding := Finding{Code: "unreadable", Level: Error, Message: strings.TrimPrefix(err.Error(), path+": "), Fix: "export it again; see the other findings"}
		var e *gltf.Error
		if errors.As(err, &e) {
			finding.Where, finding.Message = e.Path, e.Message
		}
		if errors.Is(err, gltf.ErrUnsupported) && len(faults) == 0 {
			// The file is right; it is Bindpose that does not know what it needs.
			finding.Code, finding.Level, finding.Fix = "unsupported", Warning, "export it without what is named"
		}
		if errors.Is(err, gltf.ErrMissing) && len(faults) == 0 {
			// A buffer that says of itself that its bytes come from elsewhere.
			finding.Code, finding.Level, finding.Fix = "incomplete", Warning, "export it again with its data"
		}
		report.add(finding)
		return report, nil
	}
	for _, w := range m.Warnings {
		if ext, ok := strings.CutPrefix(w.Message, "the extension "); ok && avatars[strings.Fields(ext)[0]] {
			continue // gltf leaves it to package vrm, which reads it
		}
		report.add(Finding{Code: "loader-note", Level: Info, Where: w.Where, Message: w.Message})
	}
	return report, m
}

// avatars are the extensions of VRM that package vrm reads.
var avatars = map[string]bool{"VRM": true, "VRMC_vrm": true, "VRMC_springBone": true}

// fixes say what to do about faults of format where it is known.
var fixes = map[string]string{
	"io-error":                                        "put the file beside the model, or embed it when exporting",
	"accessor-weights-non-normalized":                 "--fix scales the weights to sum to 1",
	"accessor-weights-negative":                       "--fix leaves negative weights out",
	"accessor-joints-index-duplicate":                 "--fix makes one weight of the two",
	"accessor-min-mismatch":                           "bindpose convert writes it with right bounds",
	"accessor-max-mismatch":                           "bindpose convert writes it with right bounds",
	"mesh-primitive-position-accessor-without-bounds": "bindpose convert writes it with bounds",
	"animation-sampler-input-accessor-without-bounds": "bindpose convert writes it with bounds",
	"skin-no-common-root":                             "put the joints under one node",
	"invalid-json":                                    "export it again: the text is damaged",
	"glb-invalid":                                     "export or download it again: the file is damaged",
	"undeclared-extension":                            "name the extension in extensionsUsed",
	"mesh-primitive-too-few-texcoords":                "unwrap the mesh, or remove the texture",
	"mesh-primitive-accessor-unaligned":               "bindpose convert writes it aligned",
	"skin-ibm-accessor-with-bytestride":               "bindpose convert writes it packed",
	"accessor-index-oob":                              "export it again: it draws vertices that it does not have",
	"node-skin-no-scene":                              "put the joints into the mesh's scene",
	"accessor-vector3-non-unit":                       "bindpose convert writes normals of length 1",
	"accessor-animation-input-non-increasing":         "export the clip again: its keys are out of order",
	"accessor-joints-index-oob":                       "export it again: its vertices name joints that the skin lacks",
	"animation-sampler-output-accessor-invalid-count": "export the clip again: keys and values differ in number",
	"unresolved-reference":                            "export it again: it names things that it does not have",
}

// Boxes are a character's at rest and, where it has clips, at its largest in
// motion; what tears is seen there.
type Boxes struct {
	Rest   [3]float64 `json:"rest_m"`
	Motion [3]float64 `json:"motion_m"`
}

func (b Boxes) String() string {
	s := fmt.Sprintf("%.3g × %.3g × %.3g m at rest", b.Rest[0], b.Rest[1], b.Rest[2])
	if b.Motion != ([3]float64{}) {
		s += fmt.Sprintf(", %.3g × %.3g × %.3g m in motion", b.Motion[0], b.Motion[1], b.Motion[2])
	}
	return s
}
