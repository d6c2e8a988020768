-- What the kernels of many steps have in common (b:steps_text, b:grid_text): the variables and instances of a bytecode, in an order
-- in which neighbours read and write neighbours. A CPU's vectors and a GPU's warps then have several instances of an equation each:
-- instances are sorted, and variables moved.

local MUTE = 0x80000000
local LEAST = 8 -- neighbours that are worth a loop of their own
local FEW = 4 -- instances without neighbours that are written one by one
local FIRST = 0x80000000 -- no instances are so far from each other

-- --- what there is ---

local KINDS = {VARIABLE = {"read"}, VARIABLE_IND = {"read", true}, ASSIGN = {"write"}, ASSIGN_IND = {"write", true},
  CONSTANT_IND = {"number", true}}

local function alike(x, y)
  for i = 1, #x do
    if x[i] ~= y[i] then return false end
  end
  return true
end

-- The place or number that each of n instances has for an operand: of one place all have the same.
local function values_of(b, kind, at, n)
  if kind[2] then return (kind[1] == "number" and b.numbers or b.places):totable(at, at + n) end
  local list = {}
  for i = 1, n do list[i] = at end
  return list
end

-- A unit of n instances whose instructions begin at pc. ops: the operands of its instructions, in their order: {kind = "read", "write"
-- or "number", values}. Two that are always at one place share a list; `columns` are the operands without those that repeat another's.
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

-- The units of a phase, without threads that do nothing.
local function units_of(b, p)
  local list, t = {}, b.first[p]
  while t < b.first[p + 1] do
    local n = b.unit[t]
    local live = n -- mute threads are the last
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

-- Of each place: the unit that writes it, the number of the instance there, and the region of the variables that it is in. What no step
-- changes is `still`: parameters, and functions of nothing else. u.bits: of each instance a letter an assignment: s, it need not be
-- made, or m.
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

-- Two instances are of one class still if they were and have the same key. Returns the class of each, from 1 on in the order in which
-- classes are met, and how many there are.
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

-- The instances of a unit in classes: numbers, and in which region is what is read.
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

-- Classes by who makes what is read, and how far from the first that is read of the same unit.
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

-- Moves the elements of a list: instances of a class follow each other, in the order in which classes are met.
local function gather(list, class, at)
  local out, next = {}, table.move(at, 1, #at, 1, {})
  for i, of in ipairs(class) do
    out[next[of]] = list[i]
    next[of] = next[of] + 1
  end
  table.move(out, 1, #out, 1, list)
end

-- Sorts the instances of each unit: those that are of one kind follow each other. A kind is the numbers, and who makes what is
-- read, and how far from each other: of two neighbours of a cell, which? What a kind reads from is of what kind is not asked: it
-- would tell cells apart by how far they are from an end.
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

-- The slot of each place: {still, functions, states}, each unit's in the order of its instances; time is the last state.
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

-- The last instance up to which an operand goes on, from `first` on: by 0 or by 1 from each to the next, in one region.
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

-- Pieces of a unit in which every operand goes on by 0 or 1 from instance to instance: {first, last}.
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

--- bytecode.parts(u, within, made): the pieces of a unit that are written, lists of the numbers of its instances: neighbours or
--- `scattered`.
function bytecode.parts(u, within, made)
  local list, rest = {}, {}
  for _, piece in ipairs(pieces_of(u, within, made)) do
    local part = {unit = u, bits = u.bits[piece.first]}
    for i = piece.first, piece.last do part[#part + 1] = i end
    if not part.bits:find "m" then -- nothing to be computed
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

--- bytecode.layout(b, what): phases, lists of units, of which the last are the states; made (who writes each place); slot, a list, and
--- within (its place in its part of them); counts, how many there are; instructions of a step. what: the function that asks.
function bytecode.layout(b, what)
  if b.timed then error(what .. ": events, delays and random numbers are for kernels of phases: b:translate", 4) end
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
