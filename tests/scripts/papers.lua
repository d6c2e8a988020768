-- papers.lua FILE PROGRAM: each element of a paper that FILE lists (tests/papers.tsv) has a command, and the command works.
--
-- A line of FILE has, separated by tabs: the paper, the kind of the element (algorithm, listing, variant, baseline, generator, table,
-- figure, claim), its name, the command that runs or rebuilds it, and its state. Each distinct command runs once, in its smallest form, on
-- one graph per paper; its output must name each table, figure and claim that FILE lists for the command, and no claim that FILE does
-- not list. Without arguments, `paper` must print the right number of claims for each paper.
local KINDS = {algorithm = true, listing = true, variant = true, baseline = true, generator = true, table = true, figure = true, claim = true}
local STATES = {runs = true, rebuilt = true, partly = true}

-- Defines the variables that the commands of a paper use.
local SETUP = {
  ["000"] = [[g = gen.rmat{scale = 6, degree = 6, seed = 1, weights = "i32", lo = 1, hi = 99}; s = 0; r = explore(model.load(model.sample "editor.dve"));]],
  ["001"] = [[g = gen.rmat{scale = 6, degree = 8, seed = 1, weights = "f64", lo = 0, hi = 1}; s, delta = 0, 0.1;]],
  ["002"] = [[g = gen.dag{n = 40, m = 160, seed = 1, weights = "i32", lo = 1, hi = 99}; s = 0;]],
  ["003"] = [[g = gen.dag{n = 40, m = 400, seed = 1, weights = "f32", lo = 0, hi = 1}; X, B, C = matrix.of(g, {semiring = "max-plus"}), 64, 8;]],
  ["004"] = [[g = gen.uniform{n = 64, m = 256, seed = 1, weights = "i32", lo = 1, hi = 63}; s, list, n = 0, {0, 1, 2, 3}, 128;
m = model.load(model.sample "luo-rudy-1991"); b = m:bytecode();]],
}

local file, program = assert(arg[1], "usage: papers.lua FILE PROGRAM"), assert(arg[2], "usage: papers.lua FILE PROGRAM")
local wrong, elements, number = {}, {}, 0
local function fail(...) wrong[#wrong + 1] = (...):format(select(2, ...)) end

for line in io.lines(file) do
  number = number + 1
  if line ~= "" and not line:find "^#" then
    local fields = {}
    for field in (line .. "\t"):gmatch "(.-)\t" do fields[#fields + 1] = field end
    local paper_, kind, name, command, state = table.unpack(fields)
    if #fields ~= 5 then
      fail("%s:%d: %d fields, expected 5: paper, kind, name, command, state", file, number, #fields)
    elseif not SETUP[paper_] or not KINDS[kind] or name == "" or not STATES[state:match "^%a*"] then
      fail("%s:%d: '%s', '%s', '%s', '%s': expected a paper, a kind, a name and a state", file, number, paper_, kind, name, state)
    elseif command == "" then
      fail("%s:%d: %s of paper %s has no command", file, number, name, paper_)
    else
      elements[#elements + 1] = {paper = paper_, kind = kind, name = name, command = command, line = number}
    end
  end
end

local folder = os.tmpname()
os.remove(folder)
local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

-- The smallest form of a command.
local function smallest(command)
  local small = ('size = "least", folder = "%s"'):format(folder)
  local of = command:match "^paper (%d+)$"
  if of then return ('paper("%s", {%s})'):format(of, small) end
  return (command:gsub("^paper%((%d+), {", "paper(%1, {" .. small .. ", "))
end

-- With a sanitizer, the compilers and the compiled code are ten times slower.
local part = os.getenv "TEST_PART" or ""
local short = os.getenv "TEST_SMALL" or (part ~= "" and part ~= "5") -- chapter 5 takes 20 s
local function skipped(command) return short and command:find("chapter = 5", 1, true) end

local said = {} -- output of each command (key: paper .. command), "" if it failed
for _, e in ipairs(elements) do
  local key = e.paper .. e.command
  if not said[key] and not skipped(e.command) then
    local begun = trace.clock()
    local pipe = assert(io.popen(("%s --backend cpu -e %s -e %s 2>&1"):format(quoted(program), quoted(SETUP[e.paper]), quoted(smallest(e.command)))))
    local text = pipe:read "a"
    local good = pipe:close()
    print(("%s  %s  %.1f s%s"):format(e.paper, e.command, trace.clock() - begun, good and "" or "  FAILED"))
    local xml = not good and text:match "this build reads no[^\n]*"
    if xml then print("left out: " .. xml) elseif not good then fail("%s:%d: %s: `%s` failed:\n%s", file, e.line, e.name, e.command, text:sub(-2000)) end
    said[key] = good and text or ""
  end
  if (e.kind == "table" or e.kind == "figure" or e.kind == "claim") and (said[key] or "") ~= "" then
    local name = e.kind == "claim" and "claim: " .. e.name or e.name
    if not said[key]:lower():find(name:lower(), 1, true) then fail("%s:%d: `%s` does not print '%s'", file, e.line, e.command, name) end
  end
end
os.execute("rm -rf " .. quoted(folder))

local claims = {} -- for each paper: the number of its claims, and the set of their names
for _, e in ipairs(elements) do
  local of = claims[e.paper] or {count = 0}
  claims[e.paper] = of
  if e.kind == "claim" then of.count, of[e.name] = of.count + 1, true end
end
for key, text in pairs(said) do
  for claim in text:gmatch "\nclaim: ([^\n]+)" do
    if not claims[key:sub(1, 3)][claim] then fail("%s: the claim '%s' of paper %s is not in it", file, claim, key:sub(1, 3)) end
  end
end
local pipe = assert(io.popen(("%s -e paper 2>&1"):format(quoted(program))))
local number_of
for line in pipe:lines() do
  number_of = line:match "^(%d%d%d)  " or number_of
  local count = number_of and line:match "(%d+) claims"
  if count and math.tointeger(tonumber(count)) ~= claims[number_of].count then
    fail("%s has %d claims of paper %s, but `paper` lists %s", file, claims[number_of].count, number_of, count)
  end
end
pipe:close()
for _, message in ipairs(wrong) do io.stderr:write(message, "\n") end
print(("%d elements, %d wrong"):format(#elements, #wrong))
os.exit(#wrong == 0 and #elements > 0, true)
