-- The smallest counterexample: joins and removes vertices, removes edges and lowers weights while a graph still fails (Zeller,
-- Hildebrandt 2002: delta debugging, in its complement form). Joining neighbours shortens paths and cycles, which removal would cut.

-- The graph without the vertices from `first` on, `count` of them; the others are renumbered.
local function without_vertices(n, edges, first, count)
  local out = {}
  local function new(v) return v < first and v or v - count end
  for _, e in ipairs(edges) do
    local inside = e[1] >= first and e[1] < first + count or e[2] >= first and e[2] < first + count
    if not inside then out[#out + 1] = {new(e[1]), new(e[2]), e[3]} end
  end
  return n - count, out
end

-- The graph in which the vertices from `first` on, count + 1 of them, are one.
local function joined(n, edges, first, count)
  local out = {}
  local function new(v) return v <= first and v or v <= first + count and first or v - count end
  for _, e in ipairs(edges) do
    local u, v = new(e[1]), new(e[2])
    if u ~= v or e[1] == e[2] then out[#out + 1] = {u, v, e[3]} end
  end
  return n - count, out
end

local function without_edges(edges, first, count)
  local out = table.move(edges, 1, first - 1, 1, {})
  return table.move(edges, first + count, #edges, first, out)
end

-- Tries to remove parts of `total` things, first large ones, then smaller ones, until spent(). attempt(first, count) returns whether
-- that part was removed.
local function remove_parts(total, attempt, spent)
  local size = math.max(1, total // 2)
  repeat
    local first = 0
    while first < total and not spent() do
      local count = math.min(size, total - first)
      if attempt(first, count) then total = total - count else first = first + count end
    end
    size = size // 2
  until size == 0 or spent()
end

-- shrink(n, edges, fails, spent): a smaller graph (its number of vertices, and its edges {from, to, weight}) for which fails(n, edges) is
-- true. spent() says whether to stop, with the smallest graph so far.
local function shrink(n, edges, fails, spent)
  local changed = true
  local function attempt(new_n, new_edges)
    if spent() or not fails(new_n, new_edges) then return false end
    n, edges, changed = new_n, new_edges, true
    return true
  end
  while changed and not spent() do
    changed = false
    remove_parts(n, function(first, count) return first + count < n and attempt(joined(n, edges, first, count)) end, spent)
    remove_parts(n, function(first, count) return count < n and attempt(without_vertices(n, edges, first, count)) end, spent)
    remove_parts(#edges, function(first, count) return attempt(n, without_edges(edges, first + 1, count)) end, spent)
    for i = 1, #edges do
      for _, w in ipairs {1, edges[i][3] and edges[i][3] // 2} do
        if w and w >= 1 and w < edges[i][3] then
          local lower = table.move(edges, 1, #edges, 1, {})
          lower[i] = {edges[i][1], edges[i][2], w}
          if attempt(n, lower) then break end
        end
      end
    end
  end
  return n, edges
end

return shrink
