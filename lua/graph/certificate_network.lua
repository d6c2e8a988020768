-- The certificates of PageRank and of the number of triangles, on the present device.

local bundle = import("base/loops").bundle
local prove_network = {}

local PARTS = 1024      -- number of partial sums of ranks
local CLOSE = 1e-3      -- a sum whose relative distance to its bound is at most this is decided sequentially
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
-- undecided here. The row of a vertex lists its neighbours along edges in either direction. It is proved, too, that the rows are sorted
-- and complete.
function prove_network.triangles(g, at)
  if 2.0 * g.m >= FEW then return nil end
  local key, sorted = buffer.new("u64", 2 * g.m), buffer.new("u64", 2 * g.m)
  both_ways(g, key)
  radix_sort(key, sorted)
  key:close()
  local args = bundle {key = sorted, row = buffer.new("u32", g.n + 1), found = buffer.new("u32", 2 * g.m),
    corners = buffer.new("i64", g.n), at = at}
  key_rows(sorted, args.row)
  if prove_rows(args) > 0 or prove_pairs(g, args) > 0 or prove_corners(args) > 0 then return nil end
  return prove_counts(args) == 0
end

return prove_network
