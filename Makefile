# headrace. `make help` lists the targets; the work is done by the scripts in setup/.
#
# Variables: ARGS="..." options for `headrace bench`; PYTHON=... the Python to use;
# GFORTRAN=... and FLANG=... the compilers of `make build` and `make test`.

.DEFAULT_GOAL := help
.PHONY: help setup bench build test testdebian13 lint adios2 doc clean
export PYTHON GFORTRAN FLANG

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

setup: ## install what is missing and the headrace command, into .venv
	@sh setup/system.sh bench
	@sh setup/venv.sh
	@$(if $(filter setup,$(MAKECMDGOALS)),echo "headrace: ready: .venv/bin/headrace --help",:)

bench: setup ## set up, then measure: leaves headrace-report.html
	.venv/bin/headrace bench $(ARGS)

build: ## set up, then build the library and its tests, once a Fortran compiler
	@sh setup/system.sh test
	@sh setup/test.sh build

test: ## set up, then run every test and linter, and build the documentation
	@sh setup/system.sh test
	@sh setup/test.sh venv sanitize build ctest mpi pytest lint doc

testdebian13: ## the same on Debian 13, in a chroot: needs root and debootstrap
	@sh setup/debian13.sh test

lint: ## set up, then run the linters only
	@sh setup/system.sh lint
	@sh setup/venv.sh lint
	@sh setup/test.sh lint

adios2: ## build ADIOS2 with Open MPI, once, so that its format is tested: takes minutes
	@sh setup/system.sh test
	@sh setup/venv.sh
	@sh setup/adios2.sh

doc: ## build the documentation into doc/_build/html
	@sh setup/system.sh lint
	@sh setup/venv.sh doc
	@sh setup/doc.sh

clean: ## remove what these targets made: build/, .venv/, doc/_build/
	rm -rf build .venv doc/_build
