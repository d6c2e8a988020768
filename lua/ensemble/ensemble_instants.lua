-- Triggers that are true, or false, only at one instant, such as `time == 4` or `x >= 1 and x <= 1`. src/ode/instants.c
-- explains how they are found. Here each comparison in such a trigger has bits of its own, after the bits of all triggers: one bit says
-- whether the left side is at least the right one; others change where either side is not smooth (rounding functions, abs, powers). A step
-- ends where one of the bits changes; there model_instants treats sides that are close to each other as equal.

local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_instants = {}

local EQUAL = {EQ = true, NEAR = true, NEQ = true}
local RELATION = {EQ = true, NEAR = true, NEQ = true, LT = true, GT = true, LEQ = true, GEQ = true}
local AT_ROOT = {EQ = 1, NEAR = 1, LEQ = 1, GEQ = 1, NEQ = 0, LT = 0, GT = 0} -- the value of each relation for equal numbers

-- operator -> function that returns, for a node with this operator, a condition that changes where the node is not smooth: a rounded
-- value changes between even and odd, or a sign changes.
local function odd(tree) return {"GEQ", {"MODULO", tree, 2}, 1} end
local BENDS = {
  FLOOR = function(t) return odd(t) end,
  CEILING = function(t) return odd(t) end,
  QUOTIENT = function(t) return odd(t) end,
  MODULO = function(t) return odd {"FLOOR", {"DIVIDE", t[2], t[3]}} end,
  REM = function(t) return odd {"FLOOR", {"PLUS_NARY", {"DIVIDE", {"MINUS", t[2], t}, t[3]}, 0.5}} end,
  ABS = function(t) return {"GT", t[2], 0} end,
  POWER = function(t) return {"GT", t[2], 0} end,
}

-- Calls each(node) for all nodes of a tree and of the functions that it uses.
local function walk(e, t, each)
  if type(t) ~= "table" then return end
  each(t)
  if t[1] == "VARIABLE" then return walk(e, e.tree[t[2]], each) end
  for i = 2, #t do walk(e, t[i], each) end
end

-- Can the trigger change for only an instant? Not if it is a single comparison other than an equality.
local function momentary(e, trigger)
  local relations, equal = 0, false
  walk(e, trigger, function(t)
    if RELATION[t[1]] then relations, equal = relations + 1, equal or EQUAL[t[1]] end
  end)
  return equal or relations > 1
end

-- ensemble_instants.instants(e): the comparisons in triggers that may be true, or false, only at one instant; nil if there are none.
-- Fields:
--   list    one item {tree =, side =, bends =} per comparison. side: the bit that says whether the left side is at least the right one;
--           bends: the list of the bits that change where a side is not smooth
--   trees   the condition of each bit (bit 0 first)
--   at      a table from a comparison's text to its index in `list`
function ensemble_instants.instants(e)
  local w, by_text = {list = {}, trees = {}, at = {}}, {}
  local name = ensemble_writer.name_in(e)
  local function bit(tree)
    local text = symbolic.text(tree, name)
    if not by_text[text] then
      w.trees[#w.trees + 1] = tree
      by_text[text] = #w.trees - 1
    end
    return by_text[text]
  end
  for _, x in ipairs(e.events or {}) do
    if momentary(e, x.trigger) then
      walk(e, x.trigger, function(t)
        local text = RELATION[t[1]] and symbolic.text(t, name)
        if not text or w.at[text] then return end
        local r = {tree = t, side = bit {"GEQ", t[2], t[3]}, bends = {}}
        for i = 2, 3 do
          walk(e, t[i], function(node) if BENDS[node[1]] then r.bends[#r.bends + 1] = bit(BENDS[node[1]](node)) end end)
        end
        w.list[#w.list + 1] = r
        w.at[text] = #w.list
      end)
    end
  end
  return #w.list > 0 and w or nil
end

-- The text of the largest magnitude among the values that a comparison is computed from: the scale of its rounding errors.
local function size_text(e, t, name)
  local parts, seen = {}, {}
  for i = 2, 3 do
    walk(e, t[i], function(node)
      local text = not RELATION[node[1]] and node[1] ~= "IF" and symbolic.text(node, name)
      if text and not seen[text] then parts[#parts + 1], seen[text] = text, true end
    end)
    if type(t[i]) == "number" then parts[#parts + 1] = symbolic.literal(t[i]) end
  end
  local all = "0.0"
  for _, text in ipairs(parts) do all = ("fmax(%s, fabs(%s))"):format(all, text) end
  return all
end

-- The tree of a trigger at an instant: a watched comparison k becomes "if met<k> then its value for equal sides, else the comparison".
-- Functions that contain comparisons are inlined.
local function at_root(e, t)
  if type(t) ~= "table" then return t end
  if t[1] == "VARIABLE" then
    local compares = false
    walk(e, t, function(node) compares = compares or RELATION[node[1]] end)
    return compares and at_root(e, e.tree[t[2]]) or t
  end
  local out = symbolic.map(t, function(x) return at_root(e, x) end)
  local k = RELATION[t[1]] and e.instants.at[symbolic.text(t, ensemble_writer.name_in(e))]
  return k and {"IF", {"VARIABLE", "met" .. k}, AT_ROOT[t[1]], out} or out
end

-- ensemble_instants.instants_text(e): the source of model_instants(t, p, y, turned, again, truth): like model_truths, but comparisons whose
-- bits are set in `turned` count as having equal sides if these are close. again: has the instance already stopped at this time?
function ensemble_instants.instants_text(e)
  local called, before = ensemble_writer.name_in(e), #e.events
  local trees, list, out = {}, {}, {}
  for k, x in ipairs(e.events) do trees[k] = at_root(e, x.trigger) end
  local needs = table.move(trees, 1, #trees, 1, {})
  for _, r in ipairs(e.instants.list) do
    needs[#needs + 1], needs[#needs + 2] = r.tree[2], r.tree[3]
    walk(e, r.tree, function(t) if t[1] == "VARIABLE" then needs[#needs + 1] = t end end)
  end
  out[1] = ensemble_writer.function_word(e) ..
    " void model_instants(f64 t, const f64 *p, const f64 *y, const u32 *turned, bool again, u32 *truth) {"
  out[2] = "  (void)again;\n  model_truths(t, p, y, truth);"
  ensemble_writer.put_functions(e, needs, out)
  local function turned(bit) return ("(turned[%d] >> %d & 1)"):format((before + bit) // 32, (before + bit) % 32) end
  for k, r in ipairs(e.instants.list) do
    local bends = {}
    for i, bit in ipairs(r.bends) do bends[i] = turned(bit) end
    out[#out + 1] = ("  const f64 off%d = fabs(%s), size%d = %s;"):format(k, symbolic.text({"MINUS", r.tree[2], r.tree[3]}, called), k,
      size_text(e, r.tree, called))
    out[#out + 1] = ("  const f64 met%d = (%s%s && off%d <= 1e-6 * fmax(1, size%d))%s;"):format(k, turned(r.side),
      #bends > 0 and " && !again" or "", k, k, #bends > 0 and (" || ((%s) && off%d <= 0x1p-46 * size%d)"):format(
        table.concat(bends, " | "), k, k) or "")
  end
  for k, tree in ipairs(trees) do
    local word, bit = (k - 1) // 32, (k - 1) % 32
    out[#out + 1] = ("  truth[%d] = (truth[%d] & ~(1u << %d)) | (u32)(%s != 0) << %d;"):format(word, word, bit,
      symbolic.text(tree, called), bit)
  end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

return ensemble_instants
