-- Extremes of size and depth in all input formats: numbers at the edges of their types, counts that do not match the file,
-- names of a megabyte, a million levels of nesting, truncated files. extremes_*.lua list the cases, whose texts are generated
-- only when a case is tried. Each must load with the expected contents, or be rejected with a message that names
-- the file, and the line if there is one; and take at most SECONDS of processor time and GIBIBYTES of memory.
--
-- Usage: lockstep tests/fuzz/extremes.lua [SEED [FIRST [LAST]]]
-- SEED varies positions and sizes. Without FIRST, all cases are tried in child processes (so a crash is only a finding); with
-- FIRST, the cases FIRST to LAST are tried in this process. TEST_PART=0 to 9: every tenth case. Exit code 1 if there is a finding.

local SECONDS, GIBIBYTES, BATCH_SECONDS, PATIENCE = 10, 2, 20, 240
local here = arg[0]:match "^(.*)/" or "."
local seed = math.tointeger(tonumber(arg[1] or 1)) or error("SEED: expected a number, got " .. arg[1])
local first, last = math.tointeger(tonumber(arg[2])), math.tointeger(tonumber(arg[3]))
local tenth = tonumber(os.getenv "TEST_PART")

local function read(path)
  local f = io.open(path, "rb")
  if not f then return nil end
  local text = f:read "a"
  f:close()
  return text
end

local written = {} -- files of the current case

local function write(path, text)
  local f = assert(io.open(path, "wb"))
  written[#written + 1] = path
  assert(f:write(text))
  assert(f:close())
end

local function remove_written()
  for _, path in ipairs(written) do os.remove(path) end
  written = {}
end

local function said(command)
  local p = assert(io.popen(command))
  local text = p:read "a"
  p:close()
  return text
end

local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

-- --- cases ----------------------------------------------------------------------------------------------------

local cases = {}
local E = {read = read, write = write, said = said, quoted = quoted, seed = seed, repository = here .. "/../.."}

--- Adds a case with the fields: name; file: the name of the file; text: its contents, or a function that returns them, called with the
--- folder of the case; kind: what is loaded (E.graph, E.model, E.array); want: "same" (signature as the case `plain`), "refused", "loads"
--- or nil (either of these two); renamed: the error may name another file; lineless: the error names no line; fits(x): returns nil, or
--- what is wrong with the loaded object x.
function E.case(c) cases[#cases + 1] = c end

--- A pseudorandom number from low to high, determined by the seed and `what`.
function E.drawn(what, low, high)
  local x = seed * 2654435761 + 12345
  for i = 1, #what do x = (x ~ what:byte(i)) * 1099511628211 end
  return low + (x >> 11) % (high - low + 1)
end

-- The same numbers in every run with the same seed.
math.randomseed(seed, 0)

-- --- what is loaded -------------------------------------------------------------------------------------------

local function need(holds, what) if not holds then error({wrong = what}, 0) end end

--- A graph must be consistent: offsets rise from 0 to m, targets are below n, weights are finite, and its components pass check().
E.graph = {
  load = graph.load,
  signature = function(g)
    need(g.n >= 0 and g.off[0] == 0 and g.off[g.n] == g.m and #g.to == g.m, "the offsets don't fit n and m")
    for e = 0, math.min(g.m, 1000) - 1 do
      need(g.to[e] < g.n, "an end is not below n")
      need(not g.w or g.w[e] - g.w[e] == 0, "a weight is not finite")
    end
    if g.n > 1 << 20 then return ("%d %d"):format(g.n, g.m) end
    need(check(scc(g)), "the components are wrong")
    local parts = {("%d %d"):format(g.n, g.m)}
    for v = 0, g.m < 100 and g.n - 1 or -1 do
      local row = {}
      for e = g.off[v], g.off[v + 1] - 1 do row[#row + 1] = ("%d>%d:%s"):format(v, g.to[e], g.w and g.w[e] or "") end
      table.sort(row)
      parts[#parts + 1] = table.concat(row, " ")
    end
    return table.concat(parts, " ")
  end,
}

--- A model of equations must list them, and must simulate for a short time or say why it cannot.
local function equations(m)
  local parts = {("%d %d %d %d"):format(m.variables, m.states, m.events, m.functions)}
  if m.variables > 3000 then return parts[1] end
  for _, text in ipairs(m:equations()) do parts[#parts + 1] = tostring(text) end
  local ok, r = pcall(simulate, m, {stop = 0.2, steps = 2, dt = 0.1, method = "rk4"})
  need(ok and #r.t == 3 or type(r) == "string", "it cannot be simulated, and no message says why")
  return table.concat(parts, "\n")
end

local function processes(m)
  local r = explore(m, {bound = 300, compiled = false})
  need(r.states >= 1 and r.states <= 300 and r.graph.n == r.states and r.graph.m == r.transitions, "the state space is not whole")
  return ("%d %d %d %s"):format(r.states, r.transitions, r.deadlocks, r.complete)
end

E.model = {
  load = model.load,
  signature = function(m) return (m.variables and equations or processes)(m) end,
}

E.array = {
  load = buffer.load,
  signature = function(b)
    local parts = {}
    for i = 0, math.min(#b, 100) - 1 do parts[#parts + 1] = tostring(b[i]) end
    return ("%s %d %s"):format(b.dtype, #b, table.concat(parts, " "))
  end,
}

for _, name in ipairs {"graphs", "equations", "xml", "processes", "arrays"} do
  assert(loadfile(("%s/extremes_%s.lua"):format(here, name)))(E)
end

-- --- one case -------------------------------------------------------------------------------------------------

local function status(what) return tonumber(read "/proc/self/status":match(what .. ":%s*(%d+) kB")) end
local sanitized = status "VmPeak" > 1 << 30 -- in KiB; more than a terabyte is a sanitizer's shadow memory

local function peak_begins() -- resets the peak of resident memory; if this is impossible, the peak is that of the whole run of the process
  local f = io.open("/proc/self/clear_refs", "w")
  if f then
    f:write "5"
    f:close()
  end
end

local signatures = {} -- signature of each format's plain text

local function signature_of(c, path)
  return c.kind.signature(c.kind.load(path, c.options))
end

local function plain_signature(c, folder)
  local p = c.plain
  if not signatures[p] then
    local path = folder .. "/" .. p.file
    write(path, type(p.text) == "function" and p.text(folder) or p.text)
    for name, text in pairs(p.files or {}) do write(folder .. "/" .. name, text) end
    signatures[p] = signature_of(p, path)
  end
  return signatures[p]
end

-- Tries one case. Returns nil, or a message that says what is wrong.
local function attempt(c, folder)
  local plain = c.want == "same" and plain_signature(c, folder)
  local path = folder .. "/" .. c.file
  for name, text in pairs(type(c.files) == "function" and c.files() or c.files or {}) do write(folder .. "/" .. name, text) end
  write(path, type(c.text) == "function" and c.text(folder) or c.text)
  collectgarbage()
  peak_begins()
  local before = os.clock()
  local ok, x = pcall(c.kind.load, path, c.options)
  local took, peak = os.clock() - before, status "VmHWM"
  if took > SECONDS * (sanitized and 4 or 1) then return ("it took %.1f s"):format(took) end
  if peak > GIBIBYTES << (sanitized and 21 or 20) then return ("it took %.1f GiB"):format(peak / (1 << 20)) end
  if not ok then
    if type(x) ~= "string" then return "it raised a " .. type(x) end
    if c.want == "same" or c.want == "loads" then return "refused: " .. x:sub(1, 300) end
    if #x > 2000 then return ("its message has %d bytes: %s"):format(#x, x:sub(1, 200)) end
    if x:find "[%z\1-\8\14-\31\127]" then return ("its message has control characters: %q"):format(x:sub(1, 200)) end
    if c.renamed then return nil end
    if x:sub(1, #folder + 1) ~= folder .. "/" and not (c.options and x:find "^buffer%.load: ") then return "its message names no file: " .. x:sub(1, 200) end
    if not (c.lineless or x:find ":%d+: " or x:find ":%d+:%d+: " or x:find ": byte %d+: ") then
      return "its message names no line: " .. x:sub(1, 300)
    end
    return nil
  end
  if c.want == "refused" then return "loaded: " .. tostring(x):sub(1, 200) end
  local fine, signature = pcall(c.kind.signature, x)
  if not fine then
    return type(signature) == "table" and signature.wrong or "what was loaded fails: " .. tostring(signature):sub(1, 300)
  end
  if plain and signature ~= plain then return ("it is not what the plain text is: %s\n  but %s"):format(plain:sub(1, 300), signature:sub(1, 300)) end
  local complaint = c.fits and c.fits(x)
  return complaint and ("loaded, but %s: %s"):format(complaint, tostring(x):sub(1, 200))
end

-- --- some cases in this process -------------------------------------------------------------------------------

local function due(i) return first == last or not tenth or i % 10 == tenth end

-- Prints one line per case: its number before it is tried, then "fine" or what is wrong. Stops after BATCH_SECONDS; another
-- process continues.
local function run(folder)
  io.stdout:setvbuf "no"
  local ends = os.time() + BATCH_SECONDS
  for i = first, math.min(last or #cases, #cases) do
    if due(i) then
      if os.time() > ends then
        print("stopped before", i)
        return
      end
      print("case", i)
      local ok, wrong = pcall(attempt, cases[i], folder)
      if not ok then wrong = "the test itself fails: " .. tostring(type(wrong) == "table" and wrong.wrong or wrong) end
      remove_written()
      print(wrong and "wrong" or "fine", i, wrong and wrong:gsub("\n", "\\n") or "")
    end
  end
  print("stopped before", math.huge)
end

local folder = os.getenv "EXTREMES_FOLDER"
if first then
  local own = folder or said "mktemp -d":match "%S+"
  run(own)
  if not folder then os.execute("rm -rf " .. own) end
  return
end

-- --- all cases, in other processes ----------------------------------------------------------------------------

folder = said "mktemp -d":match "%S+"
local program = said "readlink /proc/$PPID/exe":match "[^\n]+"
-- Limits the address space; in a build with a sanitizer, the size of each allocation and the resident memory instead.
local limits = sanitized and ("ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=%d:hard_rss_limit_mb=%d:$ASAN_OPTIONS")
  :format(GIBIBYTES << 10, GIBIBYTES << 12) or ("ulimit -v %d;"):format((GIBIBYTES + 1) << 20)
local tried, findings, at = 0, 0, 1

local function finding(i, what)
  findings = findings + 1
  print(("%d, %s: %s"):format(i, cases[i].name, what))
end

while at <= #cases do
  local p = assert(io.popen(("export EXTREMES_FOLDER=%s; %s timeout -k 5 %d %s %s %d %d %d 2>%s/said"):format(folder, limits, PATIENCE,
    quoted(program), quoted(arg[0]), seed, at, #cases, folder)))
  local begun
  for line in p:lines() do
    local word, i, what = line:match "^(%a[%a ]*)\t(%S+)\t?(.*)"
    if word == "case" then
      begun = math.tointeger(i)
      tried = tried + 1
    elseif word == "wrong" then
      finding(begun, what)
    elseif word == "stopped before" then
      begun, at = nil, math.tointeger(i) or #cases + 1
    end
  end
  local _, how, code = p:close()
  if begun then
    finding(begun, ("the process ended by %s %d: %s"):format(how, code, (read(folder .. "/said") or ""):sub(-3000)))
    at = begun + 1
  elseif code ~= 0 and how then
    finding(math.min(at, #cases), ("the process ended by %s %d after its last case: %s"):format(how, code, (read(folder .. "/said") or ""):sub(-3000)))
  end
end
os.execute("rm -rf " .. folder)
print(("%d of %d extremes, seed %d: %d findings"):format(tried, #cases, seed, findings))
if findings > 0 then
  print(("again: lockstep %s %d NUMBER NUMBER"):format(arg[0], seed))
  os.exit(1)
end
