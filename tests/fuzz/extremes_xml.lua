-- Cases of extremes.lua: models in XML (PHML and ISML, CellML, SBML) with extreme sizes or contents.
local E = ...

local MEGA = 1000000
local MATHML = 'xmlns="http://www.w3.org/1998/Math/MathML"'

-- Whether this build reads a format, judged by its error for an empty document.
local function reads(root)
  local name = os.tmpname()
  E.write(name, root)
  local _, why = pcall(model.load, name)
  os.remove(name)
  return not tostring(why):find "this build reads no"
end

-- file: a complete model in the repository; with(math, number, name): a small model of one variable, whose rate is `math` and whose
-- initial value is `number`; variable: the element for this variable in formulas.
local FORMATS = {
  phml = {
    file = "small.phml", root = "is:insilico%-model", document = "<insilico-model/>",
    with = function(math, number, name)
      name = name or "V"
      return ([[<?xml version="1.0"?>
<is:insilico-model xmlns:is="http://www.physiome.jp/ns/insilicoml" xmlns:m="http://www.w3.org/1998/Math/MathML" version="1.0">
<is:unit-set><is:unit unit-id="0"><is:name>dimensionless</is:name></is:unit></is:unit-set>
<is:module-set><is:module module-id="U" type="functional-unit"><is:property><is:name>unit</is:name></is:property><is:physical-quantity-set>
<is:physical-quantity physical-quantity-id="1" type="state"><is:name>%s</is:name>
<is:initial-value><is:definition type="ae"><m:math><m:apply><m:eq/><m:ci>%s</m:ci><m:cn>%s</m:cn></m:apply></m:math></is:definition></is:initial-value>
<is:implementation><is:definition type="ode"><m:math><m:apply><m:eq/><m:apply><m:diff/><m:bvar><m:ci>time</m:ci></m:bvar><m:ci>%s</m:ci></m:apply>
<math %s>%s</math></m:apply></m:math></is:definition></is:implementation></is:physical-quantity>
</is:physical-quantity-set></is:module></is:module-set></is:insilico-model>
]]):format(name, name, number, name, MATHML, math):gsub("<math [^>]*>(.*)</math>", function(inside)
        return (inside:gsub("<(/?)(%a)", "<%1m:%2"))
      end)
    end,
    variable = "<ci>V</ci>",
  },
  cellml = {
    file = "small.cellml", root = "model", document = '<model xmlns="http://www.cellml.org/cellml/1.0#"/>',
    with = function(math, number, name)
      name = name or "V"
      return ([[<?xml version="1.0"?>
<model xmlns="http://www.cellml.org/cellml/1.0#" xmlns:cellml="http://www.cellml.org/cellml/1.0#" name="m"><component name="c">
<variable name="t" units="second"/><variable name="%s" units="dimensionless" initial_value="%s"/>
<math %s><apply><eq/><apply><diff/><bvar><ci>t</ci></bvar><ci>%s</ci></apply>%s</apply></math></component></model>
]]):format(name, number, MATHML, name, math:gsub("<cn", '<cn cellml:units="dimensionless"'))
    end,
    variable = "<ci>V</ci>",
  },
  sbml = {
    file = "small.sbml.xml", root = "sbml", document = '<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"><model/></sbml>',
    with = function(math, number, name)
      name = name or "V"
      return ([[<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m">
<listOfParameters><parameter id="%s" value="%s" constant="false"/></listOfParameters>
<listOfRules><rateRule variable="%s"><math %s>%s</math></rateRule></listOfRules></model></sbml>
]]):format(name, number, name, MATHML, math)
    end,
    variable = "<ci>V</ci>",
  },
}

local NESTS = { -- before, after, per level
  {"sums", "<apply><plus/>", "<cn>1</cn></apply>"}, {"minus", "<apply><minus/>", "</apply>"}, {"pieces", "<piecewise><otherwise>", "</otherwise></piecewise>"},
  {"conditions", "<piecewise><piece><cn>1</cn>", "</piece></piecewise>"}, {"unknown elements", "<unknown>", "</unknown>"}, {"semantics", "<semantics>", "</semantics>"},
  {"powers", "<apply><power/><cn>1</cn>", "</apply>"}, {"nots", "<apply><not/>", "</apply>"}, {"calls", "<apply><exp/>", "</apply>"},
}
local NUMBERS = {"", " ", "0", "-0", "1e400", "-1e400", "1e-400", "nan", "inf", "INF", "NaN", "0x10", "1 2", "1,5", "--1", "1e", ("9"):rep(400), ("9"):rep(MEGA), "\u{661}", "1<sep/>2", "&#48;", "&lt;",
  "2147483648", "18446744073709551616"}
local CN = {'<cn type="rational">1<sep/>0</cn>', '<cn type="rational">1</cn>', '<cn type="rational">1<sep/>2<sep/>3</cn>', '<cn type="e-notation">1<sep/>999999999999</cn>',
  '<cn type="e-notation">1<sep/>-999999999999</cn>', '<cn type="e-notation">1<sep/>1.5</cn>', '<cn type="integer" base="36">zz</cn>', '<cn type="integer" base="0">1</cn>',
  '<cn type="integer" base="4294967298">1</cn>', '<cn type="complex-polar">1<sep/>2</cn>', '<cn type="unknown">1</cn>', '<cn type="hexdouble">3ff0000000000000</cn>', "<cn/>", "<cn><cn>1</cn></cn>",
  "<ci/>", "<ci><ci>V</ci></ci>", "<ci>W</ci>", "<ci> V </ci>", "<infinity/>", "<notanumber/>", "<apply/>", "<apply><plus/></apply>", "<apply><minus/></apply>", "<apply><divide/><cn>1</cn></apply>",
  "<apply><divide/><cn>1</cn><cn>0</cn></apply>", "<apply><unknown/><cn>1</cn></apply>", "<apply><cn>1</cn></apply>", "<apply><ci>V</ci><cn>1</cn></apply>", "<piecewise/>", "<piecewise><piece/></piecewise>",
  "<piecewise><otherwise/></piecewise>", "<apply><root/><degree/><cn>4</cn></apply>", "<apply><root/><degree><cn>0</cn></degree><cn>4</cn></apply>", "<apply><log/><logbase><cn>1</cn></logbase><cn>4</cn></apply>",
  "<apply><factorial/><cn>1000000000</cn></apply>", "<apply><factorial/><cn>-1</cn></apply>", "<apply><diff/><bvar><ci>t</ci><degree><cn>1000000</cn></degree></bvar><ci>V</ci></apply>",
  "<lambda><cn>1</cn></lambda>", "<matrix/>", "<vector><cn>1</cn></vector>", "<apply><quotient/><cn>1</cn><cn>0</cn></apply>", "<apply><rem/><cn>1</cn><cn>0</cn></apply>", "<true/>", "<exponentiale/>", ""}

local LAUGHS = '<!DOCTYPE x [<!ENTITY a0 "ha">' do
  for i = 1, 30 do LAUGHS = LAUGHS .. ('<!ENTITY a%d "&a%d;&a%d;&a%d;&a%d;">'):format(i, i - 1, i - 1, i - 1, i - 1) end
  LAUGHS = LAUGHS .. "]>"
end
local DECLARATIONS = {["billion laughs"] = LAUGHS, ["an entity of a file"] = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  ["an entity of itself"] = '<!DOCTYPE x [<!ENTITY e "&e;">]>', ["an entity of a parameter"] = '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x"> %p;]>',
  ["a document type elsewhere"] = '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd">', ["a document type without an end"] = "<!DOCTYPE x [",
  ["attributes by default"] = '<!DOCTYPE x [<!ATTLIST model name CDATA "x">]>'}
local declarations = {}
for name in pairs(DECLARATIONS) do declarations[#declarations + 1] = name end
table.sort(declarations)

for _, name in ipairs {"phml", "cellml", "sbml"} do
  local f = FORMATS[name]
  if not reads(f.document) then
    print(("left out: %s, which this build does not read"):format(name))
    goto next
  end
  local text = E.read(("%s/tests/models/%s"):format(E.repository, f.file))
  local plain = {name = name .. ": plain", file = "x.xml", text = text, kind = E.model, want = "loads"}
  E.case(plain)
  local function add(what, contents, want, more)
    local c = {name = name .. ": " .. what, file = "x.xml", text = contents, want = want, kind = E.model, plain = plain}
    for k, v in pairs(more or {}) do c[k] = v end
    E.case(c)
  end
  local head, body = text:match "^(<%?xml[^>]*%?>\n?)(.*)$"
  local root = body:match("^<" .. f.root .. "[^>]*>")
  local function inside(more) return head .. root .. more .. body:sub(#root + 1) end -- inserts `more` as the root's first child
  local function comment(s) return "<!--" .. s .. "-->" end

  -- the file as a whole
  add("only a declaration", head, "refused")
  add("only the root", f.document, nil, {lineless = true})
  add("only comments", head .. comment "x", "refused")
  add("a bracket", "<", "refused")
  add("no newline at the end", (text:gsub("\n$", "")), "same")
  add("CRLF", (text:gsub("\n", "\r\n")), "same")
  add("byte order mark", "\xef\xbb\xbf" .. text, "same")
  add("no declaration", body, "same")
  add("blanks before the declaration", "\n\n" .. text, "refused")
  add("blanks behind", function() return text .. (" "):rep(MEGA) end, "same")
  add("a comment behind", text .. comment "x", "same")
  add("rubbish behind", text .. "x", "refused")
  add("the file twice", text .. text, "refused")
  add("its root twice", text .. body, "refused")
  for _, encoding in ipairs {"UTF-8", "ISO-8859-1", "UTF-16", "UTF-32", "EBCDIC-CP-US", "UTF-7", "no-such", ("x"):rep(10000)} do
    add("encoding " .. encoding:sub(1, 20), ('<?xml version="1.0" encoding="%s"?>\n'):format(encoding) .. body, (encoding == "UTF-8" or encoding == "ISO-8859-1" and name ~= "sbml") and "same" or nil)
  end
  add("UTF-16", "\xff\xfe" .. ('<?xml version="1.0" encoding="UTF-16"?>\n' .. body):gsub(".", "%0\0"), nil, {lineless = true})
  add("UTF-16, the other order", "\xfe\xff" .. ('<?xml version="1.0" encoding="UTF-16"?>\n' .. body):gsub(".", "\0%0"), nil, {lineless = true})
  add("version 2.0", '<?xml version="2.0"?>\n' .. body)
  add("a comment of 1 MB", function() return inside(comment(("x"):rep(MEGA))) end, "same")
  add("a comment of 11 MB", function() return inside(comment(("x"):rep(11 * MEGA))) end)
  add("100000 comments", function() return inside(comment("x"):rep(100000)) end, "same")
  add("1 MB of blanks", function() return inside((" "):rep(MEGA)) end, "same")
  add("100000 newlines", function() return inside(("\n"):rep(100000)) end, "same")
  add("text of 11 MB", function() return inside(("x"):rep(11 * MEGA)) end)
  add("100000 instructions", function() return inside(("<?x y?>"):rep(100000)) end, "same")
  add("an instruction of 1 MB", function() return inside("<?x " .. ("y"):rep(MEGA) .. "?>") end, "same")
  add("CDATA of 1 MB", function() return inside("<![CDATA[" .. (" "):rep(MEGA) .. "]]>") end)
  add("CDATA without an end", inside "<![CDATA[", "refused")
  add("100000 attributes", function()
    local list = {}
    for i = 1, 100000 do list[i] = (' a%d="x"'):format(i) end
    return head .. root:gsub(">$", table.concat(list) .. ">") .. body:sub(#root + 1)
  end, nil, {lineless = true})
  add("an attribute twice", head .. root:gsub(">$", ' q="1" q="2">') .. body:sub(#root + 1), "refused")
  add("an attribute of 1 MB", function() return head .. root:gsub(">$", ' q="' .. ("x"):rep(MEGA) .. '">') .. body:sub(#root + 1) end)
  add("an attribute of 11 MB", function() return head .. root:gsub(">$", ' q="' .. ("x"):rep(11 * MEGA) .. '">') .. body:sub(#root + 1) end)
  add("the name of an attribute of 1 MB", function() return head .. root:gsub(">$", " " .. ("q"):rep(MEGA) .. '="x">') .. body:sub(#root + 1) end)
  add("an element with a name of 1 MB", function() return inside("<" .. ("q"):rep(MEGA) .. "/>") end, nil, {lineless = true})
  add("an unknown element", inside "<unknown/>")
  add("100000 unknown elements", function() return inside(("<unknown/>"):rep(100000)) end)
  add("100000 namespaces", function()
    local list = {}
    for i = 1, 100000 do list[i] = (' xmlns:a%d="urn:%d"'):format(i, i) end
    return head .. root:gsub(">$", table.concat(list) .. ">") .. body:sub(#root + 1)
  end, nil, {lineless = true})
  for _, what in ipairs(declarations) do add(what, head .. DECLARATIONS[what] .. body:gsub("name", "name", 1), "refused") end
  add("an unknown entity", inside "&unknown;", "refused")
  add("a character of number 0", inside "&#0;", "refused")
  add("a character of number 2^32", inside "&#4294967296;", "refused")
  for i = 0, 15 do
    local at = #text * i // 16 + E.drawn(name .. i, 0, #text // 16 - 1)
    add(("cut off, %d of 16"):format(i + 1), text:sub(1, at), "refused", {lineless = at == 0})
    add(("a zero byte, %d of 16"):format(i + 1), text:sub(1, at) .. "\0" .. text:sub(at + 1), "refused")
    add(("byte 255, %d of 16"):format(i + 1), text:sub(1, at) .. "\xff" .. text:sub(at + 1), "refused")
  end
  add("compressed", function(folder)
    E.write(folder .. "/plain", text)
    return E.said(("gzip -nc <%s"):format(E.quoted(folder .. "/plain")))
  end, nil, {file = "x.xml.gz", lineless = true})
  for _, depth in ipairs {10, 100, 300, 1000, 10000, 100000, MEGA} do
    add(("%d elements in one another"):format(depth), function() return inside(("<q>"):rep(depth) .. ("</q>"):rep(depth)) end, depth > 300 and "refused" or nil)
    for _, n in ipairs(NESTS) do
      add(("%d %s in one another"):format(depth, n[1]), function() return f.with(n[2]:rep(depth) .. f.variable .. n[3]:rep(depth), "1") end,
        depth > 300 and "refused" or depth == 10 and n[1] ~= "unknown elements" and n[1] ~= "semantics" and n[1] ~= "conditions" and "loads" or nil)
    end
  end

  -- formulas, numbers, names
  add("a small model", f.with("<apply><minus/>" .. f.variable .. "</apply>", "1"), "loads")
  for _, number in ipairs(NUMBERS) do
    local shown = #number > 30 and ("%s... (%d bytes)"):format(number:sub(1, 10), #number) or number
    add(("the number %q"):format(shown), function() return f.with("<cn>" .. number .. "</cn>", "1") end)
    add(("the first value %q"):format(shown), function() return f.with("<cn>1</cn>", (number:gsub("<sep/>", ""))) end)
  end
  for _, cn in ipairs(CN) do add("the formula " .. cn, f.with(cn, "1")) end
  for _, count in ipairs {10, 1000, 100000, MEGA} do
    add(("a sum of %d"):format(count), function() return f.with("<apply><plus/>" .. ("<cn>1</cn>"):rep(count) .. "</apply>", "1") end, count <= 1000 and "loads" or nil)
    add(("%d pieces"):format(count), function() return f.with("<piecewise>" .. ("<piece><cn>1</cn><true/></piece>"):rep(count) .. "</piecewise>", "1") end, count == 10 and "loads" or nil)
  end
  for _, bytes in ipairs {100, 255, 256, 10000, MEGA} do
    add(("a name of %d characters"):format(bytes), function() return f.with("<cn>1</cn>", "1", ("V"):rep(bytes)) end, bytes < 256 and "loads" or nil)
    add(("an unknown name of %d characters"):format(bytes), function() return f.with("<ci>" .. ("W"):rep(bytes) .. "</ci>", "1") end, "refused")
  end
  for _, odd in ipairs {"", " ", "1", "a b", "\u{e9}", "&#10;", "&lt;", "..", "time", "V-1", "a'b"} do add(("the name %q"):format(odd), f.with("<cn>1</cn>", "1", odd)) end
  -- replaces each number between quotes in the plain file
  local places, at = {}, 1
  while true do
    local from, to = text:find('"%-?%d+%.?%d*"', at)
    if not from then break end
    if from > #head then places[#places + 1] = {from, to} end
    at = to + 1
  end
  for i = 1, math.min(#places, 24) do
    local place = places[1 + (i * 7 + E.drawn(name, 0, 1000)) % #places]
    for _, number in ipairs {"-1", "4294967296", "18446744073709551616", "1e400", "nan", "", ("9"):rep(10000)} do
      add(("%s of byte %d is %s"):format(text:sub(place[1], place[2]), place[1], number:sub(1, 20)), text:sub(1, place[1]) .. number .. text:sub(place[2]), nil, {lineless = true})
    end
  end
  ::next::
end

-- --- models composed of models ----------------------------------------------------------------------------

local function cellml(name, text, want, files, more)
  local c = {name = "cellml: " .. name, file = "x.cellml", text = text, want = want, files = files, kind = E.model}
  for k, v in pairs(more or {}) do c[k] = v end
  if reads(FORMATS.cellml.document) then E.case(c) end
end

local function model11(inside)
  return ('<?xml version="1.0"?>\n<model xmlns="http://www.cellml.org/cellml/1.1#" xmlns:cellml="http://www.cellml.org/cellml/1.1#" xmlns:xlink="http://www.w3.org/1999/xlink" name="m">\n%s</model>\n')
    :format(inside)
end
local CELL = '<component name="c"><variable name="t" units="second"/><variable name="V" units="dimensionless" initial_value="1"/><math ' .. MATHML ..
  '><apply><eq/><apply><diff/><bvar><ci>t</ci></bvar><ci>V</ci></apply><ci>V</ci></apply></math></component>\n'
local function import(file, times)
  local list = {}
  for i = 1, times or 1 do list[i] = ('<import xlink:href="%s"><component name="c%s" component_ref="c"/></import>\n'):format(file, times and i or "") end
  return table.concat(list)
end

cellml("imports itself", model11(import "x.cellml"), "refused")
cellml("imports another that imports it", model11(import "y.cellml"), "refused", {["y.cellml"] = model11(import "x.cellml")})
for _, href in ipairs {"no such", "", "/etc/passwd", "../x.cellml", "http://127.0.0.1:1/x", "file:///etc/passwd", ("x"):rep(MEGA), "y.cellml#id", "./y.cellml", "%79.cellml", ".", "/"} do
  cellml("imports " .. (href == "" and "nothing" or href:sub(1, 30)), function() return model11(import(href) .. CELL:gsub('"c"', '"d"')) end, nil, {["y.cellml"] = model11(CELL)})
end
cellml("imports rubbish", model11(import "y.cellml"), "refused", {["y.cellml"] = "x' = 1\n"})
cellml("imports an empty file", model11(import "y.cellml"), "refused", {["y.cellml"] = ""})
cellml("imports SBML", model11(import "y.cellml"), "refused", {["y.cellml"] = FORMATS.sbml.document})
cellml("imports billion laughs", model11(import "y.cellml"), "refused", {["y.cellml"] = LAUGHS .. model11(CELL)})
for _, length in ipairs {10, 31, 33, 300, 2000} do
  cellml(("%d files import one another in a row"):format(length), model11(import "f1.cellml"), length < 32 and "loads" or length > 33 and "refused" or nil, function()
    local files = {}
    for i = 1, length - 1 do files[("f%d.cellml"):format(i)] = model11(import(("f%d.cellml"):format(i + 1))) end
    files[("f%d.cellml"):format(length)] = model11(CELL)
    return files
  end)
end
for _, times in ipairs {10, 1000, 100000} do
  cellml(("imports a file %d times"):format(times), function() return model11(import("y.cellml", times)) end, nil, {["y.cellml"] = model11(CELL)})
end
for _, depth in ipairs {3, 10, 20, 30} do -- the model has 4^depth instances
  cellml(("each of %d files has the next one four times"):format(depth), model11(import "f1.cellml"), depth > 10 and "refused" or nil, function()
    local files = {}
    for i = 1, depth do
      local list = {}
      for k = 1, 4 do list[k] = ('<import xlink:href="f%d.cellml"><component name="%s" component_ref="c"/></import>\n'):format(i + 1, k == 1 and "c" or "d" .. k) end
      local refs = ""
      for k = 2, 4 do refs = refs .. ('<component_ref component="d%d"/>'):format(k) end
      files[("f%d.cellml"):format(i)] = model11(table.concat(list) .. ('<group><relationship_ref relationship="encapsulation"/><component_ref component="c">%s</component_ref></group>\n'):format(refs))
    end
    files[("f%d.cellml"):format(depth + 1)] = model11(CELL)
    return files
  end)
end
for _, length in ipairs {10, 60, 70, 1000, 100000} do
  cellml(("units made of units, %d in a row"):format(length), function()
    local list = {'<units name="u0"><unit units="second"/></units>\n'}
    for i = 1, length do list[#list + 1] = ('<units name="u%d"><unit units="u%d" prefix="milli"/></units>\n'):format(i, i - 1) end
    return model11(table.concat(list) .. CELL:gsub('"dimensionless"', ('"u%d"'):format(length)))
  end, length == 10 and "loads" or nil)
  cellml(("units squared, %d in a row"):format(length), function()
    local list = {'<units name="u0"><unit units="second" multiplier="10" exponent="2"/></units>\n'}
    for i = 1, length do list[#list + 1] = ('<units name="u%d"><unit units="u%d" exponent="2"/></units>\n'):format(i, i - 1) end
    return model11(table.concat(list) .. CELL:gsub('"dimensionless"', ('"u%d"'):format(length)))
  end)
  cellml(("units doubled, %d in a row"):format(length), function()
    local list = {'<units name="u0"><unit units="second"/></units>\n'}
    for i = 1, length do list[#list + 1] = ('<units name="u%d"><unit units="u%d"/><unit units="u%d"/></units>\n'):format(i, i - 1, i - 1) end
    return model11(table.concat(list) .. CELL:gsub('"dimensionless"', ('"u%d"'):format(length)))
  end)
  cellml(("%d components in one another"):format(length), function()
    local list, tree = {CELL}, {}
    for i = 1, length do
      list[#list + 1] = ('<component name="e%d"/>\n'):format(i)
      tree[i] = ('<component_ref component="e%d">'):format(i)
    end
    return model11(table.concat(list) .. '<group><relationship_ref relationship="encapsulation"/>' .. table.concat(tree) .. ("</component_ref>"):rep(length) .. "</group>\n")
  end, length == 10 and "loads" or nil)
  cellml(("a variable through %d components"):format(length), function()
    local list = {'<component name="e0"><variable name="v" units="second" initial_value="1" public_interface="out"/></component>\n'}
    for i = 1, length do
      list[#list + 1] = ('<component name="e%d"><variable name="v" units="second" public_interface="in" private_interface="out"/></component>\n'):format(i)
    end
    local tree = {}
    for i = 1, length do tree[i] = ('<component_ref component="e%d">'):format(i) end
    list[#list + 1] = '<group><relationship_ref relationship="encapsulation"/>' .. table.concat(tree) .. ("</component_ref>"):rep(length) .. "</group>\n"
    for i = 1, length do
      list[#list + 1] = ('<connection><map_components component_1="e%d" component_2="e%d"/><map_variables variable_1="v" variable_2="v"/></connection>\n'):format(i - 1, i)
    end
    return model11(CELL .. table.concat(list))
  end, length == 10 and "loads" or nil)
end
cellml("units of themselves", model11('<units name="u"><unit units="u"/></units>' .. CELL:gsub('"dimensionless"', '"u"')), "refused")
for _, attribute in ipairs {'prefix="999999999"', 'prefix="-999999999"', 'prefix="x"', 'exponent="1e400"', 'exponent="nan"', 'exponent="1e308"', 'multiplier="0"', 'multiplier="nan"', 'multiplier="1e400"',
  'multiplier="-1"', 'offset="1"', 'offset="nan"', 'exponent="0.333333"', 'prefix=""'} do
  cellml("units with " .. attribute, model11(('<units name="u"><unit units="second" %s/></units>'):format(attribute) .. CELL:gsub('"dimensionless"', '"u"')))
end

local function sbml(name, text, want)
  if reads(FORMATS.sbml.document) then E.case {name = "sbml: " .. name, file = "x.xml", text = text, want = want, kind = E.model} end
end
local function defined(count, body, call)
  local list = {}
  for i = 0, count do
    list[#list + 1] = ('<functionDefinition id="f%d"><math %s><lambda><bvar><ci>x</ci></bvar>%s</lambda></math></functionDefinition>\n'):format(i, MATHML, body(i))
  end
  return (FORMATS.sbml.with(call, "1"):gsub("<listOfParameters>", function() return "<listOfFunctionDefinitions>\n" .. table.concat(list) .. "</listOfFunctionDefinitions><listOfParameters>" end))
end
local function call(f, x) return ("<apply><ci>f%d</ci>%s</apply>"):format(f, x) end
for _, count in ipairs {5, 30, 200, 2000, 20000} do
  sbml(("%d functions that call the one before"):format(count), function()
    return defined(count, function(i) return i == 0 and "<ci>x</ci>" or "<apply><plus/><cn>1</cn>" .. call(i - 1, "<ci>x</ci>") .. "</apply>" end, call(count, "<ci>V</ci>"))
  end, count <= 30 and "loads" or nil)
  sbml(("%d functions that call the one before twice"):format(count), function()
    return defined(count, function(i) return i == 0 and "<ci>x</ci>" or "<apply><plus/>" .. call(i - 1, "<ci>x</ci>"):rep(2) .. "</apply>" end, call(count, "<ci>V</ci>"))
  end, count == 5 and "loads" or count > 30 and "refused" or nil)
  sbml(("%d functions that call the one before with itself"):format(count), function()
    return defined(count, function(i) return i == 0 and "<ci>x</ci>" or call(i - 1, call(i - 1, "<ci>x</ci>")) end, call(count, "<ci>V</ci>"))
  end, count == 5 and "loads" or nil)
  sbml(("%d parameters by assignment, each of the one before"):format(count), function()
    local ids, rules = {'<parameter id="p0" value="1" constant="false"/>'}, {}
    for i = 1, count do
      ids[#ids + 1] = ('<parameter id="p%d" constant="false"/>'):format(i)
      rules[#rules + 1] = ('<assignmentRule variable="p%d"><math %s><apply><plus/><ci>p%d</ci><ci>p%d</ci></apply></math></assignmentRule>\n'):format(i, MATHML, i - 1, i - 1)
    end
    return (FORMATS.sbml.with(("<ci>p%d</ci>"):format(count), "1"):gsub("</listOfParameters>", function() return table.concat(ids) .. "</listOfParameters>" end)
      :gsub("<listOfRules>", function() return "<listOfRules>" .. table.concat(rules) end))
  end, count <= 30 and "loads" or nil)
  sbml(("%d reactions"):format(count), function()
    local species, reactions = {}, {}
    for i = 0, count do species[#species + 1] = ('<species id="s%d" compartment="c" initialAmount="1" hasOnlySubstanceUnits="true" boundaryCondition="false" constant="false"/>\n'):format(i) end
    for i = 1, count do
      reactions[i] = ('<reaction id="r%d" reversible="false"><listOfReactants><speciesReference species="s%d" stoichiometry="1" constant="true"/></listOfReactants><kineticLaw><math %s><ci>s%d</ci></math></kineticLaw></reaction>\n')
        :format(i, i - 1, MATHML, i - 1)
    end
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m"><listOfCompartments><compartment id="c" size="1" constant="true"/></listOfCompartments>\n<listOfSpecies>%s</listOfSpecies><listOfReactions>%s</listOfReactions></model></sbml>\n')
      :format(table.concat(species), table.concat(reactions))
  end, count <= 200 and "loads" or nil)
end
sbml("a function that calls itself", defined(0, function() return call(0, "<ci>x</ci>") end, call(0, "<ci>V</ci>")), "refused")
sbml("two functions that call each other", defined(1, function(i) return call(1 - i, "<ci>x</ci>") end, call(0, "<ci>V</ci>")), "refused")
for _, level in ipairs {"0", "1", "4", "-1", "4294967299", "x", ""} do
  sbml("level " .. level, (FORMATS.sbml.with("<cn>1</cn>", "1"):gsub('level="3"', ('level="%s"'):format(level), 1)))
  sbml("version " .. level, (FORMATS.sbml.with("<cn>1</cn>", "1"):gsub('" version="2"', ('" version="%s"'):format(level), 1)))
end
