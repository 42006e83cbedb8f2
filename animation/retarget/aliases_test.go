package retarget_test

import (
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
)

// A machine's names find a library's clips by a table.
func TestAliases(t *testing.T) {
	table, err := retarget.ReadAliases([]byte(`{"idle": "Idle_A", "walk": "Rig|Walking"}`))
	if err != nil {
		t.Fatal(err)
	}
	library := []*animation.Clip{{Name: "Rig|Idle_A"}, {Name: "Rig|Walking"}}
	clips, err := table.Clips(library)
	if err != nil || len(clips) != 2 || clips[0].Name != "idle" || clips[1].Name != "walk" {
		t.Errorf("%v, %v", clips, err)
	}
	table["run"] = "Wlking"
	if _, err := table.Clips(library); err == nil || !strings.Contains(err.Error(), "Rig|Walking") {
		t.Errorf("got %v", err)
	}
	for _, bad := range []string{``, `[]`, `{"a":1}`, `{"a":"b","a":"c"}`, `{"a":""}`, `{"a":"b"`, `{"a":"b"} {}`} {
		if _, err := retarget.ReadAliases([]byte(bad)); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
