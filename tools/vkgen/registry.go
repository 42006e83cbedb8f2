package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// The parts of vk.xml that the generator reads. The schema is Khronos's "The Khronos Vulkan API Registry".

type registry struct {
	Types      []xmlType    `xml:"types>type"`
	Enums      []xmlEnums   `xml:"enums"`
	Commands   []xmlCommand `xml:"commands>command"`
	Features   []xmlFeature `xml:"feature"`
	Extensions []xmlFeature `xml:"extensions>extension"`
}

type xmlType struct {
	NameAttr  string      `xml:"name,attr"`
	Name      string      `xml:"name"`
	Category  string      `xml:"category,attr"`
	Alias     string      `xml:"alias,attr"`
	API       string      `xml:"api,attr"`
	Requires  string      `xml:"requires,attr"`
	BitValues string      `xml:"bitvalues,attr"`
	Inner     string      `xml:",innerxml"`
	Refers    []string    `xml:"type"`
	Members   []xmlMember `xml:"member"`
}

func (t *xmlType) name() string {
	if t.NameAttr != "" {
		return t.NameAttr
	}
	return t.Name
}

type xmlMember struct {
	Inner    string `xml:",innerxml"`
	Type     string `xml:"type"`
	Name     string `xml:"name"`
	Values   string `xml:"values,attr"`
	Len      string `xml:"len,attr"`
	Optional string `xml:"optional,attr"`
	API      string `xml:"api,attr"`
}

type xmlEnums struct {
	Name     string    `xml:"name,attr"`
	Type     string    `xml:"type,attr"`
	BitWidth string    `xml:"bitwidth,attr"`
	Enums    []xmlEnum `xml:"enum"`
}

type xmlEnum struct {
	Name      string `xml:"name,attr"`
	Value     string `xml:"value,attr"`
	BitPos    string `xml:"bitpos,attr"`
	Extends   string `xml:"extends,attr"`
	ExtNumber string `xml:"extnumber,attr"`
	Offset    string `xml:"offset,attr"`
	Dir       string `xml:"dir,attr"`
	Alias     string `xml:"alias,attr"`
	API       string `xml:"api,attr"`
}

type xmlCommand struct {
	NameAttr     string `xml:"name,attr"`
	Alias        string `xml:"alias,attr"`
	API          string `xml:"api,attr"`
	SuccessCodes string `xml:"successcodes,attr"`
	Proto        struct {
		Type string `xml:"type"`
		Name string `xml:"name"`
	} `xml:"proto"`
	Params []xmlMember `xml:"param"`
}

type xmlFeature struct {
	Name     string `xml:"name,attr"`
	API      string `xml:"api,attr"`
	Number   string `xml:"number,attr"`
	Requires []struct {
		Enums []xmlEnum `xml:"enum"`
	} `xml:"require"`
}

// forVulkan reports whether an api attribute admits desktop Vulkan (and not only Vulkan SC).
func forVulkan(api string) bool {
	if api == "" {
		return true
	}
	for a := range strings.SplitSeq(api, ",") {
		if a == "vulkan" {
			return true
		}
	}
	return false
}

func readRegistry(path string) (*registry, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the Vulkan registry cannot be read (on Debian: apt install libvulkan-dev): %w", err)
	}
	reg := new(registry)
	if err := xml.Unmarshal(text, reg); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return reg, nil
}

var (
	reComment = regexp.MustCompile(`(?s)<comment>.*?</comment>`)
	reTag     = regexp.MustCompile(`<[^>]*>`)
	reArray   = regexp.MustCompile(`\[([^\]]+)\]`)
	reVersion = regexp.MustCompile(`VK_HEADER_VERSION</name>\s*(\d+)`)
)

// variable is a struct's member or a command's parameter.
type variable struct {
	CName    string
	CType    string
	Ptr      int  // levels of pointer
	Const    bool // of what the first pointer points to
	Array    int  // elements of a fixed array, 0 for none
	Len      string
	Optional bool
	SType    string // the only value an sType member may have
}

// parseVariable reads a C declaration such as "const <type>void</type>* <name>pNext</name>".
func parseVariable(x xmlMember, constants map[string]string) (variable, error) {
	decl := strings.TrimSpace(reTag.ReplaceAllString(reComment.ReplaceAllString(x.Inner, ""), ""))
	v := variable{
		CName:    x.Name,
		CType:    x.Type,
		Ptr:      strings.Count(decl, "*"),
		Const:    strings.HasPrefix(decl, "const"),
		Optional: strings.HasPrefix(x.Optional, "true"),
	}
	v.Len, _, _ = strings.Cut(x.Len, ",")
	if x.Name == "sType" {
		v.SType = x.Values
	}
	if strings.Contains(decl, ":") {
		return v, fmt.Errorf("%s: bit fields are not supported", x.Name)
	}
	dims := reArray.FindAllStringSubmatch(decl, -1)
	if len(dims) > 1 {
		return v, fmt.Errorf("%s: arrays of arrays are not supported", x.Name)
	}
	if len(dims) == 1 {
		size := dims[0][1]
		if c, ok := constants[size]; ok {
			size = c
		}
		n, err := strconv.Atoi(size)
		if err != nil {
			return v, fmt.Errorf("%s: array size %q: %w", x.Name, size, err)
		}
		v.Array = n
	}
	return v, nil
}
