-- Errors in the papers' listings: each mark `paper errs: PAPER, PLACE: ...` of kernels/ and lua/ has a test here whose name is
-- PAPER, PLACE (ctest -R errata). Most of these tests run the listing as it is printed, in plain Lua, on a small input where it goes
-- wrong, then the corrected listing, then our implementation. Papers are numbered as by `help errata`. Numbers at the ends of lines
-- of code are the line numbers of the listing.

local FAR = algorithm.greatest
local NONE = 0xffffffff

local function filled(kind, count, value)
  local b = buffer.new(kind, count)
  fill(b, value)
  return b
end

-- --- 000: Barnat, Bauch, Brim, Ceska 2011 ---

-- The row offsets and targets of a graph whose edges {from, to, weight} are in the order of their sources.
local function rows(n, edges)
  local off, at = {}, 0
  for v = 0, n do
    while edges[at + 1] and edges[at + 1][1] < v do at = at + 1 end
    off[v] = at
  end
  return off
end

-- Algorithm 4 on the policy {vertex = edge}; in each pass, the threads run one after the other. fixed[LINE]: that line is corrected;
-- the corrected line 14 uses an active layer. Returns the values and the number of passes, or nil and the reason of the failure.
local function value_propagate(n, edges, policy, lambda, source, fixed)
  local inverse = {}
  for _, e in ipairs(edges) do inverse[#inverse + 1] = {e[2], e[1], e[3]} end
  table.sort(inverse, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
  local M_n, val, active = rows(n, inverse), {[source] = 0}, {[source] = true}
  local count, first = {}, {} -- the two halves of the paper's gPredInfo
  for v = 0, n - 1 do
    count[v] = 0
    for k = M_n[v], M_n[v + 1] - 1 do
      if edges[policy[inverse[k + 1][2]] + 1][2] == v then
        count[v], first[v] = count[v] + 1, first[v] or k - M_n[v]
      end
    end
  end
  for pass = 1, 100 do
    local fix_point, next_active = true, {}
    for index = 0, n - 1 do
      local counter = (not fixed[14] or active[index]) and count[index] or 0
      local pred = counter > 0 and (fixed[4] and M_n[index] + first[index] or M_n[index + first[index]])
      while counter > 0 do
        local edge = inverse[pred + 1]
        if not edge then return nil, ("vertex %d reads edge %d of %d"):format(index, pred, #edges) end
        local chosen = (fixed[7] and edges or inverse)[policy[edge[2]] + 1]
        if chosen[2] == index then
          counter = counter - 1
          if edge[2] ~= source then
            if val[index] then val[edge[2]] = val[index] + edge[3] - lambda end
            next_active[edge[2]], fix_point = true, false
          end
        end
        pred = pred + 1
      end
    end
    active = next_active
    if fix_point then return val, pass end
  end
  return nil, "no fixpoint after 100 passes"
end

-- The policy has the cycle 0 -> 2 -> 0, whose mean is 2, and the choice 1 -> 2; the edge 1 -> 0 is not chosen.
local EDGES, POLICY = {{0, 2, 1}, {1, 0, 9}, {1, 2, 5}, {2, 0, 3}}, {[0] = 0, 2, 3}

local function propagated(fixed)
  local val, why = value_propagate(3, EDGES, POLICY, 2, 0, fixed)
  return val and {val[0], val[1], val[2], passes = why} or why
end

-- The state for our primitives with the policy POLICY on the graph of EDGES, and the edges with their transpose.
local function our_policy()
  local g = graph.from_edges {n = 3, weights = "i64", table.unpack(EDGES)}
  local s, overflow = state.policy(g, "i64"), nil
  policy_regions(s, buffer.new("u32", {0, 0, 0}))
  for v, e in pairs(POLICY) do s.policy[v] = e end
  s.root[0], s.p[0], s.q[0] = 0, 2, 1
  local edges = bundle {off = g.off, to = g.to, w = g.w, t = buffer.new("i64", 0), timed = 0, roff = g.roff, rto = g.rto, summary = 1}
  return s, edges
end

local function our_values()
  local s, edges = our_policy()
  policy_count_preds(s, edges)
  policy_start_values(s)
  local grown, passes = policy_propagate_fix(s, edges)
  return {s.d[0], s.d[1], s.d[2], passes = passes}, grown
end

it("000, Algorithm 3, line 15: the result is lambda", function()
  local r = ocm(graph.from_edges {weights = "i32", {0, 1, 3}, {1, 0, 4}, {1, 2, 1}, {2, 1, 2}}, {form = "layered"})
  equal({r.p, r.q, r.mean}, {3, 2, 1.5})
end)
it("000, Algorithm 4, line 4: as printed it reads the row of another vertex", function()
  equal(propagated {[7] = true, [14] = true}, "vertex 0 reads edge 4 of 4")
  equal(propagated {[4] = true, [7] = true, [14] = true}, {0, 4, 1, passes = 3})
  equal((our_values()), {0, 4, 1, passes = 3})
end)
it("000, Algorithm 4, line 7: as printed it takes 1 for the predecessor of 0 instead of 2", function()
  equal(propagated {[4] = true, [14] = true}, {0, 3, nil, passes = 2})
  local s, edges = our_policy()
  policy_count_preds(s, edges)
  equal({s.preds:totable(), s.first_pred[0], s.first_pred[2]}, {{1, 0, 2}, 1, 0})
end)
it("000, Algorithm 4, line 14: as printed the passes never end", function()
  equal(propagated {[4] = true, [7] = true}, "no fixpoint after 100 passes")
  local ours, grown = our_values()
  equal({grown, ours.passes}, {2, 3})
end)

-- The scanning method of section 2.4 from vertex 0, for at most n passes. Returns the potentials and the number of passes.
local function scanning(n, edges, start, all_found)
  local pi, found, passes = {[0] = 0}, {[0] = true}, 0
  for v = 1, n - 1 do pi[v], found[v] = start, all_found or nil end
  while next(found) and passes < n do
    passes = passes + 1
    local scanned = found
    found = {}
    for u in pairs(scanned) do
      for _, e in ipairs(edges) do
        if e[1] == u and pi[u] + e[3] < pi[e[2]] then pi[e[2]], found[e[2]] = pi[u] + e[3], true end
      end
    end
  end
  return pi, passes, next(found) ~= nil
end

it("000, section 2.4, potentials: a negative cycle after an edge of weight 5 is missed", function()
  local edges = {{0, 1, 5}, {1, 2, -1}, {2, 1, -1}}
  local _, passes = scanning(3, edges, 0)
  equal(passes, 1) -- it ends with "there are no found vertices", as if there were no negative cycle
  for _, x in ipairs {{0, true}, {math.huge, nil}} do
    local _, all, left = scanning(3, edges, x[1], x[2])
    equal({all, left}, {3, true})
  end
  local g = graph.from_edges {weights = "i64", table.unpack(edges)}
  local _, ours = paths.potentials(g)
  assert(ours > g.n)
  raises("a negative cycle is reachable: ", paths.bellman_ford, g, 0)
end)
it("000, section 2.4, n passes: a path of n vertices takes n passes and has no cycle", function()
  local edges = {{0, 1, -1}, {1, 2, -1}}
  local pi, passes, left = scanning(3, edges, math.huge)
  equal({pi[2], passes, left}, {-2, 3, false})
  -- the path is numbered backward: a pass goes through the vertices in order, so each pass improves only one vertex
  device "cpu:1"
  local r = paths.bellman_ford(graph.from_edges {weights = "i64", {2, 1, -1}, {1, 0, -1}}, 2)
  device "auto"
  equal({r.dist:totable(), r.passes}, {{-2, -1, 0}, 3})
end)
it("000, section 3.2, gPredInfo: 65536 predecessors, and the first of them at the index 65536", function()
  -- The vertices 2 .. 65538 have edges to 0 and to 1; 2 .. 65537 choose the edge to 1, 65538 chooses the edge to 0.
  local last <const> = 65538
  local from, to, chosen = {}, {}, filled("u32", last + 1, NONE)
  for v = 2, last do
    for u = 0, 1 do
      if u == (v == last and 0 or 1) then chosen[v] = #from end
      from[#from + 1], to[#to + 1] = v, u
    end
  end
  local g = graph.from_edges(last + 1, buffer.new("u32", from), buffer.new("u32", to))
  local s = state.policy(g, "i64")
  copy(chosen, s.policy)
  policy_count_preds(s, bundle {to = g.to, roff = g.roff, rto = g.rto})
  equal({s.preds[1], s.preds[1] & 0xffff}, {65536, 0}) -- in 16 bits the number of predecessors is 0
  equal({s.first_pred[0], s.first_pred[0] & 0xffff}, {65536, 0})
  equal({s.preds[0], s.first_pred[1]}, {1, 0})
end)

it("000, section 3.2, gCycles: two means that are one number in 32 bits", function()
  local big <const> = 1 << 24
  equal(string.unpack("f", string.pack("f", big + 1)), big + 0.0)
  local g = graph.from_edges {weights = "i32", {0, 0, big + 1}, {0, 1, big + 9}, {1, 0, big + 9}, {1, 1, big}}
  for _, form in ipairs {"layered", "doubling"} do
    local r = ocm(g, {form = form})
    equal({r.p, r.q, check(r)}, {big, 1, true})
  end
end)

-- --- 001: Lesnikov, Chernoskutov 2016 ---

-- Algorithm 1; fixed[LINE]: that line is corrected.
local function delta_stepping(n, edges, s, delta, fixed)
  local dist, B = {}, {}
  local function bucket(i)
    B[i] = B[i] or {}
    return B[i]
  end
  local function requests(of, heavy)
    local list = {}
    for v in pairs(of) do
      for _, e in ipairs(edges) do
        if e[1] == v and (e[3] > delta) == heavy then list[#list + 1] = {e[2], dist[v] + e[3]} end
      end
    end
    return list
  end
  local function relax_requests(list)
    for _, r in ipairs(list) do
      local w, x = r[1], r[2]
      if x < dist[w] then
        if dist[w] < math.huge then bucket(dist[w] // delta)[w] = nil end
        bucket(x // delta)[w] = true
        dist[w] = x
      end
    end
  end
  for v = 0, n - 1 do dist[v] = math.huge end -- 2, 3
  dist[s] = 0                                 -- 4
  if fixed[4] then bucket(0)[s] = true end
  while true do                               -- 5, 6
    local i
    for j, b in pairs(B) do
      if next(b) and (not i or j < i) then i = j end
    end
    if not i then break end
    local R = {}                              -- 7
    while next(B[i]) do                       -- 8
      local req = requests(B[i], false)       -- 9
      for v in pairs(B[i]) do R[v] = true end -- 10
      B[i] = {}                               -- 11
      relax_requests(req)                     -- 12
    end
    relax_requests(requests(fixed[13] and R or B[i], true)) -- 13, 14
  end
  local list = {}
  for v = 0, n - 1 do list[v + 1] = dist[v] < math.huge and dist[v] or FAR.i32 end
  return list
end

local ROADS = {{0, 1, 1}, {1, 2, 9}, {2, 3, 1}} -- with buckets of width 3 one edge is heavy

it("001, Algorithm 1, line 4: as printed all buckets are empty at first", function()
  equal(delta_stepping(4, ROADS, 0, 3, {[13] = true}), {0, FAR.i32, FAR.i32, FAR.i32})
  equal(delta_stepping(4, ROADS, 0, 3, {[4] = true, [13] = true}), {0, 1, 10, 11})
  equal(paths.delta_stepping(graph.from_edges {weights = "i32", table.unpack(ROADS)}, 0, 3).dist:totable(), {0, 1, 10, 11})
end)
it("001, Algorithm 1, line 13: as printed no heavy edge is relaxed", function()
  equal(delta_stepping(4, ROADS, 0, 3, {[4] = true}), {0, 1, FAR.i32, FAR.i32})
  local g = graph.from_edges {weights = "i32", table.unpack(ROADS)}
  local kept = buffer.new("u32", {1, 1, 0, 0}) -- the set R of Algorithm 1: vertices that have already left the bucket
  local offer, request = buffer.new("i32", 3), buffer.new("u32", 4)
  equal(request_heavy(g, {dist = buffer.new("i32", {0, 1, FAR.i32, FAR.i32}), kept = kept, offer = offer, request = request, delta = 3,
    overflow = buffer.new("u32", 1)}), 2)
  equal({request[0], request[1], offer[1], kept:totable()}, {1, 1, 10, {0, 0, 0, 0}})
end)

-- --- 002: Pogorilyy, Slynko 2016 ---

it("002, introduction, Floyd-Warshall: n^3 updates", function()
  for _, n in ipairs {16, 32} do
    trace.reset()
    fw(gen.ring {n, weights = "i32", lo = 1, hi = 9}, {form = "textbook"})
    local sum = 0
    for _, x in ipairs(trace.last(1000)) do
      if x.kernel == "fw_step" then sum = sum + x.operations end
    end
    equal(sum, n ^ 3)
  end
end)

local function masked()
  local g = graph.from_edges {n = 5, weights = "i32", {0, 1, 5}, {0, 2, 1}, {2, 1, 1}, {3, 4, 1}}
  local s = {dist = buffer.new("i32", {0, FAR.i32, FAR.i32, FAR.i32, FAR.i32}), mask = buffer.new("u32", {1, 0, 0, 0, 0}),
    overflow = buffer.new("u32", 1)}
  return g, s
end
it("002, RELAX_WITH_MASK, C[edgeId]: it lowers the edge's target, not the cell with the edge's number", function()
  local g, s = masked()
  equal(relax_masked(g, s), 2)
  equal(s.dist:totable(), {0, 5, 1, FAR.i32, FAR.i32}) -- with the edges' numbers as indices, C[0] and C[1] would be lowered
end)
it("002, RELAX_WITH_MASK, M[tid]: the mask is cleared", function()
  local g, s = masked()
  relax_masked(g, s)
  equal(s.mask:totable(), {0, 0, 0, 0, 0})
  equal(relax_masked(g, s), 0)
end)

-- --- 004: Okuyama 2013 ---

it("004, figure 3.1, line 9: a path does not go round a cycle of weight 0", function()
  local zero = graph.from_edges {weights = "i32", {0, 1, 3}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {3, 4, 1}}
  local r = apsp(zero)
  equal({r:path(0, 4), r:path(4, 0), r:path(2, 2)}, {{0, 1, 2, 3, 4}, nil, {2}})
  -- as printed, the path from 1 to 0 never ends: the first neighbour of 1 that fits is 2, and the first one of 2 is 1
  local other = graph.from_edges {weights = "i32", {1, 2, 0}, {2, 1, 0}, {2, 3, 0}, {3, 0, 1}, {1, 3, 0}}
  r = apsp(other)
  local at, steps = 1, 0
  while at ~= 0 and steps < 100 do
    for n, w in other:edges(at) do
      if w + r:get(n, 0) == r:get(at, 0) then at = n break end
    end
    steps = steps + 1
  end
  equal(steps, 100)
  equal(r:path(1, 0)[#r:path(1, 0)], 0)
end)

-- The costs after scatter_costs or scatter_shared (`row`), with all vertices in the mask.
local function scattered(row, g, costs)
  local args = {k = 1, mask = filled("u32", g.n, 1), cost = buffer.new("i32", costs), updated = filled("i32", g.n, FAR.i32),
    overflow = buffer.new("u32", 1)}
  if row == scatter_shared then args.together, args.rows, args.columns = 32, (g.n + 31) // 32, 1 end
  row(g, args)
  return args.updated:totable()
end
local TWO = graph.from_edges {n = 3, weights = "i32", {0, 2, 3}, {1, 2, 8}} -- two offers: 3, then 8
for _, place in ipairs {"004, figure 3.3, line 9: the least of several offers stays, not the last", "004, figure 3.7, line 13: likewise"} do
  it(place, function()
    local printed = FAR.i32
    for _, e in ipairs {{0, 3}, {0, 8}} do printed = math.min(FAR.i32, e[1] + e[2]) end -- u := min(c, ...)
    equal(printed, 8)
    device "cpu:1" -- one thread takes the vertices in order
    for _, row in ipairs {scatter_costs, scatter_shared} do equal(scattered(row, TWO, {0, 0, FAR.i32}), {FAR.i32, FAR.i32, 3}) end
    device "auto"
  end)
end
it("004, figure 3.5, line 6: the weight is the edge's, not that with the neighbour's number", function()
  local g = graph.from_edges {n = 3, weights = "i32", {0, 1, 5}, {0, 2, 7}, {2, 1, 1}}
  local Wa = g.w:totable()
  equal({Wa[1 + 1], Wa[2 + 1]}, {7, 1}) -- what Wa[n] is for the neighbours 1 and 2 of vertex 0
  equal(scattered(scatter_costs, g, {0, FAR.i32, FAR.i32}), {FAR.i32, 5, 7})
end)
it("the minimum of figure 3.5 is an atomic one: many vertices scatter to one", function()
  device "cpu"
  local inward = gen.star {n = 20000, inward = true, weights = "i32", lo = 1, hi = 1000000, seed = 4}
  local low, hub = inward.w:min(), inward.to[0]
  local cost, updated, mask = buffer.new("i32", 20000), buffer.new("i32", 20000), buffer.new("u32", 20000)
  for _ = 1, 20 do
    fill(updated, FAR.i32)
    fill(mask, 1)
    scatter_costs(inward, {k = 1, mask = mask, cost = cost, updated = updated, overflow = buffer.new("u32", 1)})
    equal(updated[hub], low)
  end
  device "auto"
end)
it("004, figure 3.9, line 12: as many vertices as a block takes, with fewer problems than vertices", function()
  -- N = 1 problem, B = 32 vertices: from[v] and to[v] are read for v up to 31
  local g = gen.uniform {n = 100, degree = 4, seed = 3, weights = "i32", lo = 1, hi = 99}
  local costs = {}
  for v = 1, 100 do costs[v] = v * 37 % 100 end
  equal(scattered(scatter_shared, g, costs), scattered(scatter_costs, g, costs))
end)
it("004, figure 3.9, line 17: no neighbour beyond the 32nd is dropped", function()
  local star = gen.star {n = 200, weights = "i32", lo = 1, hi = 9}
  local hub = star:stats().out_degree.top
  local r = apsp.many(star, {hub, hub}, {shared = true})
  for v = 0, 199 do assert(r:get(1, v) < FAR.i32 and r:get(2, v) == r:get(1, v)) end
end)
it("004, section 3.4.3, recording kernel: parents do not go round a cycle of weight 0", function()
  local zero = graph.from_edges {weights = "i32", {0, 1, 3}, {1, 2, 0}, {2, 3, 0}, {3, 1, 0}, {3, 4, 1}}
  local r = apsp.many(zero, {0}, {parents = true})
  equal({check(r), r:path(1, 4), r.parent:totable()}, {true, {0, 1, 2, 3, 4}, {NONE, 0, 1, 2, 3}})
end)

-- A matrix of tiles x tiles tiles of tile x tile elements: the only paths are from each vertex to itself.
local function without_edges(tiles, tile)
  local n = tiles * tile
  local D = buffer.new("i32", n, n)
  fill(D, FAR.i32)
  for v = 0, n - 1 do D:set(v, v, 0) end
  return D, n
end

it("004, figure 4.2, lines 5 and 7: T(I,K) are in the pivot's column", function()
  local D = without_edges(3, 32) -- the pivot is tile (1, 1)
  D:set(5, 40, 3)                -- in T(0, 1)
  D:set(40, 41, 4)               -- in the pivot
  D:set(41, 70, 5)               -- in T(1, 2)
  fw_cross(D, buffer.new("u32", 1), 1, 3)
  equal({D:get(5, 41), D:get(40, 70), D:get(5, 70)}, {7, 9, FAR.i32})
  for v = 0, 95 do
    for u = 0, 95 do
      local changed = D:get(v, u) == 7 or D:get(v, u) == 9
      if changed then assert((u // 32 == 1) == (v < 32) and (v // 32 == 1) == (u >= 64)) end
    end
  end
end)
it("004, section 4.2.1, equation 4.2: the updates do not depend on the size of a tile", function()
  local n = 12
  for _, t in ipairs {2, 3, 6} do
    local updates = 0
    local function fwi(A, B, C) -- A, B, C: tiles {row, column}, numbered from 0
      for k = 0, t - 1 do
        for i = 0, t - 1 do
          for j = 0, t - 1 do
            local by_itself = A[2] == B[2] and j == k or A[1] == C[1] and i == k -- M[i, k] + M[k, k] or M[k, k] + M[k, j]
            if not by_itself then updates = updates + 1 end
          end
        end
      end
    end
    for K = 0, n // t - 1 do
      for I = 0, n // t - 1 do
        for J = 0, n // t - 1 do fwi({I, J}, {I, K}, {K, J}) end
      end
    end
    equal({updates, n * (n * n - 2 * t + 1) == updates}, {n * (n - 1) * (n - 1), false})
  end
end)
it("004, section 4.2.2, kernel launches: 7n/tR - 6", function()
  trace.reset()
  fw(gen.ring {64, weights = "i32", lo = 1, hi = 9}, {form = "recursive", tile = 16})
  local launches = {}
  for _, x in ipairs(trace.last(1000)) do launches[x.kernel] = (launches[x.kernel] or 0) + 1 end
  local parts, printed, sum = 4, 0, 0 -- parts: n/tR
  for i = 0, 2 do -- up to log2(parts)
    printed = printed + (1 << i)
    if i < 2 then sum = sum + (1 << i) end
  end
  equal({4 * printed + parts, 4 * sum + parts, 5 * parts - 4}, {32, 16, 16})
  equal({launches.close_pivot, launches.block_multiply}, {parts, 6 * sum})
  equal(launches.close_pivot + launches.block_multiply, 7 * parts - 6)
end)

-- Runs a row for the tiles that are neither in the pivot's row nor in its column. There are 2 x 2 tiles of 64 x 64 elements; the
-- pivot is tile (0, 0).
local function rest_of_tiles(row, more)
  local D, n = without_edges(2, 64)
  D:set(100, 7, 3) -- in the pivot's column, of which B' is a part of 16 x t
  D:set(7, 120, 4) -- in the pivot's row, of which C' is a part of t x 64
  local given = {D = D, overflow = buffer.new("u32", 1), tiles = 2, tile = 64, k = 0, semiring = 0, positive = 1}
  for key, value in pairs(more) do given[key] = value end
  row(bundle(given))
  return D
end
it("004, section 4.3.2, regions: rows of the pivot's column by columns of its row", function()
  equal(rest_of_tiles(mm_rest, {l = 1}):get(100, 120), 7)
end)

-- Figure 4.10 for one tile A of t x t elements and the tiles of its column and row. Returns a message if an index is wrong.
local function two_level(A, column, row, t, sub, fixed)
  for k1 = 0, t // sub - 1 do
    for i1 = 1, sub do
      for j = 1, t do
        for k2 = 1, sub do
          local k = k1 * sub + k2
          for i2 = fixed[11] and 0 or 1, t // sub - 1 do
            local i, in_shared = i2 * sub + i1, fixed[13] and k2 or k
            if in_shared > sub then return ("B[%d, %d] of B[%d, %d]"):format(i, in_shared, t, sub) end
            A[i][j] = math.min(A[i][j], column[i][k1 * sub + in_shared] + row[k1 * sub + in_shared][j])
          end
        end
      end
    end
  end
end
local function square(t, f)
  local rows_of = {}
  for i = 1, t do
    rows_of[i] = {}
    for j = 1, t do rows_of[i][j] = f(i, j) end
  end
  return rows_of
end
local function two_level_case()
  local A = square(4, function() return 99 end)
  local column, row = square(4, function(i, j) return 3 * i + j end), square(4, function(i, j) return i + 2 * j end)
  local want = square(4, function(i, j) return column[i][1] + row[1][j] end) -- k = 1 gives the minimum
  return A, column, row, want
end
it("004, figure 4.10, line 11: as printed the first t' rows are not updated", function()
  local A, column, row, want = two_level_case()
  equal(two_level(A, column, row, 4, 2, {[13] = true}), nil)
  equal(A, {{99, 99, 99, 99}, {99, 99, 99, 99}, want[3], want[4]})
  A, column, row = two_level_case()
  equal(two_level(A, column, row, 4, 2, {[11] = true, [13] = true}), nil)
  equal(A, want)
  local D = without_edges(2, 16)
  D:set(16, 3, 3) -- the first row of tile (1, 0)
  D:set(3, 20, 4)
  two_level_rest(bundle {D = D, overflow = buffer.new("u32", 1), tiles = 2, tile = 16, k = 0, semiring = 0, positive = 1, l = 1, sub = 4})
  equal(D:get(16, 20), 7)
end)
it("004, figure 4.10, line 13: as printed the index is beyond the shared arrays", function()
  local A, column, row = two_level_case()
  equal(two_level(A, column, row, 4, 2, {[11] = true}), "B[1, 3] of B[4, 2]")
  local D = rest_of_tiles(two_level_rest, {l = 1, sub = 4}) -- the path leads through k = 8, beyond the first sub = 4 columns
  equal(D:get(100, 120), 7)
end)
it("004, section 4.4.2, U: a product of blocks", function()
  local function up(x) return math.ceil(x) end
  local n, t, l = 512, 32, 1
  equal(up(n / 64 / l) - (n // 16 - t // 16), -22) -- as printed
  equal(up(n / 64 / l) * (n // 16 - t // 16), 240)
  equal(fw.tune(n, {device = "GTX 280", tile = t, clock = false}).candidates[1].blocks, 240)
end)

-- The stack machine of figure 5.7. A program consists of numbers and of operations with n operands {"PLUS_NARY", n}; sp starts
-- at -1. fixed: the result replaces the first operand.
local function interpreted(program, fixed)
  local stack, sp = {}, -1
  local function push(x)
    sp = sp + 1
    stack[sp] = x
  end
  for _, x in ipairs(program) do
    if type(x) == "number" then
      push(x)
    else
      sp = sp - (x[2] - 1) -- 19
      local v = x[1] == "PLUS_NARY" and 0 or 1
      for i = 0, x[2] - 1 do v = x[1] == "PLUS_NARY" and v + stack[sp + i] or v * stack[sp + i] end -- 20
      if fixed then stack[sp] = v else push(v) end -- 21
    end
  end
  return stack[sp]
end
it("004, figure 5.7, lines 19 to 21: as printed an operand stays on the stack", function()
  local program = {2, 3, 4, {"PLUS_NARY", 2}, {"TIMES_NARY", 2}} -- 2*(3 + 4)
  equal({interpreted(program), interpreted(program, true)}, {21, 14})
  local m = model.from_text "a = 2*x\ny = a*(3*x + 4*x)\nx' = y\nx(0) = 1"
  local r = simulate(m, {stop = 1, dt = 1, every = 1, method = "euler", engine = "bytecode"})
  equal(r.x[#r.x - 1], 15.0)
end)
it("004, figure 5.8, line 21: as printed the last step is left out", function()
  local function steps(s, l)
    local count, t = 0, s
    while t <= l do count, t = count + 1, t + s end
    return count
  end
  equal({steps(0.01, 1000), steps(0.01, 1)}, {100000, 99})
  local m = model.from_text "x' = 1\nx(0) = 0"
  local r = simulate(m, {stop = 1, dt = 0.01, method = "euler", engine = "bytecode", every = 0.01})
  equal({#r.t, math.abs(r.x[100] - 1) < 1e-12}, {101, true})
end)
