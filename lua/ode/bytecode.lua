-- m:bytecode translates the equations of a model into bytecode that runs in phases. Okuyama 2013, chapter 5.

local algorithm = import "base/algorithm"

local methods = debug.getregistry()["lockstep.model"].__methods

local MUTE = 0x80000000
local ORDER = {"fold", "sum", "merge", "reorder", "redundant", "unify", "remap"}
local DEFAULTS = {fold = false, sum = true, merge = true, reorder = true, redundant = true, unify = "phase", remap = true}
local bytecode = {} -- the methods of a bytecode object
algorithm.kinds.bytecode = bytecode

-- A bytecode object is a bundle: a table of arguments, from which each primitive takes the arguments that it declares.
local kind = {__name = "bundle", __index = bytecode}

-- The phases of assignments between steps, which follow the states; b.jump_first has the bounds of their threads.
local JUMPS = {"before", "after", "ports"}

--- The first thread of a phase, and the first after its last. Phases are numbered from 0: b.phases is that of the states, and
--- b.phases + 1 to b.phases + 3 are those of the assignments before a step, after it, and of the ports.
function bytecode:bounds(p)
  local k = p - self.phases - 1
  if k >= 0 then return self.jump_first[k], self.jump_first[k + 1] end
  return self.first[p], self.first[p + 1]
end

-- The numbers of the phases that have threads, in order, and their names: 1, 2, ..., "states", "before", "after", "ports".
local function all_phases(b)
  local list, names = {}, {}
  for p = 0, b.phases + (b.jumps > 0 and #JUMPS or 0) do
    local first, last = b:bounds(p)
    if last > first or p == b.phases then
      list[#list + 1] = p
      names[#list] = p < b.phases and p + 1 or p == b.phases and "states" or JUMPS[p - b.phases]
    end
  end
  return list, names
end

local function ways(b)
  local out = {}
  for _, name in ipairs(ORDER) do
    local way = b.options[name]
    if way == true then out[#out + 1] = name elseif way and way ~= "none" then out[#out + 1] = name .. " a " .. way end
  end
  return #out > 0 and table.concat(out, ", ") or "as it is"
end

function methods:bytecode(options)
  options = options or {}
  if type(options) ~= "table" then error("m:bytecode: options must be a table, as in m:bytecode{merge = false}", 2) end
  local o = {start = options.start}
  for name, way in pairs(options) do
    if DEFAULTS[name] == nil and name ~= "base" and name ~= "cells" and name ~= "start" then
      error(("m:bytecode: no option is called '%s'; the options are base, cells, start, %s"):format(tostring(name),
        table.concat(ORDER, ", ")), 2)
    end
    o[name] = way
  end
  for name, way in pairs(DEFAULTS) do
    if o[name] == nil and not options.base then o[name] = way end
  end
  local cells = algorithm.whole(options.cells or 1)
  if math.type(cells) ~= "integer" or cells < 1 then error("m:bytecode: cells must be a whole number from 1 on", 2) end
  if o.start ~= nil and type(o.start) ~= "number" then
    error(("m:bytecode: start must be a number, not a %s"):format(type(o.start)), 2)
  end
  local b = model.compile(self, o)
  if cells >= (1 << 32) // b.widest then
    error(("m:bytecode: cells is %d, expected at most %d, because a cell has %d threads"):format(cells, (1 << 32) // b.widest - 1,
      b.widest), 2)
  end
  b.options, b.model, b.cells = o, self, cells
  return setmetatable(b, kind)
end

function bytecode:counters()
  local rows, all = {}, {phase = "all"}
  local phases, names = all_phases(self)
  for k, p in ipairs(phases) do
    local c = self.code:count(p)
    for name, x in pairs(c) do all[name] = (all[name] or 0) + x end
    c.phase = names[k]
    rows[#rows + 1] = c
  end
  rows[#rows + 1] = all
  local text = {"phase  threads redundant  warps kinds   steps  issued divergent requests sectors"}
  for _, c in ipairs(rows) do
    text[#text + 1] = ("%-6s %7d %9d %6d %5d %7d %7d %9d %8d %7d"):format(c.phase, c.threads, c.redundant, c.warps, c.kinds,
      c.steps, c.issued, c.divergent, c.requests, c.sectors)
  end
  return setmetatable(rows, {__name = "counters", __tostring = function() return table.concat(text, "\n") end})
end

-- --- the listing ---

local TABLES = {CONSTANT_IND = "numbers", VARIABLE_IND = "places", ASSIGN_IND = "places"}
local NUMBERS, PLACES = {CONSTANT = true}, {VARIABLE = true, ASSIGN = true}
local COUNTS = {JUMP = true, JUMP_IF_NOT = true}

local function operand(b, t, op, x, pc)
  if NUMBERS[op] then return ("%.17g"):format(b.numbers[x]) end
  if PLACES[op] then return b.code:name(x) end
  if COUNTS[op] then return ("to %d"):format(pc + 1 + x) end
  if op:find("_NARY$") then return tostring(x) end
  if not TABLES[op] then return "" end
  local list = {}
  local n = b.unit[t]
  for _, k in ipairs(n <= 4 and {0, 1, 2, 3} or {0, 1, 2, n - 1}) do
    if k < n then
      list[#list + 1] = op == "CONSTANT_IND" and ("%.10g"):format(b.numbers[x + k]) or b.code:name(b.places[x + k])
    end
  end
  if n > 4 then table.insert(list, 4, "...") end
  return ("%d: %s"):format(x, table.concat(list, " "))
end

-- Appends the instructions of thread t to out, one per line.
local function list_thread(b, t, out)
  local pc = b.index[t] & ~MUTE
  while true do
    local word = b.codes[pc]
    local op = model.instructions[word & 0xff]
    out[#out + 1] = ("  %6d  %-13s %s"):format(pc, op, operand(b, t, op, word >> 32, pc)):gsub("%s+$", "")
    if op == "END" then return end
    pc = pc + 1
  end
end

-- Checks the options of b:list that are whole numbers.
local function check_list(o)
  if type(o) ~= "table" then error("b:list: options must be a table, as in b:list{phase = 1}", 3) end
  for name, least in pairs {thread = 0, most = 0} do
    if o[name] ~= nil and (math.type(o[name]) ~= "integer" or o[name] < least) then
      error(("b:list: %s must be a whole number from %d on"):format(name, least), 3)
    end
  end
end

function bytecode:list(o)
  o = o or {}
  check_list(o)
  local out, told, most = {}, 0, o.most or 8
  local phases, names = all_phases(self)
  if o.phase then
    local at
    for k, name in ipairs(names) do at = math.type(o.phase) ~= "float" and name == o.phase and k or at end
    if not at then
      error(("b:list: 'phase' must be %s\"%s\""):format(self.phases > 0 and ("a whole number from 1 to %d, or "):format(self.phases) or
        "left out, because this bytecode has no phase of functions, or ", table.concat(names, '" or "', self.phases + 1)), 2)
    end
    phases, names = {phases[at]}, {names[at]}
  end
  for k, p in ipairs(phases) do
    local first, last = self:bounds(p)
    out[#out + 1] = ("%s: %s"):format(p < self.phases and "phase " .. p + 1 or names[k], algorithm.counted(last - first, "thread"))
    local t = first + (o.thread or 0)
    told = 0
    while t < last do
      local n = self.unit[t] - self.lane[t]
      if told == most then
        out[#out + 1] = "  ..."
        break
      end
      local mute = 0
      for k = t, t + n - 1 do if self.index[k] & MUTE ~= 0 then mute = mute + 1 end end
      out[#out + 1] = (n == 1 and " thread %d%s" or " threads %d to %d%s"):format(t - first,
        n == 1 and (mute > 0 and ", redundant" or "") or t - first + n - 1,
        n > 1 and mute > 0 and (", %d of them redundant"):format(mute) or "")
      list_thread(self, t, out)
      told = told + 1
      t = t + n
      if o.thread then break end
    end
  end
  return setmetatable(out, {__tostring = function(list) return table.concat(list, "\n") end, __name = "lines"})
end

local function kib(bytes) return bytes < 10240 and ("%d B"):format(bytes) or ("%.0f KiB"):format(bytes / 1024) end

local function say(b)
  local phases = {}
  for k, p in ipairs((all_phases(b))) do
    local first, last = b:bounds(p)
    phases[k] = ("%d"):format(last - first)
  end
  return ("bytecode of %s: threads %s; %s in %d instructions, %s in tables, stack of %d, %s (%s)"):format(
    tostring(b.model):match("^model ([^:]*)"), table.concat(phases, " -> "), kib(8 * b.words), b.words,
    kib(8 * b.constants + 4 * b.operands), b.stack, algorithm.counted(b.cells, "cell"), ways(b))
end
kind.__tostring = say

return bytecode
