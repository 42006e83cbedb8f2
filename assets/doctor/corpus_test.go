package doctor_test

import (
	"encoding/json"
	"os"
	"runtime"
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
