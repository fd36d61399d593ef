# The short commands. CMake (CMakePresets.json) does the building, tools/setup the installing.
.PHONY: help setup build run python test bench fuzz reproduction web gallery deb coverage api lint install format clean
.DEFAULT_GOAL := help
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

help:
	@echo "make run      build percuss, simulate the slider-crank with clearance, draw build/slider-crank.png"
	@echo "make test     everything that must hold: checks and all tests, gcc, clang, sanitizers"
	@echo "make build    the optimised program, build/release/percuss"
	@echo "make python   the Python package, build/python (PYTHONPATH=build/python)"
	@echo "make bench    time per step of the models, and how it grows with their size"
	@echo "make reproduction  the papers' tables and figures into build/reproduction, and docs/reproduction.md"
	@echo "make fuzz     FUZZ_SECONDS=60 of fuzzing for every reader of foreign input"
	@echo "make gallery  the pictures of the README, and the screenshots of the viewer (with chromium)"
	@echo "make deb      a Debian package, build/percuss_*.deb"
	@echo "make coverage which share of the lines of each module the tests reach, docs/coverage.md"
	@echo "make api      pages of the C interface from its headers, build/api/html (with doxygen)"
	@echo "make lint     clang-tidy and cppcheck, as make test runs them"
	@echo "make web      the page of 'percuss view' from web/src, with npm (web/dist has it already)"
	@echo "make install  into PREFIX=/usr/local, below DESTDIR if that is set"
	@echo "make format   clang-format on all sources"
	@echo "make clean    remove build/"
	@echo "Each installs the Debian packages it needs (as root), through tools/setup."

setup:
	@tools/setup

build: setup
	@cmake --preset release
	@cmake --build --preset release

# Only what it takes to the first picture.
run:
	@tools/setup run
	@cmake --preset release
	@cmake --build --preset release --target percuss-cli
	build/release/percuss run models/slider-crank.yaml --out build/slider-crank.h5
	build/release/percuss plot build/slider-crank.h5 --y crank.spin,rod.spin --y corner1.gap,corner3.gap -o build/slider-crank.png

python: build
	@python=$$(sed -n 's/^PERCUSS_PYTHON_EXECUTABLE:INTERNAL=//p' build/release/CMakeCache.txt); \
	$${python:?has no cffi and numpy} python/build.py build/python --library ../../release
	@echo "build/python: PYTHONPATH=build/python python3 -c 'import percuss'"

test: setup
	@tools/setup --tests
	@tools/test

bench: build
	@tools/bench

reproduction: build
	build/release/percuss reproduce --out build/reproduction
	@cp build/reproduction/reproduction.md docs/reproduction.md

gallery: build
	@tools/gallery build/release/percuss docs/images/gallery
	@/usr/bin/python3 tests/web/test_screenshots.py build/release/percuss --make || test $$? = 77

# The prefix of a package is /usr, so it has a build of its own.
deb: setup
	@tools/setup --deb
	@cmake --preset release -B build/deb -DCMAKE_INSTALL_PREFIX=/usr -DPERCUSS_TESTS=OFF -DPERCUSS_BENCH=OFF -DPERCUSS_EXAMPLES=OFF
	@cmake --build build/deb
	@cd build/deb && cpack -G DEB -B ..

# Only for those who change web/src: needs npm, which nothing else does.
web:
	@web/make

coverage: setup
	@cmake --preset coverage
	@cmake --build --preset coverage
	@find build/coverage -name '*.gcda' -delete
	@ctest --preset coverage
	@tools/coverage build/coverage >docs/coverage.md
	@cat docs/coverage.md

api:
	@tools/setup --api
	@doxygen docs/Doxyfile
	@echo "build/api/html/index.html"

lint: setup
	@cmake --preset ci >/dev/null
	@tools/lint build/ci

fuzz: setup
	@tools/fuzz $(FUZZ_SECONDS)

# The directory for libraries follows the prefix, so it is told before building.
install: setup
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	@cmake --build --preset release
	@DESTDIR="$(DESTDIR)" cmake --install build/release

format: setup
	@find . -path ./build -prune -o -path ./web/node_modules -prune -o -name '*.[ch]' -exec clang-format -i {} +

clean:
	@rm -rf build
