-- Imports of CellML 1.1: the values equal those of the same model in one file; each file has its own units; a component may be
-- imported several times; wrong imports are rejected.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
if not M.xml then return end

local MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"'
local function model_of(...)
  return '<model xmlns="http://www.cellml.org/cellml/1.1#" xmlns:xlink="http://www.w3.org/1999/xlink" name="m">\n' .. table.concat({...}, "\n") .. "\n</model>"
end
local function import(href, ...) return ('<import xlink:href="%s">%s</import>'):format(href, table.concat {...}) end
local function take(name, reference) return ('<component name="%s" component_ref="%s"/>'):format(name, reference) end
local function take_units(name, reference) return ('<units name="%s" units_ref="%s"/>'):format(name, reference) end
local function scaled(name, of, multiplier) return ('<units name="%s"><unit units="%s" multiplier="%s"/></units>'):format(name, of, multiplier) end
local function variable(name, units, more) return ('<variable name="%s" units="%s" %s/>'):format(name, units, more or "") end
local IN, OUT = 'public_interface="in"', 'public_interface="out"'
local function component(name, ...) return ('<component name="%s">%s</component>'):format(name, table.concat({...}, "\n")) end
local function joined(one, two, ...)
  local maps = {}
  for i, pair in ipairs {...} do
    local a, b = pair:match "^(%S+)=(%S+)$"
    maps[i] = ('<map_variables variable_1="%s" variable_2="%s"/>'):format(a or pair, b or pair)
  end
  return ('<connection><map_components component_1="%s" component_2="%s"/>%s</connection>'):format(one, two, table.concat(maps))
end
local function inside(parent, ...)
  local refs = {}
  for i, name in ipairs {...} do refs[i] = ('<component_ref component="%s"/>'):format(name) end
  return ('<group><relationship_ref relationship="encapsulation"/><component_ref component="%s">%s</component_ref></group>'):format(parent, table.concat(refs))
end
local function equation(left, right) return ("<math %s><apply><eq/>%s%s</apply></math>"):format(MATH, left, right) end
local function rate(x) return "<apply><diff/><bvar><ci>t</ci></bvar><ci>" .. x .. "</ci></apply>" end
local function minus(a, b) return "<apply><minus/>" .. a .. (b or "") .. "</apply>" end
local function times(...) return "<apply><times/>" .. table.concat {...} .. "</apply>" end
local function ci(x) return "<ci>" .. x .. "</ci>" end

local clock = component("clock", variable("t", "second", OUT))

-- Writes the files {name, text, name, text, ...} into a temporary folder and calls f with the path of the first one.
local function with_files(files, f)
  local top = temporary ".cellml-files"
  for i = 1, #files, 2 do
    local path = top .. "/" .. files[i]
    assert(os.execute(("mkdir -p '%s'"):format(path:match "^(.*)/")))
    local file = assert(io.open(path, "wb"))
    file:write(files[i + 1])
    file:close()
  end
  local ok, why = pcall(f, top .. "/" .. files[1], top)
  os.execute(("rm -r '%s'"):format(top))
  if not ok then error(why, 0) end
end
local function bad(files, ...)
  local messages = {...}
  with_files(files, function(path)
    for _, message in ipairs(messages) do raises(message, model.load, path) end
  end)
end
local function loaded(files, f) with_files(files, function(path, top) f(model.load(path), path, top) end) end

-- The initial value of a variable.
local function first(m, name) return m:first()[select(2, m:find(name)) - 1] end

-- A cell: the membrane encapsulates a gate, whose voltage is in volts and whose time is in seconds.
local function membrane(name)
  return component(name, variable("t", "ms", IN), variable("V", "mV", 'initial_value="-80" ' .. OUT),
    variable("k", "per_ms", 'initial_value="0.37"'), variable("input", "mV", IN), variable("n", "dimensionless", 'private_interface="in"'),
    equation(rate "V", times(ci "k", minus(times(ci "n", ci "input"), ci "V"))))
end
local function gate(name)
  return component(name, variable("t", "second", IN), variable("V", "volt", IN), variable("n", "dimensionless", 'initial_value="0.3" ' .. OUT),
    variable("tau", "per_s", 'initial_value="213"'), equation(rate "n", times(ci "tau", minus("<apply><exp/>" .. ci "V" .. "</apply>", ci "n"))))
end
local UNITS = '<units name="ms"><unit units="second" prefix="milli"/></units><units name="mV"><unit units="volt" prefix="milli"/></units>' ..
  '<units name="per_ms"><unit units="ms" exponent="-1"/></units><units name="per_s"><unit units="second" exponent="-1"/></units>'
local CELL = model_of(UNITS, membrane "membrane", gate "gate", inside("membrane", "gate"), joined("membrane", "gate", "t", "V", "n"))

local function same_courses(m, whole, names)
  local o = {stop = 0.02, steps = 20, dt = 1e-4, method = "rk4"}
  local a, b = simulate(m, o), simulate(whole, o)
  equal(#a.names, #b.names)
  for _, name in ipairs(a.names) do
    local other = name
    for from, to in pairs(names) do other = other:gsub(from, to) end
    for i = 0, #a.t - 1 do equal(a[name][i], b[other][i]) end
  end
end

describe("imports of CellML 1.1", function()
  it("give the values of the model in one file, to the last bit", function()
    local top = model_of(UNITS, clock, import("cell.cellml", take("a", "membrane")), import("cell.cellml", take("b", "membrane")),
      joined("clock", "a", "t"), joined("clock", "b", "t"), joined("a", "b", "V=input", "input=V"))
    local whole = model_of(UNITS, clock, membrane "a", gate "a_gate", membrane "b", gate "b_gate", joined("clock", "a", "t"), joined("clock", "b", "t"),
      joined("a", "b", "V=input", "input=V"), joined("a", "a_gate", "t", "V", "n"), joined("b", "b_gate", "t", "V", "n"))
    loaded({"top.cellml", top, "cell.cellml", CELL}, function(m)
      equal(m.format, "CellML 1.1")
      equal(m.variables, 8)
      local other = {"whole.cellml", whole}
      loaded(other, function(w) same_courses(m, w, {["^(%l)%.gate%."] = "%1_gate."}) end)
    end)
  end)
  it("make an instance for each import element, with parameters of its own", function()
    local part = model_of(component("p", variable("x", "second", 'initial_value="2" ' .. OUT)))
    loaded({"top.cellml", model_of(import("p.cellml", take("a", "p")), import("p.cellml", take("b", "p"))), "p.cellml", part}, function(m)
      m:set("a.x", 7)
      near(first(m, "a.x"), 7, 0)
      near(first(m, "b.x"), 2, 0)
    end)
  end)
  it("may import what is imported, in folders below, by other names", function()
    local cell = model_of(UNITS, import("parts/gate%20one.cellml", take("inner", "gate")), membrane "membrane", inside("membrane", "inner"),
      joined("membrane", "inner", "t", "V", "n"))
    local parts = model_of(UNITS, gate "gate")
    local between = model_of(import("./cells/../cells/cell.cellml", take("again", "membrane")))
    local top = model_of(UNITS, clock, import("between.cellml", take("a", "again")), component("v", variable("c", "mV", 'initial_value="5" ' .. OUT)),
      joined("clock", "a", "t"), joined("v", "a", "c=input"))
    local whole = model_of(UNITS, clock, membrane "a", gate "g", component("v", variable("c", "mV", 'initial_value="5" ' .. OUT)),
      joined("clock", "a", "t"), joined("v", "a", "c=input"), joined("a", "g", "t", "V", "n"))
    loaded({"top.cellml", top, "between.cellml", between, "cells/cell.cellml", cell, "cells/parts/gate one.cellml", parts}, function(m)
      loaded({"whole.cellml", whole}, function(w) same_courses(m, w, {["^a%.inner%."] = "g."}) end)
    end)
  end)
  it("leave out what is not imported, and connections to it", function()
    local part = model_of(component("p", variable("x", "second", IN)), component("other", variable("y", "second", 'initial_value="3" ' .. OUT)),
      joined("p", "other", "x=y"))
    local source = component("s", variable("z", "second", 'initial_value="8" ' .. OUT))
    loaded({"top.cellml", model_of(import("p.cellml", take("a", "p")), source, joined("a", "s", "x=z")), "p.cellml", part}, function(m)
      equal(m.variables, 1)
      near(first(m, "s.z"), 8, 0)
    end)
    bad({"top.cellml", model_of(import("p.cellml", take("a", "p"))), "p.cellml", part}, "p.cellml:2: a.x has the interface \"in\", but no connection gives it a value: add a connection to the file that imports")
    -- two siblings: both components are imported, but not their connection
    bad({"top.cellml", model_of(import("p.cellml", take("a", "p"), take("b", "other"))), "p.cellml", part}, "an import brings only those between")
  end)
  it("keep connections between an imported component and what it encapsulates, when that is imported too", function()
    loaded({"top.cellml", model_of(UNITS, clock, import("cell.cellml", take("a", "membrane"), take("g", "gate")), joined("clock", "a", "t"),
      joined("a", "watch", "V"), joined("g", "watch", "n"), component("watch", variable("V", "mV", IN), variable("n", "dimensionless", IN),
      variable("y", "mV", OUT), equation(ci "y", times(ci "n", ci "V"))), component("z", variable("i", "mV", 'initial_value="1" ' .. OUT)), joined("z", "a", "i=input")),
      "cell.cellml", CELL}, function(m)
      near(first(m, "watch.y"), -80 * 0.3, 1e-15)
      near(first(m, "g.n"), 0.3, 0)
    end)
  end)
  it("reads a file of CellML 1.0, too", function()
    local part = model_of(component("p", variable("x", "second", 'initial_value="2" ' .. OUT))):gsub("1%.1#", "1.0#")
    loaded({"top.cellml", model_of(import("p.cellml", take("a", "p"))), "p.cellml", part}, function(m) near(first(m, "a.x"), 2, 0) end)
    bad({"top.cellml", (model_of(import("p.cellml", take("a", "p"))):gsub("1%.1#", "1.0#")), "p.cellml", part},
      "top.cellml:2: the model imports another file, which CellML 1.0 does not support: change its namespace")
  end)
end)

describe("units of imported files", function()
  local function seen_as(units, definitions, part, more)
    return {"top.cellml", model_of(definitions, import("p.cellml", take("a", "p"), more), component("c", variable("x", units, IN), variable("y", units, OUT), equation(ci "y", ci "x")),
      joined("a", "c", "x")), "p.cellml", part}
  end
  it("have the meaning of the file that they stand in", function()
    local part = model_of(scaled("u", "metre", "1000"), component("p", variable("x", "u", 'initial_value="3" ' .. OUT)))
    loaded(seen_as("u", scaled("u", "metre", "0.5"), part), function(m) near(first(m, "c.y"), 6000, 1e-15) end)
    loaded(seen_as("metre", "", part), function(m) near(first(m, "c.y"), 3000, 1e-15) end)
    bad(seen_as("u", "", part), "top.cellml:4: the unit 'u' is not defined")
    bad(seen_as("u", scaled("u", "second", "1"), part), "top.cellml:7: a connection joins a.x [u] and c.x [u], which cannot be converted")
  end)
  it("can be imported, through files, by other names", function()
    local part = model_of(import("q.cellml", take_units("w", "u")), scaled("u", "second", "1"), component("p", variable("x", "metre", 'initial_value="3" ' .. OUT)))
    local files = seen_as("v", "", part, take_units("v", "w"))
    files[5], files[6] = "q.cellml", model_of(scaled("u", "half", "0.5"), scaled("half", "metre", "0.5"))
    loaded(files, function(m) near(first(m, "c.y"), 12, 1e-15) end)
    files[2] = seen_as("v", "", part, take_units("v", "w") .. "\n" .. take_units("v", "w"))[2]
    bad(files, "top.cellml:4: the unit v is defined twice: also in line 3")
    files[2] = seen_as("v", "", part, take_units("v", "w"))[2]
    files[6] = model_of(scaled("u", "hal", "0.5"))
    bad(files, "q.cellml:2: the unit 'hal' is not defined")
    files[6] = model_of(scaled("hu", "metre", "0.5"))
    bad(files, "p.cellml:2: ", "q.cellml defines no units u (found: hu)")
  end)
  it("with a zero of their own are converted both ways", function()
    local degree = '<units name="degree"><unit units="celsius"/></units>'
    local part = model_of(degree, component("p", variable("x", "degree", 'initial_value="50" ' .. OUT)))
    loaded(seen_as("kelvin", "", part), function(m) near(first(m, "c.y"), 323.15, 1e-15) end)
    loaded(seen_as("degree", degree, (part:gsub('"degree" initial', '"kelvin" initial'))), function(m) near(first(m, "c.y"), 50 - 273.15, 1e-15) end)
    loaded(seen_as("degree", scaled("degree", "kelvin", "2"), part), function(m) near(first(m, "c.y"), 323.15 / 2, 1e-15) end)
  end)
  it("that are base units are one unit by name", function()
    local part = model_of('<units name="beat" base_units="yes"/>', component("p", variable("x", "beat", 'initial_value="3" ' .. OUT)))
    loaded(seen_as("beats", scaled("beats", "beat", "2") .. '<units name="beat" base_units="yes"/>', part), function(m) near(first(m, "c.y"), 1.5, 1e-15) end)
    loaded(seen_as("pulse", "", part, take_units("pulse", "beat")), function(m) near(first(m, "c.y"), 3, 1e-15) end)
  end)
  it("convert time", function()
    local part = model_of('<units name="t"><unit units="second" prefix="milli"/></units>', component("p", variable("t", "t", IN), variable("x", "dimensionless", 'initial_value="1"'),
      equation(rate "x", "<cn>3</cn>")))
    loaded({"top.cellml", model_of(clock, import("p.cellml", take("a", "p")), joined("clock", "a", "t")), "p.cellml", part}, function(m)
      near(M.ends(m, 2, "rk4", "x", {dt = 0.1}), 6001, 1e-12)
    end)
  end)
  it("of exponential size are refused", function()
    local units = {}
    for i = 1, 40 do units[i] = ('<units name="u%d"><unit units="u%d"/><unit units="u%d"/></units>'):format(i, i + 1, i + 1) end
    bad({"top.cellml", model_of(table.concat(units), scaled("u41", "metre", "2"), component("p", variable("x", "u1", 'initial_value="1"')))}, "a unit is made of more than 10000 others")
  end)
end)

describe("imports that are refused", function()
  local part = model_of(component("pump", variable("x", "second", 'initial_value="2" ' .. OUT)), component("gate", variable("x", "second", 'initial_value="2" ' .. OUT)))
  local function of(href, ...) return {"top.cellml", model_of(import(href, take("a", "pump"), ...)), "pump.cellml", part, "gate.cellml", part, "notes.txt", "x"} end
  it("a file that is missing", function()
    bad(of "pmp.cellml", "top.cellml:2: the import refers to", "pmp.cellml, which does not exist (found: gate.cellml, pump.cellml, top.cellml; did you mean pump.cellml?)")
    bad(of "parts/pump.cellml", "top.cellml:2: the import refers to", "but there is no folder")
    bad(of ".", "which is not a file")
  end)
  it("a component that is missing, or taken twice", function()
    bad({"top.cellml", model_of(import("pump.cellml", take("a", "pmp"))), "pump.cellml", part}, "top.cellml:2: ", "pump.cellml has no component pmp (found: pump, gate; did you mean pump?)")
    bad(of("pump.cellml", take("b", "pump")), "top.cellml:2: one import refers to component pump twice: write two import elements for two instances")
    bad(of("pump.cellml", take("a", "gate")), "top.cellml:2: two components are called a")
    bad(of("pump.cellml", '<component name="b"/>'), "top.cellml:2: component lacks the attribute component_ref")
    bad(of("pump.cellml", take_units("a", "b")), "pump.cellml defines no units b (none found)")
    bad({"top.cellml", model_of "<import/>"}, "top.cellml:2: import lacks the attribute href")
  end)
  it("anything from a network, by an absolute path, or outside the folder", function()
    for _, href in ipairs {"http://x.org/pump.cellml", "file:pump.cellml", "file:///etc/passwd", "/etc/passwd", "//x.org/a"} do
      bad(of(href), "top.cellml:2: the import refers to " .. href .. ": nothing is read from a network or by an absolute path: copy")
    end
    for _, href in ipairs {"../pump.cellml", "a/../../pump.cellml", "%2e%2e/pump.cellml", "%2fetc/passwd"} do bad(of(href), "top.cellml:2: the import refers to ", "which is outside the folder of ") end
    with_files(of "link.cellml", function(path, top)
      assert(os.execute(("ln -s /etc/passwd '%s/link.cellml'"):format(top)))
      raises("the import refers to link.cellml, which is outside the folder of ", model.load, path)
    end)
    with_files({"a/top.cellml", of "../ab/pump.cellml"[2], "ab/pump.cellml", part, "a/by-link.cellml", of "link.cellml"[2]}, function(path, top)
      raises("which is outside the folder of ", model.load, path)
      assert(os.execute(("ln -s ../ab/pump.cellml '%s/a/link.cellml'"):format(top)))
      raises("which is outside the folder of ", model.load, top .. "/a/by-link.cellml")
    end)
    with_files({"a/top.cellml", of "pump.cellml"[2], "b/pump.cellml", part}, function(path, top) -- relative paths start from the folder of the symbolic link
      assert(os.execute(("ln -s ../a/top.cellml '%s/b/top.cellml'"):format(top)))
      near(first(model.load(top .. "/b/top.cellml"), "a.x"), 2, 0)
    end)
    with_files(of "pipe.cellml", function(path, top)
      assert(os.execute(("mkfifo '%s/pipe.cellml'"):format(top)))
      raises("which is not a file", model.load, path)
    end)
    raises("text:2: the model imports pump.cellml, but is not in a file itself: save it first, because imports are relative to its folder", model.from_text, of "pump.cellml"[2])
  end)
  it("files that are not what they should be, by their names", function()
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", "<model"}, "pump.cellml:1: not well-formed XML")
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", '<!DOCTYPE model [<!ENTITY a SYSTEM "/etc/passwd">]>' .. part}, "pump.cellml:1: a document type declaration")
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", "<sbml/>"}, "pump.cellml:1: expected a model in CellML, found the root element 'sbml'")
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", (part:gsub("1%.1#", "2.0#"))}, "pump.cellml:1: CellML 2.0 is not supported")
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", (part:gsub("initial_value", "initial"))}, "pump.cellml:2: a.x has no value: give it one")
    bad({"top.cellml", of "pump.cellml"[2], "pump.cellml", (part:gsub('units="second"', 'units="secnd"'))}, "pump.cellml:2: the unit 'secnd' is not defined")
    with_files({"top.cellml", of "pump.cellml"[2], "pump.cellml", (part:gsub("initial_value", "initial"))}, function(path, top)
      local _, why = pcall(model.load, path)
      equal(tostring(why):match "^.-:%d", top .. "/pump.cellml:2") -- the message names only this file
    end)
  end)
  it("what bytecode cannot compute, with the file of the equation", function()
    local deep = "<cn>1</cn>"
    for _ = 1, 100 do deep = "<apply><plus/>" .. ci "x" .. times(ci "x", deep) .. "</apply>" end
    for _, left in ipairs {ci "y", rate "y"} do
      local of_clock = model_of(component("clock", variable("t", "second", OUT .. ' initial_value="0"')), import("pump.cellml", take("a", "pump")), joined("clock", "a", "t"))
      local text = model_of("", "", component("pump", variable("t", "second", IN), variable("x", "second", 'initial_value="2"'), variable("y", "second", 'initial_value="1"'), equation(left, deep)))
      loaded({"top.cellml", of_clock, "pump.cellml", text}, function(m, _, top) raises(top .. "/pump.cellml:7: the expression needs more than", m.bytecode, m) end)
    end
  end)
  it("cycles, with the files on them", function()
    bad({"top.cellml", model_of(import("top.cellml", take("a", "a")))}, "top.cellml:2: the files import each other in a cycle: top.cellml imports top.cellml")
    bad({"top.cellml", of "b.cellml"[2], "b.cellml", model_of(import("x/c.cellml", take("a", "pump"))), "x/c.cellml", model_of("", import("../b.cellml", take("a", "pump")))},
      "x/c.cellml:3: the files import each other in a cycle: b.cellml imports x/c.cellml imports b.cellml")
    bad({"top.cellml", model_of(import("p.cellml", take("a", "p"))), "p.cellml", model_of(component("p"), component("q"), component("r"), inside("q", "r"), inside("r", "q"))},
      "p.cellml:3: component q belongs to an encapsulation of more than 256 levels, or to a cycle")
    bad({"top.cellml", model_of(import("p.cellml", take("a", "p"))), "p.cellml", model_of(component "p", component "q", component "r", inside("p", "q"), inside("r", "q"))},
      "p.cellml:6: component q is encapsulated by p and by r: only one component can encapsulate it")
    bad({"top.cellml", model_of(import("p.cellml", take("a", "p"))), "p.cellml", model_of(component "p", inside("p", "q"))},
      "p.cellml:3: the group refers to component q, which does not exist")
  end)
  it("too many files, too deep, and too many instances", function()
    local function chain(length)
      local files = {}
      for i = 1, length do
        files[2 * i - 1] = ("f%d.cellml"):format(i)
        files[2 * i] = i < length and model_of(import(("f%d.cellml"):format(i + 1), take("pump", "pump"))) or part
      end
      return files
    end
    loaded(chain(32), function(m) equal(m.variables, 1) end)
    bad(chain(33), "f32.cellml:2: the chain of imports has more than 32 files")
    local files, imports = {"top.cellml", ""}, {}
    for i = 1, 256 do
      files[#files + 1], files[#files + 2] = i .. ".cellml", part
      imports[i] = import(i .. ".cellml", take("c" .. i, "pump"))
    end
    files[2] = model_of(table.concat(imports, "\n"))
    bad(files, "top.cellml:257: the model has more than 256 files")
    files[2] = model_of(table.concat(imports, "\n", 1, 255))
    loaded(files, function(m) equal(m.variables, 255) end)
    local doubling = {}
    for i = 1, 20 do
      doubling[2 * i - 1] = ("f%d.cellml"):format(i)
      local two = import(("f%d.cellml"):format(i + 1), take("a", "p"), "")
      doubling[2 * i] = i < 20 and model_of(two, (two:gsub('"a"', '"b"')), component "p", inside("p", "a", "b")) or model_of(component "p")
    end
    doubling[2] = model_of(import("f2.cellml", take("a", "p")))
    bad(doubling, "the imported files, counted per instance and as at least 4 KiB each, have more than 256 MiB together")
  end)
end)
