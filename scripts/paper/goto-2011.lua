-- The tables of Goto 2011 (Kleene star in max-plus algebra), with our numbers next to the paper's.
--   lockstep [--backend cuda] scripts/paper/goto-2011.lua [VERTICES [ONE CORE]]
-- VERTICES is the greatest n, default 4000 (up to 32000: that graph has 256 million arcs, which take some minutes to generate).
-- The graphs are the paper's: arcs i -> i + 1, then an arc j -> i for each j + 1 < i with probability 1/2; weights "from a
-- [0, 1] normal distribution", for which uniform numbers of [0, 1) stand; the indices shuffled. A time is the median of
-- three runs. The limit is the time of n^3/6 updates, as many as a matrix with all arcs needs, by the rate that device.limits()
-- measures for min-plus; the share is of the closing alone. One core is the paper's algorithm in C (reference.kleene), up to
-- n = ONE CORE, 4000 if not given, as in the paper.
local most, one_core = tonumber(arg[1] or 4000), tonumber(arg[2] or 4000)
if math.type(most) ~= "integer" or most < 2 or math.type(one_core) ~= "integer" then
  error("usage: goto-2011.lua [VERTICES, from 2 on [ONE CORE]]", 0)
end

local function paper_graph(n)
  math.randomseed(n)
  local name = {}
  for i = 1, n do name[i] = i - 1 end
  for i = n, 2, -1 do
    local j = math.random(i)
    name[i], name[j] = name[j], name[i]
  end
  -- Calls f(j, i) for each arc. Draws 64 arcs at a time; two calls draw the same arcs because they use the same seed.
  local function each_arc(f)
    math.randomseed(n, 1)
    for j = 1, n - 1 do
      f(j, j + 1)
      local bits, left = 0, 0
      for i = j + 2, n do
        if left == 0 then bits, left = math.random(0), 64 end
        if bits & 1 == 1 then f(j, i) end
        bits, left = bits >> 1, left - 1
      end
    end
  end
  local m = 0
  each_arc(function() m = m + 1 end)
  local from, to, w = buffer.new("u32", m), buffer.new("u32", m), buffer.new("f32", m)
  local e = 0
  each_arc(function(j, i)
    from[e], to[e] = name[j], name[i]
    e = e + 1
  end)
  for k = 0, m - 1 do w[k] = math.random() end
  return graph.from_edges(n, from, to, w)
end

-- Milliseconds from the first launch to the end of the last, and per row; the median of three runs.
local function timed(f)
  local runs = {}
  for round = 1, 4 do -- the first one does not count
    trace.reset()
    f()
    local first, last, rows = math.huge, 0, {}
    for _, r in ipairs(trace.last(100000)) do
      first, last = math.min(first, r.begin), math.max(last, r.begin + r.time)
      rows[r.kernel] = (rows[r.kernel] or 0) + 1e3 * r.time
    end
    if round > 1 then runs[#runs + 1] = {ms = 1e3 * (last - first), rows = rows} end
  end
  table.sort(runs, function(a, b) return a.ms < b.ms end)
  return runs[2]
end

local function of(rows, ...)
  local sum = 0
  for _, name in ipairs {...} do sum = sum + (rows[name] or 0) end
  return sum
end

local SIZES = {500, 1000, 2000, 4000, 8000, 16000, 32000}
local UPDATES = 8000 -- up to this number of vertices also with the paper's updates
if most < SIZES[1] then SIZES = {most} end

local limit = device.limits().minplus_f32
print("# " .. tostring(device()))
print(("# Tables 2 and 4: ms for the Kleene star; the limit is that of %.3g updates a second"):format(limit))
print "     n         m  paper CPU  paper GPU  one core  |     ours    order   matrix  closing    limit  share  | the paper's updates: ours"
local theirs = {[500] = {126.0, 32.3}, [1000] = {1136.6, 124.8}, [2000] = {9231.9, 649.8}, [4000] = {73637.1, 4509.3}}
local last
for _, n in ipairs(SIZES) do
  if n <= most then
    local g = paper_graph(n)
    g:reverse()
    local core = "-"
    if n <= one_core then
      local t = bench(function() reference.kleene(g) end, 3)
      core = ("%.2f"):format(1e3 * t.median)
    end
    local fast, slow = timed(function() kleene(g, {form = "blocked"}) end), nil
    if n <= UPDATES then
      slow, last = timed(function() kleene(g, {form = "updates"}) end), g
    end
    local closing, least = of(fast.rows, "close_diagonal", "close_upper"), 1e3 * n ^ 3 / 6 / limit
    print(("%6d %9d %10s %10s %9s  | %8.3f %8.3f %8.3f %8.3f %8.3f %4.0f %%  | %8s"):format(n, g.m, theirs[n] and theirs[n][1] or "-",
      theirs[n] and theirs[n][2] or "-", core, fast.ms,
      of(fast.rows, "order_start", "order_level", "order_fix", "order_keys", "bits_edges", "warshall_pivots", "warshall_table", "warshall_rest",
        "warshall", "warshall_turn", "warshall_narrow", "descendant_counts", "descendant_keys", "order_vertices", "radix_sort", "order_list"),
      of(fast.rows, "fill", "numbers", "matrix_edges", "matrix_permute"), closing, least, 100 * least / closing,
      slow and ("%.3f"):format(slow.ms) or "-"))
    if slow then
      local r, s = kleene(g, {form = "blocked"}), kleene(g, {form = "updates"})
      local worst = 0
      for i = 0, n * n - 1, 997 do
        local a, b = r.matrix[i], s.matrix[i]
        if a ~= b then worst = math.max(worst, math.abs(a - b) / math.max(1, math.abs(b))) end
      end
      print(("        the two forms differ by %.2g, relative"):format(worst))
    end
  end
end
print(("# Table 3: ms for the updates with blocks of B x C threads, n = %d (paper, n = 4000: 3981 3788 3771 3796 3795 3793)"):format(last.n))
for _, shape in ipairs {{16, 32}, {32, 16}, {64, 8}, {128, 4}, {256, 2}, {512, 1}} do
  local t = timed(function() kleene(last, {form = "updates", columns = shape[1], rows = shape[2]}) end)
  print(("  B %3d C %2d  %8.3f"):format(shape[1], shape[2], of(t.rows, "kleene_update")))
end
