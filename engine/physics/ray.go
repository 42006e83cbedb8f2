package physics

// #include "shim.h"
import "C"

import (
	"fmt"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Ray is a segment in world space, metres.
type Ray struct {
	From, To mgl32.Vec3
	// Ignore names a body that the ray passes through, such as the one that
	// casts it; zero names none.
	Ignore Body
	// Triggers makes triggers stop the ray too.
	Triggers bool
	_        [7]byte
}

// Hit is the nearest point at which a [Ray] enters a body. Body is zero where
// it meets none.
type Hit struct {
	Body          Body
	Point, Normal mgl32.Vec3
	// Fraction of the way from From to To, 0 to 1.
	Fraction float32
	_        float32
}

// RayCasts finds the first hit of each ray, as the world stood when the last
// step ended. hits must be as long as rays. An error names the first wrong ray,
// and then none is cast.
func (w *World) RayCasts(rays []Ray, hits []Hit) error {
	if w.c == nil {
		return fmt.Errorf("ray casts: %w", ErrClosed)
	}
	if len(rays) != len(hits) {
		return fmt.Errorf("ray casts: %d rays, but room for %d hits", len(rays), len(hits))
	}
	for i := range rays {
		err := checkVec("From", rays[i].From, maxPosition)
		if err == nil {
			err = checkVec("To", rays[i].To, maxPosition)
		}
		if err != nil {
			return fmt.Errorf("ray casts: rays[%d]: %w", i, err)
		}
	}
	if len(rays) > 0 {
		// Bullet keeps one stack of its tree for all rays.
		w.casting.Lock()
		defer w.casting.Unlock()
		C.bp_rays(w.c, (*C.bp_ray)(unsafe.Pointer(&rays[0])), (*C.bp_hit)(unsafe.Pointer(&hits[0])), C.int(len(rays)))
	}
	return nil
}

// RayCast finds the first hit of one ray; the bool is false where it meets
// nothing. For many rays use [World.RayCasts].
func (w *World) RayCast(r Ray) (Hit, bool, error) {
	rays, hits := [1]Ray{r}, [1]Hit{}
	if err := w.RayCasts(rays[:], hits[:]); err != nil {
		return Hit{}, false, err
	}
	return hits[0], hits[0].Body != 0, nil
}
