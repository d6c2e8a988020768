-- Answers from elsewhere: how a file, a table or a buffer that another program made becomes what a proof takes. What the families
-- prove of such answers is in lua/FAMILY/answer.lua; prove (lua/base/prove.lua) calls it.

local algorithm = import "base/algorithm"
local distance_proof = import "base/distance_proof"
local proof = import "base/proof"

-- kinds: name of a kind -> {about, options, needs, read, prove, right, run}.
--   about               what x is, in a few words
--   options             what prove takes besides base, unreached and expected, in the form of algorithm.options
--   read(g, x, options) x in a canonical form, so that two right answers are equal wherever the problem has one answer; and the numbers
--                       that were taken for "unreached" (answer.values), or nil
--   prove(g, y, options) returns what is wrong with that form as text (or raises it); else nil and the line that says what was proved
--   right(g, options, y) a right answer by our own algorithm: in the canonical form, where the problem has one answer; else as text
--   run(g, options)     our own algorithm, to be timed
--   needs(g)            why the kind has no answer for g, as text; nil if it has
local answer = {kinds = {}}

local described = algorithm.described

--- answer.known([more]): the names of all kinds, and of the list `more`, as a text for an error; and as a sorted list.
function answer.known(more)
  local names = more or {}
  for name in pairs(answer.kinds) do names[#names + 1] = name end
  table.sort(names)
  return table.concat(names, ", "), names
end

function answer.wrong(form, ...) error(form:format(...), 0) end
local wrong = answer.wrong

local function loaded(path, dtype, none)
  local good, b = pcall(buffer.load, path, {dtype = dtype, none = none})
  return good and b, b
end

-- A file's numbers: whole ones as integers, where all are; an empty field of a CSV file is NaN.
local function read(path)
  local b, why = loaded(path)
  if not b and path:find("%.csv") then b = loaded(path, "f64", 0 / 0) end
  if not b then wrong("%s", algorithm.without_place(why)) end
  return b
end

-- A table's numbers. Element 1 belongs to vertex 0, unless the table has an element 0.
local function of_table(x)
  local list = {}
  if x[0] ~= nil then list[1] = x[0] end
  local first, whole = #list, true
  for i, y in ipairs(x) do
    if type(y) ~= "number" then wrong("element %d of the table: expected a number, got %s", i, described(y)) end
    list[first + i] = y
  end
  for _, y in ipairs(list) do whole = whole and math.type(y) == "integer" end
  return buffer.new(whole and "i64" or "f64", list)
end

--- answer.array(x): x, which is a buffer, a table of numbers, or the name of a file, as a buffer.
function answer.array(x)
  if type(x) == "string" then return read(x) end
  if type(x) == "table" then return of_table(x) end
  if algorithm.is("lockstep.buffer", x) then return x end
  wrong("expected a buffer, a table or the name of a file, got %s", described(x))
end

-- The number of the first vertex, where ids is a list of vertices: options.base, else 1 if the list has the number n and not 0, else 0.
local function base_of(ids, n, options)
  if options.base or #ids == 0 then return options.base or 0 end
  local low, high = ids[1], ids[1]
  for _, v in ipairs(ids) do low, high = math.min(low, v), math.max(high, v) end
  return low >= 1 and high == n and 1 or 0
end

-- Every cols-th element of b, from the first one on, as a list.
local function column(b, cols)
  local list = {}
  for i = 0, #b - 1, cols do list[#list + 1] = algorithm.whole(b[i]) end
  return list
end

local function is_vertex(v, first, n) return math.type(v) == "integer" and v >= first and v < n + first end

-- Two columns, vertex and value: the values in the order of the vertices; "none" for vertices without a row.
local function by_column(b, g, options)
  local ids, list, seen = column(b, 2), {}, {}
  local first, n = base_of(ids, g.n, options), g.n
  local whole = b.dtype ~= "f32" and b.dtype ~= "f64"
  for v = 1, n do list[v] = whole and math.maxinteger or 0 / 0 end
  for row, v in ipairs(ids) do
    if not is_vertex(v, first, n) then
      wrong("row %d names vertex %s, expected a number from %d to %d (base = 0 or 1 says which vertex is the first)", row, described(v), first, n - 1 + first)
    end
    if seen[v] then wrong("rows %d and %d both have vertex %d", seen[v], row, v) end
    seen[v], list[v - first + 1] = row, b[2 * row - 1]
  end
  return buffer.new(whole and "i64" or "f64", list)
end

--- answer.by_vertex(g, x, options): x as a buffer with one value per vertex. x may have two columns, vertex and value.
function answer.by_vertex(g, x, options)
  local b = answer.array(x)
  if b.cols == 2 then return by_column(b, g, options) end
  if #b ~= g.n then
    wrong("expected %s, one for each vertex, or rows of vertex and value; got %s", algorithm.counted(g.n, "value"), described(b))
  end
  return b
end

-- Integers that other programs write for "none".
local MARKS = {[0x7fffffff] = true, [0xffffffff] = true, [math.maxinteger] = true}
local LEAST = {[-0x80000000] = true, [math.mininteger] = true}

local function is_none(x, options, negative)
  if x ~= x or x == math.huge then return true end
  if options.unreached ~= nil then return x == options.unreached end -- false: no number is a mark
  if math.type(x) == "float" then x = math.tointeger(x) or x end
  return MARKS[x] or x >= 0x1p127 or (x == -1 and not negative)
end

--- answer.values(g, x, dtype, options [, negative]): a buffer of type dtype (i64, f32, f64, u32) with one value per vertex; and the
--- numbers that were taken for "unreached", as a table number -> how often. "None" becomes the type's greatest value. -1 is "none"
--- unless `negative`.
function answer.values(g, x, dtype, options, negative)
  local b, marks, list = answer.by_vertex(g, x, options), {}, {}
  local real = dtype == "f32" or dtype == "f64"
  local none = dtype == "u32" and 0xffffffff or algorithm.greatest[dtype]
  for v = 0, g.n - 1 do
    local y = b[v]
    if is_none(y, options, negative) then
      if y == y and y ~= math.huge then marks[y] = (marks[y] or 0) + 1 end
      list[v + 1] = none
    else
      local z = real and y or algorithm.whole(y)
      if not real and math.type(z) ~= "integer" then wrong("vertex %s has %s, expected a whole number", algorithm.vertex_text(g, v), described(y)) end
      if dtype == "u32" and (z < 0 or z >= none) then
        wrong("vertex %s has %s, expected a number from 0 on", algorithm.vertex_text(g, v), described(y))
      end
      list[v + 1] = z
    end
  end
  return buffer.new(dtype, list), marks
end

--- answer.labels(g, x, options): equal labels become the number of the first vertex that has them: a u32 buffer.
function answer.labels(g, x, options)
  local b, first, list = answer.by_vertex(g, x, options), {}, {}
  for v = 0, g.n - 1 do
    local y = b[v]
    if y ~= y then wrong("vertex %s has no label", algorithm.vertex_text(g, v)) end
    first[y] = first[y] or v
    list[v + 1] = first[y]
  end
  return buffer.new("u32", list)
end

--- answer.matrix(g, x, dtype, none, options [, negative]): a matrix of n x n elements of type dtype; what means "no path" becomes `none`. The
--- second value is the marks, as of answer.values.
function answer.matrix(g, x, dtype, none, options, negative)
  local b, n, list, marks = answer.array(x), g.n, {}, {}
  if #b ~= n * n then wrong("expected a matrix of %d x %d, got %s", n, n, described(b)) end
  local real = dtype == "f32" or dtype == "f64"
  for i = 0, n * n - 1 do
    local y = b[i]
    if is_none(y, options, negative) or (none < 0 and (LEAST[y] or y <= -0x1p127)) then
      if y == y and math.abs(y) ~= math.huge then marks[y] = (marks[y] or 0) + 1 end
      y = none
    elseif not real and math.type(algorithm.whole(y)) ~= "integer" then
      wrong("row %d, column %d has %s, expected a whole number", i // n, i % n, described(y))
    end
    list[i + 1] = algorithm.whole(y)
  end
  return buffer.new(dtype, list, n), marks
end

--- answer.parents(g, x, options): the parents of a search as a u32 buffer; a source may be its own parent.
function answer.parents(g, x, options)
  local parent, marks = answer.values(g, x, "u32", options)
  for _, s in ipairs(answer.sources(options)) do
    if parent[s] == s then parent[s] = 0xffffffff end
  end
  return parent, marks
end

--- answer.lengths(g, parent, options [, unit]): the distances (f64 or i64; levels as i64 if `unit`) along the tree of these parents.
function answer.lengths(g, parent, options, unit)
  local none, n = 0xffffffff, g.n
  local real = not unit and proof.real(g)
  local weight, length = {}, {}
  for v = 0, n - 1 do
    for to, w in g:edges(v) do
      w = unit and 1 or w or 1
      if parent[to] == v and (not weight[to] or w < weight[to]) then weight[to] = w end
    end
  end
  for _, s in ipairs(answer.sources(options)) do
    if parent[s] == none then length[s] = 0 end
  end
  for v = 0, n - 1 do
    local way, u = {}, v
    while not length[u] and parent[u] ~= none do
      if parent[u] >= n then wrong("vertex %s has the parent %d, which is no vertex", algorithm.vertex_text(g, u), parent[u]) end
      if not weight[u] then
        wrong("vertex %s has the parent %d, but there is no edge %d -> %d", algorithm.vertex_text(g, u), parent[u], parent[u], u)
      end
      way[#way + 1], u = u, parent[u]
      if #way > n then wrong("the parents of vertex %s lead into a cycle", algorithm.vertex_text(g, v)) end
    end
    if #way > 0 and not length[u] then wrong("the parents of vertex %s lead to vertex %d, which is no source", algorithm.vertex_text(g, v), u) end
    for i = #way, 1, -1 do
      length[way[i]] = length[u] + weight[way[i]]
      u = way[i]
    end
  end
  local list = {}
  for v = 0, n - 1 do list[v + 1] = length[v] or (real and math.huge or math.maxinteger) end
  return buffer.new(real and "f64" or "i64", list)
end

--- answer.single(x): the number that x is, or that a file, table or buffer x consists of. A file may have a fraction: 7/3.
function answer.single(x)
  if type(x) == "number" then return x end
  if type(x) == "string" then
    local file = io.open(x)
    local p, q = (file and file:read(200) or ""):match("^%s*(-?%d+)%s*/%s*(%d+)%s*$")
    if file then file:close() end
    if p and tonumber(q) ~= 0 then return p / q end
  end
  local b = answer.array(x)
  if #b ~= 1 then wrong("expected one number, got %s", described(b)) end
  return b[0]
end

--- answer.listed(x, n, options): x as a list of vertices that count from 0; n is the number of the graph's vertices.
function answer.listed(x, n, options)
  local list = column(answer.array(x), 1)
  local first = base_of(list, n, options)
  for i, v in ipairs(list) do
    if not is_vertex(v, first, n) then
      wrong("element %d is %s, expected a vertex, a number from %d to %d", i, described(v), first, n - 1 + first)
    end
    list[i] = v - first
  end
  return list
end

--- answer.sources(options): the sources as a list, and as what reference.check_sssp takes.
function answer.sources(options)
  local list = options.sources or {options.source}
  return list, #list == 1 and list[1] or buffer.new("u32", list)
end

--- answer.shown(x, dtype): the number x as text; "unreached" for the greatest and "no path" for the least of its type.
function answer.shown(x, dtype)
  if x == (dtype == "u32" and 0xffffffff or algorithm.greatest[dtype]) then return "unreached" end
  return x == algorithm.least[dtype] and "no path" or described(x)
end

--- answer.first(b): the first 12 elements of a buffer as text.
function answer.first(b)
  local words = {}
  for i = 0, math.min(12, #b) - 1 do words[#words + 1] = answer.shown(b[i], b.dtype) end
  return table.concat(words, " ") .. (#b > 12 and " ..." or "")
end

--- answer.searches(name, search): declares two kinds: `name`, a value per vertex, and name_parents, a tree. search has the fields
--- about, about_parents; needs, right and run, as those of a kind; word, what the values are called; type(g), their type; negative(g),
--- whether they can be negative; unit = true if every edge counts 1.
function answer.searches(name, search)
  local function proved(g, dist, parent, options)
    local _, from = answer.sources(options)
    reference.check_sssp(g, from, dist, parent, nil, search.unit)
    return nil, distance_proof.no_short_cut {graph = g}
  end
  local function declare(kind)
    kind.needs, kind.run = search.needs, search.run
    kind.options = {source = {least = 0, what = "a vertex", default = 0}, sources = "table"}
    return kind
  end
  answer.kinds[name] = declare {
    about = search.about, right = search.right,
    read = function(g, x, options) return answer.values(g, x, search.type(g), options, search.negative(g)) end,
    prove = function(g, dist, options) return proved(g, dist, nil, options) end,
  }
  answer.kinds[name .. "_parents"] = declare {
    about = search.about_parents, read = answer.parents,
    right = function(g, options) return search.word .. " " .. answer.first(search.right(g, options)) end,
    prove = function(g, parent, options) return proved(g, answer.lengths(g, parent, options, search.unit), parent, options) end,
  }
end

return answer
