-- Generates the text of the kernels of an ensemble (one model, many instances): the model's sizes, rates and Jacobian. The bodies, which
-- the text includes, are in kernels/ensemble; events: lua/ensemble/ensemble_events.lua; one block of threads per instance:
-- lua/ensemble/ensemble_block.lua.

local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_block = import "ensemble/ensemble_block"
local ensemble_events = import "ensemble/ensemble_events"
local ensemble_factors = import "ensemble/ensemble_factors"
local ensemble_instants = import "ensemble/ensemble_instants"
local ensemble_lanes = import "ensemble/ensemble_lanes"
local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_kernels = {}

-- --- the model's parts ---

-- ensemble_kernels.parts(m, varied, start): the model's equations in the form from which kernels are generated. varied[number] is true for
-- the variables that differ between instances. Fields of the result e:
--   states, parameters   lists of variables' numbers
--   n, q                 the numbers of values in y and in p per instance
--   at                   at[k] is the place of the k-th value of y in the bytecode
--   b                    the bytecode
--   functions            the list of the functions, {place, tree}
--   tree, rates          tree[place] is the expression tree of the function at that place, rates[place] that of the rate
--   place_of             a table from a place to {"y", k} or {"p", k}; nil for time, functions and values that all instances share
--   time, next           the place of time, and the first unused place
--   events, instants     from ensemble_events.read_events and ensemble_instants.instants; nil if there are none
function ensemble_kernels.parts(m, varied, start)
  local b = m:bytecode {base = true, start = start}
  if b.jumps > 0 then error("an ensemble has no assignments between steps: simulate one instance at a time", 0) end
  local e = {m = m, b = b, states = {}, parameters = {}, place_of = {}, first = m:first(start), variable = {}, at = {},
    next = b.vars}
  e.functions, e.rates = symbolic.read(b)
  e.events = ensemble_events.read_events(b)
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
  e.instants = ensemble_instants.instants(e)
  return e
end

-- Returns a function that converts a tree of rates or of their derivatives to text. It replaces divisions by products with
-- reciprocals, except in a model with conditions, where rates and conditions must be rounded in the same way.
local function rate_text(e, w)
  local name, constant = ensemble_writer.name_in(e), ensemble_writer.constant_in(e)
  local function called(place) return place >= e.next and "d" .. place or name(place) end
  return function(t)
    return w.value(symbolic.text(e.conditions and t or symbolic.by_reciprocals(t, constant), called, w.form))
  end
end

local UNUSED = "  (void)t, (void)p, (void)y;"

local function rates_text(e, name, w)
  local text = rate_text(e, w)
  local trees, out = ensemble_writer.rate_trees(e), {("%s void %s_rates(NUMBER t, const NUMBER *p, const NUMBER *y, NUMBER *rate) {"):format(
    ensemble_writer.function_word(e), name):gsub("NUMBER", w.number), UNUSED}
  ensemble_writer.put_functions(e, trees, out, w, text)
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
  for row, t in ipairs(ensemble_writer.rate_trees(e)) do
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
    ensemble_writer.function_word(e), name, by_time and ", NUMBER *by_time" or ""):gsub("NUMBER", w.number), UNUSED}
  local trees = {}
  for _, x in ipairs(entries) do trees[#trees + 1] = x[3] end
  for _, x in ipairs(list) do trees[#trees + 1] = x[2] end
  for _, x in ipairs(by_time or {}) do trees[#trees + 1] = x end
  ensemble_writer.put_functions(e, trees, out, w, text)
  for _, x in ipairs(list) do out[#out + 1] = ("  const %s d%d = %s;"):format(w.number, x[1], text(x[2])) end
  for k, x in ipairs(entries) do out[#out + 1] = ("  J[%d] = %s;"):format(k - 1, text(x[3])) end
  for k, x in ipairs(by_time or {}) do out[#out + 1] = ("  by_time[%d] = %s;"):format(k - 1, text(x)) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- ensemble_kernels.equations(e): the source of model_rates(t, p, y, rate) and model_jacobian(t, p, y, J), and the list of the Jacobian's
-- elements that may be non-zero, {row, column, tree}, in the order of J.
function ensemble_kernels.equations(e)
  local entries, list = jacobian(e)
  local w = ensemble_writer.words {}
  return rates_text(e, "model", w) .. jacobian_text(e, "model", entries, list, nil, w), entries
end

-- --- what is recorded ---

-- The macros for kernels/ensemble/record.h, which records the variables whose places are in columns.
local function columns_text(e, columns)
  local trees, out = {}, {("#define COLUMNS %d\n#define EACH_COLUMN(RECORD)"):format(#columns)}
  for c, place in ipairs(columns) do trees[c] = {"VARIABLE", place} end
  ensemble_writer.put_functions(e, trees, out)
  for c, t in ipairs(trees) do out[#out + 1] = ("  RECORD(%d, %s)"):format(c - 1, symbolic.text(t, ensemble_writer.name_in(e))) end
  return table.concat(out, " \\\n") .. "\n"
end

-- --- all of it ---

local METHODS = {dopri5 = "Dormand and Prince's method", rodas4 = "RODAS4", radau5 = "Radau IIA of order 5"}

-- ensemble_kernels.text(e, methods, columns): the source of the kernels for e (from ensemble_kernels.parts), and the prefix NAME of
-- their names: NAME_dopri5, NAME_rodas4 and NAME_radau5, those that are in the set `methods`; NAME_record, which records the variables
-- whose places are in columns; NAME_blame; and NAME_events, if the model has events. Raises an error if a method is not possible.
function ensemble_kernels.text(e, methods, columns)
  e.conditions, e.group, e.work = ensemble_events.conditions(e), e.group or 1, 0
  if e.conditions and e.shift_of then
    e.shifts = {}
    for k, t in ipairs(e.conditions) do e.shifts[k] = e.shift_of(t) end
  end
  local w, tiles, x = ensemble_writer.words(e), e.lanes and "(instances+3)/4" or "instances", {places = 0, entries = 0}
  local functions, steps, rows, entries, list, by_time = {}, {}, {}, nil, nil, nil
  if methods.rodas4 or methods.radau5 then entries, list, by_time = jacobian(e, methods.rodas4) end
  if e.lanes then functions[1] = rates_text(e, "lanes", w) end
  if e.group > 1 then
    functions[1], x.places = ensemble_block.block_equations(e, methods.rodas4 and entries, list, by_time)
  elseif entries then
    local factors = ensemble_factors.factors(e, entries, methods.rodas4 and "rodas4" or "radau5")
    local prefix = e.lanes and "lanes" or "model"
    functions[#functions + 1] = jacobian_text(e, prefix, entries, list, by_time, w) ..
      factors.text(prefix, ensemble_writer.function_word(e), w, methods.radau5)
    x.places = factors.places
  end
  if entries then x.entries, x.timed = #entries, by_time ~= nil end
  for _, method in ipairs(ensemble_attempt.all_methods) do
    if methods[method] then steps[#steps + 1] = ensemble_attempt.step_text(e, method, x) end
  end
  return ensemble_writer.named_text(function(name)
    local function add(...) rows[#rows + 1] = ensemble_writer.row_text(name, ...) end
    add("record", "RECORD", "VERTEX", "instances", "the columns of all instances, as they are now.")
    add("blame", "BLAME", "VERTEX", "instances", "the states that instances have failed by.")
    if e.events then add("events", "EVENTS", "VERTEX", "instances", "trigger and execute events.") end
    for _, method in ipairs(ensemble_attempt.all_methods) do
      if methods[method] then
        add(method, "STEP", ensemble_attempt.by_tiles(e) and "TILE" or "QUEUE", ensemble_attempt.by_tiles(e) and tiles or "queue",
          ("attempts of steps by %s."):format(METHODS[method]))
      end
    end
    return table.concat {'#include "ensemble/unit.h"\n', ensemble_lanes.team_text(e), table.concat(rows), ensemble_writer.head(e, name),
      ensemble_events.head(e), ensemble_attempt.form_text(e), rates_text(e, "model", ensemble_writer.words {}),
      ensemble_events.truths_text(e), table.concat(functions), ensemble_writer.defines {{"PLACES", x.places},
        {"ENTRIES", math.max(x.entries, 1)}, {"BLOCK_VALUES", e.block_slots or 0}, {"WORK", math.max(1, e.work)}}, table.concat(steps),
      e.events and ensemble_events.events_text(e) or "", columns_text(e, columns), '#include "ensemble/blame.h"\n',
      '#include "ensemble/record.h"\n'}
  end)
end

return ensemble_kernels
