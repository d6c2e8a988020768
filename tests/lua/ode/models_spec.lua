-- Models of differential equations: expressions, names, the readers, error messages for bad models, and results of other programs.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, ends, samples = M.near, M.ends, M.samples
local DATA, has_xml, has_sbml, has_cvode = M.DATA, M.xml, M.sbml, M.cvode

describe("samples", function()
  it("are found above the program's folder, from wherever it is called", function()
    local program = arg[-1] or io.open("/proc/self/cmdline", "rb"):read "a":match "^[^\0]+"
    local top = temporary ".tree"
    local function sh(text) return os.execute(text:gsub("TOP", top):gsub("PROGRAM", program)) end
    assert(sh "mkdir -p TOP/samples/models TOP/build/test/asan && cp $(readlink -f $(command -v PROGRAM)) TOP/build/test/asan/lockstep")
    assert(sh "echo 'x = 1' > TOP/samples/models/mine.ode")
    local pipe = io.popen(("cd / && %s/build/test/asan/lockstep -e 'print(model.load(model.sample \"mine\").variables)' 2>&1"):format(top))
    local said = pipe:read "a"
    pipe:close()
    sh "rm -r TOP"
    equal(said, "1\n")
  end)
end)

describe("expressions", function()
  local cases = { -- text, value
    {"1 + 2*3", 7}, {"(1 + 2)*3", 9}, {"2^3^2", 512}, {"-2^2", -4}, {"2^-1", 0.5}, {"7 - 2 - 1", 4}, {"8/4/2", 1},
    {"1e3 + .5", 1000.5}, {"min(3, 1, 2)", 1}, {"max(3, 1, 2)", 3}, {"mean(1, 2, 6)", 3}, {"abs(-3)", 3},
    {"floor(-1.5)", -2}, {"ceiling(-1.5)", -1}, {"factorial(5)", 120}, {"rem(-7, 3)", -1}, {"mod(-7, 3)", 2},
    {"quotient(-7, 3)", -2}, {"root(3, -8)", -2}, {"sqrt(9)", 3}, {"log(2, 8)", 3}, {"log10(1000)", 3}, {"ln(exp(2))", 2},
    {"1 < 2", 1}, {"1 >= 2", 0}, {"1 == 1", 1}, {"1 != 1", 0}, {"1 < 2 and 3 < 2", 0}, {"1 < 2 or 3 < 2", 1},
    {"not 1 < 2", 0}, {"true xor true", 0}, {"false implies false", 1}, {"sin(pi/2)", 1}, {"arctan(1)*4", math.pi},
    {"sec(0)", 1}, {"coth(arccoth(2))", 2}, {"arccsc(1)*2", math.pi}, {"arcsech(1)", 0}, {"arccosh(1)", 0},
    {"{1 if 2 < 1; 2 if 1 < 2; 3 otherwise}", 2}, {"{1 if false; 3 otherwise}", 3}, {"time + 1", 1},
    {"{1 if\n 2 < 1; # a comment\n 5 otherwise}", 5}, {"1 +\n 2", 3},
  }
  for _, case in ipairs(cases) do
    it(case[1], function() near(model.from_text("y := " .. case[1]):first()[0], case[2], 1e-14, 1e-15) end)
  end
  it("prints what it reads", function()
    for _, text in ipairs {"a*(b + c)", "a - (b - c)", "a/(b*c)", "a/(b/c)", "(a/b)^c", "-(a + b)", "a^b^c", "(a^b)^c",
      "exp(-0.1*(a + 47.13))", "not (a < b and c < b)", "(a or b) and c", "{a if b < c; -c otherwise}", "a - -b",
      "min(a, b, c)", "delay(a, 2)", "(-a)^2", "2 - 1", "-a^2", "a*-b"} do
      local function of(t) return model.from_text("x = " .. t .. "\na' = 1\na(0) = 1.25\nb = 0.5\nc = 3") end
      local printed = of(text):equations("x")[1]:gsub("\n%s*", " "):gsub("^x = ", "")
      if printed:find("if") then printed = "{" .. printed:gsub("^x =", ""):gsub("  otherwise", " otherwise"):gsub("(%S) (%-?%S+) otherwise", "%1; %2 otherwise") .. "}" end
      equal(of(printed):first():totable(), of(text):first():totable())
    end
  end)
  it("fits 80 columns", function()
    local m = model.load(samples .. "luo-rudy-1991.ode")
    for line in tostring(m:equations()):gmatch("[^\n]+") do equal({#line <= 80, line}, {true, line}) end
    for line in m:equation("V", 40):gmatch("[^\n]+") do equal(#line <= 40, true) end
  end)
end)

describe("what is wrong is named with its place", function()
  local cases = { -- text, message
    {"x = 1 +", "text:1: expected a number, a name or '('"}, {"x = (1", "expected an operator or ')'"},
    {"x = y", "text:1: 'y' is not defined"}, {"x = foo(1)", "text:1: expected the name of a function, found 'foo(1)'"},
    {"x = 1\nx = 2", "text:2: a second definition of x: line 1 already has one"}, {"x' = 1", "text:1: x has no initial value"},
    {"x(0) = 1", "text:1: x has an initial value, but no equation"}, {"= 1", "text:1: expected the name of a variable"}, {"", "the text has no equations"},
    {"x' = 1 +\nx(0) = 1", "text:1: expected a number, a name or '(' after the last character of the line, found a new equation in line 2"},
    {"y = 2\nx' = y -\n# -\ndx/dt = 1", "text:2: expected a number, a name or '(' after the last character of the line, found a new equation in line 4"},
    {"y =\ny(0) = 1", "text:1: expected a number"}, {"x' = 1 +\n 2 3", "text:2: expected the end of the line, found '3'"},
    {"x = sin(1, 2)", "sin has 2 arguments, expected 1"}, {"x = 1 2", "expected the end of the line, found '2'"},
    {"x' = 2x\nx(0) = 1", "text:1: expected an operator after the number, found 'x' (write 2*x)"},
    {"x = 2.5(3 + 1)", "(write 2.5*(...))"}, {"x' = y1 + 2e3y1\nx(0) = 1\ny1 = 2", "(write 2e3*y1)"},
    {"x'' = -x\nx(0) = 1", "text:1: x'': there are only first derivatives (write x' = v, and v' = ...)"},
    {"x = 1 [mV", "expected ']' after a unit"}, {"when 1 < 2: y = 1\nx = 1", "text:1: 'y' is not defined"},
    {"x = y + 1\ny = x*2", "text:1: algebraic loop: x (line 1) -> y (line 2) -> x"},
    {"x' = z\nx(0) = y\ny := x\nz = 1", "algebraic loop in the values at the start"},
    {"x = rateOf(y)\ny = 2*time", "text:2: rateOf of y, which has no differential equation"},
    {"x' = rateOf(y)\ny' = rateOf(x)\nx(0) = 1\ny(0) = 1", "needs itself through rateOf"},
    {"x = y\ny = 1*time\nwhen time > 1: y = 2", "text:3: an event assigns to y, which an equation determines"},
    {"x = 0x10", "expected a decimal number"}, {"x = " .. ("("):rep(300) .. "1", "at most 200 nested brackets, signs and powers"},
    {"x = 1" .. ("^1"):rep(300), "at most 200 nested brackets, signs and powers"},
    {"x = 1" .. ("^1"):rep(1000000), "text:1: expected at most 200 nested brackets, signs and powers"},
    {"x = " .. ("-"):rep(300) .. "1", "at most 200 nested brackets, signs and powers"},
    {"x = not " .. ("not "):rep(300) .. "1", "at most 200 nested brackets, signs and powers"},
  }
  for _, case in ipairs(cases) do
    it(case[2], function() raises(case[2], model.from_text, case[1]) end)
  end
  it("a zero byte, behind which nothing would be read", function()
    for text, line in pairs {["x = 1\n\0y = 2"] = 2, ["\0"] = 1, ["x = 1\n\n# \0"] = 3} do
      with_file(".ode", text, function(path) raises(("%s:%d: expected a model's text, found a zero byte"):format(path, line), model.load, path) end)
    end
  end)
  it("of a graph's name is a mistake", function()
    raises("town.gr has the file name of a graph, not of a model: load it with graph.load", model.load, "town.gr")
  end)
  it("options", function()
    local m = model.from_text "x' = 1\nx(0) = 0"
    raises("no option is called 'stpo'", simulate, m, {stpo = 1})
    raises("does not say when to stop", simulate, m, {})
    local growing = model.from_text "dx/dt = a*x\na = 2\nx(0) = 1" -- dx/dt is another way to write d x/dt and x'
    equal(tostring(growing:equations()), "d x/dt = a*x\nx(0) = 1")
    raises("no option is called 'a'; it is a value of the model: m:parameters{a = 3} sets it", simulate, growing, {a = 3})
    raises("no option is called 'q'; the options are start", simulate, growing, {q = 3})
    raises("expected a model of differential equations (model.load), got nil", simulate)
    raises("expected a model of differential equations (model.load), got graph ring", simulate, gen.ring {3}, {stop = 1})
    raises("a model of processes is simulated step by step", simulate, model.load(samples .. "philosophers.dve"), {stop = 1})
    raises("is not after start", simulate, m, {stop = -1})
    raises("no method is called 'rk5'", simulate, m, {stop = 1, method = "rk5"})
    raises("there is no engine 'interpreter'", simulate, m, {stop = 1, engine = "interpreter"})
    raises("has no variable 'y'", simulate, m, {stop = 1, variables = {"y"}})
    raises("either 'steps' or 'every'", simulate, m, {stop = 1, steps = 2, every = 1})
    raises("does not divide", simulate, m, {stop = 1, every = 0.3})
    raises("steps must be a whole number", simulate, m, {stop = 1, steps = 0})
    raises("dt = 0.0", simulate, m, {stop = 1, method = "rk4", dt = 0})
    raises("are free: ask for fewer", simulate, m, {stop = 1, steps = 1000000000000})
    raises("stop must be a number", simulate, m, {stop = "1"})
    raises("the only option", model.load, samples .. "robertson.ode", {lops = true})
    raises("No such file", model.load, "/nowhere/x.phml")
    raises("m:set takes a name and a number", m.set, m, "x", "a")
  end)
end)

describe("names", function()
  local m = model.from_text "a.V' = 1 \n a.V(0) = 0 \n b.V = 2*a.V \n c.I = 1 \n d.I = 2 \n W = 3"
  it("are found by their end where that is one's, or one state's", function()
    equal({m:find("W")}, {"W", 5})
    equal((m:find("V")), "a.V")
    raises("has several variables 'I': c.I, d.I; say which", m.find, m, "I")
    raises("did you mean", m.find, m, "a.W")
  end)
  it("that cannot be shown as they are, are found as they are shown", function()
    local odd = model.from_text "\xff' = 1\n\xff(0) = 2\n\u{202e}k = 3"
    equal({odd:find "\xff"}, {"\\xff", 1})
    equal({odd:find "\\xff"}, {"\\xff", 1})
    equal({odd:find(odd:variable(2).name)}, {odd:variable(2).name, 2})
    equal(tostring(odd:equations()), "d \\xff/dt = 1\n\\xff(0) = 2")
    raises("has no variable '\\xfe'", odd.find, odd, "\\xfe")
  end)
  it("are told with roles and units", function()
    local v = model.from_text("k = 2 [1/s]\nx' = k\nx(0) = 1"):variable("k")
    equal(v, {name = "k", unit = "1/s", role = "parameter", line = 1, quantity = "value", held = "value", value = 2.0})
  end)
  it("set parameters, all or none", function()
    local p = model.from_text "k = 2\nq = 3\nx' = k\nx(0) = 1"
    raises("no variable", p.parameters, p, {k = 5, zz = 1})
    equal(p:parameters().k, 2.0)
    p:parameters {k = 5, x = 7}
    equal({p:parameters().k, ends(p, 1, "rk4", "x", {dt = 0.1})}, {5.0, 12.0})
    p:set("k", 6)
    equal(p:reset() == p and p:parameters().k, 2.0)
    equal(p:first()[0], 2.0)
    near(ends(p, 1, "rk4", "x", {dt = 0.1}), 3, 1e-12)
    local c = model.from_text "a = 3\nc := 2*a\nx' = c\nx(0) = c"
    c:set("c", 1)
    c:set("c", 2)
    c:set("a", 5)
    equal(c:reset():first():totable(), {3.0, 6.0, 6.0})
    equal(c:parameters().c, nil) -- c is a constant again
    raises("m:set takes a name and a number, as m:set(\"a\", 2)", p.set, p, {k = 2})
    raises("several at once: m:parameters{a = 2, b = 3}", p.set, p, "k")
    raises("is computed by an equation", function() model.from_text("y = time"):set("y", 1) end)
  end)
end)

describe("graphs", function()
  it("have an edge from what is needed to who needs it", function()
    local m = model.from_text "x' = y\nx(0) = 1\ny = 2*x*k\nk = 3"
    local g = m:graph()
    equal({g.n, g.m, scc(g).count}, {3, 2, 3})
    equal({m:graph {states = true}.m, scc(m:graph {states = true}).count}, {3, 2})
  end)
  it("are of first values, too", function()
    local m = model.from_text "x' = y\nz' = k\nx(0) = 2*k\nz(0) = 1\ny = 2*x*z\nk = 3"
    local function needs(g, name)
      local list, v = {}, g:vertex(name)
      for e = g.off[v], g.off[v + 1] - 1 do list[#list + 1] = g:label(g.to[e]) end
      table.sort(list)
      return list
    end
    local g = m:graph {start = true}
    equal({g.m, needs(g, "k"), needs(g, "x"), needs(g, "z")}, {3, {"x"}, {"y"}, {"y"}})
    equal(needs(m:graph(), "k"), {"z"})
    m:set("x", 5)
    equal(needs(m:graph {start = true}, "k"), {})
  end)
  it("show algebraic loops as components", function()
    local m = model.from_text("a = b\nb = c\nc = a\nd = a", {loops = true})
    equal(scc(m:graph()).sizes:max(), 3)
    raises("algebraic loop", simulate, m, {stop = 1})
    local later = model.from_text("x' = -x\nx(0) = a\na = x + b\nb = 1", {loops = true}) -- a loop only among initial values
    for _ = 1, 2 do raises("algebraic loop", simulate, later, {stop = 1}) end
  end)
end)

describe("lines of cells", function()
  it("have 33 functions and 8 states a cell", function()
    local m = model.line {cells = 10, file = samples .. "luo-rudy-1991.ode"}
    equal({m.states, m.functions}, {80, 33 * 10 - 2 + 1}) -- one more for the stimulus
    m = model.line {cells = 10, stimulated = {}, file = samples .. "luo-rudy-1991.ode"}
    equal({m.states, m.functions}, {80, 33 * 10 - 2})
  end)
  it("may have more equations", function()
    local m = model.line {cells = 3, ring = true, stimulated = {1, 2}, file = samples .. "luo-rudy-1991.ode", more = "k = 2\nflow = k*(g1.left + g3.right)\nz' = flow\nz(0) = 1"}
    equal({m.states, m.functions}, {25, 33 * 3 + 2 + 1})
    raises("'more' must be a text of equations, got 7", model.line, {cells = 2, more = 7})
    raises("'c4.V' is not defined", model.line, {cells = 3, file = samples .. "luo-rudy-1991.ode", more = "y = c4.V"})
  end)
  it("of one cell are that cell", function()
    local file = samples .. "luo-rudy-1991.ode"
    local o = {stop = 30, dt = 0.01, every = 1, method = "euler", variables = {"V"}}
    equal(simulate(model.line {cells = 1, file = file}, o).V:totable(), simulate(model.load(file), o).V:totable())
  end)
  it("carry the impulse on", function()
    local m = model.line {cells = 6, file = samples .. "luo-rudy-1991.ode"}
    equal(simulate(m, {stop = 60, dt = 0.01, every = 1, method = "euler", variables = {"c6.V"}})["c6.V"]:max() > 0, true)
  end)
  it("say what they cannot repeat", function()
    raises("cells must be", model.line, {})
    raises("no option", model.line, {cell = 3})
    with_file(".ode", "x' = 1\nx(0) = 0\nwhen x > 1: x = 0", function(path)
      raises("only equations can be repeated", model.line, {cells = 2, file = path, state = "x", into = "x"})
    end)
  end)
end)

it("a byte order mark is no part of the first name", function()
  equal(model.from_text "\xef\xbb\xbfx' = 1\nx(0) = 2":variable(1).name, "x")
  for kind, there in pairs {[".phml"] = M.xml, [".cellml"] = M.xml, [".sbml.xml"] = M.sbml} do
    local text = there and io.open(M.small .. "small" .. kind):read "a"
    if there then with_file(kind, "\xef\xbb\xbf" .. text, function(path) assert(model.load(path).variables > 2) end) end
  end
end)

if M.xml then
  describe("limits of XML", function()
    local function is_refused(text, message)
      with_file(".xml", text, function(path) raises(path .. message, model.load, path) end)
    end
    local function attributes(count)
      local list = {}
      for i = 1, count do list[i] = (" a%d='='"):format(i) end
      return table.concat(list)
    end
    it("attributes of an element", function() -- limited because libxml2's check of duplicates takes quadratic time
      is_refused("<?xml version='1.0'?>\n<!--\n=-->\n<x" .. attributes(10001) .. "/>", ":4: an element of more than 10000 attributes")
      is_refused("<!--" .. ("="):rep(20000) .. "-->\n<x" .. attributes(9999) .. "/>", ":2: expected a model in PHML")
    end)
    if M.sbml then it("operands of an operation in SBML", function() -- limited because libSBML recurses once per operand
      local text = io.open(M.small .. "small.sbml.xml"):read "a"
      is_refused(text:gsub("<cn>%-0.1</cn>", "\n<apply><plus/>" .. ("<cn>1</cn>"):rep(300000) .. "</apply>"), ":12: an operation on more than 100000 operands")
    end) end
    it("text or comment", function()
      local text = io.open(M.small .. "small.phml"):read "a"
      is_refused(text:gsub('version="1.0">\n', function(root) return root .. "<!--" .. ("y"):rep(11000000) .. "-->" end), ":3: a text or a comment of more than 10 MB")
    end)
  end)
end

describe("small models of every format", function()
  for kind, there in pairs {ode = true, phml = M.xml, cellml = M.xml, ["importing.cellml"] = M.xml, ["sbml.xml"] = M.sbml} do
    if there then it(kind, function()
      local m = model.load(M.small .. "small." .. kind)
      local r = simulate(m, {stop = 1, steps = 4, dt = 0.05, method = "rk4"})
      for _, name in ipairs(r.names) do equal(r.data[name][4] == r.data[name][4] or name == "z", true) end
    end) end
  end
end)

-- --- PHML ---

local function phml(modules, rest)
  return [[<is:insilico-model xmlns:is="http://www.physiome.jp/ns/insilicoml" xmlns:m="http://www.w3.org/1998/Math/MathML">
<is:header><is:numerical-configuration><is:time-discretization unit-id="2"><is:step>0.1</is:step></is:time-discretization>
<is:algorithm><is:integration name="euler"/></is:algorithm><is:simulation-time-span unit-id="1">0.002</is:simulation-time-span>
</is:numerical-configuration></is:header>
<is:unit-set><is:unit unit-id="0"><is:name>dimensionless</is:name></is:unit><is:unit unit-id="1"><is:name>second</is:name></is:unit>
<is:unit unit-id="2"><is:name>ms</is:name><is:element unit-id="1" prefix="milli"/></is:unit></is:unit-set>
<is:module-set>]] .. modules .. "</is:module-set>" .. (rest or "") .. "</is:insilico-model>"
end
local function math_of(name, right, rate)
  local left = "<m:ci>" .. name .. "</m:ci>"
  if rate then left = "<m:apply><m:diff/><m:bvar><m:ci>time</m:ci></m:bvar>" .. left .. "</m:apply>" end
  return "<is:definition type=\"ae\"><m:math><m:apply><m:eq/>" .. left .. right .. "</m:apply></m:math></is:definition>"
end
local function quantity(id, type, name, definition, initial, extra)
  return ([[<is:physical-quantity physical-quantity-id="%s" type="%s"><is:name>%s</is:name>%s<is:implementation>%s%s</is:implementation></is:physical-quantity>]])
    :format(id, type, name, initial and "<is:initial-value>" .. initial .. "</is:initial-value>" or "", definition, extra or "")
end
local function from_port(id) return ('<is:definition type="assign" sub-type="port"><is:reference port-id="%s"/></is:definition>'):format(id) end
local function module_of(id, name, ports, quantities, parent, type)
  return ([[<is:module module-id="%s" type="%s"><is:property><is:name>%s</is:name>%s</is:property><is:port-set>%s</is:port-set><is:physical-quantity-set>%s</is:physical-quantity-set></is:module>]])
    :format(id, type or "functional-unit", name, parent and ('<is:capsulation><is:capsulated-by module-id="%s"/></is:capsulation>'):format(parent) or "",
      ports, quantities)
end
local function port(id, direction, of) return ('<is:port port-id="%s" direction="%s"%s/>'):format(id, direction, of and (' ref-physical-quantity-id="%s"'):format(of) or "") end
local function edge(a, p, b, q)
  return ('<is:edge edge-id="e" type="functional"><is:tail module-id="%s" port-id="%s"/><is:head module-id="%s" port-id="%s"/></is:edge>'):format(a, p, b, q)
end
local function cn(x) return "<m:cn>" .. x .. "</m:cn>" end
local function ci(x) return "<m:ci>" .. x .. "</m:ci>" end
local function apply(op, ...) return "<m:apply><m:" .. op .. "/>" .. table.concat {...} .. "</m:apply>" end
local function symbol(name, ...) return "<m:apply><m:csymbol>" .. name .. "</m:csymbol>" .. table.concat {...} .. "</m:apply>" end
local clock = module_of("A", "clock", port("1", "out", "1"),
  quantity("1", "state", "x", math_of("x", cn(1), true), math_of("x", cn(0))))

if has_xml then
  describe("PHML", function()
    local function load(text, f) with_file(".phml", text, function(path) f(model.load(path)) end) end
    local function bad(text, message) with_file(".phml", text, function(path) raises(message, model.load, path) end) end
    it("reads settings, with the span in units of the step", function()
      load(phml(clock), function(m) equal({m.method, m.step, m.span, m.time_unit}, {"euler", 0.1, 2.0, "ms"}) end)
    end)
    it("names the line of a qualifier without an expression", function()
      bad(phml(module_of("A", "clock", "", quantity("1", "state", "x", math_of("x", "\n<m:apply><m:root/>\n<m:degree/>" .. cn(4) .. "</m:apply>", true),
        math_of("x", cn(0))))), ".phml:9: expected an expression, found an empty element 'degree'")
    end)
    it("joins ports through capsules, and reduces several sources", function()
      local capsule = module_of("C", "capsule", port("1", "in") .. port("2", "out"), "", nil, "capsule")
      for how, want in pairs {sum = 6, max = 4, min = 2, mean = 3, degree = 2} do
        local taker = module_of("B", "taker", port("1", "in"), quantity("1", "variable-parameter", "y", from_port("1"), nil,
          ('<is:extra-implementation type="multiple-input-assignment"><is:definition type="reduction" sub-type="%s"/></is:extra-implementation>'):format(how)), "C")
        local two = module_of("D", "two", port("1", "out", "1") .. port("2", "out", "2"),
          quantity("1", "static-parameter", "p", math_of("p", cn(2))) .. quantity("2", "static-parameter", "q", math_of("q", cn(4))))
        load(phml(taker .. capsule .. two, "<is:edge-set>" .. edge("D", "1", "C", "1") .. edge("D", "2", "C", "1") ..
          edge("C", "1", "B", "1") .. "</is:edge-set>"), function(m) near(m:first()[0], want, 0) end)
      end
    end)
    it("makes instances of templates", function()
      local cell = module_of("T", "cell", port("1", "out", "1"), quantity("1", "state", "x", math_of("x", ci("k"), true), math_of("x", cn(0))) ..
        quantity("2", "static-parameter", "k", math_of("k", cn(1))))
      local sum = module_of("S", "sum", port("1", "in"), quantity("1", "variable-parameter", "y", from_port("1")))
      local rest = '<is:template-set><is:template template-id="t" ref-module-id="T"/></is:template-set><is:instance-set>' ..
        '<is:instance module-id="I1" label="one"><is:instance-of template-id="t"/></is:instance>' ..
        '<is:instance module-id="I2" label="two"><is:instance-of template-id="t"/><is:target-module-set><is:target-module module-id="T">' ..
        '<is:target-physical-quantity-set><is:target-physical-quantity physical-quantity-id="2"><is:implementation>' .. math_of("k", cn(5)) ..
        '</is:implementation></is:target-physical-quantity></is:target-physical-quantity-set></is:target-module></is:target-module-set></is:instance>' ..
        "</is:instance-set><is:edge-set>" .. edge("T", "1", "S", "1") .. "</is:edge-set>"
      load(phml(cell .. sum, rest), function(m)
        equal({m.states, (m:find("I2:x")), (m:find("two.x"))}, {2, "two.x", "two.x"})
        near(ends(m, 2, "euler", "sum.y"), 12, 1e-12)
      end)
    end)
    it("keeps the value where no case holds", function()
      local when = '<is:definition type="conditional"><is:case-set><is:case><is:condition><m:math>' .. apply("leq", ci("time"), cn(1)) ..
        "</m:math></is:condition>" .. math_of("y", ci("time")) .. "</is:case></is:case-set></is:definition>"
      load(phml(module_of("A", "a", "", quantity("1", "variable-parameter", "y", when))), function(m)
        near(ends(m, 2, "euler", "y"), 1, 1e-9)
      end)
    end)
    it("assigns before and after steps", function()
      local function extra(order, x) return ('<is:extra-implementation type="instantaneous" order="%s">%s</is:extra-implementation>'):format(order, math_of("x", x)) end
      local function of(order) return phml(module_of("A", "a", "", quantity("1", "state", "x", math_of("x", cn(1), true), math_of("x", cn(0)), extra(order, cn(10))))) end
      load(of("before"), function(m) near(ends(m, 2, "euler"), 10.1, 1e-12) raises("steps of equal length", ends, m, 2, "dopri5") end)
      load(of("after"), function(m) near(ends(m, 2, "rk4"), 10, 1e-12) end)
    end)
    it("reads time series beside the model", function()
      with_file(".csv", "time (ms),y (mV)\n0,1\n1,3\n2,3\n", function(csv)
        local name = csv:match("[^/]+$")
        local series = '<is:timeseries-set><is:timeseries timeseries-id="1" format="csv" iref="%s"/></is:timeseries-set></is:module>'
        local whole = module_of("A", "a", "", quantity("1", "timeseries", "y",
          '<is:definition type="assign" sub-type="timeseries"><is:reference timeseries-id="1" element-id="y"/></is:definition>'))
        local text = phml((whole:gsub("</is:module>", series:format(name))))
        load(text, function(m)
          near(ends(m, 0.5, "rk4", "y", {dt = 0.1}), 2, 1e-12)
          near(ends(m, 5, "rk4", "y", {dt = 0.1}), 3, 0)
        end)
        bad(text:gsub('iref="[^"]*"', 'iref="../x.csv"'), "must be a file in the model's folder")
        bad(text:gsub('element%-id="y"', 'element-id="z"'), "no column is called 'z'")
        bad(text:gsub("<is:timeseries .-/>", "%0%0"), "an earlier timeseries has the same timeseries-id, 1")
      end)
    end)
    it("solves stochastic equations", function() -- dX = 2 dt + 3 dW
      local w = quantity("1", "state", "W", '<is:definition type="predefined" sub-type="Wiener-process"/>')
      local x = quantity("2", "state", "X", "<is:definition type=\"sde\"><m:math>" .. apply("eq", symbol("differential", ci("X")),
        apply("plus", apply("times", cn(2), symbol("differential", ci("time"))), apply("times", cn(3), symbol("differential", ci("W"))))) ..
        "</m:math></is:definition>", math_of("X", cn(1)))
      load(phml(module_of("A", "a", "", w .. x)), function(m)
        local r = simulate(m, {stop = 2, steps = 20, seed = 3})
        for i = 0, 20 do near(r.X[i], 1 + 2 * r.t[i] + 3 * r.W[i], 1e-9, 1e-12) end
      end)
    end)
    it("delays by samples, and sees one step back", function()
      local all = quantity("1", "state", "x", math_of("x", cn(1), true), math_of("x", cn(0))) ..
        quantity("2", "variable-parameter", "y", math_of("y", symbol("Delay", ci("x"), cn(0.52)))) ..
        quantity("3", "variable-parameter", "z", math_of("z", apply("minus", ci("time"), symbol("DeltaTime", ci("time")))))
      load(phml(module_of("A", "a", "", all)), function(m)
        local r = simulate(m, {stop = 2, steps = 1, dt = 0.1})
        near(r.y[1], 1.5, 1e-9)
        near(r.z[1], 0.1, 1e-9)
      end)
    end)
    it("names file, line and remedy where a port or its edge is missing", function()
      -- Each module and edge has a line of its own: modules begin at line 8.
      local function at(line, modules, edges, message)
        local rest = "\n<is:edge-set>\n" .. table.concat(edges, "\n") .. "</is:edge-set>"
        with_file(".phml", phml("\n" .. table.concat(modules, "\n"), rest), function(path)
          raises(("%s:%d: %s"):format(path, line, message), model.load, path)
        end)
      end
      local function takes(of, ports)
        return module_of("B", "taker", ports or port("1", "in"), quantity("1", "variable-parameter", "y", from_port(of)))
      end
      local good = edge("A", "1", "B", "1")
      at(11, {clock, takes "1"}, {edge("A", "7", "B", "1")}, "an edge joins port 7 of module clock, which has no such port: expected one of 1, or add the port to its port-set")
      at(12, {clock, takes "1"}, {good, edge("A", "1", "B", "8")}, "an edge joins port 8 of module taker, which has no such port: expected one of 1, or add the port to its port-set")
      at(11, {clock, takes("1", "")}, {good}, "an edge joins port 1 of module taker, which has no ports: add the port to its port-set")
      local many = {}
      for i = 1, 20 do many[i] = port("p" .. i, "in") end
      at(11, {clock, takes("p1", table.concat(many))}, {good}, "an edge joins port 1 of module taker, which has no such port: expected one of p1, p2, p3, p4, p5, p6, p7, p8, ..., or add")
      at(11, {clock, takes(("p"):rep(999), port(("p"):rep(999), "in"))}, {good}, "an edge joins port 1 of module taker, which has no such port: expected one of ppp")
      at(11, {clock, takes "1"}, {edge("Z", "1", "B", "1")}, "an edge joins module Z, which does not exist: add the module, or take the edge out")
      at(11, {clock, takes "1"}, {(good:gsub("<is:head.->", ""))}, "an edge lacks its tail or its head: give it both, or take it out")
      at(9, {clock, takes "1"}, {}, "y of module taker takes the value of a port, but no edge leads to it: port 1 of module taker needs an edge")
      at(9, {clock, takes "5"}, {good}, "y takes the value of port 5, which module taker does not have: add the port to its port-set, and an edge to it")
      local capsule = module_of("A", "capsule", port("1", "out"), "", nil, "capsule")
      at(9, {capsule, takes "1"}, {good}, "y of module taker takes the value of a port, but port 1 of module capsule has neither an edge nor a quantity: add an edge to it")
      at(9, {(clock:gsub('ref%-physical%-quantity%-id="1"', 'ref-physical-quantity-id="6"')), takes "1"}, {good},
        "y of module taker takes the value of a port, but port 1 of module clock shows quantity 6, which that module does not have: name one of its quantities in ref-physical-quantity-id")
      -- With the port and its edge in place, the same model is valid.
      load(phml(clock .. takes "1", "<is:edge-set>" .. good .. "</is:edge-set>"), function(m) equal(simulate(m, {stop = 1, steps = 1, dt = 0.5}).y ~= nil, true) end)
    end)
    it("names what is wrong", function()
      local taker = module_of("B", "taker", port("1", "in"), quantity("1", "variable-parameter", "y", from_port("1")))
      bad(phml(taker), "no edge leads to it: port 1 of module taker needs an edge")
      bad(phml(taker .. clock, "<is:edge-set>" .. edge("A", "7", "B", "1") .. "</is:edge-set>"), "joins port 7 of module clock, which has no such port")
      bad(phml(taker .. clock, "<is:edge-set>" .. edge("Z", "1", "B", "1") .. "</is:edge-set>"), "joins module Z, which does not exist")
      bad(phml(clock:gsub("<m:cn>1</m:cn>", "<m:apply><m:frobnicate/><m:cn>1</m:cn></m:apply>")), "unknown function 'frobnicate': express it with operators and functions of MathML")
      bad(phml(clock:gsub("<m:cn>1</m:cn>", "<m:apply><m:csymbol>Dealy</m:csymbol><m:ci>x</m:ci><m:cn>1</m:cn></m:apply>")), "unknown function 'Dealy' (did you mean Delay?)")
      bad(phml(clock:gsub("<m:cn>1</m:cn>", "<m:ci>q</m:ci>")), "module clock has no quantity 'q'")
      bad(phml(clock:gsub("<is:name>x</is:name>", '%0<is:dimension type="vector"/>')), "x is a vector, which is not supported: make a scalar")
      bad(phml(clock:gsub("<is:definition.->", '%0<is:graph/>')), "state machine (graph), which is not supported: write it as conditions")
      bad(phml(clock:gsub("</is:module>", "<is:import/></is:module>")), "imports another model, which is not supported")
      bad(phml(clock .. clock), "two modules have the module-id A")
      bad(phml(module_of("A", "a", port("1", "in") .. port("2", "in") .. "\n" .. port("1", "in"), "")), ".phml:8: an earlier port has the same port-id, 1")
      bad(phml(module_of("A", "a", "", quantity("1", "static-parameter", "x", math_of("x", cn(1))) .. quantity("1", "static-parameter", "y", math_of("y", cn(1))))),
        "an earlier physical-quantity has the same physical-quantity-id, 1")
      bad(phml(clock):gsub('unit%-id="2"><is:name', 'unit-id="1"><is:name'), ".phml:6: an earlier unit has the same unit-id, 1")
      local template, instance = '<is:template template-id="t" ref-module-id="A"/>',
        '<is:instance module-id="I"><is:instance-of template-id="t"/><is:target-module-set><is:target-module module-id="B" alias-module-id="%s"/></is:target-module-set></is:instance>'
      bad(phml(clock, "<is:template-set>" .. template:rep(2) .. "</is:template-set>"), "an earlier template has the same template-id, t")
      local function aliased(name)
        return phml(clock .. module_of("B", "b", "", "", "A"), "<is:template-set>" .. template .. "</is:template-set><is:instance-set>" .. instance:format(name) .. "</is:instance-set>")
      end
      load(aliased "B2", function(m) equal(m.states, 1) end)
      for _, name in ipairs {"A", "I"} do bad(aliased(name), "instance I has the alias-module-id " .. name .. ", which another module or instance has") end
      bad(phml(clock):gsub('unit%-id="2"><is:step', 'unit-id="0"><is:step'), "is not a unit of time")
      local static = module_of("S", "s", port("1", "in"), quantity("1", "static-parameter", "p", from_port("1")))
      bad(phml(static .. clock, "<is:edge-set>" .. edge("A", "1", "S", "1") .. "</is:edge-set>"), "needs clock.x, which changes")
      local a = quantity("1", "variable-parameter", "a", math_of("a", ci("b"))) .. quantity("2", "variable-parameter", "b", math_of("b", ci("a")))
      bad(phml(module_of("A", "l", "", a)), "algebraic loop: l.a (line")
      bad("<insilico-model", "not well-formed XML")
      bad("<html/>", "expected a model in PHML")
    end)
  end)

  describe("XML from strangers", function()
    local function bad(text, message)
      with_file(".xml", text, function(path) raises(message, model.load, path) end)
    end
    it("may not define entities", function()
      local bomb = '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
      for i = 1, 20 do bomb = bomb .. ('<!ENTITY %s "%s">'):format(("b"):rep(i), (i == 1 and "&a;" or "&" .. ("b"):rep(i - 1) .. ";"):rep(10)) end
      bad(bomb .. "]><insilico-model>&" .. ("b"):rep(20) .. ";</insilico-model>", "document type declaration")
      bad('<!DOCTYPE a SYSTEM "http://localhost:1/x.dtd"><sbml/>', "document type declaration")
      bad('<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]><model>&x;</model>', "document type declaration")
    end)
    it("may not be deep", function()
      bad(("<a>"):rep(100000), "not well-formed XML")
      bad(phml(module_of("A", "a", "", quantity("1", "variable-parameter", "y", math_of("y", ("<m:apply><m:minus/>"):rep(300) .. cn(1) .. ("</m:apply>"):rep(300))))),
        "not well-formed XML")
    end)
    it("may be no XML at all", function()
      bad("<", "not well-formed XML")
      bad("<a>\0</a>", "not well-formed XML")
      bad("<a>\xff\xfe</a>", "not well-formed XML")
    end)
  end)

  -- --- CellML ---

  local function cellml(body)
    return [[<model xmlns="http://www.cellml.org/cellml/1.0#" name="m"><units name="ms"><unit units="second" prefix="milli"/></units>
<units name="mV"><unit units="volt" prefix="milli"/></units><units name="fahrenheit"><unit units="celsius" multiplier="0.5555555555555556" offset="-32"/></units>]] .. body .. "</model>"
  end
  local MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"'
  describe("CellML", function()
    local function load(text, f) with_file(".cellml", text, function(path) f(model.load(path)) end) end
    local function bad(text, message) with_file(".cellml", text, function(path) raises(message, model.load, path) end) end
    local environment = '<component name="e"><variable name="t" units="second" public_interface="out"/></component>'
    local function rated(units)
      return '<component name="c"><variable name="t" units="' .. units .. '" public_interface="in"/><variable name="x" units="dimensionless" initial_value="1" public_interface="out"/><math ' .. MATH ..
        '><apply><eq/><apply><diff/><bvar><ci>t</ci></bvar><ci>x</ci></apply><cn>3</cn></apply></math></component>' ..
        '<connection><map_components component_1="e" component_2="c"/><map_variables variable_1="t" variable_2="t"/></connection>'
    end
    it("refuses units that it cannot read, by line", function()
      for attribute, why in pairs {['prefix="mili"'] = "the prefix of a unit is 'mili'", ['prefix="0.5"'] = "the prefix of a unit is '0.5'",
        ['multiplier="x"'] = "the multiplier of a unit is 'x'", ['exponent="one"'] = "the exponent of a unit is 'one'",
        ['offset="q"'] = "the offset of a unit is 'q'", ['multiplier="nan"'] = "the multiplier of a unit is 'nan'"} do
        bad('<model xmlns="http://www.cellml.org/cellml/1.0#" name="m">\n<units name="u"><unit units="second" ' .. attribute ..
          '/></units>\n<component name="a"><variable name="x" units="u" initial_value="1"/></component></model>', ":2: " .. why)
      end
      bad('<model xmlns="http://www.cellml.org/cellml/1.0#" name="m">\n<units name="u" base_units="maybe"/>\n' ..
        '<component name="a"><variable name="x" units="u" initial_value="1"/></component></model>', ":2: base_units of the unit u is 'maybe'")
    end)
    it("refuses two units of one name in one place, and takes that of the component before that of the model", function()
      local function units(name, multiplier) return ('<units name="%s"><unit units="second" multiplier="%s"/></units>'):format(name, multiplier) end
      bad(cellml(units("u", 2) .. "\n" .. units("u", 3) .. environment .. rated("u")), "the unit u is defined twice: also in line ")
      local function own(...) return (rated("u"):gsub('<component name="c">', "%0" .. table.concat {...})) end
      bad(cellml(environment .. own(units("u", 2), units("u", 2))), "the unit u is defined twice: also in line ")
      load(cellml(units("u", 2) .. environment .. own(units("u", 0.5))), function(m) near(ends(m, 2, "rk4", "x", {dt = 0.1}), 13, 1e-12) end)
    end)
    it("converts time", function()
      load(cellml(environment .. rated("second")), function(m) near(ends(m, 2, "rk4", "x", {dt = 0.1}), 7, 1e-12) equal(m.time_unit, "second") end)
      load(cellml(environment .. rated("ms")), function(m) near(ends(m, 2, "rk4", "x", {dt = 0.1}), 6001, 1e-12) end)
    end)
    it("converts values", function()
      local text = '<component name="a"><variable name="V" units="volt" initial_value="2" public_interface="out"/></component>' ..
        '<component name="b"><variable name="V" units="mV" public_interface="in"/><variable name="y" units="mV"/><math ' .. MATH ..
        '><apply><eq/><ci>y</ci><apply><plus/><ci>V</ci><cn>1</cn></apply></apply></math></component>' ..
        '<connection><map_components component_1="b" component_2="a"/><map_variables variable_1="V" variable_2="V"/></connection>'
      load(cellml(text), function(m) near(m:first()[1], 2001, 1e-12) end)
      load((cellml(text):gsub('"volt" initial', '"celsius" initial'):gsub('units="mV"', 'units="kelvin"')), function(m) near(m:first()[1], 276.15, 1e-12) end)
      bad((cellml(text):gsub('"volt" initial', '"second" initial')), "cannot be converted")
      bad((cellml(text):gsub('"volt" initial', '"vlt" initial')), "the unit 'vlt' is not defined")
      bad((cellml(text):gsub('public_interface="in"', "")), "neither has the interface \"in\"")
      bad((cellml(text):gsub("<connection>.*</connection>", "")), "no connection gives it a value")
    end)
    it("names what is wrong", function()
      bad(cellml "<import/>", "imports another file, which CellML 1.0 does not support")
      bad(cellml '<component name="a"><variable name="x" units="second"/></component>', "a.x has no value: give it one")
      bad(cellml(environment .. rated("second"):gsub('<cn>3</cn>', '<ci>q</ci>')), "component c has no variable 'q': add it to the component")
      bad(cellml(environment .. rated("second"):gsub("<cn>3</cn>", "<apply><expp/><ci>x</ci></apply>")), "unknown function 'expp' (did you mean exp?): express")
    end)
  end)
end

-- --- SBML ---

local function sbml(body, level)
  return ([[<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model>]] .. body .. "</model></sbml>")
end
if has_sbml then
  describe("SBML", function()
    local MATH = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    local function load(text, f) with_file(".xml", text, function(path) f(model.load(path)) end) end
    local function bad(text, message) with_file(".xml", text, function(path) raises(message, model.load, path) end) end
    local function parameter(id, value) return ('<parameter id="%s" %sconstant="false"/>'):format(id, value and ('value="%s" '):format(value) or "") end
    local function parameters(...) return "<listOfParameters>" .. table.concat {...} .. "</listOfParameters>" end
    local function rule(kind, id, math) return ('<%sRule%s><math %s>%s</math></%sRule>'):format(kind, id and (' variable="%s"'):format(id) or "", MATH, math, kind) end
    local function rules(...) return "<listOfRules>" .. table.concat {...} .. "</listOfRules>" end
    long("has sums and products of many operands", function()
      local function many(op, x, n) return "<apply><" .. op .. "/>" .. x:rep(n) .. "</apply>" end
      for _, n in ipairs {1001, 60000} do
        load(sbml(parameters(parameter("x", 2), parameter("s"), parameter("p")) .. rules(rule("assignment", "s", many("plus", "<ci>x</ci>", n)),
          rule("assignment", "p", many("times", "<cn>1</cn>", n)))), function(m)
          local r = simulate(m, {stop = 1, steps = 1})
          equal({r.s[1], r.p[1]}, {2.0 * n, 1.0})
        end)
      end
    end)
    long("has many pieces, in their order", function()
      local pieces = {}
      for i = 1, 100000 do pieces[i] = ("<piece><cn>%d</cn><apply><lt/><ci>x</ci><cn>%d</cn></apply></piece>"):format(i, i) end
      load(sbml(parameters(parameter("x", 50), parameter("y")) .. rules(rule("assignment", "y", "<piecewise>" .. table.concat(pieces) ..
        "</piecewise>"))), function(m) equal(simulate(m, {stop = 1, steps = 1}).y[1], 51.0) end)
    end)
    it("refuses functions that call each other too deeply", function()
      local all = {}
      local n = sized(20000, 5000)
      for i = 1, n do
        all[i] = ('<functionDefinition id="f%d"><math %s><lambda><bvar><ci>x</ci></bvar>%s</lambda></math></functionDefinition>'):format(i, MATH,
          i == n and "<ci>x</ci>" or ("<apply><ci>f%d</ci><ci>x</ci></apply>"):format(i + 1))
      end
      bad(sbml("<listOfFunctionDefinitions>" .. table.concat(all) .. "</listOfFunctionDefinitions>" .. parameters(parameter("x", 5), parameter("z")) ..
        rules(rule("assignment", "z", "<apply><ci>f1</ci><ci>x</ci></apply>"))), "an expression of more than 1000 nested operations: define variables for its parts")
    end)
    it("divides by the size of a compartment of no dimensions, if it has one", function()
      local function model_of(size) return sbml('<listOfCompartments><compartment id="c" spatialDimensions="0" ' .. size ..
        ' constant="true"/></listOfCompartments><listOfSpecies><species id="S" compartment="c" initialAmount="6" hasOnlySubstanceUnits="false" ' ..
        'boundaryCondition="false" constant="false"/></listOfSpecies>' .. parameters(parameter("y")) .. rules(rule("assignment", "y", "<ci>S</ci>"))) end
      for size, y in pairs {['size="2"'] = 3, [""] = 6} do
        load(model_of(size), function(m) equal(simulate(m, {stop = 1, steps = 1}).y[1], y + 0.0) end)
      end
    end)
    local rate_of = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/rateOf">rateOf</csymbol>'
    local delay = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/delay">delay</csymbol>'
    local time = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>'
    it("says which parameters the file gives no value", function()
      local told, note = {}, algorithm.note
      algorithm.note = function(name, text) told[#told + 1] = name .. ": " .. text end
      load(sbml(parameters(parameter("k"), parameter("idle"), parameter("x", 1)) .. rules(rule("rate", "x", "<ci>k</ci>"))), function(m)
        pcall(simulate, m, {stop = 1, method = "rk4"})
        simulate(m, {instances = 2, stop = 1})
        equal(#told, 2)
        simulate(m, {sweep = {k = {1, 2}}, stop = 1})
        m:set("k", 2)
        near(ends(m, 1, "rk4", "x", {dt = 0.1}), 3, 1e-12)
      end)
      algorithm.note = note
      local want = 'simulate: the file gives no value to k, so results that depend on it are NaN; m:set("k", 1) sets a value'
      equal(told, {want, want})
    end)
    it("knows rateOf", function()
      load(sbml(parameters(parameter("x", 1), parameter("y")) .. rules(rule("rate", "x", "<cn>3</cn>"), rule("assignment", "y", "<apply>" .. rate_of .. "<ci>x</ci></apply>"))),
        function(m) equal(m:first()[1], 3.0) end)
    end)
    it("knows delay, of expressions too", function()
      load(sbml(parameters(parameter("y")) .. rules(rule("assignment", "y", "<apply>" .. delay .. "<apply><times/><cn>2</cn>" .. time .. "</apply><cn>0.5</cn></apply>"))),
        function(m) near(ends(m, 2, "dopri5", "y"), 3, 1e-9) end)
    end)
    it("takes species for concentrations, and tells them as asked", function() -- A' = -3*A, in a compartment of size 0.5
      local text = '<listOfCompartments><compartment id="C" size="0.5" constant="true" spatialDimensions="3"/></listOfCompartments>' ..
        '<listOfSpecies><species id="A" compartment="C" initialConcentration="2" hasOnlySubstanceUnits="false" ' ..
        'boundaryCondition="false" constant="false"/></listOfSpecies><listOfReactions><reaction id="r" reversible="false">' ..
        '<listOfReactants><speciesReference species="A" stoichiometry="1" constant="true"/></listOfReactants><kineticLaw><math ' ..
        MATH .. '><apply><times/><ci>C</ci><cn>3</cn><ci>A</ci></apply></math></kineticLaw></reaction></listOfReactions>'
      load(sbml(text), function(m)
        local want = 2 * math.exp(-3)
        near(ends(m, 1, "dopri5", "A"), want, 1e-7)
        near(ends(m, 1, "dopri5", "A", {concentration = {"A"}}), want, 1e-7)
        near(ends(m, 1, "dopri5", "A", {amount = {"A"}}), want / 2, 1e-7)
      end)
    end)
    it("takes what would have been before the start", function() -- SBML Test Suite, case 937 in our words
      load(sbml(parameters(parameter("x"), parameter("y")) .. rules(rule("assignment", "x", "<apply><sin/>" .. time .. "</apply>"),
        rule("assignment", "y", "<apply>" .. delay .. "<ci>x</ci><cn>2</cn></apply>"))),
        function(m) near(simulate(m, {stop = 1, steps = 1}).y[0], math.sin(-2), 1e-5) end)
    end)
    it("takes rateOf for 0 before the start", function() -- SBML Test Suite, cases 1400 to 1409
      load(sbml(parameters(parameter("x", 5), parameter("v"), parameter("y"), parameter("z")) .. rules(
        rule("rate", "x", "<apply><times/><cn>-0.1</cn><ci>x</ci></apply>"),
        rule("assignment", "v", "<apply><plus/><apply>" .. rate_of .. "<ci>x</ci></apply>" .. time .. "</apply>"),
        rule("assignment", "y", "<apply>" .. delay .. "<apply>" .. rate_of .. "<ci>x</ci></apply><cn>1</cn></apply>"),
        rule("assignment", "z", "<apply>" .. delay .. "<ci>v</ci><cn>2</cn></apply>"))), function(m)
        local engines = {{"cvode"}, {"dopri5"}, {"rk4"}, {"rk4", "bytecode"}, {"rk4", "translator"}, {"euler"}, {"euler", "bytecode"},
          {"euler", "translator"}}
        for _, e in ipairs(engines) do
          if e[1] ~= "cvode" or M.adaptive[2] then
            local r = simulate(m, {stop = 3, steps = 12, dt = 1/512, method = e[1], engine = e[2]})
            for i = 0, 12 do
              local t, close = i/4, e[1] == "euler" and 1e-3 or 1e-5
              local function rate(s) return s < 0 and 0 or -0.5*math.exp(-0.1*s) end
              near(r.y[i], rate(t - 1), 0, close)
              near(r.z[i], rate(t - 2) + t - 2, 0, close)
            end
          end
        end
        for _, n in ipairs {1, 3} do raises("an ensemble has no 'delay'", simulate, m, {instances = n, stop = 3}) end
      end)
    end)
    it("solves algebraic rules that are linear", function()
      load(sbml(parameters(parameter("x", 1), parameter("y", 0)) .. rules(rule("rate", "x", "<cn>1</cn>"),
        rule("algebraic", nil, "<apply><minus/><apply><plus/><ci>x</ci><apply><times/><cn>2</cn><ci>y</ci></apply></apply><cn>10</cn></apply>"))),
        function(m) near(ends(m, 1, "dopri5", "y"), 4, 1e-9) end)
      bad(sbml(parameters(parameter("y", 1)) .. rules(rule("algebraic", nil, "<apply><minus/><apply><power/><ci>y</ci><cn>2</cn></apply><cn>10</cn></apply>"))),
        "not linear in y")
    end)
    it("expands functions without capturing names", function() -- f(x, y) = x - y, called as f(y, x) with the model's x and y
      local f = '<listOfFunctionDefinitions><functionDefinition id="f"><math ' .. MATH .. '><lambda><bvar><ci>x</ci></bvar><bvar><ci>y</ci></bvar>' ..
        '<apply><minus/><ci>x</ci><ci>y</ci></apply></lambda></math></functionDefinition></listOfFunctionDefinitions>'
      load(sbml(f .. parameters(parameter("x", 5), parameter("y", 3), parameter("z")) ..
        rules(rule("assignment", "z", "<apply><ci>f</ci><ci>y</ci><ci>x</ci></apply>"))), function(m) equal(m:first()[2], -2.0) end)
      bad(sbml(f:gsub("<apply><minus/>.-</apply>", "<apply><ci>f</ci><ci>x</ci><ci>y</ci></apply>") .. parameters(parameter("x", 5), parameter("z")) ..
        rules(rule("assignment", "z", "<apply><ci>f</ci><ci>x</ci><ci>x</ci></apply>"))), "calls itself")
    end)
    it("does not grow without end where functions call functions", function()
      local all = ""
      for i = 1, 40 do
        local one = i == 1 and "<ci>x</ci>" or ("<apply><ci>f%d</ci><ci>x</ci></apply>"):format(i - 1)
        all = all .. ('<functionDefinition id="f%d"><math %s><lambda><bvar><ci>x</ci></bvar><apply><plus/>%s%s</apply></lambda></math></functionDefinition>'):format(i, MATH, one, one)
      end
      bad(sbml("<listOfFunctionDefinitions>" .. all .. "</listOfFunctionDefinitions>" .. parameters(parameter("x", 5), parameter("z")) ..
        rules(rule("assignment", "z", "<apply><ci>f40</ci><ci>x</ci></apply>"))), "more than 4 million operations")
    end)
    it("names what is wrong", function()
      bad(sbml(parameters(parameter("x", 1)) .. rules(rule("rate", "q", "<cn>1</cn>"))), "'q' is not defined")
      bad(sbml(parameters(parameter("x", 1)) .. rules(rule("rate", "x", "<ci>q</ci>"))), "'q' is not defined in this model: add a parameter, species or compartment of that id")
      bad(sbml(parameters(parameter("x", 1)) .. rules(rule("rate", "x", "<apply><ci>g</ci><ci>x</ci></apply>"))), "unknown function 'g': define it in listOfFunctionDefinitions")
      bad(sbml(parameters(parameter("x"), parameter("y")) .. rules(rule("assignment", "x", "<ci>y</ci>"), rule("assignment", "y", "<ci>x</ci>"))), "algebraic loop")
    end)
  end)
end

-- --- published models ---

local function read_csv(path)
  local head, columns
  for line in io.lines(path) do
    line = line:gsub("[\r ]", "")
    local row = {}
    for word in (line .. ","):gmatch("([^,]*),") do row[#row + 1] = word end
    if not head then
      head, columns = row, {}
      for i = 1, #row do columns[i] = {} end
    elseif line ~= "" then
      for i = 1, #head do
        local w = row[i]:lower()
        columns[i][#columns[i] + 1] = tonumber(w) or (w:find("nan") and 0/0) or (w:find("^%-") and -math.huge) or math.huge
      end
    end
  end
  return head, columns
end

-- Every number must be within absolute + relative*|expected|; raises an error for the first that is not.
local function within(r, head, columns, relative, absolute)
  for i = 2, #head do
    local b = r.data[head[i]]
    for k, want in ipairs(columns[i]) do
      local got = b[k - 1]
      if not (got == want or (got ~= got and want ~= want) or math.abs(got - want) <= 1e-300 + absolute + relative * math.abs(want)) then
        error(("%s, row %d: got %.17g, expected %.17g"):format(head[i], k, got, want), 2)
      end
    end
  end
end

if has_xml and M.there "models/expected/single-FHN_model.csv" then
  describe("expected courses", function()
    local D = DATA .. "/models/"
    local cases = { -- model, courses, options, relative, absolute
      {"HodgkinHuxley_1952_neuron_model.phml", "HodgkinHuxley_1952_neuron_model.csv", {dt = 0.01, method = "euler"}, 1e-9, 0},
      {"single-FHN_model.phml", "single-FHN_model.csv", {dt = 0.01, method = "euler"}, 1e-9, 0},
      {"single-Luo_Rudy_1991_model.phml", "single-Luo_Rudy_1991_model.csv", {dt = 0.01, method = "euler"}, 1e-9, 0},
      {"single-Luo_Rudy_1991_model.phml", "single-Luo_Rudy_1991_model.rk4.csv", {dt = 0.01, method = "rk4"}, 1e-9, 0},
      {"single-Luo_Rudy_1991_model.phml", "luo_rudy_1991.cvode.csv", {method = "dopri5"}, 1e-5, 1e-10},
      {"single-Luo_Rudy_1991_model.phml", "luo_rudy_1991.cvode.csv", {method = "cvode"}, 1e-5, 1e-10},
      {"BIOMD0000000009.xml", "BIOMD0000000009.rk4.csv", {dt = 0.0005, method = "rk4"}, 1e-9, 0},
      {"BIOMD0000000020.xml", "BIOMD0000000020.rk4.csv", {dt = 0.025, method = "rk4"}, 1e-9, 0},
      {"BIOMD0000000009.xml", "BIOMD0000000009.rk4.csv", {method = "cvode"}, 1e-5, 1e-12},
      {"BIOMD0000000020.xml", "BIOMD0000000020.rk4.csv", {method = "cvode"}, 1e-5, 1e-9},
    }
    for _, case in ipairs(cases) do
      local options = case[3]
      if (has_cvode or options.method ~= "cvode") and (has_sbml or not case[1]:find("%.xml$")) then
        it(case[2] .. " by " .. options.method, function()
          local head, columns = read_csv(D .. "expected/" .. case[2])
          options.variables = {table.unpack(head, 2)}
          options.steps = #columns[1] - 1
          options.stop = math.floor(columns[1][#columns[1]] + 0.5)
          within(simulate(model.load(D .. case[1]), options), head, columns, case[4], case[5])
        end)
      end
    end
    it("a cell in CellML and ours with its constants", function()
      local m = model.load(samples .. "luo-rudy-1991.ode")
      local c = model.load(D .. "luo_rudy_1991.cellml")
      m:parameters {R = 8.314, F = 96484.6, onset = 100, width = 2, height = -25.5, V = -83.853, m = 0.00187018, h = 0.9804713,
        j = 0.98767124, d_gate = 0.00316354, f_gate = 0.99427859, X = 0.16647703}
      local text = io.open(samples .. "luo-rudy-1991.ode"):read("a"):gsub("5%.988", "5.98")
      local ours = model.from_text(text)
      for name, x in pairs(m:parameters()) do ours:set(name, x) end
      for _, x in ipairs {"V", "m", "h", "j", "d_gate", "f_gate", "X"} do ours:set(x, m:first()[select(2, m:find(x)) - 1]) end
      local o = {stop = sized(500, 200), every = 5, method = "dopri5", rtol = 1e-9, atol = 1e-12, variables = {"V"}}
      local a, b = simulate(ours, o), simulate(c, o)
      for i = 0, #a.t - 1 do near(a.V[i], b.V[i], 1e-5) end
    end)
  end)
end

if has_sbml and M.there "sbml/index.tsv" then
  describe("SBML Test Suite", function()
    local function list(text)
      local t = {}
      for word in (text or ""):gmatch("[^%s,]+") do t[#t + 1] = word end
      return t
    end
    for line in io.lines(DATA .. "/sbml/index.tsv") do
      local tier, case, level = line:match("(T%d)\t(%d+)\t(%S+)")
      if tier then
        it(tier .. " " .. case, function()
          local base, s = ("%s/sbml/%s/%s/%s-"):format(DATA, tier, case, case), {}
          for l in io.lines(base .. "settings.txt") do
            local key, value = l:match("^(%w+):%s*(.-)%s*$")
            if key then s[key] = value end
          end
          local head, columns = read_csv(base .. "results.csv")
          local m = model.load(base .. "sbml-" .. level .. ".xml")
          local o = {start = tonumber(s.start), duration = tonumber(s.duration), steps = math.tointeger(tonumber(s.steps)),
            variables = list(s.variables), amount = list(s.amount), concentration = list(s.concentration)}
          within(simulate(m, o), head, columns, tonumber(s.relative), tonumber(s.absolute))
          if sized(false, not due()) then return end -- with a sanitizer only the readers are tested
          local b = m:bytecode()
          if case == "01487" then return end -- arccos(time) up to time 1: by rounding, the last step's time is greater than 1
          o.method, o.dt = "rk4", o.duration / o.steps / 100
          local want = b.events > 0 and simulate(m, o) -- with fixed steps, both engines execute an event at the end of a step
          o.engine, o.bytecode = "bytecode", b
          local got = simulate(m, o)
          if not want then return within(got, head, columns, tonumber(s.relative), tonumber(s.absolute)) end
          equal(got.events, want.events)
          for _, name in ipairs(want.names) do
            for i = 0, o.steps do near(got[name][i], want[name][i], 1e-9, 1e-12) end
          end
        end)
      end
    end
  end)
end
