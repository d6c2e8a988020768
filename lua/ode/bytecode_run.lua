-- The engine that runs bytecode: computes initial values, and runs steps in a loop that can be stepped, checkpointed and interrupted.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local bytecode = import "ode/bytecode"
local bytecode_blocks = import "ode/bytecode_blocks"
local named = import("base/loops").named
local bytecode_run = {}

-- Checks the option `vary`. Returns what varies between cells: variable's number -> list of one value per cell.
local function varied(b, vary)
  local m, out = b.model, {}
  if type(vary) ~= "table" then error("b:start: vary must be a table, as in {vary = {G_Na = {20, 23}}}", 3) end
  for name, values in pairs(vary) do
    local _, number = m:find(name)
    local role = m:variable(number).role
    if role ~= "parameter" and role ~= "state" then error(("b:start: %s is neither a parameter nor a state"):format(name), 3) end
    if b.options.fold then error("b:start: vary needs bytecode in which constants are not folded: m:bytecode{fold = false}", 3) end
    local list = {}
    if type(values) == "table" then
      table.move(values, 1, #values, 1, list)
    elseif type(values) == "userdata" then
      for c = 0, #values - 1 do list[c + 1] = values[c] end
    else
      error(("b:start: %s must have a list of values, one for each cell, not a %s"):format(name, type(values)), 3)
    end
    if #list ~= b.cells then
      error(("b:start: %s has %d values, but there are %d cells"):format(name, #list, b.cells), 3)
    end
    for c, x in ipairs(list) do
      if type(x) ~= "number" then error(("b:start: %s of cell %d must be a number, not a %s"):format(name, c - 1, type(x)), 3) end
    end
    out[number] = list
  end
  return out
end

-- Repeats the samples of one cell for each of `cells` cells.
local function per_cell(past, cells)
  if cells == 1 then return past end
  local all = buffer.new("f64", #past * cells)
  for i = 0, #past - 1 do
    for c = 0, cells - 1 do all[i * cells + c] = past[i] end
  end
  return all
end

--- b:with(own): a bundle of arguments for rows: b's arrays and numbers; those of the same name in `own` take precedence.
function bytecode:with(own)
  for name, value in pairs(self) do
    if own[name] == nil then own[name] = value end
  end
  return bundle(own)
end

-- Returns the initial values x and a copy for x_next; for models with events, delays or noise also the initial state of these.
function bytecode:start(o)
  o = o or {}
  local m, start = self.model, o.start or 0
  local vary = varied(self, o.vary or {})
  local x = buffer.new("f64", self.vars * self.cells)
  local timed = self.timed and self.code:begin(start, o.dt or 1, o.seed) or nil
  self.code:put(timed and timed.first or m:first(start), start, x, self.cells)
  if next(vary) then
    for c = 0, self.cells - 1 do
      local values = {}
      for number, list in pairs(vary) do values[number] = list[c + 1] end
      self.code:put(m:first(start, values), start, x, self.cells, c)
    end
  end
  local args = self:with {x = x, clock = timed and timed.clock}
  if timed and self.delayed > 0 then
    timed.past = per_cell(timed.past, self.cells)
    args.past_time, args.past, args.kept = timed.past_time, timed.past, #timed.past_time
  end
  for p = 0, self.phases - 1 do ode_functions(args, {phase = p}) end
  return x, x:copy(), timed
end

local LOOPS = {euler = ode_euler, rk4 = ode_rk4}
local TIMED_LOOPS = {euler = ode_euler_timed, rk4 = ode_rk4_timed}
local JUMP_LOOPS = {euler = ode_euler_jumps, rk4 = ode_rk4_jumps} -- also run what the timed loops run

-- Returns the number of steps per interval and their length: dt if it divides the interval, else a shorter step.
-- paper errs: 004, figure 5.8, line 21: `t += s` adds up rounding errors: with steps of 0.01 the loop ends one step before 1 (though
-- not before 1000, as in section 5.6). Here steps are counted.
local function steps_of(interval, dt)
  local ratio = interval / dt
  local whole = math.floor(ratio + 0.5)
  if whole >= 1 and math.abs(ratio - whole) < 1e-9 * whole then return whole, dt end
  local steps = math.ceil(ratio)
  return steps, interval / steps
end

-- The buffers that a step changes besides x. The past (for delays) needs no copy: running the step again writes the same values.
local TIMED = {"clock", "truth", "pending", "tally"}

-- Copies of the state before a step.
local function keep(b, args)
  local kept = {x = args.x:copy()}
  for _, name in ipairs(b.timed and TIMED or {}) do kept[name] = args[name]:copy() end
  return kept
end

local FEW = 5 -- maximum number of states that a message names

-- bytecode_run.blamed(b): an object that collects the states whose values ended a run of b, for the error message. add(name, cell) adds
-- a state and returns its name in the message; text(what) says how many there are, in how many cells, and names the first few:
-- "; 3 states <what>: x, y, z", or "" if there is only one.
function bytecode_run.blamed(b)
  local names, cells, count, of_cells = {}, {}, 0, 0
  local blamed = {}
  function blamed.add(name, cell)
    name = b.cells > 1 and ("%s of cell %d"):format(name, cell) or name
    count = count + 1
    if count <= FEW then names[count] = name end
    if not cells[cell] then cells[cell], of_cells = true, of_cells + 1 end
    return name
  end
  function blamed.text(what)
    if count < 2 then return "" end
    return ("; %d states %s%s: %s%s"):format(count, what, b.cells > 1 and (", in %d of %d cells"):format(of_cells, b.cells) or "",
      table.concat(names, ", "), count > FEW and ", ..." or "")
  end
  return blamed
end

-- Raises the error that a state is no longer finite, with its value and the value before the step that failed. To find this step, runs
-- again from `saved`: first in chunks of `steps` steps, then step by step within the chunk that failed.
local function blame(b, run, args, saved, steps, method)
  local m, time = b.model, b.vars - 1
  local a = bytecode.with(args, saved)
  a.x_next, a.rows, a.record, a.begun = saved.x:copy(), 1, buffer.new("f64", args.columns * b.cells), 0
  local function before_loss(length) -- runs `length` steps at a time; returns the state before the steps that fail
    local before
    a.steps = length
    repeat before = keep(b, a) until run(a, 1).lost > 0
    return before
  end
  local before = before_loss(steps)
  if steps > 1 then
    for name, value in pairs(before) do a[name] = value end
    a.x_next = a.x:copy()
    before = before_loss(1)
  end
  before = before.x
  local blamed, first = bytecode_run.blamed(b), nil
  for i = 1, m.variables do
    local p, v = b.code:place(i), m:variable(i)
    for c = 0, v.role == "state" and b.cells - 1 or -1 do
      local was, is = before[p * b.cells + c], a.x[p * b.cells + c]
      if was - was == 0 and is - is ~= 0 then
        local name = blamed.add(v.name, c)
        first = first or ("at time %.10g, with %s = %.10g before this step: %s is %s: %s (%s:%d) (%s with steps of %g: try a smaller dt, or method = \"cvode\")"):format(
          a.x[time * b.cells], v.name, was, name, is ~= is and "not a number" or "beyond the largest number",
          m:equation(v.name, 400):match("^[^\n]*"), m.path, v.line, method, args.dt[0])
      end
    end
  end
  error(first and first .. blamed.text "are not finite in this step" or "simulate: a state is no longer finite", 0)
end

-- --- the loop ---

local SLICE = 0.05 -- approximate duration of a call in seconds: Ctrl-C and the keyboard are served between calls

-- bytecode_run.origin(b, o, steps): the identity of a run (digests of its code, and its options). A checkpoint can be continued only
-- by a run of the same identity.
function bytecode_run.origin(b, o, steps)
  local code = b.codes:digest() ~ b.index:digest() << 1 ~ b.numbers:digest() << 2 ~ b.places:digest() << 3
  return {model = code, start = o.start + 0.0, stop = o.stop + 0.0, intervals = o.intervals, steps = steps, method = o.method,
    columns = buffer.new("u32", o.columns):digest(), window = o.window}
end

local WHAT = {model = "it is of another model, or of one compiled in another way", columns = "it has recorded other variables",
  window = "its rows went to a file"}
local ORDER = {"model", "columns", "method", "start", "stop", "intervals", "steps", "window"}

-- bytecode_run.check_origin(file, want, found): raises an error unless the identity `found` in the checkpoint's file is `want`.
function bytecode_run.check_origin(file, want, found)
  algorithm.check_origin("simulate", file, want, found, ORDER, WHAT)
end

-- Raises the error of an event. f: {kind of error, number of the event, time, delay or number of events}.
local function fault(b, f)
  local kind, t, x = f[0], f[2], f[3]
  local name, line = b.code:event(math.tointeger(f[1]))
  local where = ("%s:%d: at time %.10g "):format(b.model.path, line, t)
  if kind == 1 then error(where .. ("the delay of event %s is %g"):format(name, x), 0) end
  if kind == 2 then error(where .. ("events trigger each other without end, among them %s"):format(name), 0) end
  error(where .. ("%d events are waiting, among them %s: more than bytecode can keep; use engine = \"reference\""):format(x, name), 0)
end

-- bytecode_run.paced(steps, took): how many steps to run in the next call, so that a call takes about a slice of time, if this call of
-- `steps` steps took `took` seconds: twice as many, half as many, or as many.
function bytecode_run.paced(steps, took)
  return took < SLICE / 2 and math.min(2 * steps, 1 << 31) or took > 2 * SLICE and math.max(1, steps // 2) or steps
end

local AGAIN = 20 -- number of calls after which the slower number of threads is tried again, because the machine's load changes

-- Seconds per step: the lesser of the last two calls, because other programs may have slowed one of them down.
local function seconds_of(calls) return calls[2] and math.min(calls[1], calls[2]) end

-- Runs a kernel of many steps on all threads of the CPU, or on one if that is faster at present. The times are kept in
-- many.teams, for later runs too.
local function by_team(many, args)
  local most = many.args.team
  local t = many.teams or {calls = 0, one = {}, all = {}}
  many.teams, t.calls = t, t.calls + 1
  local one, all = seconds_of(t.one), seconds_of(t.all)
  local best = (not all or one and all <= one) and "all" or "one"
  local which = most == 1 and "one" or t.calls % AGAIN == 0 and (best == "all" and "one" or "all") or best
  args.team = which == "one" and 1 or most
  local begun = trace.clock()
  local counted = named(many.row, args)
  local took = trace.clock() - begun
  if took > bytecode_blocks.tried then t[which] = {took / (args.steps * args.made), t[which][1]} end
  return counted
end

-- Computes `rows` rows from row args.begun on, args.steps steps each: with the model's kernel of many steps if there is one and the
-- run is not stepped, else with the loop. Returns the sums of the COUNTs.
local function run_rows(b, r, args, rows)
  local on_cpu = device().processor == "cpu"
  local many = b.many and not session.stepped() and kernel.bounds() ~= "on" and b.many[device().processor][r.method]
  if many then
    args.row, args.made = args.begun, rows
    for name, value in pairs(many.args) do args[name] = value end
    if on_cpu then return by_team(many, args) end
    many.ways = many.ways or bytecode_blocks.ways_of_grid(many.args.team)
    r.blocks = many.blocks -- the times of earlier runs
    local counted = bytecode_blocks.by_block(r, args, rows * args.steps, function() return named(many.row, args) end, many.ways)
    many.blocks = r.blocks
    return counted
  end
  args.max_iterations = rows
  local loop = (b.loops or b.jumps > 0 and JUMP_LOOPS or b.timed and TIMED_LOOPS or LOOPS)[r.method]
  if session.stepped() or on_cpu then return named(loop, args) end
  return bytecode_blocks.by_block(r, args, rows * args.steps, function() return named(loop, args) end)
end

-- Computes up to `most` rows, or only some steps of one row if a row takes longer than SLICE. r.done: the number of steps of the
-- present row that are done; r.pace: the number of steps that take about SLICE.
local function go(b, r, most)
  local args, stepped = r.args, session.stepped()
  local left = r.steps - r.done
  local n, rows = left, 1
  if not stepped and r.pace < left then
    n = r.pace
  elseif not stepped and r.done == 0 then
    rows = math.max(1, math.min(most, r.pace // r.steps, args.rows - (r.row + 1 - r.base)))
  end
  if n < r.steps and r.done == 0 then r.at_row = keep(b, args) end
  args.steps, args.begun = n, r.row + 1 - r.base
  local saved, begun = keep(b, args), trace.clock()
  local function run(of, count) return run_rows(b, r, of, count) end
  local counted = run(args, rows)
  local took = trace.clock() - begun
  if b.timed then
    if counted.faults > 0 then fault(b, args.fault) end
    r.events = r.events + counted.executed
  end
  if counted.lost > 0 then blame(b, run, args, saved, n, r.method) end
  if not stepped and (rows > 1 or n <= r.pace or took > SLICE) then r.pace = bytecode_run.paced(r.pace, took) end
  r.done = r.done + n
  if r.done == r.steps then
    r.row, r.done = r.row + rows, 0
  end
end

local MARKED = 8 -- maximum number of variables in a mark

-- bytecode_run.marks(b, o, s, row, base [, time]): the numbers of an iteration mark: `row` and `time` (the row's time if omitted). If
-- the session waits for marks, also the row's values of the first variables in the first cell. base: the first row in s.record.
function bytecode_run.marks(b, o, s, row, base, time)
  local m = {row = row, time = time or o.start + (o.stop - o.start) * row / o.intervals}
  if not session.awaited() then return m end
  for k = 1, math.min(MARKED, #o.columns) do
    local name = b.code:name(o.columns[k]):match "[%a_][%w_]*$"
    if name and not m[name] then m[name] = s.record[(k - 1) * b.cells * o.window + math.max(0, row - base)] end
  end
  return m
end

-- bytecode_run.recorded(b, s, o, first, last): the rows first .. last of s.record, as a list of one f64 buffer per column.
function bytecode_run.recorded(b, s, o, first, last)
  local out, rows = {}, o.window
  for k = 0, #o.columns - 1 do
    local part = s.record:slice(k * b.cells * rows, (k + 1) * b.cells * rows)
    if first > 0 or last < rows - 1 then
      local matrix = buffer.new("f64", b.cells, rows) -- one row per cell
      prim.swap(matrix, part)
      matrix = matrix:slice(0, b.cells, first, last + 1)
      part = buffer.new("f64", b.cells * (last + 1 - first))
      prim.swap(matrix, part)
    end
    out[k + 1] = part
  end
  return out
end

-- bytecode_run.drain(b, s, o): an object that passes the rows of a stream to o.sink before the record is overwritten. put(last) passes
-- the rows that have not been passed yet, up to row `last` of the simulation; now_and_then(last) does the same, at most once per
-- second; `base` is the number of the first row in the record; result(last) returns the columns of a run's result: all rows, or only the
-- last one if the rows are streamed. Closing the object passes the remaining rows up to row left().
function bytecode_run.drain(b, s, o, left)
  local d = {base = 0, done = 0, at = trace.clock()}
  function d.put(last)
    if o.sink and last >= d.done then o.sink(bytecode_run.recorded(b, s, o, d.done - d.base, last - d.base)) end
    d.done, d.at = last + 1, trace.clock()
  end
  function d.now_and_then(last)
    if o.sink and trace.clock() - d.at > 1 then d.put(last) end
  end
  function d.result(last)
    if o.sink then d.put(last) end
    return bytecode_run.recorded(b, s, o, o.sink and last - d.base or 0, last - d.base)
  end
  return setmetatable(d, {__close = function() if o.sink then d.put(left()) end end})
end

-- Allocates the state of a simulation. timed: the initial state of events, delays and noise, or their state in the run that is continued.
local function new_state(b, o, steps, timed)
  local kept, slots = 0, b.wide * math.max(64, 4 * b.events)
  if b.delayed > 0 then kept = timed.clock[0] + timed.clock[1] + steps * o.intervals end
  return state.ode {vars = b.vars, cells = b.cells, columns = #o.columns, rows = o.window, kept = kept,
    span = kept * b.delayed, events = b.events, slots = b.events > 0 and slots or 0}
end

local function fill_timed(b, s, h, timed)
  prim.swap(s.clock, timed.clock:copy())
  s.clock[3] = string.unpack("i8", string.pack("d", h))
  if b.delayed > 0 then
    copy_front(timed.past_time, s.past_time, #timed.past_time)
    copy_front(timed.past, s.past, #timed.past)
  end
  for _, name in ipairs {"truth", "pending", "tally"} do
    if timed[name] then prim.swap(s[name], timed[name]:copy()) end
  end
end

-- The end state of the run, from which another can continue: x, and the state of events, delays and noise, if the model has any.
local function left(b, s, r)
  local out = r.done > 0 and r.at_row or {x = s.x, clock = s.clock, truth = s.truth, pending = s.pending, tally = s.tally}
  if b.timed then
    local n = b.delayed > 0 and out.clock[0] + out.clock[1] or 0
    out.past_time, out.past = s.past_time:slice(0, n), s.past:slice(0, n * b.delayed) -- one row per variable and time
  end
  return out
end

-- b:run(o): runs a simulation. o: start, stop, intervals, dt, method, columns (places); rtol, atol; vary, seed; ended (the end state
-- of an earlier run) or checkpoint (a file), to continue; sink(columns), a function that receives the rows during the run;
-- window, the number of rows that the record has room for.
function bytecode:run(o)
  if self.instants then
    error("b:run: bytecode does not support triggers that are true at one instant: use simulate(m) without 'engine'", 2)
  end
  if self.jumps > 0 and o.method == "dopri5" then
    error("b:run: assignments between steps need steps of equal length: use method = \"euler\" or \"rk4\"", 2)
  end
  o.window = math.min(o.window or o.intervals + 1, o.intervals + 1)
  if o.method == "dopri5" then return self:run_dopri5(o) end
  local steps, h = steps_of((o.stop - o.start) / o.intervals, o.dt)
  local x, x_next, timed
  if o.checkpoint then
    timed = self.timed and self.code:begin(o.start, o.dt, o.seed) or nil -- buffers of the past get the same length as in the saved run
  elseif o.ended then
    x, timed = o.ended.x:copy(), self.timed and o.ended or nil
    x_next = x:copy()
  else
    x, x_next, timed = self:start {start = o.start, vary = o.vary, dt = o.dt, seed = o.seed}
  end
  local s = new_state(self, o, steps, timed)
  local args = self:with {x = s.x, x_next = s.x_next, record = s.record, dt = buffer.new("f64", {h}), clock = s.clock,
    past_time = s.past_time, past = s.past, kept = #s.past_time, truth = s.truth, pending = s.pending, tally = s.tally,
    slots = #s.pending // self.cells, fault = buffer.new("f64", 4), column = buffer.new("u32", o.columns), columns = #o.columns,
    rows = o.window, steps = steps, cells = self.cells}
  if o.method == "rk4" then
    args.begin, args.rate = buffer.new("f64", self.vars * self.cells), buffer.new("f64", self.vars * self.cells)
  end
  local want = bytecode_run.origin(self, o, steps)
  local carried = {row = 0, events = 0}
  for name, value in pairs(want) do carried[name] = value end
  local r = {method = o.method, args = args, steps = steps, done = 0, pace = 16, row = 0,
    base = 0, events = 0}
  if not o.checkpoint then
    prim.swap(s.x, x)
    prim.swap(s.x_next, x_next)
    if timed then fill_timed(self, s, h, timed) end
    if self.events > 0 and not o.ended then
      for i = 0, self.events * self.cells - 1 do s.truth[i] = self.truths[i // self.cells] end
      local executed, faults = ode_events(args)
      if faults > 0 then fault(self, args.fault) end
      r.events = executed
    end
    ode_record(args, {row = 0})
  end
  local stopped_at
  local line <close> = algorithm.progress_line
  local drain <close> = bytecode_run.drain(self, s, o, function() return r.row end)
  local kept <close> = session.keep()
  for it in iterations(s, carried, o.checkpoint) do
    if o.checkpoint and r.row == 0 then
      bytecode_run.check_origin(o.checkpoint, want, carried)
      r.row, r.events = carried.row, carried.events
    end
    while r.row < o.intervals do -- until a row is complete
      if r.row + 1 - r.base == o.window then
        drain.put(r.row)
        drain.base, r.base = r.row + 1, r.row + 1
      end
      drain.now_and_then(r.row)
      go(self, r, session.awaited() and 1 or o.intervals - r.row)
      stopped_at = session.interrupted() and s.x[(self.vars - 1) * self.cells]
      if r.done == 0 or stopped_at then break end
    end
    carried.row, carried.events = r.row, r.events
    if not session.awaited() then algorithm.progress("simulate: steps", r.row * steps, o.intervals * steps) end
    drain.now_and_then(r.row)
    it:mark(bytecode_run.marks(self, o, s, r.row, r.base))
    if r.row == o.intervals or stopped_at then break end
  end
  return {columns = drain.result(r.row), x = s.x, ended = left(self, s, r), dt = h, steps = r.row * steps,
    block = r.blocks and r.blocks.found, events = r.events, interrupted = stopped_at}
end

return bytecode_run
