-- Shared by the lessons policy-iteration and potentials: the town of tolls, and functions that describe a policy.
local lesson = ...

--- A town of tolls: three rings, and streets between them. The first street may be made cheaper.
function lesson.tolls(cheaper)
  return graph.from_edges {
    {0, 1, 4 - (cheaper or 0)}, {1, 2, 9}, {1, 3, 7}, {2, 3, 9}, {3, 0, 5},
    {4, 5, 9}, {5, 6, 4}, {6, 7, 6}, {6, 4, 5}, {7, 4, 6},
    {8, 9, 3}, {9, 10, 7}, {10, 11, 8}, {10, 8, 6}, {11, 8, 4},
    {0, 7, 7}, {2, 10, 9}, {3, 4, 6}, {5, 2, 7}, {7, 8, 1}, {9, 6, 8}, {11, 0, 4},
    name = "tolls",
  }
end

-- --- cycles ---

--- Every simple cycle of g, as {weight, length}, by enumeration.
function lesson.cycles(g)
  local list, on = {}, {}
  local function go(first, v, weight, length)
    on[v] = true
    for to, w in g:edges(v) do
      if to == first then
        list[#list + 1] = {weight + w, length + 1}
      elseif to > first and not on[to] then
        go(first, to, weight + w, length + 1)
      end
    end
    on[v] = nil
  end
  for v = 0, g.n - 1 do go(v, v, 0, 0) end
  return list
end

local function least(list)
  local best = list[1]
  for _, c in ipairs(list) do
    if c[1] * best[2] < best[1] * c[2] then best = c end
  end
  return best
end

--- Is p/q the least mean of all cycles in list?
function lesson.is_least(p, q, list)
  local best = least(list)
  return p * best[2] == best[1] * q
end

local function chosen(s, v) return s.graph.to[s.policy[v]], s.graph.w[s.policy[v]] end

--- The cycles that the choices lead to, as {weight, length, text}.
function lesson.chosen_cycles(s)
  local list, seen = {}, {}
  for first = 0, s.graph.n - 1 do
    local v = first
    while not seen[v] do seen[v], v = first, chosen(s, v) end
    if seen[v] == first then -- visited for the first time
      local c, u = {0, 0, tostring(v)}, v
      repeat
        local to, w = chosen(s, u)
        c[1], c[2], c[3], u = c[1] + w, c[2] + 1, c[3] .. " > " .. to, to
      until u == v
      list[#list + 1] = c
    end
  end
  return list
end

function lesson.show_cycles(s)
  local lines = {}
  for _, c in ipairs(lesson.chosen_cycles(s)) do
    lines[#lines + 1] = ("  %-24s %3d for %d streets, mean %.3f"):format(c[3], c[1], c[2], c[1] / c[2])
  end
  return table.concat(lines, "\n")
end

-- --- choices and values ---

-- One entry per vertex, in columns.
local function columns(n, width, text)
  local lines, across = {}, 56 // width
  local down = (n + across - 1) // across
  for i = 0, down - 1 do
    local line = "  "
    for v = i, n - 1, down do line = line .. ("%-" .. width .. "s"):format(text(v)) end
    lines[#lines + 1] = line:gsub("%s+$", "")
  end
  return table.concat(lines, "\n")
end

--- The targets of each vertex's streets, with their tolls.
function lesson.streets(g)
  return columns(g.n, 22, function(v)
    local list = {}
    for to, w in g:edges(v) do list[#list + 1] = ("%d (%d)"):format(to, w) end
    return ("%2d > %s"):format(v, table.concat(list, ", "))
  end)
end

--- The choice of each vertex, and its value if known.
function lesson.choices(s, valued)
  return columns(s.graph.n, valued and 16 or 15, function(v)
    local to, w = chosen(s, v)
    if valued then return ("%2d > %-3d %d"):format(v, to, s.d[v]) end
    return ("%2d > %d (%d)"):format(v, to, w)
  end)
end

function lesson.p(s) return s.p[s.region[0]] end
function lesson.q(s) return s.q[s.region[0]] end
function lesson.root(s) return s.root[s.region[0]] end
function lesson.fraction(s) return lesson.q(s) == 1 and lesson.p(s) or lesson.p(s) .. "/" .. lesson.q(s) end

-- The cost of a street for the current lambda.
local function cost(s, w) return lesson.q(s) * w - lesson.p(s) end

--- Are p, q and the root those of the best of the cycles that the choices lead to?
function lesson.best_is_known(s)
  local best = least(lesson.chosen_cycles(s))
  return lesson.p(s) * best[2] == best[1] * lesson.q(s) and best[3]:match("^%d+") == tostring(lesson.root(s))
end

--- Is every d the cost of the chosen path to the root, and do the values around the root's cycle agree?
function lesson.values_are_right(s)
  for first = 0, s.graph.n - 1 do
    local v, sum = first, 0
    for _ = 1, s.graph.n do
      if v == lesson.root(s) then break end
      local to, w = chosen(s, v)
      v, sum = to, sum + cost(s, w)
    end
    if v ~= lesson.root(s) or s.d[first] ~= sum then return false end
  end
  return true
end

--- The vertices whose choice has changed since d was computed, as {vertex, target, toll, d via the new choice}.
function lesson.changes(s)
  local list = {}
  for v = 0, s.graph.n - 1 do
    local to, w = chosen(s, v)
    local by = cost(s, w) + s.d[to]
    if by ~= s.d[v] then list[#list + 1] = {v, to, w, by} end
  end
  return list
end

function lesson.show_changes(s)
  local lines = {}
  for _, c in ipairs(lesson.changes(s)) do
    lines[#lines + 1] = ("  %2d > %-2d  %d * %d - %d + %d = %d instead of %d"):format(c[1], c[2], lesson.q(s), c[3],
      lesson.p(s), s.d[c[2]], c[4], s.d[c[1]])
  end
  return table.concat(lines, "\n")
end

--- Are these exactly the vertices that changed their choice, and is each new choice better?
function lesson.changed(s, ...)
  local changes = lesson.changes(s)
  for i, v in ipairs {...} do
    if not changes[i] or changes[i][1] ~= v or changes[i][4] >= s.d[v] then return false end
  end
  return #changes == select("#", ...)
end

--- Is no street better than the chosen one?
function lesson.proves(s)
  for v = 0, s.graph.n - 1 do
    for to, w in s.graph:edges(v) do
      if s.d[v] > cost(s, w) + s.d[to] then return false end
    end
  end
  return true
end

--- The iterations of the last run, one per line.
function lesson.iterations()
  local cycles, lambda, improved = trace.series("cycles"), trace.series("lambda"), trace.series("improved")
  local lines = {"  iteration   cycles       lambda   improved"}
  for i = 1, #improved.value do
    lines[#lines + 1] = ("  %9d %8d %12.6g %10d"):format(i, cycles.value[i], lambda.value[i], improved.value[i])
  end
  return table.concat(lines, "\n")
end

--- Has lambda never risen, and did the last iteration improve nothing?
function lesson.always_better()
  local lambda, improved = trace.series("lambda").value, trace.series("improved").value
  for i = 2, #lambda do
    if lambda[i] > lambda[i - 1] then return false end
  end
  for i = 1, #improved do
    if (improved[i] == 0) ~= (i == #improved) then return false end
  end
  return true
end

function lesson.count_iterations() return #trace.series("improved").value end
