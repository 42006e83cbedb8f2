package main

import (
	"archive/zip"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/internal/corpus"
)

// zipped writes an archive of the folders and files at paths, under prefix.
func zipped(t *testing.T, prefix string, paths ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "pack.zip")
	f, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(filepath.Dir(root), path)
			if err != nil {
				return err
			}
			w, err := z.Create(prefix + filepath.ToSlash(rel))
			if err != nil {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				_, err = w.Write(data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}

// told is what inspect says of a file, without its name.
func told(t *testing.T, file string) string {
	t.Helper()
	status, out, errs := command(t, "inspect", "--json", file)
	if status != 0 {
		t.Fatalf("inspect %s: %s", file, errs)
	}
	var r map[string]any
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	delete(r, "file")
	delete(r, "bytes")
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A model in an archive is the model that it is unpacked, its pictures included.
func TestInspectArchives(t *testing.T) {
	for _, c := range []struct{ folder, model string }{
		{"gltf/InterpolationTest/glTF", "InterpolationTest.gltf"},
		{"gltf/KayKit/mannequin", "manny_med_mod.gltf"},
		{"gltf/Fox/glTF-Binary", "Fox.glb"},
	} {
		dir := corpus.Path(t, c.folder)
		pack := zipped(t, "some/", dir)
		inside := pack + "!some/" + filepath.Base(dir) + "/" + c.model
		want := told(t, filepath.Join(dir, c.model))
		if got := told(t, inside); got != want {
			t.Errorf("%s: packed\n%s\nunpacked\n%s", c.model, got, want)
		}
	}
}

func TestArchiveOfSeveralModels(t *testing.T) {
	fox := corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb")
	man := corpus.Path(t, "gltf/CesiumMan/glTF-Binary/CesiumMan.glb")
	pack := zipped(t, "", man, fox)
	status, out, errs := command(t, "inspect", pack)
	if status != 0 || !strings.Contains(out, "CesiumMan") || !strings.Contains(errs, pack+"!Fox.glb") {
		t.Errorf("status %d, out %s, errors %s", status, out, errs)
	}
	if told(t, pack+"!Fox.glb") != told(t, fox) {
		t.Error("the fox is another")
	}
	status, _, errs = command(t, "inspect", pack+"!Wolf.glb")
	if status == 0 || !strings.Contains(errs, "Wolf.glb is not in this archive") || !strings.Contains(errs, "CesiumMan.glb, Fox.glb") {
		t.Errorf("status %d: %s", status, errs)
	}
	_, out, errs = command(t, "doctor", "--json", pack)
	var reports []struct{ File, Level string }
	if err := json.Unmarshal([]byte(out), &reports); err != nil || len(reports) != 2 || reports[1].File != pack+"!Fox.glb" {
		t.Errorf("doctor: %v, %s %s", err, out, errs)
	}
	status, _, errs = command(t, "doctor", pack, "--fix", filepath.Join(t.TempDir(), "out"))
	if status == 0 || !strings.Contains(errs, "unpack it first") {
		t.Errorf("doctor --fix: status %d, %s", status, errs)
	}
}

func TestArchivesAndFoldersWithoutModels(t *testing.T) {
	dir := t.TempDir()
	note := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(note, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken.zip")
	if err := os.WriteFile(broken, []byte("no archive"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		zipped(t, "", note):              "no model in this archive",
		dir:                              "no model in this folder",
		broken:                           "is no zip archive",
		filepath.Join(dir, "no.zip!a.b"): "no such file",
		filepath.Join(dir, "no.zip"):     "no such file",
	} {
		for _, name := range []string{"inspect", "doctor", "pose"} {
			status, _, errs := command(t, name, file)
			if status == 0 || !strings.Contains(errs, want) {
				t.Errorf("%s %s: status %d, %s", name, file, status, errs)
			}
		}
	}
}

// A folder means the one model in it; of several the names are told.
func TestFolderOfAModel(t *testing.T) {
	dir := corpus.Path(t, "gltf/InterpolationTest/glTF")
	if told(t, dir) != told(t, filepath.Join(dir, "InterpolationTest.gltf")) {
		t.Error("the folder's model is another")
	}
	if status, _, errs := command(t, "inspect", corpus.Path(t, "gltf/AnimatedMorphCube")); status == 0 || !strings.Contains(errs, "AnimatedMorphCube.gltf") || !strings.Contains(errs, "AnimatedMorphCube.glb") {
		t.Errorf("AnimatedMorphCube: status %d, %s", status, errs)
	}
}

// An avatar in an archive stays one when it is converted.
func TestConvertAvatarInArchive(t *testing.T) {
	avatars, err := filepath.Glob(filepath.Join(corpus.Path(t, "vrm"), "*", "*.vrm"))
	if err != nil || len(avatars) == 0 {
		t.Fatalf("no avatar in the corpus: %v", err)
	}
	var outs [2][]byte
	for i, in := range []string{avatars[0], zipped(t, "", avatars[0])} {
		out := filepath.Join(t.TempDir(), "out.vrm")
		if status, _, errs := command(t, "convert", in, out); status != 0 {
			t.Fatalf("%s: %s", in, errs)
		}
		if outs[i], err = os.ReadFile(out); err != nil {
			t.Fatal(err)
		}
	}
	if string(outs[0]) != string(outs[1]) {
		t.Errorf("%s comes out otherwise from an archive", avatars[0])
	}
}

// What is drawn of an archive is what is drawn of its files.
func TestViewArchive(t *testing.T) {
	device(t)
	dir := corpus.Path(t, "gltf/TextureTransformTest/glTF")
	flags := []string{"--camera", "front"}
	packed, plain, folder := shot(t, zipped(t, "", dir), "160x120", flags), shot(t, filepath.Join(dir, "TextureTransformTest.gltf"), "160x120", flags), shot(t, dir, "160x120", flags)
	if string(packed.Pix) != string(plain.Pix) || string(folder.Pix) != string(plain.Pix) {
		t.Error("the archive, the folder and the file draw other pictures")
	}
}
