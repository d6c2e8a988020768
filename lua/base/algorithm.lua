-- What the algorithms of this folder share: checking arguments, choosing one of several forms of an algorithm, repeating a run
-- in a wider type if sums overflow, and giving results their methods.

local on_cpu

-- --- arguments ---

--- The name in the list `names` that is most similar to `word`; nil if none is similar.
--: algorithm.nearest(word, names)

--- algorithm.is(name, x): is x a userdata of the type called `name`, "lockstep.graph" or "lockstep.buffer"?
function algorithm.is(name, x)
  local meta = type(x) == "userdata" and getmetatable(x)
  return type(meta) == "table" and meta.__name == name
end

--- algorithm.vertices(g): the range of g's vertices as text for an error message: "0 .. 9", or "a graph without vertices".
function algorithm.vertices(g) return g.n > 0 and ("0 .. %d"):format(g.n - 1) or "a graph without vertices" end

--- The vertex v as text: "5"; "5 (6 in the file)" if the graph's file numbers vertices from 1. In a model's graph the state's
--- name is added.
--: algorithm.vertex_text(g, v)

--- The note to append to a text that names several vertices: "", or " (vertex v is v + 1 in the file)".
--: algorithm.numbering(g)

--- algorithm.meaning(b, word, g): declares what the elements of the buffer b mean; `word` is one of the words that
--- algorithm.results{buffers =} takes. If b has one element per vertex of the graph g, csv names the rows of b by g:label.
--: algorithm.meaning(b, word, g)

--- algorithm.labels(x): the graph x, or the graph that algorithm.meaning stored for the buffer x, if the labels (g:label) of its
--- vertices differ from their numbers; else nil.
--: algorithm.labels(x)

--- The `most` (up to 64) largest numbers in a u32 buffer, in descending order, as a list {number, how often, number, how often, ...}; and
--- how many different numbers there are.
--: algorithm.tally(sizes, most)

--- algorithm.without_place(message): an error's message without the position that it begins with: "paths/sssp.lua:42: ".
function algorithm.without_place(message) return (tostring(message):gsub("^[%w_/]+%.lua:%d+: ", "")) end

--- algorithm.described(x): what x is, in a few words for an error message: 5, nil, the text "x.ode", a table, u32[8].
function algorithm.described(x)
  if math.type(x) == "float" then
    local short = ("%.15g"):format(x)
    return tonumber(short) == x and short or ("%.17g"):format(x)
  end
  if type(x) == "string" then return #x <= 40 and ("the text %q"):format(x) or "a text" end
  if type(x) ~= "userdata" then return (type(x) == "number" or x == nil) and tostring(x) or "a " .. type(x) end
  local good, text = pcall(function() return ("%s[%d]"):format(x.dtype, #x) end) -- #x fails if the buffer is closed
  return good and text or tostring(x)
end

--- algorithm.whole(x): x as an integer, if it is a float that is a whole number (1e6); else x itself.
function algorithm.whole(x) return math.type(x) == "float" and math.tointeger(x) or x end

--- algorithm.merged(a, b, ...): a new table with the fields of all these tables; of several values of a field, the last. A table may
--- be nil.
function algorithm.merged(...)
  local out = {}
  for i = 1, select("#", ...) do
    for key, x in pairs((select(i, ...)) or {}) do out[key] = x end
  end
  return out
end

--- algorithm.wholes(options, names): the options, with algorithm.whole applied to those named; a copy if that changes any of them.
function algorithm.wholes(options, names)
  local out = options
  for _, name in ipairs(names) do
    local x = algorithm.whole(options[name])
    if math.type(x) ~= math.type(options[name]) then
      if out == options then out = algorithm.merged(options) end
      out[name] = x
    end
  end
  return out
end

local UNITS = {KiB = 1 << 10, MiB = 1 << 20, GiB = 1 << 30}

--- algorithm.bytes(x): the number of bytes that x stands for: a positive whole number or a text such as "512 MiB"; nil for anything
--- else.
function algorithm.bytes(x)
  x = algorithm.whole(x)
  if math.type(x) == "integer" and x > 0 then return x end
  local number, unit = tostring(x):match("^(%d+) *(%a+)$")
  number = type(x) == "string" and UNITS[unit] and math.tointeger(tonumber(number))
  if not number or number < 1 or number > math.maxinteger // UNITS[unit] then return nil end
  return number * UNITS[unit]
end

--- Shows a progress line on standard error if the work takes more than a second: `what`, and how much of the total is done (if no
--- total is passed, only how much is done). Called without arguments it ends the line.
--: algorithm.progress([what, done [, total]])

--- algorithm.progress_line: for `local line <close> = algorithm.progress_line`: ends the progress line when the block is left, also
--- by an error.
algorithm.progress_line = setmetatable({}, {__close = function() algorithm.progress() end})

-- Joins the items into one text: "a, b and c" if word is "and".
local function listed(items, word)
  if #items < 2 then return items[1] or "" end
  return ("%s %s %s"):format(table.concat(items, ", ", 1, #items - 1), word, items[#items])
end

-- kind of option -> {description of its valid values, function that tests whether x is a valid value}
local kinds = {
  flag = {"true or false", function(x) return type(x) == "boolean" end},
  checkpoint = {"the name of a checkpoint's file", function(x) return type(x) == "string" end},
  file = {"the name of a file", function(x) return type(x) == "string" end},
  bytes = {'a number of bytes or a text such as "512 MiB"', function(x) return algorithm.bytes(x) ~= nil end},
  text = {"a text", function(x) return type(x) == "string" end},
  buffer = {"a buffer", function(x) return algorithm.is("lockstep.buffer", x) end},
  table = {"a table", function(x) return type(x) == "table" end},
  number = {"a number", function(x) return type(x) == "number" end},
  axes = {'true, "x", "y" or "xy"', function(x) return type(x) == "boolean" or x == "x" or x == "y" or x == "xy" end},
}

-- nil if x is a valid value for an option with that spec; else the description of valid values.
local function expected(spec, x)
  spec = spec.kind or spec
  if type(spec) == "string" then
    local what, holds = table.unpack(kinds[spec])
    return not holds(x) and what or nil
  end
  local words = {}
  if spec.least then
    x = algorithm.whole(x)
    local fits = math.type(x) == "integer" and x >= spec.least and x <= (spec.most or math.maxinteger)
    if fits and not (spec.doubled and x & (x - 1) ~= 0) then return nil end
    words[1] = spec.doubled and ("%d, %d, %d%s"):format(spec.least, 2 * spec.least, 4 * spec.least,
      spec.most > 4 * spec.least and " and so on up to " .. spec.most or "") or ("%s from %d %s"):format(spec.what or "a whole number", spec.least, spec.most and "to " .. spec.most or "on")
  end
  for _, word in ipairs(spec) do
    if x == word then return nil end
    words[#words + 1] = ("'%s'"):format(word)
  end
  return listed(words, "or")
end

-- Returns a text that lists the known options, and the sorted list of their names.
local function known_options(specs)
  local names = {}
  for known in pairs(specs) do names[#names + 1] = known end
  table.sort(names)
  local known = #names == 0 and "it has no options" or #names == 1 and "its only option is " or "its options are "
  return known .. listed(names, "and"), names
end

local function unknown_option(name, key, specs)
  local known, names = known_options(specs)
  local near = type(key) == "string" and algorithm.nearest(key, names)
  return ("%s: unknown option '%s'%s; %s"):format(name, tostring(key),
    near and (" (did you mean %s?)"):format(near) or "", known)
end

-- The options' defaults by name, or nil if none has one. An invalid spec is an error at the line that called algorithm.options.
local function defaults_of(name, specs)
  local out
  for key, spec in pairs(specs) do
    local kind = type(spec) == "table" and spec.kind or spec
    if not (type(kind) == "string" and kinds[kind] or type(kind) == "table" and (kind.least or kind[1] ~= nil)) then
      local found = type(kind) == "string" and ("'%s'"):format(kind) or algorithm.described(kind)
      error(("%s: option %s: expected the kind of its values, as \"flag\" or {least = 1, default = 50}, got %s"):format(name,
        tostring(key), found), 3)
    end
    if type(spec) == "table" and spec.default ~= nil then
      out = out or {}
      out[key] = spec.default
    end
  end
  return out
end

--- algorithm.options(name, options, specs [, level]): checks the options of the algorithm called `name`. Returns the options with
--- their defaults filled in; {} for nil if there are no defaults. An option that is unknown, or of the wrong type or range, is an
--- error at `level` (3 if omitted: the caller of the function that calls algorithm.options). specs maps each option's name to one of:
---   "flag"                              true or false
---   "buffer", "table"                   a buffer; a table
---   "number", "text"                    a number; a text
---   "checkpoint", "file"                the name of a checkpoint's file; the name of any file
---   "bytes"                             what algorithm.bytes takes
---   "axes"                              true, false, "x", "y" or "xy"
---   {"doubling", "layered"}             one of these words
---   {kind = "number", default = 0.5}    one of the kinds above, and the value if the option is omitted
---   {least = 1, most = 8, what = TEXT}  a whole number in this range; without `most` there is no upper limit. The error says TEXT
---                                       instead of "a whole number". Words in the table are valid values too; default = 5 as above
---   {least = 16, most = 4096, doubled = true}   a power of two in this range
---   local from = algorithm.options("scc.maxima", options, {from = "checkpoint"}).from
function algorithm.options(name, options, specs, level)
  level = level or 3
  local defaults = defaults_of(name, specs)
  if options == nil then return defaults or {} end
  if type(options) ~= "table" then
    error(("%s: expected a table of options, got %s; %s"):format(name, algorithm.described(options), known_options(specs)), level)
  end
  for key, x in pairs(options) do
    local spec = specs[key]
    if not spec then error(unknown_option(name, key, specs), level) end
    local what = expected(spec, x)
    if what then
      local found = type(x) == "boolean" and tostring(x) or algorithm.described(x)
      if type(x) == "string" then found = ("'%s'"):format(x) end
      error(("%s: %s is %s, expected %s"):format(name, key, found, what), level)
    end
  end
  local whole = {} -- options that are whole numbers
  for key, spec in pairs(specs) do
    local kind = type(spec) == "table" and spec.kind or spec
    if type(kind) == "table" and kind.least then whole[#whole + 1] = key end
  end
  options = algorithm.wholes(options, whole)
  return defaults and algorithm.merged(defaults, options) or options
end

local function size(g) return g.n end

-- Describes a value that was passed in place of a graph, and says how to get a graph from it.
local function no_graph(g)
  if dve.is(g) then return "a model of processes: explore(m).graph is the graph of its states" end
  if algorithm.is("lockstep.model", g) then return "a model of equations: m:graph() is a graph of what depends on what" end
  local kind = type(g) == "table" and rawget(g, "kind")
  if kind == "explore" then return rawget(g, "graph") and "a state space: its graph is r.graph" or "a state space without its edges" end
  if type(kind) == "string" then return "a result (" .. kind .. ")" end
  return type(g) == "userdata" and algorithm.described(g) or type(g)
end

--- algorithm.graph(name, g [, takes_parts]): raises an error at the line that called the algorithm, unless g is an open graph. A
--- part of a graph (g:partition) is an error too unless takes_parts is true, because a part has only some of the edges.
function algorithm.graph(name, g, takes_parts)
  if not algorithm.is("lockstep.graph", g) then
    error(("%s: expected a graph, got %s"):format(name, no_graph(g)), 3)
  end
  local open, why = pcall(size, g)
  if not open then error(("%s: %s"):format(name, algorithm.without_place(why)), 3) end
  if not takes_parts and algorithm.parts[g] then
    error(("%s: expected a whole graph, got a rank's part p; only sssp, bfs, scc, ocm and ocr take a part: use ranks.part(p).whole"):format(
      name), 3)
  end
  trace.algorithm(name)
end

--- algorithm.part_saves_nothing(name, g, level): if g is a part of a graph, refuses checkpoints, because no run can continue from
--- the state of a part. If checkpoint(path, every) is in effect, raises an error at the line of the caller `level` levels up; else
--- returns a to-be-closed value that refuses checkpoints until it is closed. Returns nil for a whole graph.
function algorithm.part_saves_nothing(name, g, level)
  local path = algorithm.parts[g] and session.saves()
  if path then
    error(("%s: checkpoints to %s are on, but a run over a part of a graph cannot be resumed; checkpoint(false) turns them off"):format(
      name, path), level + 1)
  end
  return algorithm.parts[g] and session.saves_nothing(name .. " runs over a part of a graph and cannot be resumed") or nil
end

--- algorithm.vertex(name, g, x [, what [, level]]): returns x as an integer if it is a vertex of the graph g. Otherwise raises an
--- error that begins with `name` and calls x by the word `what` (such as "source"), if given. The error points at the line that
--- called the function `level` levels up (1 if omitted: the function that calls algorithm.vertex).
function algorithm.vertex(name, g, x, what, level)
  x = algorithm.whole(x)
  if math.type(x) == "integer" and x >= 0 and x < g.n then return x end
  if type(x) ~= "number" and type(x) ~= "string" then
    error(("%s: expected the number of one vertex%s, of %s, got %s"):format(name, what and (", the %s"):format(what) or "",
      algorithm.vertices(g), algorithm.described(x)), (level or 1) + 2)
  end
  local known, meant = pcall(g.vertex, g, x)
  local hint = type(x) == "string" and not known and "; expected a vertex's number, got a text"
    or known and meant ~= x and ("; g:vertex(%s) is the vertex that has this %s"):format(type(x) == "string" and ("'%s'"):format(x) or x,
      type(x) == "string" and "name" or "number in the file") or ""
  error(("%s: %s%s is not a vertex of %s%s"):format(name, what and ("the %s "):format(what) or "",
    type(x) == "string" and ("'%s'"):format(x) or tostring(x), algorithm.vertices(g), hint), (level or 1) + 2)
end

-- --- forms ---

--- on_cpu(): true if primitives now run only on CPUs: the current device is a CPU or, under compare, both devices are.
function on_cpu()
  local a, b = compare()
  if not a then return device().processor == "cpu" end
  return a.processor == "cpu" and b.processor == "cpu"
end

local Variant = {}
Variant.__index = Variant

--- algorithm.variant{cpu = NAME, cuda = NAME, stepped = NAME}: an object v that chooses the form of an algorithm: `stepped`, if
--- given, while the run is stepped; else `cpu` if on_cpu() is true and `cuda` if not.
---   v:now()         the name of the form that would run now
---   v:take([NAME])  chooses that form, or NAME if given (the user's wish), records that it ran and returns its name
--- algorithm.results puts the recorded names into the result: r.variant.
function algorithm.variant(forms)
  return setmetatable({forms = forms, taken = {}}, Variant)
end

-- Returns the form that would run now, and the form that would run if the run were not stepped.
local function present(forms)
  local free = algorithm.on_cpu() and forms.cpu or forms.cuda
  return session.stepped() and forms.stepped or free, free
end

function Variant:now() return (present(self.forms)) end

function Variant:take(name)
  if not name then
    local free
    name, free = present(self.forms)
    if name ~= free then self.free = free end
  end
  local taken = self.taken
  for i = #taken, 1, -1 do
    if taken[i] == name then return name end
  end
  taken[#taken + 1] = name
  return name
end

-- --- sums ---

--- algorithm.note(name, text): reports on standard error that an algorithm does something that was not requested.
function algorithm.note(name, text) io.stderr:write(("%s: %s\n"):format(name, text)) end

local WIDER = {i16 = "i32", i32 = "i64", f32 = "f64"}
local SIZE = {i16 = "16 bits", i32 = "32 bits", i64 = "64 bits", f32 = "f32", f64 = "f64"}
local MOST = {i64 = "2^63 - 2", f64 = "1.8e308"}

--- algorithm.widths(name, kind): iterates over the element types in which to try sums: first `kind`; then, each time with a note
--- on standard error, the next wider type (i16, i32, i64; f32, f64). The loop's body leaves by break when the sums fit.
---   for kind in algorithm.widths("sssp", "i32") do ... if fits then break end end
function algorithm.widths(name, kind)
  local tried = nil
  return function()
    if tried and WIDER[tried] then algorithm.note(name, ("a sum overflowed %s; the run is repeated in %d bits"):format(SIZE[tried], tried == "i16" and 32 or 64)) end
    tried = not tried and kind or WIDER[tried]
    return tried
  end
end

--- algorithm.too_long(kind): the error text for distances that fit none of the types of algorithm.widths(name, kind).
function algorithm.too_long(kind)
  while WIDER[kind] do kind = WIDER[kind] end
  return ("a sum overflowed %s: distances are at most %s"):format(SIZE[kind], MOST[kind])
end

--- algorithm.filled(kind, count, x): a buffer of `count` elements of the type `kind` that all are x.
function algorithm.filled(kind, count, x)
  local b = buffer.new(kind, count)
  fill(b, x)
  return b
end

--- algorithm.taken(x, from): a buffer of the elements of x at the indices in the buffer `from`; x itself if it, or `from`, is nil.
function algorithm.taken(x, from)
  if not (x and from) then return x end
  local y = buffer.new(x.dtype, #from)
  gather(x, from, y)
  return y
end

--- algorithm.weights(g): the buffer of g's weights; if g has none, a new i32 buffer of ones.
function algorithm.weights(g) return g.w or algorithm.filled("i32", g.m, 1) end

--- algorithm.reweighted(g, kind, f): a graph with the edges of g, in whose rows they keep their order; edge e has the weight f(e, w) of
--- the type `kind`, where w is its weight in g (1 if g has none). Computed on the host, edge by edge.
function algorithm.reweighted(g, kind, f)
  local from, w, given = buffer.new("u32", g.m), buffer.new(kind, g.m), g.w
  for v = 0, g.n - 1 do
    for e = g.off[v], g.off[v + 1] - 1 do from[e], w[e] = v, f(e, given and given[e] or 1) end
  end
  return graph.from_edges(g.n, from, g.to, w)
end

--- algorithm.refuse_negative_cycle(name, g [, level]): if g has a negative cycle, raises an error of the function `name` that names
--- it, at the line of the caller `level` (1 if omitted: the function that calls this one) levels up.
function algorithm.refuse_negative_cycle(name, g, level)
  local v, cycle = reference.negative_cycle(g)
  if cycle then
    error(("%s: vertex %s lies on a cycle of negative weight: %s"):format(name, algorithm.vertex_text(g, v), cycle), (level or 1) + 2)
  end
end

local ranges = setmetatable({}, {__mode = "k"}) -- a cache by graph: the arrays of a graph never change

--- algorithm.weight_range(g): the least and the greatest weight of g; 1 and 1 if it has no weights or no edges.
function algorithm.weight_range(g)
  if not g.weights or g.m == 0 then return 1, 1 end
  local range = ranges[g] or {g.w:min(), g.w:max()}
  ranges[g] = range
  return range[1], range[2]
end

--- algorithm.widened(x, kind): a copy of the buffer x converted to the type `kind` (i32, i64 or f64); x itself if it has that type.
function algorithm.widened(x, kind)
  if x.dtype == kind then return x end
  if x.dtype == "i16" then
    local y = buffer.new("i32", #x)
    widen_short(x, y)
    return algorithm.widened(y, kind)
  end
  if x.dtype == "i32" and kind == "f64" then x = algorithm.widened(x, "i64") end
  local y = buffer.new(kind, #x)
  if x.dtype == "i32" then
    widen(x, y)
  elseif x.dtype == "f32" then
    widen_real(x, y)
  else
    to_real(x, y)
  end
  return y
end

--- algorithm.greatest, algorithm.least: tables from element type to its greatest and its least value (inf and -inf for reals).
--- greatest means "no path" in searches for paths of least weight, least in searches for paths of greatest weight.
algorithm.greatest = {i16 = 0x7fff, i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}
algorithm.least = {i16 = -0x8000, i32 = -0x80000000, i64 = math.mininteger, f32 = -math.huge, f64 = -math.huge}

--- algorithm.bytes_of, algorithm.epsilon, algorithm.finite: tables from element type to the bytes of an element, to the relative
--- rounding error of a sum (0 for integers), and from a real type to its greatest finite number.
algorithm.bytes_of = {i16 = 2, i32 = 4, i64 = 8, f32 = 4, f64 = 8}
algorithm.epsilon = {i16 = 0, i32 = 0, i64 = 0, f32 = 0x1p-23, f64 = 0x1p-52}
algorithm.finite = {f32 = 0x1.fffffep127, f64 = 0x1.fffffffffffffp1023}

--- algorithm.edge_source(off, e): the vertex that edge e leaves: off[v] <= e < off[v + 1].
function algorithm.edge_source(off, e)
  local low, high = 0, #off - 1
  while high - low > 1 do
    local middle = (low + high) // 2
    if off[middle] <= e then low = middle else high = middle end
  end
  return low
end

--- algorithm.rounding: the text of the error that a search ends with if distances fall for ever, but not by a negative cycle.
algorithm.rounding = "because of rounding, distances fall without end along a cycle that is not negative"

--- algorithm.reduced(x, op): a buffer of one element of x's type: the sum of x (op = 0), its least (1) or its greatest (2) element.
--- It stays on the device until its element is read: algorithm.reduced(x, 2)[0].
function algorithm.reduced(x, op)
  local y = buffer.new(x.dtype, 1)
  reduce(x, y, op)
  return y
end

-- --- results ---

-- Returns a metatable that makes a list of records print as a table with the columns `key` and `value`.
local function as_table(key, value)
  return {__columns = {key, value}, __tostring = function(list)
    local lines, wide = {}, #key
    for _, item in ipairs(list) do wide = math.max(wide, #tostring(item[key])) end
    lines[1] = ("%" .. wide .. "s  %s"):format(key, value)
    for _, item in ipairs(list) do
      local x = item[value]
      local text = math.type(x) == "float" and ("%.6g"):format(x) or tostring(x)
      lines[#lines + 1] = ("%" .. wide .. "s  %s"):format(item[key], text)
    end
    return table.concat(lines, "\n")
  end}
end

--- algorithm.top(b, k, key, value): the k (nil: 10) greatest elements of the buffer b as a list of {[key] = index, [value] =
--- element}, which prints as a table. Used by the methods r:top(k).
function algorithm.top(b, k, key, value)
  k = k == nil and 10 or k
  if math.type(k) ~= "integer" or k < 0 then
    error(("top: expected the number of elements, a whole number from 0 on, got %s"):format(algorithm.described(k)), 2)
  end
  local list = b:top(k)
  for i, best in ipairs(list) do list[i] = {[key] = best.i, [value] = best.x} end
  return setmetatable(list, as_table(key, value))
end

--- algorithm.counted(n, noun [, nouns]): "1 vertex", "3 vertices"; without nouns the plural ends in s.
function algorithm.counted(n, noun, nouns)
  return ("%d %s"):format(n, n == 1 and noun or nouns or noun .. "s")
end

--- algorithm.sizes_page(title, sizes): a text for the `show` of a result that is a partition: the title, then, for each of the 8
--- largest sizes, the number of classes of that size.
function algorithm.sizes_page(title, sizes)
  local lines, found, different = {title}, algorithm.tally(sizes, 8)
  for i = 1, #found, 2 do
    lines[#lines + 1] = ("  %9d of %d %s"):format(found[i + 1], found[i], found[i] == 1 and "vertex" or "vertices")
  end
  if different > 8 then lines[#lines + 1] = "  and smaller ones, of " .. algorithm.counted(different - 8, "size") end
  return table.concat(lines, "\n")
end

--- result:show(): prints what was found and, if the run was stepped and a run without stops takes another form, the name of that form.
local function show(r) session.say(tostring(r)) end

local proofs = {} -- name of a kind of result -> the function that check(r) calls

--- algorithm.check_origin(name, file, want, found, order, what): raises an error of the function `name` unless the checkpoint in
--- `file` was written by the same run as the one that resumes from it: found[k] must equal want[k] for each k in the list `order`.
--- what[k], if given, is the reason in the error.
function algorithm.check_origin(name, file, want, found, order, what)
  for _, k in ipairs(order) do
    if found[k] ~= want[k] then
      error(("%s: this run cannot continue from the checkpoint %s: %s"):format(name, file,
        what[k] or ("its %s is %s, here it is %s"):format(k, tostring(found[k]), tostring(want[k]))), 0)
    end
  end
end

--- algorithm.not_expanded(count): the text by which a result says that `count` states of its state space are not expanded.
function algorithm.not_expanded(count)
  return algorithm.counted(count, "state of the space is", "states of the space are") .. " not expanded"
end

--- algorithm.proof(name): the `check` function that algorithm.results was given for that kind of result; or nil.
function algorithm.proof(name) return proofs[name] end

--- algorithm.proofs(): the names of all kinds of result that have such a function.
function algorithm.proofs()
  local names = {}
  for name in pairs(proofs) do names[#names + 1] = name end
  return names
end

--- The methods of each kind of result, by the kind's name; also of kinds that algorithm.results does not declare.
algorithm.kinds = {}

--- Graphs that are parts of a graph -> their descriptions: ranks.part.
algorithm.parts = setmetatable({}, {__mode = "k"})

--- algorithm.results{name =, show =, methods =, fields =, record =, check =, buffers =}: declares a kind of result. Returns a
--- function made(r, v) that turns the table r into a result of that kind and returns it; v is the algorithm's variant object, or
--- the name of its only form (nil: unknown).
---   name       the kind's name, for r.kind
---   show       a function of r; its text is what r:show() and the prompt print
---   methods    functions by name, for r:NAME(...); `show` is added to them
---   fields     functions of r by name; each computes r.NAME when r.NAME is first read
---   record     the names of the fields that --json, --csv, json and csv write; all fields of r if omitted
---   check      a function of r, which check(r) calls; it returns the mistake as text, or nil. The functions of the shipped
---              algorithms are in lua/base/check.lua
---   buffers    what the elements of r's buffers mean, by the buffer's name: "vertex" (the type's greatest value means "none"),
---              "greatest" or "least" (this value of the type, or inf or -inf, means "none"), or "value". "None" is an empty field
---              in CSV, and null in JSON. If a buffer has one element per vertex, its rows in CSV have the labels of the graph's file
--- r.variant names the form that ran (if several ran, all of them, in their order). r.free_variant names the form that a run
--- takes if it is not stepped; nil if that is the same. If r.graph belongs to an unfinished state space, r.unexpanded is the
--- number of its states that are not expanded, which the prompt and --json show too; else nil.
function algorithm.results(kind)
  local methods, fields = kind.methods or {}, kind.fields or {}
  methods.show = show
  local meanings = kind.buffers or {}
  local function meant(r, key, x)
    local g = rawget(r, "graph")
    if meanings[key] and algorithm.is("lockstep.buffer", x) and algorithm.is("lockstep.graph", g) then
      algorithm.meaning(x, meanings[key], g)
    end
  end
  proofs[kind.name] = kind.check
  algorithm.kinds[kind.name] = kind.methods or algorithm.kinds[kind.name] or methods
  local function index(r, key)
    if methods[key] then return methods[key] end
    local make = fields[key]
    if not make then return nil end
    local x = make(r)
    meant(r, key, x)
    rawset(r, key, x)
    return x
  end
  local function text(r)
    local free = rawget(r, "free_variant")
    local found = kind.show(r) .. (r.unexpanded and ("\n(for the explored part only: %s)"):format(algorithm.not_expanded(r.unexpanded)) or "")
    if not free then return found end
    return ("%s\n(This run was stepped and took the form '%s'. A run that is not stepped takes '%s': see ?%s.)"):format(
      found, r.variant, free, kind.name)
  end
  local meta = {__name = kind.name, __index = index, __methods = methods, __tostring = text}
  if kind.record or kind.buffers then
    function meta.__record(r)
      local out, g = {}, rawget(r, "graph")
      for name, x in next, not kind.record and r or {} do out[name] = x end
      for _, name in ipairs(kind.record or {}) do out[name] = r[name] end
      out.unexpanded = r.unexpanded
      out.unreached = nil -- not written: an unreached vertex is null or an empty field in the output
      if kind.buffers and algorithm.labels(g) then
        out.label = {}
        for v = 0, g.n - 1 do out.label[v + 1] = g:label(v) end
      end
      return out
    end
  end
  return function(r, variant)
    if type(variant) ~= "table" then
      r.variant = variant
    else
      r.variant, r.free_variant = table.concat(variant.taken, ", "), variant.free
    end
    r.kind = kind.name
    for key in next, meanings do meant(r, key, rawget(r, key)) end
    local g = rawget(r, "graph")
    if algorithm.is("lockstep.graph", g) and g.unexpanded > 0 then r.unexpanded = g.unexpanded end
    return setmetatable(r, meta)
  end
end

algorithm.on_cpu = on_cpu

return algorithm
