# A user's kernels, from the command line: commands, missing compilers, the cache, Ctrl-C. Needs no tmux.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
export HOME=$folder TMPDIR=$folder/tmp XDG_CACHE_HOME=$folder/cache
unset CC CXX
mkdir "$TMPDIR"
cd "$folder" || exit 1
failures=0

failed() {
  echo "FAILED: $1"
  sed 's/^/  /' out err
  failures=$((failures + 1))
}
# wants WHAT PATTERN: the output contains PATTERN
wants() { grep -Eq -- "$2" out err || failed "$1: expected $2"; }
run() { "$program" --backend cpu "$@" >out 2>err; }
now() { date +%s%N; }

# new and edit: an editor that changes nothing, one that breaks the kernel, one that repairs it
export EDITOR=true
run -e 'new kernel degrees' -e 'g = gen.grid{3, 3}' -e 'out = buffer.new("u32", 9)' -e 'degrees(g, out)' -e 'out:sum()' || failed 'new kernel'
wants 'new kernel' 'degrees.h is loaded'
wants 'new kernel' '^24$'
grep -q 'loops go on' err && failed 'a kernel that no loop has'
run -e 'kernel.load("degrees.h")' || failed 'kernel.load at the prompt'
wants 'kernel.load at the prompt' '^<primitive degrees>$'
run -e 'new kernel trim' || failed 'new kernel trim'
wants 'new kernel with the name of a shipped one' 'it replaces the kernel trim'
run -e 'kernel.load("trim.h")' -e '??trim' -e 'restore trim' -e '??trim' -e 'restore nothing_like_it' && failed 'restore'
wants 'restore' '^.trim is the shipped kernel.$'
wants 'restore what was not shipped' 'no primitive called nothing_like_it was built in'
rm trim.h
run -e '??order_fix' || failed 'the source of a loop'
wants 'the source of a loop' '^    STEP.order_level.$'
wants 'the source of a loop' '^    SWAP.front, front_next.$'
run -e 'new kernel scc' && failed 'new kernel with the name of a table'
wants 'new kernel with the name of a table' 'new kernel scc: something has that name already'
[ ! -e scc.h ] || failed 'new kernel with the name of a table leaves a file'
run -e 'new kernel degrees' && failed 'new kernel where the file is'
wants 'new kernel where the file is' 'degrees.h already exists'
for name in 9lives '../x' A 'a b'; do
  run -e "new kernel $name" && [ "$name" != 'a b' ] && failed "new kernel $name"
done
[ -e ../x.h ] && failed 'a file above'
EDITOR="sed -i 's/degree;/degre;/'" run -e 'kernel.load("degrees.h")' -e 'edit degrees' && failed 'edit: an error'
wants 'edit: an error' "degrees.h:13: 'degre' undeclared"
EDITOR="sed -i 's/degre;/2 * degree;/'" run -e 'edit degrees.h' -e 'g = gen.grid{3, 3}' -e 'out = buffer.new("u32", 9)' \
  -e 'degrees(g, out)' -e 'out:sum()' || failed 'edit'
wants 'edit' '48'
run -e 'edit trim' || failed 'edit a shipped kernel'
wants 'edit a shipped kernel' 'trim.h is loaded'
wants 'loops keep the shipped one' '^.these loops still run the shipped trim: trim_fix\. A direct call of trim\(\.\.\.\) runs yours.$'
run -e 'edit no_such_kernel' && failed 'edit what is not there'
wants 'edit what is not there' 'there is no no_such_kernel.lua, no_such_kernel.h or no_such_kernel.dve here'
rm -f trim.h

# edit finds a file that `new` has written by its name, loaded or not, and opens it at the line of the last error
mkdir bin
printf '#!/bin/sh\necho "opens $*"\n' >bin/vi
printf '#!/bin/sh\necho "opens $*"\n' >bin/own
chmod +x bin/vi bin/own
export EDITOR="sed -i 's/degree;/degre;/'"
run -e 'new kernel walk' && failed 'new kernel with an error'
run -e 'new kernel trim' && failed 'new kernel with an error and a shipped name'
EDITOR=true run -e 'new algorithm near' || failed 'new algorithm'
EDITOR="sed -i 's/local/locl/'" run -e 'new algorithm far' && failed 'new algorithm with an error'
export EDITOR="$PWD/bin/vi"
printf 'edit walk\nedit walk\nedit trim\nedit trim\nedit far\nedit near\nedit far\n' | run
grep opens out | tr '\n' ';' >seen
[ "$(cat seen)" = 'opens walk.h;opens +13 walk.h;opens trim.h;opens +13 trim.h;opens far.lua;opens near.lua;opens +44 far.lua;' ] ||
  failed "edit opens $(cat seen)"
printf 'kernel.load("walk.h")\nedit walk.h\nrun far.lua\nedit far\n' | run
wants 'edit after kernel.load' '^opens \+13 walk.h$'
wants 'edit after run' '^opens \+[0-9]+ far.lua$'
printf 'kernel.load("walk.h")\nedit walk\n' | EDITOR="$PWD/bin/own -x" run
wants 'an editor that may not know +LINE' '^opens -x walk.h$'
wants 'an editor that may not know +LINE' '^.the error is in line 13.$'
cp far.lua walk.lua
printf 'edit walk\n' | run && failed 'edit of two files'
wants 'edit of two files' 'there are walk.lua and walk.h here: edit one of them by its whole name'
rm walk.* far.lua near.lua trim.h
export EDITOR=true
rm -f x.h A.h a.h

# the kernel over a frontier in `help domains` works unchanged
run -e 'help domains'
sed -n '/#include/,/^  }/p' out >spread.h
run -e 'kernel.load("spread.h")' -e 'g = gen.grid{3, 3}' \
  -e 's = bundle{seen = buffer.new("u32", 9), front = buffer.new("u32", 10), next = buffer.new("u32", 10)}' \
  -e 's.front[0], s.front[1] = 1, 4' -e 'spread(g, s)' -e 's.next' -e 'table.concat(s.seen:totable())' || failed 'help domains'
wants 'the kernel of help domains' '^4$'
wants 'its queue' 'queue of 4:'
wants 'what it marks' '^"010101010"$'

# new algorithm: the file works unchanged, verifies its results, rejects a wrong one, and can be stepped
run -e 'new algorithm lowest' -e 'g = gen.grid({20, 30, one_way = 0.7}):permute(1)' -e 'r = lowest(g)' -e 'check(r)' -e 'r' \
  -e 'r:members(0)' -e 'lowest.spec()' -e 'start lowest(g)' -e 'iter' -e 'break lowest_pass if changed == 0' -e 'continue' \
  -e 'continue' -e 'compare cpu cpu:1' -e 'check(lowest(g))' -e 'r.label[7] = 7' || failed 'new algorithm'
wants 'new algorithm' 'lowest.lua is loaded'
wants 'its proof' "^\(proved: lowest's own check finds no mistake\)$"
wants 'its result' '^labels: [0-9]+, vertices: 600, passes: [0-9]+$'
wants 'its spec' '^lowest: 50 graphs, every result proved right$'
wants 'its mark' '^iter 1 changed [0-9]+ lowest.lua:'
wants 'its stop' '^#[0-9]+ lowest_pass .* changed [0-9]+->0'
[ "$(grep -c '^true$' out)" = 2 ] || failed 'the proof of a result'
run -e 'run lowest.lua' -e 'r = lowest(gen.ring(4))' -e 'r.label[2] = 2' -e 'check(r)' && failed 'a wrong result is accepted'
wants 'a wrong result' 'check: vertex 2 has the label 2, expected 0'
sed 's/theirs < least/theirs < least \&\& v != 49/' lowest.lua >wrong.lua # a spec that fails names its graph
run -e 'run wrong.lua' -e 'lowest.spec()' && failed 'a spec of a wrong kernel'
wants 'a spec of a wrong kernel' 'graph ring.50.: 50 vertices, [0-9]+ edges, no weights, which is now lowest.wrong: .*check: vertex 49 has'
sed 's/least = mine;/least = min;/' lowest.lua >broken.lua # a compile error ends the run instead of pausing it
run -e 'run broken.lua' && failed 'a script whose kernel is wrong'
wants 'a script whose kernel is wrong' "^broken.lua:[0-9]+: 'min' undeclared"
grep -q 'cannot go on' out err && failed 'a stop at a text that does not compile'
awk 'length > 79' lowest.lua >wide
[ ! -s wide ] || failed "lines of more than 79 columns: $(cat wide)"
run -e 'run lowest.lua' -e '?lowest' -e '??lowest' || failed 'help for an own algorithm'
wants 'its help' '^lowest\(g, options\)   \(lowest.lua:[0-9]+\)'
wants 'its text' '^  .*for every vertex the least vertex that reaches it\.'
wants 'its source' '^ *[0-9]+    __call = function'
run -e 'run lowest.lua' -e 'lowest(gen.path(9), {limit = 1})' && failed 'a limit that is too low'
wants 'a limit that is too low' 'lowest: limit = 1 is too low'
run -e 'edit lowest.lua' -e 'lowest.spec()' || failed 'edit an algorithm'
run -e 'new algorithm lowest' && failed 'new algorithm where the file is'
wants 'new algorithm where the file is' 'lowest.lua already exists'
run -e 'new algorithm scc' && failed 'new algorithm of a name that is taken'
wants 'new algorithm of a name that is taken' 'something has that name already'
run -e 'new algorithm 9' && failed 'new algorithm 9'
wants 'new algorithm 9' 'expected small letters, digits and _'
run -e 'new algorithm' && failed 'new algorithm without a name'
wants 'new algorithm without a name' 'new algorithm NAME$'
# new model: the file works unchanged, and errors in it are reported after it is edited
run -e 'new model pages' -e 'm = model.load("pages.dve")' -e 'r = explore(m)' -e 'r:check("assert")' -e 'check(r)' -e 'r' \
  -e 'r:trace("printer.busy and paper == 0")' -e 'ocr(r.graph, {max = true})' || failed 'new model'
wants 'new model' 'no mistake found; m = model.load\("pages.dve"\) loads it'
wants 'its states' '^pages.dve: 34 states, 42 transitions'
wants 'its trace' '^a shortest run to printer.busy and paper == 0: 8 steps'
run -e 'new model pages' && failed 'new model where the file is'
sed -i 's/^system/sstem/' pages.dve
run -e 'edit pages.dve' && failed 'edit a wrong model'
wants 'edit a wrong model' "^pages.dve:[0-9]+:1: .*did you mean system"
run -e 'new proof x' && failed 'new of something else'
wants 'new of something else' 'new kernel NAME, new algorithm NAME, new model NAME$'

# bounds
run --bounds -e 'kernel.bounds()' -e 'kernel.bounds("trim")' -e 'scc(gen.grid{3, 3}).count' || failed '--bounds'
wants '--bounds' '^"on"'
run -e 'bounds' -e 'bounds trim on' -e 'kernel.bounds("trim")' -e 'bounds off' -e 'bounds' || failed 'bounds'
wants 'bounds' '^bounds own: .* a kernel of your own .*shipped kernels are not checked and lose no time$'
wants 'bounds trim on' '^bounds trim: it is checked: .*; the check takes time$'
wants 'bounds off' '^bounds off: no kernel is checked'
run -e 'bounds on' -e 'bounds trim off' -e 'bounds' -e 'bounds own' -e 'bounds' || failed 'bounds on'
wants 'bounds on' '^bounds on: .* any kernel .* 2.5 times as long$'
wants 'one kernel apart' '^  but bounds trim: off$'
[ "$(cat out err | grep -c '^  but')" = 1 ] || failed 'what was said of one kernel stays'
run --json -e 'bounds' || failed 'bounds, for a program'
wants 'bounds, for a program' '^"own"$'
run -e 'bounds perhaps' && failed 'bounds perhaps'
wants 'bounds perhaps' "^bounds .*: no kernel is called 'perhaps'"
run -e 'bounds trim perhaps' && failed 'bounds trim perhaps'
wants 'bounds trim perhaps' "^bounds trim: expected on or off, got 'perhaps'"

# races
run --races -e 'races' -e 'kernel.races("trim")' -e 'scc(gen.grid{3, 3}).count' || failed '--races'
wants '--races' '^"on"'
run -e 'races' -e 'races trim on' -e 'kernel.races("trim")' -e 'races off' -e 'races' || failed 'races'
wants 'races' '^races off: no kernel is checked for races, which costs nothing$'
wants 'races trim on' '^races trim: it is checked for races: .* one thread, with 96 bytes'
run -e 'races on' || failed 'races on'
wants 'races on' '^races on: two threads .* any kernel .*one thread.* 8 times as long'
run -e 'races own' && failed 'races own'
wants 'races own' "^races \\[NAME\\] \\[on | off\\]: no kernel is called 'own'"
run -e 'races trim perhaps' && failed 'races trim perhaps'
wants 'races trim perhaps' "^races trim: expected on or off, got 'perhaps'"

# no compiler: a message; the session goes on
cp degrees.h copy.h
CC=/nowhere/cc run -e 'kernel.load("copy.h")' && failed 'no compiler'
wants 'no compiler' 'there is no such compiler'
PATH=/nowhere run -e 'kernel.load("copy.h")' && failed 'no compiler on the PATH'
wants 'no compiler on the PATH' 'no C compiler is on the PATH'
sed -i 's/2 \* degree/3 * degree/' copy.h
CXX=/nowhere/c++ run -e 'kernel.load("copy.h")' -e 'out = buffer.new("u32", 9)' -e 'degrees(gen.grid{3, 3}, out)' \
  -e 'out:sum()' ||
  failed 'no C++ compiler'
wants 'no C++ compiler' 'degrees runs unchecked'
wants 'no C++ compiler' '72'

# the cache: compiled kernels are reused, damaged files are replaced, and a cache that cannot be written is no error
script='kernel.load("copy.h"); out = buffer.new("u32", 9); degrees(gen.grid{3, 3}, out); print(out:sum())'
run -e "$script" || failed 'the first time'
count=$(find cache/lockstep/kernels -name '*.so' | wc -l)
begin=$(now)
CC=cc run -e "$script" || failed 'from the cache'
[ "$(find cache/lockstep/kernels -name '*.so' | wc -l)" = "$count" ] || failed 'the cache is not used again'
for file in cache/lockstep/kernels/*.so; do
  head -c 1000 "$file" >cut && cat cut >"$file"
done
run -e "$script" || failed 'a cache that was cut short'
wants 'a cache that was cut short' '72'
for file in cache/lockstep/kernels/*.so; do
  printf 'xxxx' | dd of="$file" bs=1 seek=4000 conv=notrunc 2>/dev/null
done
run -e "$script" || failed 'a cache that was changed'
wants 'a cache that was changed' '72'
mv cache kept
touch cache
run -e "$script" || failed 'no cache'
wants 'no cache' '72'
rm cache
mv kept cache
chmod 777 cache/lockstep/kernels
run -e "$script" || failed 'a cache where others may write'
wants 'a cache where others may write' '72'
chmod 700 cache/lockstep/kernels
for i in 1 2 3 4; do # the cache holds at most 64 MiB: the oldest files are removed
  head -c 20000000 /dev/zero >"cache/lockstep/kernels/0000000000000000000000000000000$i.so"
  touch -d "2001-01-0$i" "cache/lockstep/kernels/0000000000000000000000000000000$i.so"
done
sed -i 's/3 \* degree/4 * degree/' copy.h
run -e "$script" || failed 'a full cache'
wants 'a full cache' '96'
[ -e cache/lockstep/kernels/00000000000000000000000000000001.so ] && failed 'the oldest file of a full cache is there still'
[ -e cache/lockstep/kernels/00000000000000000000000000000004.so ] || failed 'the newest file of a full cache is gone'
[ -z "$(ls "$TMPDIR")" ] || failed "temporary files are left: $(ls "$TMPDIR")"

# Ctrl-C ends a kernel that does not end (test_interrupt.sh tests that the session continues)
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
for form in on off; do
  printf 'kernel.load("endless.h")\nbounds endless %s\nout = buffer.new("u32", 5)\nprint("begin") io.stdout:flush() endless(out)\n' $form >in.txt
  : >out
  "$program" --backend cpu -i <in.txt >out 2>err &
  child=$!
  wait_for 30 said out begin
  wait_busy $child # the bounds-checked variant has been compiled
  begin=$(now)
  kill -INT $child
  wait $child
  took=$((($(now) - begin) / 1000000))
  wants "an endless kernel, bounds $form" 'interrupted'
  [ $took -lt 3000 ] || failed "an endless kernel, bounds $form, ended after $took ms"
done
# a fault ends only the launch: the recording up to it is intact, and the session continues
cat >fault.h <<'END'
#include "language/kernel.h"
PRIM(fault, FAULT_ARGS, UNTYPED, ELEMENT, "k", EXACT, "", "", "fault{x = ..., by = ...}: x / by.")
#define FAULT_ARGS(A, W) A(INOUT, u32, x, "k") A(VALUE, u32, by, "1")
ARGS(fault, FAULT_ARGS)
ELEMENT_BODY(fault) { UNUSED_BODY; a->x[i] /= a->by; }
END
run <<'END' && failed 'a fault'
kernel.load "fault.h"
x = buffer.new("u32", 5)
function f() fill(x, 8) fill(x, 42) fault{x = x, by = 0} end
start f()
step
step
step
journal
back
back
"then " .. x[0]
forward
"now " .. x[0]
drop
fault{x = x, by = 2}
"halved " .. x[0]
END
wants 'a fault' "fault: an integer was divided by zero.* at element 0; the kernel's outputs are restored"
wants 'a fault and the recording' '^recorded: #0 to #2'
wants 'a fault and the past' '^"then 8"$'
wants 'a fault and the present' '^"now 42"$'
wants 'a fault and the next launch' '^"halved 21"$'
[ $failures = 0 ] && echo "kernels: fine"
exit $((failures > 0))
