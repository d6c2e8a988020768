# Going back in a stepped run, at the prompt.
. "$(dirname "$0")/tui.sh"

samples=$root/samples
cp "$samples/city.gr" .

start 100x40
ready
type_line 'load city.gr'
type_line 'start scc.forward_backward(g)'
expect '^before trim'
type_line 'step 3'
expect '^#3 trim '
type_line 's.mark:count(0xffffffff)'
expect '^362$'
type_line 'back 2'
expect '^#1 trim .* past \(#1 of #3\)$'
clear_screen
type_line 's.mark:count(0xffffffff)'
expect '^241$'
type_line 's.mark[7] = 7'
expect 'in the past \(#1 of #3\): `forward` first'
type_line 'back'
expect '^before trim .* past \(#0 of #3\)$'
key Enter # repeats `back`
expect 'reaches back to #0 and no further'
type_line 'step 2'
expect '^#2 trim .* past \(#2 of #3\)$'
type_text 'journ'
key Tab
sleep 0.2
key Enter
expect '^recorded: #0 to #3 \(2 stops back, 1 forward\)'
type_line 'forward'
expect '^#3 trim .* the present$'
# when did an expression first become true?
clear_screen
type_line 'back until s.mark:count(0xffffffff) > 300'
expect '^#2 trim .* past \(#2 of #3\), until$'
expect '^\(not true at the stop before, #1\)$'
type_line 'back until s.mark:count(0xffffffff) > 9999'
expect '^s.mark:count\(0xffffffff\) > 9999 is true at no stop from #0 to #2, where you look; `forward` leads to$'
type_line 'forward'
type_line 'back until s.mark:count(0xffffffff) > 9999'
expect '^s.mark:count\(0xffffffff\) > 9999 is true at no stop of the recording, #0 to #3$'
type_line 'back until no_such_name < 3'
expect '^nothing is called `no_such_name` at any stop of the recording, #0 to #3$'
type_line 'back 2'
type_line 'until trimmed == 4711' # the present stop itself does not count
expect '^#3 trim .* the present$'
expect '^.at no stop up to the present: trimmed == 4711; `until` once more runs on from here.$'
type_line 'back until'
expect 'back until what\? back until EXPR'
type_line 'back until g.n > 0'
expect '^\(true since the recording begins'
type_line 'forward'
# what has changed a value, and when?
clear_screen
type_line 'changes s.comp[17]'
expect '^s.comp\[17\]: changed 1 time$'
expect '^  #0          scc.lua:69  -  .its first value.$'
expect '^  #1    trim  scc.lua:69  17$'
type_line 'changes s.comp'
expect '^  #3    trim  scc.lua:69  u32\[5644\] .*\.\.\.$'
expect_unbroken 'changes of a buffer'
type_line 'back watch s.comp[17]'
expect '^#1 trim .* past \(#1 of #3\), watch: s.comp\[17\] - -> 17$'
key Enter # repeats `back`
expect '^s.comp\[17\] has not changed before that: the recording begins at #0$'
type_line 'changes'
expect '^changes of what\? changes EXPR'
type_text 'back wat'
key Tab
type_line ' nix'
expect '^nix has no value at any stop of the recording, #0 to #1: nothing is called `nix`$'
type_line 'forward'
clear_screen
type_line 'diff s.comp 0 1'
expect '^s.comp: 241 of 5644 differ between #0 and #1$'
expect '^  \[6\] - -> 6$'
expect '^  and 231 more$'
type_line 'diff s.comp 3'
expect '^s.comp: 0 of 5644 differ between #3 and #3$'
type_line 'diff s.mark'
expect '^s.mark: [0-9]+ of 5644 differ between #2 and #3$'
type_line 'diff s.mark 2 77'
expect 'the recording has no stop #77: it has #0 to #3'
type_line 'diff g.n 1 2'
expect 'diff compares a buffer with itself; .* is a number$'
type_line 'diff'
expect 'diff needs a buffer'
clear_screen
type_line 'until trimmed == 0'
expect '^#6 trim .* until$'
type_line 'back 5'
expect 'past \(#1 of #6\)'
type_line 'checkpoint city.ckpt'
expect 'in the past \(#1 of #6\)'
type_line 'forward'
type_line 'checkpoint city.ckpt'
expect '^iter 1 scc.lua:[0-9]+  checkpoint city.ckpt: 0\.[0-9]+ MiB$'
type_line 'checkpoint /dev/full'
expect 'no checkpoint: /dev/full: cannot write: No space left on device$'
type_line 'scc.forward_backward(g, {from = "city.ckpt"}).count'
expect '^461$'
type_line 'continue'
expect '^461 strongly connected components'
type_line 'journal off'
expect 'the journal is off'
finish
