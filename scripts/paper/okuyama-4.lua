-- Tables 4.4 to 4.8, figures 4.6 and 4.13 to 4.20 of Okuyama's thesis (2013), chapter 4, blocked Floyd-Warshall; with the frame of common.lua.
-- The command `paper 004` runs it. The option 'vertices' is the greatest n (11264 in the thesis). The graphs are the thesis's: m = 4 n
-- edges, weights whole numbers from 1 to n - 1. Times are milliseconds from the first launch to the end of the last, without
-- building the matrix; the best of `rounds` runs after a first one. A single launch, for figures 4.18 to 4.20, is repeated for
-- `seconds` (0.2 at full size; the thesis has 1, which takes ten minutes). "Theirs" is a GeForce GTX 280. For what the thesis shows
-- only in a figure, the values are those that its text names.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
local common = dofile(p.scripts .. "/common.lua")
local most, rounds = p.options.vertices or p:pick(128, 512, 11264), p.options.rounds or p:pick(1, 1, 3)
local seconds = p.options.seconds or p:pick(0, 0, 0.2)
if seconds < 0 then error(("paper 004: seconds is %g, expected 0 or more"):format(seconds), 0) end

local MATRIX = {fill = true, numbers = true, matrix_edges = true}
local TILES = {16, 32, 64}

-- The best run of f, as of common.kernels; the kernels that make the matrix are left out.
local function timed(f)
  local best
  for round = 0, rounds do
    trace.reset()
    f()
    local run = common.kernels(MATRIX)
    if round > 0 and (not best or run.ms < best.ms) then best = run end
  end
  return best
end

local graphs = {}
local function thesis_graph(n)
  graphs[n] = graphs[n] or gen.uniform {n = n, m = 4 * n, seed = 1, weights = "i32", lo = 1, hi = n - 1}
  return graphs[n]
end

local SUB = {[16] = 4, [32] = 2, [64] = 4} -- t -> t' of the two-level method (table 4.4)

local on_gpu = device().processor == "cuda"
local by_hand = {} -- "n,tile" -> the fastest l of two-level blocking
-- The l with which two-level blocking is fastest on this device, found by running it, as in the thesis; nil on a CPU, where l does nothing.
local function fastest_l(n, tile)
  if not on_gpu then return nil end
  local key, best = n .. "," .. tile, math.huge
  for _, l in ipairs(by_hand[key] and {} or {1, 2, 4, 8, 16}) do
    local ms = l <= n // tile and timed(function() fw(thesis_graph(n), {form = "two-level", tile = tile, sub = SUB[tile], l = l}) end).ms or math.huge
    if ms < best then best, by_hand[key] = ms, l end
  end
  return by_hand[key]
end

local function run(n, form, tile, l)
  if form == "two-level" then l = fastest_l(n, tile) end
  return timed(function() fw(thesis_graph(n), {form = form, tile = tile, l = l, sub = form == "two-level" and SUB[tile] or nil}) end)
end

-- The choice of the model: for our device on CUDA; for the GTX 280 on a CPU, which has no blocks of threads.
local function tune(n, method, tile)
  return fw.tune(n, {method = method, tile = tile, device = not on_gpu and "GTX 280" or nil, clock = on_gpu and nil or false})
end
local function usable(n) return n <= most end

-- --- figure 4.6 and table 4.4: what the method needs, and what a GPU has ---

local KINDS = {"MM t = 16", "MM t = 32", "MM t = 64", "two-level t = 16", "two-level t = 32", "two-level t = 64"}
local ratio, ratio_mm, T, N = {}, {}, {8, 16, 32, 48, 64}, 8192 -- bytes per operation by equations 4.1 to 4.3
for i, t in ipairs(T) do
  local operations = 2 * N * (N ^ 2 - 2 * t + 1)
  ratio[i] = 4 * (4 * N ^ 3 / t - 2 * N ^ 2) / operations
  ratio_mm[i] = 4 * ((5 * t / 64 + 2) * N ^ 3 / t + 2 * N ^ 2 - 2 * N * t) / operations
end
local GPUS = {{"GTX 280", 0.46}, {"FX 5800", 0.33}, {"8800 GTS 512", 0.31}} -- tables 4.2 and 4.3, B_g / O_g
local need = {name = "figure-4.6", title = "Figure 4.6: bytes per operation, n = 8192", xlabel = "t", ylabel = "bytes per operation", {name = "N_b/N_c", x = T, y = ratio},
  {name = "N'_b/N_c, MM", x = T, y = ratio_mm}}
for i, gpu in ipairs(GPUS) do need[i + 2] = {name = gpu[1], x = {8, 64}, y = {gpu[2], gpu[2]}} end
p:figure(need)
p:claim("from t = 32 on the bandwidth of no GPU limits the method (N_b/N_c < B_g/O_g)", ratio[3] < 0.31, "%.3f bytes per operation for t = 32, %.3f for t = 16; the least of the GPUs is 0.31",
  ratio[3], ratio[2])

local WARPS = {{64, 39, 1144}, {64, 40, 2232}, {64, 40, 4408}, {64, 18, 576}, {64, 30, 576}, {256, 30, 2112}}
local function resident(gpu, whole)
  local out = {}
  for i, x in ipairs(WARPS) do
    local warps = fw.occupancy(gpu, {threads = x[1], registers = x[2], shared = x[3]})
    out[i] = whole and 100 * warps / whole or warps
  end
  return out
end
p:table {"Table 4.4: resident warps Y of the non-pivot kernel, from its registers and shared memory", columns = KINDS,
  {"Y, GT200", theirs = {12, 12, 6, 16, 16, 16}, ours = resident "GTX 280"}, {"Y, G80 and G90", theirs = {6, 6, 6, 12, 8, 8}, ours = resident "8800 GTX"},
  {"%, GT200", theirs = {38, 38, 19, 50, 50, 50}, ours = resident("GTX 280", 32)}, {"%, G80 and G90", theirs = {25, 25, 25, 50, 33, 33}, ours = resident("8800 GTX", 24)}}

-- --- table 4.5 ---

local THEIR_L = { -- MM t = 16, 32, 64; two-level t = 16, 32, 64
  {128, 1, 1, 1, 1, 1, 1}, {256, 1, 1, 1, 1, 1, 1}, {512, 2, 2, 3, 5, 1, 1}, {1024, 2, 2, 1, 10, 5, 1},
  {2048, 8, 8, 1, 10, 1, 1},
  {4096, 4, 4, 4, 16, 3, 1}, {8192, 16, 16, 4, 27, 6, 10}, {9216, 29, 29, 18, 48, 10, 5}, {10240, 8, 8, 16, 64, 14, 7},
  {11264, 16, 16, 16, 44, 21, 16}}

-- Prints a table with a row for each n. Its values are f(n, tile, "mm") and, unless `theirs` is false, f(n, tile, "two-level").
local function by_n(title, comparable, theirs, f)
  local t = {title, columns = theirs and KINDS or {"MM t = 16", "MM t = 32", "MM t = 64"}, comparable = comparable}
  for _, x in ipairs(THEIR_L) do
    local cells = {("n = %d"):format(x[1]), theirs = theirs and table.move(x, 2, 7, 1, {}) or nil, ours = {}}
    for i, tile in ipairs(TILES) do
      cells.ours[i] = f(x[1], tile, "mm")
      if theirs then cells.ours[i + 3] = f(x[1], tile, "two-level") end
    end
    if cells.ours[1] or theirs then t[#t + 1] = cells end
  end
  p:table(t)
end
local agrees, of_all = 0, 0
p:progress "table 4.5"
by_n(on_gpu and "Table 4.5: l of MM, by the model with the numbers of the GTX 280; of two-level blocking, by running each l on this device" or
  "Table 4.5: l of MM, by the model with the numbers of the GTX 280; that of two-level blocking is found by running it on a GPU", nil, true, function(n, tile, kind)
  if kind == "two-level" then return usable(n) and fastest_l(n, tile) or false end
  local l = fw.tune(n, {device = "GTX 280", tile = tile}).l
  for _, x in ipairs(THEIR_L) do
    if x[1] == n then
      of_all = of_all + 1
      if x[tile == 16 and 2 or tile == 32 and 3 or 4] == l then agrees = agrees + 1 end
    end
  end
  return l
end)
p:claim("the model chooses the l of table 4.5", agrees == of_all, "%d of %d", agrees, of_all)
if on_gpu then by_n("Table 4.5 on this device: l by the model", false, false, function(n, tile) return tune(n, "AT", tile).l end) end
by_n("Table 4.5 on this device: l by measuring", false, false, function(n, tile)
  return usable(n) and fw.tune(n, {method = "MT", tile = tile, seconds = seconds}).l
end)

-- --- table 4.6 ---

local THEIRS = { -- MM 16 32 64, two-level 16 32 64, recursive 16 32 64
  [128] = {0.425, 0.404, 0.638, 0.696, 0.569, 0.793, 0.783, 0.561, 0.533},
  [256] = {0.866, 0.818, 1.295, 1.555, 1.197, 1.609, 2.028, 1.585, 1.498},
  [512] = {3.096, 2.555, 3.705, 4.987, 3.405, 3.934, 5.645, 4.738, 4.415},
  [1024] = {16.40, 13.75, 15.38, 20.54, 16.24, 15.72, 19.03, 17.21, 16.58},
  [2048] = {95.61, 86.70, 104.4, 122.1, 97.63, 100.8, 95.64, 91.97, 91.97},
  [4096] = {669.5, 633.8, 715.2, 877.6, 701.0, 714.9, 639.0, 631.5, 631.5},
  [8192] = {5116, 4861, 5526, 6731, 5403, 5483, 4883, 4866, 4867},
  [9216] = {7170, 6966, 7650, 9512, 7654, 7751},
  [10240] = {9885, 9504, 10490, 13020, 10480, 10580},
  [11264] = {13070, 12590, 13760, 17280, 13910, 14100},
}
local SIZES = {128, 256, 512, 1024, 2048, 4096, 8192, 9216, 10240, 11264}
local COLUMNS = {{"mm", 16}, {"mm", 32}, {"mm", 64}, {"two-level", 16}, {"two-level", 32}, {"two-level", 64}, {"recursive", 16},
  {"recursive", 32}, {"recursive", 64}, {"blocked"}}


local ns, names, ours, largest = {}, {}, {}, nil
for _, n in ipairs(SIZES) do
  if usable(n) then
    ns[#ns + 1], names[#names + 1], largest, ours[n] = n, ("n = %d"):format(n), n, {}
    for i, column in ipairs(COLUMNS) do
      p:progress("table 4.6: n = %d, %s", n, column[1])
      ours[n][i] = run(n, column[1], column[2])
    end
  end
end
if not largest then error(("paper 004: chapter 4 begins with n = 128, and vertices is %d"):format(most), 0) end
local function over_n(f)
  local out = {}
  for i, n in ipairs(ns) do out[i] = f(n) or false end
  return out
end
local t = {"Table 4.6: random graphs", unit = "ms", columns = names}
for i, column in ipairs(COLUMNS) do
  t[i + 1] = {i == 10 and "blocked (ours)" or ("%s, t = %d"):format(column[1], column[2]), theirs = i < 10 and over_n(function(n) return THEIRS[n][i] end) or nil,
    ours = over_n(function(n) return ours[n][i].ms end)}
end
p:table(t)

local function on_a_gpu(claim, holds, why, ...)
  if on_gpu then p:claim(claim, holds, why, ...) else p:claim(claim, nil, "a CPU has one form of phase 3; here " .. why, ...) end
end
-- The claim that column a of table 4.6 takes at least `percent` less time than column b, for sizes up to a limit.
local function takes_less(claim, a, b, percent, limit, from)
  local least, greatest = math.huge, -math.huge
  for _, n in ipairs(ns) do
    if n <= limit and n >= (from or 0) then
      local of = 100 * (1 - ours[n][a].ms / ours[n][b].ms)
      least, greatest = math.min(least, of), math.max(greatest, of)
    end
  end
  on_a_gpu(claim, least >= percent, "%.1f to %.1f %% less, for n = %d to %d", least, greatest, from or ns[1], math.min(limit, largest))
end
takes_less("up to n = 1024 MM (t = 32) takes 20 to 48 % less time than the recursive method", 2, 8, 20, 1024)
takes_less("up to n = 1024 MM (t = 32) takes 17 to 45 % less time than the recursive method with tR = 64", 2, 9, 17, 1024)
if usable(256) then
  takes_less("for n = 256 to 1024 two-level blocking (t = 32) takes 5.6 to 28 % less time than the recursive method", 5, 8, 5.6, 1024, 256)
  takes_less("for n = 256 to 1024 two-level blocking (t = 32) takes 2 to 23 % less time than the recursive method with tR = 64", 5, 9, 2, 1024, 256)
end
takes_less("MM takes 9 to 32 % less time than two-level blocking, t = 32", 2, 5, 9, largest)
takes_less("MM is faster with t = 32 than with t = 16", 2, 1, 0, largest)
takes_less("MM is faster with t = 32 than with t = 64", 2, 3, 0, largest)

-- --- section 4.2.2 ---

-- 3 launches for each pivot; the recursive method needs at least 5n/t - 4, and 7n/t - 6 as launched by Buluc and others and by us.
do
  local tiles, columns = {}, {"t = 16", "t = 32", "t = 64"}
  for i, tile in ipairs(TILES) do tiles[i] = (largest + tile - 1) // tile end
  local function of(f) return {f(tiles[1]), f(tiles[2]), f(tiles[3])} end
  local function launched(first) return {ours[largest][first].launches, ours[largest][first + 1].launches, ours[largest][first + 2].launches} end
  local want = {of(function(k) return 3 * k end), of(function(k) return 3 * k end), of(function(k) return 7 * k - 6 end)}
  local got, same = {launched(1), launched(4), launched(7)}, 0
  for k = 1, 3 do
    for i = 1, 3 do if got[k][i] == want[k][i] then same = same + 1 end end
  end
  p:table {("Section 4.2.2: kernel launches, n = %d; theirs 3n/t, 5n/t - 4 at least, 7n/t - 6"):format(largest), columns = columns,
    {"MM", theirs = want[1], ours = got[1]}, {"two-level", theirs = want[2], ours = got[2]},
    {"recursive, at least", theirs = of(function(k) return 5 * k - 4 end)}, {"recursive (Buluc)", theirs = want[3], ours = got[3]}}
  p:claim("the iterative methods launch 3n/t kernels, the recursive one 7n/t - 6", same == 9, "in %d of 9 runs, n = %d", same, largest)
end

-- --- tables 4.7 and 4.8 ---

local function rest_of(t) return t.rows.mm_rest or t.rows.two_level_rest or 0 end
local function of_kinds(f)
  local out = {}
  for i = 1, 6 do out[i] = f(ours[largest][i], i) end
  return out
end
p:table {("Table 4.7: ms by kernel; theirs n = 8192, ours n = %d"):format(largest), unit = "ms", columns = KINDS, comparable = largest == 8192,
  {"pivot", theirs = {10.3, 8.71, 16.7, 18.1, 12.5, 18.7}, ours = of_kinds(function(t) return t.rows.close_pivot or 0 end)},
  {"row and column", theirs = {105, 74.4, 134, 139, 85.9, 128}, ours = of_kinds(function(t) return t.rows.close_cross or 0 end)},
  {"non-pivot", theirs = {5020, 4790, 5380, 6540, 5270, 5300}, ours = of_kinds(rest_of)}}
local non_pivot = ours[largest][2]
p:claim("the non-pivot kernel takes most of the time, 98 % for n = 8192", rest_of(non_pivot) > non_pivot.ms / 2, "%.0f %% for n = %d, MM, t = 32",
  100 * rest_of(non_pivot) / non_pivot.ms, largest)
local limit = device.limits().minplus_i32
p:table {("Table 4.8: phase 3; theirs: instructions per clock and core, n = 8192; ours: updates as a share of %.3g a second, n = %d"):format(limit, largest),
  columns = KINDS, comparable = false, {"throughput", theirs = {0.854, 0.851, 0.742, 0.975, 0.879, 0.814}, ours = of_kinds(function(t, i)
    local tile = COLUMNS[i][2]
    return rest_of(t) > 0 and 1.0 * (largest - tile) * (largest - tile) * largest / (1e-3 * rest_of(t)) / limit
  end)}}

-- --- figures 4.13 to 4.17 ---

local function less(x, y) return 100 * (x - y) / x end
local function curves(f, ...)
  f.points = #ns == 1
  for i, line in ipairs {...} do f[i] = {name = line[1], x = ns, y = over_n(line[2])} end
  p:figure(f)
end
p:table {"Figure 4.13: by how much t = 32 takes less time than t = 16", unit = "%", columns = names, comparable = false,
  {"MM", theirs = over_n(function(n) return less(THEIRS[n][1], THEIRS[n][2]) end), ours = over_n(function(n) return less(ours[n][1].ms, ours[n][2].ms) end)},
  {"two-level", theirs = over_n(function(n) return less(THEIRS[n][4], THEIRS[n][5]) end), ours = over_n(function(n) return less(ours[n][4].ms, ours[n][5].ms) end)}}
curves({name = "figure-4.13", title = "Figure 4.13: t = 32 against t = 16, MM", xlabel = "n", ylabel = "% less time", log = "x"},
  {"theirs", function(n) return less(THEIRS[n][1], THEIRS[n][2]) end}, {"ours", function(n) return less(ours[n][1].ms, ours[n][2].ms) end})

local theirs, shares = {}, {}
for i, tile in ipairs(TILES) do
  -- theirs (equation 4.9): one addition and one minimum per element, 16 x t elements; ours: one instruction per element
  theirs[i] = 100 * 2 * 16 * tile / fw.tune(8192, {device = "GTX 280", tile = tile}).candidates[1].instructions
  shares[i] = 100 * 16 * tile / fw.tune(8192, {device = {sms = 1, warps = 28}, tile = tile}).candidates[1].instructions
end
p:table {"Figure 4.14: instructions of phase 3 that update elements, l = 1; theirs by equation 4.9 (the text: 81.6 for t = 32)", unit = "%",
  columns = {"t = 16", "t = 32", "t = 64"}, comparable = false, {"MM", theirs = theirs, ours = shares}, {"two-level", theirs = {false, 74.4, false}}}

local parts = {matrix = {}, computation = {}, transfer = {}, choice = {}, all = {}}
for i, n in ipairs(ns) do
  local begun = trace.clock()
  tune(n, "AT", 32)
  local choice = 1e3 * (trace.clock() - begun)
  local D = fw(thesis_graph(n), {form = "mm", tile = 32}).matrix
  begun = trace.clock()
  D:min() -- on the host, so that the matrix is copied
  local transfer = on_gpu and 1e3 * (trace.clock() - begun) or 0
  local t = ours[n][2]
  local sum = t.others + t.ms + transfer + choice
  parts.all[i], parts.matrix[i], parts.computation[i] = sum, 100 * t.others / sum, 100 * t.ms / sum
  parts.transfer[i], parts.choice[i] = 100 * transfer / sum, 100 * choice / sum
end
p:table {"Figure 4.15: parts of the whole time, MM, t = 32", unit = "%; all: ms", columns = names, {"matrix", ours = parts.matrix},
  {"computation", theirs = over_n(function(n) return n == 8192 and 98 end), ours = parts.computation}, {"transfer", ours = parts.transfer},
  {"choice of l", ours = parts.choice}, {"all", theirs = over_n(function(n) return n == 8192 and 4940 end), ours = parts.all}}
if on_gpu then
  local least, greatest = math.huge, 0
  for i, n in ipairs(ns) do
    if n <= 512 then least, greatest = math.min(least, parts.computation[i]), math.max(greatest, parts.computation[i]) end
  end
  p:claim("for n up to 512 the computation is 26 to 60 % of the whole time", greatest <= 60, "%.0f to %.0f %%", least, greatest)
else
  p:claim("for n up to 512 the computation is 26 to 60 % of the whole time", nil, "a CPU transfers nothing")
end
p:claim("the choice of l takes at most 2 % of the time", parts.choice[#ns] <= 2, "%.1f %% for n = %d", parts.choice[#ns], largest)

local function rate(n, ms) return 2.0 * n * (n - 1) ^ 2 / ms / 1e6 end
-- The thesis's sizes, 512 to 11264 in steps of 256; the sizes of table 4.6 if the greatest n is below 1024.
local of_16, ms_16 = ns, {}
if usable(1024) then
  of_16 = {}
  for n = 512, most, 256 do of_16[#of_16 + 1] = n end
end
for _, n in ipairs(of_16) do
  p:progress("figure 4.16: n = %d", n)
  ms_16[n] = ours[n] and ours[n][2].ms or run(n, "mm", 32).ms
end
local function at_16(f)
  local out = {}
  for i, n in ipairs(of_16) do out[i] = f(n) or false end
  return out
end
local names_16 = at_16(function(n) return ("n = %d"):format(n) end)
p:table {"Figure 4.16: 2 n (n - 1)^2 operations over the time, MM, t = 32", unit = "Gop/s, % of the peak", columns = names_16,
  {"Gop/s", theirs = at_16(function(n) return THEIRS[n] and rate(n, THEIRS[n][2]) end), ours = at_16(function(n) return rate(n, ms_16[n]) end)},
  {"% of peak", theirs = at_16(function(n) return THEIRS[n] and 100 * rate(n, THEIRS[n][2]) / 311.0 end), ours = at_16(function(n)
    return 100 * rate(n, ms_16[n]) * 1e9 / (2 * limit)
  end)}}
p:figure({points = #of_16 == 1, {name = "theirs, GTX 280", x = ns, y = over_n(function(n) return rate(n, THEIRS[n][2]) end)}, {name = "ours", x = of_16,
  y = at_16(function(n) return rate(n, ms_16[n]) end)}, name = "figure-4.16", title = "Figure 4.16: operations per second, MM, t = 32", xlabel = "n", ylabel = "Gop/s", log = "xy"})
on_a_gpu("the efficiency reaches 70 % of the peak", 100 * rate(largest, ours[largest][2].ms) * 1e9 / (2 * limit) >= 70, "%.0f %% for n = %d",
  100 * rate(largest, ours[largest][2].ms) * 1e9 / (2 * limit), largest)

local many = {}
for i, n in ipairs(ns) do
  p:progress("figure 4.17: n = %d", n)
  many[i] = timed(function() apsp(thesis_graph(n), {form = "groups"}) end).ms
end
p:table {"Figure 4.17: MM, t = 32, and many sources at a time (chapter 3)", unit = "ms", columns = names,
  {"MM", theirs = over_n(function(n) return THEIRS[n][2] end), ours = over_n(function(n) return ours[n][2].ms end)}, {"many sources", ours = many}}
local small = 1
for i, n in ipairs(ns) do
  if n <= 2048 then small = i end
end
if on_gpu and usable(8192) then
  local at
  for i, n in ipairs(ns) do at = n == 8192 and i or at end
  p:claim("for n = 8192 MM takes 3.8 times as long as many sources at a time", ours[8192][2].ms > many[at], "%.1f times", ours[8192][2].ms / many[at])
else
  p:claim("for n = 8192 MM takes 3.8 times as long as many sources at a time", nil, on_gpu and "n = 8192 is not run in this size" or "no GPU on this machine")
end
local faster = many[small] / ours[ns[small]][2].ms
local verdict
if on_gpu then verdict = faster > 1 end
p:claim("up to n = 2048 MM is faster than many sources at a time", verdict, on_gpu and "%.1f times for n = %d; theirs up to 7.8" or
  "a CPU has one form of phase 3; here %.1f times for n = %d; theirs up to 7.8", faster, ns[small])

-- --- figures 4.18 to 4.20 ---

-- By l, the measured seconds of phase 3 with the first tile as pivot.
local function by_l(n)
  local choice, times = fw.tune(n, {method = "MT", seconds = seconds}), {}
  for _, c in ipairs(choice.candidates) do times[c.l] = c.seconds end
  return choice, times
end

local of_n, tuned = {}, {MT = {}, AT = {}, FT = {}, TI = {}}
for _, n in ipairs {256, 512, 768, 1024, 1536, 2048, 2560, 3328, 4096, 5120, 6144, 8192, 10240, 11264} do
  if usable(n) then
    p:progress("figure 4.18: n = %d", n)
    local best, times = by_l(n)
    of_n[#of_n + 1] = n
    for method, list in pairs(tuned) do list[#of_n] = less(times[1], times[method == "MT" and best.l or tune(n, method, 32).l]) end
  end
end
if #of_n > 0 then
  local columns, at = {}, {}
  for i, n in ipairs(of_n) do columns[i], at[i] = ("n = %d"):format(n), n == 768 and 6.8 or (n >= 5120 and "4-5") or false end
  p:table {"Figure 4.18: by how much phase 3 takes less time than with l = 1, t = 32", unit = "%", columns = columns, comparable = false, {"MT", ours = tuned.MT},
    {"AT", theirs = at, ours = tuned.AT}, {"FT", ours = tuned.FT}, {"TI", ours = tuned.TI}}
  local lines = {name = "figure-4.18", title = "Figure 4.18: the choice of l", xlabel = "n", ylabel = "% less time than l = 1", log = "x", points = #of_n == 1}
  for i, method in ipairs {"MT", "AT", "FT", "TI"} do lines[i] = {name = method, x = of_n, y = tuned[method]} end
  p:figure(lines)
  local worst = 0
  for i in ipairs(of_n) do worst = math.max(worst, tuned.MT[i] - tuned.AT[i]) end
  on_a_gpu("the model's l (AT) is at most 1.5 % worse than the measured best (MT)", worst <= 1.5, "%.1f %% at most", worst)
end
if usable(512) then
  local at, ft = fw.tune(512, {device = "GTX 280"}), fw.tune(512, {device = "GTX 280", method = "FT"})
  local _, times = by_l(512)
  local columns, rows = {}, {at = {}, ft = {}, measured = {}}
  for i, c in ipairs(at.candidates) do
    columns[i], rows.at[i], rows.ft[i], rows.measured[i] = ("l = %d"):format(c.l), 1e3 * c.seconds, 1e3 * ft.candidates[i].seconds, 1e3 * times[c.l]
  end
  p:table {"Figure 4.19: phase 3 over l, n = 512, t = 32; estimates are for the GTX 280", unit = "ms", columns = columns, {"AT", ours = rows.at}, {"FT", ours = rows.ft},
    {"measured here", ours = rows.measured}}
  p:claim("for n = 512 AT chooses l = 2, and FT l = 8", at.l == 2 and ft.l == 8, "%d and %d", at.l, ft.l)
end

local one, fixed = {}, {}
for i, n in ipairs(ns) do
  local row
  for _, x in ipairs(THEIR_L) do row = x[1] == n and x or row end
  local l = tune(n, "AT", 32).l
  p:progress("figure 4.20: n = %d", n)
  local with_one, chosen, other = run(n, "mm", 32, 1).ms, run(n, "mm", 32, l).ms, run(n, "mm", 32, row[3]).ms
  one[i], fixed[i] = less(with_one, chosen), less(other, chosen)
end
p:table {"Figure 4.20: by how much the whole run takes less time with the model's l, MM, t = 32", unit = "%; theirs up to 5.4 (a), 20 (b)", columns = names,
  {"(a) than with l = 1", ours = one}, {"(b) than with table 4.5's l", ours = fixed}}
curves({name = "figure-4.20", title = "Figure 4.20: the model's l, MM, t = 32", xlabel = "n", ylabel = "% less time", log = "x"},
  {"(a) than with l = 1", function(n) for i, x in ipairs(ns) do if x == n then return one[i] end end end},
  {"(b) than with table 4.5's l", function(n) for i, x in ipairs(ns) do if x == n then return fixed[i] end end end})
on_a_gpu("the choice of l takes up to 5.4 % off the time", one[#ns] > 0, "%.1f %% for n = %d", one[#ns], largest)
