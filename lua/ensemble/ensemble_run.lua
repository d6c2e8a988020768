-- One run of an ensemble: compiles its kernels, sets initial values, and steps the instances to given times. simulate, sensitivities,
-- steady and fit use it.

local bundle = import("base/loops").bundle
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_block = import "ensemble/ensemble_block"
local ensemble_events = import "ensemble/ensemble_events"
local ensemble_failures = import "ensemble/ensemble_failures"
local ensemble_kernels = import "ensemble/ensemble_kernels"
local ensemble_lanes = import "ensemble/ensemble_lanes"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_result = import "ensemble/ensemble_result"
local named = import("base/loops").named
local ensemble_run = {}

-- The buffers of the state that are passed to kernels; and those that are passed in addition if the model has events.
local FIELDS = {"p", "y", "t", "h", "way", "doubt", "front", "front_next", "stiff", "record"}
local OF_EVENTS = {"truth", "due", "called", "pending", "tally", "moment", "fault"}
local LEAST_STEPS = 100 -- least number of steps of a run with events or conditions: shorter steps do not step over one

-- Sets the state s to the initial values of the first `live` of `count` instances. y and p are [value][instance]. method: the value of
-- `way` for the method with which they begin.
local function first_values(e, s, values, count, live, start, following, method)
  local first, place = {}, {} -- place: a variable's number -> {buffer, row}
  for k = 1, e.n + math.max(e.q, 1) do first[k] = 0 end
  for k, i in ipairs(e.states) do place[i], first[k] = {s.y, k - 1}, e.first[i - 1] end
  for k, i in ipairs(e.parameters) do place[i], first[e.n + k] = {s.p, k - 1}, e.first[i - 1] end
  local same <close> = buffer.new("f64", first)
  instance_stand {first = same, stop = s.stop, y = s.y, p = s.p, t = s.t, h = s.h, doubt = s.doubt, way = s.way, front = s.front,
    states = e.n, varied = math.max(e.q, 1), instances = count, live = live, method = method}
  for i, b in pairs(values) do -- a copy within the device
    local at = place[i]
    if at then copy_part {x = b, from = 0, count = count, y = at[1], to = at[2] * count} end
  end
  if #following == 0 then return end
  for c = 0, live - 1 do
    local given = {}
    for i, b in pairs(values) do given[i] = b[c] end
    local of <close> = e.m:first(start, given)
    for _, i in ipairs(following) do
      local at = place[i]
      if at then at[1][at[2] * count + c] = of[i - 1] end
    end
  end
end

local LARGEST = 8 << 20 -- maximum size of a text to compile, in bytes: LS_TEXT_LARGEST

-- ensemble_run.compiled(text, name, rows, m): compiles this source, which was generated from the model m, unless that has been done, and
-- returns a table from x to its row NAME_x, for each x in the list `rows` for which there is such a row.
function ensemble_run.compiled(text, name, rows, m)
  local found = {}
  if not prim[name .. "_" .. rows[1]] then
    if #text > LARGEST then
      error(("simulate: the equations of this model, with the Jacobian of a stiff method, make kernels of %.1f MiB, and at most %d MiB are " ..
        'compiled: use method = "dopri5", which needs no Jacobian, or simulate one instance at a time by method = "cvode"'):format(
        #text / 2^20, LARGEST >> 20), 0)
    end
    kernel.generated(text, m.title or m.path:match "[^/]*$")
  end
  local checked = kernel.bounds() == "own"
  for _, what in ipairs(rows) do
    local row = prim[name .. "_" .. what]
    if row and checked then kernel.bounds(name .. "_" .. what, "off") end
    found[what] = row
  end
  return found
end

-- The factor of o.atol for each state. For an amount in a compartment of a size below 1, the factor is this size, because o.atol is
-- meant for concentrations; else it is 1.
local function compartments(e)
  local list = {}
  for k, i in ipairs(e.states) do
    local v = e.m:variable(i)
    local size = v.size and v.held == "amount" and math.abs(e.first[v.size - 1]) or 1
    list[k] = size > 0 and size < 1 and size or 1
  end
  return list
end

-- The list of the absolute tolerances of the states: o.atol times its factor; or, if o.atol is not given, rtol / 1000 times the
-- magnitude of the state's initial value, at most 1. For a state that begins with 0, the least of the other states' magnitudes is used.
local function tolerated(e, o, rtol)
  local size, list, least = {}, {}, nil
  if o.atol then e.compartments = e.compartments or compartments(e) end
  for k, i in ipairs(e.states) do
    local first = o.values[i] and ensemble_result.moments(o.values[i]) or e.first[i - 1]
    if first ~= 0 and first - first == 0 then
      size[k] = math.min(1, math.abs(first))
      least = math.min(least or 1, size[k])
    end
  end
  for k = 1, e.n do -- the derivatives of the states, if present, follow the states
    local at = (k - 1) % math.max(1, #e.states) + 1
    local given = o.atol and o.atol * (e.compartments[at] or 1)
    list[k] = given or 1e-3 * rtol * (size[at] or least or 1)
  end
  return list
end

local texts = setmetatable({}, {__mode = "k"}) -- model -> {[key of a text] = {e, columns, text, name}}, the last MOST_TEXTS of them
local MOST_TEXTS = 8

-- Generates the kernels of the run o. Returns e (from ensemble_kernels.parts), the places that are recorded, the text, and the prefix of
-- the names in it.
local function written(m, varied, o, method, count)
  local e = ensemble_kernels.parts(m, varied, o.start)
  if o.parts then e = o.parts(e) end
  e.group = ensemble_block.choose_group(e, {group = o.group, method = method, count = count})
  e.on_host = e.group == 1 and device().processor == "cpu"
  e.on_gpu = e.group == 1 and not e.on_host
  e.lanes = ensemble_lanes.choose_lanes(e, method)
  local columns = o.columns(e)
  return e, columns, ensemble_kernels.text(e, ensemble_attempt.methods[method], columns)
end

-- Returns the results of `written`, cached, because reading the equations and generating the text takes longer than running a small
-- ensemble. The key: the method, the form, the recorded variables (o.recorded), the variables that differ, and the initial values.
local function text_of(m, varied, o, method, count)
  if o.parts or not o.recorded then return written(m, varied, o, method, count) end
  local list = {}
  for i in pairs(varied) do list[#list + 1] = i end
  table.sort(list)
  local key = table.concat({method, o.start, tostring(o.group), count, device().processor, table.concat(list, ","),
    table.concat(o.recorded, ","), ensemble_options.at_start(m, o.start).text}, " ")
  local kept = texts[m] or {}
  texts[m] = kept
  if not kept[key] then
    if #kept == MOST_TEXTS then kept[table.remove(kept, 1)] = nil end
    kept[#kept + 1] = key
    kept[key] = table.pack(written(m, varied, o, method, count))
  end
  return table.unpack(kept[key])
end

-- ensemble_run.begin(m, o): creates a run, with instances at their initial values. Returns {e =, s =, state =, name =, ...}; s has the
-- buffers of the state (kernels/ensemble/ensemble.def). Fields of o (defaults in brackets):
--   values, count     from ensemble_options.differences
--   batch             the number of instances that run at a time (count)
--   base, of          the first instance of this process (0), and the number of its instances (count)
--   start, method, rtol, atol, attempts   as for simulate
--   group             as for ensemble_block.choose_group
--   columns(e)        returns the places to be recorded
--   recorded          the indices (from 1) of the recorded variables among those of m, if columns depends only on these variables
--   rows              the number of rows in s.record
--   parts(e)          returns the equations to be used instead of e
--   whole             the size of the state's buffer `kept` (0)
--   resumed           true: initial values are not set, because the state comes from a checkpoint
function ensemble_run.begin(m, o)
  local varied, count, method = {}, o.batch or o.count, o.method or "auto"
  for i in pairs(o.values) do varied[i] = true end
  local following = ensemble_options.followers(m, o.values, o.start)
  for _, i in ipairs(following) do varied[i] = true end
  local e, columns, text, name = text_of(m, varied, o, method, count)
  local rtol = o.rtol or 1e-6
  local atol = tolerated(e, o, rtol)
  local words, waiting, timed = ensemble_events.event_sizes(e, count)
  local state = state.ensemble {varied = math.max(e.q, 1), states = e.n, instances = count, lines = #columns * o.rows, words = words,
    waiting = waiting, timed = timed, whole = o.whole or 0}
  local s = bundle {stop = buffer.new("f64", {o.start}), tolerance = buffer.new("f64", {rtol, math.huge}),
    atol = buffer.new("f64", atol), attempts = o.attempts or 48, auto_stiff = method == "auto" and 1 or 0, instances = count,
    first_instance = 0, rows = o.rows, row = 0}
  for _, field in ipairs(FIELDS) do s[field] = state[field] end
  for _, field in ipairs(e.events and OF_EVENTS or {}) do s[field] = state[field] end
  if e.group > 1 then s.work = buffer.new("f64", math.max(1, e.work) * count) end
  local run = {e = e, s = s, state = state, name = name, count = count, total = o.count, base = 0, live = count, first = o.base or 0,
    past = (o.base or 0) + (o.of or o.count), values = o.values,
    start = o.start, stop = o.start, following = following, failed = {}, method = method, rtol = rtol, atol = atol,
    totals = {accepted = 0, rejected = 0, failed = 0, launches = 0, events = 0, stiff = 0},
    kernels = ensemble_run.compiled(text, name, {"record", "blame", "dopri5", "rodas4", "radau5", "events"}, m)}
  if not o.resumed then ensemble_run.stand(run, o.base or 0) end
  return run
end

-- The values of the `live` instances from `base` on, padded with zeros to `count` instances.
local function part_of(values, base, live, count)
  local out = {}
  for i, b in pairs(values) do
    out[i] = buffer.new("f64", count)
    fill(out[i], 0)
    copy_part {x = b, from = base, count = live, y = out[i], to = 0}
  end
  return out
end

-- ensemble_run.take_batch(run, base): makes the instances with the numbers base, base + 1, ... the run's current batch.
function ensemble_run.take_batch(run, base)
  run.base, run.live = base, math.min(run.count, run.past - base)
  run.s.first_instance = base
end

local PLAIN_WAY, STIFF_WAY = 0, 1 -- in s.way: kernels/ensemble/ensemble.h

-- ensemble_run.release(run, record): frees the state's buffers, except `record`, so that the next run can reuse their memory without
-- waiting for the garbage collector.
function ensemble_run.release(run, record)
  local s = run.s
  for _, list in ipairs {FIELDS, run.e.events and OF_EVENTS or {}} do
    for _, field in ipairs(list) do
      if s[field] ~= record then s[field]:close() end
    end
  end
  run.state:close()
end

-- ensemble_run.stand(run, base): makes the instances base, base + 1, ... (at most run.count) the current batch, and sets them to their
-- initial values.
function ensemble_run.stand(run, base)
  ensemble_run.take_batch(run, base)
  local s, count, live = run.s, run.count, run.live
  local values = live == run.total and run.values or part_of(run.values, base, live, count)
  s.stop[0], run.stop = run.start, run.start
  first_values(run.e, s, values, count, live, run.start, run.following, run.kernels.dopri5 and PLAIN_WAY or STIFF_WAY)
  ensemble_events.begin_events(run)
end

-- The phase before the next row: no instance left, steps by Dormand and Prince's method, steps by an implicit method.
local NONE, PLAIN, IMPLICIT = 0, 1, 2

-- Lists the unfinished instances, by method, in s.front and s.stiff. Returns the phase that follows `after`.
local function listed(run, after)
  local s, implicit = run.s, run.kernels.rodas4 or run.kernels.radau5
  local plain, stiff = instance_front {way = s.way, front = s.front, stiff = s.stiff}
  run.listed = {stiff = stiff, failed = run.totals.failed}
  if after == NONE and plain > 0 then return PLAIN end
  if not implicit or stiff == 0 then return NONE end
  prim.swap(s.front, s.stiff)
  return IMPLICIT
end

-- ensemble_run.stiff(run): the number of instances that use the method for stiff equations. Returns the count of the last
-- listing, which is valid unless an instance has failed since; then the device counts again.
function ensemble_run.stiff(run)
  local last = run.listed
  return last and last.failed == run.totals.failed and last.stiff or run.s.way:count(STIFF_WAY)
end

local SEEN = 1000 -- maximum number of instances whose step lengths are sampled for a mark

-- The numbers of an iteration mark: the COUNTs; and, if the session waits for marks, the shortest, median and longest next step of the
-- instances that are left (of a sample, if there are many).
local function marks(s, c)
  local m = {left = c.left, accepted = c.accepted, rejected = c.rejected}
  if c.left == 0 or not session.awaited() then return m end
  local steps, count = {}, math.min(SEEN, c.left)
  for k = 0, count - 1 do steps[k + 1] = s.h[s.front[1 + k * c.left // count]] end
  table.sort(steps)
  m.shortest, m.middle, m.longest = steps[1], steps[(count + 1) // 2], steps[count]
  return m
end

-- Runs one launch over the front, then executes the events of instances that stopped at one. Returns the launch's COUNTs.
local function launched(run, phase)
  local s, totals, kernels = run.s, run.totals, run.kernels
  local c = named(phase == PLAIN and kernels.dopri5 or kernels.rodas4 or kernels.radau5, s)
  prim.swap(s.front, s.front_next)
  for _, name in ipairs {"accepted", "rejected", "failed"} do totals[name] = totals[name] + c[name] end
  totals.launches = totals.launches + 1
  if run.e.events then ensemble_events.happen(run) end
  return c
end

-- ensemble_run.integrate(run, times, recorded [, how]): steps all instances to each of the ascending times in turn, and calls
-- recorded(row) when s.record has the row (from 0) of that time; with s.rows = 1 the record holds one row at a time. Failed instances
-- are added to run.failed. An iteration is one launch; its mark has the number of instances left and the spread of their steps.
-- Fields of how, all optional:
--   kept              true: iterate over run.state, so that a checkpoint saves it
--   carried, from     as for iterations
--   resumed()         called after a checkpoint has been read
--   told(row)         called at the end of each iteration if kept; row: how many rows of the batch have been recorded
--   next()            called after the last row; sets the next batch to its initial values and returns true, or returns false
--   stood             true: ensemble_run.stand has just set all instances to their initial values, and nothing has changed since
function ensemble_run.integrate(run, times, recorded, how)
  how = how or {}
  local s, totals, carried, from = run.s, run.totals, how.carried or {}, how.from
  local noted = 0
  local function just_stood() return how.stood and not run.e.events end -- events may have made instances fail
  local stood = not from and just_stood()
  if run.e.events or run.e.conditions then s.tolerance[1] = (times[#times] - run.stop) / LEAST_STEPS end
  local function note()
    if totals.failed > noted then ensemble_failures.note_failures(run) end
    noted = totals.failed
  end
  local function record()
    s.row = s.rows > 1 and carried.row or 0
    run.kernels.record(s)
    recorded(carried.row)
    carried.row = carried.row + 1
  end
  local function first() -- records the row at the start, if requested; returns whether there are no other rows
    carried.row, carried.phase = 0, NONE
    note()
    if times[1] == run.stop then record() end
    return carried.row == #times
  end
  local function over() -- called after the last row of a batch; returns whether there is no further batch
    repeat
      if not (how.next and how.next()) then return true end
      stood = just_stood()
    until not first()
    return false
  end
  carried.row, carried.phase = 0, NONE
  if not from and first() and over() then return end
  for it in iterations(how.kept and run.state or s, carried, from) do
    if from then
      from = nil
      how.resumed()
      noted = totals.failed
    end
    local stop = times[carried.row + 1]
    if run.stop ~= stop then s.stop[0], run.stop = stop, stop end
    if stood then
      carried.phase, stood = run.kernels.dopri5 and PLAIN or IMPLICIT, false
    elseif carried.phase == NONE then
      carried.phase = listed(run, NONE)
    end
    local c = carried.phase ~= NONE and launched(run, carried.phase) or {left = 0, accepted = 0, rejected = 0}
    it:mark(marks(s, c))
    local done = false
    if c.left == 0 then
      carried.phase = carried.phase == PLAIN and listed(run, PLAIN) or NONE
      if carried.phase == NONE then
        note()
        record()
        done = carried.row == #times and over()
      end
    end
    if how.kept then
      for name, x in pairs(totals) do carried[name] = x end
      how.told(carried.row)
    end
    if done then break end
  end
end

return ensemble_run
