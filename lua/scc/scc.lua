-- Strongly connected components.
--
-- Three algorithms with the same state. forward_backward, for teaching, searches all regions at once: Barnat, Bauch, Brim,
-- Češka 2011 (after Fleischer, Hendrickson, Pınar 2000). maxima propagates maximal identifiers: Alabandi, Sands, Biros,
-- Burtscher 2023 (ECL-SCC). fast finds the giant component by one forward and one backward search; maxima, or on a CPU
-- Tarjan's algorithm on all threads, finds the other components.

local algorithm = import "base/algorithm"
local check = import "base/check"
local fixpoint = import("base/loops").fixpoint
local graph = import "graph/graph"
local ranks = import "graph/partition"

local scc = {}

local LARGEST = (1 << 30) - 1 -- a mark holds a region of 30 bits

-- The state of a run over g.
local function new(g)
  if g.n >= LARGEST then
    error(("scc: a graph of %d vertices is too large: regions are numbered in 30 bits"):format(g.n), 3)
  end
  return state.scc(g)
end

local OPTIONS = {from = "checkpoint"}
local FORMS = {cpu = "tarjan", cuda = "maxima"} -- the forms of scc.fast

local function show(r)
  return algorithm.sizes_page(("%s of %s"):format(algorithm.counted(r.count, "strongly connected component"),
    algorithm.counted(r.graph.n, "vertex", "vertices")), r.sizes)
end

local result = algorithm.results {
  name = "scc", buffers = {id = "vertex"},
  show = show,
  fields = {
    sizes = function(r) return r.graph:class_sizes(r.id) end,
    condensation = function(r) return r.graph:quotient(r.id) end,
  },
}

-- The result from the representatives in s.comp. count: the number of components, or nil if unknown. brief: is the graph
-- one component in which few passes over all edges reach every vertex? (policy.new uses that.)
local function finish(s, variant, count, brief)
  count = count or count_components(s.comp)
  return result({graph = s.graph, count = count, id = s.comp, brief = brief}, variant)
end

-- The contents of a checkpoint cannot be checked before the end. So a resumed run proves its result at the end; and every
-- iteration must settle a vertex, because otherwise a wrong checkpoint might let the loop run for ever.
local function proved(name, from, r)
  if not from then return r end
  local good, why = pcall(check, r)
  if not good then error(("%s: %s is not a checkpoint of a run over this graph: %s"):format(name, from, why), 2) end
  return r
end

local function must_fall(name, from, live, before)
  if from and before and live >= before then
    error(("%s: %s is not a checkpoint of a run over this graph: an iteration settled no vertex"):format(name, from), 3)
  end
  return live
end

--- scc.forward_backward(g): strongly connected components by a forward and a backward search from one pivot in every
--- region, in all regions at once, with trimming. `step` runs one pass. Barnat et al. 2011.
--- {from = FILE} resumes from a checkpoint: `help checkpoint`.
function scc.forward_backward(g, options)
  algorithm.graph("scc", g)
  local from = algorithm.options("scc.forward_backward", options, OPTIONS).from
  local s = new(g)
  local left
  for it in iterations(s, nil, from) do
    local trimmed = fixpoint(trim, s)
    fill(s.vote, 0)
    pick_pivots(s)
    local live, regions = new_regions(s)
    it:mark{trimmed = trimmed, live = live, regions = regions}
    if live == 0 then break end
    left = must_fall("scc.forward_backward", from, live, left)
    copy_queue(s)
    reach_forward_fix(s)
    reach_backward_fix(s)
    split(s)
  end
  return proved("scc.forward_backward", from, finish(s, "forward_backward"))
end

--- scc.trim_chains(s): settles the vertices of chains at once, from both ends, by pointer doubling. Returns their number.
function scc.trim_chains(s)
  local doublings = 1 + math.ceil(math.log(s.graph.n + 1, 2))
  local trimmed = 0
  for backward = 0, 1 do
    chain_link(s, backward)
    chain_jump_fix(s, {max_iterations = doublings})
    trimmed = trimmed + trim_chain(s)
  end
  return trimmed
end

-- A graph with more than SHALLOW layers is deep; its backward search needs the transpose. The number of layers grows like
-- the square root of the number of vertices that they reach. If this estimate is more than TOO_DEEP layers, the search is
-- abandoned, chains are trimmed and maxima are propagated instead. (A fused CUDA loop does about 16 layers in an
-- iteration.)
local SHALLOW, TOO_DEEP = {cpu = 64, cuda = 16}, {cpu = 4096, cuda = 512}

-- A graph with at most SMALL edges: a pass over all edges takes little longer than a pass over one layer. A graph with at
-- least DENSE edges per vertex, on average, has few layers.
local SMALL, DENSE = 1 << 21, 4

-- Settles the component of a vertex with many edges (the hub): in a small graph by passes over all edges, if few passes are
-- enough; else by layers, forward and then backward, using only forward edges. If the graph is deep, both searches continue
-- together, using the transpose. Returns two values: is every vertex settled, and were few passes enough?
local function take_giant(s)
  local shallow, too_deep = SHALLOW[device().processor], TOO_DEEP[device().processor]
  if s.graph.m <= SMALL and s.graph.m >= DENSE * s.graph.n then
    local _, settled, done = reach_brief(s, {max_repeats = shallow})
    if done == 1 then return settled == s.graph.n, true end -- else it starts again from the hub, by layers
  end
  local grown, settled, done = reach_giant(s, {within = 1, max_repeats = shallow})
  if done == 1 then return settled == s.graph.n end
  if s.front[0] == 0 then -- the forward search has finished, the backward search has not
    fixpoint(pull_backward, s, 1)
    return split(s) == s.graph.n
  end
  if shallow * math.sqrt(s.graph.n / (grown + 1)) > too_deep then
    fill(s.mark, 0) -- an unfinished search proves nothing
    scc.trim_chains(s)
    return false
  end
  reach_both(s)
  return split(s) == s.graph.n
end

-- Settles all live vertices by the propagation of maximal identifiers along the edges that stay inside a region.
local function propagate(s, from, name)
  local carried, left = {}, nil
  if not from then
    carried.kept = residual(s)
    reset_max(s)
  end
  for it in iterations(s, carried, from) do
    local edges = carried.kept
    if edges > 0 then
      propagate_max_fix(s)
      carried.kept = remove_edges(s)
    end
    local live = settle_max(s)
    it:mark{edges = edges, live = live}
    if live == 0 then break end
    left = must_fall(name, from, live, left)
    prim.swap(s.edges, s.edges_next)
  end
end

--- scc.maxima(g): strongly connected components only by the propagation of maximal identifiers. Every vertex gets the
--- largest identifier that reaches it and the largest that it reaches. If these are equal, they name its component.
--- `step` runs one pass. Alabandi et al. 2023 (ECL-SCC). {from = FILE} resumes from a checkpoint.
function scc.maxima(g, options)
  algorithm.graph("scc", g)
  local from = algorithm.options("scc.maxima", options, OPTIONS).from
  local s = new(g)
  propagate(s, from, "scc.maxima")
  return proved("scc.maxima", from, finish(s, "maxima"))
end

local WORTH = 1 / 3 -- another backward pass runs if the last one joined more than this fraction of the vertices it tested
local FEW, NONE = 1 << 16, 0xffffffff

-- Settles most of the giant component on a CPU, where a search need not go by layers: forward from a hub; then backward,
-- using only forward edges: if a vertex leads to the hub, so do its ancestors in the search tree. Returns the number of
-- settled vertices and of their components.
local function flood_giant(s)
  walk_hub(s)
  local reached, joined, again = flood(s)
  if joined > 1 then
    local settled = joined >= reached and settle_joined(s, 0) or 0
    if settled == reached then return settled, 1 end -- `joined` may count a vertex twice, `settled` does not
    local left, all, looked, more = reached - joined, 1, nil, nil
    repeat
      looked = left
      more, left = join_back(s, all)
      prim.swap(s.front, s.front_next)
      all = 0
    until more <= WORTH * looked
    return settle_joined(s, 0), 1
  elseif again == 0 and reached > FEW then -- no edge leads to an ancestor in the search tree, so there is no cycle
    local settled = settle_joined(s, 1)
    return settled, settled
  end
  return 0, 0
end

-- scc.fast on a CPU: settles most of the giant component, then runs Tarjan's algorithm on all threads, which recognizes
-- this component and settles all remaining vertices. Returns the number of components, or nil if unknown.
local function fast_on_cpu(s)
  fill(s.comp, NONE) -- the values stay the same; but this way all threads share the page faults of the first write
  if s.graph.n + s.graph.m > FEW then
    local settled, components = flood_giant(s)
    if settled == s.graph.n then return components end
  end
  tarjan_rest(s)
end

local RECENT = 1 << 20 -- edges that cross_edges remembers

-- The components of a graph of which each rank has a part (g:partition): first the components within each part, without
-- exchanges; then those of the graph in which each such component is a vertex, and whose edges all ranks have.
local function by_parts(p)
  local part = ranks.part(p)
  local own = #part.vertices
  local mine, id, all = buffer.new("u32", own), buffer.new("u32", p.n), buffer.new("u32", p.n)
  gather(part.vertices, scc.fast(part.inner).id, mine)
  copy_part {x = mine, from = 0, count = own, y = id, to = part.first}
  ranks.share(p, id)
  local edges <close> = buffer.new("u64", p.m + 1)
  local kept = cross_edges(p, {id = id, recent = buffer.new("u64", RECENT), edges = edges})
  local outer = graph.from_keys(p.n, ranks.concatenate(edges, 1, kept))
  gather(scc.fast(outer).id, id, all)
  return result({graph = part.whole, count = count_components(all), id = all}, "parts")
end

--- scc.fast(g): strongly connected components of large graphs. A forward and a backward search find the giant component; in a
--- small graph each of their passes scans all edges. The other components are found by the propagation of maximal
--- identifiers, or on a CPU by Tarjan's algorithm (r.variant: "maxima" or "tarjan").
--- {from = FILE} resumes from a checkpoint of that propagation, written by this function or by scc.maxima.
--- g may be a part of a graph (g:partition); then r.variant is "parts".
function scc.fast(g, options)
  algorithm.graph("scc", g, true)
  local from = algorithm.options("scc.fast", options, OPTIONS).from
  if ranks.part(g) and from then error("scc.fast: the option 'from' (a checkpoint) does not support a part of a graph", 2) end
  local _part <close> = algorithm.part_saves_nothing("scc.fast", g, 2)
  if ranks.part(g) then return by_parts(g) end
  local s, variant = new(g), algorithm.variant(FORMS)
  if variant:take(from and "maxima") == "tarjan" then return finish(s, variant, fast_on_cpu(s)) end
  local whole, brief = false, false
  if not from then whole, brief = take_giant(s) end
  if whole then return finish(s, variant, math.min(g.n, 1), brief) end
  propagate(s, from, "scc.fast")
  return proved("scc.fast", from, finish(s, variant))
end

--- scc(g): the strongly connected components of g. A result r has r.count, r.id (u32[n]: the vertex that
--- represents v's component), r.sizes (u32[count]), r.condensation (a graph); r:show() prints it,
--- check(r) proves it. Runs scc.fast; scc.forward_backward and scc.maxima show the two ideas behind it.
--- r.variant is "tarjan" on a CPU and "maxima" on CUDA, in stepped runs, too.
setmetatable(scc, {__call = function(_, g, options) return scc.fast(g, options) end})

return scc
