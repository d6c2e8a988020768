-- The results of ocm and ocr (optimal cycle means and ratios): how they print, and the methods that use their potentials. Also the
-- sequential algorithms reference.howard, yto, lawler, karp and hartmann_orlin, which return the same kind of result.

local algorithm = import "base/algorithm"

local cycle = {}

-- --- printing ---

local function fraction(r)
  if not r.p then return ("%.17g"):format(r.mean) end
  local text = r.q == 1 and tostring(r.p) or ("%d/%d"):format(r.p, r.q)
  if r.q == 1 and r.scale == 1 then return text end
  if r.scale ~= 1 then text = ("%s/%d"):format(r.q == 1 and text or "(" .. text .. ")", r.scale) end
  return ("%s = %.10g"):format(text, r.mean)
end

-- The index of e among the parallel edges from `from` to its target, from 0: selects one of several steps between two states.
local function which(g, from, e)
  local to, k = g.to[e], 0
  for before = g.off[from], e - 1 do
    if g.to[before] == to then k = k + 1 end
  end
  return k
end

-- cycle.steps(r): the critical cycle as a list with an item for each edge: {edge =, from =, to =, weight =, time =,
-- action =}. action is the model's name for the edge ("editor 2: save"), if the graph is of a model.
function cycle.steps(r)
  local g, list = r.graph, {}
  if not r.cycle then return list end
  for i = 0, #r.cycle - 1 do
    local e = r.cycle[i]
    local from, to = algorithm.edge_source(g.off, e), g.to[e]
    list[#list + 1] = {edge = e, from = from, to = to, weight = g.w and g.w[e] or 1, time = g.t and g.t[e] or 1,
      action = g:move(from, to, which(g, from, e))}
  end
  return list
end

-- The text for a vertex: its number, or a model's state by its name.
local function label(g, v)
  local name = g:label(v)
  return type(name) == "string" and name or tostring(v)
end

-- One line per edge of the cycle (in a model's graph, per action). The middle of a long cycle is left out.
local function lines_of(r)
  local g, steps, lines = r.graph, cycle.steps(r), {}
  local function line(i)
    local s = steps[i]
    local cost = ("%s%s"):format(s.weight, r.ratio and g.t and " in " .. s.time or "")
    lines[#lines + 1] = s.action and ("  %-32s %s"):format(s.action, cost)
      or ("  %s -> %s  %s"):format(label(g, s.from), label(g, s.to), cost)
  end
  for i = 1, #steps do
    if i <= 20 or i > #steps - 4 then line(i) elseif i == 21 then lines[#lines + 1] = ("  ... %d more"):format(#steps - 24) end
  end
  return lines, steps
end

local function show(r)
  local what = (r.max and "greatest" or "least") .. (r.ratio and " cycle ratio" or " cycle mean")
  if not r.cycle then return ("the graph has no cycle, so no %s"):format(what) end
  local lines, steps = lines_of(r)
  table.insert(lines, 1, ("%s %s, by a cycle of %s%s:"):format(what, fraction(r), algorithm.counted(#r.cycle, "edge"),
    steps[1].action and "" or algorithm.numbering(r.graph)))
  return table.concat(lines, "\n")
end

-- --- methods ---

local methods = {}

-- result -> fields that users must not see or change. found: a function that returns the cycle; start: initial values for the
-- computation of the potentials; guess: a function that returns such values; mask: the mask of the critical edges.
local hidden = setmetatable({}, {__mode = "k"})

local function need_cycle(r)
  if not r.cycle then error("the graph has no cycle", 3) end
end

--- The critical subgraph: a u8 mask of the edges that lie on optimal cycles, and the number of these edges. Only for integer
--- weights.
function methods:critical()
  need_cycle(self)
  local own = hidden[self] or {}
  if not own.mask then own.mask = reference.critical(self) end
  return own.mask, own.mask:sum()
end

--- The slack of each edge, multiplied by q: how much heavier (for a maximum: lighter) the edge is than it may be on an optimal
--- cycle. An i64 buffer; f64 if 64 bits are too few. For real weights it is f64 and not multiplied by q.
function methods:slack()
  need_cycle(self)
  local ok, values = pcall(reference.slack, self)
  if ok then return values end
  return reference.slack(self, "f64")
end

--- How far the weight of edge e may fall and rise before the optimum changes: {fall =, rise =}; math.huge if it never
--- changes. fall_q and rise_q are the exact values of fall and rise multiplied by q.
function methods:sensitivity(e)
  need_cycle(self)
  local m = self.graph.m
  if math.type(e) ~= "integer" or e < 0 or e >= m then
    error(("sensitivity: expected an edge from 0 to %d, got %s"):format(m - 1, tostring(e)), 2)
  end
  local fall, fall_q, rise, rise_q = reference.sensitivity(self, e, (self:critical()))
  return {fall = fall, rise = rise, fall_q = fall_q, rise_q = rise_q}
end

--- The critical cycle as a list of the model's actions; for a graph that is not of a model, as a list of vertices.
function methods:actions()
  local list = {}
  for i, s in ipairs(cycle.steps(self)) do list[i] = s.action or label(self.graph, s.from) end
  return list
end

--- The critical cycle as text in Graphviz's language. An edge's label is its weight (and time), in a model also its action; the
--- label of a model's state has one line per client.
function methods:dot()
  local lines, note = {"digraph critical {"}, algorithm.numbering(self.graph)
  if note ~= "" then lines[2] = ('  label="%s";'):format(note:sub(3, -2)) end
  local function quoted(text) return ('"%s"'):format((text:gsub('[\\"]', "\\%0"))) end
  local function node(v, of_model)
    local text = quoted(label(self.graph, v))
    return of_model and text:gsub(", ", "\\n") or text
  end
  for _, s in ipairs(cycle.steps(self)) do
    local what = tostring(s.weight) .. (self.ratio and self.graph.t and "/" .. s.time or "")
    if s.action then what = s.action .. "  " .. what end
    lines[#lines + 1] = ("  %s -> %s [label=%s];"):format(node(s.from, s.action), node(s.to, s.action), quoted(what))
  end
  lines[#lines + 1] = "}"
  return table.concat(lines, "\n")
end

-- Replaces the cycle that was found by the canonical one, which is the same for all algorithms.
local function canonical(r)
  hidden[r].mask, r.cycle = reference.critical(r)
end

-- Calls own.found, which returns the cycle of the policies, if it has not been called yet. Returns the hidden fields of r.
local function ask(r)
  local own = hidden[r] or {} -- a user's copy of a result has no hidden fields
  local found = own.found
  if not found then return own end
  own.found = nil
  local list, guess = found()
  own.guess = guess
  if not rawget(r, "cycle") then -- a cycle that a user has assigned is kept
    rawset(r, "cycle", list)
    if rawget(r, "canonical") ~= false and r.p then canonical(r) end
  end
  return own
end

local function cycle_of(r)
  ask(r)
  return rawget(r, "cycle")
end

local function potential_of(r)
  local own = ask(r)
  if rawget(r, "potential") or not rawget(r, "cycle") then return rawget(r, "potential") end
  local d, unit = reference.potentials(r, own.guess and own.guess() or own.start)
  rawset(r, "unit", unit)
  return d
end

local result = algorithm.results {
  name = "ocm", show = show, methods = methods, fields = {cycle = cycle_of, potential = potential_of},
  record = {"kind", "graph", "variant", "max", "ratio", "p", "q", "mean", "cycle"},
}

-- cycle.claim(r): a certificate for whole weights from the policies that found r, without the sequential work that reading r.cycle
-- and r.potential takes: {cycle =, guess =, region =}, buffers on the device. `guess` has the potentials, which hold inside each region
-- unless rounding or an early end of the iteration has left the region unfinished; it is nil if they are all 0. Returns nil if r.cycle or
-- r.potential exists already, or if r was not found by policies.
function cycle.claim(r)
  local own = hidden[r]
  if not own or not own.found or rawget(r, "cycle") or rawget(r, "potential") then return nil end
  local list, guess, region = own.found()
  local n = r.graph.n
  if not list or not region or #region ~= n then return nil end
  guess = guess()
  if guess and #guess ~= n then return nil end
  return {cycle = list, guess = guess, region = region}
end

-- cycle.result(r, variant): turns the table r = {graph =, max =, ratio =, p =, q =, mean =, cycle =} into a result of ocm's kind
-- (algorithm.results) and returns it. Unless r has potentials, they are computed when they are first read. If r has no cycle,
-- r.found may be a function, which is called when the cycle or the potentials are first read. It returns the cycle; a function that
-- returns initial values for the potentials; and, if known, the regions (state.policy) in which these values hold. r.start, if given,
-- has initial values for the potentials.
function cycle.result(r, variant)
  r.max, r.ratio, r.scale = r.max or false, r.ratio or false, r.scale or r.graph.scale
  hidden[r] = {found = r.found, start = r.start}
  r.found, r.start = nil, nil
  return result(r, variant)
end

-- --- the sequential algorithms ---

local OPTIONS = {max = "flag", ratio = "flag", canonical = "flag"}

-- Makes the function reference.NAME; `number` is the algorithm's number in C.
local function sequential(number, name)
  name = "reference." .. name
  return function(g, options)
    algorithm.graph(name, g)
    options = algorithm.options(name, options, OPTIONS)
    local r = cycle.result(reference.find_cycle(number, g, options), name)
    if r.p and options.canonical ~= false then canonical(r) end
    return r
  end
end

--- reference.howard(g, {max =, ratio =, canonical = true}): the optimal cycle mean by Howard's policy iteration on one
--- core; exact. ratio = true divides by the edges' times. The result is of ocm's kind. canonical = false keeps the cycle
--- that the algorithm found; potentials then need not be computed. r.iterations: how many policies were evaluated.
reference.howard = sequential(0, "howard")

--- reference.yto(g, options): the same by Young, Tarjan and Orlin's parametric shortest paths (1991).
--- r.iterations: how many times a vertex got another parent in the tree.
reference.yto = sequential(1, "yto")

--- reference.lawler(g, options): the same by Lawler's binary search (1976).
--- r.iterations: how many values of lambda were tested.
reference.lawler = sequential(2, "lawler")

--- reference.karp(g, options): the same by Karp's recurrence (1978), O(n m). Means only.
reference.karp = sequential(3, "karp")

--- reference.hartmann_orlin(g, options): the same by Karp's recurrence with Hartmann and Orlin's early termination (1993). Means
--- only.
reference.hartmann_orlin = sequential(4, "hartmann_orlin")

return cycle
