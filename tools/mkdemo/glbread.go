package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// document is a written file read back, for previews and tests: only what this
// tool writes.
type document struct {
	Nodes []struct {
		Name        string
		Mesh, Skin  *int
		Children    []int
		Translation *vec
		Rotation    *quat
	}
	Scenes []struct{ Nodes []int }
	Meshes []struct {
		Name       string
		Primitives []struct {
			Attributes map[string]int
			Indices    int
			Material   int
		}
	}
	Materials []struct {
		Name                 string
		EmissiveFactor       vec
		PbrMetallicRoughness struct {
			BaseColorFactor                 *[4]float64
			RoughnessFactor, MetallicFactor *float64
			BaseColorTexture                *struct{ Index int }
		}
		NormalTexture *struct {
			Index int
			Scale float64
		}
	}
	Textures  []struct{ Source int }
	Images    []struct{ BufferView int }
	Accessors []struct {
		BufferView, ComponentType, Count int
		Type                             string
		Normalized                       bool
		Min, Max                         []float64
	}
	BufferViews []struct{ ByteOffset, ByteLength int }
	Skins       []struct {
		Joints              []int
		InverseBindMatrices int
	}
	Animations []struct {
		Name     string
		Channels []struct {
			Sampler int
			Target  struct {
				Node int
				Path string
			}
		}
		Samplers []struct{ Input, Output int }
		Extras   struct {
			Speed float64 `json:"speed_m_s"`
		}
	}
	bin []byte
}

var widths = map[string]int{"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}

func readGLB(b []byte) (*document, error) {
	le := binary.LittleEndian
	if len(b) < 28 || le.Uint32(b) != 0x46546C67 || int(le.Uint32(b[8:])) != len(b) {
		return nil, errors.New("not a whole GLB file")
	}
	n := int(le.Uint32(b[12:]))
	if n > len(b)-28 {
		return nil, errors.New("JSON chunk runs past the end")
	}
	d := &document{}
	if err := json.Unmarshal(b[20:20+n], d); err != nil {
		return nil, fmt.Errorf("JSON chunk: %w", err)
	}
	d.bin = b[28+n:]
	return d, nil
}

// read returns an accessor's numbers, normalised ones in 0…1, and their width.
func (d *document) read(accessor int) ([]float64, int, error) {
	a := d.Accessors[accessor]
	v := d.BufferViews[a.BufferView]
	w := widths[a.Type]
	size := map[int]int{componentFloat: 4, componentUshort: 2, componentUbyte: 1}[a.ComponentType]
	if w == 0 || size == 0 || a.Count*w*size > v.ByteLength || v.ByteOffset+v.ByteLength > len(d.bin) {
		return nil, 0, fmt.Errorf("accessor %d runs past its view or the file", accessor)
	}
	out := make([]float64, a.Count*w)
	for i := range out {
		b := d.bin[v.ByteOffset+i*size:]
		switch a.ComponentType {
		case componentFloat:
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
		case componentUshort:
			out[i] = float64(binary.LittleEndian.Uint16(b))
		default:
			out[i] = float64(b[0])
			if a.Normalized {
				out[i] /= 255
			}
		}
	}
	return out, w, nil
}
