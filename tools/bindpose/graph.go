package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// graphFlags are what a frame graph depends on, and how it is printed.
type graphFlags struct {
	drawFlags
	text, json, dot bool
	split           bool   // plan for a compute and a transfer queue, whatever the device has
	svg, html       string // files
}

func newGraph() *cobra.Command {
	f := &graphFlags{}
	c := &cobra.Command{
		Use:   "graph [FILE]",
		Short: "Print the frame graph: passes, barriers, memory, and why",
		Long: `Draw one frame of a model, or without a FILE of the demo scene, headless, and print the plan that its frame graph was
compiled to: the passes in order with what each reads and writes, the barriers before each, the rendering scopes, and where
each image and buffer has its memory. --html writes one page that works offline: click a pass or a resource and read why it is
as it is. graph explain says the same on the terminal.`,
		Example: `  bindpose graph fox.glb
  bindpose graph --html graph.html
  bindpose graph fox.glb --json
  bindpose graph --effects ssao --queues
  bindpose graph explain shadow fox.glb`,
		Args: files(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.oneForm(); err != nil {
				return err
			}
			return f.plan(args, f.print)
		},
	}
	s := c.PersistentFlags()
	s.StringVar(&f.size, "size", "1280x720", "size of the picture, WxH pixels")
	s.StringSliceVar(&f.overlay, "overlay", nil, "what is drawn over the picture: skeleton, names, colliders, panels, profiler")
	s.StringSliceVar(&f.effects, "effects", nil, "passes added to the frame: ssao, bloom")
	s.BoolVar(&f.split, "queues", false, "plan for a compute and a transfer queue beside the graphics queue, whether or not the device has them")
	s.BoolVar(&f.validate, "validate", false, "turn the Vulkan validation layers on; any message is an error")
	c.Flags().BoolVar(&f.text, "text", false, "print text (the default)")
	c.Flags().BoolVar(&f.json, "json", false, "print JSON")
	c.Flags().BoolVar(&f.dot, "dot", false, "print DOT, for Graphviz")
	c.Flags().StringVar(&f.svg, "svg", "", "write an SVG picture: the passes in time, the lives of resources, the heaps")
	c.Flags().StringVar(&f.html, "html", "", "write one page that works offline, with an explanation behind each pass and resource")
	c.AddCommand(newExplain(f))
	return c
}

// oneForm says whether more than one form was asked for.
func (f *graphFlags) oneForm() error {
	var asked []string
	for _, form := range []struct {
		flag string
		on   bool
	}{{"--text", f.text}, {"--json", f.json}, {"--dot", f.dot}, {"--svg", f.svg != ""}, {"--html", f.html != ""}} {
		if form.on {
			asked = append(asked, form.flag)
		}
	}
	if len(asked) > 1 {
		return fmt.Errorf("%s exclude each other", strings.Join(asked, " and "))
	}
	return nil
}

// print prints the plan in the form that was asked for. The name of a file is
// printed where one is written.
func (f *graphFlags) print(p *framegraph.Plan) error {
	switch {
	case f.json:
		return p.JSON(os.Stdout)
	case f.dot:
		return p.DOT(os.Stdout)
	case f.svg != "":
		return writeInto(f.svg, p.SVG)
	case f.html != "":
		return writeInto(f.html, p.HTML)
	}
	return p.Text(os.Stdout)
}

// writeInto writes a file and prints its name.
func writeInto(file string, write func(io.Writer) error) error {
	if err := ordinary.Write(file, write); err != nil {
		return err
	}
	_, err := fmt.Println(file)
	return err
}

func newExplain(f *graphFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "explain NAME [FILE]",
		Short: "Say why a pass or resource of the frame graph is as it is",
		Long: `Say why the pass or resource called NAME is as it is: why it was kept or culled and stands at its place, why each barrier
before it stands and between which accesses, why it was merged with its neighbours or not, and who shares its memory.`,
		Example: `  bindpose graph explain shadow fox.glb`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || len(args) > 2 {
				return errors.New("graph explain needs the NAME of a pass or resource, and at most a FILE; see bindpose graph explain --help")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return f.plan(args[1:], func(p *framegraph.Plan) error {
				known, err := planNames(p)
				if err != nil {
					return err
				}
				if !slices.Contains(known, args[0]) {
					return unknownPass(args[0], known)
				}
				_, err = fmt.Println(strings.TrimRight(p.Explain(args[0]), "\n"))
				return err
			})
		},
	}
}

func unknownPass(name string, known []string) error {
	err := fmt.Errorf("the frame has no pass or resource %q: there are %s", name, strings.Join(known, ", "))
	if best := nearest(name, known); best != "" {
		err = fmt.Errorf("%w; did you mean %q?", err, best)
	}
	return err
}

// plan draws a frame and shows its plan.
func (f *graphFlags) plan(args []string, show func(*framegraph.Plan) error) (err error) {
	f.headless = true
	if f.split {
		f.queues = gpu.SplitQueues
	}
	if err := f.check(); err != nil {
		return err
	}
	a, _, err := openProfileScene(&demoFlags{drawFlags: f.drawFlags, crowd: demoCrowd}, args)
	if err != nil {
		return err
	}
	defer func() { err = a.close(err) }()
	if err := a.engine.Frame(0); err != nil {
		return err
	}
	return show(a.engine.Plan())
}

// planNames are the names of a plan's passes, culled ones among them, and
// resources.
func planNames(p *framegraph.Plan) ([]string, error) {
	var text bytes.Buffer
	if err := p.JSON(&text); err != nil {
		return nil, err
	}
	type named struct {
		Name string `json:"name"`
	}
	var plan struct{ Passes, Resources []named }
	if err := json.Unmarshal(text.Bytes(), &plan); err != nil {
		return nil, err
	}
	var names []string
	for _, n := range append(plan.Passes, plan.Resources...) {
		if !slices.Contains(names, n.Name) {
			names = append(names, n.Name)
		}
	}
	return names, nil
}
