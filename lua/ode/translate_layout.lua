-- Data layout of the kernels that make many steps (b:steps_text, b:grid_text): sorts the instances of each equation, and moves
-- variables, so that consecutive instances access consecutive elements. Then vectors of a CPU and warps of a GPU can compute several
-- instances of an equation at once.

local translate_layout = {}

local MUTE = 0x80000000
local LEAST = 8 -- least number of consecutive instances that get a loop of their own
local FEW = 4 -- fewer scattered instances than this are written one by one
local FIRST = 0x80000000 -- in classes_by_origin: marks the first read of a unit; differs from every distance of two instances

-- --- units and their operands ---

local KINDS = {VARIABLE = {"read"}, VARIABLE_IND = {"read", true}, ASSIGN = {"write"}, ASSIGN_IND = {"write", true},
  CONSTANT_IND = {"number", true}}

local function alike(x, y)
  for i = 1, #x do
    if x[i] ~= y[i] then return false end
  end
  return true
end

-- The place or number of an operand for each of n instances; the same for all if the operand is not indirect.
local function values_of(b, kind, at, n)
  if kind[2] then return (kind[1] == "number" and b.numbers or b.places):totable(at, at + n) end
  local list = {}
  for i = 1, n do list[i] = at end
  return list
end

-- Reads a unit of n instances whose instructions begin at pc. ops: the operands of its instructions, in order: {kind = "read", "write"
-- or "number", values}. Operands with equal places in all instances share the list of values; columns: the operands without such
-- duplicates.
local function new_unit(b, pc, n)
  local u, first = {pc = pc, ops = {}, columns = {}, count = n}, pc
  while true do
    local word = b.codes[pc]
    local op, at = model.instructions[word & 0xff], word >> 32
    if op == "END" then break end
    local kind = KINDS[op]
    if kind then
      local new, known = {kind = kind[1], values = values_of(b, kind, at, n)}, nil
      for _, column in ipairs(new.kind ~= "number" and u.columns or {}) do
        known = known or column.kind ~= "number" and alike(column.values, new.values) and column or nil
      end
      if known then new.values = known.values else u.columns[#u.columns + 1] = new end
      u.ops[#u.ops + 1] = new
    end
    pc = pc + 1
  end
  u.length = pc - first
  return u
end

-- The units of a phase, without idle threads.
local function units_of(b, p)
  local list, t = {}, b.first[p]
  while t < b.first[p + 1] do
    local n = b.unit[t]
    local live = n -- idle threads come last
    while live > 0 and b.index[t + live - 1] & MUTE ~= 0 do live = live - 1 end
    if live > 0 then
      local u = new_unit(b, b.index[t], live)
      u.states = p == b.phases
      list[#list + 1] = u
    end
    t = t + n
  end
  return list
end

-- For each place: the unit that writes it, the number of the instance in this unit, and its region: "still" if no step changes it
-- (parameters, and functions that depend only on these), "from" for states, "made" for other functions. Also sets u.bits: for each
-- instance one letter per assignment: s if it is still, so that no step computes it, else m.
local function origins(phases, vars)
  local made = {unit = {}, number = {}, region = {}}
  for p = 0, vars - 1 do made.region[p] = "still" end
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for _, op in ipairs(u.ops) do
        for i, place in ipairs(op.kind == "write" and op.values or {}) do
          made.unit[place], made.number[place] = u, i
          if u.states then made.region[place] = "from" end
        end
      end
    end
  end
  local region = made.region
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      local moves, bits = {}, {}
      for _, op in ipairs(u.ops) do
        if op.kind == "read" then
          for i, place in ipairs(op.values) do
            if region[place] ~= "still" then moves[i] = true end
          end
        elseif op.kind == "write" then
          for i, place in ipairs(op.values) do
            if moves[i] and not u.states then region[place] = "made" end
            local bit = region[place] == "still" and "s" or "m"
            bits[i] = bits[i] and bits[i] .. bit or bit
          end
          moves = {}
        end
      end
      u.bits = bits
    end
  end
  return made
end

-- --- order ---

-- Refines a partition into classes: two instances stay in one class if they have the same key. Returns the class of each instance,
-- numbered from 1 on in the order of first occurrence, and the number of classes.
local function split(class, count, keys)
  local n, first, i = #class, keys[1], 1
  while i <= n and keys[i] == first do i = i + 1 end
  if i > n then return class, count end
  local known, out = {}, {}
  count = 0
  for k, of in ipairs(class) do
    local key = keys[k]
    if key ~= key then key = "nan" end
    local at = known[of]
    if not at then
      at = {}
      known[of] = at
    end
    local number = at[key]
    if not number then
      count = count + 1
      number, at[key] = count, count
    end
    out[k] = number
  end
  return out, count
end

-- The class of each instance of a unit, by its letters in u.bits, its numbers and the regions of the places that it reads; and the
-- number of classes.
local function classes_of(u, made)
  local class, keys = {}, {}
  for i = 1, u.count do class[i] = 1 end
  local count
  class, count = split(class, 1, u.bits)
  for _, column in ipairs(u.columns) do
    if column.kind == "number" then class, count = split(class, count, column.values)
    elseif column.kind == "read" then
      for i, place in ipairs(column.values) do keys[i] = made.region[place] end
      class, count = split(class, count, keys)
    end
  end
  return class, count
end

-- Refines the classes by the producer of each read (unit and class), and by the distance between the producing instance and the one
-- that produces the first read from the same unit.
local function classes_by_origin(u, made)
  local class, count, keys, firsts = u.class, u.classes, {}, {}
  for _, column in ipairs(u.columns) do
    for i, place in ipairs(column.kind == "read" and column.values or {}) do
      local of, number = made.unit[place], made.number[place]
      if of and of ~= u then
        local first = firsts[of]
        if not first then
          first = {}
          firsts[of] = first
        end
        keys[i] = of.kinds + of.class[number] << 32 | (first[i] and number - first[i] & 0xffffffff or FIRST)
        first[i] = first[i] or number
      else
        keys[i] = false
      end
    end
    if column.kind == "read" then class, count = split(class, count, keys) end
  end
  return class, count
end

-- Counting sort of a list by class, in place and stable. at: where each class begins.
local function gather(list, class, at)
  local out, next = {}, table.move(at, 1, #at, 1, {})
  for i, of in ipairs(class) do
    out[next[of]] = list[i]
    next[of] = next[of] + 1
  end
  table.move(out, 1, #out, 1, list)
end

-- Sorts the instances of each unit by kind. The kind of an instance is defined by its numbers, by the producers of what it reads, and
-- by the distances between these producers (for example, which of two neighbours of a cell). The kinds of the producers' own producers are
-- ignored: otherwise cells would differ by their distance from the end of a line.
local function sort(phases, made)
  local kinds, sorted = 0, {}
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      u.class, u.classes = classes_of(u, made)
      u.kinds, kinds = kinds, kinds + u.classes
    end
  end
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      local class, count = classes_by_origin(u, made)
      if count > 1 then sorted[u] = {class, count} end
    end
  end
  for u, by in pairs(sorted) do
    local class, sizes, at = by[1], {}, {1}
    for k = 1, by[2] do sizes[k] = 0 end
    for _, of in ipairs(class) do sizes[of] = sizes[of] + 1 end
    for k = 2, by[2] do at[k] = at[k - 1] + sizes[k - 1] end
    gather(u.bits, class, at)
    for _, column in ipairs(u.columns) do gather(column.values, class, at) end
  end
end

-- The slot of each place. The regions of slots follow each other in the order still, functions, states; within a region slots have the
-- order of the units' instances. Time is the last state. Returns the slots, the position of each place within its region, and the
-- sizes of the regions.
local function slots_of(b, phases, made)
  local lists = {still = {}, made = {}, from = {}}
  for p = 0, b.vars - 1 do
    if not made.unit[p] then table.insert(lists.still, p) end
  end
  local time
  for _, units in ipairs(phases) do
    for _, u in ipairs(units) do
      for _, op in ipairs(u.ops) do
        for _, place in ipairs(op.kind == "write" and op.values or {}) do
          local list = lists[made.region[place]]
          if place == b.vars - 1 then time = place else list[#list + 1] = place end
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

-- The last instance of the run that begins at `first`: from each instance to the next the operand's position increases by 0, or by 1,
-- within one region.
local function run_of(values, within, region, first)
  local last, p = first, values[first]
  local step = last < #values and within[values[last + 1]] - within[p]
  if step ~= 0 and step ~= 1 then return last end
  for i = first + 1, #values do
    local q = values[i]
    if within[q] - within[p] ~= step or p ~= q and region[p] ~= region[q] then break end
    last, p = i, q
  end
  return last
end

-- Splits a unit into pieces {first, last} in which every operand is a run (see run_of).
local function pieces_of(u, within, made)
  local list, first, ends = {}, 1, {} -- ends: where the run of each operand ends
  while first <= u.count do
    local last = first
    while last < u.count and u.bits[last + 1] == u.bits[first] do last = last + 1 end
    for k, column in ipairs(u.columns) do
      if column.kind ~= "number" then
        if first >= (ends[k] or 0) then ends[k] = run_of(column.values, within, made.region, first) end
        last = math.min(last, ends[k])
      end
    end
    list[#list + 1] = {first = first, last = last}
    first = last + 1
  end
  return list
end

-- translate_layout.parts(u, within, made): the parts of a unit for which separate code is generated. Each is a list of numbers of instances:
-- consecutive instances or, if its field `scattered` is set, instances that need a table of indices.
function translate_layout.parts(u, within, made)
  local list, rest = {}, {}
  for _, piece in ipairs(pieces_of(u, within, made)) do
    local part = {unit = u, bits = u.bits[piece.first]}
    for i = piece.first, piece.last do part[#part + 1] = i end
    if not part.bits:find "m" then -- nothing to compute
    elseif #part >= LEAST then list[#list + 1] = part
    else
      for _, instance in ipairs(part) do
        local key = {part.bits}
        for _, op in ipairs(u.ops) do
          if op.kind == "read" then key[#key + 1] = made.region[op.values[instance]] end
        end
        local name = table.concat(key, " ")
        if not rest[name] then
          rest[name] = {unit = u, bits = part.bits, scattered = true}
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

-- translate_layout.layout(b, what): returns a table: phases, lists of units (the last phase has the states); made, the producer of each place;
-- slot, the list of slots by place; within, the position of each place in its region; counts, the sizes of the regions; instructions,
-- their number per step. what: the name of the calling function, for errors.
function translate_layout.layout(b, what)
  if b.timed then error(what .. ": events, delays, random numbers and assignments between steps are supported only by b:translate", 4) end
  local phases, instructions = {}, 0
  for p = 0, b.phases do
    phases[p + 1] = units_of(b, p)
    for _, u in ipairs(phases[p + 1]) do instructions = instructions + u.length * u.count * b.cells end
  end
  local made = origins(phases, b.vars)
  sort(phases, made)
  local slot, within, counts = slots_of(b, phases, made)
  local list = {}
  for p = 0, b.vars - 1 do list[p + 1] = slot[p] end
  return {phases = phases, made = made, slot = list, within = within, counts = counts, instructions = instructions}
end

return translate_layout
