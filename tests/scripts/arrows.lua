--- arrows.lua [ROOT]: checks the dependencies between the sources. Run by ctest as `arrows`.
---
--- Reads every #include of src/ and kernels/, and finds which files use what other files define. Prints each include that
--- violates the layers below, and each cycle of files that include or call each other. Exits with 1 if it prints
--- any. Accepted cycles are listed here with their reasons.
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
  {name = "reference", at = {"src/reference"}, may = {"core", "data", "model"}},
  {name = "model", at = {"src/model"}, may = {"core", "data"}},
  {name = "ranks", at = {"src/ranks"}, may = {"core"}},
  {name = "run", at = {"src/run", "kernels/driver"}, may = {"core", "language", "data", "ranks"}},
  {name = "family", at = {"kernels"}, may = {"core", "language", "data", "model", "ranks", "run"}},
  {name = "compile", at = {"src/compile"}, may = {"core", "language", "data", "run"}},
  {name = "session", at = {"src/session"}, may = {"core", "data", "run"}},
  {name = "lua", at = {"src/lua"}, may = {"core", "data", "load", "gen", "reference", "model", "ranks", "run", "compile", "session"}},
  {name = "repl", at = {"src/repl"}, may = {"core", "data", "load", "ranks", "run", "session", "lua"}},
  {name = "panel", at = {"src/panel"}, may = {"core", "data", "model", "run", "session", "lua", "repl"}},
  {name = "main", at = {"src/main.c"}, may = {"core", "ranks", "run", "compile", "session", "lua", "repl", "panel"}},
}

--- The files of the session, from the bottom: a file may include only the files before it.
local session = {"raise", "error_position", "stop", "threads", "frames", "profiling", "records", "marks", "rewrite_equality", "values", "watch_value", "lines", "breakpoints", "stops",
                 "coroutine", "run", "past", "search", "checkpoint", "resume", "session"}

--- Files that the build generates in gen/, and the layer of each.
local generated = {["prims_list.h"] = "run", ["rows_list.h"] = "run", ["families.def"] = "run",
                   ["families.h"] = "run", ["family_contracts.h"] = "run", ["version.h"] = "core"}

--- Accepted cycles of files that include each other: one file of each cycle, and the reason.
local kept_includes = {
  ["kernels/driver/best"] = "best continues the driver of CUDA, which is a template over the body; they are one text",
  ["src/run/compare"] = "compare is a mode of dispatch: dispatch hands it a call, and it dispatches both sides",
  ["src/run/cuda"] = "a row names its launcher, a launch its device and its row: three words of one sentence",
  ["src/run/limits"] = "limits.h has the shape of what limits_cpu measures, and limits.c calls it",
}
--- Accepted cycles of files that call each other: one file of each cycle, and the reason.
local kept_calls = {
  ["src/reference/ode_output"] = "it starts a method, which hands it a row at a time",
  ["src/lua/l_model_ode"] = "the type of models has simulate as a function, which takes a model",
  ["src/model/ode/phml"] = "the parts of one reader: values are made of series, and a module's file names others",
  ["src/model/ode/sbml"] = "the parts of one reader, which all look up names in the document",
  ["src/load/edge_text"] = "weight.c is the rare part of a parser whose usual part edge_text.h has inline",
  ["src/lua/l_buffer"] = "l_buffer.c makes the type with the methods that l_buffer_methods.c writes over it",
  ["src/lua/l_graph"] = "likewise, over three files",
  ["src/panel/view_help"] = "help is one of the views that it lists",
  ["src/repl/commands"] = "lines run commands, and commands (source, run, lesson) run lines; help lists commands, "
    .. "and is one",
  ["src/run/cuda"] = "device.c lists what cuda.cu finds, which looks up devices by their number",
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

print(("arrows: %d files, %d against the rule"):format(#paths, failures))
os.exit(failures == 0 and 0 or 1)
