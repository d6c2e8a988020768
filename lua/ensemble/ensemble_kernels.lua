-- Generates the kernels of an ensemble (one model, many instances, one thread per instance) from the model's equations. Loops over
-- states are unrolled, so that a compiler can keep them in registers. The methods: lua/ensemble/ensemble_methods.lua; events:
-- lua/ensemble/ensemble_events.lua; one block per instance: lua/ensemble/ensemble_block.lua.

local block_of = import "ensemble/ensemble_block"
local event_text = import "ensemble/ensemble_events"
local factors_of = import "ensemble/ensemble_factors"
local failing = import "ensemble/ensemble_failures"
local instant_text = import "ensemble/ensemble_instants"
local lane_text = import "ensemble/ensemble_lanes"
local method_text = import "ensemble/ensemble_methods"
local step_text = import "ensemble/ensemble_attempt"
local symbolic = import "ode/symbolic"
local writer = import "ensemble/ensemble_writer"
local kernel_text = {}

-- --- the model's parts ---

-- kernel_text.parts(m, varied, start): the model's equations in the form from which kernels are generated. varied[number] is true for
-- the variables that differ between instances. Fields of the result e:
--   states, parameters   lists of variables' numbers
--   n, q                 the numbers of values in y and in p per instance
--   at                   at[k] is the place of the k-th value of y in the bytecode
--   b                    the bytecode
--   functions            the list of the functions, {place, tree}
--   tree, rates          tree[place] is the expression tree of the function at that place, rates[place] that of the rate
--   place_of             a table from a place to {"y", k} or {"p", k}; nil for time, functions and values that all instances share
--   time, next           the place of time, and the first unused place
--   events, instants     from event_text.read_events and instant_text.instants; nil if there are none
function kernel_text.parts(m, varied, start)
  local b = m:bytecode {base = true, start = start}
  if b.jumps > 0 then error("an ensemble has no assignments between steps: simulate one instance at a time", 0) end
  local e = {m = m, b = b, states = {}, parameters = {}, place_of = {}, first = m:first(start), variable = {}, at = {},
    next = b.vars}
  e.functions, e.rates = symbolic.read(b)
  e.events = event_text.read_events(b)
  local assigned = {} -- places to which an event assigns: their values differ between instances
  for _, x in ipairs(e.events or {}) do
    for _, assign in ipairs(x.assigns) do assigned[assign[1]] = true end
  end
  for i = 1, m.variables do
    local place, role = b.code:place(i), m:variable(i).role
    e.variable[place] = i
    if role == "state" then
      e.states[#e.states + 1], e.at[#e.at + 1] = i, place
      e.place_of[place] = {"y", #e.states - 1}
    elseif varied[i] or assigned[place] then
      e.parameters[#e.parameters + 1] = i
      e.place_of[place] = {"p", #e.parameters - 1}
    end
  end
  if #e.states == 0 then -- a model that has only events: add a state that never changes
    e.at[1], e.place_of[e.next], e.next = e.next, {"y", 0}, e.next + 1
  end
  e.n, e.q = #e.at, #e.parameters
  e.time = b.vars - 1
  e.tree = {} -- place of a function -> its tree
  for _, f in ipairs(e.functions) do e.tree[f[1]] = f[2] end
  e.instants = instant_text.instants(e)
  return e
end

-- Returns a function that converts a tree of rates or of their derivatives to text. It replaces divisions by products with
-- reciprocals, except in a model with conditions, where rates and conditions must be rounded in the same way.
local function rate_text(e, w)
  local name, constant = writer.name_in(e), writer.constant_in(e)
  local function called(place) return place >= e.next and "d" .. place or name(place) end
  return function(t)
    return w.value(symbolic.text(e.conditions and t or symbolic.by_reciprocals(t, constant), called, w.lanes))
  end
end

local UNUSED = "  (void)t, (void)p, (void)y;"

local function rates_text(e, name, w)
  local text = rate_text(e, w)
  local trees, out = writer.rate_trees(e), {("%s void %s_rates(NUMBER t, const NUMBER *p, const NUMBER *y, NUMBER *rate) {"):format(
    writer.function_word(e), name):gsub("NUMBER", w.number), UNUSED}
  writer.put_functions(e, trees, out, w, text)
  for k, t in ipairs(trees) do out[#out + 1] = ("  rate[%d] = %s;"):format(k - 1, text(t)) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- --- the Jacobian ---

-- The derivatives of functions by the state k, or by time (k = nil). Each is a new variable, so that others can use it: list has
-- {place, tree}, with places from e.next on; place caches the results.
local Slopes = {}
Slopes.__index = Slopes

local function slopes(e) return setmetatable({e = e, place = {}, list = {}, next = e.next}, Slopes) end

-- The tree of the derivative of the value at `place` by state k, or by time if k is nil.
function Slopes:of(place, k)
  local e, at = self.e, self.e.place_of[place]
  if at then return at[1] == "y" and at[2] == k and 1 or 0 end
  if place == e.time then return k == nil and 1 or 0 end
  if not e.tree[place] then return 0 end
  local key = ("%d %s"):format(place, k or "t")
  local known = self.place[key]
  if known == nil then
    local tree = symbolic.derivative(e.tree[place], function(q) return self:of(q, k) end)
    known = tree
    if type(tree) == "table" then
      known = {"VARIABLE", self.next}
      self.list[#self.list + 1] = {self.next, tree}
      self.next = self.next + 1
    end
    self.place[key] = known
  end
  return known
end

-- The Jacobian. Returns the list of its entries {row, column, tree} that may be non-zero; the list of derivatives that these use;
-- and, if timed, the list of the rates' derivatives by time, or nil if all are 0.
local function jacobian(e, timed)
  local s, entries, by_time, changes = slopes(e), {}, {}, false
  local reached = {} -- place of a function -> the set of columns of the states that it depends on
  local function columns(t)
    local is = {}
    symbolic.walk(t, function(place)
      local at = e.place_of[place]
      if at and at[1] == "y" then is[at[2] + 1] = true end
      if e.tree[place] then
        reached[place] = reached[place] or columns(e.tree[place])
        for k in pairs(reached[place]) do is[k] = true end
      end
    end)
    return is
  end
  for row, t in ipairs(writer.rate_trees(e)) do
    local is = columns(t)
    for column = 1, e.n do
      local tree = is[column] and symbolic.derivative(t, function(q) return s:of(q, column - 1) end) or 0
      if tree ~= 0 then entries[#entries + 1] = {row, column, tree} end
    end
    by_time[row] = timed and symbolic.derivative(t, function(q) return s:of(q, nil) end) or 0
    changes = changes or by_time[row] ~= 0
  end
  return entries, s.list, changes and by_time or nil
end

local function jacobian_text(e, name, entries, list, by_time, w)
  local text = rate_text(e, w)
  local out = {("%s void %s_jacobian(NUMBER t, const NUMBER *p, const NUMBER *y, NUMBER *J%s) {"):format(
    writer.function_word(e), name, by_time and ", NUMBER *by_time" or ""):gsub("NUMBER", w.number), UNUSED}
  local trees = {}
  for _, x in ipairs(entries) do trees[#trees + 1] = x[3] end
  for _, x in ipairs(list) do trees[#trees + 1] = x[2] end
  for _, x in ipairs(by_time or {}) do trees[#trees + 1] = x end
  writer.put_functions(e, trees, out, w, text)
  for _, x in ipairs(list) do out[#out + 1] = ("  const %s d%d = %s;"):format(w.number, x[1], text(x[2])) end
  for k, x in ipairs(entries) do out[#out + 1] = ("  J[%d] = %s;"):format(k - 1, text(x[3])) end
  for k, x in ipairs(by_time or {}) do out[#out + 1] = ("  by_time[%d] = %s;"):format(k - 1, text(x)) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- kernel_text.equations(e, name): the source of NAME_rates(t, p, y, rate) and NAME_jacobian(t, p, y, J), and the list of the Jacobian's
-- elements that may be non-zero, {row, column, tree}, in the order of J.
function kernel_text.equations(e, name)
  local entries, list = jacobian(e)
  local w = writer.words {}
  return rates_text(e, name, w) .. jacobian_text(e, name, entries, list, nil, w), entries
end

-- --- what is recorded ---

local RECORD = [[
#define %s_ARGS(A, W) \
  A(IN, f64, p, "%d*instances") A(IN, f64, y, "%d*instances") A(IN, f64, t, "instances") \
  A(IN, u32, way, "instances") A(INOUT, f64, record, "%d*rows*instances") A(VALUE, u32, row, "1", index, "rows") \
  A(VALUE, u32, rows, "1") A(VALUE, u32, instances, "1")
ARGS(%s, %s_ARGS)
VERTEX_BODY(%s) {
  UNUSED_BODY;
  f64 y[%d], p[%d];
  const f64 t = a->t[v];
  (void)t;
%s
  const bool there = a->way[v] != ENSEMBLE_FAILED;
%s
}
]]

local function record(e, row, columns)
  local n, q, name = e.n, e.q, writer.name_in(e)
  local trees, out = {}, {}
  for c, place in ipairs(columns) do trees[c] = {"VARIABLE", place} end
  writer.put_functions(e, trees, out)
  for c, t in ipairs(trees) do
    out[#out + 1] = ("  a->record[((u64)%d * a->rows + a->row) * a->instances + v] = there ? %s : NAN;"):format(c - 1,
      symbolic.text(t, name))
  end
  return RECORD:format(row:upper(), math.max(q, 1), n, #columns, row, row:upper(), row, n, math.max(q, 1),
    writer.each(n, "  y[@] = a->y[(u64)@ * a->instances + v];") .. "\n" .. (q > 0 and writer.each(q, "  p[@] = a->p[(u64)@ * a->instances + v];")
      or "  p[0] = 0;") .. "\n  (void)y, (void)p;", table.concat(out, "\n"))
end

-- --- all of it ---

local METHODS = {dopri5 = "Dormand and Prince's method", rodas4 = "RODAS4", radau5 = "Radau IIA of order 5"}

local function row_text(name, what, domain, items, doc)
  return ('PRIM(%s_%s, %s_%s_ARGS, UNTYPED, %s, "%s", TOLERANCE, "", "", "%s")\n'):format(name, what, name:upper(), what:upper(), domain,
    items, doc)
end

-- kernel_text.text(e, methods, columns): the source of the kernels for e (from kernel_text.parts), and the prefix NAME of their names:
-- NAME_dopri5, NAME_rodas4 and NAME_radau5, those that are in the set `methods`; NAME_record, which records the variables whose
-- places are in columns; NAME_blame; and NAME_events, if the model has events. Raises an error if a method is not possible.
function kernel_text.text(e, methods, columns)
  e.conditions, e.group, e.work = event_text.conditions(e), e.group or 1, 0
  if e.conditions and e.shift_of then
    e.shifts = {}
    for k, t in ipairs(e.conditions) do e.shifts[k] = e.shift_of(t) end
  end
  local function of(name)
    local out = {'#include "language/kernel.h"\n#include "ode/ode.h"\n#include "ensemble/ensemble.h"\n' .. (e.on_host and '#include "ensemble/lanes.h"\n' .. lane_text.team_text(e) .. '\n' or "\n")}
    local rows = row_text(name, "record", "VERTEX", "instances", name .. "_record(...): the columns of all instances, as they are now.")
    rows = rows .. row_text(name, "blame", "VERTEX", "instances", name .. "_blame(...): the states that instances have failed by.")
    local bodies, w = {rates_text(e, name, writer.words {})}, writer.words(e)
    local function add(text) bodies[#bodies + 1] = text end
    add(event_text.truths_text(e, name))
    if e.shifts then add(event_text.jump_text(e, name)) end
    if e.events then
      rows = rows .. row_text(name, "events", "VERTEX", "instances", name .. "_events(...): trigger and execute events.")
    end
    for _, method in ipairs(step_text.all_methods) do
      if methods[method] then
        local tiles = e.lanes and "(instances+3)/4" or "instances"
        rows = rows .. row_text(name, method, step_text.by_tiles(e) and "TILE" or "QUEUE", step_text.by_tiles(e) and tiles or "queue",
          ("%s_%s(...): attempts of steps by %s."):format(name, method, METHODS[method]))
      end
    end
    local entries, list, by_time, factors
    if methods.rodas4 or methods.radau5 then entries, list, by_time = jacobian(e, methods.rodas4) end
    if e.group > 1 then
      local text, places = block_of.block_equations(e, name, methods.rodas4 and entries, list, by_time)
      add(text)
      factors = {places = places}
    elseif entries then
      factors = factors_of.factors(e, entries, methods.rodas4 and "rodas4" or "radau5")
      local called = e.lanes and name .. "_lanes" or name
      add(jacobian_text(e, called, entries, list, by_time, w))
      add(factors.text(called, writer.function_word(e), w, methods.radau5))
    end
    if e.lanes then add(rates_text(e, name .. "_lanes", w)) end
    if methods.dopri5 then add(method_text.dopri5(e, name, name .. "_dopri5")) end
    if methods.rodas4 then add(method_text.rodas4(e, name, name .. "_rodas4", factors.places, by_time ~= nil)) end
    if methods.radau5 then add(method_text.radau5(e, name, name .. "_radau5", entries, factors.places)) end
    if e.events then add(event_text.events_text(e, name)) end
    add(failing.blame_text(e, name))
    add(record(e, name .. "_record", columns))
    return table.concat(out) .. rows .. "\n" .. step_text.step_args(e, name) .. "\n" .. table.concat(bodies, "\n")
  end
  return writer.named_text(of)
end

return kernel_text
