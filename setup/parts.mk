# What the tests consist of, and what each part waits for; setup/test.sh has the parts themselves.
#
# make test: `quick`. make testall: `everything`, the long form of all tests. .ci/run: `quick`, all linters, and the parts
# that the table below names for each path that has changed since .ci/tested-all was written (setup/tested.sh). What is no part
# of `quick` runs in the order of its list, since each part uses every core.
#
# In `quick` one build comes after the other: the first compiles what others take from ccache, and each uses every core. MPI ranks wait
# for each other all the time: beside anything else that takes minutes instead of seconds.
quick = build-gfortran package build-openmpi test-gfortran test-openmpi pytest lint-changed
rest = rest-gfortran rest-openmpi rest-mpich rest-flang rest-sanitize rest-pytest doc
everything = adios2 all-openmpi all-gfortran all-mpich all-flang all-sanitize all-pytest lint doc
.PHONY: quick $(quick) python packages
quick: $(quick)

packages: python
build-gfortran: python
package: packages build-gfortran
build-openmpi: build-gfortran package
test-gfortran pytest: package build-gfortran
test-openmpi: build-openmpi
lint-changed: package
# Open MPI's tests have the machine for themselves; pytest takes longest, and CTest runs beside it.
test-gfortran pytest: test-openmpi

$(quick) python packages:
	@sh setup/test.sh part $@

# path: parts of `rest` that .ci/run adds; every entry of the top folder is in a line, and one that is not adds all parts.
define table
src/core src/text src/cells src/binary src/inspect src/abi: rest-gfortran rest-sanitize rest-pytest
src/headrace src/headrace.f90 src/headrace_text.f90 src/bindings: rest-gfortran rest-flang
include: rest-gfortran rest-flang rest-sanitize rest-mpich doc
mpi bench/parallel: rest-openmpi rest-mpich rest-pytest
intercept: rest-sanitize rest-flang rest-pytest
bench: rest-flang rest-pytest
python: rest-pytest doc
example doc README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md CITATION.cff: doc
cmake CMakeLists.txt setup .ci/run .ci/allowed-skips.txt Makefile: rest-gfortran rest-openmpi rest-mpich rest-flang rest-sanitize rest-pytest doc
packaging pyproject.toml fpm.toml: rest-gfortran rest-pytest doc
test/kernels test/fuzz test/interpose: rest-gfortran rest-sanitize
test/mpi test/slurm: rest-openmpi rest-mpich
test/python test/corpus test/run test/intercept test/public_codes test/filesystems: rest-pytest
test/benchmarks: rest-gfortran rest-openmpi
test/fortran test/interop test/reading test/writing test/guides test/package test/CMakeLists.txt test/testall_only.txt: rest-gfortran rest-flang
.github LICENSE .gitignore .clang-format: rest-pytest
endef
