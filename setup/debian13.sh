#!/bin/sh
# Runs the whole test on Debian 13, in a chroot: sh setup/debian13.sh [targets of make; default: test]
#
# Needs root, debootstrap and git, and takes as long as `make test` on a new machine. The system stays in
# build/debian13 for the next run; HEADRACE_DEBIAN13 names another place. The files of this checkout are
# copied into it, also those that git does not know yet; nothing of this machine is changed.
#
# HEADRACE_DEBIAN_SUITE=sid makes a system of that suite instead, with its gfortran, in build/sid. The folder
# HEADRACE_TEST_GFORTRAN_RUNTIME, with the libgfortran.so.5 of another version, is copied into the system, too.
. setup/common.sh
suite=${HEADRACE_DEBIAN_SUITE:-trixie}
place=debian13
[ "$suite" = trixie ] || place=$suite
system=${HEADRACE_DEBIAN13:-$PWD/build/$place}

refuse() {
  say "$1" >&2
  exit 2
}
[ "$(id -u)" -eq 0 ] || refuse "\`make testdebian13\` needs root, for chroot and mount: sudo make testdebian13"
for tool in debootstrap git unshare; do
  have $tool || refuse "\`make testdebian13\` needs $tool: apt-get install debootstrap git util-linux"
done

# In a mount namespace of its own: what is mounted here disappears with the last process.
if [ "${HEADRACE_NAMESPACE:-}" != "$system" ]; then
  unshare --mount true 2>/dev/null || refuse "\`make testdebian13\` may not mount here: run it outside of this container"
  HEADRACE_NAMESPACE=$system exec unshare --mount --propagation private sh "$0" "$@"
fi

if [ ! -e "$system/.complete" ]; then
  rm -rf --one-file-system "$system"
  mkdir -p "$(dirname "$system")"
  logged debootstrap "making a Debian ($suite) in $system" \
    debootstrap --variant=minbase --include=ca-certificates,make,python3 "$suite" "$system" || exit 2
  printf '#!/bin/sh\nexit 101\n' >"$system/usr/sbin/policy-rc.d" # services are not started
  chmod +x "$system/usr/sbin/policy-rc.d"
  touch "$system/.complete"
fi

mount -t proc proc "$system/proc"
mount --rbind /sys "$system/sys"
mount --rbind /dev "$system/dev"
# The network as this machine has it.
for file in /etc/resolv.conf /etc/hosts ${PIP_CERT:-} ${SSL_CERT_FILE:-} ${PIP_CONFIG_FILE:-}; do
  if [ -e "$file" ]; then mkdir -p "$system$(dirname "$file")" && cp -L "$file" "$system$file"; fi
done

rm -rf --one-file-system "$system/headrace"
mkdir "$system/headrace"
git -c safe.directory='*' ls-files -co --exclude-standard -z >"$logs/debian13-files"
tar --null --no-recursion --ignore-failed-read -cf - -T "$logs/debian13-files" | tar -xf - -C "$system/headrace" --no-same-owner

if [ -n "${HEADRACE_TEST_GFORTRAN_RUNTIME:-}" ]; then
  rm -rf --one-file-system "$system/gfortran-run-time"
  mkdir "$system/gfortran-run-time"
  cp "$HEADRACE_TEST_GFORTRAN_RUNTIME/libgfortran.so.5" "$system/gfortran-run-time"
  export HEADRACE_TEST_GFORTRAN_RUNTIME=/gfortran-run-time
fi

targets=${*:-test}
say "Debian $(cat "$system/etc/debian_version"): make $targets"
set --
for name in $(env | sed -n 's/^\(PIP_[A-Z_]*\|[A-Za-z]*_proxy\|SSL_CERT_FILE\|HEADRACE_TEST_[A-Z]*\|HEADRACE_TEST_GFORTRAN_RUNTIME\|CI\|TERM\)=.*/\1/p'); do
  set -- "$@" "$name=$(printenv "$name")"
done
code=0
chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" \
  sh -c "cd /headrace && make $targets" || code=$?
say "the logs are in $system/headrace/build"
exit "$code"
