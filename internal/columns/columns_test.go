package columns_test

import (
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/internal/columns"
)

func Example() {
	t := columns.New("lr")
	t.Row("vertices", columns.Int(1728))
	t.Row("size", columns.Bytes(162852))
	if err := t.Write(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// vertices     1,728
	// size      162.9 kB
}

// Columns line up by what the letters take on a terminal, and no line ends in
// space.
func TestAligned(t *testing.T) {
	table := columns.New("lrl")
	table.Indent = "  "
	table.Row("头部", "1", "x")
	table.Row("ab", "1,000", "a long last cell")
	table.Row("c")
	var out strings.Builder
	if err := table.Write(&out); err != nil {
		t.Fatal(err)
	}
	want := "  头部      1  x\n  ab    1,000  a long last cell\n  c\n"
	if out.String() != want {
		t.Errorf("wrote\n%s\nwant\n%s", out.String(), want)
	}
}

// A cell that forgot to be cleaned is no way into a terminal either.
func TestCellsArePlain(t *testing.T) {
	table := columns.New("l")
	table.Row("a\x1b[2J\nb")
	var out strings.Builder
	if err := table.Write(&out); err != nil || out.String() != "a·[2J·b\n" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{columns.Clean("Armature\x1b[31m\n", 40), "Armature·[31m·"},
		{columns.Plain("a\x1b]0;x\a\nb\u009b2J\u202ec\xff"), "a·]0;x·\nb·2J·c\uFFFD"},
		{columns.Clean("abcdef", 6), "abcdef"},
		{columns.Clean("abcdefg", 6), "abcde…"},
		{columns.Clean("头部头部", 5), "头部…"},
		{columns.Int(0), "0"},
		{columns.Int(999), "999"},
		{columns.Int(-1234567), "-1,234,567"},
		{columns.Int(int64(100000)), "100,000"},
		{columns.Bytes(999), "999 B"},
		{columns.Bytes(999_949), "999.9 kB"},
		{columns.Bytes(999_950), "1.0 MB"},
		{columns.Bytes(2_500_000_000), "2.5 GB"},
		{columns.Bar(0.5, 4), "██"},
		{columns.Bar(1.0/8, 1), "▏"},
		{columns.Bar(7, 2), "██"},
		{columns.Bar(-1, 2), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
