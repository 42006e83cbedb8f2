package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/internal/ordinary"
	"github.com/bindpose/bindpose/shaders"
)

//go:embed newpass/*.tmpl
var passTemplates embed.FS

const ownModule = "github.com/bindpose/bindpose"

// requireOwn is how a module requires what is not released.
const requireOwn = "go mod edit -require " + ownModule + "@v0.0.0 -replace " + ownModule + "=FOLDER   # your clone of Bindpose"

func newNewPass() *cobra.Command {
	var dir string
	var noPicture bool
	c := &cobra.Command{
		Use:   "new-pass NAME",
		Short: "Write a render pass: its Go, its shader, its test and its golden picture",
		Long: `Write a render pass that compiles and draws, to change into your own: NAME.go, its shader NAME.frag and the SPIR-V of it, a test
that draws two boxes without it and with it, and the picture that the test compares with. The pass has one setting, as a push
constant. The line that adds it to an engine is printed. It works in a Go module of your own, and in Bindpose's.`,
		Example: `  bindpose new-pass outline
  bindpose new-pass heat-haze --dir internal/effects`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("new-pass needs one NAME; see bindpose new-pass --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := newPassNamed(args[0], dir)
			if err != nil {
				return err
			}
			return p.write(!noPicture)
		},
	}
	c.Flags().StringVar(&dir, "dir", "", "folder of the package that the pass is for; default: the current one, in Bindpose's own module passes/")
	c.Flags().BoolVar(&noPicture, "no-picture", false, "do not run the test that draws the golden picture")
	return c
}

// newPass is a pass to be written. The templates read its fields.
type newPass struct {
	Name    string // heat-haze
	File    string // heathaze
	Type    string // HeatHaze
	Var     string // heatHaze
	Package string
	Own     bool   // it is for Bindpose's own package passes
	Q       string // "passes." where that is another package

	root      string // the module's folder
	dir       string // the package's
	shaderDir string
	requires  bool // the module requires Bindpose
}

var passName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// newPassNamed finds out what a pass of that name would be, and refuses what
// would not do. It writes nothing.
func newPassNamed(name, dir string) (*newPass, error) {
	if !passName.MatchString(name) || len(name) > 40 {
		return nil, fmt.Errorf("a pass cannot be called %q: use small letters, digits and single hyphens, a letter first, such as heat-haze", name)
	}
	p := &newPass{Name: name, File: strings.ReplaceAll(name, "-", ""), Q: "passes."}
	for _, word := range strings.Split(name, "-") {
		p.Type += strings.ToUpper(word[:1]) + word[1:]
	}
	p.Var = strings.ToLower(p.Type[:1]) + p.Type[1:]
	at := dir
	if at == "" {
		at = "."
	}
	var err error
	if at, err = filepath.Abs(at); err != nil {
		return nil, err
	}
	if p.root, err = moduleRoot(at); err != nil {
		return nil, err
	}
	module, err := os.ReadFile(filepath.Join(p.root, "go.mod"))
	if err != nil {
		return nil, err
	}
	p.requires = bytes.Contains(module, []byte(ownModule))
	p.dir, p.shaderDir = at, at
	if regexp.MustCompile(`(?m)^module\s+"?` + regexp.QuoteMeta(ownModule) + `"?\s*$`).Match(module) {
		passes := filepath.Join(p.root, "passes")
		if dir == "" {
			p.dir = passes
		}
		if p.dir == passes {
			p.Own, p.Q, p.shaderDir = true, "", filepath.Join(p.root, "shaders")
		}
	}
	if p.Package, err = p.packageOf(); err != nil {
		return nil, err
	}
	for _, f := range p.files() {
		if _, err := os.Lstat(f); err == nil {
			return nil, fmt.Errorf("%s is there already: choose another name, or remove it", p.short(f))
		}
	}
	return p, nil
}

// moduleRoot is the folder of the go.mod that a folder belongs to.
func moduleRoot(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is in no Go module: run go mod init there first", dir)
		}
	}
}

// packageOf is the name of the folder's package, or one made of the folder's
// name. It refuses a package that has the pass's names already.
func (p *newPass) packageOf() (string, error) {
	names, err := filepath.Glob(filepath.Join(p.dir, "*.go"))
	if err != nil {
		return "", err
	}
	found := ""
	for _, file := range names {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		if !strings.HasSuffix(file, "_test.go") {
			found = f.Name.Name
		}
		for _, d := range f.Decls {
			for _, name := range declaredBy(d) {
				if name == p.Type || name == "Add"+p.Type || name == p.Var+"Shader" {
					return "", fmt.Errorf("%s declares %s already: choose another name, or remove that", p.short(file), name)
				}
			}
		}
	}
	if found != "" {
		return found, nil
	}
	name := regexp.MustCompile(`[^a-z0-9]`).ReplaceAllString(strings.ToLower(filepath.Base(p.dir)), "")
	if name == "" || !token.IsIdentifier(name) {
		name = "effects"
	}
	return name, nil
}

// declaredBy are the names that a declaration gives its package.
func declaredBy(d ast.Decl) (out []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			out = append(out, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					out = append(out, n.Name)
				}
			}
		}
	}
	return out
}

func (p *newPass) source() string { return filepath.Join(p.dir, p.File+".go") }
func (p *newPass) test() string   { return filepath.Join(p.dir, p.File+"_test.go") }
func (p *newPass) shader() string { return filepath.Join(p.shaderDir, p.File+".frag") }
func (p *newPass) golden() string {
	return filepath.Join(p.dir, "testdata", "golden", p.File+".png")
}

func (p *newPass) files() []string {
	return []string{p.source(), p.shader(), p.shader() + ".spv", p.test(), p.golden()}
}

// short is a path as the reader would write it.
func (p *newPass) short(path string) string {
	if here, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(here, path); err == nil && len(rel) < len(path) {
			return rel
		}
	}
	return path
}

// write writes the files and says what was written, and what is left to do.
func (p *newPass) write(picture bool) error {
	for _, f := range []struct{ template, file string }{
		{"pass.go.tmpl", p.source()}, {"pass.frag.tmpl", p.shader()}, {"pass_test.go.tmpl", p.test()},
	} {
		if err := p.fill(f.template, f.file); err != nil {
			return err
		}
		fmt.Println(p.short(f.file))
	}
	var left []string
	if !p.Own && !p.requires {
		left = append(left, requireOwn, "go mod tidy")
	}
	code, err := shaders.Compile(p.shader())
	switch {
	case errors.Is(err, shaders.ErrNoCompiler):
		say(err.Error())
		left = append(left, "bindpose shaders "+p.short(p.shader()))
	case err != nil:
		return err
	default:
		if err := ordinary.WriteBytes(p.shader()+".spv", code); err != nil {
			return err
		}
		fmt.Println(p.short(p.shader() + ".spv"))
	}
	draw := fmt.Sprintf("BINDPOSE_GOLDEN=write go test -run '^TestGolden%s$' %s", p.Type, p.pattern())
	if picture && len(left) == 0 {
		say("Building and drawing its golden picture.")
		if err := p.draw(); err != nil {
			if strings.Contains(err.Error(), "go.sum entry") || strings.Contains(err.Error(), "go mod tidy") {
				left = append(left, "go mod tidy") // the module does not know yet what Bindpose requires
			} else {
				return fmt.Errorf("the files are written, but the picture could not be drawn; mend what is wrong, then run %s\n%w", draw, err)
			}
		}
	}
	if _, err := os.Stat(p.golden()); err == nil {
		fmt.Println(p.short(p.golden()))
	} else {
		left = append(left, draw)
	}
	if len(left) > 0 {
		fmt.Printf("\nRun:\n  %s\n", strings.Join(left, "\n  "))
	}
	qualifier := p.Package + "."
	if p.Package == "main" {
		qualifier = ""
	}
	fmt.Printf("\nAdd this line where your program has opened its engine:\n  if _, err := %sAdd%s(e); err != nil { return err }\n", qualifier, p.Type)
	return nil
}

// pattern is the package as go test takes it, from where the reader is.
func (p *newPass) pattern() string {
	short := filepath.ToSlash(p.short(p.dir))
	if short == "." || filepath.IsAbs(short) || strings.HasPrefix(short, "../") {
		return short
	}
	return "./" + short
}

func (p *newPass) fill(name, file string) error {
	t, err := template.ParseFS(passTemplates, "newpass/"+name)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, p); err != nil {
		return err
	}
	out := text.Bytes()
	if strings.HasSuffix(file, ".go") {
		if out, err = format.Source(out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(out)
	return errors.Join(err, f.Close())
}

// draw runs the pass's test so that it writes its golden picture.
func (p *newPass) draw() error {
	c := exec.Command("go", "test", "-count=1", "-run", "^TestGolden"+p.Type+"$", ".")
	c.Dir = p.dir
	c.Env = append(os.Environ(), "BINDPOSE_GOLDEN=write")
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go test: %w\n%s", err, said)
	}
	return nil
}

func newShaders() *cobra.Command {
	return &cobra.Command{
		Use:   "shaders [FILE|FOLDER…]",
		Short: "Compile shaders to SPIR-V beside them",
		Long: `Compile each shader (.vert, .frag, .comp) to a .spv beside it, with glslc. What a shader includes is looked for beside it, then among
Bindpose's own: frame.glsl, light.glsl and the rest. Without an argument, those of the current folder.`,
		Example: `  bindpose shaders
  bindpose shaders outline.frag`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			var files []string
			for _, a := range args {
				found, err := shaderFiles(a)
				if err != nil {
					return err
				}
				files = append(files, found...)
			}
			if len(files) == 0 {
				return fmt.Errorf("there are no shaders in %s: their names end in .vert, .frag or .comp", strings.Join(args, ", "))
			}
			var errs []error
			for _, f := range files {
				code, err := shaders.Compile(f)
				if err == nil {
					err = ordinary.WriteBytes(f+".spv", code)
				}
				if err != nil {
					errs = append(errs, err)
					continue
				}
				fmt.Println(f + ".spv")
			}
			return errors.Join(errs...)
		},
	}
}

// shaderFiles are a shader, or those of a folder.
func shaderFiles(path string) ([]string, error) {
	s, err := os.Stat(path)
	if err != nil || !s.IsDir() {
		if err == nil && !shaders.IsSource(path) {
			err = fmt.Errorf("%s is no shader: names end in .vert, .frag or .comp", path)
		}
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() && shaders.IsSource(e.Name()) {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	return out, nil
}
