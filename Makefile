# make demo   installs what is missing, builds, and shows the demo scene
# make test   installs what is missing, and runs every test
# make bench  prints the table of the design's targets
# make fuzz   runs the fuzz targets of model formats for a minute each (FUZZTIME=10s: shorter), others for less (FUZZMORE)
# make lint   gofmt, go vet, staticcheck
# make shaders  compiles the GLSL to SPIR-V; make golden  draws the golden images anew
# make picture  draws the README's picture anew

# Found when a recipe runs, not when make starts: setup.sh may only just have
# fetched it.
GO = $(shell tools/find-go.sh || echo go)
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
SHADERS = $(wildcard $(foreach d,shaders examples/* engine/testdata engine/gpu/testdata/shaders,$d/*.vert $d/*.frag $d/*.comp))
XDG_RUNTIME_DIR ?= $(shell d=$${TMPDIR:-/tmp}/bindpose-$$(id -u); mkdir -p -m 700 $$d; echo $$d)
export XDG_RUNTIME_DIR

.PHONY: demo test build bench fuzz lint shaders golden picture setup-demo setup-test setup-picture

demo: build
	bin/bindpose demo

build: setup-demo
	$(GO) build -trimpath -o bin/ ./tools/bindpose

test: setup-test
	$(GO) test -timeout 20m ./...

bench: setup-test
	$(GO) run ./tools/bench

# Each parser's fuzz target for a while, seeded with the shared data: those of model formats longer than the rest.
FUZZTIME ?= 60s
FUZZMORE ?= 15s
fuzz: export BINDPOSE_SHARED ?= $(CURDIR)/../shared
fuzz: setup-test
	@for file in $$(grep -rl --include=*_test.go 'func Fuzz' animation assets engine); do \
		case $$file in assets/gltf/fuzz_test.go|assets/fbx/*|assets/vrm/*|assets/bvh/*) time=$(FUZZTIME);; *) time=$(FUZZMORE);; esac; \
		for target in $$(grep -ho 'func Fuzz[A-Za-z0-9]*' $$file | cut -c6-); do \
			echo "$$target in $$(dirname $$file) for $$time"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $$time ./$$(dirname $$file) || exit 1; \
		done; \
	done

lint: setup-test
	@unformatted=$$($$($(GO) env GOROOT)/bin/gofmt -l .); test -z "$$unformatted" || { echo "not gofmt-ed: $$unformatted"; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

shaders: $(SHADERS:=.spv)
	@echo "$(words $^) shaders are compiled"

%.spv: % $(wildcard shaders/*.glsl)
	glslc --target-env=vulkan1.3 -O -Ishaders -o $@ $<
	spirv-val --target-env vulkan1.3 $@

golden: setup-test
	BINDPOSE_GOLDEN=write $(GO) test -count=1 -run Golden ./...

# 256 colours keep a picture of this size under half a megabyte.
picture: build setup-picture
	bin/bindpose demo --headless --size 1280x720 --out docs/images/demo.png
	bin/bindpose demo --evening --headless --size 1280x720 --out docs/images/evening.png
	bin/bindpose graph --svg docs/images/graph.svg
	for f in demo evening; do convert docs/images/$$f.png -dither FloydSteinberg -colors 256 -strip PNG8:docs/images/$$f.png; done

setup-demo:
	@tools/setup.sh demo

setup-test:
	@tools/setup.sh test

setup-picture:
	@tools/setup.sh picture
