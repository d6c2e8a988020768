-- The steps of Howard's policy iteration, in every region (strongly connected component) at once: Barnat, Bauch, Brim, Češka 2011,
-- Algorithm 3. In a policy every vertex chooses one of its out-edges; the chosen edges form the policy graph.
--
-- A policy p has p.state (`?state.policy`) and p.edges, the bundle of the edges that can lie on a cycle. A policy is evaluated in
-- one of three forms, which compute the same state: "layered", as in the paper, takes one pass for each layer; "doubling" takes
-- O(log n) passes by pointer doubling; "paths" follows the choices, on a CPU.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local fixpoint = import("base/loops").fixpoint
local named = import("base/loops").named
local policy_ranks = import "cycles/policy_ranks"
local ranks = import "graph/partition"
local scc = import "scc/scc"

local policy = {}

local FEW = 64 -- few choices have changed if at most one vertex in FEW has changed its choice
local AHEAD = prim.loops.policy_iterate.once -- number of edges that the initial choices look ahead: one pass per edge

-- The edges inside the regions of s, packed: `off` has the row offsets, `to` the heads, `from` the edge numbers in g (nil if no edge
-- was removed). one: is there only one region?
local function inner_edges(g, s, one)
  local all = {off = g.off, to = g.to}
  if one then return all end
  local keep = buffer.new("u32", g.m)
  local kept = inner_flag(s, keep)
  if kept == g.m then return all end
  local place = buffer.new("u32", g.m)
  scan(keep, place)
  local part = {off = buffer.new("u32", g.n + 1), to = buffer.new("u32", kept), from = buffer.new("u32", kept)}
  keep_edges(g, {keep = keep, place = place, kept = kept, part_to = part.to, from = part.from})
  keep_rows(g, {place = place, kept = kept, part_to = part.to, part_off = part.off})
  return part
end

-- Returns x with negated elements: x itself, changed, if `own` is true; else a copy.
local function negated(x, own)
  local y = x
  if not own then
    y = buffer.new(x.dtype, #x)
    copy(x, y)
  end
  if negate(y) > 0 then error(("a weight is %d, whose negative does not fit 64 bits"):format(math.mininteger), 0) end
  return y
end

-- The weights of the edges with the numbers in `from` (all if `from` is nil), negated for a maximum. An edge without a weight weighs 1.
local function weights(g, from, kind, max)
  local given = g.w
  local w = algorithm.taken(given or algorithm.filled(kind, g.m, 1), from)
  if max and w.dtype == "i32" and kind == "i64" then
    local y = buffer.new(kind, #w)
    widen_negated(w, y)
    return y
  end
  local y = algorithm.widened(w, kind)
  return max and negated(y, not rawequal(y, given)) or y
end

-- The type of the sums: integers if the weights are integers.
local function kind_of(g) return (g.weights == "f32" or g.weights == "f64") and "f64" or "i64" end

local OPTIONS = {comp = "buffer", max = "flag", ratio = "flag", kind = {"i64", "f64"}}
local BRIDGED = {max = "flag", kind = {"i64", "f64"}}

-- The default forms of evaluation, if p.form is nil.
policy.preferred = {cpu = "paths", cuda = "doubling", stepped = "doubling"}

--- policy.new(g, options): a policy over the edges of g that can lie on a cycle. Options:
---   comp = BUFFER   u32[n]: the strongly connected components (default: those of scc(g))
---   max = true      for the greatest mean; the weights are negated, and p.sign is -1
---   ratio = true    weight divided by time
---   kind = "f64"    the type of the sums: "f64" or "i64" (default: follows from the weights)
function policy.new(g, options)
  algorithm.graph("policy.new", g, true)
  options = algorithm.options("policy.new", options, OPTIONS)
  local kind = options.kind or kind_of(g)
  local s = state.policy(g, kind)
  local found = options.comp and {id = options.comp} or scc(g)
  policy_regions(s, found.id)
  local part = inner_edges(g, s, found.count == 1)
  part.w = weights(g, part.from, kind, options.max)
  part.t = options.ratio and g.t and algorithm.widened(algorithm.taken(g.t, part.from), kind) or buffer.new(kind, 0)
  part.timed = #part.t -- 0: every edge has time 1
  -- pulls: vertices are connected over forward edges. With few layers this is faster than making the transpose. A part has no transpose.
  local ranked = ranks.part(g) ~= nil
  part.pulls = (found.brief or ranked) and 1 or 0
  local p = {state = s, form = ranked and "doubling" or nil, edges = bundle(part), sign = options.max and -1 or 1, graph = g, variant = algorithm.variant(policy.preferred)}
  p.links = policy_ranks.links_of(p)
  return p
end

--- policy.bridged(g, options): a policy over all of g as one region. Instead of decomposing g into components, a
--- Hamiltonian cycle of very heavy edges makes it strongly connected (section 2.5 of the paper); each of these bridges is
--- the last edge of a row, and p.bridged is true. It is slower, because the search includes the bridges. If the optimal cycle
--- has a bridge, g has no cycle. options: max and kind, as in policy.new.
function policy.bridged(g, options)
  algorithm.graph("policy.bridged", g)
  options = algorithm.options("policy.bridged", options, BRIDGED)
  local kind = options.kind or kind_of(g)
  local s = state.policy(g, kind)
  local w = weights(g, nil, kind, options.max)
  local bridge = buffer.new(kind, 1)
  local low, high = g.m > 0 and w:min() or 0, g.m > 0 and w:max() or 0
  local size = g.n * math.max(math.abs(low + 0.0), math.abs(high + 0.0))
  if kind == "i64" and g.n * (2 * size + 1.0) >= 2^62 then
    error("policy.bridged: the sums of such heavy edges might not fit in 62 bits", 2)
  end
  -- a cycle with a bridge has a mean above `high`, even after rounding
  if g.n > 0 then bridge[0] = g.n * high - (g.n - 1) * low + 1 + (kind == "f64" and size * 0x1p-40 or 0) end
  local k = g.n + g.m
  local e = {off = buffer.new("u32", g.n + 1), to = buffer.new("u32", k), w = buffer.new(kind, k)}
  local wide = {off = g.off, to = g.to, bridge = bridge, wide_off = e.off, wide_to = e.to, wide_w = e.w, wide = k}
  bridge_rows(wide)
  bridge_edges(g, {w = w, wide_to = e.to, wide_w = e.w, wide = k})
  e.timed, e.t, e.pulls = 0, buffer.new(kind, 0), 0
  local edges = bundle(e)
  return {state = s, edges = edges, links = edges, sign = options.max and -1 or 1, graph = g, bridged = true, variant = algorithm.variant(policy.preferred)}
end

-- Returns the edges with their transpose, which is computed on first use.
local function with_transpose(e)
  if not e.roff then
    e.roff, e.rto = buffer.new("u32", #e.off), buffer.new("u32", #e.to)
    transpose(e)
  end
  return e
end

--- policy.start(p, ahead): makes the first choices. Every vertex chooses the first edge of its lightest path of `ahead`
--- edges (default 4), by value iteration. Also sets s.bound to the least weight.
function policy.start(p, ahead)
  local s, e, part = p.state, p.edges, ranks.part(p.graph)
  policy_first(s, e)
  for _ = 2, ahead or AHEAD do
    if part then ranks.halo(p.graph, s.d) end
    policy_value(s, e)
    prim.swap(s.d, s.d_next)
  end
  if part then
    all_reduce(s.bound, 1)
    policy_ranks.publish(p)
  end
end

--- policy.follow(p): computes the values of the current policy by pointer doubling. Returns the number of loose vertices: those
--- whose choices do not lead to the root of their region.
function policy.follow(p)
  local s, e = p.state, p.links
  policy_links(s, e)
  policy_sum_fix(s)
  return policy_loose(s, e)
end

--- policy.find_cycles(p): finds the cycles that loose vertices lead to, with their weights and times, by pointer doubling.
--- Returns the number of vertices on them.
function policy.find_cycles(p)
  local s, e = p.state, p.links
  policy_land_fix(s)
  local on_cycles = policy_cycles(s, e)
  policy_least_fix(s)
  policy_total(s, e)
  return on_cycles
end

--- policy.connect(p): makes loose vertices choose edges that lead to the root, layer by layer: from the root over the transpose;
--- or, in small graphs with few layers, from the loose vertices over forward edges.
function policy.connect(p)
  local s, e = p.state, p.edges
  if ranks.part(p.graph) then return policy_ranks.pull_of_part(p) end
  if e.pulls == 1 then
    fixpoint(policy_pull, s, e)
    return
  end
  policy_border(s, e)
  policy_connect_fix(s, with_transpose(e))
  policy_adopt(s, e)
end

local function form_of(p) return p.form or p.variant:now() end

--- policy.improve(p): improves choices, in one pass over the edges of all unfinished regions. Returns how many vertices
--- changed their choice.
function policy.improve(p)
  local s, e = p.state, p.edges
  p.reviewed = p.mended and form_of(p) == "paths"
  local improved = p.reviewed and policy_review(s, e) or policy_improve(s, e)
  if ranks.part(p.graph) then improved = policy_ranks.improved(p, improved) end
  p.few = improved <= math.max(p.graph.n // FEW, 2)
  policy_renew(s)
  return improved
end

-- The steps by pointer doubling: lines 4 to 14 of Algorithm 3. A root is kept as long as its cycle exists. A new cycle, closed by an
-- improved choice, is better than the root's cycle, and none of its vertices leads to the root. So it is searched for only among
-- loose vertices (see policy.follow).
local function doubling(p)
  local s = p.state
  local loose, cycles = policy.follow(p), 0
  if loose > 0 then
    policy.find_cycles(p)            -- 5, 6
    cycles = policy_vote(s)          -- 7: Algorithm 5
    policy_lambda(s)                 -- 8, 9
    policy_elect(s)
    if policy_apart(s, p.links) > 0 then -- 10
      policy.connect(p)              -- 11
    end
    policy_links(s, p.links)         -- 12 to 14
    policy_sum_fix(s)
  end
  return cycles
end

-- The steps as in the paper: one pass for each layer.
local function layered(p)
  local s, e = p.state, with_transpose(p.edges)
  e.summary = p.summary
  fill(s.best, 0)
  if p.summary == 1 then policy_count_preds(s, e) end -- 4
  fill(s.gone, 0)
  fixpoint(policy_eliminate, s, e)                     -- 5
  local cycles = policy_walk(s, e)                     -- 6
  policy_vote(s)                                       -- 7
  policy_lambda(s)                                     -- 8, 9
  policy_elect(s)
  policy_start_mark(s)
  fixpoint(policy_mark, s, e)                          -- 10
  if policy_unmarked(s) > 0 then policy.connect(p) end -- 11
  if p.summary == 1 then policy_count_preds(s, e) end -- 13
  policy_start_values(s)                               -- 12
  policy_propagate_fix(s, e)                           -- 14
  return cycles
end

-- The steps on a CPU: with few threads, following the choices is less work than pointer doubling.
local function paths(p)
  local s, e = p.state, p.edges
  p.mended = e.roff and p.few and policy_mend(s, e, p.reviewed and 1 or 0) > 0
  if p.mended then return 0 end
  local cycles, loose = policy_paths(s, e)
  if loose > 0 then policy_attach(s, with_transpose(e)) end
  return cycles
end

policy.forms = {doubling = doubling, layered = layered, paths = paths}

--- policy.evaluate(p): computes cycles, lambda and values of the current policy, and connects every vertex to the root of
--- its region. Returns how many cycles were compared. p.form selects the form; the default is "paths" on a CPU if the run is not
--- stepped, else "doubling". p.variant records the form.
function policy.evaluate(p)
  p.mended = false
  return policy.forms[p.variant:take(p.form)](p)
end

--- policy.in_one_piece(p): will policy.iterate run as a single loop on the device?
function policy.in_one_piece(p)
  return form_of(p) == "doubling" and not session.stepped() and not compare() and not ranks.part(p.graph)
end

--- policy.iterate(p, most, fresh): evaluates and improves once. If the doubling form runs as a single loop
--- (policy.in_one_piece), it repeats both until nothing improves, at most `most` times. fresh: calls policy.start first.
--- Returns three numbers: choices that the last iteration improved (for a single loop 0 if it finished), cycles that were
--- compared, and iterations.
function policy.iterate(p, most, fresh)
  local s = p.state -- a local, so that `s` can be inspected at a stop
  if policy.in_one_piece(p) then
    local e = p.edges
    p.variant:take(p.form)
    local with = {max_iterations = most, begun = not fresh}
    if e.pulls == 1 then
      with.roff, with.rto = e.off, e.to -- the transpose is not read, so any edges will do
    else
      with_transpose(e)
    end
    local sums = named(policy_iterate, s, e, with)
    return sums.iterations < most and 0 or sums.improved, sums.cycles, sums.iterations
  end
  if fresh then policy.start(p) end
  local cycles = policy.evaluate(p)  --  4 to 14
  return policy.improve(p), cycles, 1 --  2  SPFPassIter
end

return policy
