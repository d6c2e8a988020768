-- One run of an ensemble: its kernels, its first values, and the steps up to given times. simulate, sensitivities,
-- steady and fit are made of it.

local LEAST_STEPS = 100 -- of a model with events or conditions, so that none is passed over

-- Parameters and first values of all instances: p and y, [value][instance].
local function first_values(e, values, count, start, following)
  local p, y = buffer.new("f64", math.max(e.q, 1) * count), buffer.new("f64", e.n * count)
  local place = {} -- of a variable's number: {buffer, row}
  for k, i in ipairs(e.parameters) do place[i] = {p, k - 1} end
  for k, i in ipairs(e.states) do place[i] = {y, k - 1} end
  for i, at in pairs(place) do
    local part <close> = values[i] and values[i]:copy() or buffer.new("f64", count)
    if not values[i] then fill(part, e.first[i - 1]) end
    at[1]:paste(part, at[2] * count)
  end
  if #following > 0 then
    local m = e.m
    for c = 0, count - 1 do
      local given = {}
      for i, b in pairs(values) do given[i] = b[c] end
      local first <close> = m:first(start, given)
      for _, i in ipairs(following) do
        local at = place[i]
        if at then at[1][at[2] * count + c] = first[i - 1] end
      end
    end
  end
  return p, y
end

-- Until all of the front are at s.stop: steps of one method, and the events on the way. Returns what was counted.
local function advance(run, row, front, it)
  local sums, s = {accepted = 0, rejected = 0, failed = 0, launches = 0}, run.s
  s.front = front
  repeat
    local c = named(row, s)
    prim.swap(s.front, s.front_next)
    for name in pairs(sums) do sums[name] = sums[name] + (c[name] or 0) end
    sums.launches = sums.launches + 1
    if run.e.events then ensemble.happen(run) end
    it:mark {left = c.left, accepted = c.accepted, rejected = c.rejected}
  until c.left == 0
  return sums
end

--- ensemble.compiled(text, name, rows): the rows NAME_... of the text, compiled unless they are there already; by the
--- names in the list rows, those that the text has.
function ensemble.compiled(text, name, rows)
  local found = {}
  if not prim[name .. "_" .. rows[1]] then kernel(text) end
  for _, what in ipairs(rows) do
    local row = prim[name .. "_" .. what]
    if row and kernel.bounds() == "own" then kernel.bounds(name .. "_" .. what, "off") end
    found[what] = row
  end
  return found
end

-- What a state's o.atol is multiplied by: it is a concentration's, and amounts in a small compartment are small.
local function compartment(e, i)
  local v = e.m:variable(i)
  local size = v.size and v.held == "amount" and math.abs(e.first[v.size - 1]) or 1
  return size > 0 and size < 1 and size or 1
end

-- The absolute tolerance of each state: o.atol, or a thousandth of the relative one, times the state's first value, or times the
-- least of these where it begins with 0; times 1, where they are larger.
local function tolerated(e, o, rtol)
  local size, list, least = {}, {}, nil
  for k, i in ipairs(e.states) do
    local first = o.values[i] and ensemble.moments(o.values[i]) or e.first[i - 1]
    if first ~= 0 and first - first == 0 then
      size[k] = math.min(1, math.abs(first))
      least = math.min(least or 1, size[k])
    end
  end
  for k = 1, e.n do -- behind the states there are derivatives of them, where there are
    local at = (k - 1) % math.max(1, #e.states) + 1
    local given = o.atol and o.atol * (e.states[at] and compartment(e, e.states[at]) or 1)
    list[k] = given or 1e-3 * rtol * (size[at] or least or 1)
  end
  return list
end

--- ensemble.begin(m, o): instances at their first values. o: values and count, as ensemble.differences gives them;
--- start; method, rtol, atol, attempts; columns(e), the places that are recorded; rows, how many times there are in
--- s.record; parts(e), if it is given, what the equations are to be in place of ensemble.parts' e. Returns {e =, s =,
--- name =, ...}; s has the buffers: p and y, [value][instance], t, h, way.
function ensemble.begin(m, o)
  local varied, count, method = {}, o.count, o.method or "auto"
  for i in pairs(o.values) do varied[i] = true end
  local following = ensemble.followers(m, o.values, o.start)
  for _, i in ipairs(following) do varied[i] = true end
  local e = ensemble.parts(m, varied, o.start)
  if o.parts then e = o.parts(e) end
  local columns = o.columns(e)
  local text, name = ensemble.text(e, ensemble.methods[method], columns)
  local p, y = first_values(e, o.values, count, o.start, following)
  local rtol = o.rtol or 1e-6
  local atol = tolerated(e, o, rtol)
  local s = bundle {p = p, y = y, t = buffer.new("f64", count), h = buffer.new("f64", count), way = buffer.new("u32", count),
    doubt = buffer.new("u32", count), front_next = buffer.new("u32", count + 1), stop = buffer.new("f64", {o.start}),
    tolerance = buffer.new("f64", {rtol, math.huge}), atol = buffer.new("f64", atol), attempts = o.attempts or 32,
    auto_stiff = method == "auto" and 1 or 0, instances = count, rows = o.rows, row = 0,
    record = buffer.new("f64", #columns * o.rows, count)}
  fill(s.t, o.start)
  if not ensemble.methods[method].dopri5 then fill(s.way, 1) end
  local run = {e = e, s = s, name = name, count = count, following = following, failed = {}, method = method,
    front = buffer.new("u32", count + 1), stiff = buffer.new("u32", count + 1), rtol = rtol, atol = atol,
    totals = {accepted = 0, rejected = 0, failed = 0, launches = 0, events = 0},
    kernels = ensemble.compiled(text, name, {"record", "dopri5", "rodas4", "radau5", "events"})}
  ensemble.begin_events(run)
  return run
end

-- Notes the instances that have failed now.
local function note_failures(run)
  local was, s = {}, run.s
  for _, f in ipairs(run.failed) do was[f.instance] = true end
  for i = 0, run.count - 1 do
    if s.way[i] == 2 and not was[i] then
      run.failed[#run.failed + 1] = {instance = i, time = s.t[i], why = ensemble.fault(run, i)}
    end
  end
end

--- ensemble.integrate(run, times, recorded): steps all instances to each of the ascending times in turn, and calls
--- recorded(row) when s.record has the row of the k-th time, row = k - 1; with s.rows = 1 it has one row at a time.
--- run.failed lists the instances that go no further.
function ensemble.integrate(run, times, recorded)
  local s, dopri5, totals = run.s, run.kernels.dopri5, run.totals
  local implicit = run.kernels.rodas4 or run.kernels.radau5
  local function add(sums) for k, x in pairs(sums) do totals[k] = totals[k] + x end end
  if run.e.events or run.e.conditions then s.tolerance[1] = (times[#times] - s.stop[0]) / LEAST_STEPS end
  if totals.failed > 0 then note_failures(run) end
  local row = 0
  local function record()
    s.row = s.rows > 1 and row or 0
    run.kernels.record(s)
    recorded(row)
    row = row + 1
  end
  if times[1] == s.stop[0] then record() end -- where they stand
  if row == #times then return end
  for it in iterations(s) do
    s.stop[0] = times[row + 1]
    local before = totals.failed
    instance_front {way = s.way, front = run.front, stiff = run.stiff}
    if dopri5 then
      add(advance(run, dopri5, run.front, it))
      if implicit then instance_front {way = s.way, front = run.front, stiff = run.stiff} end
    end
    if implicit then add(advance(run, implicit, run.stiff, it)) end
    if totals.failed > before then note_failures(run) end
    record()
    if row == #times then break end
  end
end
