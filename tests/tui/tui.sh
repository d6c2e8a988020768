# Drives the program in a real terminal (tmux) and reads the screen. Sourced by test_*.sh, which are called
# with the program's path. Each test has its own terminal server, home and folder.
set -u

program=$(realpath "$1")
root=$(cd "$(dirname "$0")/../.." && pwd)
if ! command -v tmux >/dev/null; then
  echo "tmux is not installed: the terminal tests are left out"
  exit 77
fi

. "$root/tests/shell.sh"
folder=$(mktemp -d)
socket=lockstep-test-$$-0 starts=0
export HOME=$folder/home
unset XDG_CACHE_HOME TMUX
mkdir -p "$HOME"
cd "$folder" || exit 1
failures=0

terminal() { tmux -L "$socket" -f /dev/null "$@"; }

# Closes the terminal and waits for the program, which saves its state at the end.
close_terminal() {
  local running
  running=$(pid 2>/dev/null)
  terminal kill-server 2>/dev/null
  wait_for 10 ended "$running"
}
clean_up() {
  close_terminal
  rm -rf "$folder"
}
trap clean_up EXIT

# Closes the terminal; the next one has a new socket, because the old server may still be ending.
new_terminal() {
  close_terminal
  starts=$((starts + 1)) socket=lockstep-test-$$-$starts
}

# start COLUMNSxROWS [NAME=VALUE ...] [-- ARGUMENTS]: the program in a fresh terminal. Its exit code goes to $folder/code.
start() {
  local size=$1 settings=()
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    settings+=("$1")
    shift
  done
  [ $# -gt 0 ] && shift
  new_terminal
  rm -f code
  cat >start.sh <<END
trap : INT # Ctrl-C is meant for the program, but the shell gets it, too
env LOCKSTEP_MORE=off LANG=C.UTF-8 LC_ALL= ${settings[*]:-} $program $*
echo \$? >$folder/code
trap '' INT
sleep 1000 # keeps the screen
END
  terminal new-session -d -x "${size%x*}" -y "${size#*x}" "sh $folder/start.sh"
}

type_text() { # a final semicolon is escaped, because it separates commands of tmux
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

seen() { screen | grep -Eq -- "$1"; }                      # also searches lines that were scrolled away
visible() { terminal capture-pane -p | grep -Eq -- "$1"; } # searches only the screen
hidden() { ! visible "$1"; }

# expect PATTERN [SECONDS]: waits until a line matches, on the screen or among the lines that were scrolled away.
expect() {
  wait_for "${2:-10}" seen "$1" || { fail "no line matches: $1"; return 1; }
}
expect_not() { seen "$1" && fail "a line matches: $1"; }
# shows PATTERN: like expect, but searches only the screen; shows_not waits until no line matches.
shows() { wait_for 10 visible "$1" || fail "the screen does not show: $1"; }
shows_not() { wait_for 10 hidden "$1" || fail "the screen shows: $1"; }

# Asserts that no line was wrapped by the terminal, which would cut it within a word.
unbroken() { [ "$(terminal capture-pane -p -S -1000 | wc -l)" = "$(screen | wc -l)" ]; }
expect_unbroken() { # output may arrive between the two captures
  wait_for 2 unbroken || fail "$1: a line is wider than the terminal"
}
ready() { expect '^> ?$' "${1:-10}"; } # an empty prompt

# Clears the screen once all earlier input has run: types a text, waits until it is the first line of the screen, and deletes it.
clears=0
first_line_is() { [ "$(terminal capture-pane -p | head -1)" = "$1" ]; }
clear_screen() {
  clears=$((clears + 1))
  type_text "-- $clears" && key C-l
  wait_for 20 first_line_is "> -- $clears" || fail "Ctrl-L does not clear the screen"
  key C-u \; clear-history
}
# complete TEXT PATTERN: types TEXT, completes it with Tab to a line that matches PATTERN, and runs the line with Enter.
complete() {
  type_text "$1" && key Tab
  shows "^> $2 *\$"
  key Enter
}
# turn KEY...: presses keys that change the screen, its colours or the cursor, and waits until they have done so.
picture() { terminal capture-pane -p -e \; display-message -p '#{cursor_x} #{cursor_y} #{cursor_flag}'; }
differs() { [ "$(picture)" != "$1" ]; }
turn() {
  local before
  before=$(picture)
  key "$@"
  wait_for 10 differs "$before" || fail "$* changes nothing"
}
# leave: moves the focus from a view to the prompt with Escape, and waits until the cursor is shown, which only the prompt does: a key that
# follows too soon would form a key sequence with Escape.
has_cursor() { [ "$(terminal display-message -p '#{cursor_flag}')" = 1 ]; }
leave() {
  key Escape
  wait_for 10 has_cursor || fail "Escape does not lead to the prompt"
}

# The exit code that the program ends with.
has_code() { [ -s code ]; }
expect_code() {
  wait_for 10 has_code
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
