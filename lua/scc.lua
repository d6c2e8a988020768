-- Strongly connected components.
--
-- Three algorithms over one state. forward_backward is the teaching one: Barnat, Bauch, Brim, Češka 2011 (after
-- Fleischer, Hendrickson, Pınar 2000), in which every region is searched at once. fast takes the giant
-- component by one pair of searches and leaves the rest to the propagation of maximal identifiers of
-- Alabandi, Sands, Biros, Burtscher 2023 (ECL-SCC); on a CPU to Tarjan's algorithm on all threads.

scc = {}

local LARGEST = (1 << 30) - 1 -- a mark holds a region of 30 bits

local function new(g)
  if type(g) ~= "userdata" then error(("scc: expected a graph, got %s"):format(type(g)), 3) end
  if g.n >= LARGEST then
    error(("scc: a graph of %d vertices is too large: regions are numbered in 30 bits"):format(g.n), 3)
  end
  return state.scc(g)
end

-- opts.from, and nothing else.
local function from_of(name, opts)
  if opts == nil then return nil end
  if type(opts) ~= "table" then error(("%s: expected a table of options, got %s"):format(name, type(opts)), 3) end
  for key in pairs(opts) do
    if key ~= "from" then error(("%s: there is no option '%s' (there is from)"):format(name, tostring(key)), 3) end
  end
  if opts.from ~= nil and type(opts.from) ~= "string" then error(("%s: from is a checkpoint's file name"):format(name), 3) end
  return opts.from
end

local result = {}

local function show(r)
  local lines = {("%d strongly connected component%s of %d vertices"):format(r.count, r.count == 1 and "" or "s", r.graph.n)}
  local sizes, total = {}, {}
  for _, size in pairs(r.sizes) do
    if not total[size] then
      total[size] = 0
      sizes[#sizes + 1] = size
    end
    total[size] = total[size] + 1
  end
  table.sort(sizes, function(a, b) return a > b end)
  for i, size in ipairs(sizes) do
    if i > 8 then
      lines[#lines + 1] = ("  and %d smaller sizes"):format(#sizes - 8)
      break
    end
    lines[#lines + 1] = ("  %9d of %d %s"):format(total[size], size, size == 1 and "vertex" or "vertices")
  end
  return table.concat(lines, "\n")
end

result.__index = function(r, key)
  if key == "show" then return function(self) session.say(show(self)) end end
  -- what few ask for is made when it is asked for
  if key == "sizes" then r.sizes = r.graph:class_sizes(r.id) end
  if key == "condensation" then r.condensation = r.graph:quotient(r.id) end
  return rawget(r, key)
end
result.__tostring = show
result.__name = "scc"

-- The answer in terms of the state's representatives; count: where it is known how many there are; brief: is the graph
-- one component, small, and nothing far from anything? (policy.new asks.)
local function finish(s, count, brief)
  count = count or count_components(s.comp)
  return setmetatable({kind = "scc", graph = s.graph, count = count, id = s.comp, brief = brief}, result)
end

-- What a checkpoint says cannot be held against anything before the end. So the end is: a result that began with one is
-- proved; and each iteration has to settle something, or there might be none.
local function proved(name, from, r)
  if not from then return r end
  local good, why = pcall(check, r)
  if not good then error(("%s: %s is no checkpoint of a run over this graph: %s"):format(name, from, why), 3) end
  return r
end

local function must_fall(name, from, live, before)
  if from and before and live >= before then
    error(("%s: %s is no checkpoint of a run over this graph: an iteration settled no vertex"):format(name, from), 3)
  end
  return live
end

--- scc.forward_backward(g): strongly connected components by forward and backward searches from a pivot in
--- every region at once, with trimming. Every pass is a step. Barnat et al. 2011.
--- {from = FILE} goes on from a checkpoint; see help checkpoint.
function scc.forward_backward(g, opts)
  local from = from_of("scc.forward_backward", opts)
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
  return proved("scc.forward_backward", from, finish(s))
end

--- scc.trim_chains(s): trim whole chains at once by pointer doubling, from either end. Returns how many.
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

-- After so many layers a graph is deep, and the backward search wants the transpose. If by then so little was
-- reached that the whole would take more than TOO_DEEP layers (they grow in number like the square root of
-- what they reach), the searches are given up for trimmed chains and the propagation of maxima. A fused CUDA
-- loop takes some 16 layers an iteration.
local SHALLOW, TOO_DEEP = {cpu = 64, cuda = 16}, {cpu = 4096, cuda = 512}

-- Of so many edges a pass over all is little longer than one over a layer; with so many a vertex, layers are few.
local SMALL, DENSE = 1 << 21, 4

-- The component of a vertex of many edges. Of a small graph by passes over all edges, if few suffice; else forward by
-- layers, then backward over forward edges alone. Where the graph turns out deep, both go on side by side over the
-- transpose. Returns whether nothing else is left, and whether few passes did.
local function take_giant(s)
  local shallow, too_deep = SHALLOW[device().processor], TOO_DEEP[device().processor]
  if s.graph.m <= SMALL and s.graph.m >= DENSE * s.graph.n then
    local _, settled, done = reach_brief(s, {max_repeats = shallow})
    if done == 1 then return settled == s.graph.n, true end -- else from the hub again, by layers
  end
  local grown, settled, done = reach_giant(s, {within = 1, max_repeats = shallow})
  if done == 1 then return settled == s.graph.n end
  if s.front[0] == 0 then -- it stands still on the way back
    fixpoint(pull_backward, s, 1)
    return split(s) == s.graph.n
  end
  if shallow * math.sqrt(s.graph.n / (grown + 1)) > too_deep then
    fill(s.mark, 0) -- half a search says nothing
    scc.trim_chains(s)
    return false
  end
  reach_both(s)
  return split(s) == s.graph.n
end

-- What is live, by the propagation of maximal identifiers along the edges that stay inside a region.
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

--- scc.maxima(g): strongly connected components by the propagation of maximal identifiers alone: every vertex
--- learns the largest that reaches it and the largest it reaches; where both agree, they name its component.
--- Every pass is a step. Alabandi et al. 2023 (ECL-SCC). {from = FILE} goes on from a checkpoint.
function scc.maxima(g, opts)
  local from = from_of("scc.maxima", opts)
  local s = new(g)
  propagate(s, from, "scc.maxima")
  return proved("scc.maxima", from, finish(s))
end

-- The giant component on a CPU, where a search need not go by layers: forward from a hub, then back by forward edges
-- alone, passing what is known up the tree of the search, as long as passes bring much of what they look at.
local WORTH = 1 / 3
local FEW, NONE = 1 << 16, 0xffffffff
-- Returns how many vertices are settled, and in how many components.
local function flood_giant(s)
  walk_hub(s)
  local reached, joined, again = flood(s)
  if joined > 1 then
    local settled = joined >= reached and settle_joined(s, 0) or 0
    if settled == reached then return settled, 1 end -- all were on the way back: not only counted twice
    local left, all, looked, more = reached - joined, 1, nil, nil
    repeat
      looked = left
      more, left = join_back(s, all)
      prim.swap(s.front, s.front_next)
      all = 0
    until more <= WORTH * looked
    return settle_joined(s, 0), 1
  elseif again == 0 and reached > FEW then -- nothing leads back, and in a tree there is no cycle
    local settled = settle_joined(s, 1)
    return settled, settled
  end
  return 0, 0
end

-- On a CPU: most of the giant component; then Tarjan's algorithm on all threads, which knows that component when it
-- sees it, settles what is missing of it and all the rest. Returns how many components there are, where it is known.
local function fast_on_cpu(s)
  fill(s.comp, NONE) -- as it is, but by all threads
  if s.graph.n + s.graph.m > FEW then
    local settled, components = flood_giant(s)
    if settled == s.graph.n then return components end
  end
  tarjan_rest(s)
end

--- scc.fast(g): strongly connected components of large graphs. One pair of searches, on small graphs by passes over
--- all edges, takes the giant component;
--- what is left is settled by the propagation of maximal identifiers, or on a CPU by Tarjan's algorithm.
--- {from = FILE} goes on from a checkpoint of that propagation, this function's or scc.maxima's.
function scc.fast(g, opts)
  local from = from_of("scc.fast", opts)
  local s = new(g)
  if on_cpu() and not from then
    return finish(s, fast_on_cpu(s))
  end
  local whole, brief = false, false
  if not from then whole, brief = take_giant(s) end
  if whole then return finish(s, math.min(g.n, 1), brief) end
  propagate(s, from, "scc.fast")
  return proved("scc.fast", from, finish(s))
end

--- scc(g): the strongly connected components of g. A result r has r.count, r.id (u32[n]: the vertex that
--- represents v's component), r.sizes (u32[count]), r.condensation (a graph); r:show() prints it,
--- check(r) proves it. Runs scc.fast; scc.forward_backward and scc.maxima show the two ideas behind it.
setmetatable(scc, {__call = function(_, g, opts) return scc.fast(g, opts) end})
