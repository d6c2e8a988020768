-- The method of Dormand and Prince on bytecode: step lengths are adapted to the tolerance, and rows are interpolated within steps.
-- The loop ode_dopri5 runs to the next time at which it must stop: a time at which a condition on time changes (the method then
-- restarts, because the equations are not smooth there), or the end. src/ode/adaptive.c is the sequential version.

local algorithm = import "base/algorithm"
local bytecode = import "ode/bytecode"
local bytecode_blocks = import "ode/bytecode_blocks"
local bytecode_run = import "ode/bytecode_run"
local named = import("base/loops").named

local PARTS = 256 -- number of partial sums of the states' errors, which one thread then adds up
local LEAST_STEPS = 100 -- least number of steps of a run whose equations have conditions: shorter steps do not step over a condition

-- Indices into the buffers pace (TIME, LENGTH, LIMIT) and progress (AT_ROW, FIRST_ROW, FRESH): kernels/ode/ode_dopri5.h.
local TIME, LENGTH, LIMIT = 0, 2, 3
local AT_ROW, FIRST_ROW, FRESH = 0, 1, 4

-- Returns the states' places, and for each state of each cell the factor of its absolute tolerance. For an amount in a compartment of
-- a size below 1, the factor is this size, because the tolerance is meant for concentrations; else it is 1.
local function states_of(b, x)
  local m, places, scale = b.model, {}, buffer.new("f64", b.vars * b.cells)
  fill(scale, 1)
  for i = 1, m.variables do
    local v = m:variable(i)
    if v.role == "state" then
      local place = b.code:place(i)
      places[#places + 1] = place
      for c = 0, v.held == "amount" and v.size and b.cells - 1 or -1 do
        local size = math.abs(x[b.code:place(v.size) * b.cells + c])
        if size > 0 and size < 1 then scale[place * b.cells + c] = size end
      end
    end
  end
  return buffer.new("u32", places), scale
end

-- Returns the list of segments {limit, from}: the method stops at time `limit` and restarts at time `from`; the last segment has
-- only the limit. Also returns the longest step allowed.
local function segments_of(m, o)
  local b = reference.breaks(m, o.start, o.stop)
  local list = {}
  for i, t in ipairs(b.before) do
    if b.after[i] < o.stop then list[#list + 1] = {t, b.after[i]} end
  end
  list[#list + 1] = {o.stop}
  return list, b.conditions and (o.stop - o.start) / LEAST_STEPS or math.huge
end

local TOO_LONG = "at time %.10g: a step of %g is still too long for the tolerance, because of %s = %g: %s (%s:%d); try " ..
  'method = "cvode", larger tolerances, or look at this equation'

-- Raises the error for a step that was too inaccurate at every length. Names the state whose error is the largest or is not a number.
local function blame(b, s, args)
  local m, worst, most, value, worst_name = b.model, nil, -1, 0, nil
  local lost, wrong = bytecode_run.blamed(b), bytecode_run.blamed(b)
  for i = 1, m.variables do
    local v, p = m:variable(i), b.code:place(i)
    for c = 0, v.role == "state" and b.cells - 1 or -1 do
      local e = args.error[p * b.cells + c]
      local name = e - e ~= 0 and lost.add(v.name, c) or e > 1 and wrong.add(v.name, c) or v.name
      if most == most and not (e <= most) then worst, most, value, worst_name = v, e, s.begin[p * b.cells + c], name end
    end
  end
  local equation, t = m:equation(worst.name, 400):match "^[^\n]*", s.pace[TIME]
  if most - most ~= 0 then
    error(("at time %.10g, with %s = %.10g before this step: %s is not a finite number: %s (%s:%d)%s"):format(t, worst.name, value,
      worst_name, equation, m.path, worst.line, lost.text "are not finite in this step"), 0)
  end
  error(TOO_LONG:format(t, s.pace[LENGTH], worst_name, value, equation, m.path, worst.line) .. wrong.text "change too fast", 0)
end

-- Attempts `most` steps; if `most` is nil, as many steps as take about a slice of time.
local function go(b, r, most)
  local n, stepped = most or r.pace, session.stepped()
  r.args.max_iterations = n
  local begun = trace.clock()
  local function run() return named(r.loop, r.args) end
  local counted = (stepped or device().processor == "cpu") and run() or bytecode_blocks.by_block(r, r.args, n, run)
  local took = trace.clock() - begun
  if counted.failed > 0 then blame(b, r.s, r.args) end
  r.accepted, r.rejected = r.accepted + counted.accepted, r.rejected + counted.rejected
  if not stepped and not most then r.pace = bytecode_run.paced(r.pace, took) end
end

-- Raises an error if the run would practically not end: WINDOW attempted steps advance it by less than PROGRESS of its time span.
-- src/ode/adaptive.c does the same, after more steps, because its steps are cheaper.
local WINDOW, PROGRESS = 1e5, 1e-6
local function check_progress(b, r, o)
  local attempts, t = r.accepted + r.rejected, r.s.pace[TIME]
  local since = r.since or {attempts = attempts, t = t}
  local windows = (attempts - since.attempts) / WINDOW
  r.since = windows < 1 and since or nil
  if windows >= 1 and t - since.t < windows * PROGRESS * (o.stop - o.start) then
    error(("%s: at time %.10g the simulation cannot go on: its steps are so short that it would take more than 10^11 of them; " ..
      "try another method, or larger tolerances"):format(b.model.path, t), 0)
  end
end

-- Restarts the method at time t.
local function begin(r, t)
  local s = r.s
  s.pace[TIME], s.pace[LIMIT] = t, math.huge
  s.progress[FRESH] = 1
  ode_dopri5_begin(r.args)
end

-- The time of the last row that the record has room for (kernels/ode/ode_dopri5.h, ode_row_time).
local function last_time(o, base)
  local row = base + o.window - 1
  return row >= o.intervals and o.stop or o.start + (o.stop - o.start) * (row / o.intervals)
end

-- Initialises the state s to the initial values x.
local function stand(b, s, o, x, longest)
  for _, name in ipairs {"x", "x_next", "begin", "x_row"} do prim.swap(s[name], x:copy()) end
  prim.swap(s.pace, buffer.new("f64", {o.start, o.start, 0, o.stop, longest, o.start, o.stop, o.rtol, o.atol}))
  prim.swap(s.progress, buffer.new("u32", {0, 0, o.intervals, 0, 0, 0}))
end

--- Runs the method dopri5; the counterpart of b:run, which runs methods of constant step size. o: start, stop, intervals, rtol,
--- atol, columns (places), ended (the end state of an earlier run, to continue it), checkpoint (a file), sink and window as in b:run.
function bytecode:run_dopri5(o)
  local x = o.ended and o.ended.x:copy() or self:start {start = o.start}
  local segments, longest = segments_of(self.model, o)
  local s = state.ode_steps {vars = self.vars, cells = self.cells, columns = #o.columns, rows = o.window}
  local state_of, scale = states_of(self, x)
  local args = self:with {x = s.x, x_next = s.x_next, begin = s.begin, slopes = s.slopes, x_row = s.x_row, record = s.record,
    pace = s.pace, progress = s.progress, error = buffer.new("f64", self.vars * self.cells), scale = scale, state_of = state_of,
    states = #state_of, sums = buffer.new("f64", 3 * PARTS), parts = PARTS, column = buffer.new("u32", o.columns),
    columns = #o.columns, rows = o.window}
  local want = bytecode_run.origin(self, o, 0)
  local carried = {segment = 1, begun = 0, accepted = 0, rejected = 0}
  for name, value in pairs(want) do carried[name] = value end
  local r = {loop = self.loops and self.loops.dopri5 or ode_dopri5, args = args, s = s, pace = 16, accepted = 0, rejected = 0}
  if not o.checkpoint then
    stand(self, s, o, x, longest)
    ode_record_row(args)
    ode_row_done(args)
  end
  local stopped_at
  local line <close> = algorithm.progress_line
  local drain <close> = bytecode_run.drain(self, s, o, function() return s.progress[AT_ROW] - 1 end)
  local kept <close> = session.keep()
  for it in iterations(s, carried, o.checkpoint) do
    if o.checkpoint and r.accepted == 0 then
      bytecode_run.check_origin(o.checkpoint, want, carried)
      r.accepted, r.rejected = carried.accepted, carried.rejected
    end
    local segment = segments[carried.segment]
    if carried.begun == 0 then
      local before = segments[carried.segment - 1]
      begin(r, before and before[2] or o.start)
      carried.begun = 1
    end
    s.pace[LIMIT] = math.min(segment[1], last_time(o, drain.base))
    while s.pace[TIME] < s.pace[LIMIT] do
      drain.now_and_then(s.progress[AT_ROW] - 1)
      go(self, r, session.awaited() and 1 or nil)
      check_progress(self, r, o)
      stopped_at = session.interrupted() and s.pace[TIME]
      if stopped_at or session.awaited() then break end
    end
    if s.pace[TIME] >= segment[1] then carried.segment, carried.begun = carried.segment + 1, 0 end
    carried.accepted, carried.rejected = r.accepted, r.rejected
    local row = s.progress[AT_ROW] - 1
    if not session.awaited() then algorithm.progress("simulate: rows", row, o.intervals) end
    it:mark(bytecode_run.marks(self, o, s, row, drain.base, s.pace[TIME]))
    if carried.segment > #segments or stopped_at then break end
    if s.progress[AT_ROW] - drain.base == o.window then
      drain.put(row)
      drain.base = row + 1
      s.progress[FIRST_ROW] = drain.base
    end
  end
  return {columns = drain.result(s.progress[AT_ROW] - 1), ended = {x = s.x_row}, dt = 0.0, steps = r.accepted,
    refused = r.rejected, block = r.blocks and r.blocks.found, events = 0, interrupted = stopped_at}
end
