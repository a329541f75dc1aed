#!/bin/sh
# Builds ADIOS2 with Open MPI, once, into $HEADRACE_CACHE (~/.cache/headrace): sh setup/adios2.sh
#
# No distribution has ADIOS2 with MPI; PyPI has its sources. Only what our tests use is built: the C
# interface with the BP formats. cmake/Parallel.cmake finds it there, under a name without a version.
. setup/common.sh
version=2.12.1.1001
cache=${HEADRACE_CACHE:-$HOME/.cache/headrace}
name=adios2-openmpi

if [ -e "$cache/$name/include/adios2_c.h" ]; then
  say "ADIOS2 is in $cache/$name already; remove that to build it again"
  exit 0
fi
for tool in cmake ninja mpicc.openmpi mpicxx.openmpi .venv/bin/python; do
  have "$tool" || {
    say "$tool is missing: \`make adios2\` installs it (Debian: cmake ninja-build libopenmpi-dev)" >&2
    exit 2
  }
done

mkdir -p "$cache"
work=$(mktemp -d "$cache/.building-adios2-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

download() {
  .venv/bin/python -m pip --disable-pip-version-check --no-input download --no-deps --no-build-isolation \
    --no-binary :all: --dest "$work" "adios2==$version" &&
    tar -xzf "$work/adios2-$version.tar.gz" -C "$work"
}
configure() {
  off=""
  for part in BigWhoop Blosc2 BZip2 Caliper ZFP SZ SZ3 LIBPRESSIO MGARD PRODM PNG DAOS DataMan DataSpaces MHS \
    SST ZeroMQ HDF5 HDF5_VOL IME Python Fortran UCX Sodium Catalyst Campaign OpenSSL XRootD CURL; do
    off="$off -DADIOS2_USE_$part=OFF"
  done
  # shellcheck disable=SC2086  # one word an option
  cmake -S "$work/adios2-$version" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_INSTALL_PREFIX="$cache/$name-$version" -DBUILD_TESTING=OFF -DADIOS2_BUILD_EXAMPLES=OFF \
    -DADIOS2_USE_MPI=ON -DMPI_C_COMPILER=mpicc.openmpi -DMPI_CXX_COMPILER=mpicxx.openmpi $off
}

logged adios2-download "fetching the sources of ADIOS2 $version from PyPI" download
logged adios2-configure "configuring ADIOS2" configure
logged adios2-build "building ADIOS2 (minutes)" cmake --build "$work/build"
rm -rf "$cache/$name-$version" # what a run left that was stopped
logged adios2-install "installing ADIOS2" cmake --install "$work/build"
ln -sfn "$name-$version" "$cache/$name"
say "ADIOS2 $version is in $cache/$name; the next \`make test\` uses it"
