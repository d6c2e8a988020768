-- The proofs of shortest paths.

import "dense/check"
local algorithm = import "base/algorithm"
local apsp = import("paths/apsp").apsp
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"
local prove_matrices = import "dense/certificate_matrix"

local expected, no_graph, no_buffer, no_count = proof.expected, proof.no_graph, proof.no_buffer, proof.no_count
local on_device, real, edges = proof.on_device, proof.real, proof.edges
local is = algorithm.is

-- The triangle inequality must hold on every edge, and tight edges must lead to every reached vertex (as a tree, if r has parents).
function proof.of.sssp(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g = r.graph
  why = no_count(r, "source", 0, g.n - 1) or no_buffer(r, "dist", distance_proof.types_of(g), g.n)
  local whole = proof.is_whole(r, "sssp")
  local parent = rawget(r, "parent") -- rawget: reading r.parent would make sssp compute it
  if not why and parent ~= nil then why = no_buffer(r, "parent", {"u32"}, g.n) end
  if not why and (whole or r.passes ~= nil) then why = no_count(r, "passes", 1, math.maxinteger) end
  if why then return why end
  why = (whole or r.unreached ~= nil) and proof.no_unreached(r, r.dist.dtype, algorithm.greatest[r.dist.dtype])
  if why then return why end
  local from = r.source
  if rawget(r, "sources") ~= nil then
    why, from = distance_proof.no_sources(r)
    if why then return why end
  end
  local limit = rawget(r, "limit")
  if limit ~= nil and (type(limit) ~= "number" or limit ~= limit or (not real(g) and math.type(limit) ~= "integer")) then
    return expected("a number of the distances' type", "limit", limit)
  end
  return distance_proof.wrong_distances(g, r.dist, {r.sources or {r.source}}, {parent = parent, limit = limit}, function()
    reference.check_sssp(g, from, r.dist, parent, limit)
  end)
end

-- Johnson's algorithm shifts distances by potentials, with rounding errors in proportion to the potentials: the tolerance grows with
-- the greatest |potential| (all potentials are 0 or less).
local function tolerance(r)
  if not real(r.graph) then return nil end
  local h = rawget(r, "potential")
  local least = h and is("lockstep.buffer", h) and pcall(function() return h:min() end) and math.abs(h:min()) or 0
  return math.min(1, proof.any_order(r.matrix.dtype, r.graph.n) * (1 + least))
end

-- The proof of apsp for a matrix in a file, row by row.
local function rows_of_file(r)
  local why = no_graph(r, "graph")
  if why then return why end
  if type(r.file) ~= "string" then return expected("the name of a file", "file", r.file) end
  local n = r.graph.n
  for i = 0, n - 1 do
    local good, row = pcall(apsp.row, r.file, r.dtype, n, i)
    if not good then return algorithm.without_place(row) end
    local right, message = pcall(distance_proof.wrong_distances, r.graph, row, {{i}}, {}, function() reference.check_sssp(r.graph, i, row) end)
    if not right or message then return ("row %d of %s: %s"):format(i, r.file, message) end
  end
end

function proof.of.apsp(r)
  if rawget(r, "file") ~= nil then return rows_of_file(r) end
  local why = proof.of.fw(r, tolerance(r))
  if why then return why end
  return proof.no_unreached(r, r.matrix.dtype, algorithm.greatest[r.matrix.dtype])
end

proof.of.johnson = proof.of.apsp

-- A function that returns column i of x, which is n x k.
local function columns(x, n, k)
  if n > 0 and on_device("distances") then
    local turned = prove_matrices.turned(x, n, k)
    return function(i) return turned:slice(i, i + 1, 0, n) end
  end
  return function(i)
    local y = buffer.new(x.dtype, n)
    for v = 0, n - 1 do y[v] = x[v * k + i] end
    return y
  end
end

-- The distances from each source are proved separately.
function proof.of.many(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local g = r.graph
  local bad, sources = distance_proof.no_sources(r)
  if bad then return bad end
  local k = #sources
  why = no_buffer(r, "cost", distance_proof.types_of(g), g.n * k)
  if not why and r.parent ~= nil then why = no_buffer(r, "parent", {"u32"}, g.n * k) end
  if why then return why end
  local costs, parents = columns(r.cost, g.n, k), r.parent and columns(r.parent, g.n, k)
  for i = 0, k - 1 do
    local dist, parent = costs(i), parents and parents(i)
    local s = sources[i]
    why = distance_proof.wrong_distances(g, dist, {{s}}, {parent = parent}, function() reference.check_sssp(g, s, dist, parent) end)
    if why then return why end
  end
end

for _, kind in ipairs {"sssp", "apsp", "many"} do proof.says[kind] = distance_proof.no_short_cut end
