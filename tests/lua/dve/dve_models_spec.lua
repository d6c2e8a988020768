-- The state spaces of published models, compared with another implementation's counts: ../shared/data/dve next to the repository.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local same_spaces = dofile(here .. "/same_spaces.lua")
local folder = os.getenv("LOCKSTEP_DVE") or here .. "/../../../shared/data/dve"
local file = io.open(folder .. "/expected.tsv")
if not file then
  print("dve_models: skipped: there is no " .. folder .. "/expected.tsv")
  it("is skipped", function() end)
  return
end

local names
for text in file:lines() do
  local row = {}
  for cell in text:gmatch("[^\t]+") do row[#row + 1] = tonumber(cell) or cell end
  if not names then
    names = row
  else
    local want = {}
    for i, name in ipairs(names) do want[name] = row[i] end
    it(want.file, function()
      local m = model.load(folder .. "/" .. want.file)
      local r = explore.search(m)
      equal(check(r), true)
      same_spaces.compare(r, explore.levels(m)) -- explore.levels: by primitives, on the current device
      local c = scc(r.graph)
      local ones, terminal = 0, c.condensation
      for _, size in pairs(c.sizes) do
        if size == 1 then ones = ones + 1 end
      end
      local ends = 0
      for v = 0, terminal.n - 1 do
        local inside = true
        for to in terminal:edges(v) do inside = inside and to == v end
        if inside then ends = ends + 1 end
      end
      equal({file = want.file, states = r.states, transitions = r.transitions, deadlock_states = r.deadlocks, bfs_levels = r.levels,
        sccs = c.count, single_vertex_sccs = ones, terminal_sccs = ends, largest_scc = c.sizes:max()}, want)
    end)
  end
end
file:close()
