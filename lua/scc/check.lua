-- The proof of strongly connected components.

local algorithm = import "base/algorithm"
local proof = import "base/proof"
local prove_components = import "graph/certificate_components"

local no_graph, no_buffer, on_device, counted, edges = proof.no_graph, proof.no_buffer, proof.on_device, proof.counted, proof.edges
local described = algorithm.described

-- r.condensation, if present, must be the quotient of the graph by the labels, which have been proved already.
local function wrong_condensation(r)
  local made = rawget(r, "condensation")
  if made == nil then return end
  local why = no_graph(r, "condensation")
  if why then return why end
  local want = r.graph:quotient(r.id)
  if made.n ~= want.n or made.m ~= want.m or made.off:diff(want.off) > 0 or made.to:diff(want.to) > 0 then
    return "r.condensation is not the graph of the components"
  end
end

-- Equal labels must mean the same component. Searches inside each component prove that it is strongly connected; an order of the
-- components that all edges between them follow proves that no two can be merged. In a result of scc a label is a vertex of its
-- component; a table that a user made may have any labels.
function proof.of.scc(r)
  local why = no_graph(r, "graph") or no_buffer(r, "id", {"u32"}, r.graph.n)
  local sizes = rawget(r, "sizes")
  if not why and sizes ~= nil then why = no_buffer(r, "sizes", {"u32"}) end
  if why then return why end
  local named = proof.is_whole(r, "scc") or rawget(r, "condensation") ~= nil
  local count = counted(named and on_device("scc") and function()
    local classes = prove_components.classes(r.graph, r.id)
    local other = classes and sizes and (#sizes ~= classes or sizes:diff(r.graph:class_sizes(r.id)) > 0)
    return not other and classes
  end, function() return reference.check_scc(r.graph, r.id, sizes, named) end)
  if (r.count ~= nil or named) and not (math.type(r.count) == "integer" and r.count == count) then
    return ("components: the result counts %s, but there are %d"):format(described(r.count), count)
  end
  return wrong_condensation(r)
end

proof.says.scc = function(r)
  return ("%s, no cycle between two components; searches inside each reach all of it"):format(edges(r))
end
