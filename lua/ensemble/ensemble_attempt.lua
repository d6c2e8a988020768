-- The rows that attempt steps: the macros that kernels/ensemble/attempt.h and the methods' files want of a model.

local ensemble_block = import "ensemble/ensemble_block"
local ensemble_conserved = import "ensemble/ensemble_conserved"
local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_attempt = {}

-- ensemble_attempt.all_methods: the list of methods. ensemble_attempt.method_names: the valid values of the option `method`.
-- ensemble_attempt.methods: a table from such a value to the set of methods that it uses.
ensemble_attempt.all_methods = {"dopri5", "rodas4", "radau5"}
ensemble_attempt.methods = {auto = {dopri5 = true, rodas4 = true}, dopri5 = {dopri5 = true}, rodas4 = {rodas4 = true}, radau5 = {radau5 = true}}
ensemble_attempt.method_names = {"auto", "dopri5", "rodas4", "radau5"}

-- ensemble_attempt.by_tiles(e): do the rows that attempt steps have the domain TILE? Otherwise it is QUEUE: one thread per item of the
-- front.
function ensemble_attempt.by_tiles(e) return e.group > 1 or e.on_host end

-- ensemble_attempt.form_text(e): the macros of kernels/ensemble/form.h.
function ensemble_attempt.form_text(e)
  return ensemble_writer.defines {{e.group > 1 and "BY_BLOCK" or e.lanes and "BY_LANES" or e.on_host and "BY_TILE" or "BY_THREAD", ""},
    {"ENSEMBLE_STEP_ARGS(A, W)", (ensemble_attempt.by_tiles(e) and "ENSEMBLE_FRONT_ARGS(A)" or "ENSEMBLE_QUEUE_ARGS(A)") ..
      " ENSEMBLE_EVERY_STEP_ARGS(A)" .. (e.events and " ENSEMBLE_CALL_ARGS(A)" or "") .. (e.group > 1 and " ENSEMBLE_WORK_ARGS(A)" or "")}} ..
    '#include "ensemble/form.h"\n' .. (e.group > 1 and '#include "ensemble/block.h"\n' or "")
end

-- The statements that project z back onto the sums that the equations conserve. Rounding in the solution of linear systems violates
-- these sums. If a small state is the difference of large ones (E5 of the test problems), the error is soon as large as the state. Each
-- state takes a share of the error proportional to the square of its tolerance.
local MOST = 64 -- maximum number of states; conserved sums are not used in larger models
local function sums_text(e)
  local out = {}
  if e.group > 1 or e.n > MOST then return "" end
  for _, weights in ipairs(ensemble_conserved.sums_of_equations(e)) do
    local lost, size, back = {}, {}, {}
    for k, c in ipairs(weights) do
      if c ~= 0 then
        local at, factor = k - 1, symbolic.literal(c)
        lost[#lost + 1] = ("%s * (z[%d] - y[%d])"):format(factor, at, at)
        size[#size + 1] = ("%s * TOLERATED_SQUARE(%d)"):format(symbolic.literal(c * c), at)
        back[#back + 1] = ("z[%d] -= %s * TOLERATED_SQUARE(%d) * part;"):format(at, factor, at)
      end
    end
    if #lost > 1 then
      out[#out + 1] = ("{ const number part = (%s) / GREATER(%s, 1e-300); %s }"):format(table.concat(lost, " + "),
        table.concat(size, " + "), table.concat(back, " "))
    end
  end
  return table.concat(out, " \\\n  ")
end

-- The launch shape of a row whose threads keep `kept` numbers of 64 bits: blocks of 128 threads, as many as the registers allow; but
-- one block of 256 threads instead of two of 128, because the queue's stage of each block takes shared memory away from the L1 cache,
-- which holds spilled registers.
local function shape(kept)
  local registers = 48 + 2 * kept
  if registers > 168 then return 256, 1 end
  return 128, registers <= 64 and 8 or registers <= 128 and 4 or 3
end

local ROOM = 100 -- number of values that fit into registers of a GPU, not counting temporaries

-- ensemble_attempt.step_text(e, method, x): the source of a method's row. Fields of x: places and entries, the numbers of elements of the
-- factors and of the Jacobian; timed: do rates depend on time?
function ensemble_attempt.step_text(e, method, x)
  local n, places, kept, what = e.n, x.places, nil, {}
  local function define(name, value) what[#what + 1] = {name, value} end
  if method == "dopri5" then kept = 7 * n
  elseif method == "rodas4" then kept = 7 * n + places
  else kept = 18 * n + x.entries + 3 * places end
  local threads, blocks = shape(kept + 2 * n + e.q)
  if e.group > 1 then
    threads, blocks = e.group, math.max(1, 512 // e.group)
    local size, shared = ensemble_block.place(e, method == "dopri5" and 8 * n or 6 * n + places + (x.timed and n or 0))
    define("STEP_NUMBERS", size)
    define("STEP_SHARED", shared and 1 or 0)
  end
  define("STEP_THREADS", threads)
  define("STEP_BLOCKS", blocks)
  if method == "rodas4" then
    define("TIMED", x.timed and 1 or 0)
    define("STAGES_LOOP", e.on_gpu and kept > ROOM and 1 or 0)
    define("KEEP_SUMS", sums_text(e))
  end
  return ensemble_writer.defines(what) .. ('#include "ensemble/%s.h"\n'):format(method)
end

return ensemble_attempt
