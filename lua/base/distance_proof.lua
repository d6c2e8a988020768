-- What is wrong with distances: shared by the proofs of searches, of shortest paths and of matrices of distances.

local algorithm = import "base/algorithm"
local certificate = import "base/certificate"
local proof = import "base/proof"
local distance_proof = {}

local expected, DISAGREE, on_device, real, edges = proof.expected, proof.DISAGREE, proof.on_device, proof.real, proof.edges
local described = algorithm.described

-- The types that distances may have.
function distance_proof.types_of(g) return real(g) and {"f32", "f64"} or {"i32", "i64"} end

-- Rounding of real distances may hide a negative cycle: searches in exact arithmetic for one that v reaches (v = nil: for any).
local function hidden_cycle(g, dist, v)
  if algorithm.epsilon[dist.dtype] == 0 then return nil end
  local _, cycle = reference.negative_cycle(g, v)
  return cycle and "distances: there are none, because of a negative cycle that rounding hides: " .. cycle or nil
end

-- Returns what is wrong with the distances of options.rows problems, or nil. The proof runs on the present device (lua/base/certificate.lua). If
-- that cannot decide, or finds an error other than a violated edge, the reference's sequential proof in_sequence runs. whole: a function
-- that returns the graph, if g is only a bundle of its arrays.
function distance_proof.wrong_distances(g, dist, from, options, in_sequence, whole)
  if not on_device("distances") then return in_sequence() end
  local right, why = certificate.distances(g, dist, from, options)
  if not right then
    if why then return why end
    in_sequence()
    if right == false then return DISAGREE end
    return nil
  end
  for _, v in ipairs(options.rows and {false} or from[1]) do
    local cycle = hidden_cycle(whole and whole() or g, dist, v or nil)
    if cycle then return cycle end
  end
end

-- Returns what is wrong with r.sources, a list of vertices, or nil and the list as a buffer.
function distance_proof.no_sources(r)
  local list = {}
  if type(r.sources) ~= "table" or #r.sources == 0 then return expected("a list of vertices", "sources", r.sources) end
  for i, v in ipairs(r.sources) do
    if math.type(v) ~= "integer" or v < 0 or v >= r.graph.n then
      return ("r.sources[%d]: expected a whole number from 0 to %d, got %s"):format(i, r.graph.n - 1, described(v))
    end
    list[i] = v
  end
  return nil, buffer.new("u32", list)
end

-- The line that says what has been proved.
function distance_proof.no_short_cut(r) return edges(r) .. ", no short cut; each distance is that of a path" end

return distance_proof
