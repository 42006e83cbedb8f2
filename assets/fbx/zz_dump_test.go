package fbx

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func dump(e *element, d int, want string) {
	s := strings.Repeat(" ", d) + e.name + ":"
	for i, v := range e.values {
		if i > 8 {
			break
		}
		if v.array != nil {
			t := fmt.Sprint(v.array)
			if len(t) > 150 {
				t = t[:150]
			}
			s += " " + t
		} else if v.kind == kindText {
			t := v.text
			if len(t) > 40 {
				t = t[:40]
			}
			s += fmt.Sprintf(" %q", t)
		} else {
			s += fmt.Sprint(" ", v.float())
		}
	}
	fmt.Println(s)
	for i := range e.children {
		dump(&e.children[i], d+1, want)
	}
}
func TestDump(t *testing.T) {
	f := os.Getenv("F")
	if f == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(f)
	l := &loader{file: f, budget: newBudget(len(data))}
	r, _, err := l.parse(data)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.children {
		dump(&r.children[i], 0, "")
	}
}
