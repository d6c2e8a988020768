-- The cost of checked variants of rows: the time of a row with bounds on, and with races on, divided by its plain time. Each is
-- the time of all the row's calls for the same work, because an unstepped loop makes fewer and larger calls.
-- Usage: lockstep scripts/measure/forms.lua [SCALE of the graph, default 16]. Medians of three runs; variants are compiled beforehand.
local scale = tonumber(arg[1] or 16)
local g = gen.rmat {scale = scale, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 255}
local small = gen.uniform {n = 500, m = 5000, seed = 1, weights = "i32", lo = 1, hi = 255}
g:reverse()

local function work()
  scc.maxima(g)
  scc.forward_backward(g)
  sssp(g, 0)
  bfs(g, 0)
  paths.delta_stepping(g, 0)
  paths.harish(g, 0)
  ocm(g, {form = "layered"})
  fw(small, {form = "tiles"})
end

-- Seconds in each row, by name.
local function times()
  trace.reset()
  work()
  local found = {}
  for _, s in ipairs(stats()) do
    if s.kernel ~= "(host gap)" then found[s.kernel] = s.total end
  end
  return found
end

local function medians()
  work() -- compiles missing variants
  local all = {times(), times(), times()}
  local middle = {}
  for name in pairs(all[1]) do
    local three = {all[1][name], all[2][name] or 0, all[3][name] or 0}
    table.sort(three)
    middle[name] = three[2]
  end
  return middle
end

kernel.bounds("own")
local built = medians()
kernel.bounds("on")
local checked = medians()
kernel.bounds("own")
kernel.races("on")
local raced = medians()
kernel.races("off")

local rows = {}
for name, t in pairs(built) do
  local row = prim.describe(name)
  if row and row.domain ~= "library" and row.domain ~= "loop" and checked[name] and raced[name] then rows[#rows + 1] = {name, t} end
end
table.sort(rows, function(a, b) return a[2] > b[2] end)
print(("R-MAT scale %d, %s; microseconds in all, and how many times as long"):format(scale, device().name))
print(("%-24s %10s %10s %10s"):format("row", "built", "bounds on", "races on"))
for i = 1, math.min(#rows, 24) do
  local name, t = rows[i][1], rows[i][2]
  print(("%-24s %10.1f %9.1fx %9.1fx"):format(name, 1e6 * t, checked[name] / t, raced[name] / t))
end
