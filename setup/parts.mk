# What `make test` consists of, and what each part waits for; setup/test.sh has the parts themselves.
#
# One build after the other: the first compiles what others take from ccache, and each uses every core. Beside them
# run tests that only need a processor. MPI ranks wait for each other all the time: beside anything else that takes
# minutes instead of seconds, so Open MPI's tests have the machine for themselves. What takes longest comes last,
# where nothing else can wait for it, with all that may run beside it.
parts = build-gfortran package build-openmpi build-mpich build-flang build-sanitize test-openmpi pytest test-mpich \
        test-sanitize test-gfortran test-flang doc lint packages python
.PHONY: all $(parts)
all: $(parts)

packages: python
build-gfortran: python
package: packages build-gfortran
build-openmpi: build-gfortran
build-mpich: build-openmpi
build-flang: build-mpich
build-sanitize: build-flang
test-gfortran test-openmpi test-mpich test-sanitize test-flang: test-%: package build-%
lint doc: package
test-openmpi: build-sanitize test-gfortran test-flang lint doc
test-mpich test-sanitize pytest: test-openmpi

$(parts):
	@sh setup/test.sh part $@
