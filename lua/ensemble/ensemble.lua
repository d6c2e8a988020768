-- simulate with many instances of a model (an ensemble): checks the options, and runs the instances.

local algorithm = import "base/algorithm"
local ensemble_attempt = import "ensemble/ensemble_attempt"
local ensemble_block = import "ensemble/ensemble_block"
local ensemble_failures = import "ensemble/ensemble_failures"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_ranks = import "ensemble/ensemble_ranks"
local ensemble_result = import "ensemble/ensemble_result"
local ensemble_run = import "ensemble/ensemble_run"
local ensemble_stream = import "ensemble/ensemble_stream"
local ranks = import "exchange/ranks"
local ensemble = {}

local OPTIONS = {"instances", "sweep", "sample", "each", "seed", "start", "stop", "duration", "steps", "every", "times", "method",
  "rtol", "atol", "variables", "attempts", "keep", "quantiles", "bins", "stream", "batch", "from", "group"}

local wrong = ensemble_options.wrong "simulate"

local function check(m, o)
  local known = {}
  for _, name in ipairs(OPTIONS) do known[name] = true end
  for name in pairs(o) do
    if not known[name] then
      wrong("an ensemble has no option '%s'; its options are %s", tostring(name), table.concat(OPTIONS, ", "))
    end
  end
  local method = o.method or "auto"
  if not ensemble_attempt.methods[method] then 
    wrong("there is no method '%s'; an ensemble has %s", tostring(method), table.concat(ensemble_attempt.method_names, ", "))
  end
  for _, name in ipairs {"rtol", "atol"} do
    local x = o[name]
    if x ~= nil and (type(x) ~= "number" or not (x > 0 and x < 1)) then wrong("%s must be a number above 0 and below 1", name) end
  end
  if o.attempts ~= nil and (math.type(o.attempts) ~= "integer" or o.attempts < 1) then
    wrong("attempts must be a whole number from 1 on")
  end
  for name in pairs {sweep = 1, sample = 1, each = 1} do
    if o[name] ~= nil and type(o[name]) ~= "table" then wrong("%s must be a table, as in {%s = {k = ...}}", name, name) end
  end
  local groups, fits = table.concat(ensemble_block.groups, ", "), o.group == nil
  for _, threads in ipairs(ensemble_block.groups) do fits = fits or o.group == threads end
  if not fits then wrong("group is %s; an instance may have %s threads", tostring(o.group), groups) end
  if o.seed ~= nil and math.type(o.seed) ~= "integer" then wrong("seed must be a whole number") end
  if o.keep ~= nil and type(o.keep) ~= "boolean" then wrong("keep must be true or false: false keeps only statistics") end
  if o.keep ~= false and (o.quantiles or o.bins) then wrong("'quantiles' and 'bins' need keep = false") end
  if o.times ~= nil and (type(o.times) ~= "table" or #o.times == 0) then wrong("times must be a list of ascending numbers") end
  if o.times and (o.stop or o.duration or o.steps or o.every) then
    wrong("give either 'times' or 'stop', 'duration', 'steps' and 'every', not both")
  end
  ensemble_stream.check_stream(o)
  return method
end

-- If keep = false, checks and returns the options of the statistics that are kept instead of values; else returns nil.
local function kept(o)
  if o.keep ~= false then return nil end
  local quantiles, bins = o.quantiles or {0.05, 0.25, 0.5, 0.75, 0.95}, o.bins or 20
  if type(quantiles) ~= "table" then wrong("quantiles must be a list of numbers from 0 to 1") end
  for k = 1, #quantiles do
    local q = quantiles[k]
    if type(q) ~= "number" or not (q >= 0 and q <= 1) then wrong("quantiles: item %d is not from 0 to 1", k) end
  end
  if math.type(bins) ~= "integer" or bins < 1 then wrong("bins must be a whole number from 1 on") end
  return {quantiles = quantiles, bins = bins}
end

-- Integrates all instances over all rows. The rows go into `statistics`, through `output` into a file, or into run.s.record.
local function integrate(run, times, o, statistics, output)
  local s, kept = run.s, run.state.kept
  local carried = {base = run.base, bytes = 0, written = 0}
  -- Computes the run's identity, which reads all values: only if a checkpoint may be written, or if there are several ranks, of which only
  -- rank 0 knows whether a checkpoint may be written.
  local function say_origin()
    if not carried.model and (session.awaited() or ranks.count > 1) then
      for name, x in pairs(ensemble_stream.origin(run, o, times)) do carried[name] = x end
    end
  end
  say_origin()
  local line <close> = algorithm.progress_line
  if output and not o.from then carried.bytes, carried.written = output:open() end
  ensemble_run.integrate(run, times, function(row)
    if statistics then
      statistics:add(s.record)
      statistics:put(row, kept)
    end
  end, {
    kept = true, stood = true, carried = carried, from = o.from,
    resumed = function()
      ensemble_stream.check_origin(o.from, ensemble_stream.origin(run, o, times), carried)
      for name in pairs(run.totals) do run.totals[name] = carried[name] end
      ensemble_run.take_batch(run, carried.base)
      if statistics then statistics:take(carried.row, kept) end
      if output then
        output:failures(run.first, run.base)
        output:open(carried.bytes, carried.written)
      end
      if run.totals.failed > 0 then ensemble_failures.note_failures(run) end
    end,
    told = function(row)
      say_origin()
      if not session.awaited() then
        algorithm.progress("simulate: rows of all instances", run.base * #times + run.live * row, run.total * #times)
      end
    end,
    next = function()
      if run.method == "auto" then run.totals.stiff = run.totals.stiff + ensemble_run.stiff(run) end
      if not output then return false end
      carried.bytes, carried.written = output:put()
      carried.base = run.base + run.live
      if carried.base >= run.past then return false end
      ensemble_run.stand(run, carried.base)
      return true
    end})
end

-- ensemble.run(m, options, span): runs simulate(m, options) with many instances: `help ensembles`. span(m, options) returns start,
-- stop and the number of intervals.
function ensemble.run(m, o, span)
  local method, keep = check(m, o), kept(o)
  local start, stop, intervals
  if o.times then start = o.start or 0 else start, stop, intervals = span(m, o) end
  local times = ensemble_options.times_of(o, start, stop, intervals)
  local values, count, names = ensemble_options.differences(m, o)
  if m.states == 0 and m.events == 0 then wrong("the model has no state") end
  local list, numbers = ensemble_options.variables(m, o.variables)
  local statistics = keep and ensemble_result.statistics(#list, keep)
  local batch, base = ensemble_stream.batch(o, count, #list * #times), 0
  local shared = ranks.count > 1 and not keep
  local mine = count
  if shared then
    mine, base = ensemble_ranks.part(count)
    batch = math.min(batch, mine)
  end
  local run = ensemble_run.begin(m, {values = values, count = count, start = start, method = method, rtol = o.rtol, atol = o.atol,
    attempts = o.attempts, group = o.group or "by size", rows = keep and 1 or #times, columns = function(e) return ensemble_options.places(e, numbers) end,
    recorded = numbers, batch = batch, base = base, of = mine, resumed = o.from ~= nil,
    whole = o.stream and ensemble_stream.output_size(#list, count) or keep and statistics:size() * #times or 0})
  local output <close> = o.stream and ensemble_stream.output(run, o.stream, list, names, times) or nil
  run.idle = shared and ranks.range(count) == select(2, ranks.range(count)) -- this rank has no instance of its own, and repeats one of another rank
  integrate(run, times, o, statistics, output)
  if output then output:join() end
  local record = output and output:last() or not keep and run.s.record
  if shared and not output then record = ensemble_ranks.gather(run) end
  if not session.stepped() then ensemble_run.release(run, record) end
  ensemble_failures.sort_failures(run.failed)
  for _, f in ipairs(run.failed) do f.reason = nil end
  local parameters = {}
  for called, i in pairs(names) do parameters[called] = values[i] end
  local totals = run.totals
  return ensemble_result.result {kind = "ensemble", model = m, t = buffer.new("f64", o.stream and {times[#times]} or times),
    start = start, names = list, instances = count, parameters = parameters, failed = run.failed,
    record = record, rows = o.stream and 1 or #times, streamed = o.stream or false,
    written = #times, method = method, group = run.e.group, stiff = totals.stiff, accepted = totals.accepted, rejected = totals.rejected,
    launches = totals.launches, events = totals.events, rtol = run.rtol, atol = math.max(table.unpack(run.atol)),
    least_atol = math.min(table.unpack(run.atol)), given_atol = o.atol or false, primitives = run.name, statistics = statistics or false}
end

return ensemble
