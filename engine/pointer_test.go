package engine_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// pointerFile is four squares beside each other, a spot light and a camera, and a
// clip of a second that moves what KHR_animation_pointer points to.
func pointerFile(t testing.TB) string {
	t.Helper()
	picture := stdimage.NewNRGBA(stdimage.Rect(0, 0, 2, 1))
	picture.SetNRGBA(0, 0, color.NRGBA{0, 255, 0, 255})
	picture.SetNRGBA(1, 0, color.NRGBA{255, 0, 255, 255})
	var encoded, bin bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		t.Fatal(err)
	}
	var views, accessors []string
	floats := func(kind string, count int, f ...float32) int {
		views = append(views, fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":%d}`, bin.Len(), 4*len(f)))
		least, most := "", ""
		if kind == "SCALAR" || kind == "VEC3" && count == 4 {
			w := len(f) / count
			lo, hi := make([]float32, w), make([]float32, w)
			for i, x := range f {
				if i < w {
					lo[i], hi[i] = x, x
				}
				lo[i%w], hi[i%w] = min(lo[i%w], x), max(hi[i%w], x)
			}
			least = strings.ReplaceAll(fmt.Sprintf(`,"min":%v`, lo), " ", ",")
			most = strings.ReplaceAll(fmt.Sprintf(`,"max":%v`, hi), " ", ",")
		}
		for _, x := range f {
			bin.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
		accessors = append(accessors, fmt.Sprintf(`{"bufferView":%d,"componentType":5126,"count":%d,"type":%q%s%s}`, len(views)-1, count, kind, least, most))
		return len(accessors) - 1
	}
	position := floats("VEC3", 4, -0.9, -0.9, 0, 0.9, -0.9, 0, -0.9, 0.9, 0, 0.9, 0.9, 0)
	normal := floats("VEC3", 4, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1)
	uv := floats("VEC2", 4, 0, 1, 0.49, 1, 0, 0, 0.49, 0) // the left half of the picture
	target := floats("VEC3", 4, 0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0, 0.5, 0)
	times := floats("SCALAR", 2, 0, 1)
	var samplers, channels []string
	channel := func(pointer, kind string, values ...float32) {
		out := floats(kind, 2, values...)
		channels = append(channels, fmt.Sprintf(`{"sampler":%d,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":%q}}}}`, len(samplers), pointer))
		samplers = append(samplers, fmt.Sprintf(`{"input":%d,"output":%d}`, times, out))
	}
	channel("/materials/0/pbrMetallicRoughness/baseColorFactor", "VEC4", 1, 0, 0, 1, 0, 0, 1, 1)
	channel("/materials/1/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset", "VEC2", 0, 0, 0.5, 0)
	channel("/materials/2/alphaCutoff", "SCALAR", 0.25, 0.75)
	channel("/materials/3/extensions/KHR_materials_emissive_strength/emissiveStrength", "SCALAR", 0, 4)
	channel("/extensions/KHR_lights_punctual/lights/0/color", "VEC3", 1, 1, 1, 0, 1, 0)
	channel("/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle", "SCALAR", 0.5, 0.25)
	channel("/cameras/0/perspective/yfov", "SCALAR", 1, 0.5)
	channel("/nodes/3/weights/0", "SCALAR", 0, 1)
	channel("/materials/0/name", "SCALAR", 0, 1)
	mesh := func(material int) string {
		return fmt.Sprintf(`{"primitives":[{"attributes":{"POSITION":%d,"NORMAL":%d,"TEXCOORD_0":%d},"mode":5,"material":%d%s}]}`, position, normal, uv, material,
			map[bool]string{true: fmt.Sprintf(`,"targets":[{"POSITION":%d}]`, target)}[material == 3])
	}
	unlit := `"extensions":{"KHR_materials_unlit":{}}`
	return fmt.Sprintf(`{"asset":{"version":"2.0"},
"extensionsUsed":["KHR_animation_pointer","KHR_materials_unlit","KHR_materials_emissive_strength","KHR_texture_transform","KHR_lights_punctual"],
"extensionsRequired":["KHR_animation_pointer"],
"scene":0,"scenes":[{"nodes":[0,1,2,3,4,5]}],
"nodes":[{"mesh":0,"translation":[-3,0,0]},{"mesh":1,"translation":[-1,0,0]},{"mesh":2,"translation":[1,0,0]},{"mesh":3,"translation":[3,0,0]},
{"extensions":{"KHR_lights_punctual":{"light":0}},"translation":[0,0,4]},{"camera":0,"translation":[0,0,8]}],
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}}],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","intensity":10,"spot":{"outerConeAngle":0.5}}]}},
"meshes":[%s,%s,%s,%s],
"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.5,0.5,1]},%s},
{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},%s},
{"pbrMetallicRoughness":{"baseColorFactor":[1,1,0,0.5]},"alphaMode":"MASK",%s},
{"pbrMetallicRoughness":{"baseColorFactor":[0,0,0,1],"metallicFactor":0},"emissiveFactor":[0,0.5,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":0}}}],
"textures":[{"source":0,"sampler":0}],"samplers":[{"magFilter":9728,"minFilter":9728}],
"images":[{"uri":"data:image/png;base64,%s"}],
"animations":[{"name":"change","samplers":[%s],"channels":[%s]}],
"bufferViews":[%s],"accessors":[%s],"buffers":[{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}]}`,
		mesh(0), mesh(1), mesh(2), mesh(3), unlit, unlit, unlit, base64.StdEncoding.EncodeToString(encoded.Bytes()),
		strings.Join(samplers, ","), strings.Join(channels, ","), strings.Join(views, ","), strings.Join(accessors, ","),
		bin.Len(), base64.StdEncoding.EncodeToString(bin.Bytes()))
}

// What KHR_animation_pointer moves is seen: colours, a texture's offset, the alpha
// cutoff and emission change on the entity that plays the clip and on no other,
// lights and cameras follow, and what is written as GLB does the same.
func TestPointersAreSeen(t *testing.T) {
	m, err := gltf.Decode("pointers.gltf", []byte(pointerFile(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Warnings) != 1 || !strings.Contains(m.Warnings[0].Message, "/materials/0/name") {
		t.Errorf("warnings %v", m.Warnings)
	}
	var glb bytes.Buffer
	if err := gltf.Write(m, &glb); err != nil {
		t.Fatal(err)
	}
	written, err := gltf.Decode("pointers.glb", glb.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*assets.Model{m, written} {
		t.Run(m.Path, func(t *testing.T) { pointersAreSeen(t, m) })
	}
}

func pointersAreSeen(t *testing.T, m *assets.Model) {
	e := enginetest.Open(t, engine.Options{Width: 320, Height: 160})
	e.Show.NoAntialias = true
	camera(e, mgl32.Vec3{0, 0, 12}, mgl32.Vec3{})
	e.Scene.Environment.Shadows = false
	playing := e.Scene.SpawnModel("playing", m, nil)
	still := e.Scene.SpawnModel("still", m, nil)
	playing.Local.Translation[1], still.Local.Translation[1] = 1, -1
	light := e.Scene.Spawn("light", playing)
	light.Light = scene.NewLight(m, 0)
	if err := playing.Animator.Play(m.Clips[0], 0); err != nil {
		t.Fatal(err)
	}
	see := func(at float32) (top, bottom [4]color.NRGBA) {
		if err := playing.Animator.Seek(at); err != nil {
			t.Fatal(err)
		}
		enginetest.Frames(t, e, 1, 0)
		p := enginetest.Picture(t, e)
		for i := range 4 {
			at := func(x, y float32) color.NRGBA {
				c := e.Draw.Globals.ViewProjection.Mul4x1(mgl32.Vec4{x, y, 0, 1})
				return p.NRGBAAt(int((c[0]/c[3]+1)*160), int((c[1]/c[3]+1)*80))
			}
			top[i], bottom[i] = at(float32(2*i-3), 1), at(float32(2*i-3), -1)
		}
		return top, bottom
	}
	rest0, rest := see(0)
	if rest0[0].R < 150 || rest0[0].B > 30 || rest0[1].G < 150 || rest0[1].R > 30 || rest0[2].R < 150 || rest0[3].G > 90 {
		t.Errorf("at 0 s: %v", rest0)
	}
	if c := rest[0]; c.R != c.G || c.R != c.B { // grey as the file has it
		t.Errorf("the entity that plays nothing is %v", rest)
	}
	half, _ := see(0.5)
	if c := half[0]; c.R != c.B || c.R < 90 || c.G > 30 {
		t.Errorf("half way from red to blue is %v", c)
	}
	end, after := see(1)
	if end[0].B < 150 || end[0].R > 30 || end[1].R < 150 || end[1].G > 30 || end[3].G < 150 {
		t.Errorf("at 1 s: %v", end)
	}
	if end[2] == rest0[2] || end[2].B < 20 { // what is cut off lets the background through
		t.Errorf("the cut off square is %v as before", end[2])
	}
	if after != rest {
		t.Errorf("the entity that plays nothing changed from %v to %v", rest, after)
	}
	if c := light.Light.Color; c != (mgl32.Vec3{0, 1, 0}) || light.Light.OuterCone != 0.25 {
		t.Errorf("the light at the end is %+v", light.Light)
	}
	if c := m.CameraAt(0, playing.Animator.Pose().Weights); c.YFov != 0.5 {
		t.Errorf("the camera at the end is %+v", c)
	}
	if w := playing.Animator.MorphWeights(3); len(w) != 1 || w[0] != 1 {
		t.Errorf("morph weights %v", w)
	}
}

// Who does not play stays in one instanced draw with all others at rest.
func TestMovingMaterialsKeepInstancing(t *testing.T) {
	m, err := gltf.Decode("pointers.gltf", []byte(pointerFile(t)), nil)
	if err != nil {
		t.Fatal(err)
	}
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	camera(e, mgl32.Vec3{0, 0, 12}, mgl32.Vec3{})
	var all []*scene.Entity
	for range 10 {
		all = append(all, e.Scene.SpawnModel("entity", m, nil))
	}
	if err := all[4].Animator.Play(m.Clips[0], 0); err != nil {
		t.Fatal(err)
	}
	if err := all[4].Animator.Seek(1); err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 2, 0)
	instanced, own := 0, 0
	for _, b := range e.Draw.Opaque {
		if b.Count == 9 {
			instanced++
		}
		if b.Factors != nil {
			own++
			if b.Count != 1 {
				t.Errorf("%d instances share factors", b.Count)
			}
		}
	}
	if instanced != 3 || own != 4 { // the fourth square has morph targets, whose entities are drawn one by one
		t.Errorf("%d draws of nine, %d with factors of their own", instanced, own)
	}
	if allocs := testing.AllocsPerRun(20, func() {
		if err := e.Frame(0.01); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("a frame with moving materials allocates %v times", allocs)
	}
}
