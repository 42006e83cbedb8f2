package machine

import (
	"reflect"
	"strings"
)

// Fields are the names of all fields of a graph's JSON.
func Fields() []string {
	seen := map[reflect.Type]bool{}
	var out []string
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
				out = append(out, name)
				walk(t.Field(i).Type)
			}
		}
	}
	walk(reflect.TypeFor[Graph]())
	return out
}
