--- arrows.lua [ROOT]: checks the dependencies between the sources. Run by ctest as `arrows`.
---
--- Reads every #include of src/ and kernels/, every import of lua/, and which file uses what another one defines. Prints each include
--- and import that violates the layers below, each cycle of files that include, call or import each other, and each module of lua/
--- that uses what another one exports without importing it. Exits with 1 if there is one. Accepted cycles are listed here with their
--- reasons.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local csource = dofile(here .. "/csource.lua")
local root = arg[1] or here .. "/../.."

--- The layers, from the bottom: a file may include files of its own layer and of the layers listed for it. Lower layers
--- call upper ones only through registered functions. A folder belongs to the first pattern that it matches.
---
---   core        errors, memory, files: depends on nothing else
---   language    macros and functions for kernel bodies
---   data        buffers and graphs; reads the contracts of the language
---   load, gen, reference   depend on data, but not on run
---   ode         differential equations and their solution; knows no format
---   model       languages of models; those of differential equations fill the model of ode
---   ranks       processes that run one script, and how they communicate
---   run         devices, dispatch, journal; kernels/driver, which runs bodies, belongs to this layer
---   family      the bodies of kernels, written in the language; rows for only one processor may include that processor's driver,
---               and the rows that run the program of a model include its header. No lower layer names a family: run only includes generated lists of them
---   compile     kernels compiled at run time: texts, compilers, cache
---   session     stepping: uses Lua, but no binding
---   lua         the bindings
---   repl        the prompt
---   panel       the views around the prompt
---   main        connects them
local layers = {
  {name = "core", at = {"src/core"}, may = {}},
  {name = "language", at = {"kernels/language"}, may = {"core"}},
  {name = "data", at = {"src/data"}, may = {"core", "language"}},
  {name = "load", at = {"src/load"}, may = {"core", "data"}},
  {name = "gen", at = {"src/gen"}, may = {"core", "data"}},
  {name = "ode", at = {"src/ode"}, may = {"core"}},
  {name = "model", at = {"src/model"}, may = {"core", "data", "ode"}},
  {name = "reference", at = {"src/reference"}, may = {"core", "data", "model"}},
  {name = "ranks", at = {"src/ranks"}, may = {"core"}},
  {name = "run", at = {"src/run", "kernels/driver"}, may = {"core", "language", "data", "ranks"}},
  {name = "family", at = {"kernels"}, may = {"core", "language", "data", "ode", "model", "ranks", "run"}},
  {name = "compile", at = {"src/compile"}, may = {"core", "language", "data", "run"}},
  {name = "session", at = {"src/session"}, may = {"core", "data", "run"}},
  {name = "lua", at = {"src/lua"}, may = {"core", "data", "load", "gen", "reference", "ode", "model", "ranks", "run", "compile", "session"}},
  {name = "repl", at = {"src/repl"}, may = {"core", "data", "load", "ranks", "run", "session", "lua"}},
  {name = "panel", at = {"src/panel"}, may = {"core", "data", "model", "run", "session", "lua", "repl"}},
  {name = "main", at = {"src/main.c"}, may = {"core", "ranks", "run", "compile", "session", "lua", "repl", "panel"}},
}

--- The files of the session, from the bottom: a file may include only the files before it.
local session = {"raise", "error_position", "stop", "threads", "frames", "profiling", "records", "marks", "rewrite_equality", "values", "watch_value", "lines", "breakpoints", "stops",
                 "coroutine", "run", "past", "search", "checkpoint", "resume", "session"}

--- Files that the build generates in gen/, and the layer of each.
local generated = {["rows_table.h"] = "run", ["families.def"] = "run",
                   ["families.h"] = "run", ["family_contracts.h"] = "run", ["version.h"] = "core"}

--- Accepted cycles of files that include each other: one file of each cycle, and the reason.
local kept_includes = {
  ["kernels/driver/best"] = "best continues the driver of CUDA, which is a template over the body; they are one text",
  ["src/run/launch/compare"] = "compare is a mode of dispatch: dispatch hands it a call, and it dispatches both sides",
  ["src/run/devices/cuda"] = "a row names its launcher, a launch its device and its row: three words of one sentence",
  ["src/run/devices/limits"] = "limits.h has the shape of what limits_cpu measures, and limits.c calls it",
}
--- Accepted cycles of files that call each other: one file of each cycle, and the reason.
local kept_calls = {
  ["src/ode/output"] = "it starts a method, which hands it a row at a time",
  ["src/lua/ode/l_model_ode"] = "the type of models has simulate as a function, which takes a model",
  ["src/model/ode/phml"] = "the parts of one reader: values are made of series, and a module's file names others",
  ["src/model/ode/sbml"] = "the parts of one reader, which all look up names in the document",
  ["src/load/edge_text"] = "weight.c is the rare part of a parser whose usual part edge_text.h has inline",
  ["src/lua/base/l_buffer"] = "l_buffer.c makes the type with the methods that l_buffer_methods.c writes over it",
  ["src/lua/graph/l_graph"] = "likewise, over three files",
  ["src/panel/views/view_help"] = "help is one of the views that it lists",
  ["src/repl/commands/commands"] = "lines run commands, and commands (source, run, lesson) run lines; help lists commands, "
    .. "and is one",
  ["src/run/devices/cuda"] = "device.c lists what cuda.cu finds, which looks up devices by their number",
}

local by_name = {}
for _, layer in ipairs(layers) do
  local may = {[layer.name] = true}
  for _, name in ipairs(layer.may) do may[name] = true end
  layer.allowed, by_name[layer.name] = may, layer
end

local function layer_of(path)
  for _, layer in ipairs(layers) do
    for _, folder in ipairs(layer.at) do
      if path == folder or path:sub(1, #folder + 1) == folder .. "/" then return layer end
    end
  end
end

local function unit_of(path) return (path:gsub("%.%w+$", "")) end

-- reads the sources
local endings = {c = true, h = true, cu = true, cuh = true, def = true}
local paths, texts, known = {}, {}, {}
for _, folder in ipairs{"src", "kernels"} do
  for _, path in ipairs(csource.files(root, folder, endings)) do
    paths[#paths + 1], texts[path], known[path] = path, csource.read(root .. "/" .. path), true
  end
end

--- The path of an included file, searched as the compiler does: next to the including file, in src/, in kernels/.
local function resolve(from, name)
  for _, folder in ipairs{from:match("^(.*)/[^/]*$"), "src", "kernels"} do
    if known[folder .. "/" .. name] then return folder .. "/" .. name end
  end
end

local failures = 0
local function complain(...)
  failures = failures + 1
  print(string.format(...))
end

-- checks the layers
local rank = {}
for i, name in ipairs(session) do rank["src/session/" .. name] = i end

local includes = {} -- between units (a .c file and its header)
for _, path in ipairs(paths) do
  local from = layer_of(path)
  local unit = unit_of(path)
  includes[unit] = includes[unit] or {}
  if not from then complain("%s: its folder belongs to no layer (the table in arrows.lua)", path) end
  if from and from.name == "session" and not rank[unit] then
    complain("%s: has no place among the session's layers (the list in arrows.lua)", path)
  end
  for _, name in ipairs(csource.includes(texts[path])) do
    local to = resolve(path, name)
    local layer = to and layer_of(to) or by_name[generated[name]]
    if not layer then
      complain("%s: includes %s, which is neither there nor said to be generated", path, name)
    elseif from and not from.allowed[layer.name] then
      complain("%s: includes %s: %s may not know %s", path, name, from.name, layer.name)
    end
    if to and unit_of(to) ~= unit then
      includes[unit][unit_of(to)] = true
      if rank[unit] and rank[unit_of(to)] and rank[unit] < rank[unit_of(to)] then
        complain("%s: includes %s, which is a layer above it", path, name)
      end
    end
  end
end

--- The cycles of a graph that are not accepted. An accepted cycle that no longer exists is a failure, too.
local function circles_of(graph, kept)
  local bad, met = {}, {}
  for _, circle in ipairs(csource.circles(graph)) do
    local known_one = false
    for _, unit in ipairs(circle) do
      if kept[unit] then known_one, met[unit] = true, true end
    end
    if not known_one then bad[#bad + 1] = circle end
  end
  for unit in pairs(kept) do
    if graph[unit] and not met[unit] then complain("%s: kept as a circle, and is none: take it off the list", unit) end
  end
  return bad
end

for _, circle in ipairs(circles_of(includes, kept_includes)) do
  complain("these include each other: %s", table.concat(circle, " "))
end

-- the calls between files: of ls_* everywhere, of other names within a folder
local calls, parsed, global, of_folder = {}, {}, {}, {}
local function folder_of(path) return path:match("^(.*)/[^/]*$") end
for _, path in ipairs(paths) do
  if path:find("^src/") and not path:find("%.def$") then
    local p = csource.parse(texts[path], path:find("%.h$"))
    parsed[path], calls[unit_of(path)] = p, calls[unit_of(path)] or {}
    local names = of_folder[folder_of(path)] or {}
    of_folder[folder_of(path)] = names
    for name in pairs(p.defines) do
      names[name] = unit_of(path)
      if name:find("^ls_") then global[name] = unit_of(path) end
    end
  end
end
for path, p in pairs(parsed) do
  local unit, names = unit_of(path), of_folder[folder_of(path)]
  for word in pairs(p.uses) do
    local to = names[word] or global[word]
    if to and to ~= unit then calls[unit][to] = word end
  end
end

for _, circle in ipairs(circles_of(calls, kept_calls)) do
  complain("these call each other:")
  local inside = {}
  for _, unit in ipairs(circle) do inside[unit] = true end
  for _, unit in ipairs(circle) do
    for to, word in pairs(calls[unit]) do
      if inside[to] then print(("  %s calls %s (%s)"):format(unit, to, word)) end
    end
  end
end

--- The families of lua/, and the families that each may import. One that is not listed may import those of `anew`.
local anew = {"base", "exchange", "graph"}
local families = {
  base = {}, help = {}, exchange = {"base"}, graph = {"base", "exchange"}, scc = anew, dense = {"base", "exchange"},
  paths = {"base", "exchange", "graph", "dense"}, cycles = {"base", "exchange", "graph", "scc"}, dve = {"base", "exchange", "cycles"},
  ode = {"base"}, ensemble = {"base", "exchange", "ode"},
}

--- Lua without comments and texts. The names of imported modules stay: import <scc/scc>.
local function lua_words(text)
  text = text:gsub("%-%-%[(=*)%[.-%]%1%]", " "):gsub('import%(? ?"([%w_/]+)"%)?', "import <%1>")
  local lines = {}
  for line in text:gmatch "[^\n]*" do
    lines[#lines + 1] = line:gsub("\\.", " "):gsub('"[^"]*"', '""'):gsub("'[^']*'", "''"):gsub("%-%-.*", "")
  end
  return (table.concat(lines, "\n"):gsub("%[(=*)%[.-%]%1%]", " "))
end

local modules, exported, imports = {}, {}, {} -- module -> its words; global name -> the module that exports it; module -> those it imports
for _, path in ipairs(csource.files(root, "lua", {lua = true})) do
  local module = path:match "^lua/(.*)%.lua$"
  paths[#paths + 1], modules[module] = path, lua_words(csource.read(root .. "/" .. path))
  if module:find "/globals$" then
    for name in modules[module]:gmatch "\n  ([%w_]+) = " do exported[name] = module end
  end
end
for module, words in pairs(modules) do
  local family, may, own, reported = module:match "^[^/]+", {}, {}, {}
  for _, name in ipairs(families[family] or anew) do may[name] = true end
  imports[module] = {}
  for to in words:gmatch "import <([%w_/]+)>" do
    local other = to:match "^[^/]+"
    imports[module][to] = true
    if not modules[to] then complain("lua/%s.lua: imports %s, which is not there", module, to) end
    if other ~= family and not may[other] then complain("lua/%s.lua: imports %s: %s may not know %s", module, to, family, other) end
  end
  for _, form in ipairs {"local function ([%w_]+)", "local ([%w_, ]+)", "for ([%w_, ]+) [i=]", "function *[%w_.:]*%(([%w_, ]*)"} do
    for list in words:gmatch(form) do
      for name in list:gmatch "[%w_]+" do own[name] = true end
    end
  end
  for name, after in words:gsub("import <[^>]*>", ""):gmatch "%f[%w_.:]([%a_][%w_]*)%f[^%w_]( *[^ \n]?)" do
    if exported[name] and not own[name] and not reported[name] and not after:find "^ *=" and not module:find "/globals$" then
      reported[name] = true
      complain("lua/%s.lua: uses %s of lua/%s.lua without importing it", module, name, exported[name])
    end
  end
end
for _, circle in ipairs(csource.circles(imports)) do complain("these import each other: %s", table.concat(circle, " ")) end

print(("arrows: %d files, %d against the rule"):format(#paths, failures))
os.exit(failures == 0 and 0 or 1)
