# Without a terminal: scripts, filters, exit codes, output streams. Needs no tmux.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
unset XDG_CACHE_HOME
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder
cd "$folder" || exit 1
failures=0

# case CODE STDOUT STDERR-PATTERN ARGUMENTS...; standard input is $input
input=
try() {
  local code=$1 out=$2 err=$3 got
  shift 3
  printf '%s' "$input" | "$program" "$@" >out 2>err
  got=$?
  if [ $got != "$code" ] || [ "$(cat out)" != "$out" ] || { [ -n "$err" ] && ! grep -Eq -- "$err" err; } ||
    { [ -z "$err" ] && [ -s err ]; }; then
    echo "FAILED: lockstep $* (standard input: $input)"
    echo "  exit code $got, expected $code"
    sed 's/^/  out: /' out
    sed 's/^/  err: /' err
    failures=$((failures + 1))
  fi
}

echo 'print(arg[0], ...) return 1' >args.lua
echo 'error("deliberate")' >bad.lua
printf 'p sp 2 1\na 1 9 5\n' >bad.gr

try 0 "args.lua	x	--json" '' args.lua x --json
try 0 "2" '' -e '1 + 1'
try 0 "" '' -e 'x = 1;'
try 0 "[1,{\"a\":true}]" '' --json -e '{1, {a = true}}'
try 0 "null" '' --json -e '0/0'
try 0 "a,b
1,
2,\"x,y\"" '' --csv -e '{{a = 1}, {a = 2, b = "x,y"}}'
try 0 "1,2
3,4" '' --csv -e '{{1, 2}, {3, 4}}'
try 0 "{\"a\":1}
{\"a\":2}" '' --json -e 'setmetatable({{a = 1}, {a = 2}}, {__tostring = tostring})'
try 0 '["a\n\"b", 1.5, true, {}]' '' -e '{"a\n\"b", 1.5, true, {}}'
try 0 '{[1.5] = 1, a = {b = {c = {d = {}, e = [...]}}}, ["end"] = 2}' '' -e '{[1.5] = 1, ["end"] = 2, a = {b = {c = {d = {}, e = {1}}}}}'
try 0 "$(printf '"%.0sx' 1; printf 'x%.0s' $(seq 3999); printf '"... (5000 bytes)')" '' -e 'string.rep("x", 5000)'
try 0 "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
 28, 29, 30]" '' -e 't = {} for i = 1, 30 do t[i] = i end return t'
try 0 "5" '' -e 'x = 5' -e 'x'
try 1 "" 'deliberate' bad.lua
try 1 "" 'deliberate' -e 'error("deliberate")'
try 1 "" 'unfinished' -e 'x ='
# an error that the library raises names the line that called it, not a line of the library
model='r = simulate(model.from_text "x'"'"' = 1 \n x(0) = 0", {stop = 4})'
try 1 "" "^-e:1: text has no variable 'Q'" -e "$model" -e 'x = r.Q'
try 1 "" '^-e:1: simulate: no method is called .foo' -e 'x = simulate(model.from_text "x = 1", {method = "foo", stop = 3})'
try 1 "" '^-e:2: state 500 is not below the number of states' -e 'r = explore(model.load(model.sample "queue"))' -e '
x = r:state(500)'
try 1 "" '^-e:1: the matrix of 1048576 x 1048576 elements takes [0-9]+ bytes, but' -e 'x = fw(gen.ring{1 << 20})'
try 1 "" '^graph/bfs.lua:[0-9]+: attempt to' -e 'algorithm.graph = nil' -e 'bfs(gen.ring{3}, 0)'
printf 'local function f() error("mine") end\nf()\n' >scc.lua
try 1 "" '^scc.lua:1: mine' scc.lua
rm scc.lua
try 2 "" 'unknown option --nonsense' --nonsense
try 2 "" '--color needs' --color sometimes
try 3 "" 'no_such_file.lua' no_such_file.lua
try 3 "" 'bad.gr:2' -e 'load bad.gr'
try 3 "" 'nowhere.gr' -e 'graph.load("nowhere.gr")'
try 4 "" 'cuda:77' --backend cuda:77
try 0 "cpu:1" '' --backend cpu:1 -e 'print(device().name or device())'

input='x = 3
for i = 1, 2 do
  print(i * x)
end
x + 100
'
try 0 "3
6
103" '' 
input='print("from stdin")'
try 0 "from stdin" '' -
input='y = nil + 1
print("goes on")
'
try 1 "goes on" 'stdin:1: attempt to perform arithmetic on a nil value'
input='x = {'
try 1 "" 'stdin:1:.*eof'
input='1 +
2
6 * 7 ==
  42 and
  "so"
'
try 0 '3
"so"' ''
# the contents of a pipe are one block, like a paste: a local is visible in later lines, and a line that cannot begin a
# statement continues the previous one, also across comments; the value of each statement is shown
input='1 + 1
local c, s <const> = 4, "so"

-- `c` is a command elsewhere
c * 10'
try 0 "2
40" ''
input='t = setmetatable({n = 1}, {__index = {add = function(t, k) t.n = t.n + k return t end}})
t
  :add(2)

  -- and once more
  :add(
    39
  )
  .n
y = 5 == 5
  and "yes"
y
"a"
.. "b"
x = 1
  + 1
x, y = 5
, 6
x
  , y
function f(a)

  local sum = 0

  for _, k in ipairs(a) do
    sum = sum + k

  end
  return sum
end
f(
{1,
 2}
)'
try 0 '42
"yes"
"ab"
5
6
3' ''
input='local a = 1
a
help quit
b = 2
a.x
b'
try 1 "1
command quit [CODE]
  Leaves; so do \`exit\` and Ctrl-D. At a terminal it asks first, if an algorithm is stopped.
2" 'stdin:5: attempt to index a nil value .global .a.'
grep -q '^(a was a local variable of lines that have run' err || { echo "FAILED: a local that has ended: $(cat err)"; failures=$((failures + 1)); }
got=$(printf 'start scc(gen.ring{5})\nstep\nx = 7\nwhere\n!echo shell\n\n?quit\n:print x' | "$program" 2>&1 | cut -c1-11)
[ "$(sed 's/^\(#1 fill\) .*/\1/' <<<"$got")" = 'before fill
#1 fill
#1 fill
  0  scc.lu
  1  scc.lu
shell
command qui
  Leaves; s
7' ] || { echo "FAILED: commands between lines of Lua: $got"; failures=$((failures + 1)); }
input='print(1)
nothing.x
!echo 2
help no_such_thing
print(3)
for i = 1, 3 do
  print(i)
'
try 1 "1
2
3" 'stdin:6: the statement that begins here is unfinished'
grep -q '^stdin:2: attempt to index' err || { echo "FAILED: the line of an error: $(cat err)"; failures=$((failures + 1)); }
input='print(1)

local x = {
  5,
'
try 1 "1" 'stdin:3: the statement that begins here is unfinished'
input='local x = 1

error("deliberate")
print(x)'
try 1 "" '^stdin:3: deliberate'
input='x = 1
  :foo()
y = 2
.. +
y'
try 1 "2" 'stdin:4: unexpected symbol near .\.\.'
printf 'x = 1\n\ny = 2\0\nprint(x)\n' | "$program" >out 2>err
[ $? = 3 ] && grep -q '^stdin:3: expected a line of text, found a byte 0$' err && [ ! -s out ] ||
  { echo "FAILED: a byte 0 on standard input: $(cat out err)"; failures=$((failures + 1)); }
"$program" <&- >out 2>err
[ $? = 3 ] && grep -q '^stdin: cannot be read: ' err || { echo "FAILED: no standard input: $(cat err)"; failures=$((failures + 1)); }
# -e, source and a file treat lines in the same way
block='n = 1
local k = n + 1
k
help quit
"a"
  .. ("b")
  :upper()'
printf '%s\n' "$block" >block.txt
for how in pipe file source e; do
  case $how in
  pipe) "$program" <block.txt ;;
  file) cat block.txt | "$program" ;;
  source) "$program" -e 'source block.txt' ;;
  e) "$program" -e "$block" ;;
  esac >out 2>err
  [ "$(sed '/quit/d; /Leaves/d' out)" = '2
"aB"' ] && [ ! -s err ] || { echo "FAILED: a block by $how: $(cat out err)"; failures=$((failures + 1)); }
done
# if the writer waits for answers, its lines run before the pipe is closed, except those of an unfinished statement
{ # the writer reads each answer of the program before it goes on
  coproc "$program" 2>err
  ask() { printf '%s\n' "$1" >&"${COPROC[1]}"; }
  answer() { local line; read -r -t 10 line <&"${COPROC[0]}"; [ "$line" = "$1" ] || { echo "FAILED: in a dialogue: '$line' instead of '$1'"; failures=$((failures + 1)); }; }
  pid=$COPROC_PID
  ask 'x = 5'
  ask 'x'
  answer 5
  ask 'for i = 1, 2 do'
  sleep 0.2 # the writer pauses: nothing shows that the line was read
  ask '  print(i)'
  ask 'end x = 6'
  answer 1
  answer 2
  ask 'x'
  answer 6
  ask '  + 1'
  ask 'io.read()'
  sleep 0.2 # the writer pauses again
  ask 'what it reads'
  answer '"what it reads"'
  least=1000000
  for i in {1..20}; do # a command runs sooner than the 20 ms that a Lua line waits for its continuation
    since=${EPOCHREALTIME/./}
    ask 'print 7'
    answer 7
    took=$((${EPOCHREALTIME/./} - since))
    ((took < least)) && least=$took
  done
  ((least < 15000)) || { echo "FAILED: a command in a dialogue takes $least us"; failures=$((failures + 1)); }
  exec {COPROC[1]}>&-
  wait $pid
  [ $? = 1 ] && grep -q "^stdin:7: unexpected symbol near '+'" err && grep -q '^(a line that continues the one before' err ||
    { echo "FAILED: the end of a dialogue: $(cat err)"; failures=$((failures + 1)); }
}
# Ctrl-C while the program waits for input
: >err
{ echo 'io.stderr:write("waits\n")'; sleep 5; } | "$program" >out 2>err & # this writer writes nothing more, but keeps the pipe open
running=$!
wait_for 10 said err waits
kill -INT $running
wait $running
[ $? = 130 ] && grep -q interrupted err || { echo "FAILED: Ctrl-C while it waits for standard input"; failures=$((failures + 1)); }
input='quit 9
print("not reached")'
try 9 "" ''
input=''
try 0 "" ''

# with --json and --csv, other programs read standard output: only data goes there, everything else to standard error
printf 'p sp 3 2\na 1 2 5\na 2 3 7\n' >small.gr
answers() { # FORM CODE OUT COMMAND...: checks standard output only
  local form=$1 code=$2 out=$3 got chunks=()
  shift 3
  for c in "$@"; do chunks+=(-e "$c"); done
  got=$("$program" "$form" "${chunks[@]}" 2>err)
  [ $? = "$code" ] && [[ $got = $out ]] && return
  printf 'FAILED: %s %s\n  out: %s\n  err: %s\n' "$form" "$*" "$got" "$(cat err)"
  failures=$((failures + 1))
}
answers --json 0 '{"graph":"small.gr","n":3,"m":2}' 'load small.gr'
answers --csv 0 $'graph,m,n\nsmall.gr,2,3' 'load small.gr'
answers --csv 0 $'a,b\n1,"{""c"":\\[2]}"' '{a = 1, b = {c = {2}}}'
answers --csv 0 $'0\n1\n2' 'gen.ring{2}.off'
answers --csv 1 '' '{{1, x = 2}}'
answers --csv 0 $'n,ms\n1,5\n2,9' '{columns = {"n", "ms"}, {ms = 5, n = 1}, {ms = 9, n = 2}}'
answers --csv 1 '' '{columns = {"n", 5}, {n = 1}}'
answers --csv 0 $'kernel,device,calls,*' 'r = scc(gen.ring(5))' stats
answers --json 0 '{"data":{"g":"*small.gr*"},"device":"cpu"*}' 'g = graph.load("small.gr");' info
answers --json 0 $'{*"name":"cpu",*}\n{*"name":"cpu:1",*}' device
answers --json 0 '{*"name":"cpu:1",*}' 'device cpu:1'
answers --json 0 $'2\n{"allocation":*,"copies":*,"host":*,"kernels":*,"seconds":*}' 'time 1 + 1'
answers --csv 0 $'2\nallocation,copies,host,kernels,seconds\n*,*,*,*,*' 'time 1 + 1'
answers --json 0 '{"on":true}' trace
answers --json 0 '' stats
answers --json 0 '{*"kernel":*}' 'scc(gen.ring{3});' stats
answers --json 0 $'{*"name":"cpu"*}\n{*"name":"cpu:1"*}' 'compare cpu cpu:1'
answers --json 0 'false' 'compare off'
answers --json 0 'true' 'check(scc(gen.ring{3}))'
for command in help 'help trim' '?json' '??trim' journal 'break trim' 'scc(gen.ring{3}):show()' 'sssp(gen.grid{3, 3}, 0):show()' \
  'ocm(gen.ring{3}):show()' 'plot{{1, 2}}' 'watch 1' 'display 1'; do
  answers --json 0 '' "$command"
  answers --csv 0 '' "$command"
done
# a script's tables: written by csv and json (to standard output or files), by print, and as returned values
cat >rows.lua <<'END'
local rows = {{n = 8, ms = 5}, {n = 16, ms = 9}, columns = {"n", "ms"}}
csv(rows, "t.csv")
json(rows, "t.json")
csv({dist = sssp(gen.path{3}, 0).dist}, "d.csv")
print("one, two", 3)
print(rows)
return rows
END
csv_rows=$'n,ms\n8,5\n16,9' json_rows='[{"ms":5,"n":8},{"ms":9,"n":16}]'
try 0 $'one, two\t3\n'"$csv_rows"$'\n'"$csv_rows" '' --csv rows.lua
try 0 $'one, two\t3\n'"$json_rows"$'\n'"$json_rows" '' --json rows.lua
[ "$(cat t.csv)" = "$csv_rows" ] && [ "$(cat t.json)" = "$json_rows" ] && [ "$(cat d.csv)" = $'i,dist\n0,0\n1,1\n2,2' ] ||
  { echo "FAILED: csv and json into files"; failures=$((failures + 1)); }
try 0 "$csv_rows" '' -e 'csv{{n = 8, ms = 5}, {n = 16, ms = 9}, columns = {"n", "ms"}}'
try 0 $'y,i\n4,0\n9,7' '' -e 'csv{columns = {"y", "i"}, y = {4, 9}, i = buffer.new("u32", {0, 7})}'
try 1 '' 'csv: expected a value, as in csv\(rows\)' -e 'csv()'
try 1 '' 'expected the name of a file after the value, got a table' -e 'csv({1}, {})'
try 1 '' '/no/such/x.json: cannot create' -e 'json({1}, "/no/such/x.json")'
try 1 '' 'columns of this table have different lengths' -e 'csv{a = buffer.new("u32", {1}), b = {1, 2}}'
# a buffer in a cell is written in full; a result as its one-line text
answers --csv 0 $'count,graph,id,kind,variant\n1,"graph ring(3): *","\[2,2,2]",scc,tarjan' 'scc(gen.ring{3})'
answers --json 0 '{"cycle":\[0,1,2],"graph":{*},"kind":"ocm","max":false,"mean":1,"p":1,"q":1,*}' 'ocm(gen.ring{3})'
# values that JSON can and cannot represent
answers --json 1 '' '{[1] = "a", x = 0, ["1"] = "b"}'
grep -q 'two keys of a table become the same key "1"' err || { echo "FAILED: two keys of one name: $(cat err)"; failures=$((failures + 1)); }
answers --json 1 '' '{[{}] = 1}'
answers --json 1 '' 't = {} t.t = t return t'
answers --json 1 '' 'setmetatable({[setmetatable({}, {__tostring = error})] = 1}, nil)'
answers --json 0 '{"k":1}' 't = {} t[setmetatable({}, {__tostring = function() for i = 1, 1000 do t[i + 0.5] = i end return "k" end})] = 1 return t'
answers --json 0 '{"a":2,"a\\u0000b":1}' '{["a\0b"] = 1, a = 2}'
answers --json 0 '"\\ufffdx\\u009b\\u202e\\udb40\\udc01\\u007f"' '"\x80x\u{9b}\u{202e}\u{e0001}\x7f"'
answers --json 0 '{"-3":3,"1.5":1,"inf":4,"true":2}' '{[1.5] = 1, [true] = 2, [-3] = 3, [math.huge] = 4}'
answers --json 0 '\[9007199254740993,0.30000000000000004,null]' '{9007199254740993, 0.1 + 0.2, 0/0}'
answers --csv 0 $'0.30000000000000004' '0.1 + 0.2'
try 0 'a\x00b\x00' '' -e 'setmetatable({}, {__tostring = function() return "a\0b\0" end})'
answers --json 1 '' '{["\x80"] = 1, ["\x81"] = 2}'
answers --json 0 '{"a":1,"a!":2,"b":3}' '{["a!"] = 2, b = 3, a = 1}'
answers --json 0 '"*closed*"' 'g = gen.ring{3} g:close() return g'
[ "$("$program" --csv -e '"a\0b", "c"' | tr '\0' '#')" = $'"a#b"\nc' ] || { echo "FAILED: NUL in CSV"; failures=$((failures + 1)); }
# a locale with a decimal comma: numbers are read and written with a point
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" 2>/dev/null; then
  export LOCPATH=$folder
  german='assert(os.setlocale("de_DE.UTF-8"));'
  answers --json 0 '1.5' "$german" 1.5
  answers --csv 0 '1.5' "$german" 1.5
  printf '0 1 2.5\n' >real.tsv
  answers --json 0 '\[2.5]' "$german" 'graph.load("real.tsv", {weights = "f64"}).w'
  answers --json 0 'null' 'os.setlocale("de_DE.UTF-8", "numeric")'
  answers --json 0 '"C"' 'os.setlocale("C", "numeric")'
  answers --json 0 '"November"' 'os.setlocale("de_DE.UTF-8", "time") return os.date("%B", 1700000000)'
  unset LOCPATH
fi

# a long statement is not compiled again for each of its lines
{
  echo 't = {'
  for i in $(seq 5000); do echo "  {$i, name = 'x$i', value = $i * 2},"; done
  echo '}'
  echo 'help quit'
  echo '#t'
} >long
SECONDS=0
[ "$("$program" <long | tail -1)" = 5000 ] && [ $SECONDS -lt 5 ] || { echo "FAILED: a long table"; failures=$((failures + 1)); }

# help names what one thread processes, and the queues that a loop fills
while IFS=: read -r name text; do
  echo "help $name" | "$program" | grep -qF "$text" || { echo "FAILED: help $name does not say '$text'"; failures=$((failures + 1)); }
done <<'END'
relax:a thread is    a vertex
policy_first:a thread is    a vertex, with the best of its edges
fw_pivot:a thread is    an element of a tile, shared by a block
scan:a thread is    (a library's whole operation)
reach_forward:a thread is    an edge of a vertex in the queue
reach_forward_fix:queue of items, filled
END

# outputs that fail
"$program" -e 'print(1)' >/dev/full 2>err
[ $? = 1 ] && grep -q 'standard output' err || { echo "FAILED: a full disk behind standard output"; failures=$((failures + 1)); }
"$program" -e 'for i = 1, 1e5 do print(i) end' 2>err | head -1 >out
[ "$(cat out)" = 1 ] && [ ! -s err ] || { echo "FAILED: a reader that leaves early"; failures=$((failures + 1)); }

# Ctrl-C
for loop in 'while true do end' 'while true do pcall(function() while true do end end) end'; do
  : >err
  "$program" -e "io.stderr:write('begun\n') $loop" >out 2>err &
  running=$!
  wait_for 10 said err begun
  kill -INT $running
  wait $running
  [ $? = 130 ] && grep -q interrupted err || { echo "FAILED: Ctrl-C in a batch run"; failures=$((failures + 1)); }
done

# where Lua code cannot be interrupted, the third Ctrl-C ends the program; SIGTERM ends it at once
for code in 'setmetatable({}, {__gc = spin}) collectgarbage()' 'xpcall(spin, spin)' 'setmetatable({}, {__gc = spin})'; do
  for how in INT TERM; do
    : >err
    "$program" -e 'function spin() io.stderr:write("spins\n") while true do end end' -e "$code" >out 2>err &
    running=$!
    wait_for 10 said err spins
    kill -$how $running
    for _ in 1 2; do
      wait_for 10 took_signals $running
      [ $how = TERM ] || kill -INT $running
    done
    wait $running
    got=$?
    [ $how$got = INT130 ] && grep -q 'ended by the third Ctrl-C' err || [ $how$got = TERM143 ] ||
      { echo "FAILED: SIG$how in a batch run of: $code ($got)"; failures=$((failures + 1)); }
  done
done

# SIGTERM ends a run also if the parent process had the signal blocked
: >err
perl -MPOSIX -e 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM)); exec @ARGV' "$program" -e 'io.stderr:write("begun\n") while true do end' 2>err &
running=$!
wait_for 10 said err begun
kill -TERM $running
wait_for 5 ended $running || { kill -KILL $running; echo "FAILED: SIGTERM was blocked, and stays so"; failures=$((failures + 1)); }
wait $running 2>/dev/null

# however a run ends, the processes that it started end, too; its temporary files are removed unless it is killed
printf "define(\`x',\`x')x\n" >endless.mdve
printf '#!/bin/sh\n[ "$1" = --version ] && exec cc --version\nexec sleep 100\n' >slow-cc
chmod +x slow-cc
mkdir -p temporary
for how in TERM HUP INT KILL; do
  for what in endless.mdve slow-cc; do
    code='model.load "endless.mdve"'
    [ $what = slow-cc ] && code='dve.compile(model.load(model.sample "philosophers.dve"))'
    rm -rf temporary/*
    CC=$PWD/slow-cc TMPDIR=$PWD/temporary XDG_CACHE_HOME=$PWD/no-cache "$program" -e "$code" >out 2>err &
    running=$!
    wait_for 10 has_child $running
    child=$(child_of $running)
    kill -$how $running
    wait $running 2>/dev/null
    [ -n "$child" ] && wait_for 5 ended $child || { echo "FAILED: SIG$how leaves what it ran: $what ($child)"; failures=$((failures + 1)); }
    [ $how = KILL ] || [ -z "$(ls temporary)" ] || { echo "FAILED: SIG$how leaves temporary files: $what"; failures=$((failures + 1)); }
  done
done
# the commands of a shell that the run started end, too, at any depth, however the shell was started
runs_something() { [ "$(marked | wc -l)" -gt 2 ]; }
none_marked() { [ -z "$(marked)" ]; }
marked() { grep -lsa "MARK=$mark" /proc/[0-9]*/environ; }
touch noted.lua
for how in TERM HUP; do
  for code in 'os.execute("(sleep 97; true); true")' 'io.popen("(sleep 97; true); true"):read()' '!(sleep 97; true); true' 'edit noted.lua'; do
    mark=of-$$-$how-${#code}
    MARK=$mark VISUAL="sh -c 'sleep 97; true'" "$program" -e "$code" </dev/null >out 2>err &
    running=$!
    wait_for 10 runs_something || { echo "FAILED: $code runs nothing"; failures=$((failures + 1)); }
    kill -$how $running
    wait $running 2>/dev/null
    wait_for 2 none_marked || { echo "FAILED: SIG$how leaves what $code has started"; failures=$((failures + 1)); }
  done
done
# the folder of a killed run is removed by the next run that creates such a folder; other folders stay
rm -rf temporary/*
mkdir temporary/lockstep-other temporary/lockstep-work-123456
CC=$PWD/slow-cc TMPDIR=$PWD/temporary XDG_CACHE_HOME=$PWD/no-cache "$program" -e 'dve.compile(model.load(model.sample "philosophers.dve"))' >out 2>err &
running=$!
wait_for 10 has_child $running
[ ! -e temporary/lockstep-work-123456 ] || { echo "FAILED: an old folder of temporary files stays"; failures=$((failures + 1)); }
TMPDIR=$PWD/temporary XDG_CACHE_HOME=$PWD/no-cache "$program" -e 'dve.compile(model.load(model.sample "philosophers.dve"))' >out 2>err
[ "$(ls -d temporary/lockstep-work-* | wc -l)" = 1 ] || { echo "FAILED: a folder that is in use was removed: $(ls temporary)"; failures=$((failures + 1)); }
kill -KILL $running
wait $running 2>/dev/null
TMPDIR=$PWD/temporary XDG_CACHE_HOME=$PWD/another-cache "$program" -e 'dve.compile(model.load(model.sample "philosophers.dve"))' >out 2>err
[ "$(ls temporary)" = lockstep-other ] || { echo "FAILED: a killed run's folder stays: $(ls temporary)"; failures=$((failures + 1)); }
if command -v m4 >/dev/null; then
  (ulimit -t 3 && "$program" -e 'model.load "endless.mdve"' >out 2>err)
  grep -q 'm4 was stopped.*does a macro expand to itself' err || { echo "FAILED: a limit of m4"; failures=$((failures + 1)); }
fi

# no escape sequences are written to a file, unless requested
"$program" -e 'nil + 1' 2>err
grep -q $'\033' err && { echo "FAILED: colour in a file"; failures=$((failures + 1)); }
"$program" --color always -e 'nil + 1' 2>err
grep -q $'\033' err || { echo "FAILED: no colour where it is asked for"; failures=$((failures + 1)); }

# external text must not control the terminal: file names, names in files, contents of files, results of __tostring,
# error messages
evil=$(printf 'a\033]0;T\007\302\233\342\200\256b') shown='a\x1b]0;T\x07\u{9b}\u{202e}b' dots='a.x1b.0;T.x07.u.9b..u.202e.b'
export LC_ALL=C.UTF-8
printf 'p sp 2 1\na 1 2 3\n' >"$evil.gr"
printf '\357\273\277p sp 2 1\na 1 2 3\n' >"$evil.2.gr"
try 0 "graph $shown.gr: 2 vertices, 1 edge, weights i32" '' -e "graph.load('$evil.gr')"
try 0 "$shown.gr" '' -e "print(graph.load('$evil.gr').name)"
try 0 "c $shown.gr" '' -e "graph.load('$evil.gr'):save('evil.gr') print(io.lines('evil.gr')())"
try 0 "graph $shown: 1 vertex, 0 edges, no weights" '' -e "graph.from_edges({n = 1}, {name = '$evil'})"
try 0 "$shown: x" '' -e "g = gen.clients{{name = '$evil', {'x', 1}, {'y', 1}}} print(g:label(0))"
try 3 "" "^-e:1: $dots.2.gr:1: expected the problem line .*, found .u.feff.p\$" -e "graph.load('$evil.2.gr')"
try 3 "" "^$dots: No such file" -e "load \"$evil\""
try 3 "" "^cannot open $dots: No such file" "$evil"
printf 'x = 1\033[2J' >"$evil.lua"
try 1 "" "^$dots.lua:1: unexpected symbol near" "$evil.lua"
try 1 "" "^-e:1: $dots\$" -e "error('$evil')"
try 2 "" "unknown option --$dots" "--$evil"
try 0 "$shown" '' -e "setmetatable({}, {__tostring = function() return '$evil' end})"
try 0 "\"$shown\"" '' -e "'$evil'"
unset LC_ALL

# a later session can use a checkpoint; a run continues if its checkpoint cannot be written
try 0 "514" '' -e 'g = gen.uniform{n = 900, m = 1500, seed = 1} checkpoint("x.ckpt", 2)' -e 'scc.maxima(g).count'
try 0 "514" '' -e 'scc.maxima(gen.uniform{n = 900, m = 1500, seed = 1}, {from = "x.ckpt"}).count'
try 3 "" 'x.ckpt: expected the graph ring\(9\)' -e 'scc.maxima(gen.ring{9}, {from = "x.ckpt"})'
try 0 "514" '^no checkpoint: /dev/full: cannot write: No space left' \
  -e 'checkpoint("/dev/full", 1)' -e 'scc.maxima(gen.uniform{n = 900, m = 1500, seed = 1}).count'
try 0 "1" '^no checkpoint: the carried value f is not a number' -e 'checkpoint("x.ckpt")' \
  -e 'for it in iterations(state.scc(gen.ring{3}), {f = print}) do if it.n == 2 then break end end' -e 1

# waiting OpenMP threads sleep soon by default; settings in the environment take precedence
try 0 "1000" '' -e 'os.getenv "GOMP_SPINCOUNT" + 0'
[ "$(GOMP_SPINCOUNT=77 "$program" -e 'os.getenv "GOMP_SPINCOUNT" + 0')" = 77 ] || { echo "FAILED: GOMP_SPINCOUNT was changed"; failures=$((failures + 1)); }
[ "$(OMP_WAIT_POLICY=passive "$program" -e 'print(os.getenv "GOMP_SPINCOUNT")')" = nil ] || { echo "FAILED: OMP_WAIT_POLICY was overruled"; failures=$((failures + 1)); }

[ "$("$program" --version | head -1 | cut -d' ' -f1)" = lockstep ] || failures=$((failures + 1))
[ $failures = 0 ] && echo "fine"
exit $((failures > 0))
