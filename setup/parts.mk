# What `make test` consists of, and what each part waits for; setup/test.sh has the parts themselves.
#
# One build after the other: the first compiles what others take from ccache, and each uses every core.
# Tests run beside the next build, and fill its gaps. What takes longest comes first.
parts = build-gfortran package build-openmpi build-mpich pytest test-openmpi test-mpich build-sanitize \
        test-sanitize test-gfortran build-flang test-flang doc lint packages python
.PHONY: all $(parts)
all: $(parts)

packages: python
build-gfortran: python
package: packages build-gfortran
build-openmpi: build-gfortran
build-mpich: build-openmpi
build-sanitize: build-mpich
build-flang: build-sanitize
test-gfortran test-openmpi test-mpich test-sanitize test-flang: test-%: package build-%
pytest: package build-openmpi build-mpich
lint doc: package

$(parts):
	@sh setup/test.sh part $@
