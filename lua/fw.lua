-- All pairs' shortest paths by Floyd-Warshall on tiles of 32 x 32. Venkataraman, Sahni, Mukhopadhyaya 2003: for
-- every pivot, its own tile, then its row and column, then the rest.

fw = {}

local TILE = 32

local result = {__name = "fw"}

local function show(r)
  return ("distances between all pairs of %d vertices (%s)"):format(r.graph.n, r.matrix.dtype)
end
result.__tostring = show
local methods = {
  get = function(r, i, j) return r.matrix:get(i, j) end,
  show = function(r) session.say(show(r)) end,
}
result.__index = methods

-- Closes D in place; false where an integer sum left its type.
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

local WIDER = {i32 = "i64", f32 = "f64"}
local SIZE = {i32 = "32 bits", i64 = "64 bits", f32 = "f32", f64 = "f64"}
local MOST = {i64 = "2^63 - 2", f64 = "1.8e308"}
local GREATEST = {f32 = 0x1.fffffep127, f64 = 0x1.fffffffffffffp1023}

-- Can the weights, and of reals sums of them, be distances of this type? The greatest integer means no path.
local function fits(g, kind)
  if not g.weights or g.m == 0 then return true end
  local low, high = g.w:min(), g.w:max()
  if kind == "i32" then return high < 0x7fffffff end
  if kind == "i64" then return high < math.maxinteger end
  return 2.0 * g.n * math.max(-low, high) <= GREATEST[kind]
end

-- Raises where a cycle is negative.
local function refuse_negative_cycle(g)
  local v, cycle = reference.negative_cycle(g)
  if cycle then error(("fw: vertex %d lies on a cycle of negative weight: %s"):format(g:label(v), cycle), 3) end
end

--- fw(g): the distances between all pairs of vertices. r:get(i, j) is one of them (the type's maximum or inf
--- where there is no path), r.matrix the n x n buffer; check(r) proves it. Sums of i32 or f32 weights that leave their
--- type are made in 64 bits, and fw says so. A negative cycle is an error that names it. Of reals one that is lighter
--- than the rounding of the distances may be missed: check(r) finds it.
local function run(g)
  if type(g) ~= "userdata" then error(("fw: expected a graph, got %s"):format(type(g)), 2) end
  local kind, D = g.weights or "i32", nil
  repeat
    local good = fits(g, kind)
    if good then
      D = reference.distance_matrix(g, kind)
      good = close(D, g.n)
    end
    if not good then
      refuse_negative_cycle(g)
      if not WIDER[kind] then error(("fw: a sum left %s: distances are at most %s"):format(SIZE[kind], MOST[kind]), 2) end
      io.stderr:write(("fw: a sum left %s; again in 64\n"):format(SIZE[kind]))
      kind = WIDER[kind]
    end
  until good
  for v = 0, g.n - 1 do
    if D:get(v, v) < 0 then -- of reals it may be rounding
      refuse_negative_cycle(g)
      break
    end
  end
  return setmetatable({kind = "fw", graph = g, matrix = D}, result)
end

setmetatable(fw, {__call = function(_, g) return run(g) end})
