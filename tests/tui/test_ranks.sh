# A prompt of several ranks: rank 0 has the terminal, the others follow.
. "$(dirname "$0")/tui.sh"
. "$root/tests/tui/ranks.sh"

start 100x40 OMP_NUM_THREADS=1 EDITOR=true -- --ranks 3 --patience 4
ready

# a line runs on all ranks
type_line 'x = buffer.new("u32", {ranks.rank}); all_reduce(x, 0); x'
expect '^u32\[1\].*: 3$'
type_line 'g = gen.uniform{n = 300, m = 2000, seed = 1, weights = "i32"}'
type_line 'r = fw(g) print(r.variant)'
expect '^rows$'
type_line 'check(r)'
expect '^true$'

# while rank 0 steps, the others run up to their next exchange
clear_screen
type_line 'start fw(g)'
expect '^before fill'
type_line 'break broadcast'
type_line 'continue'
expect '^#[0-9]+ broadcast .*\[3 ranks: kernels before it: rank [0-2] slowest'
type_line 'ranks.rank == 0 and 6 * 7 or error("no")' # a line at a stop runs only on rank 0
expect '^42$'
type_line 'delete 1'
type_line 'continue'
expect '^\(finished fw\(g\)\)$'
type_line 'start fw(g)' # if rank 0 abandons the run at a stop, the other ranks do so, too
expect '^before fill'
type_line 'step 2'
expect '^#2 '
type_line 'checkpoint day.ckpt'
expect 'would save only the state of rank 0'
type_line 'drop'
type_line 'fw(g).matrix:diff(r.matrix)'
expect '^0$'

# a stop shows the sum over all ranks and the slowest rank; stats has one line per rank
clear_screen
type_line 'piece = gen.uniform{n = ranks.rank + 2, m = 0, seed = 1}'
type_line 'function both() local s = state.scc(piece) for i = 1, 2 do trim(s) all_reduce(x, 2) end count_components(s.comp) count_components(s.comp) all_reduce(x, 2) end'
type_line 'start both()'
type_line 'step'
expect '^#1 trim .*\[3 ranks: trimmed 9, slowest [0-2]: '
type_line 'step 5'
expect '^#6 count_components .*\[3 ranks, 2 runs each since the last'
type_line 'continue'
type_line 'function some() if ranks.rank < 2 then fill(x, 1) end all_reduce(x, 2) end'
type_line 'start some()'
type_line 'step'
expect '^#1 fill .*\[3 ranks, 0 to 1 runs since the last exchange: slowest [01]: '
type_line 'continue'
# `back` also passes exchanges, whose contents came from other ranks
clear_screen
type_line 'function twice() fill(x, 2) all_reduce(x, 0) fill(x, 7) all_reduce(x, 0) end'
type_line 'start twice()'
type_line 'step 4'
expect '^#4 all_reduce '
type_line 'x[0]'
expect '^21$'
type_line 'back 2'
expect '^#2 all_reduce .*past'
type_line 'x[0]'
expect '^6$'
clear_screen
type_line 'forward 2'
expect '^#4 all_reduce '
type_line 'continue'
expect '^.finished twice'
type_line 'function late() if ranks.rank == 2 then os.execute("until [ -e go ]; do sleep 0.05; done") end fill(x, 1) all_reduce(x, 2) end'
type_line 'start late()'
type_line 'step'
expect '^#1 fill .*\[other ranks are still at work\]'
touch go
type_line 'continue'
expect '^.finished late'
type_line 'stats'
expect '^rank kernels ms exchange ms  waits ms       got$'
expect '^   2 '
expect '^rank [0-2] slowest: [0-9.]+ x mean; as of last exchange$'

# errors on all ranks, on one other rank, on one other rank while the rest waits for it
clear_screen
type_line 'error("all alike")'
expect 'all alike$'
type_line 'if ranks.rank == 1 then error("too warm") end'
expect '^rank 1: prompt:1: too warm$'
type_line 'if ranks.rank == 2 then error("too cold") end all_reduce(x, 0)'
expect '^prompt:1: all_reduce: rank 2 has failed$'
expect '^rank 2: prompt:1: too cold$'
[ "$(screen | grep -c '^[a-z].*all alike$')" = 1 ] || fail "an error of all ranks is told once"
[ "$(screen | grep -c 'rank 2 has failed')" = 1 ] || fail "what others say of a failed rank is left out"
type_line 'x = buffer.new("u32", {ranks.rank}); all_reduce(x, 2); x' # and the session continues
expect '^u32\[1\].*: 2$'
type_line 'if ranks.rank > 0 then all_reduce(x, 0) end' # an exchange in which rank 0 takes no part
type_line 'fill(x, 5) all_reduce(x, 0) return x[0]'
expect '^15$'

interrupt_ranks

# the shell and help run only on rank 0
clear_screen
type_line '!echo once >> lines.txt'
type_line 'all_reduce(x, 1) return "all here"' # after this exchange the others have passed that line, too
expect '^"all here"$'
type_line '!wc -l < lines.txt'
expect '^ *1$'

# an editor runs only on rank 0, and the other ranks have the edited file only after a line loads it
clear_screen
type_line 'new kernel degrees'
expect '^.loaded only on rank 0: `kernel.load."degrees.h".` loads it in all ranks.$'
type_line 'new algorithm lowest'
expect '^.loaded only on rank 0: `run lowest.lua` loads it in all ranks.$' 20
type_line 'run lowest.lua'
type_line 'x[0] = lowest(g).label:count(0) all_reduce(x, 1) return "least " .. x[0]'
expect '^"least [1-9][0-9]*"$' 20

hang_rank

# a rank dies: it is named, and the session continues
clear_screen
type_line 'if ranks.rank == 2 then os.execute("kill -9 $PPID") end'
type_line 'all_reduce(x, 0)'
expect 'all_reduce: rank 2 was ended by signal 9'
type_line '"still " .. 6 * 7'
expect '^"still 42"$'
key C-d
wait_for 10 has_code || fail "the prompt does not end"

# the panel
start 100x40 OMP_NUM_THREADS=1 -- --ranks 2
ready
type_line 'panel'
type_line 'x = buffer.new("u32", {ranks.rank + 1}); all_reduce(x, 0); x'
expect 'u32\[1\].*: 3'
type_line 'if ranks.rank == 1 then error("too warm") end'
expect 'rank 1: prompt:1: too warm'
type_line 'fill(x, 1) all_reduce(x, 0)'
type_line 'all_reduce(x, 0)'
expect 'rank [01] slowest: [0-9.]+ x mean; as of last exchange' # in the timing pane
type_line 'panel devices'
expect 'rank kernels ms exchange ms  waits ms       got'
type_line 'quit'
expect_code 0
finish
