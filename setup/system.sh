#!/bin/sh
# Sees to it that this machine has what a target of `make` needs: sh setup/system.sh TARGET
#
# What is missing is installed with apt when this user may (root, or sudo without a password).
# Otherwise the packages and modules are named, and the exit code is 2.
. setup/common.sh
target=$1

missing=""  # lines for the message
packages="" # Debian packages that must be installed
modules=""  # what a cluster may call them
wishes=""   # Debian packages that are welcome if apt offers them

# need <what it is> <Debian packages> <module> <command that succeeds when it is there>
need() {
  what=$1 needed=$2 module=$3
  shift 3
  if "$@"; then return; fi
  missing="$missing$(printf '  %-30s apt: %-22s module: %s' "$what" "$needed" "$module")
"
  packages="$packages $needed"
  case " $modules " in *" ${module%% *} "*) ;; *) modules="$modules ${module%% *}" ;; esac
}

# wish <Debian package> <command that succeeds when it is there>
wish() {
  package=$1
  shift
  if "$@" || [ -e "$logs/not-offered-$package" ]; then return; fi
  wishes="$wishes $package"
}

# The library reads and writes .gz and .zst files if these are there.
wish_compression() {
  wish zlib1g-dev has_header zlib.h
  wish libzstd-dev has_header zstd.h
  wish libdeflate-dev has_header libdeflate.h
}

has_gfortran() { [ -n "$(find_gfortran)" ]; }
has_flang() { [ -n "$(find_flang)" ]; }
has_library_compiler() { has_gfortran || has_flang; }
has_python() { [ -n "$(find_python)" ]; }
has_venv() { has_python && "$(find_python)" -c 'import ensurepip, venv' 2>/dev/null; }
# has_header <header>: the C++ compiler finds it, by itself or where CMake would look.
has_header() {
  cxx=${CXX:-c++}
  have "$cxx" || cxx=g++
  places=$(printf '%s' "${CMAKE_PREFIX_PATH:-}" | tr ':' ';' | sed 's|[^;][^;]*|-I&/include|g; y|;| |')
  # shellcheck disable=SC2086  # one word a place
  printf '#include <%s>\n' "$1" | "$cxx" -E $places -x c++ - >/dev/null 2>&1
}
has_gtest() { has_header gtest/gtest.h; }
has_library() { pkg-config --exists "$1" 2>/dev/null; }
# The parallel library, for both MPIs that Debian has, and the batch system that its jobs are tested with.
wish_parallel() {
  wish pkg-config have pkg-config
  wish openmpi-bin have mpirun.openmpi
  wish libopenmpi-dev have mpicxx.openmpi
  wish mpich have mpirun.mpich
  wish libmpich-dev have mpicxx.mpich
  wish libhdf5-openmpi-dev has_library hdf5-openmpi
  wish libhdf5-mpich-dev has_library hdf5-mpich
  wish libnetcdf-mpi-dev has_library netcdf-mpi
  wish libpnetcdf-dev has_library pnetcdf
  wish rapidjson-dev has_header rapidjson/reader.h
  wish slurm-wlm have sbatch
  wish munge have munged
  wish musl-tools have musl-gcc
  wish strace have strace
}
has_modules() { have modulecmd || [ -n "${MODULESHOME:-}" ]; }
has_browser() { have chromium || have chromium-browser || have google-chrome; }

need "Python 3.10 or newer" python3 "python (or cray-python)" has_python
need "Python's venv and ensurepip" python3-venv "python (or cray-python)" has_venv
case $target in
setup | bench)
  need "a Fortran compiler" "gfortran libc6-dev" "gcc (or PrgEnv-gnu, PrgEnv-cray, intel, nvhpc)" any_fortran
  # If there was no compiler at all, two make a comparison. A user's own compiler is left alone.
  any_fortran || wish flang-19 has_flang
  # Builds the library for `headrace bench text` and for Python; Fortran's own statements need none.
  wish g++ has_cxx
  wish_compression
  ;;
build | test | testall | testfilesystems | adios2)
  need "gfortran 12+ or LLVM flang 19+" "gfortran libc6-dev" "gcc (or PrgEnv-gnu)" has_library_compiler
  need "a C++17 compiler" "g++" "gcc (or PrgEnv-gnu)" has_cxx
  need "CMake 3.20 or newer" cmake "cmake" have cmake
  need "Ninja" ninja-build "ninja" have ninja
  need "GoogleTest" libgtest-dev "googletest" has_gtest
  has_library_compiler && wish gfortran has_gfortran
  wish flang-19 has_flang
  wish_compression
  wish ccache have ccache
  case $target in
  adios2) wish_parallel ;;
  test*)
    wish_parallel
    wish zstd have zstd
    wish netcdf-bin have ncdump
    wish libnetcdff-dev has_library netcdf-fortran
    wish environment-modules has_modules
    wish chromium has_browser
    wish fuse3 have fusermount3 # the planted file system
    ;;
  esac
  case $target in
  testfilesystems)
    need "mkfs.xfs" xfsprogs "-" have mkfs.xfs
    need "mkfs.btrfs" btrfs-progs "-" have mkfs.btrfs
    need "GlusterFS" "glusterfs-server glusterfs-client" "-" have glusterd
    need "ip" iproute2 "-" have ip
    need "HDF5 for Fortran" libhdf5-dev "cray-hdf5" have h5fc
    need "Open MPI for Fortran" libopenmpi-dev "openmpi" have mpif90
    ;;
  esac
  ;;
wheel)
  need "a C++17 compiler" "g++" "gcc (or PrgEnv-gnu)" has_cxx
  wish_compression
  ;;
lint | doc) ;;
*)
  say "setup/system.sh knows no target $target" >&2
  exit 2
  ;;
esac
if [ -z "$packages$wishes" ]; then exit 0; fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=""
elif have sudo && sudo -n true 2>/dev/null; then
  as_root="sudo -n"
else
  as_root=no
fi

if ! have apt-get || [ "$as_root" = no ]; then
  if [ -z "$packages" ]; then
    say "going on without:$wishes (welcome, not needed; the tests that use them are skipped)"
    exit 0
  fi
  if have apt-get; then why="this user is not root and sudo asks for a password"; else why="there is no apt here"; fi
  {
    say "\`make $target\` needs what this machine does not have:"
    printf '%s\n' "$missing"
    say "nothing was installed, because $why. Do one of these, then run \`make $target\` again:"
    printf '\n  sudo apt-get install%s%s\n' "$packages" "$wishes"
    # shellcheck disable=SC2016  # the backquotes are part of the text
    printf '  module load%s      (names differ between sites: see `module avail`)\n\n' "$modules"
  } >&2
  exit 2
fi

apt() {
  # shellcheck disable=SC2086  # as_root is empty or two words
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -o DPkg::Lock::Timeout=300 "$@"
}
update_lists() { apt update || { sleep 5; apt update; }; }
offered() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

logged apt-update "reading apt's package lists" update_lists || say "going on with the lists that are there"
required=$packages
welcome=""
for package in $wishes; do
  if offered "$package"; then
    welcome="$welcome $package"
  else
    say "apt does not offer $package here: going on without it"
    touch "$logs/not-offered-$package"
  fi
done
if [ -z "$required$welcome" ]; then exit 0; fi
# shellcheck disable=SC2086  # one word a package
install() { logged "$1" "installing with apt: ${2# }" apt install --no-install-recommends $2; }
if install apt-install "$required$welcome"; then exit 0; fi
if [ -n "$required" ] && ! install apt-install-needed "$required"; then
  say "install them by hand: apt-get install$required" >&2
  exit 2
fi
for package in $welcome; do # one of them may be broken or in the way of another
  install "apt-install-$package" "$package" || say "going on without $package"
done
