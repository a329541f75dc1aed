#!/bin/sh
# Builds the library of `headrace run` with ThreadSanitizer and runs the programs with threads: sh test/run/thread_sanitizer.sh
#
# Ends with a line for each program. What was found is in build/tsan/found. It needs gcc and gfortran with libtsan, and programs that
# are built with it: only then is its pthread_create the first, and threads that it did not see begin end by SIGSEGV. OpenMP is
# harm/openmp_by_threads.c. NICE: niceness (default 10).
set -eu
cd "$(dirname "$0")/../.."
build=build/tsan
flags="-O1 -g -fsanitize=thread"
found=$PWD/$build/found
programs=$PWD/$build/programs
mkdir -p "$found" "$programs"

cmake -S . -B $build -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS=$flags" "-DCMAKE_CXX_FLAGS=$flags" -DCMAKE_C_COMPILER=gcc \
  -DCMAKE_CXX_COMPILER=g++ -DHEADRACE_FORTRAN=OFF -DHEADRACE_BUILD_TESTS=OFF >$build/configure.log 2>&1 || {
  cat $build/configure.log >&2
  exit 2
}
cmake --build $build -j2 --target headrace_run >$build/build.log 2>&1 || {
  tail -n 30 $build/build.log >&2
  exit 2
}
library=$PWD/$build/intercept/libheadrace_run.so

# without addresses that change, if that is allowed here
fixed=
if setarch -R true 2>/dev/null; then fixed="setarch -R"; fi

failed=0
# compile <program> <file...>; run <program> [argument]
compile() {
  name=$1
  shift
  objects=
  for file; do
    object=$programs/$name.$(basename "$file").o
    # shellcheck disable=SC2086  # several flags
    case $file in
    *.f90) gfortran -w $flags -fopenmp -frecursive -J "$programs" -c "$file" -o "$object" ;;
    *) gcc $flags -c "$file" -o "$object" ;;
    esac
    objects="$objects $object"
  done
  # shellcheck disable=SC2086  # names of files without blanks
  gfortran -fsanitize=thread $objects -o "$programs/$name" -lpthread
}
run() {
  name=$1${2:+-$2}
  rm -f "$found/$name".*
  work=$(mktemp -d)
  status=0
  (
    cd "$work"
    export HEADRACE_RUN=1 OMP_NUM_THREADS=4
    export TSAN_OPTIONS="exitcode=66 detect_deadlocks=0 history_size=4 log_path=$found/$name"
    # shellcheck disable=SC2086  # two words, or none
    exec nice -n "${NICE:-10}" $fixed env LD_PRELOAD="$library" "$programs/$1" ${2:+"$2"}
  ) >"$programs/$name.output" 2>&1 || status=$?
  rm -rf "$work"
  reports=$(find "$found" -name "$name.*" -exec grep -h '^SUMMARY' {} + | sort | uniq -c)
  if [ -n "$reports" ] || [ "$status" -ne 0 ]; then
    failed=$((failed + 1))
    printf '%s: exit status %s\n%s\n' "$name" "$status" "$reports"
  else
    printf '%s: no data race\n' "$name"
  fi
}

openmp=test/run/harm/openmp_by_threads.c
for file in test/run/programs/threads/*.f90; do
  program=$(basename "$file" .f90)
  compile "$program" "$file" $openmp
  run "$program"
done
compile flushing_threads test/run/harm/flushing_threads.f90 $openmp
run flushing_threads
compile waiting_threads test/run/harm/waiting_threads.f90 $openmp
for look in file unit open ftell; do run waiting_threads $look; done
compile thread_in_a_list test/run/harm/thread_in_a_list.f90 test/run/harm/thread_in_a_list.c
run thread_in_a_list
[ $failed -eq 0 ]
