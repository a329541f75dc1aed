#!/bin/sh
# Starts a Slurm of two virtual nodes on this machine: two_nodes.sh FOLDER PORT PORT PORT PORT
#
# FOLDER is empty and takes configuration, state and logs. When both nodes are idle this prints "ready" and waits for the
# end of its standard input; then, or when anything fails, it stops all that it started. So the daemons end
# even if the caller is killed. SLURM_CONF=FOLDER/slurm.conf makes sbatch and srun use it. Needs root.
set -eu

folder=$1
host=$(hostname -s)
started=

refuse() {
  echo "$1" >&2
  exit 2
}

# Only what was started here is stopped, by its process id. A daemon that does not end in two seconds is killed.
stop() {
  trap - EXIT INT TERM HUP
  for child in $started; do kill "$child" 2>/dev/null || true; done
  tries=0
  while [ $tries -lt 20 ] && alive; do
    tries=$((tries + 1))
    sleep 0.1
  done
  for child in $started; do kill -KILL "$child" 2>/dev/null || true; done
}

alive() {
  for child in $started; do
    if kill -0 "$child" 2>/dev/null; then return 0; fi
  done
  return 1
}

start() {
  log=$1
  shift
  "$@" </dev/null >>"$folder/$log" 2>&1 &
  started="$! $started"
}

await() {
  what=$1 limit=$2
  shift 2
  tries=0
  until "$@" >/dev/null 2>&1; do
    alive || refuse "$what: every daemon has ended; logs are in $folder"
    tries=$((tries + 1))
    [ $tries -lt $((limit * 5)) ] || refuse "$what: not within $limit seconds; logs are in $folder"
    sleep 0.2
  done
}

both_idle() { [ "$(sinfo -h -N -o %T | grep -c '^idle')" -eq 2 ]; }

[ "$(id -u)" -eq 0 ] || refuse "a Slurm of one's own needs root"
for program in munged munge slurmctld slurmd sinfo sbatch srun; do
  command -v $program >/dev/null || refuse "$program is not installed"
done

trap stop EXIT
trap 'exit 1' INT TERM HUP
chmod 755 "$folder"
mkdir "$folder/state" "$folder/spool-n1" "$folder/spool-n2" "$folder/tmp-n1" "$folder/tmp-n2"
sed -e "s|@HOST@|$host|; s|@FOLDER@|$folder|" -e "s|@PORT1@|$2|; s|@PORT2@|$3|; s|@PORT3@|$4|; s|@PORT4@|$5|" \
  "$(dirname "$0")/slurm.conf.in" >"$folder/slurm.conf"
export SLURM_CONF="$folder/slurm.conf"

(umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
start munged.log munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
  --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munged.seed" --num-threads=2
await "munge" 10 munge --socket="$folder/munge.socket" --no-input
start slurmctld.out slurmctld -D
await "slurmctld" 30 sinfo -h
start slurmd-n1.out slurmd -D -N n1
start slurmd-n2.out slurmd -D -N n2
await "slurmd" 60 both_idle

echo ready
cat >/dev/null
