-- Tables 4.5 to 4.8 and figures 4.13 to 4.20 of Okuyama's thesis (2013), chapter 4, blocked Floyd-Warshall; ours beside them.
-- The command `paper 004` runs it. The option vertices is the greatest n (the thesis has 11264). The graphs are the thesis's: m = 4 n
-- edges, weights whole numbers from 1 to n - 1. Times are milliseconds from the first launch to the end of the last, without the
-- making of the matrix; the best of `rounds` runs after a first one. A launch that is measured alone, for figures 4.18 to 4.20, is
-- repeated for `seconds` (the thesis has 1). "Theirs" is a GeForce GTX 280. What the thesis shows in a figure alone is given as its
-- text says it.
local p = ...
local most, rounds = p.options.vertices or p:pick(128, 256, 11264), p.options.rounds or p:pick(1, 1, 3)
local seconds = p.options.seconds or p:pick(0, 0, 1)

local MATRIX = {fill = true, numbers = true, matrix_edges = true}
local TILES = {16, 32, 64}

local function line(...) print((...):format(select(2, ...))) end

-- The best run of f: ms, rows (ms by kernel), and matrix, the ms of the rows that make the matrix.
local function timed(f)
  local best
  for round = 0, rounds do
    trace.reset()
    f()
    local first, last, rows, matrix = math.huge, 0, {}, 0
    for _, r in ipairs(trace.last(1000000)) do
      if MATRIX[r.kernel] then
        matrix = matrix + 1e3 * r.time
      else
        first, last = math.min(first, r.begin), math.max(last, r.begin + r.time)
        rows[r.kernel] = (rows[r.kernel] or 0) + 1e3 * r.time
      end
    end
    local ms = 1e3 * (last - first)
    if round > 0 and (not best or ms < best.ms) then best = {ms = ms, rows = rows, matrix = matrix} end
  end
  return best
end

local graphs = {}
local function thesis_graph(n)
  graphs[n] = graphs[n] or gen.uniform {n = n, m = 4 * n, seed = 1, weights = "i32", lo = 1, hi = n - 1}
  return graphs[n]
end

local function run(n, form, tile, l) return timed(function() fw(thesis_graph(n), {form = form, tile = tile, l = l}) end) end

local on_gpu = device().processor == "cuda"
local here = tostring(device())
line("# %s", here)
if not on_gpu then
  print "# A CPU has one form of phase 3, and no l: 'mm' and 'two-level' differ by chance alone, and the model is the GTX 280's."
end

-- What the model takes for our device: nothing on CUDA, the GTX 280 where there are no blocks of threads.
local function tune(n, method, tile)
  return fw.tune(n, {method = method, tile = tile, device = not on_gpu and "GTX 280" or nil, clock = on_gpu and nil or false})
end
local function usable(n) return n <= most end

-- --- table 4.5 ---

local THEIR_L = { -- MM t = 16, 32, 64; two-level t = 16, 32, 64
  {128, 1, 1, 1, 1, 1, 1}, {256, 1, 1, 1, 1, 1, 1}, {512, 2, 2, 3, 5, 1, 1}, {1024, 2, 2, 1, 10, 5, 1},
  {2048, 8, 8, 1, 10, 1, 1},
  {4096, 4, 4, 4, 16, 3, 1}, {8192, 16, 16, 4, 27, 6, 10}, {9216, 29, 29, 18, 48, 10, 5}, {10240, 8, 8, 16, 64, 14, 7},
  {11264, 16, 16, 16, 44, 21, 16}}
print "\n# Table 4.5: l of the method as a matrix multiplication, t = 16 32 64"
print "      n    thesis      the model with its numbers   the model here   measured here"
for _, row in ipairs(THEIR_L) do
  local n, model, ours, measured = row[1], {}, {}, {}
  for i, tile in ipairs(TILES) do
    model[i] = ("%4d"):format(fw.tune(n, {device = "GTX 280", tile = tile}).l)
    ours[i] = ("%4d"):format(on_gpu and tune(n, "AT", tile).l or 0):gsub("^   0$", "   -")
    measured[i] = usable(n) and ("%4d"):format(fw.tune(n, {method = "MT", tile = tile, seconds = seconds}).l) or "   -"
  end
  line("%7d %4d%4d%4d %s %27s %s %17s", n, row[2], row[3], row[4], (" "):rep(7), table.concat(model), table.concat(ours),
    table.concat(measured))
end

-- --- table 4.6, and 4.7 of the largest ---

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

print "\n# Table 4.6: ms, theirs / ours"
local head = {("%7s"):format "n"}
for i, column in ipairs(COLUMNS) do
  head[i + 1] = i == 10 and ("%9s"):format(column[1]) or ("%22s"):format(("%s t = %d"):format(column[1], column[2]))
end
print(table.concat(head))
local ours, largest = {}, nil
for _, n in ipairs(SIZES) do
  if usable(n) then
    local cells = {}
    ours[n], largest = {}, n
    for i, column in ipairs(COLUMNS) do
      ours[n][i] = run(n, column[1], column[2])
      local theirs = THEIRS[n][i]
      cells[i] = i == 10 and ("%9.3f"):format(ours[n][i].ms) or
        ("%10s / %9.3f"):format(theirs and ("%.3f"):format(theirs) or "-", ours[n][i].ms)
    end
    line("%7d%s", n, table.concat(cells))
  end
end
if not largest then
  line("# n = 128 is the thesis's least; nothing of it is as small as %d", most)
  return
end

local function rest_of(t) return t.rows.mm_rest or t.rows.two_level_rest or 0 end

line("\n# Table 4.7: ms by kernel, theirs (n = 8192) / ours (n = %d); MM t = 16 32 64, two-level t = 16 32 64", largest)
for _, kernel in ipairs {{"pivot", {10.3, 8.71, 16.7, 18.1, 12.5, 18.7}, "close_pivot"},
  {"row and column", {105, 74.4, 134, 139, 85.9, 128}, "close_cross"}, {"rest", {5020, 4790, 5380, 6540, 5270, 5300}}} do
  local cells = {}
  for i = 1, 6 do
    local t = ours[largest][i]
    cells[i] = ("%8.2f / %9.3f"):format(kernel[2][i], kernel[3] and (t.rows[kernel[3]] or 0) or rest_of(t))
  end
  line("%-15s %s", kernel[1], table.concat(cells, "  "))
end

-- --- table 4.8 and figure 4.14 ---

local limit = device.limits().minplus_i32
line("\n# Table 4.8: phase 3. Theirs: instructions a clock and core, n = 8192; ours: updates (an addition and a minimum)"
  .. "\n# as a share of the %.3g a second that device.limits() gives, n = %d; t = 16 32 64", limit, largest)
for m, name in ipairs {"MM", "two-level"} do
  local cells = {}
  for i, tile in ipairs(TILES) do
    local n, ms = largest, rest_of(ours[largest][3 * m - 3 + i])
    local updates = 1.0 * (n - tile) * (n - tile) * n
    cells[i] = ("%.3f / %.3f"):format(({{0.854, 0.851, 0.742}, {0.975, 0.879, 0.814}})[m][i], updates / (1e-3 * ms) / limit)
  end
  line("%-10s %s", name, table.concat(cells, "   "))
end

print "\n# Figure 4.14: of a thread's instructions in phase 3 with l = 1, per cent that update elements; MM, t = 16 32 64"
local shares = {}
for i, tile in ipairs(TILES) do
  -- theirs: an addition and a minimum each for 16 x t elements; ours: one instruction for both
  local then_ = fw.tune(8192, {device = "GTX 280", tile = tile}).candidates[1]
  local now = fw.tune(8192, {device = {sms = 1, warps = 28}, tile = tile}).candidates[1]
  shares[i] = ("%.1f / %.1f"):format(100 * 2 * 16 * tile / then_.instructions, 100 * 16 * tile / now.instructions)
end
print "# theirs by equation 4.9 (the text: 81.6 for t = 32, two-level 74.4) / ours as compiled for capability 9.0"
print(table.concat(shares, "   "))

-- --- figure 4.13 ---

print "\n# Figure 4.13: by how many per cent t = 32 takes less time than t = 16; MM theirs / ours, two-level theirs / ours"
for _, n in ipairs(SIZES) do
  if ours[n] then
    local function less(x, y) return 100 * (x - y) / x end
    local t, o = THEIRS[n], ours[n]
    line("%7d   %6.1f / %6.1f   %6.1f / %6.1f", n, less(t[1], t[2]), less(o[1].ms, o[2].ms), less(t[4], t[5]),
      less(o[4].ms, o[5].ms))
  end
end

-- --- figure 4.15 ---

print "\n# Figure 4.15: MM, t = 32, per cent of the time: the matrix, the computation, its transfer to the host, the choice of l"
print "# (theirs: computation 26 to 60 % for n up to 512, 98 % of 4940 ms for n = 8192; the choice of l up to 2 %)"
for _, n in ipairs(SIZES) do
  if ours[n] then
    local begun = trace.clock()
    tune(n, "AT", 32)
    local choice = 1e3 * (trace.clock() - begun)
    local D = fw(thesis_graph(n), {form = "mm", tile = 32}).matrix
    begun = trace.clock()
    D:min() -- on the host
    local transfer = on_gpu and 1e3 * (trace.clock() - begun) or 0
    local t = ours[n][2]
    local all = t.matrix + t.ms + transfer + choice
    line("%7d   %8.3f ms   matrix %4.1f   computation %4.1f   transfer %4.1f   choice %4.1f", n, all, 100 * t.matrix / all,
      100 * t.ms / all, 100 * transfer / all, 100 * choice / all)
  end
end

-- --- figure 4.16 ---

print "\n# Figure 4.16: MM, t = 32: 2 n (n - 1)^2 operations over the time, Gop/s, and per cent of the peak; theirs / ours"
print "# (theirs: from table 4.6 and 311.0 Gop/s; the text: 200 and more from n = 2560 on, 227 at n = 11264)"
for _, n in ipairs(SIZES) do
  if ours[n] then
    local operations = 2.0 * n * (n - 1) ^ 2
    local t, o = operations / THEIRS[n][2] / 1e6, operations / ours[n][2].ms / 1e6
    line("%7d   %7.1f / %9.1f   %5.1f / %5.1f", n, t, o, 100 * t / 311.0, 100 * o * 1e9 / (2 * limit))
  end
end

-- --- figure 4.17 ---

print "\n# Figure 4.17: MM, t = 32, beside the problems of many sources together (apsp, chapter 3), ms, ours"
print "# (theirs: up to n = 2048 MM is faster, up to 7.8 times; for n = 8192 it takes 3.8 times as long)"
for _, n in ipairs(SIZES) do
  if ours[n] then
    local many = timed(function() apsp(thesis_graph(n), {form = "groups"}) end).ms
    line("%7d   MM %9.3f   apsp %9.3f   apsp / MM %.2f", n, ours[n][2].ms, many, many / ours[n][2].ms)
  end
end

-- --- figures 4.18 and 4.19 ---

-- By l, the measured seconds of phase 3 with the first tile as pivot.
local function by_l(n)
  local choice, times = fw.tune(n, {method = "MT", seconds = seconds}), {}
  for _, c in ipairs(choice.candidates) do times[c.l] = c.seconds end
  return choice, times
end

print "\n# Figure 4.18: by how many per cent phase 3 takes less time than with l = 1, t = 32, with which l: MT, AT, FT, TI, and a model of our own; ours"
print "# (theirs: AT 6.8 at n = 768, 4 to 5 from n = 5120 on, MT at most 1.5 more; FT loses much at 512 and 3328; TI is worst)"
for _, n in ipairs {256, 512, 768, 1024, 1536, 2048, 2560, 3328, 4096, 5120, 6144, 8192, 10240, 11264} do
  if usable(n) then
    local best, times = by_l(n)
    local cells = {}
    for i, method in ipairs {"MT", "AT", "FT", "TI", on_gpu and "tail" or nil} do
      local l = method == "MT" and best.l or tune(n, method, 32).l
      cells[i] = ("%s %3d %6.1f"):format(method, l, 100 * (times[1] - times[l]) / times[1])
    end
    line("%7d   %s", n, table.concat(cells, "    "))
  end
end

if usable(512) then
  print "\n# Figure 4.19: n = 512, t = 32: ms of phase 3 over l: estimated for the GTX 280, AT and FT; estimated, measured here"
  print "# (theirs: l = 2 is the fastest and AT's choice, FT's is 8; AT's estimates are too large)"
  local at, ft = fw.tune(512, {device = "GTX 280"}), fw.tune(512, {device = "GTX 280", method = "FT"})
  local own, _, times = on_gpu and fw.tune(512) or nil, by_l(512)
  for i, c in ipairs(at.candidates) do
    local here_ = own and ("%.4f"):format(1e3 * own.candidates[i].seconds) or "-"
    line("%5d   AT %.4f   FT %.4f   here AT %s   measured %.4f", c.l, 1e3 * c.seconds, 1e3 * ft.candidates[i].seconds, here_,
      1e3 * times[c.l])
  end
end

-- --- figure 4.20 ---

print "\n# Figure 4.20: by how many per cent the whole run, MM, t = 32, takes less time with the model's l than (a) with l = 1,"
print "# and (b) with the l of table 4.5, which is the GTX 280's; ours (theirs: (a) up to 5.4 there, (b) up to 20 on the GTX 260)"
for _, row in ipairs(THEIR_L) do
  local n = row[1]
  if usable(n) then
    local l = tune(n, "AT", 32).l
    local one, chosen, other = run(n, "mm", 32, 1).ms, run(n, "mm", 32, l).ms, run(n, "mm", 32, row[3]).ms
    line("%7d   l %3d   (a) %6.1f   (b) %6.1f", n, l, 100 * (one - chosen) / one, 100 * (other - chosen) / other)
  end
end
