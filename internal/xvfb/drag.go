//go:build linux

package xvfb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"time"
)

// Drop drags files onto the first window of the display in DISPLAY that takes
// them, as a file manager does: by the XDND protocol, version 5, spoken to the
// server directly (X Window System Protocol 11; "Drag-and-Drop Protocol for the X
// Window System"). It returns once the window says that it has them. The window's
// own loop must be running meanwhile.
func Drop(paths ...string) error {
	d, err := connect(strings.TrimPrefix(os.Getenv("DISPLAY"), ":"))
	if err != nil {
		return err
	}
	defer d.conn.Close()
	if err := d.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return err
	}
	atom := map[string]uint32{}
	for _, name := range []string{
		"XdndAware", "XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished", "XdndSelection", "XdndActionCopy", "text/uri-list",
	} {
		if atom[name], err = d.intern(name); err != nil {
			return err
		}
	}
	target, err := d.aware(atom["XdndAware"])
	if err != nil {
		return err
	}
	const create, setOwner = 1, 22
	source := d.base | 1
	d.request(create, 0, source, d.root, 0, 1<<16|1, 1<<16, 0, 0)
	d.request(setOwner, 0, source, atom["XdndSelection"], 0)
	list := atom["text/uri-list"]
	d.message(target, atom["XdndEnter"], source, 5<<24, list, 0, 0)
	d.message(target, atom["XdndPosition"], source, 0, 10<<16|10, 0, atom["XdndActionCopy"])
	var uris strings.Builder
	for _, p := range paths {
		uris.WriteString((&url.URL{Scheme: "file", Path: p}).String() + "\r\n")
	}
	for {
		e, err := d.read()
		if err != nil {
			return fmt.Errorf("waiting for the window to take what is dropped: %w", err)
		}
		const selectionRequest, clientMessage = 30, 33
		switch kind := e[0] & 0x7f; {
		case kind == selectionRequest:
			d.give(e, uris.String())
		case kind == clientMessage && u32(e, 8) == atom["XdndStatus"]:
			if u32(e, 16)&1 == 0 {
				return errors.New("the window refuses what is dropped")
			}
			d.message(target, atom["XdndDrop"], source, 0, 0, 0, 0)
		case kind == clientMessage && u32(e, 8) == atom["XdndFinished"]:
			return nil
		}
	}
}

// display is a connection to an X server.
type display struct {
	conn       net.Conn
	base, root uint32
	waiting    [][]byte // events that came before a reply
}

var le = binary.LittleEndian

func u32(b []byte, at int) uint32 { return le.Uint32(b[at:]) }

func connect(number string) (*display, error) {
	number, _, _ = strings.Cut(number, ".")
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+number)
	if err != nil {
		return nil, err
	}
	d := &display{conn: conn}
	hello := []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	head := make([]byte, 8)
	if _, err = conn.Write(hello); err == nil {
		_, err = io.ReadFull(conn, head)
	}
	body := make([]byte, 4*int(le.Uint16(head[6:])))
	if err == nil {
		_, err = io.ReadFull(conn, body)
	}
	switch {
	case err != nil:
	case head[0] != 1 || len(body) < 40:
		err = errors.New("the X server refuses the connection")
	default:
		vendor, formats := int(le.Uint16(body[16:])), int(body[21])
		at := 32 + (vendor+3)&^3 + 8*formats
		d.base, d.root = u32(body, 4), u32(body, at)
		return d, nil
	}
	conn.Close()
	return nil, err
}

// request sends a request of whole words. Errors show when it is answered.
func (d *display) request(opcode, detail byte, words ...uint32) {
	b := []byte{opcode, detail}
	b = le.AppendUint16(b, uint16(1+len(words)))
	for _, w := range words {
		b = le.AppendUint32(b, w)
	}
	d.conn.Write(b)
}

// message sends a ClientMessage of five words to a window.
func (d *display) message(to, kind uint32, data ...uint32) {
	const sendEvent = 25
	d.request(sendEvent, 0, append([]uint32{to, 0, 33 | 32<<8, to, kind}, data...)...)
}

// next reads a reply, an event or an error.
func (d *display) next() ([]byte, error) {
	b := make([]byte, 32)
	if _, err := io.ReadFull(d.conn, b); err != nil {
		return nil, err
	}
	if b[0] == 0 {
		return nil, fmt.Errorf("the X server answers with error %d to request %d", b[1], b[10])
	}
	if n := 4 * int(u32(b, 4)); b[0] == 1 && n > 0 {
		b = append(b, make([]byte, n)...)
		if _, err := io.ReadFull(d.conn, b[32:]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// read reads an event.
func (d *display) read() ([]byte, error) {
	if len(d.waiting) > 0 {
		e := d.waiting[0]
		d.waiting = d.waiting[1:]
		return e, nil
	}
	return d.next()
}

// reply reads the answer to the last request.
func (d *display) reply() ([]byte, error) {
	for {
		b, err := d.next()
		if err != nil || b[0] == 1 {
			return b, err
		}
		d.waiting = append(d.waiting, b)
	}
}

func padded(s string) []uint32 {
	b := append([]byte(s), make([]byte, -len(s)&3)...)
	words := make([]uint32, len(b)/4)
	for i := range words {
		words[i] = u32(b, 4*i)
	}
	return words
}

func (d *display) intern(name string) (uint32, error) {
	const internAtom = 16
	d.request(internAtom, 0, append([]uint32{uint32(len(name))}, padded(name)...)...)
	b, err := d.reply()
	if err != nil {
		return 0, err
	}
	return u32(b, 8), nil
}

// aware is the first window below the root that says it takes drops.
func (d *display) aware(property uint32) (uint32, error) {
	const queryTree, getProperty = 15, 20
	d.request(queryTree, 0, d.root)
	tree, err := d.reply()
	if err != nil {
		return 0, err
	}
	for i := range int(le.Uint16(tree[16:])) {
		w := u32(tree, 32+4*i)
		d.request(getProperty, 0, w, property, 0, 0, 1)
		p, err := d.reply()
		if err != nil {
			return 0, err
		}
		if u32(p, 8) != 0 {
			return w, nil
		}
	}
	return 0, errors.New("no window of the display takes drops")
}

// give answers a SelectionRequest with a text.
func (d *display) give(e []byte, text string) {
	const changeProperty, sendEvent, selectionNotify = 18, 25, 31
	time, to, selection, target, property := u32(e, 4), u32(e, 12), u32(e, 16), u32(e, 20), u32(e, 24)
	d.request(changeProperty, 0, append([]uint32{to, property, target, 8, uint32(len(text))}, padded(text)...)...)
	d.request(sendEvent, 0, to, 0, selectionNotify, time, to, selection, target, property, 0, 0)
}
