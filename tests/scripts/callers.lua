--- callers.lua [ROOT]: finds code that nothing calls. Run by ctest as `callers`.
---
--- Lists the C functions that other files can see, the rows of kernels/ (PRIM, LOOP) and the Lua functions of lua/ that
--- nothing outside the tests calls, the C functions of a header that only their own file calls, and the exceptions below that
--- no longer apply. Exits with 1 if it lists any.
---
--- What counts as a call: of a C function, its name in a body, a value or a macro of another place in src/ or kernels/,
--- or in what the build generates (cmake/); of a row, its name among the steps of another row, in Lua (lua/, scripts/,
--- samples/) or in C; of a loop that only repeats one row, also fixpoint(ROW, ...); of a Lua function, its name in another place of lua/, scripts/ or samples/, or in C.
--- What users type needs no caller: a row that README.md, a lesson or another sample, or the help in lua/ names; a Lua
--- function with a doc comment (`---`), which is what `help` shows.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local csource = dofile(here .. "/csource.lua")
local root = arg[1] or here .. "/../.."

--- C functions that only tests call and that are kept, with the reason.
local kept_functions = {
  ls_prim_add = "tests/trial adds rows and loops of its own",
  dve_copy = "the text in C that generate.c writes of a model calls it",
  dve_put_made = "likewise",
  dve_take_time = "likewise",
  ls_clients_of = "test_gen.c holds every state of a clients graph against a model of its own",
  ls_clients_states = "likewise: no label tells the states of many clients",
}

--- Rows that nothing calls and that are kept for now, with the reason.
local kept_rows = {
  fw_blocked = "fw goes step by step, so that the tile view sees each k; this is the sweep in one kernel",
  close_blocked = "likewise of the fast rows: stepping from Lua, launches need not wait for each other",
  close_triangle = "likewise",
  trim_pair = "a step for algorithms of users: Trim-2 of Hong, Rodia and Olukotun, 2013",
}

local function read_all(folder, endings)
  local texts = {}
  for _, path in ipairs(csource.files(root, folder, endings)) do texts[path] = csource.read(root .. "/" .. path) end
  return texts
end

local failures = 0
local function report(what, name, path)
  failures = failures + 1
  print(("%s %s has no caller (%s)"):format(what, name, path))
end

local function stale(name)
  failures = failures + 1
  print(("%s is called now, or gone: take it off the list of what is kept"):format(name))
end

local function sorted(set)
  local list = {}
  for name in pairs(set) do list[#list + 1] = name end
  table.sort(list)
  return list
end

--- Counts the occurrences of each word.
local function count_words(text, counts)
  for word in text:gmatch("[%a_][%w_]*") do counts[word] = (counts[word] or 0) + 1 end
  return counts
end

local c_texts, def_texts = read_all("src", {c = 1, h = 1, cu = 1}), read_all("kernels", {def = 1})
for path, text in pairs(read_all("kernels", {c = 1, h = 1, cu = 1, cuh = 1})) do c_texts[path] = text end
for path, text in pairs(read_all("cmake", {c = 1})) do c_texts[path] = text end

--- Lua without comments; names in embedded texts and doc comments are not calls.
local function lua_code(text) return (text:gsub("%-%-%[(=*)%[.-%]%1%]", ""):gsub("%-%-[^\n]*", "")) end
local lua_texts = {}
for _, folder in ipairs{"lua", "scripts", "samples"} do
  for path, text in pairs(read_all(folder, {lua = 1})) do lua_texts[path] = text end
end

-- C: ls_* may be called from everywhere, another name from its own folder and those inside it
local defined, declared, uses, own = {}, {}, {}, {}
local function folder_of(path) return path:match("^(.*)/[^/]*$") end
for path, text in pairs(c_texts) do
  local p = csource.parse(text, path:find("%.c?u?h$"))
  if path:find("^src/") then
    for name in pairs(p.defines) do defined[name] = path end
    for name in pairs(p.declares) do declared[name] = path:find("%.h$") and path or declared[name] end
  end
  uses[path] = p.uses
  own[path] = count_words(csource.strip(text), {})
end
local generated = count_words(table.concat((function()
  local list = {}
  for _, text in pairs(read_all("cmake", {cmake = 1})) do list[#list + 1] = text end
  for _, text in pairs(def_texts) do list[#list + 1] = text:gsub("/%*.-%*/", " ") end
  return list
end)(), "\n"), {})
defined.main = nil
for _, name in ipairs(sorted(defined)) do
  local home, called = defined[name], generated[name] or own[defined[name]][name] > 1
  for path, used in pairs(uses) do
    if path ~= home and used[name] and (name:find("^ls_") or (path:find(folder_of(home) .. "/", 1, true) == 1)) then called = true end
  end
  if not called and not kept_functions[name] then report("function", name, home) end
  if called and kept_functions[name] then stale(name) end
end
for name in pairs(kept_functions) do
  if not defined[name] then stale(name) end
end
local in_tests = {}
for _, text in pairs(read_all("tests", {c = 1, h = 1})) do count_words(csource.strip(text), in_tests) end
for _, name in ipairs(sorted(declared)) do
  local header, home = declared[name], defined[name]
  local apart = home and header ~= home and not generated[name] and not in_tests[name] and own[header][name] == 1
  for path, words in pairs(own) do apart = apart and (path == home or path == header or not words[name]) end
  if apart then
    failures = failures + 1
    print(("function %s is declared (%s), but only %s calls it: make it static"):format(name, header, home))
  end
end
for _, name in ipairs(sorted(declared)) do
  if not defined[name] and not generated[name] then
    failures = failures + 1
    print(("function %s is declared (%s) and not defined"):format(name, declared[name]))
  end
end

-- rows
local c_words, lua_words, said = {}, {}, {}
for _, text in pairs(c_texts) do count_words(text:gsub("/%*.-%*/", " "), c_words) end
for _, text in pairs(lua_texts) do count_words(lua_code(text), lua_words) end
count_words(csource.read(root .. "/README.md"):gsub("\n| `[^\n]*", ""), said) -- without the table in README.md that lists every row
for path, text in pairs(lua_texts) do
  if path:find("^samples/") or path:find("^lua/help/") or path:find("/help%.lua$") then count_words(text, said) end
end
for path, text in pairs(c_texts) do -- names in strings, as in ls_prim_find("copy")
  if path:find("^src/") then
    for name in text:gsub("/%*.-%*/", " "):gmatch('"([%w_]+)"') do said[name] = 1 end
  end
end
local rows, steps, repeated = {}, {}, {} -- repeated: the row of each loop of the form REPEAT STEP(ROW) UNTIL(...)
for path, text in pairs(def_texts) do
  for line in text:gsub("/%*.-%*/", " "):gsub('"([^"\n]*)"', "<%1>"):gmatch("[^\n]+") do
    local kind, name = line:match("^([A-Z]+)%(([%w_]+),")
    if kind == "PRIM" or kind == "LOOP" then rows[name] = path end
    local step = line:match("^%s*STEP%(([%w_]+)")
    if step then steps[step] = 1 end
  end
  for loop, words in text:gmatch "\nLOOP%(([%w_]+),(.-)\nEND_LOOP" do
    repeated[loop] = words:match "\n  REPEAT\n    STEP%(([%w_]+)%)\n  UNTIL%([%w_]+%)$"
  end
end
local fixpoints = {}
for _, text in pairs(lua_texts) do
  for row in lua_code(text):gmatch "fixpoint%(([%w_]+)" do fixpoints[row] = true end
end
for _, name in ipairs(sorted(rows)) do
  local called = steps[name] or lua_words[name] or said[name] or fixpoints[repeated[name] or ""]
  if not called and not kept_rows[name] then report("row", name, rows[name]) end
  if called and kept_rows[name] then stale(name) end
end

-- Lua
for path, text in pairs(lua_texts) do
  if path:find("^lua/") then
    local before = ""
    for line in text:gmatch("[^\n]*") do
      local kind, name = line:match("^%s*(local function)%s+([%w_]+)")
      if not kind then kind, name = line:match("^(function)%s+([%w_.:]+)") end
      local last = name and name:match("[%w_]+$")
      if name and not (kind == "function" and before:find("^%-%-%-")) then
        local found = 0
        if kind == "function" then
          found = (lua_words[last] or 0) + (c_words[last] or 0) + (name:find ":" and said[last] or 0)
        else
          found = count_words(lua_code(text), {})[last]
        end
        if found < 2 and not (last:find("^__")) then report("Lua function", name, path) end
      end
      if line ~= "" then before = line end
    end
  end
end

print(("callers: %d without"):format(failures))
os.exit(failures == 0 and 0 or 1)
