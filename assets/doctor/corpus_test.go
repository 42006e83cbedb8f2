package doctor_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Each file that the Khronos validator finds errors in is reported with a place
// or a reason, and none that it finds clean gets an error. No file of the corpus
// is taken for torn.
func TestAgreesWithTheValidator(t *testing.T) {
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
	var work sync.WaitGroup
	slots := make(chan bool, runtime.NumCPU())
	for name, v := range verdicts {
		work.Add(1)
		slots <- true
		go func() {
			defer func() { <-slots; work.Done() }()
			start := time.Now()
			report, m, err := doctor.Examine(corpus.Path(t, name), gltf.Load, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("%s: took %v", name, took)
			}
			placed := false
			for _, f := range report.Findings {
				if f.Level == doctor.Error {
					placed = placed || f.Where != "" || f.Message != ""
					if v.Errors == 0 && m != nil {
						t.Errorf("%s is clean, but: %+v", name, f)
					} else if v.Errors == 0 {
						t.Logf("%s is clean, but cannot be loaded: %s: %s", name, f.Where, f.Message)
					}
				}
				if f.Code == "bind-mismatch" {
					t.Errorf("%s: %+v", name, f)
				}
			}
			if v.Errors > 0 && !placed {
				t.Errorf("%s: nothing found of %v", name, v.ErrorCodes)
			}
			if _, err := json.Marshal(report); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	work.Wait()
}

// A file of the validator's own suite that it finds clean gets no error, whether
// or not it can be shown; one at fault gets one.
func TestTheValidatorsSuite(t *testing.T) {
	root := corpus.Path(t, "gltf-validator")
	files := 0
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		report, ok := strings.CutSuffix(path, ".report.json")
		if err != nil || !ok {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var verdict struct{ Issues struct{ NumErrors int } }
		if err := json.Unmarshal(text, &verdict); err != nil {
			return err
		}
		got, _, err := doctor.Examine(report, gltf.Load, nil)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
		files++
		if found := got.Level == doctor.Error; found != (verdict.Issues.NumErrors > 0) {
			t.Errorf("%s: the validator has %d errors, but: %+v", report, verdict.Issues.NumErrors, got.Findings)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Errorf("only %d files", files)
	}
}
