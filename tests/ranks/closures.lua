-- closures.lua [SEEDS]: all-pairs paths on random graphs by several ranks, compared with the references. Run by ranks/run.
local matrix_ranks = import "dense/matrix_ranks"
local by_one = dofile((arg[0]:match("^(.*)/") or ".") .. "/by_one.lua")
local alone, bytes_of = by_one.alone, by_one.bytes_of
local graphs = 0

local function shapes(n, seed, kind)
  local lo, hi = 1, 60
  return {
    gen.uniform {n = n, m = 4 * n, seed = seed, weights = kind, lo = lo, hi = hi},
    gen.uniform {n = n, m = n // 2, seed = seed, weights = kind, lo = lo, hi = hi}, -- disconnected
    gen.dag {n = n, m = math.min(3 * n, n * (n - 1) // 2), seed = seed, weights = kind, lo = -30, hi = 40},
  }
end

local function same(what, r, want)
  if r.matrix.dtype:sub(1, 1) == "i" then
    local differences = r.matrix:diff(want)
    if differences ~= 0 then error(("%s, %d vertices: %d elements differ"):format(what, r.graph.n, differences)) end
  end
  assert(check(r))
end

-- Each rank has its stripe of rows, and an access to other rows raises an error; all ranks get the whole matrix on request.
local function striped(g, tile, want)
  local r = fw.stripe(g, {tile = tile})
  assert(check(r) and r.past - r.first == (r.stripe and r.stripe.rows or 0) and ranks.sum(r.past - r.first) == g.n)
  for i = r.first, r.past - 1, 7 do assert(math.abs(r:get(i, i // 2) - want:get(i, i // 2)) < 1e-3 or r:get(i, i // 2) == want:get(i, i // 2)) end
  local i = r.first > 0 and 0 or r.past
  local good, message = pcall(r.get, r, i, 0)
  assert(not good and message:find(i < g.n and "belongs to another rank, this rank has" or "expected a vertex of 0"), message)
  same("fw.stripe", r:gather(), want)
  if ranks.rank == ranks.count - 1 then r.stripe:set(0, 0, -5) end -- this rank always has rows
  assert(not pcall(check, r)) -- check fails on all ranks
end

local seeds = tonumber(arg[1] or 8)
for seed = 1 + seeds * (ranks.count - 1), seeds * ranks.count do -- other graphs for each number of ranks
  local n = 1 + (seed * 53) % 130
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    for s, g in ipairs(shapes(n, seed, kind)) do
      graphs = graphs + 1
      local want = reference.floyd_warshall(g)
      for _, tile in ipairs {16, 64} do same("fw by rows", fw(g, {form = "rows", tile = tile}), want) end
      for _, tile in ipairs {16, 64} do striped(g, tile, want) end
      same("apsp by groups", apsp(g, {form = "groups", sources_at_a_time = 7}), want)
      if s < 3 and on_cpu() then same("apsp by Dijkstra", apsp(g, {form = "dijkstra"}), want) end
      if s == 3 then
        local star = kleene(g, {form = "updates"}).matrix
        for _, tile in ipairs {16, 64} do same("kleene by columns", kleene(g, {form = "columns", tile = tile}), star) end
      end
    end
  end
end

-- The order of vertices from a Boolean closure whose words are divided among the ranks: the same as with one rank, for any panel width.
local function ordered(g, panel)
  local count, rank = ranks.count, ranks.rank
  ranks.count, ranks.rank = 1, 0
  local order, place, left, _, form = kleene.order(g, {form = "descendants"})
  ranks.count, ranks.rank = count, rank
  local all, places, rest, _, ran = kleene.order(g, {form = "descendants", panel = panel})
  assert(order:diff(all) == 0 and place:diff(places) == 0 and left == rest and form == ran, g.n .. " vertices: another order")
  graphs = graphs + 1
end
for _, n in ipairs {1, 2, 63, 64, 65, 127, 128, 129, 191, 193, 500, 1023, 1025} do -- includes sizes with fewer words than ranks
  for _, panel in ipairs {1, 2, 16} do ordered(gen.dag {n = n, m = n > 1 and 3 * n or 0, seed = n}, panel) end
  ordered(gen.uniform {n = n, m = n // 2, seed = n}, 2) -- this graph may have cycles
end
if not on_cpu() then ordered(gen.dag {n = 12300, m = 98400, seed = 1}) end -- at this size the ranks divide the matrix by default

-- all ranks react to what only one of them detects: a path length that overflows 32 bits, a negative cycle
local edges = {weights = "i32"}
for v = 0, 38 do edges[#edges + 1] = {v, v + 1, v < 30 and 1 or 2000000000} end
local long = graph.from_edges(edges)
for _, form in ipairs {"groups", on_cpu() and "dijkstra" or "shared"} do
  local r = apsp(long, {form = form})
  assert(r.matrix.dtype == "i64" and r:get(0, 39) == 30 + 9 * 2000000000)
end
assert(fw(long, {form = "rows", tile = 16}).matrix.dtype == "i64")
edges[#edges + 1] = {39, 30, -1900000000}
for i = 31, 39 do edges[i][3] = 1 end
local good, message = pcall(fw, graph.from_edges(edges))
assert(not good and message:find "cycle of negative weight", message)
good, message = pcall(apsp, graph.from_edges(edges), {form = "groups"})
assert(not good and message:find "cycle of negative weight", message)

-- rank 0 writes the rows to a file: the same bytes as with one rank, for any number of rows at a time; errors are raised on all ranks
for _, n in ipairs {1, 2, 3, 50} do
  for _, kind in ipairs {"i32", "f64"} do
    local g = gen.uniform {n = n, m = 3 * n, seed = n, weights = kind, lo = 1, hi = 60}
    for _, form in ipairs {"groups", "shared", on_cpu() and "dijkstra" or nil} do
      for _, some in ipairs {1, 7, n} do
        local own = ("alone%d.npy"):format(ranks.rank)
        local options = {form = form, sources_at_a_time = form ~= "dijkstra" and some or nil, file = own}
        alone(function() return apsp(g, options) end)
        local want = bytes_of(own)
        os.remove(own)
        options.file = "d.npy"
        local r = apsp(g, options)
        assert(bytes_of "d.npy" == want, form)
        assert(check(r))
        graphs = graphs + 1
      end
    end
  end
end
local r = apsp(long, {file = "d.npy"}) -- rewritten when a sum on some rank overflows 32 bits
assert(r.dtype == "i64" and r:get(0, 39) == 30 + 9 * 2000000000)
good, message = pcall(apsp, graph.from_edges(edges), {form = "groups", file = "d.npy"})
assert(not good and message:find "cycle of negative weight", message)
do
  good, message = pcall(apsp, long, {file = "none/d.npy"})
  assert(not good and message:find(ranks.rank == 0 and "No such file" or "rank 0 cannot write none/d.npy"), message)
end
ranks.sum(0)
if ranks.rank == 0 then os.remove "d.npy" end

-- a matrix that fits on the ranks' devices together, but not on one
local wide = gen.uniform {n = 300, m = 1500, seed = 2, weights = "i32", lo = 1, hi = 50}
local room = matrix_ranks.rows_bytes(300, "i32", 16)
r = fw(wide, {memory = room, tile = 16})
assert(r.variant == (ranks.count > 1 and room < 300 * 300 * 4 and "rows" or room < (300 + 2 * 300) * 300 * 4 and "out of core" or "blocked"), r.variant)
assert(r.matrix:diff(reference.floyd_warshall(wide)) == 0)

-- the Kleene star by columns: a rank's columns may begin within a tile or at its start, and a rank may have none
for _, n in ipairs {1, 31, 33, 63, 65, 127, 129, 255, 257, 300} do
  local d = gen.dag {n = n, m = n > 1 and 3 * n or 0, seed = n, weights = "i32", lo = -30, hi = 40}
  local star = kleene(d, {form = "updates"}).matrix
  for _, tile in ipairs {16, 64, 256, false} do same("kleene by columns", kleene(d, {form = "columns", tile = tile or nil}), star) end
  graphs = graphs + 1
end

local g = gen.uniform {n = 200, m = 900, seed = 3, weights = "i32"}
local several = ranks.count > 1
assert(fw(g).variant == (several and "rows" or "blocked"))
assert(kleene(gen.dag {n = 90, m = 300, seed = 1}).variant == (several and "columns" or "blocked"))
print(graphs .. " graphs are right")
