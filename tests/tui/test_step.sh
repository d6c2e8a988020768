# A first session: load, step, stop, compare, check; then edit and source.
. "$(dirname "$0")/tui.sh"

samples=$root/samples
cp "$samples/city.gr" .

start 80x24
ready
complete 'load ci' 'load city.gr'
expect '^g = graph city.gr: [0-9]+ vertices'
type_line 'start scc.forward_backward(g)'
expect '^before trim'
type_line 'step'
expect '^#1 trim '
key Enter # repeats `step`
expect '^#2 '
type_line 's 2' # the algorithm has a local s, but `s 2` is not valid Lua
expect '^#4 '
type_line 'until trimmed == 0'
expect 'until trimmed == 0'
complete 'break spl' 'break split'
type_line 'c'
expect '^#[0-9]+ split .*break 1'
type_line 'where'
expect 'scc.forward_backward'
type_line 'delete 1'
type_line 'continue'
expect 'strongly connected components of'
clear_screen
type_line 'r = _'
type_line 'check(r)'
expect '^true$'
type_line 'start bfs(g, 0)' # the numbers of stops begin at 1 again
type_line 'step 2'
expect '^#2 deepen '
type_line 'panel'
expect ' #2 '
type_line 'panel buffers'
expect 's.level .* #1│'
type_line 'panel inspector'
expect 'written #1'
type_line 'panel off'
type_line 'drop'
type_line 'start'
expect 'start what'
clear_screen
type_line 'start scc' # a name without parentheses is not a call
expect '^scc is not a call: expected `start scc\(g\)`'
type_line 'start scc.forward_backward'
expect '^scc.forward_backward is not a call: expected `start scc.forward_backward\(g\)`'
type_line 'start g'
expect '^g is a graph, not a call: expected `start f\(args\)`, e.g. `start scc\(g\)`'
type_line 'start sccc'
expect '^there is no `sccc` .did you mean `scc`'
type_line 'start scc(x)' # an error before the first primitive does not stop the run, so names are still those of the prompt
expect 'expected a graph'
clear_screen
type_line 'g.n'
expect '^5644$'

# a LOOP that is started directly: its stops have its name, iter runs one iteration, and finish runs it to its end
cp "$samples/kernels/labels.h" .
type_line 'kernel.load("labels.h")'
expect 'primitive labels>'
type_line 'roads = gen.grid{6, 6}:permute(3); label = buffer.new("u32", roads.n); labels_first(label)'
clear_screen
type_line 'start labels(roads, label)'
expect '^before labels_lower in labels$'
type_line 'step'
expect '^#1 labels_lower .* in labels$'
type_line 'iter'
expect '^#2 labels_lower .* in labels$'
type_line 'iter'
expect '^#3 labels_lower .* in labels$'
type_line 'list'
expect '^the run is stopped in a loop of primitives, not in Lua: `\?\?NAME`'
clear_screen
type_line 'finish'
expect '^.finished labels.roads, label'
type_line 'function mine() labels_first(label) return (labels(roads, label)) end'
type_line 'start mine()'
expect '^before labels_first'
type_line 'iter'
expect '^.the run ended without another iteration mark'

# finish reports what happened; a finished run says how to look back; diff finds which buffer its argument names
cat >parts.lua <<'END'
local function part(s) trim(s) trim(s) end
function whole(g) local s = state.scc(g) part(s) trim(s) for i = 1, 3 do trim(s) end end
END
type_line 'run parts.lua'
type_line 'start whole(g)'
type_line 'step'
clear_screen
type_line 'finish'
expect '^before trim parts.lua:2  the function has returned$'
type_line 'diff comp'
expect '^diff compares a buffer with itself; comp is nil .did you mean `s.comp`'
type_line 'diff nothing_like_it'
expect 'nothing_like_it is nil$'
clear_screen
type_line 'iter' # the file has neither marks nor loops of primitives
expect '^.the run ended before the end of another iteration'
expect '^.finished whole'
# a mark shows integers in full, and floating-point numbers with six digits
type_line 'function marked() local b = buffer.new("u32", 4) for it in iterations() do fill(b, it.n) it:mark{load = 1 / 3, states = 12345678} if it.n == 2 then break end end end'
type_line 'start marked()'
clear_screen
type_line 'iter'
expect 'load 0.333333 states 12345678'
# marks are found even if the loop over iterations is in another file than the start of the run
type_line 'start simulate(model.load(model.sample "lotka-volterra"), {instances = 4, stop = 5, steps = 1, attempts = 2, method = "dopri5"})'
clear_screen
type_line 'iter'
expect '^iter 1 accepted [0-9]* left 4 '
# algorithms without marks: `iter` goes to the next layer of bfs, or to the next iteration of a loop; also in the recording
type_line 'start bfs(gen.grid(60, 60), 0)'
clear_screen
type_line 'iter 3'
expect '^#6 deepen .* bfs.lua:'
type_line 'iter'
expect '^#8 deepen .* bfs.lua:'
type_line 'back 5'
expect '^#5 visit .* past'
clear_screen
type_line 'iter'
expect '^#6 deepen .* past'
type_line 'iter'
expect '^#8 deepen .* past'
type_line 'start sssp(gen.grid(60, 60, {weights = {1, 9}}), 0)'
clear_screen
type_line 'iter'
expect 'take_bucket|raise_bound|relax_near'
# a line number without a file is a line of the file in which the run is stopped
cat >turns.lua <<'END'
function turns(g)
  local s = state.scc(g)
  for i = 1, 3 do
    trim(s)
  end
end
END
type_line 'run turns.lua'
type_line 'start turns(g)'
type_line 'step'
clear_screen
type_line 'tbreak 4 if i == 3'
type_line 'continue'
expect '^at turns.lua:4  tbreak'
type_line 'break 99'
expect '^turns.lua has 6 lines, there is no line 99'
type_line 'drop'
type_line 'break 4'
expect '^break 4: name the file too'
# the recording of a finished run is kept until something else runs
type_line 'start whole(g)'
type_line 'until false'
expect '^.the run ended, and this was true at no stop: false.$'
type_line 'back until i == 3'
expect '^#[0-9]+ trim .*  past .#[0-9]+ of #[0-9]+., until$'
type_line 'continue'
expect '^#[0-9]+ trim .* the run has ended$'
type_line 'step'
expect '^the run has ended and cannot go on: `back` returns'
type_line 'locals'
expect '^no locals: the run has ended$'
type_line 'ls'
expect '^the run has ended: `back` goes to its stops'
type_line 'diff s.mark 1 2'
expect '^s.mark: [0-9]+ of [0-9]+ differ between #1 and #2$'
clear_screen
type_line 'start whole(g)'
expect '^before trim'
type_line 'until false'
expect '^.the run ended, and this was true at no stop: false.$'
type_line 'back 2'
expect '^#[0-9]+ trim .* past'
type_line 'start whole(g)'
type_line 'step'
type_line 'finish'
type_line 'until false'
expect '^.finished whole'
type_line 'bfs(g, 0)'
for line in back 'back until g' forward 'diff g.off'; do
  clear_screen
  type_line "$line"
  expect '^whole.g. has ended, and its recording is gone: to look back, `start whole'
done
type_line 'start whole(g)'
type_line 'drop'
clear_screen
type_line 'back'
expect '^nothing is started'

# a watch without a value never stops, and a message says why; an undefined name in `until` is reported before the run starts
clear_screen
type_line 'watch s.depht'
type_line 'start bfs(g, 0)'
expect '^before visit'
type_line 'watch s.dpeth'
expect "^s.dpeth: a state bfs has no field 'dpeth'"
type_line 'until grown == 2'
expect '^#1 visit .*  until$'
type_line 'info break'
expect "s.depht  \(no value: a state bfs has no field 'depht'"
type_line 'watch s.level[2]'
type_line 'continue'
expect '^#3 visit .*  watch [0-9]+: s.level.2. - -> 2$'
type_line '{-(0/0), 0/0}'
expect '^.nan, nan.$'
type_line '0/0'
expect '^nan$'
clear_screen
type_line 'until grown > 2 and grown' # the value is shown if it is not just true
expect '  until: 3$'
type_line 'display 1 + 1, s.level[0], grown'
expect '^  1: 1 \+ 1, s.level.0., grown = 2, 0, 3$'
type_line 'undisplay'
clear_screen
type_line 'until frontir == 0'
expect '^.nothing is called `frontir` so far .did you mean `frontier`'
expect '^.watch [0-9]+ had no value: a state bfs has no field .depht'
type_line 'start bfs(g, 0)'
clear_screen
type_line 'until grwn == 0'
expect 'nothing is called `grwn` so far .did you mean `grown`'
type_line 'start scc.forward_backward(g)'
clear_screen
type_line 'until live and live < 5000' # `live` becomes a mark and a local only later
expect '^#.* until$'
expect_not 'nothing is called'
type_line drop
type_line 'delete all'
expect 'y/n'
type_line y
type_line 'compare cpu cpu:1'
type_line 'compare'
expect '^compare on: from now on each kernel runs on cpu and on cpu:1'
type_line 'scc(g).count == r.count'
expect '^true$'
type_line 'compare off'
expect '^compare off: each kernel runs once, on cpu, and nothing is compared. While it$'
expect '^ *was on: [1-9][0-9]* compared$'
clear_screen
type_line 'compare trim'
expect '^compare applies to all kernels, not only to trim'
type_line 'stats'
expect '^trim '

# Ctrl-C while an algorithm runs in an endless loop
clear_screen
type_line 'print("begun") while true do scc(g) end'
expect '^begun$'
key C-c
expect 'interrupted'
clear_screen
type_line 'drop'
type_line '"here"'
expect '^"here"$'

# in Lua without primitives, the first Ctrl-C says that it waits for a primitive
type_line 'function spin() local s = state.scc(g) trim(s) print("spins") while true do end end'
type_line 'start spin()'
expect '^before trim'
type_line 'continue'
expect '^spins$'
key C-c
expect 'stops at the next primitive; Ctrl-C again interrupts'
key C-c
expect 'interrupted$'

# a command that abandons a paused algorithm says so
clear_screen
echo 'ran = 5678' >script.lua
type_line 'start scc(g)'
expect '^before '
type_line 'run script.lua'
expect '^\(dropped scc\(g\)\)$'
type_line 'ran'
expect '^5678$'

# a place where a run cannot stop is reported
type_line 'start table.sort({3, 1, 2}, function(a, b) trim(state.scc(g)) return a < b end)'
expect 'no stop is possible inside a C function, which called [0-9]+ primitives'
type_line 'start math.max(1, 2)'
expect '^\(finished math.max\(1, 2\): it called no primitive to stop at\)$'

# an error in a started algorithm stops the run there
clear_screen
type_line 'function bad(g) local passes, s = 2, state.scc(g) trim(s) passes = passes * 321 trim(s, passes) return 1 end'
type_line 'start bad(g)'
expect '^before trim'
type_line 'continue'
expect '^error prompt:1 .*it cannot go on'
expect '^prompt:1: trim: too many arguments'
clear_screen
type_line 'passes'
expect '^642$'
type_line 'where'
expect '0 +prompt:1 +bad$'
type_line 'continue'
expect 'the run ended by an error and cannot go on: prompt:1: trim: too many arguments'
type_line 'panel timing'
expect ' ERROR it cannot go on'
type_line 'panel off'
type_line 'start bad(g)'
expect '^\(dropped bad\(g\)\)$'
type_line 'break error off'
clear_screen
type_line 'continue'
expect '^prompt:1: trim: too many arguments'
type_line 'where'
expect '^nothing is started'
type_line 'break error'

# a path may have any character
type_line "trace save \"it's a ]==] \\ path.json\""
type_line '"saved " .. 1'
expect '^"saved 1"$'
check "the trace is where it was asked for" grep -q displayTimeUnit "it's a ]==] \\ path.json"
type_line "compare \"cpu'\" cpu:1"
expect "no device .*cpu'"

# a local takes precedence over a command's letter if the line is valid Lua; the full name and :s are the command
clear_screen
type_line 'function f() local s, d, q = {5}, 6, 7 local t = state.scc(g) trim(t) trim(t) trim(t) return s, d, q end'
type_line 'start f()'
expect '^before '
type_line 's'
expect '^\[5\]$'
expect '^\(s is a variable of the algorithm here; the command is `:s`, `step` or `n`\)$'
type_line 'd + q'
expect '^13$'
type_line 's 1'
expect '^#[0-9]+ trim .* trimmed 241 '
type_line ':s'
expect '^#[0-9]+ trim .* trimmed 241->74 '
type_line 'step'
expect '^#[0-9]+ trim .* trimmed 74->47 '
type_line 'break trim'
expect '^break [0-9]+: trim'

# a loaded graph becomes a global, also if the algorithm has a local of that name
type_line 'load city.gr as q'
expect '^q = graph'
expect '^\(at this stop q is a variable of the algorithm; the loaded graph is _G.q\)$'
type_line 'q + 1000, _G.q.n'
expect '^1007$'
expect '^5644$'

# a table is shown with its contents
type_line 'display t.mark:totable()'
expect '= \[[0-9, ]+\.\.\. 56[0-9]+ more\]$'
type_line 'display {a = 1, b = {2, 3}}'
expect '= \{a = 1, b = \[2, 3\]\}$'
type_line 'undisplay all'

# deleting all breakpoints and leaving both ask for confirmation
type_line ':d'
expect '^Delete break [0-9]+ \(trim\)\?$'
expect '^y/n>'
type_line 'n'
expect '^\(not done: :d\)$'
type_line 'watch 1'
type_line 'delete all'
expect '^Delete all 2 breakpoints and watches\?$'
key C-c
clear_screen
type_line 'break'
expect 'watch +1$'
type_line 'delete'
type_line 'yes'
clear_screen
type_line 'break'
expect '^no breakpoints'
type_line 'delete all' # nothing to delete, so no question
expect '^.no breakpoints or watches: nothing to delete.$'
type_line 'undisplay'
expect '^.no displays: nothing to remove.$'
clear_screen
type_line 'quit 5'
expect '^f\(\) is stopped and will be dropped. Quit\?$'
type_line '6 * 7' # a line like any other
expect '^42$'
type_line 'quit 5'
type_line 'y'
expect_code 5

start 80x24
ready
type_line 'start scc(gen.ring(5))'
expect '^before '
key C-d
expect 'Quit\?$'
expect '^y/n>'
key C-d
expect_code 0
expect 'paused algorithm'

# a second request to leave counts as yes
start 80x24
ready
type_line 'start scc(gen.ring(5))'
expect '^before '
type_line 'quit'
expect '^y/n>'
type_line 'exit'
expect_code 0

# edit copies a shipped file to the user's folder, and loads it after editing
cat >editor.sh <<'END'
sed -i '$i edited = 4321' "$1" # before the last line, which returns the module
END
start 80x24 "EDITOR='sh $PWD/editor.sh'"
ready
type_line 'start scc(gen.ring(5))'
expect '^before '
type_line 'edit scc'
expect '^\(dropped scc\(gen.ring\(5\)\)\)$'
expect 'scc.lua is loaded'
expect '`restore scc` brings the shipped one back'
type_line 'edited'
expect '^4321$'
type_line 'check(scc(gen.ring(5)))' # check returns true and prints what it verified
expect '^true$'
expect '^.proved: 5 edges, no cycle between two components'
type_line 'scc = 5'
type_line 'restore scc'
expect '^.everything that scc/scc.lua defines is restored as shipped.$'
expect '^.your copy .*/scc.lua is kept:'
type_line 'scc(gen.ring(5)).count + 1000'
expect '^1001$'
check "the copy is the user's" grep -q edited "$HOME/.local/share/lockstep/scc/scc.lua"

# an unchanged copy is removed; a kernel whose name exists asks first
start 80x24 "EDITOR=true"
ready
type_line 'edit bfs'
expect '^.nothing was changed: the shipped version stays.$'
check "no copy is left" [ ! -e "$HOME/.local/share/lockstep/graph/bfs.lua" ]
type_line 'new kernel trim'
expect '^The new kernel will replace the kernel trim. Write it.$'
type_line 'n'
expect '^.not done: new kernel trim.$'
check "nothing was written" [ ! -e trim.h ]

# source runs commands and Lua, and stops at the first failure
printf 'a = 1\nhelp quit\nerror("on purpose")\na = 2\n' >lines
type_line 'source lines'
expect 'lines:3: on purpose'
type_line 'a + 700'
expect '^701$'

# a loop with repeated and skipped steps: stepped, it has the same results as unstepped
cat >program.lua <<'END'
function go()
  local g = gen.uniform{n = 300, degree = 3, seed = 1, weights = "i32", lo = 1, hi = 1000}
  local p = policy.new(g)
  local s = p.state
  fill(s.bound, math.mininteger)
  policy.connect(p)
  policy_first(s, p.edges)
  local r = table.pack(policy_iterate(s, p.edges, {begun = true}))
  return ("%d/%d after %d iterations"):format(s.p[s.region[0]], s.q[s.region[0]], r[r.n])
end
END
type_line 'dofile("program.lua")'
type_line 'go()'
expect '^"751/6 after 10 iterations"$'
type_line 'start go()'
expect '^before '
type_line 'tbreak policy_land'
type_line 'continue'
expect '^#[0-9]+ policy_land .*eliminated [0-9]+ '
type_line 'step'
expect 'policy_land .*eliminated [0-9]+->[0-9]+'
type_line 'continue'
expect 'finished go'
expect '^"751/6 after 10 iterations"$'

# a loop without primitives: its iterations are the steps; here each iteration is one optimisation of bytecode
clear_screen
type_line 'm = model.load(model.sample "luo-rudy-1991")'
type_line 'start m:phases()'
expect '^iter 1 step base divergent [1-9][0-9]* phases 5 requests [0-9]+ sectors [0-9]+ threads 40$'
type_line 'iter'
expect '^iter 2 step reorder .* phases 5 '
type_line 'until divergent == 0'
expect '^iter 4 step redundant divergent 0 phases 5 '
expect '^bytecode_phases.lua:[0-9]+  until$'
type_line 'panel phases'
expect 'phases: b, redundant, '
expect '> redundant +5 +0 '
expect_not ' unify +5 '
type_line 'iter 2'
expect 'phases: b, merge, '
expect '> merge +3 +0 '
type_line 'back'
expect '> redundant +5 +0 '
type_line 'panel off'
clear_screen
type_line 'continue'
expect '^sum +3 +35'
expect 'finished m:phases'

# time
type_line 'time 1 + 1'
expect '^[0-9.]+ us: kernels 0.0 us, copies 0.0 us, allocation 0.0 us, host [0-9.]+ us$'
finish
