#!/bin/sh
# Builds the fuzz targets with Clang and runs each: sh test/fuzz/run.sh [seconds per target] [target...]
#
# Ends with a table. New inputs and crashes stay in build/fuzz/found/<target>; a crash, once fixed,
# belongs into test/fuzz/corpus/<target> under a name that says what it is: every test run repeats it.
# CXX: the Clang to use. NICE: niceness of the runs (default 10).
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift

find_clang() {
  for compiler in ${CXX:+"$CXX"} clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14; do
    if command -v "$compiler" >/dev/null && "$compiler" --version | grep -q clang; then
      command -v "$compiler"
      return
    fi
  done
  echo "run.sh: no clang++ here (Debian: apt install clang libclang-rt-dev)" >&2
  exit 2
}
# stat <name> <log>: one of libFuzzer's final statistics
stat() { sed -n "s/^stat::$1: *//p" "$2" | tail -n 1; }
# The coverage counters are in the last progress line.
coverage() { sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$1" | tail -n 1; }

clang=$(find_clang)
build=build/fuzz
mkdir -p $build
cmake -S . -B $build -G Ninja -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_C_COMPILER="${clang%++*}${clang##*++}" \
  -DHEADRACE_FORTRAN=OFF -DHEADRACE_FUZZ=ON -DHEADRACE_BUILD_TESTS=ON >$build.log 2>&1 || {
  cat $build.log
  exit 2
}
cmake --build $build || exit 2

# shellcheck disable=SC2046  # no target has a blank in its name
[ $# -gt 0 ] || set -- $(ls test/fuzz/corpus)
finds=0
table=$build/table.txt
printf '%-15s %10s %12s %10s %9s %6s\n' target "seconds" executions "per s" coverage finds >$table
for target; do
  found=$build/found/$target
  log=$build/$target.log
  mkdir -p "$found/corpus"
  before=$(find "$found" -maxdepth 1 -type f | wc -l)
  started=$(date +%s)
  nice -n "${NICE:-10}" "$build/test/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=2000 -print_final_stats=1 -artifact_prefix="$found/" \
    "$found/corpus" "test/fuzz/corpus/$target" >"$log" 2>&1 || :
  elapsed=$(($(date +%s) - started))
  new=$(($(find "$found" -maxdepth 1 -type f | wc -l) - before))
  finds=$((finds + new))
  printf '%-15s %10s %12s %10s %9s %6s\n' "$target" "$elapsed" "$(stat number_of_executed_units "$log")" \
    "$(stat average_exec_per_sec "$log")" "$(coverage "$log")" "$new" >>$table
done
cat $table
[ $finds -eq 0 ]
