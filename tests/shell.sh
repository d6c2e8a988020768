# For every shell test; sourced. Nothing of the user's is read; and waiting, always for a condition and with a deadline.
unset XDG_STATE_HOME XDG_DATA_HOME INPUTRC NO_COLOR

# wait_for SECONDS COMMAND...: runs COMMAND until it succeeds. Fails if it did not succeed for so many seconds.
wait_for() {
  local until=$((SECONDS + $1 + 1)) pause=0.01 tries=0
  shift
  until "$@"; do
    [ $SECONDS -lt $until ] || return 1
    [ $((++tries)) -lt 10 ] || pause=0.05
    sleep $pause
  done
}

# --- conditions ---
# said FILE PATTERN. The file of a command in the background must be empty before: the command's shell empties it late.
said() { grep -Eqs -- "$2" "$1"; }
ended() { [ -z "$1" ] || [ ! -d "/proc/$1" ] || grep -qs '^State:.Z' "/proc/$1/status"; }
child_of() { cat "/proc/$1"/task/*/children 2>/dev/null; } # prints the ids of its children
has_child() { [ -n "$(child_of "$1")" ]; }
# took_signals PID: every signal that was sent to it has been delivered. Two of a kind that are pending count as one.
took_signals() { ! grep -qs 'Pnd:.*[1-9a-f]' "/proc/$1/status"; }
# The processor time that a process has used, without its children, in 0.01 s; and whether it is as much.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
has_used() { [ "$(ticks "$1")" -ge "$2" ]; }
# wait_busy PID: until it has computed for 0.2 s from now on. Of a loop that prints nothing, this is what can be seen.
wait_busy() { wait_for 20 has_used "$1" $(($(ticks "$1") + 20)); }
# becomes_idle PID: within some seconds there are two in which it computes for 0.02 s at most.
idle_for_2_s() {
  local before
  before=$(ticks "$1")
  sleep 2 # what is measured
  [ $(($(ticks "$1") - before)) -le 2 ]
}
becomes_idle() { wait_for 5 idle_for_2_s "$1"; }
