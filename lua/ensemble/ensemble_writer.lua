-- What writes the C of an ensemble's kernels: loops over states, names of variables, functions of the equations.

local symbolic = import "ode/symbolic"
local writer = {}

-- The maximum number of states for which loops are unrolled. Larger models get loops, which compile faster. The limit is higher on a
-- GPU, which keeps an array in registers only if every index is a literal.
local LINES, LINES_ON_GPU = 20, 64

-- The text n times, one line each; or once in a loop, if n > most (default LINES). @ in the text becomes the index, from 0.
local function each(n, text, most)
  local out = {}
  if n > (most or LINES) then return ("  for (u32 q = 0; q < %d; q++) {\n%s\n  }"):format(n, (text:gsub("@", "q"))) end
  for k = 0, n - 1 do out[#out + 1] = (text:gsub("@", ("%d"):format(k))) end
  return table.concat(out, "\n")
end

-- The text with each word in capitals replaced by what[word], if that exists.
local function filled(text, what)
  return (text:gsub("%f[%w_](%u[%u%d_]*)%f[^%w_]", what))
end

writer.each, writer.filled = each, filled

local function lines_of(e) return e.on_gpu and LINES_ON_GPU or LINES end

-- writer.function_word(e): the macro that declares functions of the equations: inlined for small models, called for large ones.
function writer.function_word(e) return e.n > lines_of(e) and "LS_CODE_CALL" or "LS_INLINE" end

-- writer.terms(coefficients, of, first): the expression first + c1 * k1[@] + c2 * k2[@] + ... for of = "k", without the
-- coefficients that are 0. `first` may be nil. The expression of an empty sum is "".
function writer.terms(coefficients, of, first)
  local sum = first or ""
  for s, c in ipairs(coefficients) do
    if c ~= 0 then sum = (sum == "" and "%s%s * %s%d[@]" or "PLUS_PRODUCT(%s, %s, %s%d[@])"):format(sum, symbolic.literal(c), of, s) end
  end
  return sum
end

-- writer.words(e): the words for generated text, with or without lanes:
--   lanes         true if a thread runs several instances
--   number        the type of a number
--   call          the prefix of the names of mathematical functions
--   value(text)   the expression `text`, converted to the type of a number
function writer.words(e)
  if e.lanes then return {lanes = true, number = "reals", call = "lanes_", value = function(text) return "REALS(" .. text .. ")" end} end
  return {number = "f64", call = "", value = function(text) return text end}
end

-- writer.block_each(n, text): as writer.each, but the loop is shared by the threads of a block and ends with a barrier.
function writer.block_each(n, text)
  return ("  EACH_FROM(q, %d, 0) {\n%s\n  }\n  TILE_SYNC;"):format(n, (text:gsub("@", "q")))
end

-- writer.each_of(e): the function `each` for the model's kernels, which repeats code for each state: writer.each, or
-- writer.block_each if a block of threads computes an instance.
function writer.each_of(e)
  if e.group > 1 then return writer.block_each end
  return function(n, text) return each(n, text, lines_of(e)) end
end

-- writer.constant_in(e): a function that returns the value at a place if it is the same number in all instances; else nil.
function writer.constant_in(e)
  return function(place)
    if e.place_of[place] or place == e.time or e.tree[place] or place >= e.next then return nil end
    return e.first[e.variable[place] - 1]
  end
end

-- writer.name_in(e): a function from a place to the expression for its variable in the generated code.
function writer.name_in(e)
  return function(place)
    local at = e.place_of[place]
    if at then return ("%s[%d]"):format(at[1], at[2]) end
    if type(place) == "string" then return place end -- a local variable
    if place == e.time then return "t" end
    if e.tree[place] then return "fn" .. place end
    return symbolic.literal(e.first[e.variable[place] - 1])
  end
end

-- writer.needed(e, trees): the set (by place) of the functions that the trees use, directly or indirectly.
function writer.needed(e, trees)
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

-- writer.put_functions(e, trees, out, words, text): appends to the lines `out` one local variable for each function that the trees
-- use. words: from writer.words (default: for one instance per thread); text: a function from a tree to its expression in C
-- (default: symbolic.text).
function writer.put_functions(e, trees, out, words, text)
  local is, name, w = writer.needed(e, trees), writer.name_in(e), words or writer.words {}
  text = text or function(t) return w.value(symbolic.text(t, name, w.lanes)) end
  for _, f in ipairs(e.functions) do
    if is[f[1]] then out[#out + 1] = ("  const %s fn%d = %s;"):format(w.number, f[1], text(f[2])) end
  end
end

-- writer.rate_trees(e): the list of the trees of the states' rates.
function writer.rate_trees(e)
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

-- writer.named_text(of): the source of kernels, and the prefix of their names, which contains a hash of the source. of(name)
-- returns the source for the prefix `name`.
function writer.named_text(of)
  local text = of "ensemble_unnamed"
  local name = ("ensemble_%08x"):format(hash(text))
  return (text:gsub("ensemble_unnamed", name):gsub("ENSEMBLE_UNNAMED", name:upper())), name
end

return writer
