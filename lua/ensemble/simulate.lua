-- Models of differential equations: the methods that print and change a model, and simulate. Reading files and computing are in C.

local algorithm = import "base/algorithm"
local engines = import "ode/simulate_auto"
local ensemble = import "ensemble/ensemble"
local model_cache = import "ode/model_cache"
local plots = import "base/plots"
local simulate

local methods = debug.getregistry()["lockstep.model"].__methods

local printed = {__tostring = function(list) return table.concat(list, "\n") end, __name = "lines"}

-- --- methods that print and change a model ---

-- The first `most` variables of a role (nil: all), and whether there are more.
local function of_role(m, role, most)
  local list = {}
  for i = 1, m.variables do
    local v = m:variable(i)
    if v.role == role then
      if #list == most then return list, true end
      list[#list + 1] = v
    end
  end
  return list, false
end

local function names(title, list, more)
  local out, line = {}, title
  for i, v in ipairs(list) do
    local word = v.name .. (v.unit and v.unit ~= "dimensionless" and " [" .. v.unit .. "]" or "") ..
      (i < #list and "," or "")
    if #line + 1 + #word > 79 then
      out[#out + 1] = line
      line = "   "
    end
    line = line .. " " .. word
  end
  out[#out + 1] = line .. (more and ", ..." or "")
  return table.concat(out, "\n")
end

local function show(m)
  local out = {tostring(m)}
  if m.title then out[#out + 1] = "  " .. m.title end
  if m.time_unit then out[#out + 1] = "  time in " .. m.time_unit end
  if m.step then
    out[#out + 1] = ("  the file asks for %s, step %g, until %g"):format(m.method or "no method", m.step, m.span or 0)
  end
  for _, role in ipairs {{"state", "  states:"}, {"algebraic", "  functions:"}, {"parameter", "  parameters:"},
    {"constant", "  constants:"}} do
    local list, more = of_role(m, role[1], 60)
    if #list > 0 then out[#out + 1] = names(role[2], list, more) end
  end
  return table.concat(out, "\n")
end

function methods:show() session.say(show(self)) end

function methods:equations(...)
  local wanted, width = {...}, 80
  if type(wanted[1]) == "table" then
    wanted = wanted[1]
    width = wanted.width or 80
  end
  local list = {}
  if #wanted == 0 then
    for i = 1, self.variables do
      local v = self:variable(i)
      if v.role == "state" or v.role == "algebraic" then wanted[#wanted + 1] = v.name end
    end
  end
  for i, name in ipairs(wanted) do list[i] = self:equation(name, width) end
  return setmetatable(list, printed)
end

function methods:parameters(values)
  if values == nil then
    local out, text = {}, {}
    for _, v in ipairs(of_role(self, "parameter")) do
      out[v.name] = v.value
      text[#text + 1] = ("%-32s %.10g%s"):format(v.name, v.value, v.unit and " " .. v.unit or "")
    end
    return setmetatable(out, {__tostring = function() return table.concat(text, "\n") end, __name = "parameters"})
  end
  if type(values) ~= "table" then error("m:parameters: a table expected, as in m:parameters{G_Na = 30}", 2) end
  local found = {}
  for name, x in pairs(values) do -- all names first, so that a wrong one changes nothing
    if type(name) ~= "string" or type(x) ~= "number" then
      error("m:parameters: names and numbers expected, as in {G_Na = 30}", 2)
    end
    found[self:find(name)] = x
  end
  for name, x in pairs(found) do self:set(name, x) end
  return self
end

-- --- simulation ---

local OPTIONS = {"start", "stop", "duration", "steps", "every", "dt", "method", "engine", "bytecode", "variables", "amount",
  "concentration", "rtol", "atol", "seed", "from", "stream"}
local EVERY = table.move({"sweep", "sample", "instances"}, 1, 3, #OPTIONS + 1, {table.unpack(OPTIONS)}) -- and three options of ensembles
local ENGINES = {reference = true, bytecode = true, translator = true, auto = true}
local known = {}
for _, name in ipairs(OPTIONS) do known[name] = true end

local function check_options(m, options)
  if type(options) ~= "table" then
    error("simulate: options must be a table, as in simulate(m, {stop = 500, dt = 0.01})", 3)
  end
  for name in pairs(options) do
    if not known[name] then
      if type(name) == "string" and pcall(m.find, m, name) then
        error(("simulate: no option is called '%s'; it is a value of the model: m:parameters{%s = %s} sets it"):format(name, name,
          tostring(options[name])), 3)
      end
      local near = type(name) == "string" and algorithm.nearest(name, EVERY)
      error(("simulate: no option is called '%s'%s; the options are %s"):format(tostring(name),
        near and (" (did you mean %s?)"):format(near) or "", table.concat(EVERY, ", ")), 3)
    end
  end
  local engine = options.engine or "reference"
  if not ENGINES[engine] then
    error(("simulate: there is no engine '%s'; there are \"reference\", \"bytecode\", \"translator\" and \"auto\""):format(
      tostring(engine)), 3)
  end
  if engine == "auto" and (options.bytecode or options.from) then
    error("simulate: 'bytecode' and 'from' need a fixed engine: name it in place of \"auto\"", 3)
  end
  if engine == "reference" and (options.bytecode or options.from) then
    error("simulate: 'bytecode' and 'from' need engine = \"bytecode\" or \"translator\"", 3)
  end
  for _, name in ipairs {"variables", "amount", "concentration"} do
    if options[name] ~= nil and type(options[name]) ~= "table" then
      error(("simulate: %s must be a list of names, as in {\"V\"}"):format(name), 3)
    end
  end
  if options.stream ~= nil and type(options.stream) ~= "string" then
    error("simulate: stream must be the name of a file, as in {stream = \"out.csv\"}", 3)
  end
  if options.stream and type(options.from) == "string" then
    error("simulate: a run that goes on from a checkpoint cannot be streamed: its earlier rows are not in the file", 3)
  end
  for _, name in ipairs {"start", "stop", "duration", "steps", "every", "dt", "rtol", "atol"} do
    if options[name] ~= nil and type(options[name]) ~= "number" then
      error(("simulate: %s must be a number, not a %s"):format(name, type(options[name])), 3)
    end
  end
end

local by_name = setmetatable({}, {__mode = "k"}) -- result of simulate -> its columns by the variables' full names
local ended = setmetatable({}, {__mode = "k"}) -- result of simulate by bytecode -> {the bytecode, all variables at the end}

local MOST_STEPS = 1e12

local function need_equations(m)
  if type(m) == "userdata" and getmetatable(m).__name == "lockstep.model" then return end
  if dve.is(m) then error("simulate: a model of processes is simulated step by step: use m:simulate()", 3) end
  error(("simulate: expected a model of differential equations (model.load), got %s"):format(algorithm.described(m)), 3)
end

-- Prints a note that names the parameters without a value that equations need (SBML allows such parameters): results that depend on
-- them are NaN.
local function note_missing(m, ...)
  local whole = model_cache.kept(m, "has all values", function()
    local first <close> = m:first()
    return first:sum() == first:sum()
  end)
  if whole then return end
  local given, needed, list = {}, {}, {}
  for k = 1, select("#", ...) do
    local values = select(k, ...)
    for name in pairs(type(values) == "table" and values or {}) do
      local found, _, i = pcall(m.find, m, name)
      if found then given[i] = true end
    end
  end
  local g <close> = m:graph {states = true}
  for v = 0, g.n - 1 do needed[g:label(v)] = g:degree(v) > 0 end
  for i = 1, m.variables do
    local v = m:variable(i)
    if v.role == "parameter" and v.value ~= v.value and needed[v.name] and not given[i] then list[#list + 1] = v.name end
  end
  if #list == 0 then return end
  algorithm.note("simulate", ("the file gives no value to %s%s, so results that depend on %s are NaN; m:set(\"%s\", 1) sets a value"):format(
    table.concat(list, ", ", 1, math.min(5, #list)), #list > 5 and (" and %d more"):format(#list - 5) or "", #list > 1 and "them" or "it", list[1]))
end

-- Start, stop and the number of intervals between rows.
local function span(m, o)
  local from = type(o.from) ~= "string" and o.from or nil -- a string is the path of a checkpoint
  if from and not ended[from] then
    error("simulate: 'from' must be the result of simulate with engine = \"bytecode\", or the name of a checkpoint's file", 3)
  end
  local at = from and from.t[#from.t - 1]
  if from and o.start and o.start ~= at then
    error(("simulate: the run in 'from' ended at %.14g, so this run starts there, not at start = %.14g"):format(at, o.start), 3)
  end
  local start = o.start or at or 0
  local stop = o.stop or o.duration and start + o.duration or m.span
  if not stop then error("simulate: the file does not say when to stop; give stop, as in {stop = 500}", 3) end
  if o.steps and o.every then error("simulate: give either 'steps' or 'every', not both", 3) end
  local intervals = o.steps
  if o.every then
    if not (o.every > 0) then error("simulate: 'every' must be positive", 3) end
    intervals = (stop - start) / o.every
    local whole = math.floor(intervals + 0.5)
    if whole < 1 or math.abs(intervals - whole) > 1e-6 then
      error(("simulate: every = %g does not divide the time from %g to %g"):format(o.every, start, stop), 3)
    end
    intervals = whole
  end
  intervals = intervals or 100
  if intervals < 1 or intervals ~= math.floor(intervals) or intervals > MOST_STEPS then
    error(("simulate: steps must be a whole number from 1 to 10^12, not %.14g"):format(intervals), 3)
  end
  return start, stop, intervals
end

local has_cvode = reference.has_cvode

-- The method: the option, else the method that the file asks for (models with noise or jumps need it), else an accurate one.
local function method_of(m, o)
  if o.method then return o.method end
  if o.engine and o.engine ~= "reference" then return m.method or "rk4" end
  if o.dt then return m.method or "rk4" end
  if m.method then return m.method end
  return has_cvode and "cvode" or "dopri5"
end

-- The requested columns, and their names.
local function columns_of(m, o)
  local columns, asked, quantity = {}, {}, {}
  for _, kind in ipairs {"amount", "concentration"} do
    for _, name in ipairs(o[kind] or {}) do
      local _, i = m:find(name)
      quantity[i] = kind
    end
  end
  local list = o.variables
  if not list then
    list = {}
    for i = 1, m.variables do
      local v = m:variable(i)
      if v.role == "state" or v.role == "algebraic" then list[#list + 1] = v.name end
    end
  end
  for k, name in ipairs(list) do
    if type(name) ~= "string" then error("simulate: variables must be a list of names, as in {\"V\"}", 3) end
    local _, i = m:find(name)
    columns[k] = {i, quantity[i] or m:variable(i).quantity}
    asked[k] = name
  end
  return columns, asked
end

local course = {}
algorithm.kinds.course = course
local result = {__name = "course", __methods = course}

local function column(r, name)
  local data = rawget(r, "data")
  if data[name] then return data[name] end
  local found = rawget(r, "model"):find(name) -- raises an error if there is no such variable
  if by_name[r] and by_name[r][found] then return by_name[r][found] end
  error(("%s was not recorded; simulate with variables = {\"%s\"}"):format(found, name), 3)
end

result.__index = function(r, key)
  if course[key] then return course[key] end
  if type(key) ~= "string" or not rawget(r, "data") then return nil end
  return column(r, key)
end

-- Prints a table of 79 columns. Names longer than NAME lose their beginning, which is the same for variables of one module.
local NAME, MOST = 25, 12
local function say(r)
  local last = #r.t - 1
  local unit = r.model.time_unit
  local out = {("%s of %s, time %g to %g%s, by %s (%s), %s%s%s"):format(
    algorithm.counted(r.rows, "row"), algorithm.counted(#r.names, "variable"), r.start, r.t[last], unit and " " .. unit or "", r.method, r.engine,
    algorithm.counted(r.steps, "step"), r.dt > 0 and (" of %g"):format(r.dt) or "", r.events > 0 and ", " .. algorithm.counted(r.events, "event") or "") ..
      (r.block and (", blocks of %d threads"):format(r.block) or ""),
    ("  %-25s %12s %12s %12s %12s"):format("", "first", "last", "least", "greatest")}
  if r.asked and r.dt > 0 and math.abs(r.dt - r.asked) > 1e-9 * r.asked then
    table.insert(out, 2, ("  (steps of %g: dt = %g does not divide the time between two rows, %g; `every` or `steps` sets that)"):format(r.dt, r.asked,
      (r.t[last] - r.start) / math.max(r.rows - 1, 1)))
  end
  if r.streamed then out[#out] = ("  written to %s; the last row:"):format(r.streamed) end
  if r.interrupted then table.insert(out, 2, ("  interrupted at time %.10g: these are the rows until then"):format(r.interrupted)) end
  for i, name in ipairs(r.names) do
    if i > MOST then
      out[#out + 1] = ("  and %d more"):format(#r.names - MOST)
      break
    end
    local b = r.data[name]
    local shown = #name <= NAME and name or ".." .. name:sub(2 - NAME)
    out[#out + 1] = r.streamed and ("  %-25s %12.6g"):format(shown, b[last]) or
      ("  %-25s %12.6g %12.6g %12.6g %12.6g"):format(shown, b[0], b[last], b:min(), b:max())
  end
  return table.concat(out, "\n")
end
result.__tostring = say

function course:show() session.say(say(self)) end

function course:save(path)
  local titles, buffers = {"time"}, {self.t}
  for i, name in ipairs(self.names) do
    titles[i + 1] = name
    buffers[i + 1] = self.data[name]
  end
  model.write_table(path, titles, buffers)
end

function course:plot(...)
  local function find(name) return (pcall(column, self, name)) end
  local list, options = plots.asked(self.names, find, ...)
  if #list == 0 then list = table.move(self.names, 1, math.min(4, #self.names), 1, {}) end
  local unit = self.model.time_unit
  local p = {title = self.model.title, xlabel = unit and ("time [%s]"):format(unit) or "time", ylabel = #list == 1 and list[1] or nil}
  for i, name in ipairs(list) do p[i] = {y = column(self, name), x = self.t, name = name} end
  plots.draw(p, options)
end

local function note_interrupted(at)
  if at then algorithm.note("simulate", ("interrupted at time %.10g; the rows until then are kept"):format(at)) end
end

-- Simulates by the reference, in one call: there are no iterations after which its state could be saved. (cvode keeps its history
-- inside the library, so a resumed run would not give the same bits.)
local function by_reference(m, o)
  if session.saves() then
    error("simulate: engine = \"reference\" saves no checkpoint: use engine = \"bytecode\" or \"translator\", with method = \"euler\", \"rk4\" " ..
      "or \"dopri5\"; or stream = \"out.csv\", which keeps the rows of an interrupted run. checkpoint(false) turns checkpoints off", 3)
  end
  local kept <close> = session.keep()
  o.keeps = session.interrupted -- called after Ctrl-C: returns whether to return the rows so far instead of raising an error
  local r = reference.simulate(m, o)
  note_interrupted(r.interrupted)
  r.engine = "reference"
  return r
end

-- Checks the options of the bytecode engine; the reference checks its options itself.
local function check_for_bytecode(o)
  if o.method ~= "euler" and o.method ~= "rk4" and o.method ~= "dopri5" then
    error(("simulate: method '%s' is not for engine = \"%s\", which has euler, rk4 and dopri5"):format(o.method, o.engine), 4)
  end
  for _, name in ipairs {"start", "stop", "dt", "rtol", "atol"} do
    if o[name] - o[name] ~= 0 then error(("simulate: %s must be a finite number"):format(name), 4) end
  end
  if not (o.stop > o.start) then error(("simulate: stop = %.14g is not after start = %.14g"):format(o.stop, o.start), 4) end
  if not (o.dt > 0) then error(("simulate: dt = %.14g: a positive number expected"):format(o.dt), 4) end
  if not (o.rtol > 0 and o.atol > 0) then error("simulate: rtol and atol must be positive", 4) end
  if o.intervals + 1 >= 1 << 32 or (o.stop - o.start) / o.intervals / o.dt >= 1 << 32 then
    error(("simulate: %.14g rows with steps of dt = %.14g are too many"):format(o.intervals + 1, o.dt), 4)
  end
  local b = o.bytecode
  if b ~= nil and (type(b) ~= "table" or type(b.code) ~= "userdata") then
    error("simulate: 'bytecode' must be the result of m:bytecode{...}", 4)
  end
end

-- The reason why a method cannot run the bytecode, or nil.
local function lacking(b, method)
  if b.instants then return "the bytecode has no triggers that are true at one instant" end
  if method ~= "dopri5" then return nil end
  return b.events > 0 and "with dopri5 the bytecode has no events" or
    b.delayed > 0 and "with dopri5 the bytecode has no 'delay'" or b.timed and "random numbers need a step of one length" or b.model.states == 0 and "there are no states"
end

-- The model's bytecode. If the model has something that bytecode does not support, prints a note and returns nil.
local function bytecode_of(m, o)
  local fine, b = pcall(m.bytecode, m)
  local lacks = fine and b.jumps == 0 and lacking(b, o.method)
  if lacks then
    algorithm.note("simulate", lacks .. "; it is simulated with engine = \"reference\"")
    return nil
  end
  if fine then return b end
  local why = tostring(b):match "^(.*the bytecode has no .-): use engine"
  if not why then error(b, 0) end
  algorithm.note("simulate", algorithm.without_place(why) .. "; it is simulated with engine = \"reference\"")
end

local STREAMED = 1 << 18 -- size of the write buffer, in numbers

-- The default absolute tolerance of bytecode: one for all states, the least of the reference's defaults.
local function least_tolerance(m, o)
  local first <close> = m:first(o.start)
  local least = 1
  for i = 1, m.variables do
    local x = m:variable(i).role == "state" and math.abs(first[i - 1])
    if x and x > 0 and x < least then least = x end
  end
  return 1e-3 * o.rtol * least
end

local STEADY = "assignments between steps need steps of equal length: use method = \"euler\" or \"rk4\""

-- Simulates by bytecode. A species that is requested in the other quantity (amount or concentration) is recorded with the size of its
-- compartment, and converted afterwards.
local function by_bytecode(m, o)
  o.atol = o.atol or least_tolerance(m, o)
  check_for_bytecode(o)
  local file = type(o.from) == "string" and o.from or nil
  local before = o.from and not file and ended[o.from]
  local b = o.bytecode or before and before[1] or bytecode_of(m, o)
  if b and o.engine == "translator" and not b.loops then b:compile {method = o.method} end
  if not b and file then error("simulate: only bytecode can resume from a checkpoint file", 3) end
  if not b then return by_reference(m, o) end
  if b.model ~= m then error("simulate: the bytecode belongs to another model", 3) end
  if before and before[1] ~= b then error("simulate: the run in 'from' used another bytecode", 3) end
  if b.jumps > 0 and o.method == "dopri5" then error("simulate: " .. STEADY, 3) end
  local lacks = lacking(b, o.method)
  if lacks then error(("simulate: %s: use engine = \"reference\""):format(lacks), 3) end
  local places = {}
  for k, c in ipairs(o.columns) do places[k] = b.code:place(c[1]) end
  local sizes = {}
  for k, c in ipairs(o.columns) do
    local v = m:variable(c[1])
    if v.size and c[2] ~= "value" and c[2] ~= v.held and v.held ~= "value" then
      places[#places + 1] = b.code:place(v.size)
      sizes[k] = #places
    end
  end
  places[#places + 1] = b.vars - 1
  -- Converts the recorded columns to the requested quantities, in place.
  local function asked(columns)
    for k, at in pairs(sizes) do
      for i = 0, #columns[k] - 1 do
        columns[k][i] = o.columns[k][2] == "amount" and columns[k][i] * columns[at][i] or columns[k][i] / columns[at][i]
      end
    end
    return columns
  end
  local sink = o.stream and function(columns)
    asked(columns)
    local list = {columns[#columns]}
    for k = 1, #o.columns do list[k + 1] = columns[k] end
    o.stream:put(o.titles, list)
  end
  local run = b:run {start = o.start, stop = o.stop, intervals = o.intervals, dt = o.dt, method = o.method, columns = places,
    rtol = o.rtol, atol = o.atol, ended = before and before[2], checkpoint = file, seed = o.seed,
    sink = sink, window = sink and math.max(2, STREAMED // #places)}
  local columns, at = asked(run.columns), run.interrupted
  note_interrupted(at)
  return {t = columns[#columns], columns = columns, ended = {b, run.ended}, dt = run.dt, steps = run.steps,
    refused = run.refused or 0, block = run.block, events = run.events, interrupted = at}
end

-- Raises an error if the model has delays, random numbers or assignments between steps: ensembles do not support them.
local function refuse_timed(m)
  local what = model_cache.kept(m, "what no ensemble has", function()
    local b = m:bytecode {base = true}
    return b.jumps > 0 and "assignments between steps" or b.delayed > 0 and "'delay'" or b.timed and b.events == 0 and "random numbers" or false
  end)
  if what then error(("simulate: an ensemble has no %s: simulate one instance at a time"):format(what), 3) end
end

-- Chooses the engine and device for engine = "auto", and prints a note that says why: for fixed steps the fastest; else the reference
-- on the CPU, which has the other methods.
local function chosen(m, o)
  if o.method ~= "euler" and o.method ~= "rk4" then
    algorithm.note("simulate", ("engine \"reference\" on cpu: %s chooses its own steps, so it was not timed"):format(o.method))
    return {engine = "reference", device = "cpu"}
  end
  local best, why = engines.fastest(m, {start = o.start, dt = o.dt, method = o.method, seed = o.seed,
    most = math.max(1, math.ceil((o.stop - o.start) / o.dt))}, simulate)
  algorithm.note("simulate", ("engine \"%s\" on %s: %s"):format(best.engine, best.device, why))
  return best
end

--- Simulates a model of differential equations from `start` (0) to `stop`, and records its variables at the start and
--- after each of `steps` intervals (100), or after every interval of length `every`.
---   r = simulate(m, {stop = 500, dt = 0.01, every = 1, method = "euler", variables = {"V"}})
---   r.t, r["V"]     f64 buffers; r:show(), r:plot("V"), r:save("out.csv")
--- method: "euler" and "rk4" have fixed steps of dt; "dopri5" and "cvode", which is for stiff models, have adaptive steps with the
--- tolerances rtol (1e-9) and atol. The default of atol is 1e-3 * rtol * min(1, |initial value|), one for each state; if this is 0,
--- the least atol of the other states, as in ensembles. The default method is the one in the file; else, with
--- dt, rk4; else cvode, if the build has it, or dopri5. variables: a list of names (default: all states and functions).
--- amount, concentration: lists of species to be recorded in that quantity. seed: the seed of random numbers.
--- engine = "reference" (the default) evaluates one expression after the other on the CPU, and saves no checkpoints. engine =
--- "bytecode" runs the model as bytecode in phases on the current device: by euler or rk4, with events, delays, noise and
--- assignments between steps; by dopri5 only without these, and its steps do not end where a condition on a state changes: its
--- error there may be ten times that of "reference". Models with anything else, such as time series, are simulated with
--- "reference", with a note. bytecode = m:bytecode{...} passes the bytecode; from = r continues where the simulation r
--- ended. The run is a loop of iterations: `start simulate(...)`, then `iter`, `until V > 0` or `watch V` (expressions may use the first 8
--- requested variables, row and time); checkpoint(FILE) saves it, from = FILE resumes it; after Ctrl-C from = r continues from the last
--- row. engine = "translator" does the same with kernels that are generated from the bytecode and compiled: it starts later and runs
--- faster. engine = "auto" runs the first steps by each engine on the CPU and on the current device, takes the fastest,
--- and says which. stream = "out.csv" or "out.npy" writes the rows to that file while they are computed, time first:
--- memory does not grow with the number of rows, and if the run ends early, the file has all rows so far; r has the last row. While it
--- runs, and if the program is killed, the rows are in out.csv.part.
--- Ctrl-C at the prompt keeps the rows so far, with every engine: r.interrupted is the time that the simulation had reached.
--- With sweep, sample or instances, many instances run at once: `help ensembles`; their options stream and from: `help batches`.
function simulate(m, options)
  need_equations(m)
  options = options or {}
  if type(options) == "table" then options = algorithm.wholes(options, {"instances", "seed", "steps", "attempts", "bins", "batch", "group"}) end
  if type(options) == "table" and (options.instances or options.sweep or options.sample) then
    refuse_timed(m)
    note_missing(m, options.sweep, options.sample, options.each)
    return ensemble.run(m, options, span)
  end
  check_options(m, options)
  local start, stop, intervals = span(m, options)
  note_missing(m)
  local method = method_of(m, options)
  local columns, asked = columns_of(m, options)
  local dt = options.dt or m.step or (stop - start) / intervals / 100
  local engine, bytecode = options.engine or "reference", options.bytecode
  local before <close> = setmetatable({name = device().name}, {__close = function(d)
    if device().name ~= d.name then device(d.name) end
  end})
  if engine == "auto" then
    local best = chosen(m, {start = start, stop = stop, dt = dt, method = method, seed = options.seed})
    engine, bytecode = best.engine, best.bytecode
    if device().name ~= best.device then device(best.device) end
  end
  local run = engine ~= "reference" and by_bytecode or by_reference
  local titles = table.move(asked, 1, #asked, 2, {"time"})
  local stream <close> = options.stream and model.stream(options.stream, titles) or nil
  local r = run(m, {start = start, stop = stop, intervals = intervals, method = method, dt = dt, rtol = options.rtol or 1e-9,
    atol = options.atol, seed = options.seed, columns = columns, bytecode = bytecode, from = options.from, engine = engine, stream = stream, titles = titles})
  local rows = stream and stream:close() or #r.t
  local data, whole = {}, {}
  for i, name in ipairs(asked) do
    data[name] = r.columns[i]
    whole[m:find(name)] = r.columns[i]
  end
  local c = setmetatable({kind = "course", model = m, t = r.t, names = asked, data = data,
    engine = r.engine or engine, method = method,
    dt = r.dt, asked = options.dt or false, steps = r.steps, refused = r.refused, block = r.block or false, events = r.events, interrupted = r.interrupted or false,
    rows = rows, start = start, streamed = options.stream or false}, result)
  by_name[c], ended[c] = whole, r.ended
  return c
end

return simulate
