-- ranks.compare: compares the result of several ranks with that of a single rank, and finds the first difference.

local algorithm = import "base/algorithm"
local ranks = import "exchange/ranks"

-- For each kind of result, the names of the buffers and of the numbers that must be equal. classes: the name of a buffer that partitions
-- the vertices into classes, whose labels may differ.
local AGREE = {
  bfs = {buffers = {"dist"}}, sssp = {buffers = {"dist"}}, scc = {numbers = {"count"}, classes = "id"}, ocm = {numbers = {"p", "q", "mean"}},
  fw = {buffers = {"matrix"}}, apsp = {buffers = {"matrix"}}, kleene = {buffers = {"matrix"}},
  explore = {numbers = {"states", "transitions", "deadlocks", "levels", "errors"}, graph = {"off", "to", "w", "t"}},
}

-- Calls f as if there were a single rank. Arguments that are parts of graphs are replaced by the whole graphs.
local function alone(f, ...)
  local args, count, rank = table.pack(...), ranks.count, ranks.rank
  for i = 1, args.n do
    local part = algorithm.parts[args[i]]
    if part then args[i] = part.whole end
  end
  ranks.count, ranks.rank = 1, 0
  local out = table.pack(pcall(f, table.unpack(args, 1, args.n)))
  ranks.count, ranks.rank = count, rank
  if not out[1] then error(out[2], 0) end
  return out[2]
end

-- Are two values equal? Reals may differ by rounding errors, because ranks sum them in another order.
local function agree(x, y)
  return x == y or x ~= x and y ~= y or math.type(x) == "float" and math.type(y) == "float" and math.abs(x - y) <= 1e-5 * math.max(math.abs(x), math.abs(y))
end

-- The first index at which two buffers differ, as text that follows their name, and both values; nil if they are equal.
local function first_difference(a, b)
  if #a ~= #b then return "", #a .. " elements", #b .. " elements" end
  if a:diff(b) == 0 then return nil end
  for i = 0, #a - 1 do
    local x, y = a[i], b[i]
    if not agree(x, y) then return ("[%d]"):format(i), x, y end
  end
end

-- The same for two partitions of the vertices: the first vertex that shares its class with an earlier vertex in only one of the two
-- partitions.
local function other_classes(a, b)
  local of_a, of_b = {}, {}
  for v = 0, #a - 1 do
    local x, y = a[v], b[v]
    of_a[x], of_b[y] = of_a[x] or y, of_b[y] or x
    if of_a[x] ~= y or of_b[y] ~= x then return ("[%d]"):format(v), x, y end
  end
end

-- The first difference between two results of a kind: a name, and both values; nil if they are equal.
local function difference(r, want, rule)
  for _, name in ipairs(rule.numbers or {}) do
    if not agree(r[name], want[name]) then return name, r[name], want[name] end
  end
  local pairs_of = {}
  for _, name in ipairs(rule.buffers or {}) do pairs_of[#pairs_of + 1] = {name, r[name], want[name], first_difference} end
  for _, name in ipairs(rule.graph and r.graph and rule.graph or {}) do
    pairs_of[#pairs_of + 1] = r.graph[name] and {"graph." .. name, r.graph[name], want.graph[name], first_difference} or nil
  end
  if rule.classes then pairs_of[#pairs_of + 1] = {rule.classes, r[rule.classes], want[rule.classes], other_classes} end
  for _, p in ipairs(pairs_of) do
    local at, x, y = p[4](p[2], p[3])
    if at then return p[1] .. at, x, y end
  end
end

--- ranks.compare(f, ...): computes r = f(...) by all ranks, and again in each rank by itself (with the whole graph if an argument is a part
--- of a graph). If the results differ in any rank, all ranks raise an error with the first difference and both values. f is bfs, sssp,
--- scc, ocm, ocr, fw, apsp, kleene or explore, or a function that returns their results. All ranks must call it; each needs memory for
--- the whole problem. Sums of reals may differ by 1e-5 relatively, labels of components may differ, and choices among several right
--- answers are not compared. Returns r.
---   r = ranks.compare(scc, g:partition())
function ranks.compare(f, ...)
  if type(f) ~= "function" and not (getmetatable(f) and getmetatable(f).__call) then
    error(("ranks.compare: expected a function, got %s"):format(algorithm.described(f)), 2)
  end
  local r = f(...)
  local kind = type(r) == "table" and rawget(r, "kind") or nil
  local rule = AGREE[kind]
  if not rule then error(("ranks.compare: expected a result of bfs, sssp, scc, ocm, ocr, fw, apsp, kleene or explore, got %s"):format(kind or algorithm.described(r)), 2) end
  local name, x, y = difference(r, alone(f, ...), rule)
  local first = ranks.greatest(name and ranks.count - ranks.rank or 0)
  if first == 0 then return r end
  local which = ranks.count - first
  error(name and ("ranks.compare: %s: %s is %s with %s, but %s with one"):format(kind, name, tostring(x), algorithm.counted(ranks.count, "rank"), tostring(y)) or
    ("ranks.compare: %s: the result of rank %d differs from that of a single rank"):format(kind, which), 2)
end

return ranks
