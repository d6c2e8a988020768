-- Every primitive of scc, sssp, fw and ocm on two devices at once; then the same graph 50 times, to hunt races.
local a, b = arg[1] or "cpu", arg[2] or "cuda"
compare(a, b)
local runs = 0
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
local g = gen.rmat{scale = 15, degree = 12, seed = 9, weights = "i32"}
for _ = 1, 50 do check(scc(g)) check(scc.forward_backward(g)) check(sssp(g, 1)) check(ocm(g)) end
print(("compare %s %s: clean over %d graphs and 50 repeats"):format(a, b, runs))
