-- Rebuilds the tables, figures and claims of five papers, by the scripts of scripts/paper.

local algorithm = import "base/algorithm"
local native = paper -- functions in C
local paper


-- By the paper's number: its script, year, authors and title; has: what is rebuilt of it; options: those of the script.
local PAPERS = {
  ["000"] = {script = "barnat-2011", year = 2011, authors = "Barnat, Bauch, Brim, Ceska", title = "Computing optimal cycle mean in parallel on CUDA",
    has = "algorithms 1 to 5, figures 3 and 4, 11 claims", options = {states = {least = 1}, patience = {least = 0}}},
  ["001"] = {script = "lesnikov-2016", year = 2016, authors = "Lesnikov, Chernoskutov", title = "Performance analysis of delta-stepping on CPU and GPU",
    has = "algorithm 1, figures 1 and 2, 10 claims", options = {from = {least = 1, most = 26}, to = {least = 1, most = 26}, sources = {least = 1}, seconds = "number"}},
  ["002"] = {script = "pogorilyy-2016", year = 2016, authors = "Pogorilyy, Slynko", title = "Johnson's algorithm: parallel schemes in GPGPU technology",
    has = "3 schemes, speed-ups over the vertices, 3 claims", options = {vertices = {least = 2}, degree = {least = 1}}},
  ["003"] = {script = "goto-2011", year = 2011, authors = "Goto", title = "The Kleene star in max-plus algebra using CUDA GPUs",
    has = "tables 2, 3 and 4, 7 claims", options = {vertices = {least = 2, most = 32000}}},
  ["004"] = {script = "okuyama-2013", year = 2013, authors = "Okuyama", title = "All pairs' paths, Floyd-Warshall, and models of cells on GPUs (thesis)",
    has = "chapters 3 to 5: 15 tables, 17 figures, 48 claims", options = {chapter = {least = 3, most = 5}, vertices = {least = 64}, rounds = {least = 1}, seconds = "number",
      steps = {least = 100}, cells = {least = 100}}},
}
-- For src/repl/help/errata.c: the authors, year and title of each paper.
local called = {}
for number, x in pairs(PAPERS) do called[number] = ("%s %d, %s"):format(x.authors, x.year, x.title) end
debug.getregistry()["lockstep.papers"] = called

local NUMBERS = {"000", "001", "002", "003", "004"}
local USAGE = "paper, or paper NUMBER [small | full] [FOLDER], as in: paper 003 small figures"

local function list()
  for _, number in ipairs(NUMBERS) do
    local x = PAPERS[number]
    print(("%s  %d  %s"):format(number, x.year, x.title))
    print(("           %s: %s"):format(x.authors, x.has))
  end
  print("`paper 003` rebuilds paper 003 at a small size (less than two minutes),\n" ..
    "`paper 003 full` at the paper's size; see `help paper 003`")
end

-- Makes the folder of the figures: the given one, or the first of paper-003, paper-003-2, ... that does not exist.
local function make_folder(given, number)
  if given then
    native.make_folder(given)
    return given
  end
  local name, k = "paper-" .. number, 1
  while not native.make_folder(name) do
    k = k + 1
    name = ("paper-%s-%d"):format(number, k)
  end
  return name
end

-- Returns a value that, when closed, restores what a script may have changed in the session. After an error, it also removes the
-- folder if that is empty.
local function kept(folder)
  local traced, name = trace.enabled(), device().name
  return setmetatable({}, {__close = function(_, failed)
    if traced then trace.on() else trace.off() end
    device(name)
    if failed then os.remove(folder) end
  end})
end

-- The doc of `paper` is in lua/help/papers.lua, because `paper` is not an algorithm.
function paper(number, options)
  if number == nil then return list() end
  local whole = math.tointeger(tonumber(number))
  local key = whole and ("%03d"):format(whole)
  local x = PAPERS[key]
  if not x then
    error(("paper: expected the number of a paper, 000 to 004, got %s; usage: %s"):format(algorithm.described(number), USAGE), 2)
  end
  local specs = {size = {"small", "full", "least"}, folder = "text"}
  for name, spec in pairs(x.options) do specs[name] = spec end
  options = algorithm.options("paper", options, specs)
  if ranks.count > 1 then error("paper: run it in one process; it starts ranks itself where a table needs them", 2) end
  local scripts, tried = native.scripts()
  if not scripts then error(("paper: the scripts that come with the program are not in %s"):format(tried), 2) end
  local common = dofile(scripts .. "/common.lua")
  local run, why = loadfile(("%s/%s.lua"):format(scripts, x.script))
  if not run then error(why, 2) end
  local p = common.frame {number = key, size = options.size or "small", options = options, folder = make_folder(options.folder, key),
    write = native.write, program = native.program(), scripts = scripts}
  print(("# Paper %s: %s (%s %d), %s; on %s"):format(key, x.title, x.authors, x.year, p.size, tostring(device())))
  print(("# figures: folder %s; each cell of a table: theirs | ours | ratio, theirs over ours"):format(p.folder))
  local before <close> = kept(p.folder)
  trace.on()
  run(p)
  return p:result()
end

return paper
