-- b:translate: translates bytecode into the text of kernels, a family of rows and loops. Okuyama 2013, section 5.5.2 and figure 5.8.

local bytecode = import "ode/bytecode"
local symbolic = import "ode/symbolic"
local translate = {}

local MUTE = 0x80000000
-- Translates the instructions of a unit into expressions and assignments in C.
local Unit = {}
Unit.__index = Unit
translate.unit = Unit

-- The text of operands, and of an assignment. place: the place of a variable. at: the index in a->places (or a->numbers) of the entry
-- for the first thread of a unit.
function Unit:variable(place) return ("X(%d)"):format(place) end
function Unit:variables(at) return ("X(a->places[%d + i])"):format(at) end
function Unit:constants(at) return ("a->numbers[%d + i]"):format(at) end
function Unit:assign(place, value) self.out[#self.out + 1] = ("    ASSIGN(%d, %s)"):format(place, value) end
function Unit:assign_each(at, value) self.out[#self.out + 1] = ("    ASSIGN(a->places[%d + i], %s)"):format(at, value) end

-- Writes the assignments of the unit whose instructions begin at pc. Asks for the texts of operands in their order.
function Unit:read(pc, last)
  local ask = {VARIABLE = self.variable, VARIABLE_IND = self.variables, CONSTANT_IND = self.constants}
  local function itself(text) return text end
  symbolic.instructions(self.b, pc, last, function(op, x)
    return ask[op] and {"VARIABLE", ask[op](self, x)} or self.b.numbers[x]
  end, function(op, x, tree)
    local assign = op == "ASSIGN" and self.assign or self.assign_each
    assign(self, x, symbolic.text(tree, itself, "exact"))
  end)
end

-- The body of a phase's kernel: one branch per unit.
local function branches(b, p)
  local out, first, last = {}, b:bounds(p)
  local t = first
  while t < last do
    local n, mute = b.unit[t], 0
    while mute < n and b.index[t + n - 1 - mute] & MUTE ~= 0 do mute = mute + 1 end
    if mute < n then
      out[#out + 1] = ("  %sif (t >= %d && t < %d) {"):format(#out > 0 and "} else " or "", t - first, t - first + n - mute)
      out[#out + 1] = ("    const u32 i = t - %d;"):format(t - first)
      out[#out + 1] = "    (void)i;"
      setmetatable({b = b, out = out}, Unit):read(b.index[t] & ~MUTE, b.words)
    end
    t = t + n
  end
  out[#out + 1] = #out > 0 and "  }" or nil
  return table.concat(out, "\n")
end

local HEAD = [[
/* %s of %s: made from bytecode by b:translate. */
#include "ode/ode.h"

#define X(place) a->x[(u64)(place)*a->cells + cell]
#define TIMED(op, x, y, z) ode_timed(&code.moment, a->cells, cell, X(a->vars - 1), LS_CODE_##op, x, y, z)
#define ASSIGN(place, value) ode_assign(&code, &thread, LS_POINTER(a->x), &to, place, value);
#define %s_ARGS(A, W) \
  ODE_TABLE_ARGS(A) A(%s, f64, x, "vars*cells")%s
ARGS(%s, %s_ARGS)

VERTEX_BODY(%s) {
  UNUSED_BODY;
  const u32 t = v / a->cells, cell = v %% a->cells;
  const ode_code code = {.numbers = LS_POINTER(a->numbers), .places = LS_POINTER(a->places), .vars = a->vars, .cells = a->cells,
                         .moment = ODE_MOMENT%s};
  const ode_thread thread = {0, 0, cell};
  const ode_target to = %s;
%s
}
#undef X
#undef TIMED
#undef ASSIGN
]]

local EULER = {args = [[ A(INOUT, f64, x_next, "vars*cells") A(IN, f64, dt, "1") A(COUNT, u32, lost, "1")]],
  to = "{.kind = ODE_EULER, .h = a->dt[0], .next = LS_POINTER(a->x_next), .lost = &count->lost}"}
local RK4 = {args = [[ A(INOUT, f64, x_next, "vars*cells") \
  A(INOUT, f64, begin, "vars*cells") A(INOUT, f64, rate, "vars*cells") A(IN, f64, dt, "1") A(VALUE, u32, stage, "1") \
  A(COUNT, u32, lost, "1")]],
  to = [[{.kind = ODE_RK4, .stage = a->stage, .h = a->dt[0], .next = LS_POINTER(a->x_next), .begin = LS_POINTER(a->begin),
                         .rate = LS_POINTER(a->rate),
                         .time = (u64)(a->vars - 1) * a->cells, .lost = &count->lost}]]}
-- Assignments between steps (kernels/ode/ode_jumps.h).
local BEFORE = {args = [[ A(INOUT, f64, x_next, "vars*cells")]], to = "{.kind = ODE_FUNCTION, .next = LS_POINTER(a->x_next)}"}
local AFTER = {args = BEFORE.args, to = BEFORE.to, moment = "_LATE(a, 1)"}
local FUNCTIONS = {args = "", to = "{.kind = ODE_FUNCTION, .next = LS_POINTER(a->x)}"}

local DOPRI5 = {args = " ODE_DOPRI5_ARGS(A)", to = "ODE_TO_DOPRI5(a)"}

local function kernel(b, name, p, what, how, of)
  return HEAD:format(what, of, name:upper(), how == FUNCTIONS and "INOUT" or "IN", how.args, name, name:upper(), name,
    how.moment or "(a)", how.to, branches(b, p))
end

local function row(b, name, p, doc, more)
  local first, last = b:bounds(p)
  return ('PRIM(%s, %s_ARGS, UNTYPED, VERTEX, "%d*cells", TOLERANCE, "", "",\n     "%s(numbers, places, x%s): %s")\n'):format(name,
    name:upper(), last - first, name, more or "", doc)
end

-- The phases of assignments between steps that have threads: {suffix of the row's name, phase, form, doc, more arguments}.
local function jumps_of(b)
  local list = {}
  for k, x in ipairs {{"before", BEFORE, "the values that are assigned before a step.", ", x_next"},
    {"after", AFTER, "the values that are assigned after a step.", ", x_next"},
    {"ports", FUNCTIONS, "what ports take from assigned variables."}} do
    local first, last = b:bounds(b.phases + k)
    if b.jumps > 0 and last > first then list[#list + 1] = {x[1], b.phases + k, x[2], x[3], x[4]} end
  end
  return list
end

-- The steps of a loop that make the assignments before a step (order 0) or after it (1).
local function jump_steps(b, model, order)
  local list, when = {}, order == 0 and "before" or "after"
  for _, x in ipairs(jumps_of(b)) do
    if x[1] == when then
      list[1], list[2] = ("%s_%s"):format(model, when), ("ode_jumped, WITH(order, %d)"):format(order)
    elseif x[1] == "ports" and #list > 0 then
      list[3] = model .. "_ports"
    end
  end
  return list
end

local function loop(b, name, states, stages)
  local out = {("LOOP(%s, UNTYPED, \"%s{numbers, places, x, x_next, ..., rows = 100, steps = 10}: the loop of %s.\")"):format(name,
    name, states)}
  local function put(depth, text) out[#out + 1] = ("  "):rep(depth) .. text end
  put(1, 'FOR(row, "rows")')
  put(2, 'FOR(step, "steps")')
  local model = states:match "^(.-)_states"
  for _, step in ipairs(jump_steps(b, model, 0)) do put(3, ("STEP(%s)"):format(step)) end
  if stages then put(3, ('FOR(stage, "%d")'):format(stages)) end
  local depth = stages and 4 or 3
  put(depth, ("STEP(%s)"):format(states))
  put(depth, "SWAP(x, x_next)")
  for p = 1, b.phases do put(depth, ("STEP(%s_%d)"):format(model, p)) end
  if stages then put(3, "END_FOR") end
  local after = b.timed and {"ode_tick", "ode_events", "ode_remember"} or {}
  for k, step in ipairs(jump_steps(b, model, 1)) do table.insert(after, 1 + k, step) end
  for _, step in ipairs(after) do put(3, ("STEP(%s)"):format(step)) end
  put(2, "END_FOR")
  put(2, "STEP(ode_record)")
  put(1, "END_FOR")
  put(0, ("END_LOOP(%s)\n"):format(name))
  return table.concat(out, "\n")
end

-- Adaptive steps: the loop ode_dopri5 of kernels/ode/ode.def, with the kernels of this model.
local DOPRI5_LOOP = [[
LOOP(NAME_dopri5, UNTYPED, "NAME_dopri5{numbers, places, x, x_next, begin, ...}: the loop of NAME_states_dopri5.")
  REPEAT
    FOR(stage, "6")
      STEP(NAME_states_dopri5)
      SWAP(x, x_next)
FUNCTIONS
    END_FOR
    STEP(NAME_states_dopri5, WITH(stage, 6))
    STEP(ode_error_sums)
    STEP(ode_step_control)
    IF(accepted)
      REPEAT
        STEP(ode_row_state)
        LEAVE_IF_NONE(due)
FUNCTIONS_OF_ROW
        STEP(ode_record_row)
        STEP(ode_row_done)
      UNTIL(due)
      STEP(ode_accept)
    END_IF
  UNTIL(left)
END_LOOP(NAME_dopri5)
]]

local function dopri5_loop(b, name)
  local of_stage, of_row = {}, {}
  for p = 1, b.phases do
    of_stage[p] = ("      STEP(%s_%d)\n"):format(name, p)
    of_row[p] = ("        STEP(%s_%d, WITH(x, x_row))\n"):format(name, p)
  end
  local what = {NAME = name, FUNCTIONS = table.concat(of_stage), FUNCTIONS_OF_ROW = table.concat(of_row)}
  return (DOPRI5_LOOP:gsub("(FUNCTIONS[%u_]*)\n", what):gsub("NAME", what))
end

local files = {__name = "kernels", __index = {}}
files.__tostring = function(f)
  local names = {}
  for name, text in pairs(f) do names[#names + 1] = ("%s (%d bytes)"):format(name, #text) end
  table.sort(names)
  return table.concat(names, "\n")
end

function files.__index:save(folder)
  if type(folder) ~= "string" then error("files:save: a folder expected, as in files:save(\"kernels/lr\")", 2) end
  for name, text in pairs(self) do
    local file, why = io.open(folder .. "/" .. name, "w")
    if not file then error("files:save: " .. why, 2) end
    local written, problem = file:write(text)
    local closed, other = file:close()
    if not (written and closed) then error(("files:save: %s/%s: %s"):format(folder, name, problem or other), 2) end
  end
  return self
end

local function check_name(name, what, most, level)
  if type(name) ~= "string" or not name:find "^%l[%l%d_]*$" or #name > (most or 32) then
    error(("%s: 'name' must be small letters, digits and _, at most %d characters, as in {name = \"lr\"}"):format(what,
      most or 32), level or 3)
  end
end

translate.check_name = check_name

-- Checks that b is bytecode: the methods write into it, and in another table, such as prim, that would cause an error much later.
local function check_bundle(b, what)
  if type(b) ~= "table" or b.translate ~= bytecode.translate then
    error(("%s: expected the result of m:bytecode, not a %s"):format(what, type(b)), 3)
  end
end

function bytecode:translate(o)
  check_bundle(self, "b:translate")
  o = o or {}
  if type(o) ~= "table" then error("b:translate: options must be a table, as in b:translate{name = \"lr\"}", 2) end
  local name = o.name or "model"
  check_name(name, "b:translate")
  local of = tostring(self.model):match "^model ([^:]*)":gsub("%*/", "* /")
  local out, rows = {}, {("/* %s: made from bytecode by b:translate. */\n"):format(of)}
  for p = 0, self.phases - 1 do
    local phase = ("%s_%d"):format(name, p + 1)
    out[phase .. ".h"] = kernel(self, phase, p, "Phase " .. p + 1, FUNCTIONS, of)
    rows[#rows + 1] = row(self, phase, p, ("phase %d of the functions."):format(p + 1))
  end
  local euler, rk4, dopri5 = name .. "_states_euler", name .. "_states_rk4", name .. "_states_dopri5"
  out[euler .. ".h"] = kernel(self, euler, self.phases, "States, an Euler step,", EULER, of)
  out[rk4 .. ".h"] = kernel(self, rk4, self.phases, "States, a stage of Runge and Kutta's method,", RK4, of)
  rows[#rows + 1] = row(self, euler, self.phases, "the states one Euler step later.", ", x_next, dt")
  rows[#rows + 1] = row(self, rk4, self.phases, "the states of the next stage.", ", x_next, begin, rate, dt, stage")
  for _, x in ipairs(jumps_of(self)) do
    local row_name = ("%s_%s"):format(name, x[1])
    out[row_name .. ".h"] = kernel(self, row_name, x[2], "Assignments between steps: " .. x[1] .. ",", x[3], of)
    rows[#rows + 1] = row(self, row_name, x[2], x[4], x[5])
  end
  rows[#rows + 1] = loop(self, name .. "_euler", euler)
  rows[#rows + 1] = loop(self, name .. "_rk4", rk4, 4)
  if not self.timed then
    out[dopri5 .. ".h"] = kernel(self, dopri5, self.phases, "States, a stage of Dormand and Prince's method,", DOPRI5, of)
    rows[#rows + 1] = row(self, dopri5, self.phases, "the states of the next stage.", ", x_next, begin, slopes, pace, stage")
    rows[#rows + 1] = dopri5_loop(self, name)
  end
  out[name .. ".def"] = table.concat(rows)
  return setmetatable(out, files)
end

local compile_row, compile_loop = _G.kernel, _G.loop
local made = 0 -- number of compiled models without a given name

-- Compiles those rows and loops of b:translate for which wanted(name without the model's prefix) is true.
local function compile(b, name, wanted)
  local texts = b:translate {name = name}
  for row_text in texts[name .. ".def"]:gmatch "PRIM%b()" do
    local row_name = row_text:match "PRIM%(([%w_]+)"
    if wanted(row_name:sub(#name + 2)) then
      compile_row.generated(texts[row_name .. ".h"] .. "\n" .. row_text .. "\n")
      if compile_row.bounds() == "own" then compile_row.bounds(row_name, "off") end -- kernels from bytecode stay within their arrays
    end
  end
  for text in texts[name .. ".def"]:gmatch "LOOP%(.-END_LOOP%b()" do
    if wanted(text:match "LOOP%(([%w_]+)":sub(#name + 2)) then compile_loop(text) end
  end
end

-- The kernel that makes many steps by the method, and its arguments.
local function compile_many(b, name, method, processor)
  local form = processor == "cpu" and "steps" or "grid"
  local row_name = ("%s_%s_%s"):format(name, form, method)
  local s = bytecode[form .. "_text"](b, method, row_name)
  compile_row.generated(s.text)
  local function list(kind, values) return buffer.new(kind, #values > 0 and values or {0}) end
  local slot, entry, factor = list("u32", s.slot), list("u32", s.entry), list("f64", s.factor)
  return {row = _G[row_name], args = {slot = slot, entry = entry, entries = #entry, factor = factor,
    factors = #factor, team = s.team, work = buffer.new("f64", s.space)}}
end

-- Sets up two tables whose kernels are compiled on first access: self.loops, loops that run phase by phase, {euler, rk4, dopri5}; and
-- self.many, kernels that make many steps, {cpu = {euler, rk4}, cuda = {euler, rk4}}. With the option 'grid' a CPU runs the kernels for CUDA.
function bytecode:compile(o)
  check_bundle(self, "b:compile")
  o = type(o) == "table" and o or {}
  local name, b, phases = o.name, self, false
  if not name then
    made = made + 1
    name = "translated" .. made
  end
  check_name(name, "b:compile")
  self.loops = setmetatable({}, {__index = function(loops, method)
    if method == "dopri5" and b.timed then return nil end
    if not phases then
      compile(b, name, function(row_name) return row_name:find "^%d+$" or row_name == "before" or row_name == "after" or row_name == "ports" end)
    end
    phases = true
    compile(b, name, function(row_name) return row_name == method or row_name == "states_" .. method end)
    loops[method] = _G[name .. "_" .. method]
    return loops[method]
  end})
  local function many_by(processor)
    return setmetatable({}, {__index = function(many, method)
      many[method] = compile_many(b, name, method, processor)
      return many[method]
    end})
  end
  local by_grid = many_by "cuda"
  self.many = not self.timed and not o.phases and {cpu = o.grid and by_grid or many_by "cpu", cuda = by_grid} or nil
  local kernels = self.many and o.method ~= "dopri5" and self.many[device().processor] or self.loops
  for _, method in ipairs(o.method and {o.method} or {"euler", "rk4"}) do local _ = kernels[method] end
  return self
end

return translate
