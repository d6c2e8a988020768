-- The scripts that rebuild tables and figures of papers run on small sizes and print the expected results.
local root = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../.."

-- The text that the script prints.
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
  trace.on() -- some scripts turn the trace off
  if not good then error(why, 2) end
  return table.concat(lines, "\n")
end

local function says(text, ...)
  for _, piece in ipairs {...} do assert(text:find(piece, 1, true), ("'%s' is missing in\n%s"):format(piece, text)) end
end

-- Runs paper(number, options) in a folder of its own. Returns its result and the text that it prints.
local function rebuilt(number, options)
  local folder = os.tmpname()
  os.remove(folder)
  options.folder, options.size = folder, options.size or "least"
  local lines, before, r = {}, print, nil
  print = function(...)
    local words = table.pack(...)
    for i = 1, words.n do words[i] = tostring(words[i]) end
    lines[#lines + 1] = table.concat(words, "\t", 1, words.n)
  end
  local good, why = pcall(function() r = paper(number, options) end)
  print = before
  if not good then error(why, 2) end
  local text = table.concat(lines, "\n")
  assert(not text:find "nan" and not text:find " inf", text)
  for _, f in ipairs(r.figures) do
    local file = assert(io.open(f.file))
    local svg = file:read "a"
    file:close()
    assert(f.file:find "%.svg$" and svg:find "<svg" and svg:find "</svg>" or f.file:find "%.csv$" and #svg > 10, f.file)
    os.remove(f.file)
  end
  os.remove(folder)
  for _, c in ipairs(r.claims) do
    says(text, "claim: " .. c.claim .. "\n  " .. (c.holds and "holds" or c.holds == false and "does not hold" or "cannot be measured here") .. ": " .. c.why)
  end
  for _, t in ipairs(r.tables) do
    assert(#t > 0, t.title)
    for _, x in ipairs(t) do
      if x.ratio then equal(x.ratio, x.theirs / x.ours) end
    end
  end
  return r, text
end

-- The entry of table t for a row and a column.
local function cell(t, row, column)
  for _, x in ipairs(t) do
    if x.row == row and (not column or x.column == column) then return x end
  end
  error(("%s: no row '%s'"):format(t.title, row), 2)
end

local function names_of(figures)
  local out = {}
  for i, f in ipairs(figures) do out[i] = f.name end
  table.sort(out)
  return out
end

it("paper 000: figures 3 and 4 of Barnat and others", function()
  local r, text = rebuilt(0, {})
  equal(names_of(r.figures), {"figure-3", "figure-4"})
  equal({cell(r.tables[1], "vertices n", "3+2+1").ours, cell(r.tables[1], "edges m", "3+2+1").ours, cell(r.tables[2], "vertices n", "3+2+1").ours}, {1728, 10368, 972})
  equal({cell(r.tables[1], "greatest mean", "3+2+1").ours, cell(r.tables[1], "greatest load (cost over time)", "3+2+1").ours}, {"35/1", "21/40"})
  local t = r.tables[3]
  says(t.title, "Section 2.4")
  for _, column in ipairs {"model, 3+2+1", "R-MAT", "road network", "random graph"} do
    for _, row in ipairs {"Howard", "YTO", "Lawler", "Karp", "Hartmann and Orlin"} do assert(cell(t, row, column).ours > 0) end
  end
  equal({cell(t, "optimal cycle mean", "model, 3+2+1").ours, cell(t, "least weight (model: greatest)", "model, 3+2+1").ours}, {35.0, 55})
  says(text, "greatest cycle ratio 21/40", "publisher_1: lay_out -> render")
  equal(#r.claims, 11)
end)
it("paper 001: figures 1 and 2 of Lesnikov and Chernoskutov", function()
  local r, text = rebuilt("001", {from = 8, to = 9})
  equal(names_of(r.figures), {"figure-1a", "figure-1b", "figure-2a", "figure-2b"})
  says(text, "mean over 2 sources (the paper: 128)", "Figure 2 (a)", "Figure 2 (b)")
  equal({cell(r.tables[1], "edges", "scale 8").ours, cell(r.tables[1], "edges", "scale 9").ours}, {8192, 16384})
  assert(cell(r.tables[2], "CPU, all threads", "scale 9").theirs == "0.04-0.05")
  local _, few = rebuilt(1, {from = 6, to = 6, sources = 4, seconds = 0})
  says(few, "mean over 1 to 4 sources (the paper: 128)")
  raises("paper 001: scales from 9 to 8: none", paper, 1, {from = 9, to = 8, folder = "/tmp"})
end)
it("paper 002: the schemes of Pogorilyy and Slynko", function()
  local r, text = rebuilt(2, {degree = 4})
  says(text, "inner loop", "outer loop", "Bellman-Ford in parallel", "near-far", "threshold")
  equal(cell(r.tables[1], "edges", "|V| = 128").ours, 512)
  equal(names_of(r.figures), {"speed-up"})
end)
it("paper 003: the Kleene star of Goto", function()
  local r = rebuilt(3, {})
  -- the 59 arcs i -> i + 1, and about half of the 59 * 58 / 2 other arcs i -> j with i < j
  local arcs = cell(r.tables[1], "Arcs m", "n = 60").ours
  assert(arcs > 59 + 760 and arcs < 59 + 951, arcs)
  for _, row in ipairs {"Convert CCS", "Topological sort", "Initialize W", "Update W", "Total"} do assert(cell(r.tables[1], row).ours > 0) end
  equal(cell(r.tables[2], "(c), NVS 420", "512 x 1").theirs, 62186)
  assert(cell(r.tables[3], "2").ours > 0 and cell(r.tables[3], "3").ours > 0) -- case 2: one rank, case 3: two ranks
  local equality = r.claims[#r.claims]
  assert(equality.claim:find "equal those of the CPU exactly" and equality.holds == true)
end)
it("paper 004: chapter 3 of Okuyama's thesis", function()
  local r, text = rebuilt(4, {chapter = 3})
  equal(names_of(r.figures), {"figure-3.10", "figure-3.11", "figure-3.12", "figure-3.13", "figure-3.14"})
  says(text, "Figure 3.10", "Figure 3.12: |V| = 64", "Figure 3.13: |V| = 64", "Section 3.4.2", "B = 16", "Many sources and Floyd-Warshall")
  local t = r.tables[4]
  says(t.title, "Table 3.1")
  equal(cell(t, "SSSP-based: N = 1", "Complete").theirs, 5730)
  assert(cell(t, "Dijkstra, all cores", "Power law").ours > 0)
  equal(cell(t, "N = 32, shared", "Ring").ratio, nil) -- no ratio, because the two graphs differ in size
  local launches = cell(t, "launches for a source, N = 1", "Ring")
  equal({launches.theirs, launches.ours}, {4677, 64.0})
end)
it("paper 004: chapter 4 of Okuyama's thesis", function()
  local r, text = rebuilt(4, {chapter = 4, vertices = 512, rounds = 1, seconds = 0})
  for k = 4, 8 do says(text, ("\nTable 4.%d"):format(k)) end
  for k = 13, 20 do says(text, ("\nFigure 4.%d"):format(k)) end
  local chosen = cell(r.tables[2], "n = 9216", "MM t = 16")
  equal({chosen.theirs, chosen.ours}, {29, 29})
  for _, x in ipairs(r.tables[2]) do
    if x.column:find "^MM" then equal(x.theirs, x.ours) end -- the tuner's model gives exactly the thesis's values
  end
  equal(cell(r.tables[2], "n = 8192", "two-level t = 32").theirs, 6)
  local launches
  for _, t in ipairs(r.tables) do launches = t.title:find "^Section 4.2.2" and t or launches end
  for _, row in ipairs {"MM", "two-level", "recursive (Buluc)"} do
    for _, column in ipairs {"t = 16", "t = 32", "t = 64"} do equal(cell(launches, row, column).ours, cell(launches, row, column).theirs) end
  end
  local ms = cell(r.tables[4], "mm, t = 32", "n = 512")
  assert(ms.theirs == 2.555 and ms.ours > 0 and ms.ratio == ms.theirs / ms.ours)
  raises("chapter 4 begins with n = 128, and vertices is 64", rebuilt, 4, {chapter = 4, vertices = 64})
end)
long("paper 004: chapter 5 of Okuyama's thesis", function()
  -- Most of the time is spent on compiling; on CUDA, tests/gpu/equations runs this chapter.
  if os.getenv "TEST_SMALL" or device().processor ~= "cpu" or not os.execute "cc --version > /dev/null 2>&1" then return end
  local r, text = rebuilt(4, {chapter = 5})
  for k = 1, 9 do says(text, ("\nTable 5.%d"):format(k)) end
  for k = 10, 12 do says(text, ("\nFigure 5.%d"):format(k)) end
  for _, name in ipairs {"Luo-Rudy", "LR-Ring", "LR-100"} do
    for _, row in ipairs {"functions", "states (ODEs)"} do equal(cell(r.tables[1], row, name).ours, cell(r.tables[1], row, name).theirs) end
  end
  equal({cell(r.tables[1], "functions", "Rybak").theirs, cell(r.tables[1], "functions", "Rybak").ours}, {1362, nil})
  equal({cell(r.tables[2], "threads", "LR-Ring").ours, cell(r.tables[2], "threads", "LR-100").ours}, {"1924>322>1>641", "2398>398>801"})
  for _, t in ipairs(r.tables) do
    if t.title:find "Table 5.9" then
      for _, name in ipairs {"Luo-Rudy", "LR-Ring", "LR-100"} do
        assert(cell(t, "IS, CPU (ours)", name).ours < 1e-14 and cell(t, "TS, CPU-1", name).ours < 1e-14)
      end
      equal(cell(t, "TS, GPU", "Wang").theirs, 0.32)
    elseif t.unit == "s" then
      for _, x in ipairs(t) do assert(type(x.ours) ~= "number" or x.ours >= 0, t.title) end
    end
  end
end)
it("paper: what is asked for wrongly, and what it leaves of the session", function()
  raises("paper: expected the number of a paper, 000 to 004, got 7; usage: paper, or paper NUMBER [small | full] [FOLDER]", paper, 7)
  raises("paper: expected the number of a paper, 000 to 004, got the text \"goto\"", paper, "goto")
  raises("paper: size is 'large', expected", paper, 3, {size = "large"})
  raises("paper: unknown option 'states'; its options are folder, size and vertices", paper, 3, {states = 5})
  raises("no folder", paper, 3, {size = "least", folder = arg[0]})
  local name = device().name
  trace.off()
  rebuilt(3, {}) -- paper changes the device and the trace, and restores both
  assert(not trace.enabled() and device().name == name)
  trace.on()
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
