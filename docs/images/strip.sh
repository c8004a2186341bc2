#!/bin/sh
# Joins frames of a run to one picture: docs/images/strip.sh OUT.jpg HEIGHT CROP FRAME.png ...
# CROP is width:height:x:y in pixels of a frame, as ffmpeg takes it, or - for the whole.
set -eu
[ $# -ge 4 ] || { sed -n 2,3p "$0" >&2; exit 2; }
out=$1 height=$2 crop=$3
shift 3
chain="scale=-2:$height"
[ "$crop" = - ] || chain="crop=$crop,$chain"
graph='' joined='' k=0
for frame; do
  graph="$graph[$k]$chain[s$k];" joined="$joined[s$k]" k=$((k + 1))
done
# Puts -i before each file without splitting names that have spaces.
for frame; do
  set -- "$@" -i "$frame"
  shift
done
ffmpeg -y -v error "$@" -filter_complex "$graph${joined}hstack=inputs=$k" -frames:v 1 -q:v 2 "$out"
