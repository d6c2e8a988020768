-- The proofs of components, searches, page ranks and triangles.

local algorithm = import "base/algorithm"
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"
local prove_components = import "graph/certificate_components"
local prove_network = import "graph/certificate_network"

local expected, DISAGREE, no_graph, no_buffer = proof.expected, proof.DISAGREE, proof.no_graph, proof.no_buffer
local no_count, on_device, counted, edges = proof.no_count, proof.on_device, proof.counted, proof.edges

-- The proof of sssp, with every weight 1.
function proof.of.bfs(r)
  local why = no_graph(r, "graph")
  if why then return why end
  local n = r.graph.n
  why = no_count(r, "source", 0, n - 1) or no_buffer(r, "dist", {"u32"}, n) or no_buffer(r, "parent", {"u32"}, n) or
    no_count(r, "passes", 1, n)
  if why then return why end
  why = proof.no_unreached(r, "u32", 0xffffffff)
  if why then return why end
  local dist = buffer.new(n < 1 << 31 and "i32" or "i64", n)
  levels_to_distances(r.dist, dist)
  return distance_proof.wrong_distances(r.graph, dist, {{r.source}}, {parent = r.parent, unit = true}, function()
    reference.check_sssp(r.graph, r.source, r.dist, r.parent, nil, true)
  end)
end

-- Equal labels must mean the same weakly connected component, and each label must be the least vertex of its component.
function proof.of.components(r)
  local why = no_graph(r, "graph") or no_buffer(r, "id", {"u32"}, r.graph.n)
  if why then return why end
  local count = counted(on_device("components") and function() return prove_components.components(r.graph, r.id) end,
    function() return reference.check_components(r.graph, r.id, true) end)
  why = no_count(r, "count", count, count)
  if why then return why end
  local sizes = rawget(r, "sizes")
  if sizes == nil then return end
  why = no_buffer(r, "sizes", {"u32"}, count)
  if why then return why end
  if sizes:diff(r.graph:class_sizes(r.id)) > 0 then return "r.sizes are not the sizes of the components" end
end

-- One more step of the walk, computed along out-edges and with the dangling vertices' share, must change the ranks by no more than
-- the tolerance. Computed on the device or sequentially.
function proof.of.pagerank(r)
  local why = no_graph(r, "graph") or no_buffer(r, "rank", {"f64"}, r.graph.n) or no_count(r, "iterations", 0, math.maxinteger)
  if why then return why end
  if not (type(r.damping) == "number" and r.damping >= 0 and r.damping < 1) then
    return expected("a number from 0 to less than 1", "damping", r.damping)
  end
  if not (type(r.tolerance) == "number" and r.tolerance > 0 and r.tolerance < math.huge) then
    return expected("a number above 0", "tolerance", r.tolerance)
  end
  if r.converged ~= true then return "pagerank: the ranks had not settled when max_iterations ended the run" end
  local right
  if on_device("pagerank") then right = prove_network.pagerank(r.graph, r.rank, r.damping, 2 * r.tolerance) end
  if right then return end
  reference.check_pagerank(r.graph, r.rank, r.damping, 2 * r.tolerance)
  if right == false then return DISAGREE end
end

-- Triangles are counted again by another method: on the device by binary search among neighbours of more edges, sequentially by marking them.
function proof.of.triangles(r)
  local why = no_graph(r, "graph") or no_buffer(r, "at", {"i64"}, r.graph.n)
  if why then return why end
  local right
  if on_device("triangles") then right = prove_network.triangles(r.graph, r.at) end
  if not right then
    local differ, first = r.at:diff(reference.triangles(r.graph), 1)
    if differ > 0 then
      return ("triangles: vertex %d has the count %d, but is a corner of %d"):format(first[1].i, first[1].a, first[1].b)
    end
    if right == false then return DISAGREE end
  end
  local count = (right and algorithm.reduced(r.at, 0)[0] or r.at:sum()) // 3
  return no_count(r, "count", count, count)
end

proof.says.bfs = distance_proof.no_short_cut
proof.says.components = function(r) return edges(r) .. " join equal labels, and connect all vertices of each label" end
proof.says.pagerank = function() return "a step of the walk changes no rank; the sum of ranks is 1" end
proof.says.triangles = function() return "counted again by another method" end
