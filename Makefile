# The front door. `make reproduce` and `make test` set everything up by themselves.
.DEFAULT_GOAL := help
.PHONY: help reproduce test test-long fuzz python python-reference wasm web build bench bench-python bench-wasm benchmark-page comparison growth scale directed defaults gallery notebooks install debian release reproducible calibrate search format formatted formatted-c lint-web tidy clean

jobs := $(shell nproc 2> /dev/null || echo 2)
farsight := build/release/farsight
sources := git ls-files -co --exclude-standard # new files as well

help: ## say what there is
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20

build: ## build the command, build/release/farsight
	@scripts/setup build
	@echo "Building $(farsight) (a minute or two; build/release.log shows the progress) ..."
	@cmake --preset release > /dev/null
	@cmake --build --preset release -j $(jobs) --target farsight > build/release.log 2>&1 || { cat build/release.log; exit 1; }

reproduce: build ## the paper's Tables 1 and 2, ours beside the paper's
	@$(farsight) reproduce

test: ## every test: units, oracle, golden hashes, sanitizers, fuzzing, installation, Python
	@scripts/setup test
	@scripts/test

test-long: ## the deeper forms: whole analysis, long fuzzing, faults, 1,000 kills, other processors, packages, mutants (hours)
	@scripts/setup test
	@scripts/test long

fuzz: ## fuzz everything that reads foreign bytes, ten minutes a target (FUZZ='--total 600'; docs/fuzzing.md)
	@scripts/setup test
	@scripts/fuzz --build $(or $(FUZZ),--seconds 600)

python: ## build the Python package: build/dist-release/farsight_rl-*.whl
	@scripts/setup python
	@mkdir -p build && rm -rf build/dist-release
	@[ -x build/pip/bin/python ] || python3 -m venv build/pip # a Python of Debian has no pip of its own
	@build/pip/bin/python -m pip wheel -q --no-deps -w build/dist-release .
	@ls build/dist-release/*.whl

wasm: ## build the library for pages: build/wasm/farsight.wasm, and print its size
	@scripts/setup wasm
	@cmake --preset wasm > /dev/null
	@cmake --build --preset wasm -j $(jobs) > build/wasm.log 2>&1 || { cat build/wasm.log; exit 1; }
	@node ports/wasm/measure.mjs build/wasm/farsight.wasm

web: wasm ## build the playground: build/web/index.html, one file that any browser opens
	@scripts/setup web
	@scripts/build-web
	@scripts/install-page build/web/index.html build/release/install_manifest.txt

python-reference: python ## write the reference of the Python package from its docstrings: build/python-api.md
	@build/pip/bin/python -m pip install -q --force-reinstall "$$(ls build/dist-release/*.whl)[gymnasium]"
	@build/pip/bin/python scripts/python-reference build/python-api.md

bench: build ## nanoseconds a step on this machine
	@cmake --build --preset release -j $(jobs) --target farsight-bench > /dev/null
	@$(farsight)-bench

bench-python: build ## the Python package's speed beside Gymnasium, the command and other packages
	@scripts/bench-python

bench-wasm: build wasm ## steps a second of build/wasm/farsight.wasm in Node beside the command
	@node ports/wasm/measure.mjs build/wasm/farsight.wasm $(farsight)

benchmark-page: build ## write the tables of docs/benchmark.md again: all agents on the suite (long; it resumes)
	@studies/benchmark-page --farsight $(farsight)

comparison: build ## write docs/comparison.md again: all agents on the standard problems (minutes)
	@studies/comparison $(farsight)

growth: build ## the studies of docs/growth.md and its figure again (minutes)
	@studies/growth $(farsight)

scale: build ## write the tables and figures of docs/scale.md again: cost by size (6 minutes; SCALE='--memory 12')
	@cmake --build --preset release -j $(jobs) --target farsight-bench > /dev/null
	@studies/scale-page $(farsight) $(SCALE)

directed: build ## the study of docs/directed.md and its tables again (20 minutes; resumes if stopped)
	@studies/directed-study $(farsight)

defaults: build ## the search of every agent's defaults, docs/defaults.md (an hour; resumes if stopped)
	@studies/defaults-study $(farsight)

gallery: build ## draw the figures of README and docs/gallery.md again
	@studies/gallery $(farsight)

notebooks: ## execute docs/notebooks and write them again, with their outputs
	@scripts/setup build
	@scripts/test-python wheel notebooks

search: build ## search 15 readings of the program behind the paper's tables (minutes; resumes if stopped)
	@studies/calibrate $(farsight) search-readings

calibrate: build ## search the parameters of `make reproduce` again (about an hour; can be stopped and goes on)
	@cmake --build --preset release -j $(jobs) --target mechanism > /dev/null
	@studies/calibrate $(farsight)

install: build ## install command, library and manual page (PREFIX=/usr/local)
	@cmake --build --preset release -j $(jobs) > /dev/null
	@cmake --install build/release $(if $(PREFIX),--prefix $(PREFIX))

debian: ## build, lint and try the packages for Debian, build/debian (long)
	@scripts/package-debian

release: ## make all files of a release and check each, build/release-VERSION (long; docs/releasing.md)
	@scripts/release $$(scripts/version)

reproducible: ## build all files of a release twice and compare their bytes (an hour)
	@scripts/reproducible

format: ## format the sources
	@$(sources) '*.c' '*.h' | xargs clang-format -i
	@scripts/format-web

formatted: formatted-c ## check that the sources are formatted
	@scripts/format-web check

formatted-c:
	@$(sources) '*.c' '*.h' | xargs clang-format --dry-run -Werror

# The analyzer follows every path through every call that it can, which takes most of the time: DEPTH=deep alone runs it.
shallow := -checks=-clang-analyzer-*

lint-web: web ## run ESLint
	@scripts/lint-web

tidy: ## run clang-tidy (make tidy DEPTH=deep: with the analyzer)
	@cmake --preset release > /dev/null
	@$(sources) 'src/*.c' ':!src/run/gpu' 'cli/*.c' 'bench/*.c' 'studies/*.c' | xargs -P $(jobs) -n 4 \
	  clang-tidy -quiet -p build/release $(if $(filter deep,$(DEPTH)),,'$(shallow)')

clean: ## remove everything built
	@rm -rf build
