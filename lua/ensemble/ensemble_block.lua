-- Kernels for large models, with one block of threads per instance: the block's threads share the loops over states, equations and
-- elements of the factors.
--
-- Equations of the same form become one loop over tables of places and numbers, so that the text of a large model is short. Linear
-- systems are solved by tables too: one thread per element of the factors; elements that do not depend on each other form a level,
-- and a barrier follows each level.

local ensemble_events = import "ensemble/ensemble_events"
local ensemble_factors = import "ensemble/ensemble_factors"
local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_block = {}

local MOST_PLACES = 1 << 16 -- maximum number of elements of the factors
-- The maximum number of 64-bit numbers per instance in shared memory: with the 25 KiB of a kernel's queues they fit into 48 KiB. If an
-- instance needs more, its numbers are in global memory.
local SHARED = 2900
local SUMS = 32 -- BLOCK_SUMS of kernels/ensemble/block.h
local LARGE, FEW = 100, 10000 -- "by size" chooses one block per instance for at least LARGE states and at most FEW instances

-- ensemble_block.groups: the valid numbers of threads per instance.
ensemble_block.groups = {1, 32, 64, 128, 256, 512}

-- ensemble_block.choose_group(e, o): the number of threads per instance. o.group is that number, or "by size": chosen by the model's
-- states and o.count, the number of instances; nil means 1. An error says why a block is not possible for the model or for
-- o.method. e: from ensemble_kernels.parts.
function ensemble_block.choose_group(e, o)
  local method = o.method or "auto"
  local no = ensemble_events.conditions(e) and "the model has events or conditions" or e.events and "the model has events" or
    method == "radau5" and "radau5 cannot do that" or nil
  if not o.group then return 1 end
  if o.group == "by size" then
    return not no and device().processor ~= "cpu" and e.n >= LARGE and o.count <= FEW and 64 or 1
  end
  if o.group > 1 and no then
    error(("group = %d: a block of threads cannot share an instance, because %s; give group = 1"):format(o.group, no), 0)
  end
  return o.group
end

local function table_text(type, name, list)
  local out = {}
  for k, x in ipairs(list) do out[k] = type == "f64" and symbolic.literal(x) or ("%d"):format(x) end
  if #out == 0 then out[1] = "0" end
  for k = 20, #out, 20 do out[k] = out[k] .. (k < #out and "\n " or "") end
  return ("BLOCK_TABLE %s %s[] = {%s};\n"):format(type, name, table.concat(out, ", "))
end

-- --- equations ---

-- Brings an equation's tree t into a normal form, so that equations that differ only in places and numbers have the same text: the
-- terms of sums are sorted by their form, and variables and numbers become table elements. Returns the text, and the lists of the
-- places and the numbers in the order in which they occur in it.
local function form(t, constant)
  local function number(x)
    return math.abs(x) <= 4 and x == math.floor(x) and tostring(x) or nil
  end
  local function plain(x)
    if type(x) == "number" then return x end
    if x[1] == "VARIABLE" then return constant(x[2]) or x end
    return symbolic.map(x, plain)
  end
  local key
  local function terms(x, sign, out)
    if x == 0 then return out end
    local op = type(x) == "table" and x[1]
    if op == "PLUS_NARY" then for i = 2, #x do terms(x[i], sign, out) end
    elseif op == "MINUS" then terms(x[2], sign, out) terms(x[3], -sign, out)
    elseif op == "NEGATE" then terms(x[2], -sign, out)
    else out[#out + 1] = {sign, x, (sign > 0 and "+" or "-") .. key(x), #out} end
    return out
  end
  function key(x)
    if type(x) == "number" then return number(x) or "c" end
    if x[1] == "VARIABLE" then return "v" end
    return "(" .. table.concat(symbolic.map(x, key), " ") .. ")"
  end
  local function sorted(x)
    if type(x) == "number" or x[1] == "VARIABLE" then return x end
    if x[1] == "PLUS_NARY" or x[1] == "MINUS" or x[1] == "NEGATE" then
      local list = terms(x, 1, {})
      table.sort(list, function(a, b) if a[3] ~= b[3] then return a[3] < b[3] end return a[4] < b[4] end)
      local all = 0
      for _, term in ipairs(list) do
        local y = sorted(term[2])
        if all == 0 then all = term[1] > 0 and y or {"NEGATE", y}
        else all = {term[1] > 0 and "PLUS_NARY" or "MINUS", all, y} end
      end
      return all
    end
    return symbolic.map(x, sorted)
  end
  local places, numbers = {}, {}
  local function leaves(x)
    if type(x) == "number" then
      if number(x) then return x end
      numbers[#numbers + 1] = x
      return {"VARIABLE", -#numbers}
    end
    if x[1] == "VARIABLE" then
      places[#places + 1] = x[2]
      return {"VARIABLE", #places}
    end
    return symbolic.map(x, leaves)
  end
  local tree = leaves(sorted(plain(t)))
  local text = symbolic.text(tree, function(k)
    return k > 0 and ("LEAF(AT[%d * k + %d])"):format(#places, k - 1) or ("OF[%d * k + %d]"):format(#numbers, -k - 1)
  end)
  return text, places, numbers
end

-- The text of a function that computes the items of the list, {array, index, tree, place or nil}, level by level. An item with a
-- place is a value that other items may use: it is stored in g at slot(place).
local function levels_text(name, arguments, list, slot, constant)
  local level, item_of = {}, {}
  for _, x in ipairs(list) do if x[4] then item_of[x[4]] = x end end
  local function level_of(x)
    if not level[x] then
      local most = 0
      symbolic.walk(x[3], function(place)
        if item_of[place] then most = math.max(most, level_of(item_of[place])) end
      end)
      level[x] = most + 1
    end
    return level[x]
  end
  local by_level = {}
  for _, x in ipairs(list) do
    local l = level_of(x)
    by_level[l] = by_level[l] or {}
    table.insert(by_level[l], x)
  end
  local tables, out, count = {}, {}, 0
  for _, items in ipairs(by_level) do
    local classes, known, from = {}, {}, 0
    for _, x in ipairs(items) do
      local text, places, numbers = form(x[3], constant)
      local c = known[x[1] .. text]
      if not c then
        c = {array = x[1], text = text, to = {}, at = {}, of = {}}
        known[x[1] .. text], classes[#classes + 1] = c, c
      end
      c.to[#c.to + 1] = x[2]
      for _, place in ipairs(places) do c.at[#c.at + 1] = slot(place) end
      for _, number in ipairs(numbers) do c.of[#c.of + 1] = number end
    end
    for _, c in ipairs(classes) do
      count = count + 1
      local called = ("%s_%d"):format(name, count)
      tables[#tables + 1] = table_text("u32", called .. "_to", c.to)
      if #c.at > 0 then tables[#tables + 1] = table_text("u32", called .. "_at", c.at) end
      if #c.of > 0 then tables[#tables + 1] = table_text("f64", called .. "_of", c.of) end
      out[#out + 1] = ("  EACH_FROM(k, %d, %d) %s[%s_to[k]] = %s;"):format(#c.to, from, c.array, called,
        (c.text:gsub("%f[%w]AT%[", called .. "_at["):gsub("%f[%w]OF%[", called .. "_of[")))
      from = from + #c.to
    end
    out[#out + 1] = "  TILE_SYNC;"
  end
  return table.concat(tables) .. ("LS_CODE_CALL void %s(%s) {\n  (void)y, (void)g;\n  if (FIRST_THREAD) g[STATES] = t;\n  TILE_SYNC;\n%s\n}\n")
    :format(name, arguments, table.concat(out, "\n"))
end

-- --- linear systems ---

-- The text of the tables of the operations `ops` (kernels/ensemble/block.h), level by level, and the text of their block_operations. An
-- operation {target =, with =, pairs =} subtracts the products of its pairs {b, c} from its target; reads(op) lists the targets that
-- it depends on.
local function scheduled(name, ops, reads)
  local level, by_level, deepest = {}, {}, 0 -- level: target -> its level
  for _, op in ipairs(ops) do -- in a valid sequential order
    local most = 0
    for _, r in ipairs(reads(op)) do most = math.max(most, level[r] or 0) end
    local l = most + 1
    level[op.target], deepest = l, math.max(deepest, l)
    by_level[l] = by_level[l] or {}
    table.insert(by_level[l], op)
  end
  local first, target, with, from, b, c = {0}, {}, {}, {0}, {}, {}
  for l = 1, deepest do
    for _, op in ipairs(by_level[l]) do
      target[#target + 1], with[#with + 1] = op.target, op.with
      for _, pair in ipairs(op.pairs) do b[#b + 1], c[#c + 1] = pair[1], pair[2] end
      from[#from + 1] = #b
    end
    first[#first + 1] = #target
  end
  local text, names = {}, {tostring(deepest)}
  for k, x in ipairs {{"first", first}, {"target", target}, {"with", with}, {"from", from}, {"b", b}, {"c", c}} do
    names[k + 1] = ("block_%s_%s"):format(name, x[1])
    text[k] = table_text("u32", names[k + 1], x[2])
  end
  return table.concat(text), ("  const block_operations %s = {%s};\n"):format(name, table.concat(names, ", "))
end

local NO, INVERT = 0xffffffff, 0xfffffffe

local function factors_text(e, entries)
  local n = e.n
  local order, at, places = ensemble_factors.elimination(n, entries, MOST_PLACES)
  if places > MOST_PLACES then
    error(("rodas4 can have at most %d elements in the factors of the Jacobian: the model is too large"):format(MOST_PLACES), 0)
  end
  local function W(i, j) return at[i * n + j] end
  local rank = {}
  for r, i in ipairs(order) do rank[i] = r end
  local rows, columns = {}, {} -- the non-zero elements of each row and column, as ranks in the order of elimination
  for r = 1, n do
    rows[r] = {}
    for s = 1, n do if W(order[r], order[s]) then table.insert(rows[r], s) end end
  end
  -- from an element (r, s), the products (r, k) (k, s) for k < min(r, s) are subtracted
  local ops = {}
  for k = 1, n do
    columns[k] = {}
    for r = 1, n do if W(order[r], order[k]) then table.insert(columns[k], r) end end
  end
  local function element(r, s)
    local i, j, list = order[r], order[s], {}
    for _, k in ipairs(rows[r]) do
      if k >= math.min(r, s) then break end
      if W(order[k], j) then list[#list + 1] = {W(i, order[k]), W(order[k], j)} end
    end
    ops[#ops + 1] = {target = W(i, j), with = r == s and INVERT or r > s and W(j, j) or NO, pairs = list}
  end
  for k = 1, n do
    element(k, k)
    for _, s in ipairs(rows[k]) do if s > k then element(k, s) end end
    for _, r in ipairs(columns[k]) do if r > k then element(r, k) end end
  end
  local diagonal = {}
  for p = 1, places do diagonal[p] = 0 end
  for i = 1, n do diagonal[W(i, i) + 1] = 1 end
  local function both(op)
    local found = {}
    for _, pair in ipairs(op.pairs) do found[#found + 1], found[#found + 2] = pair[1], pair[2] end
    if op.with < INVERT then found[#found + 1] = op.with end
    return found
  end
  local lower, upper = {}, {}
  for r = 1, n do
    local list, rest = {}, {}
    for _, s in ipairs(rows[r]) do
      if s < r then list[#list + 1] = {W(order[r], order[s]), order[s] - 1} end
      if s > r then rest[#rest + 1] = {W(order[r], order[s]), order[s] - 1} end
    end
    if #list > 0 then lower[#lower + 1] = {target = order[r] - 1, with = NO, pairs = list} end
    upper[n + 1 - r] = {target = order[r] - 1, with = W(order[r], order[r]), pairs = rest}
  end
  local function second(op)
    local found = {}
    for _, pair in ipairs(op.pairs) do found[#found + 1] = pair[2] end
    return found
  end
  local tables, factor = scheduled("factor", ops, both)
  local of_lower, forwards = scheduled("lower", lower, second)
  local of_upper, backwards = scheduled("upper", upper, second)
  return table_text("u32", "block_diagonal", diagonal) .. tables .. of_lower .. of_upper .. ([[
LS_CODE_CALL void block_factors(f64 diagonal, const f64 *J, f64 *F) {
  EACH_FROM(k, %d, 0) F[k] = (block_diagonal[k] ? diagonal : 0) - (k < %d ? J[k] : 0);
  TILE_SYNC;
%s  block_factor(&factor, F);
}
LS_CODE_CALL void block_solve(const f64 *F, f64 *x) {
  TILE_SYNC;
%s%s  block_substitute(&lower, F, x);
  block_substitute(&upper, F, x);
}
]]):format(places, #entries, factor, forwards, backwards), places
end

-- --- all of it ---

-- ensemble_block.block_equations(e, entries, list, by_time): returns the source of block_rates(t, g, y, rate) and, if entries is given, of
-- block_jacobian(t, g, y, J [, by_time]), block_factors and block_solve; and the number of elements of the factors. The jacobian has
-- the parameter by_time only if by_time is given here. In g, the first e.n places belong to the states; the time, the parameters and
-- values that several equations use follow.
function ensemble_block.block_equations(e, entries, list, by_time)
  local slots, next = {}, e.n + 1 + math.max(e.q, 1)
  local function slot(place)
    local at = e.place_of[place]
    if at then return at[1] == "y" and at[2] or e.n + 1 + at[2] end
    if place == e.time then return e.n end
    if not slots[place] then slots[place], next = next, next + 1 end
    return slots[place]
  end
  local constant = ensemble_writer.constant_in(e)
  local function items(trees, more)
    local is, out = ensemble_writer.needed(e, trees), {}
    for _, f in ipairs(e.functions) do if is[f[1]] then out[#out + 1] = {"g", slot(f[1]), f[2], f[1]} end end
    for _, x in ipairs(more) do out[#out + 1] = x end
    return out
  end
  local rates, own = ensemble_writer.rate_trees(e), {}
  for k, t in ipairs(rates) do own[k] = {"rate", k - 1, t} end
  local text = levels_text("block_rates", "f64 t, f64 *g, const f64 *y, f64 *rate", items(rates, own), slot, constant)
  local places = 0
  if entries then
    local trees, more = {}, {}
    for _, x in ipairs(list) do trees[#trees + 1], more[#more + 1] = x[2], {"g", slot(x[1]), x[2], x[1]} end
    for k, x in ipairs(entries) do trees[#trees + 1], more[#more + 1] = x[3], {"J", k - 1, x[3]} end
    for k, x in ipairs(by_time or {}) do trees[#trees + 1], more[#more + 1] = x, {"by_time", k - 1, x} end
    text = text .. levels_text("block_jacobian", "f64 t, f64 *g, const f64 *y, f64 *J" .. (by_time and ", f64 *by_time" or ""),
      items(trees, more), slot, constant)
    local factors
    factors, places = factors_text(e, entries)
    text = text .. factors
  end
  e.block_slots = next
  return text, places
end

-- ensemble_block.place(e, own): where a method with `own` numbers per instance, in addition to those of all methods, keeps them. Returns
-- their number, and whether they fit into shared memory; if not, they are in a->work, and e.work, the numbers per instance there, is
-- increased as needed.
function ensemble_block.place(e, own)
  local size = SUMS + e.n + e.block_slots + own -- those of all methods: y, z, g without its first e.n places
  if size > SHARED then e.work = math.max(e.work, size) end
  return size, size <= SHARED
end

return ensemble_block
