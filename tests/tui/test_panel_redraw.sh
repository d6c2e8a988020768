# How many bytes the panel sends per redraw while counters change; and after a long run the screen is the same, cell for
# cell, as after a full redraw. LOCKSTEP_LONG=600: runs for ten minutes instead of seconds.
. "$(dirname "$0")/tui.sh"
. "$root/tests/part.sh"
only_in_part 4

samples=$root/samples
pty=$(dirname "$program")/tests/pty
long=${LOCKSTEP_LONG:-8}

# bytes per redraw, at 80 x 24
TERM=xterm-256color LANG=C.UTF-8 LC_ALL='' "$pty" -s 24x80 -k 8 "$program" --backend cpu:1 -i -e "load $samples/city.gr" \
  -e 'panel' -e 'while true do scc.forward_backward(g) end' >redraws
cat redraws
read -r _ count _ rate _ median _ <redraws
check "there are redraws ($count)" [ "$count" -ge 5 ]
check "at most 20 redraws a second ($rate)" [ "${rate%.*}" -le 20 ]
check "a redraw takes at most 2 KB ($median bytes)" [ "$median" -le 2048 ]

# a long fixpoint is stopped, and the screen is compared with a full redraw
start 80x24
ready
type_line "load $samples/city.gr"
type_line 'panel'
expect '─ script'
type_line 'function on_and_on(g) while true do scc.forward_backward(g) end end'
type_line 'start on_and_on(g)'
expect 'before trim'
key F5
expect RUNNING
sleep "$long" # the run that is tested
terminal capture-pane -p | grep -q RUNNING || fail "it does not run any more"
key F5
expect PAUSED
still() { # the screen does not change for longer than two redraws take
  terminal capture-pane -p -e >after
  sleep 0.2
  [ "$(terminal capture-pane -p -e)" = "$(cat after)" ]
}
wait_for 10 still || fail "a paused panel does not come to rest"
terminal set-option -g window-size manual
terminal resize-window -x 90 -y 30
keys_in_row_30() { terminal capture-pane -p | sed -n 30p | grep -q F1Help; }
wait_for 10 keys_in_row_30 || fail "the panel is not drawn in the new size"
terminal resize-window -x 80 -y 24
fresh() {
  terminal capture-pane -p -e >fresh
  cmp -s after fresh
}
wait_for 10 fresh || fail "the screen differs from a fresh one: $(diff after fresh)"

finish
