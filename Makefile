# headrace. `make help` lists the targets; the work is done by the scripts in setup/.
#
# Variables: ARGS="..." options for `headrace bench`; PYTHON=... the Python to use;
# GFORTRAN=... and FLANG=... the compilers of `make build`, `make test` and `make testall`.

.DEFAULT_GOAL := help
.PHONY: help setup bench build test testall gate testdebian13 testfilesystems lint adios2 wheel doc clean
export PYTHON GFORTRAN FLANG

help: ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 20

setup: ## install what is missing and the headrace command, into .venv
	@sh setup/system.sh $(if $(filter bench,$(MAKECMDGOALS)),bench,setup)
	@sh setup/venv.sh
	@$(if $(filter setup,$(MAKECMDGOALS)),echo "headrace: ready: .venv/bin/headrace --help",:)

bench: setup ## set up, then measure: leaves headrace-report.html
	.venv/bin/headrace bench $(ARGS)

build: ## set up, then build the library and its tests, once a Fortran compiler
	@sh setup/system.sh build
	@sh setup/test.sh build-gfortran build-flang

test: ## set up, then test every feature once, with gfortran and Open MPI: minutes
	@sh setup/system.sh test
	@sh setup/test.sh quick

testall: ## set up, then run all tests in their long form, with all compilers, MPIs and linters: needs 12 GiB and an hour
	@sh setup/system.sh testall
	@sh setup/test.sh everything

gate: ## what .ci/run does: make test, all linters, and what make testall has for the files that changed
	@sh setup/system.sh test
	@sh setup/test.sh gate

testdebian13: ## the same on Debian 13, in a chroot: needs root and debootstrap
	@sh setup/debian13.sh test

testfilesystems: ## run headrace on GlusterFS, xfs, btrfs and a file system that fails: needs root
	@[ "$$(id -u)" -eq 0 ] || { echo "headrace: only root can mount file systems: sudo make testfilesystems" >&2; exit 2; }
	@sh setup/system.sh testfilesystems
	@sh setup/venv.sh test
	cd test && ../.venv/bin/python -m filesystems $(ARGS)
	cd test && ../.venv/bin/python -m filesystems.advised $(ADVISED)

lint: ## set up, then run the linters only
	@sh setup/system.sh lint
	@sh setup/venv.sh lint
	@sh setup/test.sh lint

adios2: ## build ADIOS2 with Open MPI, once, so that its format is tested: takes minutes
	@sh setup/system.sh adios2
	@sh setup/venv.sh
	@sh setup/adios2.sh

wheel: ## build a wheel for other machines into dist/, named manylinux by auditwheel
	@sh setup/system.sh wheel
	@sh setup/venv.sh
	@sh setup/wheel.sh

doc: ## build the documentation into doc/_build/html
	@sh setup/system.sh doc
	@sh setup/venv.sh doc
	@sh setup/doc.sh

clean: ## remove what these targets made: build/, dist/, .venv/, doc/_build/
	rm -rf build dist .venv doc/_build
