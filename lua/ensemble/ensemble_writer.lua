-- What writes the C of an ensemble's kernels: macros with sizes, names of variables, functions of the equations.

local symbolic = import "ode/symbolic"
local ensemble_writer = {}

-- The maximum number of states for which loops are unrolled. Larger models get loops, which compile faster. The limit is higher on a
-- GPU, which keeps an array in registers only if every index is a literal.
local LINES, LINES_ON_GPU = 20, 64

local function lines_of(e) return e.on_gpu and LINES_ON_GPU or LINES end

-- ensemble_writer.each_macro(name, list): a macro that repeats statements for each k of the list, one after the other;
-- ensemble_writer.loop_macro(name, n, most): for k = 0 .. n - 1, in a loop if n > most.
function ensemble_writer.each_macro(name, list)
  local out = {}
  for i, k in ipairs(list) do out[i] = ("ENSEMBLE_AT(%d, __VA_ARGS__)"):format(k) end
  return ("#define %s(...) %s\n"):format(name, table.concat(out, " "))
end
function ensemble_writer.loop_macro(name, n, most)
  if n > most then return ("#define %s(...) for (u32 k = 0; k < %d; k++) { __VA_ARGS__ }\n"):format(name, n) end
  local list = {}
  for k = 0, n - 1 do list[k + 1] = k end
  return ensemble_writer.each_macro(name, list)
end

-- ensemble_writer.defines(what): a line `#define NAME value` for each item {NAME, value} of the list.
function ensemble_writer.defines(what)
  local out = {}
  for k, x in ipairs(what) do out[k] = ("#define %s %s\n"):format(x[1], x[2]) end
  return table.concat(out)
end

-- ensemble_writer.head(e, name): the macros of kernels/ensemble/unit.h, for rows with the prefix `name`.
function ensemble_writer.head(e, name)
  local varied = math.max(e.q, 1)
  return ensemble_writer.defines {{"ENSEMBLE_ROW(what)", name .. "_##what"}, {"STATES", e.n}, {"VARIED", varied}} ..
    ensemble_writer.loop_macro("EACH_STATE", e.n, lines_of(e)) .. ensemble_writer.loop_macro("EACH_VARIED", varied, lines_of(e))
end

-- ensemble_writer.row_text(name, what, args, domain, items, doc): the source of the row NAME_what, whose arguments ENSEMBLE_ARGS_ARGS
-- lists.
function ensemble_writer.row_text(name, what, args, domain, items, doc)
  return ('PRIM(%s_%s, ENSEMBLE_%s_ARGS, UNTYPED, %s, "%s", TOLERANCE, "", "", "%s_%s(...): %s")\n'):format(name, what, args, domain,
    items, name, what, doc)
end

-- ensemble_writer.function_word(e): the macro that declares functions of the equations: inlined for small models, called for large ones.
function ensemble_writer.function_word(e) return e.n > lines_of(e) and "LS_CODE_CALL" or "LS_INLINE" end

-- ensemble_writer.words(e): the words for generated text, with or without lanes:
--   form          of symbolic.text: "lanes" if a thread runs several instances
--   number        the type of a number
--   call          the prefix of the names of mathematical functions
--   value(text)   the expression `text`, converted to the type of a number
function ensemble_writer.words(e)
  if e.lanes then return {form = "lanes", number = "reals", call = "lanes_", value = function(text) return "REALS(" .. text .. ")" end} end
  return {number = "f64", call = "", value = function(text) return text end}
end

-- ensemble_writer.constant_in(e): a function that returns the value at a place if it is the same number in all instances; else nil.
function ensemble_writer.constant_in(e)
  return function(place)
    if e.place_of[place] or place == e.time or e.tree[place] or place >= e.next then return nil end
    return e.first[e.variable[place] - 1]
  end
end

-- ensemble_writer.name_in(e): a function from a place to the expression for its variable in the generated code.
function ensemble_writer.name_in(e)
  return function(place)
    local at = e.place_of[place]
    if at then return ("%s[%d]"):format(at[1], at[2]) end
    if type(place) == "string" then return place end -- a local variable
    if place == e.time then return "t" end
    if e.tree[place] then return "fn" .. place end
    return symbolic.literal(e.first[e.variable[place] - 1])
  end
end

-- ensemble_writer.needed(e, trees): the set (by place) of the functions that the trees use, directly or indirectly.
function ensemble_writer.needed(e, trees)
  local is = {}
  local function need(place)
    if e.tree[place] and not is[place] then
      is[place] = true
      symbolic.walk(e.tree[place], need)
    end
  end
  for _, t in ipairs(trees) do symbolic.walk(t, need) end
  return is
end

-- ensemble_writer.put_functions(e, trees, out, words, text): appends to the lines `out` one local variable for each function that the trees
-- use. words: from ensemble_writer.words (default: for one instance per thread); text: a function from a tree to its expression in C
-- (default: symbolic.text).
function ensemble_writer.put_functions(e, trees, out, words, text)
  local is, name, w = ensemble_writer.needed(e, trees), ensemble_writer.name_in(e), words or ensemble_writer.words {}
  text = text or function(t) return w.value(symbolic.text(t, name, w.form)) end
  for _, f in ipairs(e.functions) do
    if is[f[1]] then out[#out + 1] = ("  const %s fn%d = %s;"):format(w.number, f[1], text(f[2])) end
  end
end

-- ensemble_writer.rate_trees(e): the list of the trees of the states' rates.
function ensemble_writer.rate_trees(e)
  local trees = {}
  for k, place in ipairs(e.at) do trees[k] = e.rates[place] or 0 end
  return trees
end

-- A 32-bit hash of a text (FNV, by 64-bit words), so that different kernels have different names.
local function hash(text)
  local h = #text
  text = text .. ("\0"):rep(-#text % 8)
  for i = 1, #text, 8 do
    h = (h ~ string.unpack("<i8", text, i)) * 0x100000001b3
    h = h ~ h >> 32
  end
  return h & 0xffffffff
end

-- ensemble_writer.named_text(of): the source of kernels, and the prefix of their names, which contains a hash of the source. of(name)
-- returns the source for the prefix `name`.
function ensemble_writer.named_text(of)
  local text = of "ensemble_unnamed"
  local name = ("ensemble_%08x"):format(hash(text))
  return (text:gsub("ensemble_unnamed", name)), name
end

return ensemble_writer
