# The prompt's answers to typical mistakes of newcomers: one line that says how to write it here. Needs no tmux.
set -u
program=$(realpath "$1")
. "$(dirname "$0")/../shell.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_CACHE_HOME=$folder/cache
cd "$folder" || exit 1
failures=0

# told LINE PATTERN...: the prompt's answer to LINE must match all patterns. Several lines are separated by \n.
told() {
  local line=$1 answer
  shift
  answer=$(printf 'load town.gr\n%b\n' "$line" | "$program" --backend cpu 2>&1)
  for pattern in "$@"; do
    case $answer in
    *"$pattern"*) ;;
    *)
      printf 'FAILED: %s\n  expected: %s\n  answered: %s\n' "$line" "$pattern" "$answer"
      failures=$((failures + 1))
      ;;
    esac
  done
}

cat >town.gr <<'END'
p sp 4 5
a 1 2 3
a 2 3 4
a 3 1 5
a 3 4 1
a 1 4 100
END

# A buffer never equals a number, which Lua would accept silently; two buffers are equal if their contents are.
never='a buffer never equals a number: compare an element, b[i] == x, or count them, b:count(x) == #b'
told 'start bfs(g, 0)\nuntil s.level == 3' "$never"
told 'start bfs(g, 0)\nuntil 3 ~= s.level and grown' "$never"
told 'start bfs(g, 0)\nbreak visit_pull if s.level == 3\ncont' "$never"
told 'start bfs(g, 0)\nwatch s.level == 3' "s.level == 3: $never"
told 'start bfs(g, 0)\nuntil s.level == g.w' 'a buffer of u32 never equals one of i32: a:diff(b) == 0 compares across types'
told 'ref = bfs(g, 0).dist\nstart bfs(g, 0)\nuntil s.level == ref' 'bfs.lua:57  until'
told 'start bfs(g, 0)\nuntil g == 3' 'a graph never equals a number'
printf 'return {title = "t", {run = {"a = bfs(g, 0).dist"}, hold = {"a == bfs(g, 0).dist"}, say = "x"}, {hold = {"a == 3"}, say = "y"}}\n' >equal.lua
told 'lesson check equal.lua' "page 2, hold: a == 3: $never"

# --- statistics ---
told 'stats by foo' 'a column expected' 'got "foo"'
told 'stats sort' '`by` and a column, as in `stats by limit`'
told 'bfs(g, 0);\nstats by calls' 'edg/s' 'visit'
told 'help irr' 'irregular accesses, at places that the data names'
told '?irregular' 'help times'
told 'help roofline' '`panel roofline`'
told 'device.limits()\nprint(tostring(stats{by = "limit"}))' 'nothing has run yet'
told 'device.limits();\nscc.forward_backward(gen.rmat{scale = 10});\nstats' 'means unknown, as only a bound of what it touches is known' 'no model: what it touches is not counted'
# limits measured on a busy machine
limits=$(echo cache/lockstep/limits-*.txt)
sed -i 's/^\(minplus_[a-z0-9]*\) .*/\1 1000/' $limits
told 'A = matrix.of(gen.complete(200));\nclosure(A);\nstats' ' was quicker than the limit of operations' \
  'device.limits("cpu", true) measures it anew'

# --- devices ---
told 'device cpu cpu:1' 'a process runs on one device at a time' 'lockstep --ranks 2 (help ranks)'
told 'device("cuda:0", "cuda:1")' 'lockstep --ranks 2 (help ranks)'

# --- models ---
case $(printf 'model.load(model.sample "server")\n' | PATH=/none "$program" --backend cpu 2>&1) in
*'server.mdve: a .mdve file is expanded by m4, which is not installed (Debian: apt install m4)'*) ;;
*)
  echo "FAILED: a .mdve file without m4"
  failures=$((failures + 1))
  ;;
esac

# --- a dot instead of a colon, calls as in a shell, words of other tools ---
told 'd = bfs(g, 0)\nd.path(2)' '(write d:path(...), with a colon)'
told 'g.edges()' '(write g:edges(...), with a colon)'
told 'o = ocm(g)\n?o.slack' 'o:slack()'
told 'bfs g 0' '(write bfs(g, 0))'
told 'start bfs g 0' '(write bfs(g, 0))'
told 'time bfs g 0' '(write bfs(g, 0))'
told 'r = bfs g\n1 + 1' 'unfinished (near <eof>) (write bfs(g))'
told 'run town.gr' 'town.gr is a graph (gr), not a script: use `load town.gr`'
told 'loop[[\nLOOP(l, UNTYPED, "l()")\nREPEAT STEP(trim) UNTIL(changd) END_LOOP(l) ]]' 'stdin:3: l: UNTIL(changd)'
told 'run scc(g)' 'run needs a script'
told 'cd ..' '`!pwd` asks the shell'
told 'for v in g do end' 'for v = 0, g.n - 1 do'
told 'distances(g, 0)' 'sssp(g, s)'
told 'nx.pagerank(g)' 'pagerank(g)'
told 'plot(g.off)' 'plot{b}'
told 'g.off[1:3]' 'b:slice(from, to)'
told 't = time scc(g)' 'time is a command' 'here t is nil'
told 'time(scc(g))' '`time EXPR`'
told 'time 5 1 + 1' '2'
told 'time 5 bfs(g, 0)' 'a search from 0 (1 in the file)' 'median ' ' of 5 runs, from '
told 'time 2000 bfs(g, 0)' 'expected 1 to 1000 runs'
told '?clock' 'trace.clock()'
told 'check(g)' 'got a graph'
told 'r = scc.forward_backward(g)\nplot nix' "the run has no series 'nix'; it has live, regions, trimmed, "
told 'plot nix' "the run has no series 'nix': nothing that records a series has run yet"
told 'g:bfs(0)' 'r = bfs(g, s), r.dist, r.parent'
told 'louvain(g)' 'new algorithm NAME' 'label propagation'
told 'mst(g)' 'none is shipped' 'help write'
told 'barabasi_albert(100, 3)' 'gen.power_law{n = 1000'
told 'gen.power_law{n = 1000, degree = 5, seed = 1}' '5000 edges' # as the previous message recommends
told 'summary(g)' 'info g' 'g:stats()'
told 'save g town2.gr' 'g:save('
told 'pagerank(g, 0.85)' 'its options are damping, form, max_iterations and tolerance'
told 'r = bfs(g)\nr.level' '(r has no `level`; `info r` lists what it has)'
told 'r = bfs(g)\nr.dst' '(did you mean `r.dist`?)'
told '?mst' "'mst', here: none is shipped"
told 'r = sssp(g, 3)\nr.dist:max()' "(as a distance this means 'not reached'; r.dist:count(r.unreached) counts such vertices)"
told 'r = sssp(g, 3)\nr.dist:count(r.unreached)' '3'
told 'check(g.off)' "got a buffer. To compare buffers: b:diff(bfs(g, 0).dist) lists the elements that differ"
told 'gen.uniform(10, 20)' 'at most 1 value may stand without a name: gen.uniform{n =, m =, degree =}'
told 'b = g.off\nb + 1' "(global 'b')"
case $(printf 'load town.gr\nb = g.off\nb + 1\n' | "$program" --backend cpu 2>&1) in
*'did you mean'*) echo 'FAILED: a guess for a name that is there' && failures=$((failures + 1)) ;;
esac
printf 'local t = 5\nprint(t + 1)\n' >locals.lua
told 'source locals.lua' '6' # lines that share a local are one chunk
"$program" --backend cpu town.gr >out 2>&1
[ $? = 1 ] && grep -q "town.gr is a graph (gr), not a script: .*lockstep -i -e 'load town.gr'" out || {
  echo "FAILED: lockstep town.gr: $(cat out)"
  failures=$((failures + 1))
}

for file in my.dve b9.xml b9.cellml b9.phml b9.isml b9.ode; do
  : >$file
  told "load $file" "$file is a model: use m = model.load(\"$file\")"
  told "run $file" "$file is a model, not a script: use m = model.load(\"$file\")"
done
"$program" --backend cpu my.dve 2>&1 | grep -q "not a script: .*lockstep -i -e 'm = model.load(\"my.dve\")'" || {
  echo "FAILED: lockstep my.dve"
  failures=$((failures + 1))
}

told 'r = explore(model.load(model.sample "queue"))\nr:check("assert")' '(nothing to check: the model has no assert)' 'true'
told 'm = model.load(model.sample "queue")\nocm(m)' 'expected a graph, got a model of processes: explore(m).graph'
told 'r = explore(model.load(model.sample "queue"))\nbfs(r, 0)' 'bfs: expected a graph, got a state space: its graph is r.graph'
told 'scc(bfs(g, 0))' 'expected a graph, got a result (bfs)'
told 'check(model.load(model.sample "queue"))' 'check(explore(m))'
told 'model.load("lotka-volterra")' '(there is a sample of that name: model.load(model.sample "lotka-volterra"))'
told 'explore(model.load(model.sample "queue"))\n_.graph' '
queue.dve: 346 states' 'graph queue.dve: 346 vertices'
told 'm = model.from_text "r1.a = 2\\nb = 3*r1.a"\nm:parameters{r1.a=5}' '(write ["r1.a"] = ...)'
told 'x = {b = 1, r.b == 2 = 3}' "'}' expected near '='" # a table key cannot have a dot
told 'why g' 'stats by limit' 'back until EXPR'
told 'x/4 g.off' 's.level:slice(0, 4)'
told 'gen.foo{}' 'there is no generator `foo`: there are' 'rmat' 'clients'
told 'gen.gird{4, 4}' 'did you mean `gen.grid`'
told 'sssp(g, {source = 0})' "as in sssp(g, 0) or sssp(g, {0, 5}); got a table with 'source' and no numbers"
told 'sssp(g, {})' 'got an empty table'
told 'check(bfs(g, 0))' 'true' '(proved: 5 edges, no short cut; each distance is that of a path)'
told 'check(ocm(g))' '(proved: a cycle has this mean, and by the potentials of 5 edges no cycle has a lower one)'
told 'check(ocm(g, {max = true}))' 'no cycle has a greater one)'
told 'bfs' '<function graph/bfs.lua:'
told 'start bfs(g, 0)\ng1 = bundle{graph = g, level = g.off, frontier_of_it = g.to, other = g.w}\ndisplay g1' 'level, other}'
told 'g:edges(0)' 'for to, w in g:edges(v) do ... end'
told 'snapshot c.svg convergence' 'plot SERIES FILE.svg or FILE.pdf draws lines'
told 'a = 500; b = a + 5; b' '505'
told 'a = 500; a + 7' '507'
told 'a = 500; b c' "syntax error near 'c'"
told 'a = 5; f(\n1)\n6 * 7' '42'
told 'device.limits()' 'in order' '* reads, or minima written, per second: 4 bytes each'
[ "$(printf 'load town.gr\nr = scc(g)\nt = check(r)\n1 + 1\ncheck(r);\n' | "$program" --backend cpu 2>&1 | grep -c proved)" = 0 ] || {
  echo 'FAILED: a proof is told that nobody asked for'
  failures=$((failures + 1))
}
[ "$("$program" --backend cpu --json -e 'check(scc(gen.ring{3}))' 2>&1)" = true ] || {
  echo 'FAILED: a program gets more than true'
  failures=$((failures + 1))
}

# --- scripts ---
printf 'local x\nfunction f() return x.y end\nf()\n' >wrong.lua
told 'run wrong.lua' "wrong.lua:2: attempt to index a nil value (upvalue 'x')" 'stack traceback:'
[ "$(printf 'run wrong.lua\n' | "$program" --backend cpu 2>&1 | grep -c 'attempt to index')" = 1 ] || {
  echo 'FAILED: run: the message comes twice'
  failures=$((failures + 1))
}

[ "$failures" -eq 0 ] && echo 'all as expected'
[ "$failures" -eq 0 ]
