package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func newInspect() *cobra.Command {
	var asJSON, joints bool
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Print what a model file holds",
		Long: `Print what a model file holds: its size in metres, meshes, skins, joints, clips, materials, images, cameras, lights, the
memory that they take, and what was repaired or left out in loading. Nothing is drawn. Indices are those that other
commands take, such as --clip. FILE may be a folder with one model in it, or a .zip archive, or one of the models in
that: pack.zip!hero/hero.gltf.`,
		Example: `  bindpose inspect fox.glb
  bindpose inspect fox.glb --joints
  bindpose inspect fox.glb --json
  bindpose inspect pack.zip`,
		Args: files(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := loadModel(args[0], func(w string) {
				if strings.HasPrefix(w, args[0]+"!") { // of an archive; others are part of what is printed
					say(w)
				}
			})
			if err != nil {
				return err
			}
			r, err := inspect(m)
			if err != nil {
				return err
			}
			if asJSON {
				out := json.NewEncoder(os.Stdout)
				out.SetEscapeHTML(false)
				out.SetIndent("", "  ")
				return out.Encode(r)
			}
			return r.text(os.Stdout, joints)
		},
	}
	c.Flags().BoolVar(&joints, "joints", false, "print the tree of nodes and joints too")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, the tree of joints included")
	return c
}
