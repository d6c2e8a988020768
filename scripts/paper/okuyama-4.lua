-- Tables and figures of chapter 4 of Okuyama's thesis (2013), blocked Floyd-Warshall, with ours beside them.
--   lockstep [--backend cuda] scripts/paper/okuyama-4.lua [vertices, 4096 if not given]
-- The graphs are the thesis's: m = 4 n edges, weights whole numbers from 1 to n - 1. Times are milliseconds from the first
-- launch to the end of the last, without the making of the matrix; the best of three runs.
local most = tonumber(arg[1] or 4096)

local function timed(f)
  local best
  for round = 1, 4 do
    trace.reset()
    f()
    local first, last, rows = math.huge, 0, {}
    for _, r in ipairs(trace.last(1000000)) do
      if not ({fill = 1, numbers = 1, matrix_edges = 1})[r.kernel] then
        first, last = math.min(first, r.begin), math.max(last, r.begin + r.time)
        rows[r.kernel] = (rows[r.kernel] or 0) + 1e3 * r.time
      end
    end
    local ms = 1e3 * (last - first)
    if round > 1 and (not best or ms < best.ms) then best = {ms = ms, rows = rows} end
  end
  return best
end

local theirs = { -- table 4.6: MM 16 32 64, two-level 16 32 64, recursive 16 32 64
  [128] = {0.425, 0.404, 0.638, 0.696, 0.569, 0.793, 0.783, 0.561, 0.533},
  [256] = {0.866, 0.818, 1.295, 1.555, 1.197, 1.609, 2.028, 1.585, 1.498},
  [512] = {3.096, 2.555, 3.705, 4.987, 3.405, 3.934, 5.645, 4.738, 4.415},
  [1024] = {16.40, 13.75, 15.38, 20.54, 16.24, 15.72, 19.03, 17.21, 16.58},
  [2048] = {95.61, 86.70, 104.4, 122.1, 97.63, 100.8, 95.64, 91.97, 91.97},
  [4096] = {669.5, 633.8, 715.2, 877.6, 701.0, 714.9, 639.0, 631.5, 631.5},
  [8192] = {5116, 4861, 5526, 6731, 5403, 5483, 4883, 4866, 4867},
}

local graphs = {}
local function thesis_graph(n)
  graphs[n] = graphs[n] or gen.uniform {n = n, m = 4 * n, seed = 1, weights = "i32", lo = 1, hi = n - 1}
  return graphs[n]
end

local function best_l(g, tile, form)
  local best, times = nil, {}
  for _, l in ipairs {1, 2, 4, 8, 16} do
    if 64 * l <= g.n then
      local t = timed(function() fw(g, {form = form, tile = tile, l = l}) end)
      times[#times + 1] = ("%d: %.3f"):format(l, t.ms)
      if not best or t.ms < best.ms then best = {l = l, ms = t.ms, rows = t.rows} end
    end
  end
  return best, table.concat(times, "  ")
end

print("# " .. tostring(device()))
print "# Tables 4.5, 4.6 and figure 4.19: ms; theirs on a GTX 280, ours, and over l"
for _, n in ipairs {128, 256, 512, 1024, 2048, 4096, 8192} do
  if n <= most then
    local g, column = thesis_graph(n), 0
    for _, form in ipairs {"mm", "two-level"} do
      for _, tile in ipairs {16, 32, 64} do
        column = column + 1
        local best, over = best_l(g, tile, form)
        print(("%6d %-10s t %2d  theirs %8.3f  ours %8.3f  l %2d   (%s)"):format(n, form, tile, theirs[n][column], best.ms, best.l, over))
        if n == most then
          print(("        table 4.7: pivot %.3f  row and column %.3f  rest %.3f"):format(best.rows.close_pivot,
            best.rows.close_cross, best.rows.mm_rest or best.rows.two_level_rest))
        end
      end
    end
    for _, tile in ipairs {16, 32, 64} do
      column = column + 1
      local t = timed(function() fw(g, {form = "recursive", tile = tile}) end)
      print(("%6d %-10s t %2d  theirs %8.3f  ours %8.3f"):format(n, "recursive", tile, theirs[n][column], t.ms))
    end
    local t = timed(function() fw(g, {form = "blocked"}) end)
    print(("%6d %-10s                        ours %8.3f"):format(n, "blocked", t.ms))
  end
end
