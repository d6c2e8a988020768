-- What the methods of ensembles have in common: the row that attempts steps of instances, a thread an instance, around the text
-- of one method's step. A compiler keeps what it can in registers: the text has a line for each state.

--- ensemble.all_methods: which methods there are. ensemble.methods: by what an option `method` may be, which of them that takes;
--- ensemble.method_names: what it may be.
ensemble.all_methods = {"dopri5", "rodas4", "radau5"}
ensemble.methods = {auto = {dopri5 = true, rodas4 = true}, dopri5 = {dopri5 = true}, rodas4 = {rodas4 = true}, radau5 = {radau5 = true}}
ensemble.method_names = {"auto", "dopri5", "rodas4", "radau5"}

-- As many states have a line each; of larger models loops are made, whose text is compiled in less time. A GPU keeps an array in
-- registers only where each index is a number in the text, and so there larger models have lines, too.
local LINES, LINES_ON_GPU = 20, 64

-- The text n times, a line each, or once in a loop where n is more than `most`, or LINES; @ is the number of the line, from 0.
local function each(n, text, most)
  local out = {}
  if n > (most or LINES) then return ("  for (u32 q = 0; q < %d; q++) {\n%s\n  }"):format(n, (text:gsub("@", "q"))) end
  for k = 0, n - 1 do out[#out + 1] = (text:gsub("@", ("%d"):format(k))) end
  return table.concat(out, "\n")
end

-- The text, in which words of capitals are replaced by what[word], if there is such a word.
local function filled(text, what)
  return (text:gsub("%f[%w_](%u[%u%d_]*)%f[^%w_]", what))
end
ensemble.each, ensemble.filled = each, filled

local function lines_of(e) return e.on_gpu and LINES_ON_GPU or LINES end

--- ensemble.function_word(e): how functions of the equations are declared: those of a small model are part of what calls them.
function ensemble.function_word(e) return e.n > lines_of(e) and "LS_CODE_CALL" or "LS_INLINE" end

--- ensemble.terms(coefficients, of, first): first + c1 * k1[@] + c2 * k2[@] of the coefficients that are not zero, where of is "k";
--- first may be nil. "" if there are none.
function ensemble.terms(coefficients, of, first)
  local sum = first or ""
  for s, c in ipairs(coefficients) do
    if c ~= 0 then sum = (sum == "" and "%s%s * %s%d[@]" or "PLUS_PRODUCT(%s, %s, %s%d[@])"):format(sum, symbolic.literal(c), of, s) end
  end
  return sum
end

local ARGS = [[
#define NAME_STEP_ARGS(A) \
  A(FRONT, u32, front, "instances+1", vertex_queue, "instances") A(IN, f64, p, "VARIED*instances") \
  A(INOUT, f64, y, "STATES*instances") A(INOUT, f64, t, "instances") A(INOUT, f64, h, "instances") \
  A(INOUT, u32, way, "instances") A(INOUT, u32, doubt, "instances") A(QOUT, u32, front_next, "instances+1", vertex_queue, "instances") \
  A(IN, f64, stop, "1") A(IN, f64, tolerance, "2") A(IN, f64, atol, "STATES") A(VALUE, u32, attempts, "1") \
  A(VALUE, u32, auto_stiff, "1") A(VALUE, u32, instances, "1") EVENT_ARGS WORK \
  A(COUNT, u32, accepted, "1") A(COUNT, u32, rejected, "1") A(COUNT, u32, left, "1") A(COUNT, u32, failed, "1")
]]

--- ensemble.by_tiles(e): has a row that attempts steps tiles as its domain, and not the front's items?
function ensemble.by_tiles(e) return e.group > 1 or e.on_host end

--- ensemble.step_args(e, name): the arguments that the rows of all methods have, as the macro NAME_STEP_ARGS.
function ensemble.step_args(e, name)
  return filled(ARGS, {NAME_STEP_ARGS = name:upper() .. "_STEP_ARGS", VARIED = tostring(math.max(e.q, 1)), STATES = tostring(e.n),
    EVENT_ARGS = ensemble.event_step_args(e), FRONT = ensemble.by_tiles(e) and "IN" or "QIN",
    WORK = e.group > 1 and ([[A(INOUT, f64, work, "%d*instances")]]):format(math.max(1, e.work)) or ""})
end

-- STEP tries a step of length `step` from (t, y) to z, and leaves in `error` the sum of squares of what the error of each state is,
-- relative to the tolerance; what is no number stands for a step that came to nothing, which is tried again `shorter` times as
-- long. ORDER: of the error. BEGIN computes what the first attempt of a launch needs, ACCEPT what the next one does.
-- FIRST: what one thread does for all that an instance has; SUM: over these.
local BODY = [[
BEGINS
  if (i >= a->instances ENDED) return;
ARRAYS
  f64 t = a->t[i], h = a->h[i], shorter = 0.1;
  const f64 stop = STOP, rtol = RTOL;
  bool refused = false, over = !(t < stop); /* over: for this method and this interval */
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
    if (!(error <= 1)) { /* not a number either */
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

-- The text of what is tolerated of a state's error, where its value is so large.
local function weight(size) return ("(ATOL(@) + rtol * %s)"):format(size) end
local function absolute(e, x) return ("%sfabs(%s)"):format(ensemble.words(e).call, x) end

--- ensemble.each_of(e): `each` for the model's kernels: a thread an instance, or a block.
function ensemble.each_of(e)
  if e.group > 1 then return ensemble.block_each end
  return function(n, text) return each(n, text, lines_of(e)) end
end

--- ensemble.sum_of(e, name): what SUM is, for kernels whose names begin with `name`.
function ensemble.sum_of(e, name) return e.group > 1 and name .. "_block_SUM" or "" end

--- ensemble.first_step(e, name, rate): the text that chooses the first step's length; `rate` has the rates.
function ensemble.first_step(e, name, rate)
  local size, n = weight(absolute(e, "y[@]")), e.n
  local each = ensemble.each_of(e)(n, ([[
    size += y[@] * y[@] / (%s * %s);
    speed += %s[@] * %s[@] / (%s * %s);]]):format(size, size, rate, rate, size, size))
  if e.lanes then return ensemble.lanes_first_step(e, each) end
  return filled(FIRST_STEP, {STATES = tostring(n), SUM = ensemble.sum_of(e, name), EACH = each})
end

--- ensemble.error_text(e, what): adds up the errors, where `what` is the text of a state's.
function ensemble.error_text(e, what)
  local w = ensemble.words(e)
  local size = weight(("%sfmax(%s, %s)"):format(w.call, absolute(e, "y[@]"), absolute(e, "z[@]")))
  return ensemble.each_of(e)(e.n, ("    { const %s part = (%s) / %s; error += part * part; }"):format(w.number, what, size))
end

-- The shape of a row whose threads keep so many numbers of 64 bits at a time: blocks of 128, and as many as their registers allow; one
-- block of 256 where that are two, since each block has a stage of the queue in the memory that keeps what does not fit into registers.
local function shape(row, kept)
  local registers = 48 + 2 * kept
  if registers > 168 then return ("SHAPE(%s, 256, 1)\n"):format(row) end
  return ("SHAPE(%s, 128, %d)\n"):format(row, registers <= 64 and 8 or registers <= 128 and 4 or 3)
end

-- What differs where a block has an instance, and on a CPU. There a thread has a tile at a time, so that few instances are for all
-- threads, too; elsewhere a tile's other threads have nothing to do.
local BY_THREAD = {BEGINS = "QUEUE_BODY(ROW) {\n  const u32 i = item;", ARRAYS = "  f64 y[STATES], z[STATES], p[VARIED];", FIRST = ""}
local ON_HOST = {BEGINS = "TILE_BODY(ROW) {\n  if (tile >= a->front[0] || NOT_FIRST) return;\n  const u32 i = a->front[1 + tile];",
  ARRAYS = BY_THREAD.ARRAYS, FIRST = ""}
local BY_BLOCK = {BEGINS = "TILE_BODY(ROW) {\n  if (tile >= a->front[0]) return;\n  const u32 i = a->front[1 + tile];",
  FIRST = "if (FIRST_THREAD)"}

--- ensemble.step_row(e, name, row, parts): the text of a method's row. parts: order; kept, how many numbers a thread keeps beside
--- y, z and p; arrays, what it keeps them in: a list of {name, size}; the texts begin, step and accept, and dense, the state @
--- at the part `part` of the step that was accepted; redo, what comes before an accepted step is tried again; rtol and atol
--- where the method has its own: texts.
function ensemble.step_row(e, name, row, parts)
  local n, q, block, each = e.n, e.q, e.group > 1, ensemble.each_of(e)
  local head = ("#define %s_ARGS(A, W) %s_STEP_ARGS(A)\nARGS(%s, %s_ARGS)\n"):format(row:upper(), name:upper(), row, row:upper()) ..
    (block and ("SHAPE(%s, %d, %d)\n"):format(row, e.group, math.max(1, 512 // e.group)) or shape(row, parts.kept + 2 * n + q)) ..
    "#undef ATOL\n#define ATOL(k) " .. (parts.atol or "((f64)a->atol[k])") .. "\n"
  if e.lanes then return head .. ensemble.lanes_body(e, row, parts) end
  local what = {STATES = tostring(n), VARIED = tostring(math.max(q, 1)), ORDER = tostring(parts.order),
    RTOL = parts.rtol or "a->tolerance[0]", SUM = ensemble.sum_of(e, name),
    STORE = each(n, "  a->y[(u64)@ * a->instances + i] = y[@];"), BEGIN = parts.begin, STEP = parts.step, ACCEPT = parts.accept}
  for word, text in pairs(block and BY_BLOCK or e.on_host and ON_HOST or BY_THREAD) do
    what[word] = filled(text, {ROW = row, STATES = what.STATES, VARIED = what.VARIED})
  end
  local load = each(n, "  y[@] = a->y[(u64)@ * a->instances + i];") .. "\n"
  if block then
    what.ARRAYS = ensemble.block_arrays(e, parts.arrays)
    what.LOAD = load .. (q > 0 and each(q, ("  g[%d + @] = a->p[(u64)@ * a->instances + i];"):format(n + 1)) or "")
  else
    what.LOAD = load .. (q > 0 and each(q, "  p[@] = a->p[(u64)@ * a->instances + i];") or "  p[0] = 0;")
  end
  for word, text in pairs(ensemble.event_step(e, name, parts)) do what[word] = text end
  return head .. filled(BODY, what)
end
