#!/bin/sh
# What a passed `make testall` has covered, by the table of setup/parts.mk: sh setup/tested.sh parts|write
#
# parts: the parts that .ci/run must add, one a line, for each path whose hash is not the one in .ci/tested-all. Without git, or
# with a path that the table does not name, all parts. write: the hash and the date for each path, of a clean working tree.
set -eu
file=.ci/tested-all
export GIT_OPTIONAL_LOCKS=0

table() { sed -n '/^define table$/,/^endef$/{/^define/d;/^endef$/d;p;}' setup/parts.mk; }
all_parts() { sed -n 's/^rest = //p' setup/parts.mk | tr ' ' '\n'; }
paths() { table | sed 's/:.*//' | tr ' ' '\n'; }
parts_of() { table | awk -F: -v path="$1" 'index(" " $1 " ", " " path " ") { print $2 }' | tr -s ' ' '\n' | sed '/^$/d'; }
hash_of() { git rev-parse --verify --quiet "HEAD:$1" 2>/dev/null || echo none; }

# unnamed: what is in HEAD and in no line of the table, neither itself nor by all that it contains.
unnamed() {
  for entry in $(git ls-tree --name-only HEAD); do
    if paths | grep -qxF "$entry"; then continue; fi
    if ! paths | grep -q "^$entry/"; then echo "$entry"; fi
    for inner in $(paths | grep -q "^$entry/" && git ls-tree --name-only "HEAD:$entry"); do
      [ "$entry/$inner" = "$file" ] || paths | grep -qxF "$entry/$inner" || echo "$entry/$inner"
    done
  done
}

# changed: each path that has another hash, or that differs from HEAD in the working tree.
changed() {
  differing=$(git status --porcelain | cut -c 4-)
  for path in $(paths); do
    tested=$(awk -v path="$path" '$1 == path { print $2 }' "$file" 2>/dev/null || :)
    if [ "$tested" != "$(hash_of "$path")" ] || printf '%s\n' "$differing" | grep -q "^$path\(/\|$\)"; then echo "$path"; fi
  done
}

case ${1:-} in
parts)
  if ! git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    echo "without git: all parts" >&2
    all_parts
    exit
  fi
  missing=$(unnamed)
  if [ -n "$missing" ]; then
    echo "all parts: the table of setup/parts.mk does not name" $missing >&2
    all_parts
    exit
  fi
  wanted=$(for path in $(changed); do
    echo "$path has changed since .ci/tested-all:" $(parts_of "$path") >&2
    parts_of "$path"
  done)
  for part in $(all_parts); do
    if printf '%s\n' "$wanted" | grep -qxF "$part"; then echo "$part"; fi
  done
  ;;
write)
  if [ -n "$(git status --porcelain -- . ":!$file" 2>&1)" ]; then
    echo "$file is not written: the working tree has changes that are not committed" >&2
    exit
  fi
  {
    echo "# Written by a passed \`make testall\`: path, hash of its tree, date. .ci/run reads it (setup/tested.sh)."
    for path in $(paths); do echo "$path $(hash_of "$path") $(date -u +%Y-%m-%d)"; done
  } >"$file"
  echo "$file is written: commit it"
  ;;
*)
  sed -n '2,5s/^# *//p' "$0" >&2
  exit 2
  ;;
esac
