#!/bin/sh
# Builds libgfortran.so.5 of an older gfortran, for the tests of `headrace run`: sh setup/libgfortran.sh 11
#
# Debian gives the run time of its newest gfortran to all others. The source is that of Debian's gcc-11-source; this
# needs root if that, gcc-11 or gfortran-11 is not installed, and takes some minutes.
. setup/common.sh
version=${1:-11}
build=$PWD/build/libgfortran-$version
export CC="gcc-$version" GFORTRAN="gfortran-$version" CFLAGS='-O2 -g' FCFLAGS='-O2 -g'

archive() { find "/usr/src/gcc-$version" -name 'gcc-*.tar.xz' 2>/dev/null; }
if ! have "$CC" || ! have "$GFORTRAN" || [ -z "$(archive)" ]; then
  logged apt "installing $CC, $GFORTRAN and $CC-source" \
    apt-get install -y --no-install-recommends "$CC" "$GFORTRAN" "$CC-source"
fi
rm -rf "$build"
mkdir -p "$build/source" "$build/gcc" "$build/target/libgcc" "$build/run-time"
tar -xf "$(archive)" --strip-components=1 -C "$build/source"
# Of libgcc it needs no more than which threads there are.
ln -s "$build/source/libgcc/gthr-posix.h" "$build/target/libgcc/gthr-default.h"

make_part() (
  mkdir "$build/target/$1"
  cd "$build/target/$1" || exit
  "$build/source/$1/configure" --disable-multilib --enable-host-shared --prefix="$build/installed"
  make -j "$(nproc)"
)
# Beside each other, as a whole build of GCC has them.
for part in libbacktrace libquadmath libgfortran; do
  logged "libgfortran-$part" "building $part of gcc $version" make_part "$part"
done
cp "$build/target/libgfortran/.libs/libgfortran.so.5" "$build/run-time"
say "ready: HEADRACE_TEST_GFORTRAN_RUNTIME=$build/run-time HEADRACE_TEST_GFORTRAN=$GFORTRAN"
