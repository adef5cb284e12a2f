# For people: each target first installs what is missing (packages.txt), then does what it says.
.PHONY: help build netgen web serve demo assets test test-interop test-web pictures docs bench soak format lint lint-changed install sanitize clean

BUILD := build
PREFIX ?= /usr/local
INSTALL := scripts/install-packages

help:
	@echo "make demo      build, then simulate a scene and compare every method on built-in shapes"
	@echo "make test      build and run all tests (ten minutes on two cores)"
	@echo "make web       the page that shows recordings and reports in a browser (pliant view, --html; needs npm), and the library for browsers (installs Emscripten)"
	@echo "make serve     the playground at an address of this machine (after make web): the library live in a browser"
	@echo "make test-web  open such pages in Chromium (installs it), from disk, and use them; compare the library there with the native one"
	@echo "make test-interop   open the files that Pliant writes in Blender, VTK and Gmsh (installs them)"
	@echo "make assets    fetch scanned meshes for scenes into assets/ (needs npm)"
	@echo "make build     the command, at build/pliant"
	@echo "make netgen    the same with Netgen, for better tetrahedra in pliant prepare (installs 49 MB)"
	@echo "make bench     benchmarks; results in bench/results/"
	@echo "make sanitize  tests under the address, undefined-behaviour and thread sanitizers"
	@echo "make docs      all pages and the reference of the library as a site: build/docs/index.html"
	@echo "make soak      long runs: fuzzing, millions of random queries, whole scenes, a shared library"
	@echo "make install   command, library and headers, into $(PREFIX) (PREFIX=... for another place)"
	@echo "make format    clang-format over everything, in place"
	@echo "make lint      clang-format and clang-tidy over everything, to look;  make lint-changed: over what is new"

build:
	@$(INSTALL) build
	cmake --preset release
	cmake --build $(BUILD) --target pliant-command

netgen:
	@$(INSTALL) netgen
	@$(MAKE) build

web:
	@scripts/web --wasm

serve:
	@node web/serve.mjs

# With the page where it can be built, without it where not.
demo: build
	@scripts/web --if-possible
	$(BUILD)/pliant demo

assets:
	scripts/fetch-assets

test:
	@$(INSTALL) build test netgen
	cmake --preset release -DPLIANT_TESTS=ON
	cmake --build $(BUILD)
	ctest --test-dir $(BUILD) -j 2 --output-on-failure

test-web: build
	@$(INSTALL) web-test
	@scripts/web --with-tests-and-wasm
	web/test/run $(BUILD)/pliant

pictures: build
	@$(INSTALL) web-test
	@scripts/web --with-tests-and-wasm
	node web/pictures.mjs $(BUILD)/pliant

docs:
	@$(INSTALL) docs
	/usr/bin/python3 scripts/docs

test-interop: build
	@$(INSTALL) interop
	tests/interop/run $(BUILD)/pliant

bench:
	@$(INSTALL) build bench
	cmake --preset release -DPLIANT_BENCH=ON
	cmake --build $(BUILD)
	bench/run

sanitize:
	@$(INSTALL) build sanitize
	scripts/sanitize

soak:
	@$(INSTALL) build test fuzz
	scripts/soak

install:
	@$(INSTALL) build netgen
	cmake --preset release
	cmake --build $(BUILD) --target pliant pliant-command
	cmake --install $(BUILD) --prefix $(PREFIX)

format:
	@$(INSTALL) lint
	git ls-files '*.cpp' '*.h' | xargs clang-format -i

lint:
	@$(INSTALL) build fuzz lint
	scripts/lint

lint-changed:
	@$(INSTALL) build fuzz lint
	scripts/lint-changed

clean:
	rm -rf build build-* web/dist
