-- The certificates of strongly and of weakly connected components, on the present device.

local named = import("base/loops").named
local prove_components = {}

-- A deep graph is proved sequentially: the device makes at most LEVELS passes to order the classes, each of which reads all vertices,
-- and most_layers(g) passes of a search. A layer takes some 10 us on a GPU, the sequential proof at least 20 ns per vertex and edge: so
-- a search that is abandoned wastes at most half of the time of the sequential proof.
local LEVELS = 500
local function most_layers(g) return math.max(500, (g.n + g.m) // 1000) end

-- prove_components.levels(g, id): levels of the classes (u32[n]) that rise along each edge from one class to another; nil if that takes too
-- many passes, as it always does if a cycle leads through two classes. id[v] is a vertex of v's class.
function prove_components.levels(g, id)
  local level = buffer.new("u32", g.n)
  local order = named(prove_order_fix, g, {id = id, depth = buffer.new("u32", 1), level = level, max_iterations = LEVELS})
  return order.iterations < LEVELS and level or nil
end

-- prove_components.classes(g, id): the number of strongly connected components if id labels each vertex with a vertex of its component;
-- false if it does not, and nil if the proof would take too many passes. The proof: searches from all labels at once, first along edges,
-- then against them, reach each vertex without leaving its class; and the classes have levels that rise along every edge from one class
-- to another.
function prove_components.classes(g, id)
  local n = g.n
  local args = {id = id, reached = buffer.new("u32", n), front = buffer.new("u32", n + 1), front_next = buffer.new("u32", n + 1),
    max_iterations = most_layers(g)}
  local labels
  for _, edges in ipairs {{off = g.off, to = g.to}, {off = g.roff, to = g.rto}} do
    args.off, args.to = edges.off, edges.to
    local wrong
    labels, wrong = prove_classes(id, args.reached, args.front)
    if wrong > 0 then return false end
    local found = named(prove_within_fix, args)
    if found.iterations == args.max_iterations then return nil end
    if found.grown ~= n - labels then return false end
  end
  return prove_components.levels(g, id) and labels
end

-- prove_components.components(g, id): the number of weakly connected components if id labels each vertex with the least one of its
-- component, else false. Edges join only vertices of one label, so that no component has two labels; and union-find joins the
-- vertices to as many trees as there are labels, so that no label has two components.
function prove_components.components(g, id)
  local link = buffer.new("u32", g.n)
  local labels, wrong = prove_labels(id, link)
  local joined, split = prove_union(g, {id = id, link = link})
  return wrong == 0 and split == 0 and joined == g.n - labels and labels
end

return prove_components
