package gltf_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Each file that the Khronos validator finds errors in is found at fault, and
// none that it finds clean.
func TestCheckAgreesWithTheValidator(t *testing.T) {
	text, err := os.ReadFile(corpus.Path(t, "oracle/gltf-validator.json"))
	if err != nil {
		t.Fatal(err)
	}
	var verdicts map[string]struct {
		Errors     int
		ErrorCodes []string
	}
	if err := json.Unmarshal(text, &verdicts); err != nil {
		t.Fatal(err)
	}
	clean, faulty := 0, 0
	for name, v := range verdicts {
		faults, err := gltf.Check(corpus.Path(t, name))
		switch {
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case v.Errors > 0 && len(faults) == 0:
			t.Errorf("%s: nothing found; the validator says %v", name, v.ErrorCodes)
		case v.Errors == 0 && len(faults) > 0:
			t.Errorf("%s is clean, but: %+v", name, faults[:min(len(faults), 3)])
		case v.Errors > 0:
			faulty++
		default:
			clean++
		}
	}
	t.Logf("%d clean, %d at fault", clean, faulty)
}

// The validator's own suite: most of its errors are found under their codes, and
// no clean file is found at fault.
func TestCheckAgainstTheValidatorsSuite(t *testing.T) {
	root := corpus.Path(t, "gltf-validator")
	var reports []string
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".report.json") {
			reports = append(reports, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files, found, missed := 0, 0, 0
	codes, told := map[string]bool{}, map[string]bool{}
	for _, report := range reports {
		text, err := os.ReadFile(report)
		if err != nil {
			t.Fatal(err)
		}
		var r struct {
			Issues struct {
				Messages []struct {
					Code, Pointer string
					Severity      int
				}
			}
		}
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, m := range r.Issues.Messages {
			if code := strings.ToLower(strings.ReplaceAll(m.Code, "_", "-")); m.Severity == 0 && !slices.Contains(want, code) {
				want = append(want, code)
			}
		}
		path := strings.TrimSuffix(report, ".report.json")
		if _, err := os.Stat(path); err != nil {
			continue
		}
		files++
		faults, err := gltf.Check(path)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, code := range want {
			codes[code] = true
			told[code] = told[code] || slices.ContainsFunc(faults, func(f gltf.Fault) bool { return f.Code == code })
		}
		switch {
		case len(want) == 0 && len(faults) > 0:
			t.Errorf("%s is clean, but: %+v", path, faults[:min(len(faults), 3)])
		case len(want) > 0 && len(faults) == 0:
			missed++
			t.Logf("%s: nothing found of %v", path, want)
		case len(want) > 0:
			found++
		}
	}
	t.Logf("%d files: %d found at fault, %d not", files, found, missed)
	if files < 200 || missed > 0 {
		t.Errorf("%d files: %d found, %d missed", files, found, missed)
	}
	// Told in other words: bounds by what the elements have, and containers that are
	// cut off by what is missing.
	for code := range codes {
		if !told[code] && !strings.HasPrefix(code, "glb-") && !strings.HasPrefix(code, "accessor-element-out-of-") &&
			code != "array-type-mismatch" && code != "image-unexpected-eos" {
			t.Errorf("nothing is told as %s", code)
		}
	}
}
