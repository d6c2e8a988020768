# The panel under hard use: resizes, pastes, interrupts, signals, a crash.
. "$(dirname "$0")/tui.sh"

city=$root/samples/city.gr
twin() { key C-x; type_text "$1"; }
begin() {
  start "$@"
  ready
  type_line "load $city"
  expect '^g = graph'
}
size() { terminal resize-window -x "$1" -y "$2" 2>/dev/null; }

# 200 resizes in ten seconds, down to 1 x 1 and back, with a line half typed
begin 80x24
terminal set-option -g window-size manual
type_line 'panel'
shows '^┌─ script'
type_line 'start scc.forward_backward(g)'
shows 'PAUSED'
type_text '6 * '
for i in $(seq 200); do
  case $((i % 5)) in
  0) size 1 1 ;;
  1) size $((20 + i)) $((3 + i / 4)) ;;
  2) size 220 70 ;;
  3) size $((1 + i % 60)) $((1 + i % 15)) ;;
  4) size 79 24 ;;
  esac
  sleep 0.03
done
size 100 30
shows '^> 6 \* *$'
type_text '7'
key Enter
shows '^42 *$'
shows '^┌─ script.*┐$'
shows 'PAUSED'
check "each row is whole" [ "$(terminal capture-pane -p | grep -cE '(│|┤|┐|┘)$')" = 20 ]
terminal capture-pane -p -e >shown
key C-l
key F8
shows '^#1 trim'
size 80 24
shows '^┌─ script.*┐$'

# a paste of 500 lines arrives as one input and runs completely
key C-l
{
  echo 'local sum = 0'
  for i in $(seq 498); do echo "sum = sum + $i"; done
  echo 'print(sum)'
} >pasted
paste "$(cat pasted)"
shows '^print\(sum\) *$'
key Enter
shows '^124251 *$'
# without bracketed paste it runs line by line, as if typed
key C-l
terminal set-buffer -- "$(for i in $(seq 500); do echo "last = $i"; done)
last + 0.5
"
terminal paste-buffer
shows '^500\.5 *$'

# Ctrl-C and F5: a loop in Lua, a loop that a pcall guards, a free run of fixpoints; input typed meanwhile waits
type_line 'while true do end'
shows 'RUNNING'
key C-c
shows 'interrupted'
shows_not 'RUNNING'
key C-l
type_line 'while true do pcall(function() while true do end end) end'
shows 'RUNNING'
key C-c
shows 'interrupted'
key C-l
type_line 'drop'
type_line 'function on_and_on(g) while true do scc.forward_backward(g) end end'
type_line 'start on_and_on(g)'
shows 'before trim'
key F5
shows 'RUNNING'
type_text '40 + '
key F5
shows ' PAUSED paused'
shows 'scc.lua:[0-9]+  paused'
type_text '2'
key Enter
shows '^42 *$'
type_line 'continue'
shows 'RUNNING'
key C-c
shows 'PAUSED'
twin 5
shows 'RUNNING'

# the panel is closed and opened while the loop runs, and shows another view
twin a
shows_not '─ script'
twin a
shows '─ script'
shows 'RUNNING'
key F1
shows '─ help'
key F1
shows_not '─ help'
size 60 15
shows '^┌─ script.*┐$'
size 80 24
key F5
shows 'PAUSED'
type_line 'drop'
shows_not 'PAUSED'

# the output of a loop is visible while it runs, and the panel stays responsive
type_line 'for i = 1, 1e9 do print("turn " .. i) end'
shows '^turn [0-9]+ *$'
shows 'RUNNING'
key C-c
shows 'interrupted'
type_line '"through"'
shows '^"through" *$'

# an idle panel takes no processor time
check "an idle panel takes no time" becomes_idle "$(pid)"

# Ctrl-D, hang-up, termination and crashes leave the terminal as it was
modes() { stty -a <"$(terminal list-panes -F '#{pane_tty}')" | tr ' ;' '\n\n' | grep -E '^-?(icanon|echo|isig|icrnl|ixon|iexten|opost)$'; }
start 80x24
ready
type_line quit
expect_code 0
modes >sane
for how in quit HUP TERM SEGV ABRT os.exit; do
  begin 80x24
  type_line panel
  shows '─ script'
  case $how in
  quit) type_line quit && expect_code 0 ;;
  os.exit)
    type_line 'print("said " .. 6 * 7) os.exit(5)' && expect_code 5
    shows '^said 42'
    ;;
  HUP) kill -HUP "$(pid)" && expect_code 129 ;;
  TERM) kill -TERM "$(pid)" && expect_code 143 ;;
  SEGV) kill -SEGV "$(pid)" && expect_code 139 ;;
  ABRT) kill -ABRT "$(pid)" && expect_code 134 ;;
  esac
  shows_not '─ script'
  modes >now
  cmp -s sane now || fail "$how leaves the terminal with $(diff sane now)"
  check "$how leaves the cursor visible" [ "$(terminal display-message -p '#{cursor_flag}')" = 1 ]
  check "$how leaves the alternate screen" [ "$(terminal display-message -p '#{alternate_on}')" = 0 ]
done
# a kernel that faults: the panel and the typed line are kept
cat >fault.h <<'END'
#include "language/kernel.h"
PRIM(fault, FAULT_ARGS, UNTYPED, ELEMENT, "k", EXACT, "", "", "fault{x = ..., by = ...}: x / by.")
#define FAULT_ARGS(A, W) A(INOUT, u32, x, "k") A(VALUE, u32, by, "1")
ARGS(fault, FAULT_ARGS)
ELEMENT_BODY(fault) { UNUSED_BODY; a->x[i] /= a->by; }
END
begin 80x24
type_line panel
shows '─ script'
type_line 'kernel.load "fault.h" x = buffer.new("u32", 5)'
modes >typing
type_line 'fault{x = x, by = 0}'
shows 'was divided by zero'
modes >now
cmp -s typing now || fail "a fault leaves the panel's terminal with $(diff typing now)"
type_text '6 * 7'
shows '^> 6 \* 7 *$'
key Enter
shows '^42 *$'
type_line quit
expect_code 0
modes >now
cmp -s sane now || fail "a fault leaves the terminal with $(diff sane now)"
# signals while uninterruptible code runs
begin 80x24
type_line panel
shows '─ script'
type_line 'while true do pcall(function() while true do end end) end'
shows 'RUNNING'
kill -TERM "$(pid)"
expect_code 143
modes >now
cmp -s sane now || fail "a running one leaves the terminal with $(diff sane now)"

# suspend and resume, at the prompt and while something runs
new_terminal
terminal new-session -d -x 80 -y 24 "env LANG=C.UTF-8 LC_ALL= PS1='shell> ' bash --norc -i"
expect '^shell> *$'
type_line "$program"
ready
type_line panel
shows '─ script'
type_text '40 + '
shows '^> 40 \+ *$' # input that is not read yet is discarded by Ctrl-Z
key C-z
expect 'Stopped'
shows_not '─ script'
type_line 'echo sh''ell lives'
expect '^shell lives'
type_line fg
shows '─ script'
shows '^> 40 \+ *$'
type_text '2'
key Enter
shows '^42 *$'
type_line 'while true do end'
shows 'RUNNING'
key C-z
shows 'Stopped'
shows_not '─ script'
type_line fg
shows 'RUNNING'
shows '─ script'
key C-c
shows 'interrupted'
type_line quit
shows_not '─ script'
type_line 'echo sh''ell again'
expect '^shell again'

finish
