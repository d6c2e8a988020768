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
  show = function(r) print(show(r)) end,
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

--- fw(g): the distances between all pairs of vertices. r:get(i, j) is one of them (the type's maximum or inf
--- where there is no path), r.matrix the n x n buffer; check(r) proves it. A negative cycle is an error.
local function run(g)
  if type(g) ~= "userdata" then error(("fw: expected a graph, got %s"):format(type(g)), 3) end
  local D = reference.distance_matrix(g)
  if not close(D, g.n) then
    if g.weights == "i64" then error("fw: a sum left 64 bits", 3) end
    io.stderr:write("fw: a sum left 32 bits; again in 64\n")
    D = reference.distance_matrix(g, "i64")
    if not close(D, g.n) then error("fw: a sum left 64 bits", 3) end
  end
  for v = 0, g.n - 1 do
    if D:get(v, v) < 0 then error(("fw: vertex %d lies on a cycle of negative weight"):format(g:label(v)), 3) end
  end
  return setmetatable({kind = "fw", graph = g, matrix = D}, result)
end

setmetatable(fw, {__call = function(_, g) return run(g) end})
