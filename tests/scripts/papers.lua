-- papers.lua FILE PROGRAM: each element of a paper that FILE lists (tests/papers.tsv) has a command, and the command works.
--
-- A line of FILE has, separated by tabs: the paper, the kind of the element (algorithm, listing, variant, baseline, generator, table,
-- figure, claim), its name, the command that runs or rebuilds it, and its state. The page `help paper 000` must have the function
-- or primitive of each command. Each distinct command runs once, in its smallest form, after the lines `first` of that page; its
-- output must name each table, figure and claim that FILE lists for the command, and no claim that FILE does not list. Without
-- arguments, `paper` must print the right number of claims for each paper.
local KINDS = {algorithm = true, listing = true, variant = true, baseline = true, generator = true, table = true, figure = true, claim = true}
local STATES = {runs = true, rebuilt = true, partly = true}

local file, program = assert(arg[1], "usage: papers.lua FILE PROGRAM"), assert(arg[2], "usage: papers.lua FILE PROGRAM")
local wrong, elements, number = {}, {}, 0
local function fail(...) wrong[#wrong + 1] = (...):format(select(2, ...)) end
local function quoted(s) return "'" .. s:gsub("'", "'\\''") .. "'" end

-- What defines the variables that the commands of a paper use: the lines `first` of its page of help.
local SETUP, page_of = {}, {}
for _, paper_ in ipairs {"000", "001", "002", "003", "004"} do
  local pipe = assert(io.popen(("%s -e 'help paper %s' 2>&1"):format(quoted(program), paper_)))
  local page, lines = pipe:read "a", {}
  pipe:close()
  for line in page:gmatch "\n    first +([^\n]+)" do lines[#lines + 1] = line end
  if #lines == 0 then fail("help paper %s: no line begins with `first`", paper_) end
  SETUP[paper_], page_of[paper_] = table.concat(lines, "; ") .. ";", page
end

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
      local shown = command:match "^%?%?[%w_]+$" or command:match "^([%w_.:]+)[({]"
      if shown and not page_of[paper_]:find(shown, 1, true) then
        fail("%s:%d: %s: `help paper %s` does not have %s", file, number, name, paper_, shown)
      end
      elements[#elements + 1] = {paper = paper_, kind = kind, name = name, command = command, line = number}
    end
  end
end

local folder = os.tmpname()
os.remove(folder)

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
