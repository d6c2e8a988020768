# Drives the program in a real terminal (tmux) and reads the screen. Sourced by test_*.sh, which are called
# with the program's path. Each test has its own terminal server, home and folder.
set -u

program=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v tmux >/dev/null; then
  echo "tmux is not installed: the terminal tests are left out"
  exit 77
fi

folder=$(mktemp -d)
socket=lockstep-test-$$-0 starts=0
export HOME=$folder/home
unset XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME NO_COLOR INPUTRC TMUX
mkdir -p "$HOME"
cd "$folder" || exit 1
failures=0

terminal() { tmux -L "$socket" -f /dev/null "$@"; }

clean_up() {
  terminal kill-server 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT

# start COLUMNSxROWS [NAME=VALUE ...] [-- ARGUMENTS]: the program in a fresh terminal. Its exit code goes to $folder/code.
start() {
  local size=$1 settings=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    settings+=("$1")
    shift
  done
  [ $# -gt 0 ] && shift
  terminal kill-server 2>/dev/null
  for _ in $(seq 50); do # the old server must have ended
    terminal list-sessions >/dev/null 2>&1 || break
    sleep 0.1
  done
  starts=$((starts + 1)) socket=lockstep-test-$$-$starts # a new socket, because the old server may still be ending
  rm -f code
  cat >start.sh <<END
trap : INT # Ctrl-C is meant for the program, but the shell gets it, too
env LOCKSTEP_MORE=off LANG=C.UTF-8 LC_ALL= ${settings[*]:-} $program $*
echo \$? >$folder/code
sleep 1000
END
  terminal new-session -d -x "${size%x*}" -y "${size#*x}" "sh $folder/start.sh"
}

type_text() { # tmux takes a semicolon at the end as a separator of its commands
  case $1 in
  *\;) terminal send-keys -l -- "${1%;}\;" ;;
  *) terminal send-keys -l -- "$1" ;;
  esac
}
type_line() { type_text "$1" && key Enter; }
key() { terminal send-keys "$@"; }
paste() { # bracketed paste, if the program has requested it
  terminal set-buffer -- "$1"
  terminal paste-buffer -p
}
screen() { terminal capture-pane -p -J -S -1000; }
pid() { pgrep -P "$(terminal list-panes -F '#{pane_pid}')" -f "^$program" | head -1; }

fail() {
  echo "FAILED: $*"
  screen | sed 's/^/  | /'
  failures=$((failures + 1))
}

# expect PATTERN [SECONDS]: waits until the screen has a line that matches.
expect() {
  local tries=$(($(printf '%.0f' "${2:-10}") * 20))
  for _ in $(seq $tries); do
    screen | grep -Eq -- "$1" && return 0
    sleep 0.05
  done
  fail "no line matches: $1"
  return 1
}

expect_not() { screen | grep -Eq -- "$1" && fail "a line matches: $1"; }
# Asserts that no line was wrapped by the terminal, which would cut it within a word.
expect_unbroken() {
  for _ in $(seq 20); do # output may arrive between the two captures
    [ "$(terminal capture-pane -p -S -1000 | wc -l)" = "$(screen | wc -l)" ] && return 0
    sleep 0.1
  done
  fail "$1: a line is wider than the terminal"
}
ready() { expect '^> ?$' "${1:-10}"; } # an empty prompt
clear_screen() {
  terminal send-keys C-l
  sleep 0.1
  terminal clear-history
}

# The exit code that the program ends with.
expect_code() {
  for _ in $(seq 100); do
    [ -s code ] && break
    sleep 0.05
  done
  [ "$(cat code 2>/dev/null)" = "$1" ] || fail "exit code $(cat code 2>/dev/null || echo none), expected $1"
}

check() { # check WHAT COMMAND...: asserts that a command succeeds
  local what=$1
  shift
  "$@" || fail "$what"
}

finish() {
  [ $failures = 0 ] && echo "fine"
  exit $((failures > 0))
}
