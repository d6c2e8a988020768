-- parts.lua [SEEDS]: the algorithms that accept a part of a graph (g:partition), on random graphs: compared with the same algorithms
-- on the whole graph, and checked. Run by ranks/run with 1 to 4 ranks.
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

local seeds = tonumber(arg[1] or 3)
for seed = 1 + seeds * (ranks.count - 1), seeds * ranks.count do -- other graphs for each number of ranks
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

-- sums that overflow only on one rank
local edges = {weights = "i32"}
for v = 0, 38 do edges[#edges + 1] = {v, v + 1, v < 30 and 1 or 2000000000} end
local long = graph.from_edges(edges)
same("sssp", long, sssp(long:partition(), 0), sssp(long, 0), "dist")
edges[#edges + 1] = {39, 0, 2000000000}
local closed = graph.from_edges(edges)
same_mean(closed, ocm(closed:partition()), ocm(closed))

-- too little memory, and algorithms that do not accept parts, are errors on all ranks
local g = gen.uniform {n = 1000, m = 9000, seed = 1, weights = "i32", lo = -5, hi = 50}
local p = g:partition()
local bytes = ranks.greatest(4 * 1001 + 8 * p.m)
assert(g:partition {memory = bytes}.m == p.m)
local function refused(text, f, ...)
  local good, message = pcall(f, ...)
  assert(not good and message:find(text, 1, true), message)
  assert(not message:find("partition.lua:", 1, true), message) -- the line is the script's
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
  refused("a rank's part", f, p)
end

-- operations are rejected if their result would have only the edges of one part, because algorithms would take it for the whole graph
for _, name in ipairs {"permute", "reverse", "subgraph", "symmetrize"} do
  refused(("g:%s: g is a rank's part of a graph"):format(name), p[name], p, buffer.new("u32", {0, 1}))
end
for _, name in ipairs {"share", "halo", "halo_reduce"} do
  refused(("ranks.%s: expected a rank's part of a graph (g:partition, graph.load_part), got graph"):format(name), ranks[name], g, buffer.new("u32", g.n), 0)
end

-- the halo of a part (the targets of its edges): all algorithms are right whether only the halo is exchanged or whole arrays
local ways = {[true] = 0, [false] = 0}
for _, g in ipairs {gen.grid {9, 40, weights = "i32", lo = 1, hi = 9}, gen.rmat {scale = 8, seed = 1, weights = "i32", lo = 1, hi = 9}, gen.ring(50)} do
  local p, turned = g:partition(), g:reverse()
  local part = ranks.part(p)
  for _, which in ipairs {"halo", "back_halo"} do
    local plan, edges = part[which], which == "halo" and g or turned
    local pays = plan.pays
    local wanted = {}
    for e = edges.off[part.first], edges.off[part.past] - 1 do
      local v = edges.to[e]
      if v < part.first or v >= part.past then wanted[v] = true end
    end
    local before = -1
    for i = 0, #plan.lists.take - 1 do
      local v = plan.lists.take[i]
      assert(v > before and wanted[v])
      wanted[v], before = nil, v
    end
    assert(next(wanted) == nil)
    for _, pay in ipairs {true, false} do
      plan.pays = pay
      local x, y = buffer.new("u32", g.n), buffer.new("u32", g.n)
      for v = part.first, part.past - 1 do x[v] = 3 * v + 1 end
      fill(y, 1000 + ranks.rank)
      assert(ranks.halo(p, x, which) == pay)
      for i = 0, #plan.lists.take - 1 do assert(x[plan.lists.take[i]] == 3 * plan.lists.take[i] + 1) end
      if which == "halo" then
        for i = 0, #plan.lists.take - 1 do y[plan.lists.take[i]] = ranks.rank end
        ranks.halo_reduce(p, y, 1)
        for i = 0, #plan.lists.give - 1 do assert(y[plan.lists.give[i]] < ranks.count) end
      end
    end
    plan.pays = pays
    ways[pays] = ways[pays] + 1
  end
  for _, pay in ipairs {true, false} do
    part.halo.pays, part.back_halo.pays = pay, pay
    same("bfs", g, bfs(p, 3), bfs(g, 3), "dist")
    same("bfs", g, bfs(p, 3, {form = "push"}), bfs(g, 3), "dist")
    same("sssp", g, sssp(p, 3), sssp(g, 3), "dist")
    same_mean(g, ocm(p), ocm(g))
  end
  part.halo.pays, part.back_halo.pays = true, false -- a different method for each direction
  same("bfs", g, bfs(p, 3), bfs(g, 3), "dist")
  part.halo.pays, part.back_halo.pays = false, true
  same("bfs", g, bfs(p, 3), bfs(g, 3), "dist")
end
if ranks.count > 1 then assert(ways[true] >= 4 and (ranks.count > 2 or ways[false] >= 1)) end

-- the in-edges of a part
local back = ranks.part(p).back
local turned = g:reverse():rows(ranks.part(p).first, ranks.part(p).past)
assert(back.off:diff(turned.off) == 0 and back.to:diff(turned.to) == 0)
assert(ranks.part(g) == nil)

-- results of several ranks, compared with those of one rank
do
  local g = gen.uniform {n = 300, m = 900, seed = 5, weights = "f32", lo = 1, hi = 9, times = {1, 5}}
  local p = g:partition()
  for _, f in ipairs {bfs, sssp} do assert(ranks.compare(f, p, 2).source == 2) end
  for _, f in ipairs {scc, ocm, ocr} do assert(ranks.compare(f, p).graph == g) end
  local dag = gen.dag {n = 90, m = 400, seed = 1, weights = "f64", lo = 0, hi = 1}
  for _, f in ipairs {fw, apsp} do assert(ranks.compare(f, g).matrix) end
  assert(ranks.compare(kleene, dag).matrix and ranks.compare(explore, model.load(model.sample "queue")).states == 346)
  local last = ranks.count - 1
  local function spoiled(f, change)
    return function(...)
      local r = f(...)
      if ranks.count > 1 and ranks.rank == last then change(r) end
      return r
    end
  end
  for _, case in ipairs {
    {bfs, function(r) r.dist[7] = 99 end, "bfs: dist[7] is 99 with"}, {sssp, function(r) r.dist[8] = 0.25 end, "sssp: dist[8] is 0.25 with"},
    {scc, function(r) r.id[299] = r.id[299] == 0 and 1 or 0 end, "scc: id["}, {ocm, function(r) r.mean, r.p = 1e6, nil end, "ocm: "}} do
    local message = ranks.rank == last and case[3] or ("the result of rank %d differs from that of a single rank"):format(last)
    if ranks.count > 1 then refused(message, ranks.compare, spoiled(case[1], case[2]), p, case[1] ~= scc and case[1] ~= ocm and 2 or nil) end
  end
  refused("expected a result of bfs", ranks.compare, function() return 5 end)
  refused("expected a function, got 5", ranks.compare, 5)
end

-- concatenating lists of all ranks
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
