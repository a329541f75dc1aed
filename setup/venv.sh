#!/bin/sh
# Installs the package into .venv: sh setup/venv.sh [extras of pyproject.toml [python|packages]]
#
# python: no further than to an empty .venv; packages: to all that comes from elsewhere.
#
# The install is an editable one: the command runs the sources of this checkout, bench/ among them. The
# shared library is built in build/wheel, where CMake compiles again only what has changed. Nothing is
# done when nothing has changed: the stamps in .venv hold a checksum of pyproject.toml and fpm.toml, of
# the list of the package's files, and of the library's sources.
. setup/common.sh
extras=${1:-} only=${2:-}
python=$(find_python)

# Commands in a venv hold its path: one that was copied or moved is of no use.
if [ -d .venv ] && ! grep -qs "$(pwd -P)/.venv/bin/python" .venv/bin/pip; then rm -rf .venv; fi
if ! .venv/bin/python -c '' 2>/dev/null; then
  rm -rf .venv
  logged venv "making .venv with $("$python" --version)" "$python" -m venv .venv
fi
if [ "$only" = python ]; then exit 0; fi

stamps=.venv/stamps
mkdir -p "$stamps"
needed=$(cat pyproject.toml fpm.toml | cksum)
files=$(find python -type f ! -name '*.pyc' | LC_ALL=C sort | cksum)
library=$(find CMakeLists.txt cmake include intercept src -type f | LC_ALL=C sort | xargs cksum | cksum)
# Only where no compiler could build the library the package does without: an error of a compiler is an error here.
without=""
case ${HEADRACE_LIBRARY_OPTIONAL:-0} in
0 | no | off | false)
  if ! has_cxx; then
    without="this machine has no C++ compiler"
    export HEADRACE_LIBRARY_OPTIONAL=1
  fi
  ;;
*) without="HEADRACE_LIBRARY_OPTIONAL is set" ;;
esac
files="$files $library $without"
current() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

pip() { .venv/bin/python -m pip --disable-pip-version-check --no-input "$@"; }
# An editable install names the Python package alone: catalogue.py finds bench/ in the checkout.
# Python compiles what it imports; pip would compile all of what is installed. -v: the log says what is compiled.
install() {
  pip install -v --no-compile --no-deps --no-build-isolation --config-settings wheel.packages=python/headrace -e .
}
# Without isolation the tools that build the library come from here if the machine has none.
build_tools() {
  sed -n 's/^requires = \["\(.*\)"\]$/\1/p' pyproject.toml
  have cmake || echo "cmake>=3.20"
  have ninja || echo ninja
}
# The package's requirements and those of the extras, one a line.
requirements() {
  .venv/bin/python - "$extras" <<'END'
import pathlib
import sys

try:
    import tomllib
except ImportError:  # Python 3.10
    from pip._vendor import tomli as tomllib
project = tomllib.loads(pathlib.Path("pyproject.toml").read_text())["project"]
extras = [project["optional-dependencies"][name] for name in sys.argv[1].split(",") if name]
print("\n".join(sum(extras, project["dependencies"])))
END
}
fetch() { pip install --no-compile -r "$1"; }
# names <file of requirements>: without their versions, on one line.
names() { sed 's/[^A-Za-z0-9._-].*//' "$1" | tr '\n' ' ' | sed 's/ $//'; }

has_needs() {
  for extra in package $(printf '%s' "$extras" | tr ',' ' '); do
    current "$stamps/needs-$extra" "$needed" || return 1
  done
}

sources=$(find src -name '*.cpp' ! -path '*/bindings/*' | wc -l | tr -d ' ')
if ! has_needs; then
  build_tools >"$logs/tools.txt"
  requirements >"$logs/needs.txt"
  logged pip-tools "fetching what builds the library: $(names "$logs/tools.txt")" fetch "$logs/tools.txt" || exit 2
  logged pip-needs "fetching what headrace needs${extras:+, with $extras}: $(names "$logs/needs.txt")" \
    fetch "$logs/needs.txt" || exit 2
  for extra in package $(printf '%s' "$extras" | tr ',' ' '); do
    printf '%s\n' "$needed" >"$stamps/needs-$extra"
  done
fi
if [ "$only" = packages ]; then exit 0; fi
doing=""
if ! current "$stamps/installed" "$needed"; then
  doing="compiling the library ($sources C++ files) and installing headrace into .venv"
elif ! current "$stamps/files" "$files"; then
  doing="installing headrace into .venv again: files have changed"
fi
if [ -n "$doing" ]; then
  if [ -n "$without" ]; then doing="installing headrace into .venv without its library"; fi
  logged pip "$doing" install || exit 2
  if [ -n "$without" ]; then
    say "$without: \`headrace bench\` works; \`headrace run\`, \`trace\`, \`convert\` and all else that needs the library do" \
      "not. For these: a C++17 compiler (Debian: apt install g++), no HEADRACE_LIBRARY_OPTIONAL, and \`sh setup/venv.sh\` again"
  fi
  # What CMake did not find: zlib and others.
  sed -n 's/^ *-- \(.* not found: .*\)/headrace: \1/p' "$logs/pip.log"
fi
printf '%s\n' "$needed" >"$stamps/installed"
printf '%s\n' "$files" >"$stamps/files"
