package doctor

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

// Page is one file's part of an HTML report.
type Page struct {
	Report   Report
	Mended   *Mended
	Pictures []Picture
}

// WriteHTML writes a report that stands alone: one file, pictures embedded.
func WriteHTML(w io.Writer, pages []Page) error {
	return page.Execute(w, pages)
}

var page = template.Must(template.New("doctor").Funcs(template.FuncMap{
	"picture": func(png []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))
	},
	"figures": func(f Figures) string {
		var parts []string
		for key, v := range f {
			parts = append(parts, fmt.Sprintf("%s %v", strings.ReplaceAll(key, "_", " "), v))
		}
		slices.Sort(parts)
		return strings.Join(parts, " · ")
	},
	"count": func(pages []Page, level string) int {
		n := 0
		for _, p := range pages {
			if p.Report.Level.String() == level {
				n++
			}
		}
		return n
	},
}).Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Bindpose doctor</title>
<style>
:root { color-scheme: light dark; --line: #8884; --error: #c62828; --warning: #b26a00; --info: #607080; --ok: #2e7d32 }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin: 2.5rem 0 .5rem; overflow-wrap: anywhere }
article { border-top: 1px solid var(--line); padding: .6rem 0 }
.level { font-weight: 600; text-transform: uppercase; font-size: .75rem; letter-spacing: .04em }
.error { color: var(--error) } .warning { color: var(--warning) } .info { color: var(--info) } .ok { color: var(--ok) }
code { font-size: .9em } .where, .figures { color: var(--info); font-size: .85rem; overflow-wrap: anywhere }
.fix::before { content: "→ " } p { margin: .2rem 0 }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: .5rem 0; flex: 1 1 17rem; max-width: 30rem } figure img { max-width: 100%; border: 1px solid var(--line); border-radius: 4px; background: #fff }
figcaption { font-size: .85rem; color: var(--info) } nav a { display: block; overflow-wrap: anywhere }
</style>
<h1>Bindpose doctor</h1>
<p>{{len .}} files: <span class="error">{{count . "error"}} with errors</span>, <span class="warning">{{count . "warning"}} with warnings</span>.</p>
{{if gt (len .) 1}}<nav>{{range $i, $p := .}}<a href="#f{{$i}}"><span class="level {{$p.Report.Level}}">{{$p.Report.Level}}</span> {{$p.Report.File}}</a>{{end}}</nav>{{end}}
{{range $i, $p := .}}
<h2 id="f{{$i}}">{{.Report.File}} <span class="level {{.Report.Level}}">{{.Report.Level}}</span></h2>
<div class="pictures">{{range .Pictures}}<figure><img alt="{{.Title}}" src="{{picture .PNG}}"><figcaption>{{.Title}} (front, side)</figcaption></figure>{{end}}</div>
{{with .Mended}}{{if .Changed}}<p>Mended into <code>{{.Out}}</code>: {{range $k, $c := .Changed}}{{if $k}}; {{end}}{{$c}}{{end}}.<br>Before {{.Before}}; after {{.After}}; measured again: <span class="level {{.Report.Level}}">{{.Report.Level}}</span>.</p>{{else}}<p>Nothing to mend; <code>{{.Out}}</code> is a copy.</p>{{end}}{{end}}
{{range .Report.Findings}}<article><span class="level {{.Level}}">{{.Level}}</span> <code>{{.Code}}</code> <span class="where">{{.Where}}</span>
<p>{{.Message}}</p>{{if .Measured}}<p class="figures">{{figures .Measured}}</p>{{end}}{{if .Fix}}<p class="fix">{{.Fix}}</p>{{end}}</article>
{{else}}<p class="ok">In order.</p>{{end}}{{end}}
</html>
`))
