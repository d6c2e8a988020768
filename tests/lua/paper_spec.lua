-- The scripts in scripts/paper run with small sizes and print the tables that they promise.
local root = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../.."

-- What the script prints.
local function printed(script, ...)
  local lines, before_print, before_arg = {}, print, arg
  print = function(...)
    local words = table.pack(...)
    for i = 1, words.n do words[i] = tostring(words[i]) end
    lines[#lines + 1] = table.concat(words, "\t", 1, words.n)
  end
  arg = {[0] = ("%s/scripts/%s"):format(root, script), ...}
  local good, why = pcall(dofile, arg[0])
  print, arg = before_print, before_arg
  trace.on() -- some turn it off
  if not good then error(why, 2) end
  return table.concat(lines, "\n")
end

local function says(text, ...)
  for _, piece in ipairs {...} do assert(text:find(piece, 1, true), ("'%s' is missing in\n%s"):format(piece, text)) end
end

it("delta-stepping.lua: figures 1 and 2 of Lesnikov and Chernoskutov", function()
  local text = printed("paper/delta-stepping.lua", "8", "9", "2", "1")
  says(text, "scale 8: 256 vertices, 8192 edges, 2 sources", "scale 9", "figure 1, on the CPU", "figure 2 (a)", "figure 2 (b)",
    "best delta by scale", "the paper (Xeon")
  assert(not text:find "nan" and not text:find " inf", text)
end)
it("johnson.lua: the schemes of Pogorilyy and Slynko", function()
  local text = printed("paper/johnson.lua", "128", "4")
  says(text, "inner loop", "outer loop", "Bellman-Ford", "near-far", "threshold (width 0)", "the best is")
  assert(text:find "\n +128 +512 ")
  assert(not text:find "GeForce", text) -- the paper's text that there is names no device, and no best scheme
end)
it("many-sources.lua: chapter 3 of Okuyama's thesis", function()
  local text = printed("paper/many-sources.lua", "0", "64")
  says(text, "figures 3.10, 3.11 and 3.14", "figure 3.12: |V| = 64", "figure 3.13", "table 3.1: |V| = 64", "power law", "5730", "section 3.4.2", "B = 16",
    "where Floyd-Warshall passes many sources")
end)
long("okuyama-5.lua: chapter 5 of Okuyama's thesis", function()
  -- This script mostly compiles; on CUDA, tests/gpu/equations runs it.
  if os.getenv "TEST_SMALL" or device().processor ~= "cpu" or not os.execute "cc --version > /dev/null 2>&1" then return end
  local text = printed("paper/okuyama-5.lua", "100", "100")
  says(text, "Table 5.1", "Table 5.6", "and 5.7", "Table 5.3", "Table 5.4", "table 5.5", "Table 5.2", "Table 5.8", "Figure 5.10", "Figure 5.11",
    "Table 5.9", "Figure 5.12")
  assert(not text:find "nan" and not text:find " inf", text)
  local errors = text:match "Table 5%.9.-\n\n(.-)\n\n"
  for _, name in ipairs {"Luo%-Rudy", "LR%-Ring", "LR%-100"} do
    local interpreter, translator = errors:match("\n" .. name .. " +(%S+) %b() +(%S+)")
    assert(tonumber(interpreter) < 1e-14 and tonumber(translator) < 1e-14, errors)
  end
end)
it("goto-2011.lua: the Kleene star of Goto", function()
  local text = printed("paper/goto-2011.lua", "60")
  says(text, "paper CPU  paper GPU  one core", "limit  share", "the two forms differ by", "Table 3", "B  16 C 32", "B 512 C  1")
  -- arcs i -> i + 1, and half of the 59 * 58 / 2 others; a time on one core; a share of the limit as a number
  local arcs, core, share = text:match "\n +60 +(%d+) +%- +%- +([%d.]+)  |.- (%d+) %%  |"
  assert(tonumber(arcs) > 59 + 760 and tonumber(arcs) < 59 + 951 and tonumber(core) > 0 and tonumber(share) > 0, text)
  assert(not text:find "nan" and not text:find " inf", text)
  raises("usage: goto-2011.lua [VERTICES, from 2 on", printed, "paper/goto-2011.lua", "1")
end)
it("paths.lua: one source, all pairs, and sizes up to what does not fit", function()
  local text = printed("measure/paths.lua", "one,pairs,sizes", "10", "3")
  says(text, "R-MAT 12 x 16, 1..255", "R-MAT 13 x 32", "grid 64^2", "uniform x 4", "road, 1..10000", "GTEPS: edges of the vertices that",
    "random, |V| = 32 ", "ring, |V| = 4 ", "complete, |V| = 4 ", "\n    6          64         1024 ", "\n   15 ",
    "   28 does not fit: rmat: degree 16 times 268435456 vertices is not between 0 and 2^32 - 1 edges")
  assert(not text:find "nan" and not text:find " inf", text)
  for row in text:gmatch "[^\n]*1%.%.10+[^\n]*" do assert(row:find "true$", row) end
  raises("no part 'two': expected one, pairs or sizes", printed, "measure/paths.lua", "two")
end)
it("TEPS count the edges of the vertices that are reached", function()
  local common = dofile(root .. "/scripts/paper/common.lua")
  for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
    local g = gen.rmat {scale = 9, degree = 5, seed = 2, weights = kind, lo = 1, hi = 9}
    local r, want = sssp(g, common.sources(g, 1, 5)[1]), 0
    for v, d in pairs(r.dist) do
      if d ~= r.unreached then want = want + g:degree(v) end
    end
    equal(common.reached_edges(r), want)
  end
  local rows = device.limits().random
  equal({common.access_rate(1), common.access_rate(rows[3].bytes), common.access_rate(1 << 50)},
    {rows[1].gather, rows[3].gather, rows[#rows].gather})
end)
