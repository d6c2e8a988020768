-- judge(KIND, command): runs another program on graphs that break programs, and proves each of its answers.

local native = judge -- functions in C: run, folder, remove

local algorithm = import "base/algorithm"
local answer = import "base/answer"
local graphs = import "judge/graphs"
local prove = import "base/prove"
local shrink = import "judge/shrink"

local OPTIONS = {size = {least = 8, most = 1 << 27, what = "a number of vertices"}, graphs = "file", seconds = {kind = "number", default = 10},
  memory = "bytes", seed = {least = 0, default = 1}, base = {least = 0, most = 1, what = "the first vertex's number"}, unreached = "number",
  source = {least = 0, what = "a vertex"}, symmetric = "flag", weights = {"none", "i32", "f64", default = "i32"}, max = "flag", damping = "number",
  tolerance = "number", shrink = {kind = "number", default = 20}, first = "flag"}

-- Options that prove takes for some kinds only.
local OF_KINDS = {"max", "damping", "tolerance"}
-- Files of graphs that may stand in a command, by the ending; and matrices grow with n^2, so only small graphs have them.
local FORMATS = {gr = true, mtx = true, egr = true, tsv = true, el = true, csv = true, txt = true, graph = true, metis = true, lsg = true}
local MATRIX = {apsp = 300, kleene = 300}
local ACYCLIC = {kleene = true, topological = true}
local MOST_BYTES = 1 << 30 -- of each file that a program writes

-- --- one run ---

-- The words of the command with the names of files and numbers filled in; and what they are.
local function filled(words, folder, g, source)
  local files, out = {}, nil
  local function value(name)
    if name == "source" then return tostring(source) end
    if name == "source1" then return tostring(source + 1) end
    if name == "n" or name == "m" then return tostring(g[name]) end
    local ending = name:match("^out%.?(%w*)$")
    if ending then
      out = folder .. "/answer." .. (ending ~= "" and ending or "txt")
      return out
    end
    ending = name:match("^graph%.(%w+)$")
    if not FORMATS[ending] then return nil end
    files[ending] = ("%s/graph.%s"):format(folder, ending)
    return files[ending]
  end
  local done = {}
  for i, word in ipairs(words) do
    done[i] = word:gsub("{([%w%.]+)}", function(name)
      local text = value(name)
      if not text then
        error(("judge: {%s} is not known; expected {graph.FORMAT} (gr, mtx, egr, tsv, csv, graph, lsg), {out}, {out.npy}, {source}, {source1}, {n} or {m}")
          :format(name), 0)
      end
      return text
    end)
  end
  return done, files, out
end

-- The vertex that a search starts from: the option, or the first of those with the most out-edges.
local function source_of(g, options)
  if options.source then return math.min(options.source, math.max(0, g.n - 1)) end
  local best, most = 0, 0
  for v = 0, g.n - 1 do
    local d = g:degree(v)
    if d > most then best, most = v, d end
  end
  return best
end

local function last_line(path)
  local file = io.open(path)
  if not file then return "" end
  local last = ""
  file:seek("end", -math.min(2000, file:seek("end")))
  for line in file:lines() do
    if line:match("%S") then last = line end
  end
  file:close()
  return #last > 200 and last:sub(1, 200) .. "..." or last
end

local SIGNALS = {[6] = "abort", [8] = "an arithmetic error", [9] = "killed", [11] = "a segmentation fault", [24] = "the limit of processor time",
  [25] = "the limit of the size of a file"}

-- Does the file not exist, or contain nothing but white space?
local function is_empty(path)
  local file = io.open(path)
  if not file then return true end
  local text = file:read(4096)
  file:close()
  return not text or not text:find("%S")
end

-- Runs the program on g. Returns the verdict ("right", "wrong", "failed", "late", "no answer"), why as text, and the run's record.
local function once(job, g)
  local source = source_of(g, job.options)
  local words, files, out = filled(job.words, job.folder, g, source)
  for _, path in pairs(files) do g:save(path) end
  local answer_file = out or job.folder .. "/answer.txt"
  os.remove(answer_file)
  local said, errors = out and job.folder .. "/said" or answer_file, job.folder .. "/errors"
  local run, why = native.run(words, {out = said, err = errors, seconds = job.options.seconds, memory = job.options.memory, bytes = MOST_BYTES})
  if not run then error("judge: " .. why, 0) end
  if run.late then return "late", ("no answer after %g s"):format(job.options.seconds), run end
  if run.signal then return "failed", ("ended by signal %d (%s) %s"):format(run.signal, SIGNALS[run.signal] or "?", last_line(errors)), run end
  if run.code ~= 0 then return "failed", ("exit code %d; %s"):format(run.code, last_line(errors)), run end
  local empty = is_empty(answer_file)
  if empty and g.n == 0 then return "right", "nothing to answer", run end
  if empty then return "no answer", out and "it wrote no {out}" or "it printed nothing", run end
  if job.searches then job.proof.source = source end
  local good, message = pcall(prove, job.name, g, answer_file, job.proof)
  if good then return "right", nil, run end
  return "wrong", (algorithm.without_place(message):gsub("^prove: ", ""):gsub(job.folder .. "/", "")), run
end

-- --- all runs ---

local function clock_of(f, ...)
  local begun = trace.clock()
  local good, r = pcall(f, ...)
  if good and type(r) == "table" and r.close then r:close() end
  return good and trace.clock() - begun or nil
end

local function of_files(folder)
  local list = {}
  local pipe = io.popen(("ls -- '%s'"):format(folder:gsub("'", "'\\''")))
  for name in pipe:lines() do
    local path = folder .. "/" .. name
    list[#list + 1] = {name = name, load = function() return graph.load(path) end}
  end
  pipe:close()
  if #list == 0 then error(("judge: there are no graphs in the folder %s"):format(folder), 0) end
  return list
end

local function prepared(g, options) return options.symmetric and g:symmetrize() or g end

local function graph_of(n, edges, options) return prepared(graphs.of_edges(n, edges, options.weights), options) end

local function suits(job, g)
  if g.n > (MATRIX[job.name] or math.huge) then return false end
  return not (job.kind.needs and job.kind.needs(g))
end

-- Searches tiny graphs for a counterexample, then shrinks the smallest of all. Returns the graph, the verdict and why.
local function smallest(job, failed)
  local begun = trace.clock()
  local function spent(share) return trace.clock() > begun + (share or 1) * job.options.shrink end
  local function fails(n, edges)
    local g <close> = graph_of(n, edges, job.options)
    return suits(job, g) and once(job, g) ~= "right"
  end
  local n, edges = failed.n, failed.edges
  for k = 1, 100 do
    if spent(0.2) or n <= 8 then break end
    local few, list = graphs.tiny(job.options.seed, k, ACYCLIC[job.name])
    if fails(few, list) then n, edges = few, list end
  end
  n, edges = shrink(n, edges, fails, spent)
  local g = graph_of(n, edges, job.options)
  job.proof.expected = true
  return g, once(job, g)
end

local function as_lua(g)
  local n, edges, plain = g.n, graphs.edges(g), not g.weights
  if #edges > 60 then return nil end
  local parts = {"n = " .. n}
  for _, e in ipairs(edges) do parts[#parts + 1] = plain and ("{%d, %d}"):format(e[1], e[2]) or ("{%d, %d, %d}"):format(e[1], e[2], e[3] or 1) end
  return "graph.from_edges{" .. table.concat(parts, ", ") .. "}"
end

-- A row of the table, at most 79 columns wide. The last column is the program's time over that of our own algorithm.
local function line_of(row)
  local memory = row.memory and ("%.1f"):format(row.memory / 2 ^ 20) or ("< %d"):format(row.below // 2 ^ 20 + 1)
  local ratio = row.ours and ("%.1f"):format(row.seconds / row.ours) or ""
  return ("%-29s %8d %8d %-9s %7.1f %6s %6s"):format(row.graph, row.n, row.m, row.verdict, 1e3 * row.seconds, memory, ratio)
end

local HEAD = ("%-29s %8s %8s %-9s %7s %6s %6s"):format("graph", "vertices", "edges", "verdict", "ms", "MiB", "x ours")

local function text(r)
  local lines = {}
  lines[1] = ("%s: %d graphs, %d right, %d not; %d left out, as they have no such answer or are too large for a matrix"):format(r.of, #r.rows, r.right,
    r.refused, r.left_out)
  if r.graph then
    lines[#lines + 1] = "the smallest graph found on which it is not right" .. (r.counterexample and ":\n  g = " .. r.counterexample or
      (" has %s and %s: r.graph; shrink = SECONDS searches longer"):format(algorithm.counted(r.graph.n, "vertex", "vertices"), algorithm.counted(r.graph.m, "edge")))
    lines[#lines + 1] = ("  %s: %s"):format(r.verdict, (r.why:gsub("\n", "\n  ")))
    if r.source then lines[#lines + 1] = ("  {source} was %d"):format(r.source) end
  end
  return table.concat(lines, "\n")
end

local result = algorithm.results {name = "judge", show = text, record = {"of", "rows", "right", "refused", "left_out", "counterexample", "verdict", "why"}}

local function words_of(command)
  if type(command) == "table" then return command end
  local words = {}
  for word in tostring(command):gmatch("%S+") do words[#words + 1] = word end
  return words
end

--- judge(KIND, command [, options]): runs a program on some 60 graphs that break programs, and proves each answer as prove(KIND, ...)
--- does. The command is a list of words, or a text that is split at spaces. In its words:
---   {graph.gr}      the name of the graph's file in that format: gr, mtx, egr, tsv, csv, graph (METIS), lsg
---   {out}           the name of the file for the answer (also {out.npy}, {out.csv}, {out.mtx}); without it the answer is what
---                   the program prints
---   {source}        the vertex a search starts from, which counts from 0; {source1} counts from 1. {n}, {m}: the graph's size
--- Options:
---   size = 1000000       adds graphs of about that many vertices
---   graphs = FOLDER      judges on the graphs of a folder instead
---   symmetric = true     the reverse of each edge is in the graph too
---   weights = "none"     graphs without weights; "f64"; by default whole numbers, "i32"
---   seconds, memory      limits for one run: 10 s of wall-clock time; bytes or "4 GiB" of address space
---   shrink = 20          how many seconds the search for a small counterexample may take; 0: none
---   first = true         stops at the first graph on which the program is not right
---   seed, source         of the random graphs; the source of all searches
---   base, unreached, max, damping, tolerance   as for prove
--- The result: r.right and r.refused (numbers of graphs), r.rows (a record per graph), r.graph (the smallest on which the program is not
--- right), r.counterexample (the same as text), r.why. help judging says more.
---   judge("scc", "./my_scc {graph.gr} {out}")
local function judge(name, command, options)
  local kind = answer.kinds[name]
  if not kind then
    error(("judge: expected a kind (%s), got %s"):format(answer.known(), algorithm.described(name)), 2)
  end
  options = algorithm.options("judge", options, OPTIONS)
  local words = words_of(command)
  if #words == 0 then error('judge: expected a command, as "./program {graph.gr} {out}"', 2) end
  if options.memory then options.memory = algorithm.bytes(options.memory) end
  local folder = native.folder()
  local cleared <close> = setmetatable({}, {__close = function() native.remove(folder) end})
  local own = kind.options or {}
  local job = {name = name, kind = kind, words = words, options = options, folder = folder, searches = own.source ~= nil,
    proof = {base = options.base, unreached = options.unreached}}
  for _, key in ipairs(OF_KINDS) do job.proof[key] = own[key] and options[key] end
  local r = {of = name, rows = {}, right = 0, refused = 0, left_out = 0}
  local failed
  local list = options.graphs and of_files(options.graphs) or graphs.set {seed = options.seed, size = options.size, dag = ACYCLIC[name]}
  for _, item in ipairs(list) do
    local n, edges
    if not item.load then n, edges = item.make() end
    local g <close> = item.load and prepared(item.load(), options) or graph_of(n, edges, options)
    if suits(job, g) then
      local verdict, why, run = once(job, g)
      local row = {graph = item.name, n = g.n, m = g.m, verdict = verdict, why = why, seconds = run.seconds, memory = run.memory, below = run.below}
      if kind.run and g.m >= 100000 then row.ours = clock_of(kind.run, g, {source = source_of(g, options), max = options.max}) end
      r.rows[#r.rows + 1] = row
      session.say(#r.rows == 1 and HEAD .. "\n" .. line_of(row) or line_of(row))
      if verdict == "right" then
        r.right = r.right + 1
      else
        r.refused = r.refused + 1
        session.say("    " .. (why or ""):gsub("\n", "\n    "))
        if not item.load and (not failed or g.n + g.m < failed.size) then
          failed = {size = g.n + g.m, n = n, edges = edges}
        end
        if options.first then break end
      end
    else
      r.left_out = r.left_out + 1
    end
  end
  if failed and options.shrink > 0 then
    r.graph, r.verdict, r.why = smallest(job, failed)
    r.counterexample = as_lua(r.graph)
    if job.searches then r.source = source_of(r.graph, options) end
  end
  return result(r)
end

return judge
