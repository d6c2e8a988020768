# Ctrl-C, keys typed while something runs, signals, odd terminals.
. "$(dirname "$0")/tui.sh"

start 80x24
ready

# at the prompt: the line is discarded, the session continues
type_text 'this is not to run'
key C-c
expect '\^C$'
ready
type_line 'for i = 1, 2 do'
expect '^>>'
turn C-c
type_line '"still here"'
expect '^"still here"$'

# in loops, also if a pcall would catch the error
for loop in 'while true do end' 'while true do pcall(function() while true do end end) end'; do
  clear_screen
  type_line "print('begun') $loop"
  expect '^begun$'
  key C-c
  expect 'interrupted'
  type_line '"survived"'
  expect '^"survived"$'
done

# in Lua code that the prompt calls: __tostring of a value or an error, a to-be-closed variable after an error
for code in 'setmetatable({}, {__tostring = spin})' 'error(setmetatable({}, {__tostring = spin}))' \
  'do local x <close> = setmetatable({}, {__close = spin}) error("left") end'; do
  clear_screen
  type_line 'function spin() print("spins") while true do end end'
  type_line "$code"
  expect '^spins$'
  key C-c
  ready
  type_line '"survived" .. 6 * 7'
  expect '^"survived42"$'
done

# Ctrl-C three times in a row
clear_screen
type_line 'print("begun") while true do pcall(string.rep, "x", 100) end'
expect '^begun$'
key C-c
key C-c
key C-c
expect 'interrupted'
type_line '"three times"'
expect '^"three times"$'

# a kernel that does not end, with and without bounds checking
cat >endless.h <<'END'
#include "language/kernel.h"
PRIM(endless, ENDLESS_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "endless(out)")
#define ENDLESS_ARGS(A, W) A(INOUT, u32, out, "n")
ARGS(endless, ENDLESS_ARGS)
VERTEX_BODY(endless) {
  a->out[v] = 1;
  for (;;) store_relaxed(&a->out[v], 2);
}
END
type_line 'kernel.load("endless.h") out = buffer.new("u32", 5)'
for form in on off; do
  type_line "bounds endless $form"
  type_line 'endless(buffer.new("u32", 0)) print("compiled")' # compiles it without running a thread
  expect '^compiled$'
  clear_screen
  type_line 'endless(out)'
  wait_busy "$(pid)"
  key C-c
  expect 'endless: interrupted'
  type_line '"survived" .. 6 * 7'
  expect '^"survived42"$'
done

# an interrupted simulation keeps the rows so far, also if the next row takes very many steps; the next Ctrl-C works as usual
type_line 'm = model.line{cells = 30} of = {"c1.V"}'
for rows in 'every = 0.5' 'steps = 2'; do
  clear_screen
  type_line "r = simulate(m, {stop = 100000, dt = 0.01, $rows, method = 'euler', engine = 'bytecode', variables = of})"
  wait_busy "$(pid)"
  key C-c
  expect 'simulate: interrupted at time [0-9.]*; the rows until then are kept'
  type_line '#r.t == #r["c1.V"] and #r.t < 200001 and r.interrupted > 0 and r.interrupted >= r.t[#r.t - 1] and "kept"'
  expect '^"kept"$'
  type_line 'q = simulate(m, {from = r, duration = 1, dt = 0.01, steps = 1, method = "euler", engine = "bytecode", variables = of}) print(#q.t, q.interrupted)'
  expect '^2.*false$'
done
# an interrupted run of the reference keeps its rows, too, with every method, also in a file
type_line "v = model.from_text[[x' = y"
type_line "y' = 100*(1 - x^2)*y - x"
type_line 'x(0) = 2'
type_line 'y(0) = 0]]'
for method in cvode dopri5 rk4; do
  for rows in 'every = 1' 'every = 1, stream = "rows.csv"'; do
    clear_screen
    type_line "r = simulate(v, {stop = 1000000, dt = 0.001, $rows, method = '$method'})"
    wait_busy "$(pid)"
    key C-c
    expect 'simulate: interrupted at time [0-9.]*; the rows until then are kept'
    type_line '#r.t == #r.x and r.interrupted > 0 and r.interrupted < 1e6 and r.interrupted >= r.t[#r.t - 1] and r.rows > 1 and "kept"'
    expect '^"kept"$'
  done
  type_line 'r:show()'
  expect 'interrupted at time [0-9.]*: these are the rows until then'
done
clear_screen
type_line 'print("begun") while true do end'
expect '^begun$'
key C-c
expect 'interrupted'
type_line '"after that" .. 1'
expect '^"after that1"$'
# explore.levels shows the number of states so far, and removes its progress line at the end
cat >many.dve <<'END'
int a, b, c;
process P { state q; init q; trans q -> q { effect a = (a + 1) % 1000; }, -> q { effect b = (b + 1) % 1000; }, -> q { effect c = (c + 1) % 1000; }; }
system async;
END
clear_screen
type_line 'm = model.load("many.dve")'
type_line 'explore.levels(m, {memory = "1 GiB"})'
expect '^states: [1-9][0-9]*  [0-9.]* s' 20
key C-c
expect 'stopped by Ctrl-C'
type_line '"after states" .. 1'
expect '^"after states1"$'
check "the line of progress is gone" eval '! screen | grep -q "^states: "'
# Ctrl-C keeps the states so far, and answers about them say that they are incomplete; the next Ctrl-C works as usual
for form in search levels; do
  clear_screen
  type_line "r = explore.$form(m, {memory = '1 GiB'})"
  wait_busy "$(pid)"
  key C-c
  expect 'stopped by Ctrl-C: [1-9][0-9]* states are not yet expanded'
  type_line 'r.stopped == "interrupted" and r.graph.n == r.states and r.frontier > 0 and r.graph.unexpanded == r.frontier and "kept"'
  expect '^"kept"$'
  type_line 'r:check("deadlock")'
  expect 'not known: [1-9][0-9]* states are not expanded'
done
clear_screen
type_line 'print("begun") while true do end'
expect '^begun$'
key C-c
expect 'interrupted'
type_line '"after those" .. 1'
expect '^"after those1"$'

# an ensemble shows its progress
clear_screen
type_line 'm = model.load(model.sample "lotka-volterra.ode")'
type_line 'simulate(m, {sample = {a = uniform(1, 2)}, instances = 100000, stop = 5000, steps = 5000, keep = false})'
expect '^simulate: rows of all instances: *[1-9][0-9]* %  [0-9.]* s' 40
key C-c
expect 'interrupted'
type_line '"after rows" .. 1'
expect '^"after rows1"$'
check "the line of progress is gone" eval '! screen | grep -q "^simulate: "'

# Ctrl-C ends a script
cat >long.lua <<'END'
local m = model.line{cells = 30}
simulate(m, {stop = 100000, dt = 0.01, steps = 2, method = "euler", engine = "bytecode", variables = {"c1.V"}})
print "not to be seen"
END
"$program" long.lua >long.out 2>&1 &
script=$!
wait_busy $script
kill -INT $script
wait $script
check "a script that simulates ends by Ctrl-C" [ $? = 130 ]
check "and does not go on" eval '! grep -q "not to be seen" long.out'

# input that is typed meanwhile is kept
clear_screen
type_line 'os.execute("touch begun; until [ -e typed ]; do sleep 0.05; done");'
wait_for 10 [ -e begun ]
type_line '40 + 2'
touch typed
expect '^42$'

# a script may read the terminal
clear_screen
type_line 'io.write("reads\n") return io.read()'
expect '^reads$'
type_line 'an answer'
expect '^"an answer"$'

# waiting takes no processor time
type_text 'half a li'
shows '^> half a li *$'
check "an idle prompt takes no time" becomes_idle "$(pid)"
key C-u

# a smaller terminal
terminal resize-window -x 40 -y 10 2>/dev/null
type_line '"resized"'
expect '^"resized"$'

# the terminal is closed
kill -HUP "$(pid)"
expect_code 129
check "the history is kept" grep -q 'an answer\|resized' "$HOME/.local/state/lockstep/history"

start 80x24
ready
type_line 'print("begun") while true do end'
expect '^begun$'
kill -HUP "$(pid)"
expect_code 129

start 80x24
ready
running=$(pid)
type_line 'print("begun") while true do pcall(function() while true do end end) end'
expect '^begun$'
terminal kill-server
check "nothing goes on without its terminal" wait_for 5 ended "$running"

# in code in which Lua calls no hook, the third Ctrl-C, SIGTERM or SIGHUP ends the program and restores the terminal
deaf=('setmetatable({}, {__gc = spin}) collectgarbage()' 'xpcall(spin, spin)' '("a"):rep(60):find(("a?"):rep(60) .. ("a"):rep(61))')
for panel in '' 'panel'; do
  for i in 0 1 2; do
    for how in INT TERM HUP; do
      [ $how = INT ] || [ $i = 0 ] || continue
      start 80x24
      ready
      type_line 'function spin() while true do end end'
      [ -z "$panel" ] || { type_line panel && expect '─ script'; }
      type_line "${deaf[$i]}"
      running=$(pid)
      wait_busy "$running"
      case $how in
      INT)
        for _ in 1 2 3; do
          key C-c
          sleep 0.1 # until the terminal has passed it on: two equal signals that are pending at the same time arrive as one
          wait_for 10 took_signals "$running"
        done
        expect_code 130
        expect 'ended by the third Ctrl-C'
        ;;
      TERM)
        kill -TERM "$(pid)"
        expect_code 143
        expect 'ended by SIGTERM'
        ;;
      HUP) kill -HUP "$(pid)" && expect_code 129 ;;
      esac
      check "$how leaves the alternate screen" [ "$(terminal display-message -p '#{alternate_on}')" = 0 ]
    done
  done
done
# also while the program exits: two Ctrl-C have no effect, the third ends it
start 80x24
ready
type_line 'for_ever = setmetatable({}, {__gc = function() print("lingers") while true do end end})'
running=$(pid)
type_line quit
expect '^lingers$'
for _ in 1 2; do
  kill -INT "$running"
  wait_for 10 took_signals "$running"
done
expect 'the third Ctrl-C ends lockstep'
check "two Ctrl-C do not end it" [ ! -s code ]
key C-c
expect_code 130

# odd terminals and locales
for setting in TERM=dumb LANG=C TERM=vt100 "TERM=no-such-terminal"; do
  start 80x24 "$setting"
  ready
  type_line '"in \xc3\xa9" .. #"x"'
  expect '^"in .*1"$'
  type_text 'gen.ri'
  key Tab
  expect 'gen.ring'
  key C-u
  key C-d
  expect_code 0
done

# a state folder that cannot be written is no error
start 80x24 XDG_STATE_HOME=/proc/none
ready
type_line '"no history"'
expect '^"no history"$'
key C-d
expect_code 0

finish
