#!/bin/sh
# Builds and tests: sh setup/test.sh all, or some of the parts of setup/parts.mk by name.
#
# Every part leaves its results in build/test; summary.py counts them and decides.
. setup/common.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the `make` that began this
results=build/test
# numpy's threads turn round for a while after each call, in thousands of short processes that need none.
export OPENBLAS_NUM_THREADS=1
# The long form of the tests: HEADRACE_TEST_LONG and HEADRACE_TEST_BIG are set (make testlong).
longest_test=300 # seconds
if [ -n "${HEADRACE_TEST_LONG:-}" ]; then longest_test=7200; fi

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
  logged "$suite_name" "$suite_name" "$@" || suite_code=$?
  if [ ! -s "$results/$suite_name.xml" ]; then
    record "$suite_name" failed "it left no results (exit code $suite_code), see $logs/$suite_name.log"
  elif [ "$suite_code" -ne 0 ]; then
    grep -qE '<(failure|error)' "$results/$suite_name.xml" || record "$suite_name" failed "exit code $suite_code"
    grep -vE '^ +Start +[0-9]+: | Passed +[0-9.]+ sec$' "$logs/$suite_name.log" | tail -n 300
  fi
}

# cmake_build <folder below build> <options of CMake...>
cmake_build() {
  folder=build/$1
  # Hundreds of programs are linked: in a third of the time, and half of that is copying lines for debuggers. Only
  # traces of sanitizers are read that name them.
  linker="${LDFLAGS:-}"
  if have ld.gold; then linker="$linker -fuse-ld=gold"; fi
  if [ "$1" != sanitize ]; then linker="$linker -Wl,-S"; fi
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE="$build_type" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$build_flags" -DCMAKE_C_FLAGS_RELWITHDEBINFO="$build_flags" \
    -DCMAKE_EXE_LINKER_FLAGS="$linker" -DHEADRACE_BUILD_TESTS=ON -DHEADRACE_UNITY="$unity" \
    -DHEADRACE_TEST_SECONDS="$longest_test" "$@" &&
    nice -n 5 cmake --build "$folder" --parallel "$(nproc)"
}
test_python() { if [ -x .venv/bin/python ]; then echo "$PWD/.venv/bin/python"; else find_python; fi; }

# run_ctest <folder below build> <name of the results> <options of CTest...>
run_ctest() {
  folder=build/$1 suite_file=$2
  shift 2
  suite "$suite_file" ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)" \
    --timeout "$longest_test" --output-junit "$PWD/$results/$suite_file.xml" "$@"
}

# gtests <folder below build> <name of the results>: the GoogleTest programs of a build, a process for each
# core. CTest starts one for each test, which costs more than most tests do, with sanitizers above all.
gtests() {
  shards=$(nproc) running=""
  for program in kernels/kernel_tests fuzz/fuzz_corpus_tests; do
    shard=0
    while [ "$shard" -lt "$shards" ]; do
      xml=$2-${program#*/}-$shard
      suite "$xml" env GTEST_TOTAL_SHARDS="$shards" GTEST_SHARD_INDEX="$shard" GTEST_BRIEF=1 \
        timeout "$((2 * longest_test))" "build/$1/test/$program" --gtest_output="xml:$PWD/$results/$xml.xml" &
      running="$running $!"
      shard=$((shard + 1))
    done
  done
  for process in $running; do wait "$process"; done
}

# first_has <folder below build/gfortran>: the first build has it, whatever the compiler of Fortran and the MPI of this one.
first_has() { [ -z "${HEADRACE_TEST_LONG:-}" ] && [ -d "build/gfortran/$1" ]; }
# trace_again: what is preloaded into programs is C and knows neither; the first build and the package have it.
trace_again() { if first_has intercept; then echo OFF; else echo ON; fi; }

# library <gfortran|flang> <path of the compiler, or nothing>
library() {
  if [ -z "$2" ]; then
    record "build with $1" skipped "no $1 that is new enough on this machine"
    return
  fi
  # The kernels are the same whatever the Fortran compiler: the first build tests them.
  if [ "$1" = flang ] && [ -d build/gfortran/test/kernels ]; then kernels=OFF; else kernels=ON; fi
  trace=ON
  if [ "$1" = flang ]; then trace=$(trace_again); fi
  check "build with $1 ($("$2" --version | sed -n 1p))" "build-$1" \
    cmake_build "$1" -DHEADRACE_TRACE="$trace" -DCMAKE_Fortran_COMPILER="$2" -DPython3_EXECUTABLE="$(test_python)" \
    -DHEADRACE_TEST_KERNELS="$kernels" -DHEADRACE_TEST_PART_BUILD="$PWD/build/part-$1" && touch "$results/built-$1"
}
test_library() {
  run_ctest "$1" "ctest-$1" -LE in_shards
  # Without GoogleTest there are none.
  if [ -x "build/$1/test/kernels/kernel_tests" ]; then gtests "$1" "$1"; fi
}

# parallel <openmpi|mpich>: the parallel library and its tests; the rest is tested without MPI.
# Debian gives the programs of each MPI its name; elsewhere name them with MPICXX_... and MPIEXEC_...
parallel() {
  case $1 in
  openmpi) wrapper=${MPICXX_OPENMPI:-mpicxx.openmpi} launcher=${MPIEXEC_OPENMPI:-mpirun.openmpi} ;;
  mpich) wrapper=${MPICXX_MPICH:-mpicxx.mpich} launcher=${MPIEXEC_MPICH:-mpirun.mpich} ;;
  esac
  compiler=$(find_gfortran)
  [ -n "$compiler" ] || compiler=$(find_flang)
  if ! have "$wrapper" || ! have "$launcher"; then
    record "build with $1" skipped "no $wrapper and $launcher on this machine"
    return
  fi
  again=OFF # of two MPIs the second has the tests in which that matters
  if [ "$1" = mpich ] && [ -e "$results/built-openmpi" ] && [ -z "${HEADRACE_TEST_LONG:-}" ]; then again=ON; fi
  check "build with $1" "build-$1" \
    cmake_build "mpi-$1" -DHEADRACE_TRACE="$(trace_again)" -DHEADRACE_TEST_MPI_AGAIN="$again" -DHEADRACE_MPI=ON -DHEADRACE_TEST_MPI_ONLY=ON \
    -DMPI_CXX_COMPILER="$(command -v "$wrapper")" -DMPIEXEC_EXECUTABLE="$(command -v "$launcher")" \
    -DCMAKE_Fortran_COMPILER="$compiler" -DPython3_EXECUTABLE="$(test_python)" && touch "$results/built-$1"
}
# A test of MPI counts as two, and its ranks sleep while they wait.
test_parallel() { run_ctest "mpi-$1" "ctest-$1" -L mpi -j "$((2 * $(nproc) + 1))"; }

# sanitize: the kernels and the C interface; no Fortran run time is made for sanitizers.
has_sanitizers() {
  echo 'int main() {}' | "${CXX:-c++}" -fsanitize=address,undefined -x c++ - -o "$logs/sanitizer-probe" 2>/dev/null &&
    "$logs/sanitizer-probe"
}
sanitized() {
  if ! has_sanitizers; then
    record "build with sanitizers" skipped "${CXX:-c++} has no sanitizers here"
    return
  fi
  check "build with sanitizers" build-sanitize cmake_build sanitize -DHEADRACE_FORTRAN=OFF -DHEADRACE_SANITIZE=ON &&
    touch "$results/built-sanitize"
}
test_sanitized() {
  run_ctest sanitize ctest-sanitize -R '^kernels[.]Disk$' # needs a library preloaded
  gtests sanitize sanitize
  # The long form: the statements of headrace run, ten minutes a target.
  if [ -n "${HEADRACE_TEST_LONG:-}" ]; then
    if have "${CXX_FUZZ:=clang++}"; then
      check "fuzzing of statements" fuzz-statements \
        env CXX="$CXX_FUZZ" sh test/fuzz/run.sh 600 write_statements read_statements format_statements || :
    else
      record "fuzzing of statements" skipped "no clang++ on this machine"
    fi
  fi
}

cxx_sources() { find include intercept src mpi test -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' 2>/dev/null; }
fortran_folders() { for folder in src mpi bench example test; do [ -d "$folder" ] && echo "$folder"; done; }

run_linters() {
  bin=.venv/bin
  check "ruff check" ruff $bin/ruff check python test/python test/corpus test/filesystems test/guides setup doc packaging || :
  check "mypy" mypy $bin/mypy || :
  # shellcheck disable=SC2046  # no file of this repository has a blank in its name
  check "fortitude check" fortitude $bin/fortitude check $(fortran_folders) || :
  # shellcheck disable=SC2046
  check "clang-format" clang-format $bin/clang-format --dry-run --Werror $(cxx_sources) || :
}

# Most tests wait for one command at a time: a process for each core and one more, since some wait for Slurm and MPI.
# The tests of a file stay together, because they share what takes long.
run_pytest() {
  suite pytest .venv/bin/python -m pytest -n "$(($(nproc) + 1))" --dist loadfile --durations=30 \
    --timeout "$((2 * longest_test))" --junitxml="$results/pytest.xml"
}

# part <name>: what it is, from when to when it ran, and the processor time of it go to its .times.
part() {
  began=$(date +%s)
  case $1 in
  python | packages | package)
    sh setup/venv.sh test,lint,doc "$1" || {
      record "$1" failed "the package is not installed: see $logs"
      return 2 # nothing else can be done
    }
    ;;
  build-gfortran) library gfortran "$(find_gfortran)" || : ;;
  build-flang) library flang "$(find_flang)" || : ;;
  build-openmpi | build-mpich) parallel "${1#build-}" || : ;;
  build-sanitize) sanitized || : ;;
  test-*)
    if [ -e "$results/built-${1#test-}" ]; then # why it was not built is recorded
      case $1 in
      test-gfortran | test-flang) test_library "${1#test-}" ;;
      test-openmpi | test-mpich) test_parallel "${1#test-}" ;;
      test-sanitize) test_sanitized ;;
      esac
    fi
    ;;
  pytest) run_pytest ;;
  lint) run_linters ;;
  doc) check "documentation without warnings" doc sh setup/doc.sh || : ;;
  *)
    say "no part is called $1; they are in setup/parts.mk" >&2
    return 2
    ;;
  esac
  { echo "$began $(date +%s)" && times; } >"$results/$1.times"
}

if [ "$1" = part ]; then
  part "$2"
  exit
fi
rm -rf "$results"
mkdir -p "$results"
if [ "$1" = all ]; then
  # Three at once: a build, its predecessor's tests, and tests that mostly wait.
  make --no-print-directory -j 3 -f setup/parts.mk all || record "setup/parts.mk" failed "a part ended too early"
else
  for name in "$@"; do sh setup/test.sh part "$name" || exit; done
fi
"$(find_python)" setup/summary.py "$results" .ci/allowed-skips.txt
