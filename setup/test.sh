#!/bin/sh
# Builds and tests: sh setup/test.sh <parts>, of: build ctest sanitize pytest lint doc
#
# Every part leaves its results in build/test; summary.py counts them and decides.
. setup/common.sh
parts=" $* "
results=build/test
rm -rf "$results"
mkdir -p "$results"
wanted() { case $parts in *" $1 "*) ;; *) return 1 ;; esac }

# record <check> passed|failed|skipped <reason or log>
record() { printf '%s\t%s\t%s\n' "$1" "$2" "${3:-}" >>"$results/checks.tsv"; }

# check <name> <log> <command...>: run quietly and record whether it passed.
check() {
  check_name=$1 check_log=$2
  shift 2
  if logged "$check_log" "$check_name" "$@"; then
    record "$check_name" passed
  else
    record "$check_name" failed "see $logs/$check_log.log"
    return 1
  fi
}

# suite <name> <command...>: run tests that write $results/<name>.xml, and record what that file does not say.
suite() {
  suite_name=$1 suite_code=0
  shift
  say "$suite_name"
  "$@" </dev/null || suite_code=$?
  if [ ! -s "$results/$suite_name.xml" ]; then
    record "$suite_name" failed "it left no results (exit code $suite_code)"
  elif [ "$suite_code" -ne 0 ] && ! grep -qE '<(failure|error)' "$results/$suite_name.xml"; then
    record "$suite_name" failed "exit code $suite_code"
  fi
}

configure_and_build() {
  if [ -x .venv/bin/python ]; then python=$PWD/.venv/bin/python; else python=$(find_python); fi
  # The kernels are the same whatever the Fortran compiler: the first build tests them.
  if [ "$1" = flang ] && [ -d build/gfortran/test/kernels ]; then kernels=OFF; else kernels=ON; fi
  cmake -S . -B "build/$1" -G Ninja -DCMAKE_Fortran_COMPILER="$2" -DPython3_EXECUTABLE="$python" \
    -DHEADRACE_BUILD_TESTS=ON -DHEADRACE_TEST_KERNELS="$kernels" &&
    cmake --build "build/$1"
}

# library <gfortran|flang> <path of the compiler, or nothing>
library() {
  if [ -z "$2" ]; then
    record "build with $1" skipped "no $1 that is new enough on this machine"
    return
  fi
  check "build with $1 ($("$2" --version | sed -n 1p))" "build-$1" configure_and_build "$1" "$2" || return 0
  if ! wanted ctest; then return; fi
  suite "ctest-$1" ctest --test-dir "build/$1" --output-on-failure --no-tests=error -j "$(nproc)" \
    --timeout 300 --output-junit "$PWD/$results/ctest-$1.xml"
}

# sanitize: the kernels and the C interface; no Fortran run time is made for sanitizers.
has_sanitizers() {
  echo 'int main() {}' | "${CXX:-c++}" -fsanitize=address,undefined -x c++ - -o "$logs/sanitizer-probe" 2>/dev/null &&
    "$logs/sanitizer-probe"
}
configure_and_build_sanitized() {
  cmake -S . -B build/sanitize -G Ninja -DHEADRACE_FORTRAN=OFF -DHEADRACE_BUILD_TESTS=ON -DHEADRACE_SANITIZE=ON &&
    cmake --build build/sanitize
}
sanitize() {
  if ! has_sanitizers; then
    record "build with sanitizers" skipped "${CXX:-c++} has no sanitizers here"
    return
  fi
  check "build with sanitizers" build-sanitize configure_and_build_sanitized || return 0
  suite ctest-sanitize ctest --test-dir build/sanitize -R '^(kernels|fuzz)[.]' --output-on-failure --no-tests=error \
    -j "$(nproc)" --timeout 300 --output-junit "$PWD/$results/ctest-sanitize.xml"
}

cxx_sources() { find include src mpi test -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' 2>/dev/null; }
fortran_folders() { for folder in src mpi bench example test; do [ -d "$folder" ] && echo "$folder"; done; }

run_linters() {
  bin=.venv/bin
  check "ruff check" ruff $bin/ruff check python test/python test/corpus setup doc || :
  check "mypy" mypy $bin/mypy || :
  # shellcheck disable=SC2046  # no file of this repository has a blank in its name
  check "fortitude check" fortitude $bin/fortitude check $(fortran_folders) || :
  # shellcheck disable=SC2046
  check "clang-format" clang-format $bin/clang-format --dry-run --Werror $(cxx_sources) || :
}

if wanted build; then
  library gfortran "$(find_gfortran)"
  library flang "$(find_flang)"
fi
if wanted sanitize; then sanitize; fi
if wanted pytest; then
  # Most tests wait for one command at a time: a process for each core, which keeps the tests of a file together.
  suite pytest .venv/bin/python -m pytest -n "$(nproc)" --dist loadfile --junitxml="$results/pytest.xml"
fi
if wanted lint; then run_linters; fi
if wanted doc; then check "documentation without warnings" doc sh setup/doc.sh || :; fi

"$(find_python)" setup/summary.py "$results" .ci/allowed-skips.txt
