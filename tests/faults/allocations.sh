# The k-th allocation of a whole run fails, then the k-th and all after it, for every STEP-th k. A run must
# either recover (by collecting garbage and retrying) with the right results, or report the error and exit with 1 (3 during
# start-up). It must not crash, give a wrong result or fail silently. In a build with sanitizers leaks count, too.
# Usage: allocations.sh PROGRAM [STEP]      (STEP 1, every allocation, takes some minutes)
# TEST_PART=0 to 9: only that tenth of the allocations.
set -u
program=$1 step=${2:-1} first=0
[ -z "${TEST_PART-}" ] || { first=$((TEST_PART * step)) step=$((10 * step)); }
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HOME=$folder XDG_STATE_HOME=$folder XDG_CACHE_HOME=$folder
cd "$folder" || exit 1

cat >all.lua <<'LUA'
local g = graph.load("small.gr")
local r = scc(g)
check(r)
check(scc.forward_backward(g))
local d = sssp(g, 0)
check(d)
check(fw(g))
check(components(g))
check(pagerank(g))
local t = triangles(g)
check(t)
reference.pagerank(g)
assert(#t:top(2) == math.min(2, g.n) and #g:neighbors(0) > 0)
print(g.n, g.m, r.count, r.sizes:max(), r.condensation.m, d.dist:max(), g:reverse():degree(1), stats()[1] ~= nil)
LUA
cat >stepped.lua <<'LUA'
local g = gen.uniform {n = 900, m = 1500, seed = 1}
compare("cpu", "cpu:1")
local r = scc(g)
compare(false)
trace.save("trace.json")
checkpoint("x.ckpt", 1)
scc.maxima(g)
plot{{1, 4, 9}, b = {y = {1, 2}, x = {3, 4}}, width = 20, height = 3}
checkpoint(false)
print(scc.maxima(g, {from = "x.ckpt"}).count)
os.remove("x.ckpt")
print(r.count, graph.load("small.lsg").m, gen.clients {{name = "a", count = 2, {"x", 1}, {"y", 1, time = 3}}}.n)
local t = graph.load("timed.gr", {weights = "scaled"})
t:save("copy.lsg")
print(graph.load("copy.lsg"):reverse():permute(3):symmetrize().t:sum(), #gen.copies(t, 2).t,
  #graph.from_edges({{0, 1, 5, 2}, {1, 0, 5, 3}}).t, gen.ring {5, times = {1, 2}}.m)
local r = explore(model.load("small.dve"))
print(r.states, #r:trace("x == 2"), r:check("assert"), ocm(r.graph).p, #r:actions(ocm(r.graph)), #dve.describe(r.model))
print(#r.model:simulate():take(1):enabled(), r:state(1).x, #dve.generate(r.model))
r.model:automaton("P"):save("process.lsg")
print(graph.load("process.lsg"):move(0, 0, 1))
local levels = explore.levels(r.model)
levels.graph:save("names.lsg")
print(levels.states, levels:state(1).x, graph.load("names.lsg"):label(1))
LUA
cat >models.lua <<'LUA'
local text = "x' = -k*x + y*{1 if time < 1; 2 otherwise} \n x(0) = 1 \n k := 2*q \n q = 1 \n y = delay(x + 1, 0.1) + sin(time)" ..
  "\n when x < 0.5 after 0.1: x = x + 1"
local m = model.from_text(text)
local parts = {}
for i, method in ipairs {"euler", "rk4", "dopri5"} do
  local r = simulate(m, {stop = 0.5, steps = 5, dt = 0.05, method = method, rtol = 1e-4, atol = 1e-4})
  r:save("out.csv")
  parts[i] = ("%.3f"):format(r.x[5])
end
local n = model.from_text("x' = -k*x + y + s \n x(0) = 1 \n k = 2 \n y = {1 if time < 1; 2 otherwise} \n s = 0*(x" .. ("+ y"):rep(40) .. ")")
local b = n:bytecode {unify = "warp"}
local e = simulate(n, {stop = 0.5, steps = 5, dt = 0.05, method = "rk4", engine = "bytecode", bytecode = b})
print(("%.6f"):format(e.x[5]), b:counters()[1].threads, #tostring(b:list()), #tostring(b:translate()))
local t = simulate(m, {stop = 0.5, steps = 5, dt = 0.05, method = "rk4", engine = "bytecode"}) -- its events and delays
print(("%.6f"):format(t.x[5]), t.events, m:phases()[7].requests)
m:set("q", 3)
print(table.concat(parts, " "), scc(m:graph()).count, #tostring(m:equations()), m:first():max(), m:parameters().q,
  pcall(model.from_text, "a = b\nb = a") == false and "loop")
for _, kind in ipairs {"phml", "cellml", "importing.cellml", "sbml.xml", "ode"} do
  local ok, read = pcall(model.load, FOLDER .. "/small." .. kind)
  if not ok and tostring(read):find("out of memory") then error(read, 0) end
  print(ok and tostring(read) or tostring(read):find("this build reads no") and "left out" or read)
end
LUA
sed -i "1i local FOLDER = '$here/../models'" models.lua
"$program" --backend cpu -e '
  local g = gen.uniform {n = 60, m = 150, seed = 3, weights = "i32", lo = 1, hi = 9}
  g:save("small.gr") g:save("small.lsg")
  io.open("small.dve", "w"):write("byte x; process P { state p; init p; assert p: x < 9; trans p -> p { guard x < 3; " ..
    "effect x = x + 1; cost 2; }, p -> p { effect x = 0; cost 1; }; } system async;"):close()
  io.open("timed.gr", "w"):write("p sp 3 3\na 1 2 0.5 1\na 2 3 7 2\na 3 1 8 5\n"):close()' || exit 1

failures=0 told=0
wrong() {
  echo "FAILED: LOCKSTEP_FAIL_ALLOC=$k $script: $1"
  sed 's/^/  out: /' out
  sed 's/^/  err: /' err | head -20
  failures=$((failures + 1))
}
try() { # try K: only the K-th allocation fails; try K+: the K-th and all after it
  LOCKSTEP_FAIL_ALLOC=$1 timeout 60 "$program" --backend cpu $script >out 2>err
  code=$?
  k=$1
  if [ $code = 0 ]; then
    cmp -s out right || wrong "another result"
    return
  fi
  told=$((told + 1))
  if grep -q 'Sanitizer' err; then
    wrong "a sanitizer's report"
  elif [ $code != 1 ] && [ $code != 3 ]; then
    wrong "exit code $code"
  elif ! grep -q 'out of memory' err; then
    wrong "it does not say why"
  fi
}
for script in all.lua stepped.lua models.lua; do
  "$program" --backend cpu $script >right 2>err || { cat err; exit 1; }
  number=$((1 + first - step)) code=1
  while [ $code != 0 ] && [ $failures -lt 5 ]; do
    number=$((number + step))
    try $number
    try $number+
  done
  echo "$script: $number allocations, $step apart"
done
echo "$told failures told, $failures wrong"
[ $failures = 0 ] && [ $told -gt 50 ]
