-- parts.lua [SEEDS]: the algorithms that take a part of a graph (g:partition), on graphs at random, equal to the same ones on
-- the whole graph, and proved. Run by ranks/run with 1 to 4 ranks.
local graphs = 0

local function shapes(n, seed, kind)
  local few = math.min(2 * n, n * (n - 1) // 2)
  return {
    gen.uniform {n = n, m = 3 * n, seed = seed, weights = kind, lo = 0, hi = 40, times = {1, 5}},
    gen.uniform {n = n, m = n // 2, seed = seed, weights = kind, lo = 1, hi = 3}, -- disconnected, with loops
    gen.dag {n = n, m = few, seed = seed, weights = kind},
    gen.grid {8, n // 8 + 1, seed = seed, weights = kind, one_way = 0.6},
    gen.copies(gen.ring(1 + seed % 5), n // 5 + 1),
    gen.ring(n),
    gen.star {n, inward = seed % 2 == 0},
    gen.path(n):permute(seed),
  }
end

local function same(what, g, r, want, field)
  local differences = r[field]:diff(want[field])
  if differences ~= 0 then error(("%s of %s: %d of %d %s differ"):format(what, g.name, differences, g.n, field)) end
  assert(r.graph == g)
  assert(check(r))
end

local function same_mean(g, r, want)
  local good = r.p == want.p and r.q == want.q and r.mean == want.mean
  if not r.p and r.mean and want.mean then good = math.abs(r.mean - want.mean) <= 1e-9 * math.abs(want.mean) end
  if not good then error(("means of %s: %s, expected %s"):format(g.name, r.mean, want.mean)) end
  assert(r.graph == g)
  assert(check(r))
end

for seed = 1, tonumber(arg[1] or 3) do
  local n = 1 + (seed * 53) % 300
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    for _, g in ipairs(shapes(n, seed, kind)) do
      graphs = graphs + 1
      local p, source = g:partition(), (seed * 7) % g.n
      local part = ranks.part(p)
      assert(part.whole == g and p.n == g.n and p.m == g.off[part.past] - g.off[part.first] and part.edge == g.off[part.first])
      for _, form in ipairs {"both", "push"} do same("bfs", g, bfs(p, source, {form = form}), bfs(g, source), "dist") end
      for _, options in ipairs {{}, {delta = 5}, {cutoff = 60}} do
        same("sssp", g, sssp(p, source, options), sssp(g, source, options), "dist")
      end
      local r, want = scc(p), scc(g)
      assert(r.count == want.count and r.variant == "parts", r.count)
      assert(check(r))
      same_mean(g, ocm(p), ocm(g))
      same_mean(g, ocm(p, {max = true}), ocm(g, {max = true}))
      if g.t then same_mean(g, ocr(p), ocr(g)) end
    end
  end
end

-- sums that leave their type in one rank alone
local edges = {weights = "i32"}
for v = 0, 38 do edges[#edges + 1] = {v, v + 1, v < 30 and 1 or 2000000000} end
local long = graph.from_edges(edges)
same("sssp", long, sssp(long:partition(), 0), sssp(long, 0), "dist")
edges[#edges + 1] = {39, 0, 2000000000}
local closed = graph.from_edges(edges)
same_mean(closed, ocm(closed:partition()), ocm(closed))

-- what a part is too large for, and what is not for parts, is an error in all ranks
local g = gen.uniform {n = 1000, m = 9000, seed = 1, weights = "i32", lo = -5, hi = 50}
local p = g:partition()
local bytes = ranks.greatest(4 * 1001 + 8 * p.m)
assert(g:partition {memory = bytes}.m == p.m)
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good and message:find(text, 1, true), message)
end
refused("takes " .. bytes .. " bytes", g.partition, g, {memory = bytes - 1})
if ranks.count > 1 then assert(bytes < 4 * 1001 + 8 * g.m) end
refused("weights below 0", sssp, p, 0)
refused("targets", sssp, gen.ring(9):partition(), 0, {targets = {3}})
refused("nearest", sssp, gen.ring(9):partition(), 0, {nearest = 3})
refused("form = 'layered'", ocm, p, {form = "layered"})
refused("components", ocm, p, {components = "bridged"})
refused("memory is", g.partition, g, {memory = "few"})
for _, f in ipairs {components, pagerank, triangles, apsp, fw, johnson, kleene, scc.maxima, scc.forward_backward, ocm.components, g.partition} do
  refused("a rank's part of a graph", f, p)
end

-- the in-edges of a part
local back = ranks.part(p).back
local turned = g:reverse():rows(ranks.part(p).first, ranks.part(p).past)
assert(back.off:diff(turned.off) == 0 and back.to:diff(turned.to) == 0)
assert(ranks.part(g) == nil)

-- lists of all ranks, one after the other
local list = buffer.new("u32", 10)
fill(list, ranks.rank)
local all = ranks.concatenate(list, 2, ranks.rank)
local at = 0
for r = 0, ranks.count - 1 do
  for _ = 1, r do
    assert(all[at] == r)
    at = at + 1
  end
end
assert(#all == at)
print(graphs .. " graphs are right")
