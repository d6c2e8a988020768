-- The certificates of PageRank and of the number of triangles, on the present device.

local bundle = import("base/loops").bundle
local prove_network = {}

local PARTS = 1024      -- number of partial sums of ranks
local CLOSE = 1e-3      -- a sum whose relative distance to its bound is at most this is decided sequentially
local WIDE = 64         -- a vertex with more neighbours after it than this is processed by a block of threads
local FEW = 2.0 ^ 31    -- 2 m must be less: the keys, two per edge, are numbered in 32 bits

-- Is x at most `bound`? nil if x is so near to `bound` that rounding may decide.
local function at_most(x, bound)
  if x <= bound * (1 - CLOSE) then return true end
  if not (x <= bound * (1 + CLOSE)) then return false end
end

-- prove_network.pagerank(g, rank, damping, allowed): are the ranks, f64[n], above 0 with the sum 1, and is the sum of their changes in a
-- step of the walk at most `allowed`, apart from rounding errors? Returns true, false, or nil if that is undecided here.
function prove_network.pagerank(g, rank, damping, allowed)
  local n = g.n
  if n == 0 then return true end
  local function parts() return buffer.new("f64", PARTS) end
  local args = bundle {rank = rank, total = parts(), dangling = parts(), change = parts(), rounding = parts(),
    arrived = buffer.new("f64", n), shares = buffer.new("u32", n)}
  if prove_ranks(g, args) > 0 then return false end
  local function sum(b)
    local x = 0.0
    for i = 0, PARTS - 1 do x = x + b[i] end
    return x
  end
  prove_walk(g, args)
  args.step = buffer.new("f64", {damping, (1 - damping) / n + damping * (sum(args.dangling) / n)})
  prove_step(args)
  local whole = at_most(math.abs(sum(args.total) - 1), 1e-9)
  local settled = at_most(sum(args.change), allowed + 2 * sum(args.rounding) + n * 0x1p-104)
  if whole == false or settled == false then return false end
  return whole and settled
end

-- prove_network.triangles(g, at): is at[v], i64[n], the number of triangles with corner v? Returns true, false, or nil if that is
-- undecided here. The row of a vertex lists its neighbours along edges in either direction, by their places in an order in which those of
-- few edges come first; so few neighbours come after a vertex of many edges. It is proved, too, that the rows are sorted and complete,
-- and that each vertex has a place of its own.
function prove_network.triangles(g, at)
  local n, k = g.n, 2 * g.m
  if 1.0 * k >= FEW then return nil end
  local indegree, ends, sorted, order = buffer.new("u32", n), buffer.new("u64", n), buffer.new("u64", n), buffer.new("u32", n)
  prove_degrees(g, {indegree = indegree})
  prove_ends(g, {indegree = indegree, key = ends})
  radix_sort(ends, sorted)
  invert_keys(sorted, order)
  local key = buffer.new("u64", k)
  both_ways(g, {order = order, key = key})
  local args = bundle {key = buffer.new("u64", k), row = buffer.new("u32", n + 1), back = buffer.new("u32", k),
    upper = buffer.new("u32", n), wide = buffer.new("u32", n + 1), corners = buffer.new("i64", n),
    order = order, most = WIDE, at = at, sorted = sorted}
  radix_sort(key, args.key)
  key:close()
  key_rows(args.key, args.row)
  if prove_rows(args) > 0 or prove_pairs(g, args) > 0 then return nil end
  args.blocks = prove_upper(args)
  if prove_corners(args) > 0 then return nil end
  if args.blocks > 0 then prove_wide(args) end
  local wrong, strange = prove_counts(args)
  if strange > 0 then return nil end
  return wrong == 0
end

return prove_network
