#!/usr/bin/env bash
# vdb_with_python.sh WHORL [FILE...]: what `WHORL info --json FILE` says of VDB files is what OpenVDB's own
# Python module finds in them. Without a FILE, those that `WHORL run` writes of a small scene. Exit 77: skipped,
# there is no such module.
set -euo pipefail
[[ $# -ge 1 ]] || { echo "usage: vdb_with_python.sh WHORL [FILE...]" >&2; exit 2; }
whorl=$1
shift
python=/usr/bin/python3  # the system's, which Debian's modules belong to
here=$(cd "$(dirname "$0")" && pwd)
"$python" -c 'import pyopenvdb' 2>/dev/null ||
  { echo "skipped: $python has no pyopenvdb (Debian: python3-openvdb)"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if (($# == 0)); then
  "$whorl" new smoke >"$work/small.toml"
  "$whorl" run "$work/small.toml" -q -o "$work/run" --resolution 24 --frames 1-2
  shopt -s nullglob
  set -- "$work"/run/vdb/*.vdb
  (($#)) || { echo "whorl run wrote no VDB file"; exit 1; }
fi

for file in "$@"; do
  "$whorl" info --json "$file" >"$work/info.json"
  "$python" "$here/vdb_with_python.py" "$file" "$work/info.json"
done
