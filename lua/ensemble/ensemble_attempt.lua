-- The common part of the integration methods of ensembles: generates the kernel that attempts steps, one thread per instance, around
-- the text of one method's step. Loops over states are unrolled, one line per state, so that a compiler can keep them in registers.

local block_of = import "ensemble/ensemble_block"
local event_text = import "ensemble/ensemble_events"
local lane_text = import "ensemble/ensemble_lanes"
local writer = import "ensemble/ensemble_writer"
local step_text = {}
local filled = writer.filled

-- step_text.all_methods: the list of methods. step_text.method_names: the valid values of the option `method`. step_text.methods: a
-- table from such a value to the set of methods that it uses.
step_text.all_methods = {"dopri5", "rodas4", "radau5"}
step_text.methods = {auto = {dopri5 = true, rodas4 = true}, dopri5 = {dopri5 = true}, rodas4 = {rodas4 = true}, radau5 = {radau5 = true}}
step_text.method_names = {"auto", "dopri5", "rodas4", "radau5"}

local ARGS = [[
#define NAME_STEP_ARGS(A) \
  A(FRONT, u32, front, "instances+1", vertex_queue, "instances") A(IN, f64, p, "VARIED*instances") \
  A(INOUT, f64, y, "STATES*instances") A(INOUT, f64, t, "instances") A(INOUT, f64, h, "instances") \
  A(INOUT, u32, way, "instances") A(INOUT, u32, doubt, "instances") A(QOUT, u32, front_next, "instances+1", vertex_queue, "instances") \
  A(IN, f64, stop, "1") A(IN, f64, tolerance, "2") A(IN, f64, atol, "STATES") A(VALUE, u32, attempts, "1") \
  A(VALUE, u32, auto_stiff, "1") A(VALUE, u32, instances, "1") EVENT_ARGS WORK \
  A(COUNT, u32, accepted, "1") A(COUNT, u32, rejected, "1") A(COUNT, u32, left, "1") A(COUNT, u32, failed, "1")
]]

-- step_text.by_tiles(e): do the rows that attempt steps have the domain TILE? Otherwise it is QUEUE: one thread per item of the front.
function step_text.by_tiles(e) return e.group > 1 or e.on_host end

-- step_text.step_args(e, name): the source of the macro NAME_STEP_ARGS: the arguments that the rows of all methods have.
function step_text.step_args(e, name)
  return filled(ARGS, {NAME_STEP_ARGS = name:upper() .. "_STEP_ARGS", VARIED = tostring(math.max(e.q, 1)), STATES = tostring(e.n),
    EVENT_ARGS = event_text.event_step_args(e), FRONT = step_text.by_tiles(e) and "IN" or "QIN",
    WORK = e.group > 1 and ([[A(INOUT, f64, work, "%d*instances")]]):format(math.max(1, e.work)) or ""})
end

-- The words of BODY that are filled in: STEP tries a step of length `step` from (t, y) to z and adds to `error` the squares of each
-- state's error relative to its tolerance. If `error` is not finite, the step failed and is tried again with `shorter` times its length.
-- ORDER: the order of the error. BEGIN prepares the first attempt of a launch, ACCEPT the attempt after an accepted step. FIRST
-- guards statements that only one of an instance's threads executes; SUM adds up over these threads.
local BODY = [[
BEGINS
  if (i >= a->instances ENDED) return;
ARRAYS
  f64 t = a->t[i], h = a->h[i], shorter = 0.1;
  const f64 stop = STOP, rtol = RTOL;
  bool refused = false, over = !(t < stop); /* over: nothing is left for this method in this interval */
  u32 doubt = a->doubt[i];
HEAD
LOAD
AGAIN
BEGIN
  for (u32 attempt = 0; attempt < a->attempts && !over; attempt++) {
    const f64 left = GOAL - t;
BOUND
    const bool last = h * (1 + 1e-9) >= left;
    const f64 step = last ? left : h;
    f64 error = 0;
    if (!(step > 4e-16 * fabs(t) && step > 1e-300)) {
      FIRST a->way[i] = ENSEMBLE_FAILED;
      FIRST count->failed++;
      over = true;
      break;
    }
STEP
    error = sqrt(SUM(error) / STATES);
    if (!(error <= 1)) { /* also true for NaN */
      FIRST count->rejected++;
      refused = true;
AGAIN_REFUSED
      h = step * (error - error == 0 ? fmax(0.2, 0.9 * pow(error, -1.0 / ORDER)) : shorter);
      continue;
    }
    FIRST count->accepted++;
    const f64 longer = step * fmin(refused ? 1.0 : 5.0, error > 0 ? 0.9 * pow(error, -1.0 / ORDER) : 5.0);
    h = last && longer < h ? h : longer;
    refused = false;
    over = last UNLESS_AGAIN;
    const f64 end = last ? GOAL : t + step;
LOOK
ACCEPT
  }
STORE
  FIRST a->t[i] = t;
  FIRST a->h[i] = h;
  FIRST a->doubt[i] = doubt;
OVER
  FIRST count->left++;
  FIRST PUSH(front_next, i);
}
]]

local FIRST_STEP = [[
  if (!(h > 0)) { /* the first step, as in Hairer, Norsett and Wanner 1993, II.4 */
    f64 size = 0, speed = 0;
EACH
    size = sqrt(SUM(size) / STATES), speed = sqrt(SUM(speed) / STATES);
    h = size < 1e-5 || speed < 1e-5 ? 1e-6 * (stop - t) : 0.01 * size / speed;
    h = fmax(h, 1e-14 * fabs(t));
    if (!(h < stop - t)) h = stop - t;
  }]]

-- The text of the tolerance of state @ if the magnitude of its value is `size`.
local function weight(size) return ("(ATOL(@) + rtol * %s)"):format(size) end
local function absolute(e, x) return ("%sfabs(%s)"):format(writer.words(e).call, x) end

-- step_text.sum_of(e, name): what replaces SUM, the sum over the threads of an instance, in the source of kernels with the prefix `name`.
function step_text.sum_of(e, name) return e.group > 1 and name .. "_block_SUM" or "" end

-- step_text.first_step(e, name, rate): the code that chooses the size of the first step; `rate` is the array of the rates.
function step_text.first_step(e, name, rate)
  local size, n = weight(absolute(e, "y[@]")), e.n
  local each = writer.each_of(e)(n, ([[
    size += y[@] * y[@] / (%s * %s);
    speed += %s[@] * %s[@] / (%s * %s);]]):format(size, size, rate, rate, size, size))
  if e.lanes then return lane_text.lanes_first_step(e, each) end
  return filled(FIRST_STEP, {STATES = tostring(n), SUM = step_text.sum_of(e, name), EACH = each})
end

-- step_text.error_text(e, what): the code that adds the squares of the relative errors to `error`; `what` is the expression for the
-- error of state @.
function step_text.error_text(e, what)
  local w = writer.words(e)
  local size = weight(("%sfmax(%s, %s)"):format(w.call, absolute(e, "y[@]"), absolute(e, "z[@]")))
  return writer.each_of(e)(e.n, ("    { const %s part = (%s) / %s; error += part * part; }"):format(w.number, what, size))
end

-- The SHAPE of a kernel whose threads keep `kept` numbers of 64 bits: blocks of 128 threads, as many as the registers allow; but one
-- block of 256 threads instead of two of 128, because the queue's stage of each block takes shared memory away from the L1 cache,
-- which holds spilled registers.
local function shape(row, kept)
  local registers = 48 + 2 * kept
  if registers > 168 then return ("SHAPE(%s, 256, 1)\n"):format(row) end
  return ("SHAPE(%s, 128, %d)\n"):format(row, registers <= 64 and 8 or registers <= 128 and 4 or 3)
end

-- The words of BODY that differ between three forms: one thread per instance on a GPU, one thread per instance on a CPU, and one block
-- per instance. On a CPU each thread takes one tile (an instance) at a time, so that even a few instances are spread over all threads;
-- other threads of the tile do nothing.
local BY_THREAD = {BEGINS = "QUEUE_BODY(ROW) {\n  const u32 i = item;", ARRAYS = "  f64 y[STATES], z[STATES], p[VARIED];", FIRST = ""}
local ON_HOST = {BEGINS = "TILE_BODY(ROW) {\n  if (tile >= a->front[0] || NOT_FIRST) return;\n  const u32 i = a->front[1 + tile];",
  ARRAYS = BY_THREAD.ARRAYS, FIRST = ""}
local BY_BLOCK = {BEGINS = "TILE_BODY(ROW) {\n  if (tile >= a->front[0]) return;\n  const u32 i = a->front[1 + tile];",
  FIRST = "if (FIRST_THREAD)"}

-- step_text.step_row(e, name, row, parts): the source of a method's row. Fields of parts:
--   order                the order of the error
--   kept                 the number of numbers that a thread keeps in addition to y, z and p
--   arrays               the list of {name, size} of the arrays that hold these numbers
--   begin, step, accept  the code for the words BEGIN, STEP and ACCEPT of BODY
--   dense                the expression for state @ at the fraction `part` of an accepted step
--   redo                 statements to run before an accepted step is tried again; may be nil
--   ready                statements to run before `dense` is used; may be nil
--   rtol, atol           expressions of the method's own tolerances; nil if it uses those of the run
function step_text.step_row(e, name, row, parts)
  local n, q, block, each = e.n, e.q, e.group > 1, writer.each_of(e)
  local head = ("#define %s_ARGS(A, W) %s_STEP_ARGS(A)\nARGS(%s, %s_ARGS)\n"):format(row:upper(), name:upper(), row, row:upper()) ..
    (block and ("SHAPE(%s, %d, %d)\n"):format(row, e.group, math.max(1, 512 // e.group)) or shape(row, parts.kept + 2 * n + q)) ..
    "#undef ATOL\n#define ATOL(k) " .. (parts.atol or "((f64)a->atol[k])") .. "\n"
  if e.lanes then return head .. lane_text.lanes_body(e, row, parts) end
  local what = {STATES = tostring(n), VARIED = tostring(math.max(q, 1)), ORDER = tostring(parts.order),
    RTOL = parts.rtol or "a->tolerance[0]", SUM = step_text.sum_of(e, name),
    STORE = each(n, "  a->y[(u64)@ * a->instances + i] = y[@];"), BEGIN = parts.begin, STEP = parts.step, ACCEPT = parts.accept}
  for word, text in pairs(block and BY_BLOCK or e.on_host and ON_HOST or BY_THREAD) do
    what[word] = filled(text, {ROW = row, STATES = what.STATES, VARIED = what.VARIED})
  end
  local load = each(n, "  y[@] = a->y[(u64)@ * a->instances + i];") .. "\n"
  if block then
    what.ARRAYS = block_of.block_arrays(e, parts.arrays)
    what.LOAD = load .. (q > 0 and each(q, ("  g[%d + @] = a->p[(u64)@ * a->instances + i];"):format(n + 1)) or "")
  else
    what.LOAD = load .. (q > 0 and each(q, "  p[@] = a->p[(u64)@ * a->instances + i];") or "  p[0] = 0;")
  end
  for word, text in pairs(event_text.event_step(e, name, parts)) do what[word] = text end
  return head .. filled(BODY, what)
end

return step_text
