-- Instances of an ensemble that failed: finds which variable or event caused it, and why.

local ensemble_failures = {}

-- The reasons of failures, as defined in kernels/ensemble/ensemble.h.
local BITS, NO_NUMBER, TOO_FAST = 3, 4, 5
local OF_EVENTS = {"the delay of %s is negative or not a number", "too many events are waiting, among them %s",
  "events trigger each other without end, among them %s"}

-- ensemble_failures.failure(run, i, time, reason, value): the item of r.failed for instance i. The low bits of `reason` have the kind of
-- failure, the bits above have the number of the state or event; value: the state's value.
function ensemble_failures.failure(run, i, time, reason, value)
  local kind, k, e = reason & (1 << BITS) - 1, reason >> BITS, run.e
  local f = {instance = i, time = time, reason = reason}
  if OF_EVENTS[kind] then
    f.event = e.events[k + 1].name
    f.why = OF_EVENTS[kind]:format(f.event)
    return f
  end
  local states = math.max(1, #e.states)
  local variable = e.states[k % states + 1]
  f.variable, f.value = variable and e.m:variable(variable).name or "time", value
  local called = k < states and f.variable or "a derivative of " .. f.variable
  f.why = "its step became too small: " .. (kind == NO_NUMBER and ("the rate of %s is not a number"):format(called)
    or ("%s, %.6g, changes too fast"):format(called, value))
  return f
end

-- ensemble_failures.note_failures(run): adds the instances that have failed since the last call to run.failed.
function ensemble_failures.note_failures(run)
  local was, s = {}, run.s
  for _, f in ipairs(run.failed) do was[f.instance] = true end
  local blamed <close> = buffer.new("u32", run.count)
  s.blamed = blamed
  run.kernels.blame(s)
  s.blamed = nil
  for i = 0, run.live - 1 do
    if s.way[i] == 2 and not was[run.base + i] then
      local reason, value = run.e.events and s.fault[i] or 0, 0.0
      if reason == 0 then
        reason = blamed[i]
        value = s.y[(reason >> BITS) * run.count + i]
      end
      run.failed[#run.failed + 1] = ensemble_failures.failure(run, run.base + i, s.t[i], reason, value)
    end
  end
end

-- ensemble_failures.sort_failures(list): sorts by time, then by instance.
function ensemble_failures.sort_failures(list)
  table.sort(list, function(a, b)
    if a.time ~= b.time then return a.time < b.time end
    return a.instance < b.instance
  end)
end

return ensemble_failures
