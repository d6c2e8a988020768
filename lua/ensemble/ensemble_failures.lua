-- Instances of an ensemble that failed: finds which variable or event caused it, and why.

local writer = import "ensemble/ensemble_writer"
local failing = {}

local TEXT = [[
#define UPPER_BLAME_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(IN, f64, y, "STATES*instances") A(IN, f64, t, "instances") A(IN, u32, way, "instances") \
  A(IN, f64, tolerance, "2") A(IN, f64, atol, "STATES") A(INOUT, u32, blamed, "instances") A(VALUE, u32, instances, "1")
ARGS(NAME_blame, UPPER_BLAME_ARGS)

/* Finds the state that made steps too short, by one Euler step of about the least length: a state whose rate is not finite
 * after it; else the one whose rate changes most relative to its tolerance; else the one with the largest rate. */
VERTEX_BODY(NAME_blame) {
  UNUSED_BODY;
  if (a->way[v] != ENSEMBLE_FAILED) return;
  f64 y[STATES], z[STATES], p[VARIED], rate[STATES], later[STATES];
  const f64 t = a->t[v], step = fmax(1e-13 * fabs(t), 1e-300);
LOAD
  NAME_rates(t, p, y, rate);
  for (u32 k = 0; k < STATES; k++) z[k] = y[k] + step * rate[k];
  NAME_rates(t + step, p, z, later);
  u32 reason = ENSEMBLE_TOO_FAST, worst = 0, quickest = 0;
  f64 most = 0, speed = 0;
  for (u32 k = 0; k < STATES; k++) {
    if (later[k] != later[k]) {
      reason = ENSEMBLE_NO_NUMBER;
      worst = k;
      break;
    }
    const f64 tolerated = a->atol[k] + a->tolerance[0] * fabs(y[k]);
    const f64 change = fabs(later[k] - rate[k]) / tolerated, own = fabs(rate[k]) / tolerated;
    if (change > most) most = change, worst = k;
    if (own > speed) speed = own, quickest = k;
  }
  if (reason == ENSEMBLE_TOO_FAST && !(most > 0)) worst = quickest;
  a->blamed[v] = reason | worst << ENSEMBLE_REASON_BITS;
}
]]

-- failing.blame_text(e, name): the source of the row NAME_blame, which finds for each failed instance the state that caused it.
function failing.blame_text(e, name)
  local text = TEXT:gsub("NAME_", name .. "_"):gsub("UPPER_", name:upper() .. "_")
  return writer.filled(text, {STATES = tostring(e.n), VARIED = tostring(math.max(e.q, 1)),
    LOAD = writer.each(e.n, "  y[@] = a->y[(u64)@ * a->instances + v];") .. "\n" ..
      (e.q > 0 and writer.each(e.q, "  p[@] = a->p[(u64)@ * a->instances + v];") or "  p[0] = 0;")})
end

-- The reasons of failures, as defined in kernels/ensemble/ensemble.h.
local BITS, NO_NUMBER, TOO_FAST = 3, 4, 5
local OF_EVENTS = {"the delay of %s is negative or not a number", "too many events are waiting, among them %s",
  "events trigger each other without end, among them %s"}

-- failing.failure(run, i, time, reason, value): the item of r.failed for instance i. The low bits of `reason` have the kind of failure,
-- the bits above have the number of the state or event; value: the state's value.
function failing.failure(run, i, time, reason, value)
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

-- failing.note_failures(run): adds the instances that have failed since the last call to run.failed.
function failing.note_failures(run)
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
      run.failed[#run.failed + 1] = failing.failure(run, run.base + i, s.t[i], reason, value)
    end
  end
end

-- failing.sort_failures(list): sorts by time, then by instance.
function failing.sort_failures(list)
  table.sort(list, function(a, b)
    if a.time ~= b.time then return a.time < b.time end
    return a.instance < b.instance
  end)
end

return failing
