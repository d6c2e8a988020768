# For every shell test; sourced. Nothing of the user's is read; and waiting, always for a condition and with a deadline.
unset XDG_STATE_HOME XDG_DATA_HOME INPUTRC NO_COLOR

# wait_for SECONDS COMMAND...: runs COMMAND until it succeeds. Fails if it has not succeeded after SECONDS.
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
# said FILE PATTERN: FILE has a line that matches. If a background command writes to FILE, empty FILE before the command is started:
# the shell of the command empties it only when it runs, so old lines could match.
said() { grep -Eqs -- "$2" "$1"; }
ended() { [ -z "$1" ] || [ ! -d "/proc/$1" ] || grep -qs '^State:.Z' "/proc/$1/status"; }
child_of() { cat "/proc/$1"/task/*/children 2>/dev/null; } # child_of PID: prints the ids of the process's children
has_child() { [ -n "$(child_of "$1")" ]; }
# took_signals PID: every signal that was sent to the process has been delivered. (Two pending signals of one kind are delivered as one.)
took_signals() { ! grep -qs 'Pnd:.*[1-9a-f]' "/proc/$1/status"; }
# ticks PID: the processor time in 0.01 s that the process has used, without its children. has_used PID TICKS: whether it is at least TICKS.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
has_used() { [ "$(ticks "$1")" -ge "$2" ]; }
# wait_busy PID: waits until the process has used 0.2 s of processor time from now on: the only sign of a loop that prints nothing.
wait_busy() { wait_for 20 has_used "$1" $(($(ticks "$1") + 20)); }
# becomes_idle PID: within some seconds there is an interval of 2 s in which the process uses at most 0.02 s of processor time.
idle_for_2_s() {
  local before
  before=$(ticks "$1")
  sleep 2 # the measured interval
  [ $(($(ticks "$1") - before)) -le 2 ]
}
becomes_idle() { wait_for 5 idle_for_2_s "$1"; }
