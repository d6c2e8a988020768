-- Runs every primitive of all families on two devices with compare on; then repeats the runs on one graph 50 times, to find races.
local a, b = arg[1] or "cpu", arg[2] or "cuda"
compare(a, b)
local runs = 0
local JOHNSON = {"near_far", "outer"}
local function all(g, w)
  check(scc(g))
  check(scc.forward_backward(g))
  check(scc.maxima(g))
  local s = state.scc(g)
  scc.trim_chains(s)
  trim_pair(s)
  if w then
    for _, options in ipairs {{}, {form = "layered"}, {max = true, components = "bridged"}} do check(ocm(g, options)) end
    check(sssp(g, 0))
    if g.n <= 300 then check(fw(g)) end
    for _, name in ipairs {"bellman_ford", "harish", "dijkstra", "delta_stepping"} do check(paths[name](g, 0)) end
    check(bfs(g, 0))
    if g.n <= 300 then
      for _, form in ipairs {"groups", "shared"} do check(apsp(g, {form = form, sources_at_a_time = 33})) end
      for _, form in ipairs {"blocked", "recursive", "mm", "two-level", "textbook"} do check(fw(g, {form = form})) end
      for _, form in ipairs(JOHNSON) do check(johnson(g, {form = form})) end
    end
  end
  runs = runs + 1
end
local kinds = {"i32", "i64", "f32", "f64"}
for seed = 1, 6 do
  local w = kinds[seed % 4 + 1]
  all(gen.uniform{n = 250, m = 900, seed = seed, weights = w}, true)
  all(gen.uniform{n = 5000, m = 9000, seed = seed, weights = w}, true)
  all(gen.rmat{scale = 11, degree = 8, seed = seed, weights = w}, true)
  all(gen.grid{60, 70, one_way = 0.7, seed = seed, weights = w}, true)
  all(gen.copies(gen.ring(5), 300))
  all(gen.path(2000))
  all(gen.star(3000))
end
for _, x in ipairs{"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"} do
  local p, q, one = buffer.new(x, 1000), buffer.new(x, 1000), buffer.new(x, 1)
  for i = 0, 999 do p[i] = (i * 7919) % 200 end
  if not x:find "16" then scan(p, q) radix_sort(p, q) end
  copy(p, q) fill(q, 3)
  for op = 0, 2 do reduce(p, one, op) end
end
for seed = 1, 4 do
  local w = kinds[seed]
  local dag = gen.dag{n = 60 * seed, m = 400 * seed, seed = seed, weights = w, lo = -9, hi = 90}
  for _, form in ipairs{"blocked", "updates"} do check(kleene(dag, {form = form})) end
  local A = matrix.of(gen.uniform{n = 150, m = 900, seed = seed, weights = w, lo = 0, hi = 50})
  for _, semiring in ipairs{"min-plus", "max-min"} do closure(A, {semiring = semiring}) product(A, A, {semiring = semiring}) end
end
local models = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../../samples/models/"
for _, name in ipairs{"philosophers.dve", "elevator.dve", "queue.dve"} do explore(model.load(models .. name)) end
for _, method in ipairs{"euler", "rk4"} do
  local heart = model.line{cells = 30, file = models .. "luo-rudy-1991.ode", state = "V"}
  simulate(heart, {stop = 2, dt = 0.01, steps = 10, method = method, engine = "bytecode"})
end
local g = gen.rmat{scale = 15, degree = 12, seed = 9, weights = "i32"}
for _ = 1, 50 do check(scc(g)) check(scc.forward_backward(g)) check(sssp(g, 1)) check(ocm(g)) end
print(("compare %s %s: clean over %d graphs and 50 repeats"):format(a, b, runs))
