-- Shared by the lessons: the town, the city, and functions that describe a state. Returns the table to which every lesson
-- adds its functions; it is the global `lesson` while a lesson runs.
local folder = ...
local lesson = {}

--- A little town: two roundabouts, a street between them, one that leads in, and one that leads out.
town = graph.from_edges {
  {9, 8}, {8, 7}, {7, 0},         -- the way in
  {0, 1}, {1, 2}, {2, 0},         -- a roundabout
  {2, 6}, {6, 3},                 -- a street from one to the other
  {3, 4}, {4, 5}, {5, 3},         -- another roundabout
  {5, 10}, {10, 11}, {11, 12},    -- the way out
  name = "town",
}
--- An invented city.
function lesson.load_city() return graph.load(folder .. "/../city.gr") end

local function go_to(name, why)
  io.stderr:write("(this lesson runs on ", name, ", ", why, "; afterwards the device is ", device().name, " again)\n")
  device(name)
end

--- Switches to the CPU: on a GPU the number of passes varies, because its threads see each other's writes earlier or later.
function lesson.on_cpu()
  if device().processor ~= "cpu" then go_to("cpu", "where passes are nearly the same every time") end
end

--- Switches to one thread of the CPU, where a pass is deterministic.
function lesson.in_order()
  if device().name ~= "cpu:1" then go_to("cpu:1", "one thread, where passes are the same every time") end
end

lesson.SETTLED = 0xffffffff
local NONE = 0xffffffff

--- {1, 2, 3} as "1, 2 and 3".
function lesson.words(list)
  if #list < 2 then return tostring(list[1] or "none") end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

--- The vertices v for which f(buffer[v]) is true, as words.
function lesson.those(buffer, f)
  local list = {}
  for v, x in pairs(buffer) do
    if f(x, v) then list[#list + 1] = v end
  end
  return lesson.words(list)
end

local function settled(mark) return mark == lesson.SETTLED end
local function live(mark) return mark ~= lesson.SETTLED end

function lesson.gone(s) return lesson.those(s.mark, settled) end
function lesson.live(s) return lesson.those(s.mark, live) end
function lesson.count_gone(s) return s.mark:count(lesson.SETTLED) end

--- Do the removed vertices, and only these, have a component? With `alone`: and is each of them a component by itself?
function lesson.named(s, alone)
  for v, mark in pairs(s.mark) do
    if live(mark) ~= (s.comp[v] == NONE) then return false end
    if alone and settled(mark) and s.comp[v] ~= v then return false end
  end
  return true
end

local function leads(v, to)
  for x in town:edges(v) do
    if x == to then return true end
  end
  return false
end

--- The town as a picture of two lines; with a state, removed vertices are dots. Raises an error if a street is not drawn.
function lesson.picture(s)
  local row = {9, 8, 7, 0, 1, 2, 6, 3, 4, 5, 10, 11, 12}
  local line, under, streets, column = "  ", "  ", 0, {}
  local function there(v) return v and (not s or live(s.mark[v])) end
  for i, v in ipairs(row) do
    local name, ahead = tostring(v), row[i + 1]
    column[v] = #line
    line = line .. (there(v) and name or ("."):rep(#name))
    if ahead and leads(v, ahead) then streets = streets + 1 end
    line = line .. (there(v) and there(ahead) and leads(v, ahead) and ">" or " ")
  end
  for _, back in ipairs {{2, 0}, {5, 3}} do
    if leads(back[1], back[2]) then streets = streets + 1 end
    local drawn = there(back[1]) and there(back[2]) and "\\_<_/" or ""
    under = under .. (" "):rep(column[back[2]] - #under) .. drawn
  end
  assert(streets == town.m, "the picture of the town has other streets than the town")
  return (line .. "\n" .. under):gsub(" +\n", "\n"):gsub(" +$", "") .. ""
end

--- How many components g has, and how many of them are single vertices, by the textbook's algorithm (Tarjan 1972).
function lesson.components(g)
  local ids, count = reference.tarjan(g)
  local size, singles = {}, 0
  for _, id in pairs(ids) do size[id] = (size[id] or 0) + 1 end
  for _, n in pairs(size) do
    if n == 1 then singles = singles + 1 end
  end
  return count, singles
end
function lesson.singles(g) return select(2, lesson.components(g)) end

--- What scc.forward_backward does to g, with trimming or without it: rounds, search passes, trimming
--- passes, and the number of vertices that trimming in later rounds removed.
local function by_searches(g, trims)
  local s = state.scc(g)
  local rounds, passes, trimming, later = 0, 0, 0, 0
  while true do
    if trims then
      local trimmed, n = fixpoint(trim, s)
      trimming = trimming + n
      if rounds > 0 then later = later + trimmed end
    end
    fill(s.vote, 0)
    pick_pivots(s)
    if new_regions(s) == 0 then break end
    copy_queue(s)
    local _, forward = reach_forward_fix(s)
    local _, backward = reach_backward_fix(s)
    split(s)
    rounds, passes = rounds + 1, passes + forward + backward
  end
  assert(count_components(s.comp) == (lesson.components(g)))
  return {rounds = rounds, passes = passes, trimming = trimming, later = later}
end

--- The same for scc.maxima.
local function by_maxima(g)
  local s = state.scc(g)
  local rounds, passes, kept = 0, 0, residual(s)
  reset_max(s)
  repeat
    if kept > 0 then
      passes = passes + select(2, propagate_max_fix(s))
      kept = remove_edges(s)
    end
    prim.swap(s.edges, s.edges_next)
    rounds = rounds + 1
  until settle_max(s) == 0
  assert(count_components(s.comp) == (lesson.components(g)))
  return {rounds = rounds, passes = passes}
end

local known = {}

--- cost(g, how): `how` is "searches", "untrimmed" or "maxima". Computed at the first call.
function lesson.cost(g, how)
  local key = g.name .. how
  known[key] = known[key] or (how == "maxima" and by_maxima(g) or by_searches(g, how == "searches"))
  return known[key]
end

return lesson
