# shellcheck shell=bash
# For scripts that check what `$whorl` says, writes and leaves behind in the current folder: what it says goes to
# out.txt and err.txt, its exit code to `status`, the number of what is wrong to `failures`.
: "${whorl:?}"
failures=0
status=0

run() {
  status=0
  "$whorl" "$@" >out.txt 2>err.txt </dev/null || status=$?
}
fail() {
  echo "$*"
  echo "  exit $status; stdout: $(tail -n 3 out.txt); stderr: $(head -n 3 err.txt)"
  failures=$((failures + 1))
}
# check TEXT COMMAND...: the command must succeed.
check() {
  local text=$1
  shift
  "$@" || fail "$text"
}
exits() { [[ $status == "$1" ]]; }
prints() { grep -qE -- "$1" out.txt; }
says() { grep -qE -- "$1" err.txt; }
one_line() { [[ $(wc -l <"$1") == 1 ]]; }
not() { ! "$@"; }
absent() { [[ ! -e $1 ]]; }
count() { find "$1" -maxdepth 1 -type f -name "$2" | wc -l; }
# refuses CODE WORD ARGUMENT...: this exit code, one line on stderr that has WORD, nothing on stdout.
refuses() {
  local code=$1 word=$2
  shift 2
  run "$@"
  if [[ $status != "$code" || -s out.txt ]] || ! one_line err.txt || ! says "$word"; then
    fail "whorl $*: wanted exit $code and one line with '$word'"
  fi
}
lines() { { wc -l <"$1/frames.jsonl" || echo 0; } 2>/dev/null; }
# What a line of statistics says but for the time and the memory that the frame took.
physics() { sed 's/,"seconds":.*//' "$1/frames.jsonl"; }
# tiny_smoke FRAMES CELL_SIZE: the text of a scene that takes a moment, to be followed by tables of the script's own.
tiny_smoke() {
  cat <<TOML
solver = "smoke"
dimension = 2
[time]
frames = $1
[domain]
min = [0, 0]
max = [1, 2]
sides = { default = "open", bottom = "wall" }
[grid]
cell_size = $2
[[source]]
name = "burner"
shape = { sphere = { center = [0.5, 0.2], radius = 0.12 } }
density_rate = 8
temperature = 400
TOML
}
