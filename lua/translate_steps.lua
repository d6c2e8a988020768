-- b:steps_text: bytecode as the text of a kernel that makes many steps on a CPU (kernels/ode/ode_steps.h). It computes what the
-- kernels of b:translate do, in the same order, but so that a processor's vectors have several instances of an equation each:
-- instances are sorted, and variables moved, until neighbours read and write neighbours.

local MUTE = 0x80000000
local LEAST = 8 -- neighbours that are worth a loop of their own
local FEW = 4 -- instances without neighbours that are written one by one
local WORTH = 24000 -- instructions of a step for each thread

-- --- what there is ---

-- The operands of the instructions from pc on, in their order: {kind = "read", "write" or "number", at = place or where its
-- table begins, each = is it one?}, and how many instructions they are.
local KINDS = {VARIABLE = {"read"}, VARIABLE_IND = {"read", true}, ASSIGN = {"write"}, ASSIGN_IND = {"write", true},
  CONSTANT_IND = {"number", true}}
local function operands(b, pc)
  local list, first = {}, pc
  while true do
    local word = b.codes[pc]
    local op, x = model.instructions[word & 0xff], word >> 32
    if op == "END" then return list, pc - first end
    local kind = KINDS[op]
    if kind then list[#list + 1] = {kind = kind[1], at = x, each = kind[2]} end
    pc = pc + 1
  end
end

-- The units of a phase, without threads that do nothing; an instance is {place or number of each operand}.
local function units_of(b, p)
  local list, t = {}, b.first[p]
  while t < b.first[p + 1] do
    local n, live = b.unit[t], 0
    while live < n and b.index[t + live] & MUTE == 0 do live = live + 1 end
    if live > 0 then
      local pc = b.index[t]
      local ops, length = operands(b, pc)
      local u = {pc = pc, ops = ops, length = length, states = p == b.phases, id = ("%d.%d"):format(p, #list)}
      for i = 1, live do
        local values = {}
        for k, op in ipairs(ops) do
          local table_of = op.kind == "number" and b.numbers or b.places
          values[k] = op.each and table_of[op.at + i - 1] or op.at
        end
        u[i] = {values = values}
      end
      list[#list + 1] = u
    end
    t = t + n
  end
  return list
end

-- Who writes each place; what no step changes: parameters, and functions of nothing else. `still` of an instance are the
-- assignments that need not be made.
local function origins(phases)
  local made = {}
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for i, instance in ipairs(u) do
        for k, op in ipairs(u.ops) do
          if op.kind == "write" then
            made[instance.values[k]] = {unit = u, instance = instance, number = i, still = not u.states}
          end
        end
      end
    end
  end
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for _, instance in ipairs(u) do
        local still, bits = true, {}
        for k, op in ipairs(u.ops) do
          local of = made[instance.values[k]]
          if op.kind == "read" then still = still and (not of or of.still)
          elseif op.kind == "write" then
            of.still = of.still and still
            bits[#bits + 1], still = of.still and "s" or "m", true
          end
        end
        instance.bits = table.concat(bits)
      end
    end
  end
  return made
end

local function region(made, place)
  local of = made[place]
  if not of or of.still then return "still" end
  return of.unit.states and "from" or "made"
end

-- --- order ---

-- Sorts the instances of each unit: those that are of one kind follow each other. A kind is the numbers, and who makes what is
-- read, and how far from each other: of two neighbours of a cell, which? What a kind reads from is of what kind is not asked: it
-- would tell cells apart by how far they are from an end.
local function sort(phases, made)
  local kinds, count = {}, 0 -- numbers for them, which are shorter
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for _, instance in ipairs(u) do
        local key = {u.id, instance.bits}
        for k, op in ipairs(u.ops) do
          if op.kind == "number" then key[#key + 1] = ("%.17g"):format(instance.values[k])
          elseif op.kind == "read" then key[#key + 1] = region(made, instance.values[k]) end
        end
        local text = table.concat(key, " ")
        if not kinds[text] then count, kinds[text] = count + 1, count + 1 end
        instance.kind = kinds[text]
      end
    end
  end
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      local groups = {} -- in the order in which they are met
      for _, instance in ipairs(u) do
        local key, number_of = {instance.kind}, {}
        for k, op in ipairs(u.ops) do
          local of = op.kind == "read" and made[instance.values[k]]
          if of and of.unit ~= u then
            local first = number_of[of.unit]
            number_of[of.unit] = first or of.number
            key[#key + 1] = of.instance.kind .. (first and " " .. of.number - first or "")
          end
        end
        local text = table.concat(key, "|")
        if not groups[text] then
          groups[text] = {}
          groups[#groups + 1] = groups[text]
        end
        table.insert(groups[text], instance)
      end
      local at = 1
      for _, group in ipairs(groups) do
        table.move(group, 1, #group, at, u)
        at = at + #group
      end
    end
  end
end

-- The slot of each place: {still, functions, states}, each unit's in the order of its instances; time is the last state.
local function slots_of(b, phases, made)
  local lists = {still = {}, made = {}, from = {}}
  for p = 0, b.vars - 1 do
    if not made[p] then table.insert(lists.still, p) end
  end
  local time
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for k, op in ipairs(u.ops) do
        for _, instance in ipairs(op.kind == "write" and u or {}) do
          local place = instance.values[k]
          if place == b.vars - 1 then time = place else table.insert(lists[region(made, place)], place) end
        end
      end
    end
  end
  lists.from[#lists.from + 1] = time
  local slot, within, count = {}, {}, 0
  for _, name in ipairs {"still", "made", "from"} do
    for i, place in ipairs(lists[name]) do
      slot[place], within[place] = count, i - 1
      count = count + 1
    end
  end
  return slot, within, {still = #lists.still, made = #lists.made, states = #lists.from, timed = time ~= nil}
end

-- Pieces of a unit in which every operand goes on by 0 or 1 from instance to instance: {first, last}.
local function pieces_of(u, within, made)
  local function step(k, i) -- of operand k, from instance i to the next; nil: it is elsewhere
    local x, y = u[i].values[k], u[i + 1].values[k]
    if u.ops[k].kind == "number" then return 0 end
    if region(made, x) ~= region(made, y) then return nil end
    local by = within[y] - within[x]
    return (by == 0 or by == 1) and by or nil
  end
  local list, first = {}, 1
  while first <= #u do
    local last, by = first, {}
    while last < #u and u[last].bits == u[last + 1].bits do
      local fits = true
      for k = 1, #u.ops do
        local s = step(k, last)
        fits = fits and s and (last == first or s == by[k])
        if last == first then by[k] = s end
      end
      if not fits then break end
      last = last + 1
    end
    list[#list + 1] = {first = first, last = last}
    first = last + 1
  end
  return list
end

-- The pieces that are written: {unit, first .. last} in the unit, with neighbours or `scattered`.
local function parts_of(u, within, made)
  local list, rest = {}, {}
  for _, piece in ipairs(pieces_of(u, within, made)) do
    local part = {unit = u, bits = u[piece.first].bits, table.unpack(u, piece.first, piece.last)}
    if not part.bits:find "m" then -- nothing to be computed
    elseif #part >= LEAST then list[#list + 1] = part
    else
      for _, instance in ipairs(part) do
        local key = {instance.bits}
        for k, op in ipairs(u.ops) do
          if op.kind == "read" then key[#key + 1] = region(made, instance.values[k]) end
        end
        local name = table.concat(key, " ")
        if not rest[name] then
          rest[name] = {unit = u, bits = instance.bits, scattered = true}
          rest[#rest + 1] = rest[name]
        end
        table.insert(rest[name], instance)
      end
    end
  end
  for _, part in ipairs(rest) do
    if #part >= FEW then list[#list + 1] = part
    else
      for _, instance in ipairs(part) do list[#list + 1] = {unit = u, bits = part.bits, instance} end
    end
  end
  return list
end

-- --- text ---

local Part = setmetatable({}, {__index = bytecode.unit})
Part.__index = Part

-- Operands are asked for in the order of the unit's.
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
local function same(part, j, k)
  for _, instance in ipairs(part) do
    if instance.values[j] ~= instance.values[k] then return false end
  end
  return true
end

-- The text of the index of operand k.
local function index(t, part, k)
  local within, first = t.within, t.within[part[1].values[k]]
  local at
  if #part == 1 or not part.scattered and within[part[2].values[k]] == first then at = ("%d"):format(first)
  elseif not part.scattered then at = ("%d + i"):format(first) -- u64: a u32 might wrap, and would be no neighbour
  else
    at = ("entry[%d + i]"):format(#t.entry)
    for _, instance in ipairs(part) do t.entry[#t.entry + 1] = within[instance.values[k]] end
  end
  return t.cells == 1 and at or ("(u64)(%s)*p->cells + c"):format(at), not at:find "i"
end

local function number(t, part, k)
  local first, alike = part[1].values[k], true
  for _, instance in ipairs(part) do alike = alike and string.pack("d", instance.values[k]) == string.pack("d", first) end
  if alike then return bytecode.literal(first) end
  local at = #t.factor
  for _, instance in ipairs(part) do t.factor[#t.factor + 1] = instance.values[k] end
  return ("p->factor[%d + i]"):format(at)
end

-- Names of the operands; what is loaded before the loop, and in it.
local function name_operands(t, part)
  local u, name, target, before, within = part.unit, {}, {}, {}, {}
  local writes, bits = {}, 0
  for k, op in ipairs(u.ops) do
    if op.kind == "number" then name[k] = number(t, part, k)
    elseif op.kind == "write" then
      bits = bits + 1
      name[k] = ("y%d"):format(k)
      if part.bits:sub(bits, bits) == "m" then
        target[k], writes[#writes + 1] = index(t, part, k), k
      end
    else
      for j = 1, k - 1 do
        local known = u.ops[j].kind == "read" or target[j]
        if not name[k] and known and same(part, j, k) then name[k] = name[j] end
      end
      if not name[k] then
        local at, fixed = index(t, part, k)
        name[k] = ("x%d"):format(k)
        local list = fixed and t.cells == 1 and before or within
        list[#list + 1] = ("const f64 %s = %s[%s];"):format(name[k], region(t.made, part[1].values[k]), at)
      end
    end
  end
  return name, target, before, within
end

local STORES = {functions = "made[TARGET] = VALUE;", euler = "to[TARGET] = from[TARGET] + h * VALUE;", rk4 = "to[TARGET] = VALUE;"}

local function write_part(t, out, part, store, turn)
  local loops = #part > 1 or t.cells > 1
  local name, target, before, within = name_operands(t, part)
  local text = setmetatable({b = t.b, out = out, at = 0, name = name, target = target, store = store, indent = "  "}, Part)
  text:put "{"
  text.indent = "    "
  if loops then
    local n = t.cells > 1 and "p->cells" or #part
    text:put("const u32 first = ode_first(p, %s, %d), last = ode_last(p, %s);", n, turn, n)
  end
  for _, line in ipairs(before) do text:put("%s", line) end
  if t.cells > 1 and #part > 1 then text:put("ODE_EACH (u64 i = 0; i < %d; i++)", #part) end
  if loops then
    text:put("ODE_LANES (u64 %s = first; %s < last; %s++) {", table.unpack(t.cells > 1 and {"c", "c", "c"} or {"i", "i", "i"}))
    text.indent = "      "
  end
  for _, line in ipairs(within) do text:put("%s", line) end
  text:read(part.unit.pc, t.b.words)
  text.indent = "    "
  if loops then text:put "}" end
  text.indent = "  "
  text:put "}"
end

local function write_phase(t, name, units, store)
  local out, singles, turn = {}, {}, 0
  local function put(form, ...) out[#out + 1] = form:format(...) end
  for _, u in ipairs(units) do
    for _, part in ipairs(parts_of(u, t.within, t.made)) do
      turn = turn + 1
      write_part(t, #part == 1 and t.cells == 1 and singles or out, part, store, turn)
    end
  end
  if #singles > 0 then
    put "  if (p->me == 0) {"
    table.move(singles, 1, #singles, #out + 1, out)
    put "  }"
  end
  if #out == 0 then return nil end
  table.insert(out, 1, ("static void %s(const ode_part *p) {"):format(name))
  table.insert(out, 2, "  const f64 *restrict const still = p->still, *restrict const from = p->from, h = p->h;")
  table.insert(out, 3, ("  f64 *restrict const made = p->made, *restrict const to = p->to;"))
  table.insert(out, 4, "  const u32 *const entry = p->entry;")
  table.insert(out, 5, "  (void)still, (void)from, (void)h, (void)made, (void)to, (void)entry;")
  put "}"
  return table.concat(out, "\n")
end

local HEAD = [[
/* Steps of %s by %s: made from bytecode. */
#include "ode/ode_steps.h"
PRIM(NAME, NAME_ARGS, UNTYPED, CPU_LIBRARY, "made", TOLERANCE, "", "",
     "NAME(x, slot, entry, factor, work, dt, column, record, vars, cells, columns, rows, steps, row, made, team): many steps.")
#define NAME_ARGS(A, W) ODE_STEPS_ARGS(A)
ARGS(NAME, NAME_ARGS)
]]
local FOOT = [[
static void NAME_phases(const ode_part *p) {
  (void)p;
%s}
CPU_LIBRARY(NAME) {
  const ode_steps_model m = {%d, %d, %d, %s, %s, NAME_phases, NAME_rates};
  ODE_STEPS(L, a, count, &m)
}
]]

--- b:steps_text(method, name): the text of a row `name` that makes steps by euler or rk4; what it is given: slot, entry, factor
--- (lists), space (numbers in work), team (threads that may be worth while).
function bytecode:steps_text(method, name)
  if not STORES[method] or method == "functions" then
    error(("b:steps_text: the method is \"euler\" or \"rk4\", not %s"):format(tostring(method)), 2)
  end
  if self.timed then error("b:steps_text: events, delays and random numbers are for kernels of phases: b:translate", 2) end
  bytecode.check_name(name, "b:steps_text", 64)
  local phases, instructions = {}, 0
  for p = 0, self.phases do
    phases[p + 1] = units_of(self, p)
    for _, u in ipairs(phases[p + 1]) do instructions = instructions + u.length * #u * self.cells end
  end
  local made = origins(phases)
  sort(phases, made)
  local slot, within, counts = slots_of(self, phases, made)
  local t = {b = self, cells = self.cells, made = made, within = within, entry = {}, factor = {}}
  local of = tostring(self.model):match "^model ([^:]*)":gsub("%*/", "* /")
  local out, calls = {HEAD:format(of, method)}, {}
  for p = 1, self.phases do
    local text = write_phase(t, ("NAME_%d"):format(p), phases[p], STORES.functions)
    if text then
      out[#out + 1], calls[#calls + 1] = text, ("  NAME_%d(p);\n  ODE_MEET\n"):format(p)
    end
  end
  out[#out + 1] = write_phase(t, "NAME_rates", phases[self.phases + 1], STORES[method]) or
    "static void NAME_rates(const ode_part *p) { (void)p; }"
  local rk4 = method == "rk4"
  out[#out + 1] = FOOT:format(table.concat(calls), counts.still, counts.made, counts.states, counts.timed, rk4)
  local list = {}
  for p = 0, self.vars - 1 do list[p + 1] = slot[p] end
  return {text = (table.concat(out, "\n"):gsub("NAME", name)), team = math.max(1, instructions // WORTH), slot = list, entry = t.entry,
    factor = t.factor, space = (counts.still + counts.made + (rk4 and 5 or 2) * counts.states) * self.cells}
end
