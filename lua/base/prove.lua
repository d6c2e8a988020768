-- prove(KIND, g, x): proves the answer of another program.

local algorithm = import "base/algorithm"
local answer = import "base/answer"
local proof = import "base/proof"

local COMMON = {base = {least = 0, most = 1, what = "the first vertex's number"}, unreached = "number", expected = "flag"}

-- Where the answer y differs from a right one, as lines; "" if that cannot be said.
local function correction(kind, g, y, options)
  local right = kind.right(g, options, y)
  if type(right) == "string" then return "\n  right: " .. right end
  if not algorithm.is("lockstep.buffer", y) then return "\n  right: " .. answer.first(right) end
  local count, list = y:diff(right, 5)
  local lines, n = {}, g.n
  for i, d in ipairs(list) do
    local at = #right == n and ("vertex %s"):format(algorithm.vertex_text(g, d.i)) or ("row %d, column %d"):format(d.i // n, d.i % n)
    lines[i] = ("\n  %s: given %s, right %s"):format(at, answer.shown(d.a, y.dtype), answer.shown(d.b, right.dtype))
  end
  if count > #list then lines[#lines + 1] = ("\n  and %d more differ"):format(count - #list) end
  return table.concat(lines)
end

-- An own kind of result, declared by algorithm.results{check =}: x is the table of its fields.
local function prove_own(name, g, x)
  if type(x) ~= "table" then error(("expected the fields of a result as a table, got %s"):format(algorithm.described(x)), 0) end
  local r = setmetatable({}, getmetatable(x))
  for key, value in pairs(x) do r[key] = value end
  r.kind, r.graph = name, g
  local why = algorithm.proof(name)(r)
  if why then error(why, 0) end
  return name .. "'s own check finds no mistake"
end

-- Reads and proves x. Returns whether it is right; the line that says what was proved, or what is wrong; the numbers that were taken for
-- "unreached", and x as it was read.
local function attempt(kind, g, x, options)
  local y, marks = kind.read(g, x, options)
  local good, why, line = pcall(kind.prove, g, y, options)
  local right = good and not why
  return right, right and line or algorithm.without_place(why), marks or {}, y
end

-- A number that usually means "unreached" may be a distance. If the answer is not right with all marks, each of several is tried as the
-- only one, and none. Returns the line that says what was proved; nil if the answer is wrong in every reading.
local function other_reading(kind, g, x, options, marks)
  local only, list = {false}, {}
  for mark in pairs(marks) do list[#list + 1] = mark end
  if #list > 1 then table.move(list, 1, #list, 2, only) end
  for _, mark in ipairs(only) do
    local read, right, line = pcall(attempt, kind, g, x, setmetatable({unreached = mark}, {__index = options}))
    if read and right then return line .. (mark and ("; unreached is %s"):format(algorithm.described(mark)) or "") end
  end
end

-- The line that says what was proved; else raises what is wrong as text.
local function proved(kind, g, x, options)
  local lacks = kind.needs and kind.needs(g)
  if lacks then error(lacks, 0) end
  local good, text, marks, y = attempt(kind, g, x, options)
  local mark, times = next(marks)
  if options.unreached ~= nil then mark = nil end
  local note = mark and ("%s was read as unreached (%s; unreached = VALUE names the mark)"):format(algorithm.described(mark), algorithm.counted(times, "time"))
  if good then return text .. (note and "; " .. note or "") end
  local line = mark and other_reading(kind, g, x, options, marks)
  if line then return line end
  error(text .. (note and ("\n  (%s)"):format(note) or "") .. (options.expected and correction(kind, g, y, options) or ""), 0)
end

--- prove(KIND, g, x [, options]): is x, the answer of another program for the graph g, right? Returns true and the line that says what
--- was proved (the prompt prints it), or raises an error that names the first violation. x is a buffer, a table, or the name of a file
--- (.npy, .csv, .txt, .mtx; one value per line, or two columns, vertex and value). help judging lists the kinds. Options:
---   source = 0       of a search; sources = {0, 7}: the distance from the nearest
---   base = 1         the first vertex's number in x, where x contains vertices; by default it is found out
---   unreached = -1   the number that means "unreached"; by default inf, nan, the greatest number of a type, and -1 if no weight is negative
---   max = true       ocm, ocr: the greatest mean or ratio
---   damping, tolerance   pagerank: 0.85, and the change in sum that one step may make, 1e-6; ocm, ocr: tolerance, 1e-9 of the greatest |w|
---   expected = true  an error also says what a right answer is there
---   g = gen.grid{100, 100}   prove("bfs", g, "levels.txt")   prove("scc", g, {0, 0, 2}, {expected = true})
--- A kind of result of your own (algorithm.results{check =}) can be proved too; x is then the table of its fields.
local function prove(name, g, x, options)
  local kind = answer.kinds[name]
  if not kind and not (type(name) == "string" and algorithm.proof(name)) then
    local text, names = answer.known(algorithm.proofs())
    local near = type(name) == "string" and algorithm.nearest(name, names)
    error(("prove: expected a kind (%s), got %s%s"):format(text, algorithm.described(name),
      near and (" (did you mean %s?)"):format(near) or ""), 2)
  end
  algorithm.graph("prove", g)
  local specs = {}
  for key, spec in pairs(COMMON) do specs[key] = spec end
  for key, spec in pairs(kind and kind.options or {}) do specs[key] = spec end
  options = algorithm.options("prove", options, specs)
  for _, s in ipairs(specs.source and answer.sources(options) or {}) do
    if g.n > 0 then algorithm.vertex("prove", g, s, "source") end
  end
  local good, line
  if kind then
    good, line = pcall(proved, kind, g, x, options)
  else
    good, line = pcall(prove_own, name, g, x)
  end
  if not good then error("prove: " .. algorithm.without_place(line), 2) end
  return true, proof.explored(line, g.unexpanded)
end

return prove
