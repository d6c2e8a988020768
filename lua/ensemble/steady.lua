-- Steady states of a model, or of many instances of it: points at which no state changes any more. The model is first integrated to
-- come near such a point; then Newton's method, with the Jacobian derived from the equations, converges to it. The point found is accepted
-- only if it is near the end of the integration; otherwise the integration continues, ten times as long. Conserved sums, which make
-- the Jacobian singular, are found in lua/ensemble/ensemble_conserved.lua.

local algorithm = import "base/algorithm"
local check = import "base/check"
local ensemble = import("ensemble/ensemble_options").ensemble
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_conserved = import "ensemble/ensemble_conserved"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_result = import "ensemble/ensemble_result"
local ensemble_run = import "ensemble/ensemble_run"
local named = import("base/loops").named
local plots = import "base/plots"
local simulate = import "ensemble/simulate"
local steady_events = import "ensemble/steady_events"
local steady_kernels = import "ensemble/steady_kernels"
local symbolic = import "ode/symbolic"
local steady

local wrong = ensemble_options.wrong "steady"
local BLOCK = 1 << 25 -- maximum number of elements in all matrices of a batch of Newton's method
local MOST_STEPS = 60 -- maximum number of steps of Newton's method

local SPECS = {instances = {least = 1}, sweep = "table", sample = "table", each = "table", seed = {least = 0}, start = "number",
  duration = "number", tries = {least = 1, most = 12}, near = "number", method = ensemble_attempt.method_names, rtol = "number",
  atol = "number", precision = "number", variables = "table", attempts = {least = 1}}

local function positive(o, name, below)
  if o[name] and not (o[name] > 0 and o[name] < below) then wrong("%s must be above 0 and below %g", name, below) end
end

local function checked(m, o)
  ensemble_options.need_model("steady", m)
  o = o or {}
  positive(o, "duration", math.huge)
  for _, name in ipairs {"near", "precision"} do positive(o, name, 1) end
  ensemble_options.check_numbers(o, wrong)
  if m.states == 0 then wrong("the model has no state") end
  return o
end

-- Raises an error if a rate depends on time.
local function check_time(e)
  local seen = {}
  local function look(place)
    if place == e.time then wrong("the equations depend on time, so there is no steady state") end
    if e.tree[place] and not seen[place] then
      seen[place] = true
      symbolic.walk(e.tree[place], look)
    end
  end
  for _, place in ipairs(e.at) do symbolic.walk(e.rates[place] or 0, look) end
end

-- The comparisons with time in the triggers of events.
local function relations_of(e)
  local list, name = steady_events.timed_relations(e)
  if list then return list end
  wrong("the trigger of %s contains time, but not as a + b*time in a comparison: one cannot know whether it becomes true again", name)
end

-- The default atol: 1e-9, or less if initial values are small, for example amounts of substance in moles.
local function usual_atol(m, start)
  local least, first = 1e-3, m:first(start)
  for i = 1, m.variables do
    local x = m:variable(i).role == "state" and math.abs(first[i - 1]) or 0
    if x > 0 then least = math.min(least, x) end
  end
  return 1e-6 * least
end

-- The rates at random points near the initial values, with the parameters of random instances, or of instance `only`.
local function sampled_rates(run, rate, only)
  local e, n, q = run.e, run.e.n, math.max(run.e.q, 1)
  local points, random = n + 8, ensemble.random(1)
  local p, y, out = buffer.new("f64", q * points), buffer.new("f64", n * points), buffer.new("f64", n * points)
  local sum, numbers = 0, 0
  for _, i in ipairs(e.states) do
    local x = math.abs(e.first[i - 1])
    if x > 0 then sum, numbers = sum + x, numbers + 1 end
  end
  local usual = numbers > 0 and sum / numbers or 1
  for c = 0, points - 1 do
    local from = only or math.floor(random() * run.count)
    for k = 0, q - 1 do p[k * points + c] = run.s.p[k * run.count + from] end
    for k, i in ipairs(e.states) do
      local x = math.abs(e.first[i - 1])
      y[(k - 1) * points + c] = (x > 0 and x or usual) * (0.25 + 1.5 * random())
    end
  end
  rate {p = p, y = y, rate = out, instances = points}
  local list = {}
  for c = 0, points - 1 do
    local f, good = {}, true
    for k = 1, n do
      f[k] = out[(k - 1) * points + c]
      good = good and f[k] - f[k] == 0
    end
    if good then list[#list + 1] = f end
  end
  return list
end

-- Finds the conserved sums. Returns a list of sets, with one set for all instances or one per instance; a set has the list of weights
-- of each sum. Also returns, for each sum, the number of the state whose rate equation the sum replaces.
local function find_sums(run, rate)
  local n, rates = run.e.n, sampled_rates(run, rate)
  if #rates < n + 2 then return {{}}, {} end
  local sums, dependent = ensemble_conserved.conserved(rates, n)
  local found, at, own, of_own = sums, rates, nil, nil
  if run.count > 1 and run.e.q > 0 then
    local of_first = sampled_rates(run, rate, 0)
    own, of_own = ensemble_conserved.conserved(of_first, n)
    if #own > #sums then found, at = own, of_first end
  end
  local exact, of_exact = ensemble_conserved.sums_of_equations(run.e)
  if #exact >= #found or not ensemble_conserved.annihilated(found, at) then return {exact}, of_exact end
  if found == sums then return {sums}, dependent end
  local sets = {own} -- the weights depend on parameters
  for c = 1, run.count - 1 do
    sets[c + 1] = ensemble_conserved.conserved(sampled_rates(run, rate, c), n, of_own)
    if not sets[c + 1] then wrong("the sums that instance %d conserves are not those of instance 0: run it separately", c) end
  end
  return sets, of_own
end

-- Adds to run.s the buffers that Newton's method needs.
local function prepare(run, sets, dependent, o, atol)
  local n, count, sums = run.e.n, run.count, #dependent
  local room = math.max(sums, 1)
  local places = {}
  for r, i in ipairs(dependent) do places[r] = i - 1 end
  local t = {total = buffer.new("f64", room * count), relation = buffer.new("f64", room * n * #sets),
    dependent = buffer.new("u32", sums > 0 and places or 1), state = buffer.new("u32", count), kept = buffer.new("f64", n * count),
    size = run.s.size or buffer.new("f64", n * count), moved = buffer.new("f64", count), mover = buffer.new("u32", count),
    near = buffer.new("f64", {o.near or 0.01}), precision = buffer.new("f64", {o.precision or 1e-9, 1e-3 * atol}),
    sums = sums, room = room, states = n, sets = #sets, base = 0, block = math.max(1, math.min(count, BLOCK // (n * n)))}
  t.work = buffer.new("f64", n * n * t.block)
  for set, list in ipairs(sets) do
    for r, weights in ipairs(list) do
      for i, w in ipairs(weights) do t.relation[((r - 1) * n + i - 1) * #sets + set - 1] = w end
    end
  end
  for c = 0, count - 1 do
    for r, weights in ipairs(sets[#sets > 1 and c + 1 or 1]) do
      local total = 0
      for i, w in ipairs(weights) do total = total + w * run.s.y[(i - 1) * count + c] end
      t.total[(r - 1) * count + c] = total
    end
  end
  for name, x in pairs(t) do run.s[name] = x end
end

-- Newton's method for all unfinished instances. Returns how many did not converge, or converged although an event is still to come.
local function newton(run, rows)
  local s = run.s
  rows.attempt(s)
  for base = 0, run.count - 1, s.block do
    s.base = base
    local steps = 0
    for it in iterations(s) do
      local c = named(rows.newton, s)
      it:mark {left = c.left, found = c.found, lost = c.lost}
      steps = steps + 1
      if c.left == 0 or steps == MOST_STEPS then break end
    end
  end
  local left = named(rows.judge, s).left
  if run.e.events then left = left + named(rows.still, s).awaited end
  return left
end

local REASONS = {[2] = "its Jacobian is singular", [3] = "Newton's method does not converge"}

-- The instances without a steady state, and the reasons.
local function failures(run)
  local list, s, went = {}, run.s, {}
  for _, f in ipairs(run.failed) do
    went[f.instance] = true
    list[#list + 1] = {instance = f.instance, time = f.time, reason = f.why, variable = f.variable}
  end
  for i = 0, run.count - 1 do
    if s.way[i] ~= 3 and not went[i] then
      local f = {instance = i, time = s.t[i], reason = REASONS[s.state[i]]}
      if s.state[i] == 5 then
        f.variable = run.e.m:variable(run.e.states[s.mover[i] + 1]).name
        f.reason = ("%s is still %.2g %% of its size away from where no state changes"):format(f.variable, 100 * s.moved[i])
      end
      if s.state[i] == 6 then
        f.event = run.e.events[s.mover[i] + 1].name
        f.reason = f.event .. " is still to come"
      end
      list[#list + 1] = f
    end
  end
  return list
end

-- --- the result ---

local methods = {instance = ensemble_result.instance_of}

-- The greatest |rate| / scale over all instances, computed by the interpreter of bytecode: different code from that of Newton's method.
local function residuals(r)
  local m, n = r.model, #r.states
  local cells = n + 1
  local b = m:bytecode {base = true, start = r.start, cells = cells}
  local x = b:start {start = r.start}
  local x_next, begin, rate = x:copy(), buffer.new("f64", b.vars * cells), buffer.new("f64", b.vars * cells)
  local dt, worst = buffer.new("f64", {1}), {ratio = 0, instance = 0, variable = r.states[1]}
  local failed, place = {}, {}
  for _, f in ipairs(r.failed) do failed[f.instance] = true end
  for k, name in ipairs(r.states) do place[k] = b.code:place(select(2, m:find(name))) end
  for i = 0, r.instances - 1 do
    if not failed[i] then
      local size = {}
      for number, list in pairs(r.given) do
        for c = 0, cells - 1 do x[b.code:place(number) * cells + c] = list[i] end
      end
      for k = 1, n do
        local y = r.final[(k - 1) * r.instances + i]
        size[k] = math.abs(y) + 1e-9 * r.sizes[(k - 1) * r.instances + i]
        for c = 0, cells - 1 do x[place[k] * cells + c] = y + (c == k and 1e-6 * size[k] or 0) end
      end
      for phase = 0, b.phases - 1 do ode_functions(b, x, phase) end
      ode_states_rk4(b, {x = x, x_next = x_next, begin = begin, rate = rate, dt = dt, stage = 0})
      for k = 1, n do
        local f, scale, all = rate[place[k] * cells], 0, r.sizes[(k - 1) * r.instances + i] / (r.time - r.start)
        for c = 1, n do scale = scale + math.abs(rate[place[k] * cells + c] - f) / 1e-6 end
        scale = math.max(scale, all)
        local ratio = f == 0 and 0 or math.abs(f) / scale
        if not (ratio <= worst.ratio) then worst = {ratio = ratio, instance = i, variable = r.states[k], rate = f, scale = scale} end
      end
    end
  end
  return worst
end

-- The greatest relative change of a conserved sum.
local function lost_of_sums(r)
  local worst, failed = 0, {}
  for _, f in ipairs(r.failed) do failed[f.instance] = true end
  for _, sum in ipairs(r.conserved) do
    for i = 0, r.instances - 1 do
      local is, size = 0, 0
      for k, w in ipairs(sum.weights[math.min(i + 1, #sum.weights)]) do
        is = is + w * r.final[(k - 1) * r.instances + i]
        size = size + math.abs(w * r.final[(k - 1) * r.instances + i])
      end
      if not failed[i] then worst = math.max(worst, math.abs(is - sum.total[i]) / math.max(size, 1e-300)) end
    end
  end
  return worst
end

local PRECISE = 1e-7

-- The check for a model with events: the reference simulates the first instances for twice the time. Then there must be no further
-- events, and the states must end at the steady state. Returns the first error, or nil.
local function wrong_events(r)
  local m, failed, tried = r.model, {}, 0
  for _, f in ipairs(r.failed) do failed[f.instance] = true end
  for name in pairs(r.parameters) do
    if m:variable(name).role ~= "parameter" then return nil end -- a state's initial value could not be restored
  end
  for i = 0, r.instances - 1 do
    if not failed[i] and tried < 3 then
      tried = tried + 1
      local before = {}
      for name, b in pairs(r.parameters) do
        before[name] = m:variable(name).value
        m:set(name, b[i])
      end
      local method = reference.has_cvode and "cvode" or "dopri5"
      local function to(stop)
        return simulate(m, {start = r.start, stop = stop, steps = 1, method = method, variables = r.states, rtol = 1e-9})
      end
      local good, c = pcall(to, r.time)
      local later
      if good then good, later = pcall(to, 2 * r.time - r.start) end
      for name, x in pairs(before) do m:set(name, x) end
      if not good then error(c, 0) end
      if later.events > c.events then
        return ("instance %d: after time %g there %s"):format(i, r.time,
          later.events - c.events == 1 and "is 1 event" or ("are %d events"):format(later.events - c.events))
      end
      for k, name in ipairs(r.states) do
        local is, want = r.final[(k - 1) * r.instances + i], later[name][1]
        if not (math.abs(is - want) <= 2 * r.near * r.sizes[(k - 1) * r.instances + i]) then
          return ("instance %d: %s is %.10g, but simulated to time %g it is %.10g"):format(i, name, is, later.t[1], want)
        end
      end
    end
  end
end

local function wrong_steady(r)
  if r.instances == #r.failed then return "no instance has a steady state to check" end
  local worst = residuals(r)
  if not (worst.ratio <= PRECISE) then
    return ("instance %d: %s' is %.3g, which is %.2g of its scale, %.3g"):format(worst.instance, worst.variable, worst.rate, worst.ratio,
      worst.scale)
  end
  local late = r.model.events > 0 and wrong_events(r)
  if late then return late end
  local lost = lost_of_sums(r)
  if lost > PRECISE then return ("a conserved sum has changed by %.2g of its size"):format(lost) end
end

function methods:check()
  check(self)
  session.say(("the greatest rate is %.2g of its scale, the greatest change of a conserved sum %.2g of its size"):format(
    residuals(self).ratio, lost_of_sums(self)))
  return self
end

function methods:save(path)
  local titles, buffers = {}, {}
  local function add(title, b) titles[#titles + 1], buffers[#buffers + 1] = title, b end
  local given = {}
  for name in pairs(self.parameters) do given[#given + 1] = name end
  table.sort(given)
  for _, name in ipairs(given) do add(name, self.parameters[name]) end
  for _, name in ipairs(self.names) do add((self.parameters[name] and "steady " or "") .. name, self.values[name]) end
  model.write_table(path, titles, buffers)
end

function methods:plot(...)
  local known = table.move(self.names, 1, #self.names, 1, {})
  for name in pairs(self.parameters) do known[#known + 1] = name end
  table.sort(known)
  local list, options = plots.asked(known, function(name) return (pcall(self.model.find, self.model, name)) end, ...)
  if #list > 2 then error("r:plot(variable, parameter): expected a variable, and a parameter for the x axis", 2) end
  local name, by = list[1] or self.names[1], list[2] or next(self.parameters)
  if not by then error("r:plot: one steady state is not a curve: use steady(m, {sweep = {k = range(0, 1, 50)}})", 2) end
  local x, y = self.parameters[by], self.values[name]
  if not x or not y then
    error(("r:plot(variable, parameter): %s"):format(not y and tostring(name) .. " is none of the variables" or
      tostring(by) .. " is the same for all instances"), 2)
  end
  plots.draw({title = ("steady value of %s, by %s"):format(name, by), xlabel = by, ylabel = name, points = true, {x = x, y = y, name = name}},
    options)
end

local function say(r)
  local one, out = r.instances == 1, {}
  local settled = r.instances - #r.failed
  out[1] = ("steady state of %s:\n  %s, after time %g"):format(r.model.title or "a model",
    one and (settled == 1 and "found" or "NOT found") or ("%d of %d instances have one"):format(settled, r.instances), r.time)
  for k, f in ipairs(r.failed) do
    if k > 3 then
      out[#out + 1] = ("  and no steady state in %d more"):format(#r.failed - 3)
      break
    end
    local given = tostring(r:instance(f.instance))
    out[#out + 1] = ("  %sat time %g %s%s"):format(one and "" or ("instance %d: "):format(f.instance), f.time, f.reason,
      #given > 0 and (" (%s)"):format(given) or "")
  end
  for k, sum in ipairs(r.conserved) do
    if k > 8 then
      out[#out + 1] = ("  and %d more"):format(#r.conserved - 8)
      break
    end
    out[#out + 1] = ("  conserved: %s%s"):format(sum.text, one and (" = %.6g"):format(sum.total[0]) or "")
  end
  if settled > 0 then
    out[#out + 1] = one and ("  %-25s %14s"):format("", "value") or ("  %-25s %14s %14s %14s"):format("", "mean", "least", "greatest")
    for k, name in ipairs(r.names) do
      if k > 12 then
        out[#out + 1] = ("  and %d more"):format(#r.names - 12)
        break
      end
      local x, shown = r.values[name], #name <= 25 and name or ".." .. name:sub(-23)
      if one then
        out[#out + 1] = ("  %-25s %14.8g"):format(shown, x[0])
      else
        out[#out + 1] = ("  %-25s %14.8g %14.8g %14.8g"):format(shown, (ensemble_result.moments(x)), x:min(), x:max())
      end
    end
  end
  if #r.negative > 0 then
    out[#out + 1] = ("  negative, but not at the start: %s%s; no amount or concentration can be"):format(table.concat(r.negative, ", ", 1,
      math.min(4, #r.negative)), #r.negative > 4 and (" and %d more"):format(#r.negative - 4) or "")
  end
  return table.concat(out, "\n")
end

-- The states that are negative at the steady state, by more than rounding errors, and were not at the start.
local function negative(r, m, states)
  local first, list = m:first(r.start), {}
  for k, i in ipairs(states) do
    local x = r.values[r.states[k]]
    local size = r.sizes:slice((k - 1) * r.instances, k * r.instances):max()
    if x and first[i - 1] >= 0 and x:min() < -1e-6 * size then list[#list + 1] = r.states[k] end
  end
  return list
end

local made = algorithm.results {name = "steady", show = say, methods = methods, check = wrong_steady}

-- Makes the result of the run; instances that did not converge have no values.
local function result_of(run, o)
  local s, m, count = run.s, o.m, run.count
  local r = {model = m, names = o.list, instances = count, values = {}, parameters = {}, failed = failures(run), conserved = {},
    states = {}, given = {}, final = s.y, sizes = s.size, start = o.start, time = o.stop, accepted = run.totals.accepted,
    rejected = run.totals.rejected, primitives = run.name, near = o.near}
  for called, i in pairs(o.names) do r.parameters[called] = o.values[i] end
  local amounts
  for k, i in ipairs(run.e.states) do
    local v = m:variable(i)
    r.states[k], amounts = v.name, amounts or v.held == "amount" and v.quantity ~= v.held
  end
  for k, i in ipairs(run.e.parameters) do r.given[i] = s.p:slice(k - 1, k) end
  for k in ipairs(o.sets[1]) do
    local sum = {weights = {}, total = s.total:slice((k - 1) * count, k * count)}
    for c, set in ipairs(o.sets) do sum.weights[c] = set[k] end
    sum.text = ensemble_conserved.sum_text(sum.weights[1], r.states) ..
      (#o.sets > 1 and " (of instance 0; other instances have other weights)" or "")
      .. (amounts and " (amounts)" or "")
    r.conserved[k] = sum
  end
  for i = 0, count - 1 do
    if s.way[i] ~= 3 then s.way[i] = 2 end
  end
  s.row = 0
  run.kernels.record(s)
  for k, name in ipairs(o.list) do
    r.values[name] = s.record:slice(k - 1, k, 0, count)
    if r[name] == nil then r[name] = r.values[name] end
  end
  r.negative = negative(r, m, run.e.states)
  return made(r, "newton")
end

--- Steady states: the values at which no state of the model changes. The model is integrated for `duration` (the file's
--- time span, or 100), then Newton's method takes over, with the Jacobian that is derived from the equations. If it
--- does not converge, or moves a state by more than `near` (0.01) times its size, the integration continues for
--- ten times as long, `tries` (6) times at most. If equations conserve sums, such as A + B + C, these sums are found and
--- kept constant. In a model with events an instance is at rest only if no event is still to come: none is pending, no trigger changes
--- on the way to the steady state, and no trigger will change merely because time advances.
---   r = steady(m)                                  one model
---   r = steady(m, {sweep = {k = logrange(0.1, 10, 50)}})     sweep, sample, each, instances, seed: `help ensembles`
---   r.x, r.values.x      f64[instances]: variable x, NaN for an instance without a steady state
---   r:plot("x", "k")   r:save "rest.csv"
---   r.failed             instances without one: {instance =, time =, reason =, variable =, event =}
---   r.negative           states that are negative at rest but not at the start: impossible for amounts and concentrations
---   r.conserved          the conserved sums: {text =, total = f64[instances]}
--- method, rtol (1e-6), atol (a millionth of the least nonzero initial value of a state, 1e-9 at most) and attempts
--- are for the integration; Newton's method ends when a step changes no state by more than precision (1e-9) times its value.
--- check(r) computes the rates again by the interpreter of bytecode; each must be below 1e-7 of its scale. The scale is
--- how much the rate would change if each state changed by its own value, or the state's size divided by the time of the
--- integration, whichever is more.
function steady(m, options)
  local o = checked(m, algorithm.options("steady", options, SPECS))
  local values, count, names = ensemble_options.differences(m, o)
  local list, numbers = ensemble_options.variables(m, o.variables)
  local start, duration = o.start or 0, o.duration or m.span or 100
  local atol = o.atol or usual_atol(m, start)
  local run = ensemble_run.begin(m, {values = values, count = count, start = start, method = o.method, rtol = o.rtol, atol = atol,
    attempts = o.attempts, rows = 1, columns = function(e)
      check_time(e)
      return ensemble_options.places(e, numbers)
    end})
  local text, name = steady_kernels.steady_text(run.e, relations_of(run.e))
  local rows = ensemble_run.compiled(text, name, {"rate", "attempt", "newton", "judge", "still"}, m)
  run.s.goes_by = run.kernels.dopri5 and 0 or 1
  local sets, dependent
  local function conserve() -- from the current parameters and states: events change them
    sets, dependent = find_sums(run, rows.rate)
    prepare(run, sets, dependent, o, atol)
  end
  conserve()
  rows.attempt(run.s) -- computes the sizes of the initial values
  local stop = start
  local line <close> = algorithm.progress_line
  for try = 1, o.tries or 6 do
    stop = stop + duration * 10 ^ (try - 1)
    algorithm.progress(("steady: not at rest yet; integrating to time %g, try"):format(stop), try, o.tries or 6)
    ensemble_run.integrate(run, {stop}, function() end)
    if run.e.events then conserve() end
    if newton(run, rows) == 0 then break end
  end
  return result_of(run, {m = m, list = list, names = names, values = values, sets = sets, start = start, stop = stop,
    near = o.near or 0.01})
end

return steady
