-- The text that kernels of many steps have in common on CPU and CUDA: the code for the instances of an equation, and the frame of the
-- whole kernel. lua/ode/translate_layout.lua defines the layout of variables and instances.

local symbolic = import "ode/symbolic"
local translate = import "ode/translate"
local translate_layout = import "ode/translate_layout"
local translate_parts = {}

local Part = setmetatable({}, {__index = translate.unit})
Part.__index = Part

-- Returns the name of the next operand: Unit:read asks for operands in their order in the unit.
function Part:next()
  self.at = self.at + 1
  return self.name[self.at]
end
Part.variable, Part.variables, Part.constants = Part.next, Part.next, Part.next
function Part:assign(_, value)
  local name, target = self:next(), self.target[self.at]
  if not target then return end
  self:put("const f64 %s = %s;", name, value)
  self:put(self.store:gsub("TARGET", target):gsub("VALUE", name))
end
Part.assign_each = Part.assign

function Part:put(form, ...) self.out[#self.out + 1] = self.indent .. form:format(...) end

-- Are two operands the same for all instances?
local function same(part, x, y)
  for _, i in ipairs(x ~= y and part or {}) do
    if x[i] ~= y[i] then return false end
  end
  return true
end

-- The text of the index of an operand; and whether it is the same for all instances.
local function index(t, part, values)
  local within, first = t.within, t.within[values[part[1]]]
  local at
  if #part == 1 or not part.scattered and within[values[part[2]]] == first then at = ("%d"):format(first)
  elseif not part.scattered then at = ("%d + i"):format(first) -- on a CPU i is u64: a sum in u32 might wrap, so the next element might not be adjacent
  else
    at = ("entry[%d + i]"):format(#t.entry)
    for _, i in ipairs(part) do t.entry[#t.entry + 1] = within[values[i]] end
  end
  return t.cells == 1 and at or ("(u64)(%s)*%s + c"):format(at, t.width), not at:find "i"
end

-- Are two numbers identical? 0 and -0 are not; NaNs are.
local function same_number(x, y) return x == y and (x ~= 0 or 1 / x == 1 / y) or x ~= x and y ~= y end

local function number(t, part, values)
  local first, alike = values[part[1]], true
  for _, i in ipairs(part) do alike = alike and same_number(values[i], first) end
  if alike then return symbolic.literal(first) end
  local at = #t.factor
  for _, i in ipairs(part) do t.factor[#t.factor + 1] = values[i] end
  return ("factor[%d + i]"):format(at)
end

-- Returns the names of the operands, the targets of assignments, and the lines that load operands before the loop and inside it.
local function name_operands(t, part)
  local u, name, target, before, within = part.unit, {}, {}, {}, {}
  local writes, bits = {}, 0
  for k, op in ipairs(u.ops) do
    if op.kind == "number" then name[k] = number(t, part, op.values)
    elseif op.kind == "write" then
      bits = bits + 1
      name[k] = ("y%d"):format(k)
      if part.bits:sub(bits, bits) == "m" then
        target[k], writes[#writes + 1] = index(t, part, op.values), k
      end
    else
      for j = 1, k - 1 do
        local known = u.ops[j].kind == "read" or target[j]
        if not name[k] and known and same(part, u.ops[j].values, op.values) then name[k] = name[j] end
      end
      if not name[k] then
        local at, fixed = index(t, part, op.values)
        name[k] = ("x%d"):format(k)
        local list = fixed and t.cells == 1 and before or within
        list[#list + 1] = ("const f64 %s = %s[%s];"):format(name[k], t.made.region[op.values[part[1]]], at)
      end
    end
  end
  return name, target, before, within
end

-- translate_parts.part_text(t, part, store): returns the lines that load operands before a loop over the part's instances, the lines that load
-- them inside it, and a function write(out, indent) that writes the computation. Fields of t: b, cells, width (the expression for the
-- number of cells), made, within; and the lists entry and factor, to which this function appends. store: the statement that assigns
-- VALUE to TARGET.
function translate_parts.part_text(t, part, store)
  local name, target, before, within = name_operands(t, part)
  local text = setmetatable({b = t.b, at = 0, name = name, target = target, store = store}, Part)
  return before, within, function(out, indent)
    text.out, text.indent = out, indent
    text:read(part.unit.pc, t.b.words)
  end
end

local HEAD = [[
/* Steps of %s by %s: made from bytecode. */
#include "%s"
PRIM(NAME, NAME_ARGS, UNTYPED, %s, TOLERANCE, "", "",
     "NAME(x, slot, entry, factor, work, dt, column, record, vars, cells, columns, rows, steps, row, made, team): many steps.")
#define NAME_ARGS(A, W) ODE_STEPS_ARGS(A)
ARGS(NAME, NAME_ARGS)
%s]]

-- translate_parts.many_text(b, method, name, form): generates a row `name` that makes many steps by the method "euler" or "rk4". Returns
--   1  a table: text, the source of the row; slot, entry and factor, lists that are arguments of the row; space, the length of its
--      argument `work`
--   2  the greatest number of threads of a phase
--   3  the number of instructions per step
-- Fields of form:
--   what     the name of the calling function, for messages
--   header   the file that the source includes
--   domain   the row's domain and number of items, as in PRIM
--   shape    the SHAPE line of the source, or ""
--   stores   stores.functions, stores.euler, stores.rk4: the statement that assigns VALUE to TARGET
--   width    the expression for the number of cells
--   phase    phase(t, name, units, store) returns the source of a phase (nil if the phase computes nothing) and its number of threads
--   none     the source of NAME_rates if there are no rates to compute
--   foot     the format of the end of the source
--   copies   the number of copies of the states that rk4 keeps in `work`
function translate_parts.many_text(b, method, name, form)
  if not form.stores[method] or method == "functions" then
    error(("%s: the method is \"euler\" or \"rk4\", not %s"):format(form.what, tostring(method)), 3)
  end
  translate.check_name(name, form.what, 64, 4)
  local l = translate_layout.layout(b, form.what)
  local counts, rk4 = l.counts, method == "rk4"
  local t = {b = b, cells = b.cells, width = form.width, made = l.made, within = l.within, entry = {}, factor = {}}
  local of = tostring(b.model):match "^model ([^:]*)":gsub("%*/", "* /")
  local out, calls, most = {HEAD:format(of, method, form.header, form.domain, form.shape)}, {}, 0
  local function phase(phase_name, units, store)
    local text, threads = form.phase(t, phase_name, units, store)
    most = math.max(most, threads or 0)
    return text
  end
  for p = 1, b.phases do
    local text = phase(("NAME_%d"):format(p), l.phases[p], form.stores.functions)
    if text then
      out[#out + 1], calls[#calls + 1] = text, ("  NAME_%d(p);\n  ODE_MEET\n"):format(p)
    end
  end
  out[#out + 1] = phase("NAME_rates", l.phases[b.phases + 1], form.stores[method]) or form.none
  out[#out + 1] = form.foot:format(table.concat(calls), counts.still, counts.made, counts.states, counts.timed, rk4)
  return {text = (table.concat(out, "\n"):gsub("NAME", name)), slot = l.slot, entry = t.entry, factor = t.factor,
    space = (counts.still + counts.made + (rk4 and form.copies or 2) * counts.states) * b.cells}, most, l.instructions
end

return translate_parts
