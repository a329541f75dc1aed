# Shared by the scripts of this folder, which run from the top of the repository.
# shellcheck shell=sh
set -eu

logs=build/setup
tell_every=20 # seconds
mkdir -p "$logs"

# Python compiles a module once, and not in each of a thousand processes, whatever the environment says: most of
# the time of a short command would be that.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX="$PWD/build/pycache"

say() { printf 'headrace: %s\n' "$*"; }

have() { command -v "$1" >/dev/null 2>&1; }

# logged <log> <text> <command...>: run quietly, with the time when it took over two seconds, and with the
# last line of the log every $tell_every seconds: nobody has to guess whether it still does something.
# A failure shows the end of the log and returns the command's exit code.
logged() {
  logged_file=$logs/$1.log logged_text=$2
  say "$logged_text ..."
  shift 2
  logged_start=$(date +%s)
  logged_code=0
  : >"$logged_file"
  tell_progress "$logged_file" "$logged_start" &
  logged_teller=$!
  "$@" >"$logged_file" 2>&1 </dev/null || logged_code=$?
  kill "$logged_teller" 2>/dev/null || true
  wait "$logged_teller" 2>/dev/null || true
  logged_seconds=$(($(date +%s) - logged_start))
  if [ "$logged_code" -ne 0 ]; then
    say "failed with exit code $logged_code: $logged_text; the end of $logged_file:" >&2
    tail -n 25 "$logged_file" | sed 's/^/  | /' >&2
  elif [ "$logged_seconds" -gt 2 ]; then
    say "  $logged_seconds s: $logged_text"
  fi
  return "$logged_code"
}

# What sleeps keeps no output of ours open: whoever reads it would wait for its end.
tell_progress() {
  while sleep "$tell_every" >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    told=$(tail -c 4000 "$1" | tr '\r' '\n' | sed '/^ *$/d' | tail -n 1 | sed 's/^ *//' | cut -c 1-80)
    say "  $(($(date +%s) - $2)) s so far${told:+: $told}"
  done
}

# The first Python that is new enough; empty when there is none.
find_python() {
  for python in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
    if have "$python" && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      command -v "$python"
      return
    fi
  done
}

# first_version <least major version> <name...>: the first program of these that is new enough.
first_version() {
  least=$1
  shift
  for compiler in "$@"; do
    have "$compiler" || continue
    major=$("$compiler" --version 2>/dev/null | sed -n '1s/.*[ )]\([0-9][0-9]*\)\.[0-9].*/\1/p')
    if [ "${major:-0}" -ge "$least" ]; then
      command -v "$compiler"
      return
    fi
  done
}

# The compilers that build the library (see cmake/FortranHeader.cmake); empty when there is none.
find_gfortran() {
  first_version 12 ${GFORTRAN:+"$GFORTRAN"} gfortran gfortran-15 gfortran-14 gfortran-13 gfortran-12
}
find_flang() {
  first_version 19 ${FLANG:+"$FLANG"} flang flang-21 flang-20 flang-19 flang-new flang-new-20 flang-new-19
}

# The compilers that `headrace bench` can measure.
any_fortran() {
  for compiler in ${FC:+"$FC"} gfortran gfortran-15 gfortran-14 gfortran-13 gfortran-12 \
    flang flang-21 flang-20 flang-19 flang-new flang-new-20 flang-new-19 \
    ifx ifort nvfortran nagfor crayftn ftn; do
    if have "$compiler"; then return 0; fi
  done
  return 1
}

# A C++ compiler that CMake finds by itself. A wrong name in CXX is a mistake that the build reports.
has_cxx() {
  if [ -n "${CXX:-}" ]; then return 0; fi
  for compiler in c++ CC g++ icpx clang++; do
    if have "$compiler"; then return 0; fi
  done
  return 1
}

# The package, its tests and the builds for each Fortran compiler compile the same C++ files in the same
# way: with ccache once is enough. Lines are named in traces, variables are not: that takes a third off.
build_type=RelWithDebInfo
build_flags='-O2 -g1 -DNDEBUG'
export SKBUILD_CMAKE_BUILD_TYPE="$build_type"
# One name for each compiler: pip would take gcc and g++ while CMake takes cc and c++, and ccache tells them apart.
if [ -z "${CC:-}" ] && have cc; then export CC=cc; fi
if [ -z "${CXX:-}" ] && have c++; then export CXX=c++; fi
# Several files at a time, if nothing is compiled yet; HEADRACE_UNITY=OFF: each alone, to work on a few.
unity=${HEADRACE_UNITY:-ON}
export CMAKE_ARGS="${CMAKE_ARGS:-} '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=$build_flags' -DHEADRACE_UNITY=$unity"
CMAKE_ARGS="$CMAKE_ARGS '-DCMAKE_C_FLAGS_RELWITHDEBINFO=$build_flags'"
if have ccache; then
  # With the compiler's own list of headers a file that is new takes no second run of the preprocessor.
  # Paths relative to the folder of a build are the same in all of them.
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache
  export CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_BASEDIR="$PWD"
fi
