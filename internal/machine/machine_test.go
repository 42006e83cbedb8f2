package machine

import "testing"

func TestBusySeconds(t *testing.T) {
	busy, ok := busySeconds("cpu  10000 1000 2000 999999 5555 100 200 300 4000 0\ncpu0 1 1 1\n")
	if !ok || busy != 136 {
		t.Errorf("busy for %v s (%v), want 136: without idle, iowait and guest time", busy, ok)
	}
	if _, ok := busySeconds("intr 5\n"); ok {
		t.Error("read what is no processor's line")
	}
	if n := Others(Moment{100, 50, 10}, Moment{110, 65, 20}); n != 0.5 {
		t.Errorf("others kept %v processors busy, want (15 − 10) / 10", n)
	}
}

func TestResident(t *testing.T) {
	if now, peak := Resident(); now > 0 && peak < now {
		t.Errorf("%d bytes are resident, of at most %d", now, peak)
	}
}
