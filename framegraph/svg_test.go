package framegraph_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

// The picture is well-formed, holds every pass and resource, and the page needs nothing from elsewhere. FRAMEGRAPH_PAGE
// names a folder to leave them in, to look at.
func TestPictures(t *testing.T) {
	d := newDemo()
	d.declare()
	p := compile(t, d.graph, fg.Caps{})
	var svg, page bytes.Buffer
	if err := errors.Join(p.SVG(&svg), p.HTML(&page)); err != nil {
		t.Fatal(err)
	}
	for dec := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		_, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
	}
	for i := range p.Steps {
		if !strings.Contains(svg.String(), `data-name="`+p.Steps[i].Name+`"`) {
			t.Errorf("pass %q is missing from the picture", p.Steps[i].Name)
		}
	}
	for i := range p.Resources {
		if !strings.Contains(svg.String(), `data-name="`+p.Resources[i].Name+`"`) {
			t.Errorf("resource %q is missing from the picture", p.Resources[i].Name)
		}
	}
	// The picture and the text count bytes alike.
	var plan bytes.Buffer
	if err := p.Text(&plan); err != nil {
		t.Fatal(err)
	}
	transients := regexp.MustCompile(`[0-9.]+ [kM]?B of transients in [0-9.]+ [kM]?B`)
	if a, b := transients.FindString(svg.String()), transients.FindString(plan.String()); a == "" || a != b {
		t.Errorf("the picture says %q, the text %q", a, b)
	}
	text := page.String()
	for _, want := range []string{`<template data-kind="culled" data-name="picking">`, "a read behind a write", "demo_test.go:"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing from the page", want)
		}
	}
	for _, bad := range []string{"src=", "href=", "@import", "url("} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q: it must work offline, alone", bad)
		}
	}
	if dir := os.Getenv("FRAMEGRAPH_PAGE"); dir != "" {
		if err := errors.Join(os.WriteFile(dir+"/graph.svg", svg.Bytes(), 0o666), os.WriteFile(dir+"/graph.html", page.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// The demo's plan does with less than the naive one: the issue asks for 60 % fewer barriers and 30 % fewer bytes.
func TestNaivePlanIsBeaten(t *testing.T) {
	d := newDemo()
	d.declare()
	o := compile(t, d.graph, fg.Caps{}).Totals
	t.Logf("%d barriers in %d batches, naive %d in %d; %d bytes, naive %d", o.Barriers, o.Batches, o.NaiveBarriers, o.NaiveBatches, o.AliasedBytes, o.NaiveBytes)
	if o.NaiveBarriers <= o.Barriers || o.NaiveBytes <= o.AliasedBytes {
		t.Errorf("the naive plan has %d barriers and %d bytes, this one %d and %d", o.NaiveBarriers, o.NaiveBytes, o.Barriers, o.AliasedBytes)
	}
}
