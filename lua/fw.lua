-- All pairs' shortest paths by Floyd-Warshall on tiles of 32 x 32. Venkataraman, Sahni, Mukhopadhyaya 2003: for
-- every pivot, its own tile, then its row and column, then the rest.

fw = {}

local OPTIONS = {} -- there are none

local TILE = 32

local result = algorithm.results {
  name = "fw",
  show = function(r) return ("distances between all pairs of %d vertices (%s)"):format(r.graph.n, r.matrix.dtype) end,
  methods = {get = function(r, i, j) return r.matrix:get(i, j) end},
}

-- Makes D the matrix of shortest distances, in place; false if a sum left its type.
local function close(D, n)
  local overflow = buffer.new("u32", 1)
  local tiles = (n + TILE - 1) // TILE
  for k = 0, tiles - 1 do
    fw_pivot(D, overflow, k, tiles)
    if tiles > 1 then
      fw_cross(D, overflow, k, tiles)
      fw_rest(D, overflow, k, tiles)
    end
  end
  return overflow[0] == 0
end

local GREATEST = {f32 = 0x1.fffffep127, f64 = 0x1.fffffffffffffp1023}

-- Can the weights be distances of this type? (Of real types, their sums too.) The greatest integer means "no path".
local function fits(g, kind)
  if not g.weights or g.m == 0 then return true end
  local low, high = g.w:min(), g.w:max()
  if kind == "i32" then return high < 0x7fffffff end
  if kind == "i64" then return high < math.maxinteger end
  return 2.0 * g.n * math.max(-low, high) <= GREATEST[kind]
end

-- Raises an error if there is a negative cycle.
local function refuse_negative_cycle(g)
  local v, cycle = reference.negative_cycle(g)
  if cycle then error(("fw: vertex %d lies on a cycle of negative weight: %s"):format(g:label(v), cycle), 3) end
end

--- fw(g): the distances between all pairs of vertices. r:get(i, j) is one distance (the type's maximum, or inf, if there
--- is no path), r.matrix the n x n buffer; check(r) proves them. If a sum of i32 or f32 weights leaves its type, the run
--- repeats in 64 bits and says so. A negative cycle is an error that names it. With real weights a cycle may be missed that
--- is less negative than distances are rounded: check(r) finds it. r.variant is "tiles", the only form on every device; a
--- stepped run takes the same.
local function run(g, options)
  algorithm.graph("fw", g)
  algorithm.options("fw", options, OPTIONS)
  local kind, D = g.weights or "i32", nil
  for wide in algorithm.widths("fw", kind) do
    D = fits(g, wide) and reference.distance_matrix(g, wide)
    if D and close(D, g.n) then break end
    D = nil
    refuse_negative_cycle(g)
  end
  if not D then error("fw: " .. algorithm.too_long(kind), 2) end
  for v = 0, g.n - 1 do
    if D:get(v, v) < 0 then -- with real weights this may be rounding alone
      refuse_negative_cycle(g)
      break
    end
  end
  return result({graph = g, matrix = D}, "tiles")
end

setmetatable(fw, {__call = function(_, g, options) return run(g, options) end})
