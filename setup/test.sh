#!/bin/sh
# Builds and tests: sh setup/test.sh quick|gate|everything, or some of the parts of setup/parts.mk by name.
#
# quick: `make test`. gate: quick, all linters, and the parts for what has changed (.ci/run). everything: `make testall`, the long
# form of all tests; a run that was stopped goes on with the parts that have not passed for the same files.
# Every part leaves its results in a folder below build/test or build/testall; summary.py counts them and decides.
. setup/common.sh
unset MAKEFLAGS MFLAGS MAKELEVEL # of the `make` that began this
results=${HEADRACE_TEST_RESULTS:-build/test}
# numpy's threads turn round for a while after each call, in thousands of short processes that need none.
export OPENBLAS_NUM_THREADS=1
longest_test=300 # seconds

# record <check> passed|failed|skipped <reason or log>
record() { printf '%s\t%s\t%s\n' "$1" "$2" "${3:-}" >>"$folder/checks.tsv"; }

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

# suite <name> <command...>: run tests that write <name>.xml, and record what that file does not say.
suite() {
  suite_name=$1 suite_code=0
  shift
  logged "$suite_name" "$suite_name" "$@" || suite_code=$?
  if [ ! -s "$folder/$suite_name.xml" ]; then
    record "$suite_name" failed "it left no results (exit code $suite_code), see $logs/$suite_name.log"
  elif [ "$suite_code" -ne 0 ]; then
    grep -qE '<(failure|error)' "$folder/$suite_name.xml" || record "$suite_name" failed "exit code $suite_code"
    grep -vE '^ +Start +[0-9]+: | Passed +[0-9.]+ sec$' "$logs/$suite_name.log" | tail -n 300
  fi
}

test_python() { if [ -x .venv/bin/python ]; then echo "$PWD/.venv/bin/python"; else find_python; fi; }
# left_out <suite>: which tests of it `make test` leaves out, as the suite's own pattern.
left_out() { "$(find_python)" setup/left_out.py "$1"; }

# cmake_build <folder below build> <options of CMake...>
cmake_build() {
  built=build/$1
  # Hundreds of programs are linked: in a third of the time, and half of that is copying lines for debuggers. Only
  # traces of sanitizers are read that name them.
  linker="${LDFLAGS:-}"
  if have ld.gold; then linker="$linker -fuse-ld=gold"; fi
  if [ "$1" != sanitize ]; then linker="$linker -Wl,-S"; fi
  shift
  quick=OFF run_library=""
  # The package builds what is preloaded into programs, after the build of `quick`.
  if [ "$form" = quick ]; then quick=ON; else run_library=$(find "$PWD/build/wheel" -name libheadrace_run.so 2>/dev/null | head -n 1); fi
  cmake -S . -B "$built" -G Ninja -DCMAKE_BUILD_TYPE="$build_type" \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$build_flags" -DCMAKE_C_FLAGS_RELWITHDEBINFO="$build_flags" \
    -DCMAKE_EXE_LINKER_FLAGS="$linker" -DHEADRACE_BUILD_TESTS=ON -DHEADRACE_UNITY="$unity" -DHEADRACE_TRACE=OFF \
    -DHEADRACE_TEST_QUICK=$quick -DHEADRACE_TEST_RUN_LIBRARY="$run_library" -DHEADRACE_TEST_SECONDS="$longest_test" -DPython3_EXECUTABLE="$(test_python)" "$@" &&
    nice -n 5 cmake --build "$built" --parallel "$(nproc)"
}

# run_ctest <folder below build> <name of the results> <options of CTest...>: of the first builds the parts quick and rest.
run_ctest() {
  built=build/$1 suite_file=$2
  shift 2
  case $form:$suite_file in
  quick:*) set -- -E "$(left_out ctest)" "$@" ;;
  rest:ctest-gfortran | rest:ctest-openmpi) set -- -R "$(left_out ctest)" "$@" ;;
  esac
  suite "$suite_file" ctest --test-dir "$built" --output-on-failure --no-tests=error -j "$(nproc)" \
    --timeout "$longest_test" --output-junit "$PWD/$folder/$suite_file.xml" "$@"
}

# gtests <folder below build> <name of the results>: the GoogleTest programs of a build, a process for each
# core. CTest starts one for each test, which costs more than most tests do, with sanitizers above all.
gtests() {
  shards=$(nproc) running=""
  if [ "$form:$2" = rest:gfortran ]; then shards=1; fi
  for program in kernels/kernel_tests fuzz/fuzz_corpus_tests writing/writing_tests reading/reading_tests; do
    [ -x "build/$1/test/$program" ] || continue # without GoogleTest there is none
    name=${program#*/} filter=*
    case $form:$2 in
    quick:*) filter=-$(left_out "$name") ;;
    rest:gfortran)
      filter=$(left_out "$name")
      [ -n "$filter" ] || continue
      ;;
    esac
    shard=0
    while [ "$shard" -lt "$shards" ]; do
      xml=$2-$name-$shard
      suite "$xml" env GTEST_TOTAL_SHARDS="$shards" GTEST_SHARD_INDEX="$shard" GTEST_BRIEF=1 \
        timeout "$((2 * longest_test))" "build/$1/test/$program" --gtest_filter="$filter" \
        --gtest_output="xml:$PWD/$folder/$xml.xml" &
      running="$running $!"
      shard=$((shard + 1))
    done
  done
  for process in $running; do wait "$process"; done
}

# build_library <gfortran|flang> <path of the compiler, or nothing>
build_library() {
  if [ -z "$2" ]; then
    record "build with $1" skipped "no $1 that is new enough on this machine"
    return 1
  fi
  # The kernels are the same whatever the Fortran compiler: the first build tests them.
  if [ "$1" = flang ] && [ -d build/gfortran/test/kernels ]; then kernels=OFF; else kernels=ON; fi
  check "build with $1 ($("$2" --version | sed -n 1p))" "build-$1" \
    cmake_build "$1" -DCMAKE_Fortran_COMPILER="$2" -DHEADRACE_TEST_KERNELS="$kernels" \
    -DHEADRACE_TEST_PART_BUILD="$PWD/build/part-$1"
}
test_library() {
  run_ctest "$1" "ctest-$1" -LE in_shards
  gtests "$1" "$1"
}

# build_parallel <openmpi|mpich>: the parallel library and its tests; the rest is tested without MPI.
# Debian gives the programs of each MPI its name; elsewhere name them with MPICXX_... and MPIEXEC_...
build_parallel() {
  case $1 in
  openmpi) wrapper=${MPICXX_OPENMPI:-mpicxx.openmpi} launcher=${MPIEXEC_OPENMPI:-mpirun.openmpi} ;;
  mpich) wrapper=${MPICXX_MPICH:-mpicxx.mpich} launcher=${MPIEXEC_MPICH:-mpirun.mpich} ;;
  esac
  compiler=$(find_gfortran)
  [ -n "$compiler" ] || compiler=$(find_flang)
  if ! have "$wrapper" || ! have "$launcher"; then
    record "build with $1" skipped "no $wrapper and $launcher on this machine"
    return 1
  fi
  again=OFF # of two MPIs the second has the tests in which that matters
  if [ "$1" = mpich ] && [ "$form" != all ] && [ -d build/mpi-openmpi ]; then again=ON; fi
  check "build with $1" "build-$1" \
    cmake_build "mpi-$1" -DHEADRACE_TEST_MPI_AGAIN="$again" -DHEADRACE_MPI=ON -DHEADRACE_TEST_MPI_ONLY=ON \
    -DMPI_CXX_COMPILER="$(command -v "$wrapper")" -DMPIEXEC_EXECUTABLE="$(command -v "$launcher")" \
    -DCMAKE_Fortran_COMPILER="$compiler"
}
# A test of MPI counts as two, and its ranks sleep while they wait.
test_parallel() { run_ctest "mpi-$1" "ctest-$1" -L mpi -j "$((2 * $(nproc) + 1))"; }

# sanitized: the kernels and the C interface; no Fortran run time is made for sanitizers.
has_sanitizers() {
  echo 'int main() {}' | "${CXX:-c++}" -fsanitize=address,undefined -x c++ - -o "$logs/sanitizer-probe" 2>/dev/null &&
    "$logs/sanitizer-probe"
}
sanitized() {
  if ! has_sanitizers; then
    record "build with sanitizers" skipped "${CXX:-c++} has no sanitizers here"
    return
  fi
  check "build with sanitizers" build-sanitize cmake_build sanitize -DHEADRACE_FORTRAN=OFF -DHEADRACE_SANITIZE=ON || return 0
  run_ctest sanitize ctest-sanitize -R '^kernels[.]Disk$' # needs a library preloaded
  gtests sanitize sanitize
  if [ "$form" != all ]; then return; fi
  if have "${CXX_FUZZ:=clang++}"; then
    check "fuzzing of statements" fuzz-statements \
      env CXX="$CXX_FUZZ" sh test/fuzz/run.sh 60 write_statements read_statements format_statements || :
  else
    record "fuzzing of statements" skipped "no clang++ on this machine"
  fi
}

cxx_sources() { find include intercept src mpi test -name '*.cpp' -o -name '*.hpp' -o -name '*.c' -o -name '*.h' 2>/dev/null; }
fortran_folders() { for place in src mpi bench example test; do [ -d "$place" ] && echo "$place"; done; }
bin=.venv/bin
python_places="python test/python test/corpus test/filesystems test/guides setup doc packaging"

# shellcheck disable=SC2046,SC2086  # no file of this repository has a blank in its name
all_linters() {
  check "ruff check" ruff $bin/ruff check $python_places || :
  check "mypy" mypy $bin/mypy || :
  check "fortitude check" fortitude $bin/fortitude check $(fortran_folders) || :
  check "clang-format" clang-format $bin/clang-format --dry-run --Werror $(cxx_sources) || :
}

# changed_files: those that differ from the branch this one follows, or without one from the last commit.
changed_files() {
  since=$(git merge-base HEAD '@{upstream}' 2>/dev/null || git rev-parse HEAD)
  { git diff --name-only --diff-filter=d "$since" && git ls-files --others --exclude-standard; } | sort -u
}
# changed <pattern of paths> <name> <command...>: the linter on the files that have changed.
changed() {
  files=$(changed_files | grep -E "$1" || :)
  linter=$2
  shift 2
  # shellcheck disable=SC2086
  if [ -n "$files" ]; then check "$linter on changed files" "${linter%% *}" "$@" $files || :; fi
}
changed_linters() {
  if ! git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    all_linters
    return
  fi
  places=$(printf '%s' "$python_places" | tr ' ' '|')
  changed "^($places)/.*[.]py$" "ruff check" $bin/ruff check
  changed '^python/.*[.]py$' mypy sh -c "$bin/mypy" # the package as a whole: types go from file to file
  changed '^(src|mpi|bench|example|test)/.*[.](f90|F90)$' "fortitude check" $bin/fortitude check
  changed '^(include|intercept|src|mpi|test)/.*[.](cpp|hpp|c|h)$' clang-format $bin/clang-format --dry-run --Werror
}

# Most tests wait for one command at a time: a process for each core and one more, since some wait for Slurm and MPI.
# The tests of a file stay together, because they share what takes long.
run_pytest() {
  suite pytest .venv/bin/python -m pytest -n "$(($(nproc) + 1))" --dist loadfile --durations=30 \
    --timeout "$((2 * longest_test))" --junitxml="$folder/pytest.xml"
}

# run_part <name>: after the form, what it is.
run_part() {
  case $1 in
  python | packages | package)
    sh setup/venv.sh test,lint,doc "$1" || {
      record "$1" failed "the package is not installed: see $logs"
      return 2 # nothing else can be done
    }
    ;;
  build-gfortran) build_library gfortran "$(find_gfortran)" && touch "$results/built-gfortran" || : ;;
  build-flang) build_library flang "$(find_flang)" || : ;;
  build-openmpi) build_parallel openmpi && touch "$results/built-openmpi" || : ;;
  test-gfortran) [ ! -e "$results/built-gfortran" ] || test_library gfortran ;; # why it was not built is recorded
  test-openmpi) [ ! -e "$results/built-openmpi" ] || test_parallel openmpi ;;
  *-gfortran) build_library gfortran "$(find_gfortran)" && test_library gfortran || : ;;
  *-flang) build_library flang "$(find_flang)" && test_library flang || : ;;
  *-openmpi | *-mpich) build_parallel "${1#*-}" && test_parallel "${1#*-}" || : ;;
  *-sanitize) sanitized ;;
  adios2) check "ADIOS2" adios2 sh setup/adios2.sh || : ;;
  pytest | *-pytest) run_pytest ;;
  lint) all_linters ;;
  lint-changed) changed_linters ;;
  doc) check "documentation without warnings" doc sh setup/doc.sh || : ;;
  *)
    say "no part is called $1; they are in setup/parts.mk" >&2
    return 2
    ;;
  esac
}

# part <name>: from when to when it ran, and the processor time of it go to its file `times`.
part() {
  folder=$results/$1
  rm -rf "$folder"
  mkdir -p "$folder"
  # What is tested: quick, without what test/testall_only.txt names; rest, that and other builds; all, in the long form.
  case $1 in
  rest-*) form=rest ;;
  all-*)
    form=all longest_test=7200
    export HEADRACE_TEST_LONG=1 HEADRACE_TEST_BIG=1
    case $1 in all-gfortran | all-openmpi) unity=OFF ;; esac # finds headers that are not included
    ;;
  *) form=quick ;;
  esac
  export HEADRACE_TEST_FORM="$form"
  began=$(date +%s)
  run_part "$1" || return
  { echo "$began $(date +%s)" && times; } >"$folder/times"
}

list() { sed -n "s/^$1 = //p" setup/parts.mk; }
summary() { "$(find_python)" setup/summary.py "$1" .ci/allowed-skips.txt; }

# The files of this checkout as they are, committed or not: a hash.
files_now() {
  if git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    index=$(mktemp)
    cp "$(git rev-parse --git-path index)" "$index"
    GIT_INDEX_FILE=$index git add -A . ':!.ci/tested-all'
    GIT_INDEX_FILE=$index git rm -q --cached --ignore-unmatch .ci/tested-all
    GIT_INDEX_FILE=$index git write-tree
    rm -f "$index"
  else
    find . -type f ! -path './build/*' ! -path './.venv/*' ! -path './doc/_build/*' | LC_ALL=C sort | xargs cksum | cksum
  fi
}

# everything: the parts that have not passed for these files yet, then the summary of all.
everything() {
  results=build/testall
  export HEADRACE_TEST_RESULTS=$results
  if [ "$(cat $results/files 2>/dev/null)" != "$(files_now)" ]; then rm -rf $results; fi
  mkdir -p $results
  files_now >$results/files
  for name in python packages package $(list everything); do
    if [ -e "$results/$name/passed" ]; then
      say "$name has passed for these files already"
      continue
    fi
    sh setup/test.sh part "$name" || break
    if summary "$results/$name" >"$logs/summary-$name.log"; then touch "$results/$name/passed"; fi
  done
  summary $results || return
  sh setup/tested.sh write
}

if [ "${1:-}" = part ]; then
  part "$2"
  exit
fi
if [ "${1:-}" = everything ]; then
  everything
  exit
fi
rm -rf "$results"
mkdir -p "$results"
case ${1:-} in
quick | gate)
  # Three at once: a build, its predecessor's tests, and tests that mostly wait.
  make --no-print-directory -j 3 -f setup/parts.mk quick || touch "$results/ended-early"
  if [ "$1" = gate ]; then
    for name in lint $(sh setup/tested.sh parts); do sh setup/test.sh part "$name" || touch "$results/ended-early"; done
  fi
  ;;
*) for name in "$@"; do sh setup/test.sh part "$name" || exit; done ;;
esac
summary "$results"
