-- SIMD form of an ensemble's kernels on CPUs: one instance per lane of a vector. All lanes try a step together, and masks say which
-- of them accept it; kernels/ensemble/lanes.h defines the operations. Models whose instances branch differently (events, conditions,
-- Radau's iterations) do not use lanes: there a thread runs one instance at a time. In both forms the domain is TILE, and a thread
-- takes one tile at a time, so that even a few instances are spread over all threads.

local event_text = import "ensemble/ensemble_events"
local symbolic = import "ode/symbolic"
local writer = import "ensemble/ensemble_writer"
local lane_text = {}

-- lane_text.choose_lanes(e, method): do the instances run in lanes? e: from kernel_text.parts, with e.group and e.on_host.
function lane_text.choose_lanes(e, method)
  if not e.on_host or e.events or method == "radau5" or event_text.conditions(e) then return false end
  for _, f in ipairs(e.functions) do if not symbolic.fits_lanes(f[2]) then return false end end
  for _, t in ipairs(writer.rate_trees(e)) do if not symbolic.fits_lanes(t) then return false end end
  return true
end

local WORK = 200 -- least number of states, in all tiles, for which all threads are used: with fewer a barrier takes longer than the work

-- lane_text.team_text(e): the source line that defines the least number of tiles for which all threads of a CPU are used; "" on a GPU.
function lane_text.team_text(e)
  return e.on_host and ("#undef LS_TEAM_TILES\n#define LS_TEAM_TILES %d\n"):format(math.max(4, WORK // e.n)) or ""
end

-- The counterpart of BODY in ensemble_attempt.lua. Masks: `going` has the lanes that have not reached `stop`, `good` those whose step is
-- accepted.
local BODY = [==[
TILE_BODY(ROW) {
  const u32 listed = a->front[0] < a->instances ? a->front[0] : a->instances;
  const u32 from = tile * LANES;
  if (from >= listed || NO_LANE) return;
  reals y[STATES], z[STATES], p[VARIED], t, h;
  const f64 stop = a->stop[0], rtol = a->tolerance[0];
  u32 at[LANES];
  truths doubt, going, refused;
  EACH_LANE(l) {
    const bool is = from + l < listed;
    const u32 given = a->front[1 + (is ? from + l : from)], i = given < a->instances ? given : 0;
    at[l] = i;
    LANE(t, l) = a->t[i];
    LANE(h, l) = a->h[i];
    LANE(doubt, l) = a->doubt[i];
    LANE(refused, l) = 0;
    LANE(going, l) = is && a->t[i] < stop ? LANE_IS : 0;
LOAD
  }
BEGIN
  for (u32 attempt = 0; attempt < a->attempts && ANY(going); attempt++) {
    const reals left = stop - t;
    const truths last = h * (1 + 1e-9) >= left;
    const reals step = CHOOSE(last & going, left, h);
    const truths stuck = going & NOT((step > 4e-16 * lanes_fabs(t)) & (step > 1e-300));
    if (ANY(stuck)) {
      EACH_LANE(l) {
        if (LANE(stuck, l)) a->way[at[l]] = ENSEMBLE_FAILED;
      }
      count->failed += COUNT_LANES(stuck);
      going &= NOT(stuck);
      if (!ANY(going)) break;
    }
    reals error = REALS(0);
STEP
    error = lanes_sqrt(error / STATES);
    const truths small = error <= 1, good = going & small, bad = going & NOT(small); /* a NaN is not small */
    const reals ratio = 0.9 * lanes_exp(lanes_log(error) * (-1.0 / ORDER));
    const reals longer = step * lanes_fmin(CHOOSE(refused, 1, 5), CHOOSE(error > 0, ratio, 5));
    const reals shorter = step * CHOOSE(error - error == 0, lanes_fmax(0.2, ratio), 0.1);
    count->accepted += COUNT_LANES(good);
    count->rejected += COUNT_LANES(bad);
    h = CHOOSE(bad, shorter, CHOOSE(good & NOT(last & (longer < h)), longer, h));
    refused = bad | (refused & NOT(good));
    if (!ANY(good)) continue;
    going &= NOT(good & last);
    t = CHOOSE(good, CHOOSE(last, stop, t + step), t);
ACCEPT
  }
  EACH_LANE(l) {
    const u32 i = at[l];
    if (from + l < listed) {
STORE
      a->t[i] = LANE(t, l);
      a->h[i] = LANE(h, l);
      a->doubt[i] = (u32)LANE(doubt, l);
      if (LANE(going, l)) {
        count->left++;
        PUSH(front_next, i);
      }
    }
  }
}
]==]

local FIRST_STEP = [[
  if (ANY(NOT(h > 0))) { /* the first step, as in Hairer, Norsett and Wanner 1993, II.4 */
    reals size = REALS(0), speed = REALS(0);
EACH
    size = lanes_sqrt(size / STATES), speed = lanes_sqrt(speed / STATES);
    reals first = CHOOSE((size < 1e-5) | (speed < 1e-5), 1e-6 * (stop - t), 0.01 * size / speed);
    first = lanes_fmax(first, 1e-14 * lanes_fabs(t));
    h = CHOOSE(h > 0, h, CHOOSE(first < stop - t, first, stop - t));
  }]]

local DOUBT = [==[
    if (a->auto_stiff) { /* the same count as with one thread per instance */
      reals rates = REALS(0), values = REALS(0);
EACH
      const truths high = good & (values > 0) & (step * lanes_sqrt(rates / values) > 3.25);
      const truths other = good & NOT(high) & (doubt > 0), once = (doubt & 255) + 1;
      doubt = CHOOSE_TRUTHS(high, once, CHOOSE_TRUTHS(other, doubt + 256, doubt));
      const truths stiff = high & (once >= 15);
      doubt = CHOOSE_TRUTHS(stiff | (other & (doubt >= 6 * 256)), doubt & 0, doubt);
      if (ANY(stiff)) {
        EACH_LANE(l) {
          if (LANE(stiff, l)) a->way[at[l]] = ENSEMBLE_STIFF;
        }
        going &= NOT(stiff);
      }
    }]==]

-- lane_text.lanes_first_step(e, each): as step_text.first_step, for lanes; `each` is the code that replaces EACH.
function lane_text.lanes_first_step(e, each) return writer.filled(FIRST_STEP, {STATES = tostring(e.n), EACH = each}) end

-- lane_text.lanes_doubt(each): the code by which Dormand and Prince's method detects stiff instances; `each` is the code that
-- replaces EACH.
function lane_text.lanes_doubt(each) return writer.filled(DOUBT, {EACH = each}) end

-- lane_text.lanes_body(e, row, parts): the source of the body of a method's row; parts: as for step_text.step_row.
function lane_text.lanes_body(e, row, parts)
  local each = writer.each
  return writer.filled(BODY, {ROW = row, STATES = tostring(e.n), VARIED = tostring(math.max(e.q, 1)), ORDER = tostring(parts.order),
    LOAD = each(e.n, "    LANE(y[@], l) = a->y[(u64)@ * a->instances + i];") .. "\n" ..
      (e.q > 0 and each(e.q, "    LANE(p[@], l) = a->p[(u64)@ * a->instances + i];") or "    LANE(p[0], l) = 0;"),
    STORE = each(e.n, "      a->y[(u64)@ * a->instances + i] = LANE(y[@], l);"), BEGIN = parts.begin, STEP = parts.step,
    ACCEPT = parts.accept})
end

return lane_text
