-- Assignments between steps (PHML) in bytecode and in translated kernels: on the same processor bit for bit those of the reference.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local same = M.same
local on_cpu = device().processor == "cpu"
local compiles = os.execute("cc --version > /dev/null 2>&1")

local function cn(x) return "<m:cn>" .. x .. "</m:cn>" end
local function ci(x) return "<m:ci>" .. x .. "</m:ci>" end
local function apply(op, ...) return "<m:apply><m:" .. op .. "/>" .. table.concat {...} .. "</m:apply>" end
local function symbol(name, ...) return "<m:apply><m:csymbol>" .. name .. "</m:csymbol>" .. table.concat {...} .. "</m:apply>" end
local function set(name, value) return '<is:definition type="ae"><m:math>' .. apply("eq", ci(name), value) .. "</m:math></is:definition>" end
local function rate(name, value)
  return '<is:definition type="ode"><m:math>' .. apply("eq", "<m:apply><m:diff/><m:bvar><m:ci>time</m:ci></m:bvar>" .. ci(name) .. "</m:apply>", value) ..
    "</m:math></is:definition>"
end
-- An assignment at each step or, with a condition, only where that holds: otherwise the value is kept.
local function jump(order, name, value, condition)
  local definition = condition and '<is:definition type="conditional"><is:case-set><is:case><is:condition><m:math>' .. condition ..
    "</m:math></is:condition>" .. set(name, value) .. "</is:case></is:case-set></is:definition>" or set(name, value)
  return ('<is:extra-implementation type="instantaneous" order="%s">%s</is:extra-implementation>'):format(order, definition)
end
local function quantity(id, type, name, definition, initial, jumps)
  return ('<is:physical-quantity physical-quantity-id="%d" type="%s"><is:name>%s</is:name>%s<is:implementation>%s%s</is:implementation></is:physical-quantity>'):format(
    id, type, name, initial and "<is:initial-value>" .. set(name, cn(initial)) .. "</is:initial-value>" or "", definition, jumps or "")
end
local function module_of(id, name, ports, quantities)
  return ('<is:module module-id="%s" type="functional-unit"><is:property><is:name>%s</is:name></is:property><is:port-set>%s</is:port-set>' ..
    "<is:physical-quantity-set>%s</is:physical-quantity-set></is:module>"):format(id, name, ports, quantities)
end
local function phml(modules, edges)
  return '<is:insilico-model xmlns:is="http://www.physiome.jp/ns/insilicoml" xmlns:m="http://www.w3.org/1998/Math/MathML">\n' ..
    '<is:unit-set><is:unit unit-id="0"><is:name>dimensionless</is:name></is:unit></is:unit-set>\n<is:module-set>' .. modules ..
    "</is:module-set>\n<is:edge-set>" .. (edges or "") .. "</is:edge-set></is:insilico-model>"
end
local function out(id) return ('<is:port port-id="1" direction="out" ref-physical-quantity-id="%d"/>'):format(id) end
local IN = '<is:port port-id="2" direction="in"/>'
local FROM_PORT = '<is:definition type="assign" sub-type="port"><is:reference port-id="2"/></is:definition>'
local function edge(from, to)
  return ('<is:edge edge-id="%s%s" type="functional"><is:tail module-id="%s" port-id="1"/><is:head module-id="%s" port-id="2"/></is:edge>'):format(from, to, from, to)
end

-- A neuron that is reset after a step, with counters of both orders, a function that is assigned to, and two listeners at its port.
local NEURON = phml(module_of("N", "neuron", out(1),
  quantity(1, "state", "V", rate("V", apply("plus", ci "drive", symbol("gauss_variate", cn(0), cn "0.25"))), 0,
    jump("after", "V", apply("minus", ci "V", cn(1)), apply("gt", ci "V", cn(1)))) ..
  quantity(2, "static-parameter", "spikes", set("spikes", cn(0)), nil, jump("after", "spikes", apply("plus", ci "spikes", cn(1)), apply("gt", ci "V", cn(1)))) ..
  quantity(3, "static-parameter", "drive", set("drive", cn "1.5"), nil,
    jump("before", "drive", cn(9)) .. -- does not count: the next one is of the same order
    jump("before", "drive", apply("plus", cn(1), symbol("Delay", ci "V", cn "0.1"), symbol("uniform_variate", cn(0), cn(1))))) ..
  quantity(4, "variable-parameter", "level", set("level", cn "2.5"), nil, jump("after", "level", apply("plus", ci "V", ci "spikes"))) ..
  quantity(5, "state", "used", rate("used", apply("plus", ci "level", ci "left")), 0) ..
  quantity(6, "static-parameter", "left", set("left", cn(1)), nil, jump("after", "left", ci "right")) ..
  quantity(7, "static-parameter", "right", set("right", cn(2)), nil, jump("after", "right", ci "left"))) ..
  module_of("L", "listener", IN .. out(1), quantity(1, "variable-parameter", "heard", FROM_PORT) ..
    quantity(2, "state", "sum", rate("sum", ci "heard"), 0)) ..
  module_of("K", "second", IN, quantity(1, "variable-parameter", "told", FROM_PORT) .. quantity(2, "variable-parameter", "twice", set("twice", apply("times", cn(2), ci "told")))),
  edge("N", "L") .. edge("L", "K"))

local ALL = {{}, {base = true}, {fold = true}, {unify = "warp"}, {base = true, redundant = true, reorder = true}, {base = true, merge = true, remap = true}}

if M.xml then
  describe("assignments between steps", function()
    local function load(text)
      local m
      with_file(".phml", text, function(path) m = model.load(path) end)
      return m
    end
    local neuron, small = load(NEURON), model.load(M.small .. "small.phml")
    -- The values as the reference has them, and that they are not all zero.
    local function compare(m, how, method, engine)
      local o = {stop = 4, dt = 0.0125, steps = 40, method = method, seed = 11}
      local want = simulate(m, o)
      o.engine, o.bytecode = engine, m:bytecode(how)
      local got = simulate(m, o)
      equal(got.engine, engine)
      same(want, got, 1e-6)
      return want
    end
    for _, method in ipairs {"euler", "rk4"} do
      it("are those of the reference, in every arrangement, by " .. method, function()
        for _, m in ipairs {neuron, small} do
          for _, how in ipairs(ALL) do compare(m, how, method, "bytecode") end
        end
        local r = simulate(neuron, {stop = 4, dt = 0.0125, steps = 40, method = method, seed = 11, variables = {"neuron.spikes", "neuron.V", "listener.heard", "second.told", "neuron.left"}})
        equal({r["neuron.spikes"][40] > 2, r["neuron.V"]:max() <= 1, (r["neuron.V"]:diff(r["listener.heard"])), r["neuron.left"][40]}, {true, true, 0, 1.0})
      end)
      if compiles then
        long("are those of the reference in translated kernels, by " .. method, function()
          for _, m in ipairs {neuron, small} do
            for _, how in ipairs {{}, {base = true}} do compare(m, how, method, "translator") end
          end
        end)
      end
    end
    it("are phases of their own", function()
      local b = neuron:bytecode {base = true}
      local c = b:counters()
      equal({c[#c - 4].phase, c[#c - 3].phase, c[#c - 3].threads, c[#c - 2].phase, c[#c - 2].threads, c[#c - 1].phase, c[#c - 1].threads},
        {"states", "before", 1, "after", 5, "ports", 1})
      equal(tostring(b):match "threads .- %-> (4 %-> 1 %-> 5 %-> 1);" ~= nil, true)
      local list = tostring(b:list {phase = "ports"})
      equal({list:match "^ports: 1 thread" ~= nil, list:match "VARIABLE +neuron.V" ~= nil, list:match "ASSIGN +listener.heard" ~= nil}, {true, true, true})
      raises([['phase' must be a whole number from 1 to ]] .. b.phases .. [[, or "states" or "before" or "after" or "ports"]], b.list, b, {phase = "late"})
      local files = b:translate {name = "n"}
      equal({files["n_before.h"] ~= nil, files["n_after.h"] ~= nil, files["n_ports.h"] ~= nil, files["n_states_dopri5.h"]}, {true, true, true})
      local steps = neuron:phases()
      equal({steps[1].phases, steps[#steps].phases}, {b.phases + 4, neuron:bytecode {unify = "warp"}.phases + 4})
      equal(tostring(small:bytecode()):match "threads %d+ %-> %d+ %-> 32 %-> 32;" ~= nil, true) -- none before a step
    end)
    it("are made in each cell", function()
      local b = neuron:bytecode {cells = 3}
      local places, names = {}, {"neuron.V", "neuron.spikes", "listener.heard"}
      for k, name in ipairs(names) do places[k] = b.code:place(select(2, neuron:find(name))) end
      local o = {start = 0, stop = 3, intervals = 30, dt = 0.0125, method = "euler", columns = places, seed = 5}
      local r = b:run(o)
      local one = simulate(neuron, {stop = 3, steps = 30, dt = 0.0125, method = "euler", variables = names, seed = 5})
      for k, name in ipairs(names) do
        for i = 0, 30 do M.near(r.columns[k][i], one[name][i], on_cpu and 0 or 1e-9, on_cpu and 0 or 1e-9) end
      end
      equal(r.columns[1][31 + 7] ~= r.columns[1][7], true) -- other random numbers
      for i = 0, 92 do equal(r.columns[1][i], r.columns[3][i]) end
    end)
    it("go on from a checkpoint, and from where a simulation ended", function()
      local file = temporary ".ckpt"
      local o = {stop = 3, dt = 0.0125, steps = 30, method = "rk4", engine = "bytecode", bytecode = neuron:bytecode(), seed = 5}
      local whole = simulate(neuron, o)
      checkpoint(file, 11)
      simulate(neuron, o)
      checkpoint(false)
      o.from = file
      local again = simulate(neuron, o)
      for _, name in ipairs(whole.names) do equal((again[name]:diff(whole[name])), 0) end
      o.from, o.stop, o.steps = nil, 1, 10
      o.from = simulate(neuron, o)
      o.stop, o.steps = 3, 20
      local rest = simulate(neuron, o)
      for _, name in ipairs(whole.names) do
        for i = 0, 20 do equal(rest[name][i], whole[name][10 + i]) end
      end
      os.remove(file)
    end)
    it("name the state that they make infinite", function()
      local m = load(phml(module_of("A", "a", "", quantity(1, "state", "x", rate("x", cn(1)), 1,
        jump("after", "x", apply("divide", cn(1), apply("minus", ci "x", ci "x")), apply("gt", ci "x", cn(2)))))))
      for _, engine in ipairs {"reference", "bytecode"} do
        raises("x is beyond the largest number", simulate, m, {stop = 5, dt = 0.25, method = "euler", engine = engine})
      end
    end)
    it("delay an expression", function()
      local m = load(phml(module_of("A", "a", "", quantity(1, "state", "x", rate("x", cn(1)), 0) ..
        quantity(2, "static-parameter", "y", set("y", cn(0)), nil, jump("after", "y", symbol("Delay", apply("times", cn(2), ci "x"), cn "0.5"))))))
      local o = {stop = 2, dt = 0.125, steps = 2, method = "euler", variables = {"y"}}
      M.near(simulate(m, o).y[2], 2 * (2 - 0.5), 1e-12)
      compare(m, nil, "euler", "bytecode")
    end)
    it("need steps of one length, and one instance", function()
      for _, engine in ipairs {"bytecode", "translator"} do
        raises('simulate: assignments between steps need steps of equal length: use method = "euler" or "rk4"', simulate, neuron,
          {stop = 1, dt = 0.1, method = "dopri5", engine = engine})
      end
      local b = neuron:bytecode()
      raises('b:run: assignments between steps need steps of equal length', b.run, b, {start = 0, stop = 1, intervals = 1, dt = 0.1, method = "dopri5", columns = {0}})
      raises("steps of equal length", simulate, neuron, {stop = 1, method = "dopri5"})
      raises("an ensemble has no assignments between steps: simulate one instance at a time", simulate, neuron, {stop = 1, instances = 2})
      raises("an ensemble has no assignments between steps", steady, neuron, {instances = 2})
      raises("assignments between steps are supported only by b:translate", b.steps_text, b, "euler", "x")
      raises("assignments between steps are supported only by b:translate", b.grid_text, b, "euler", "x")
    end)
    it("are left to the reference where they reach a variable in two ways", function()
      local chain = load(phml(module_of("N", "n", out(1), quantity(1, "state", "V", rate("V", cn(1)), 0, jump("after", "V", cn(0)))) ..
        module_of("L", "l", IN .. out(1), quantity(1, "variable-parameter", "heard", FROM_PORT)) ..
        module_of("K", "k", IN, quantity(1, "variable-parameter", "told", FROM_PORT)), edge("N", "L") .. edge("N", "K") .. edge("L", "K")))
      raises("the bytecode has no assignments between steps that reach k.told in two ways: use engine = \"reference\"", chain.bytecode, chain)
      equal(simulate(chain, {stop = 1, dt = 0.1, method = "euler", engine = "bytecode"}).engine, "reference")
    end)
    it("stay within their arrays, whatever the bytecode contains", function()
      local b = neuron:bytecode()
      local x = b:start()
      local x_next = x:copy()
      for round = 1, 20 do
        local seed = round * 0x9e3779b97f4a7c15
        for i = 0, b.words - 1 do
          seed = seed * 6364136223846793005 + 1442695040888963407
          b.codes[i] = (seed >> 33) << 32 | ((seed >> 24) & 0xff) % 70
        end
        for order = 0, 1 do
          ode_jumps(b, {x = x, x_next = x_next, order = order})
          ode_jumped(b, {x = x, x_next = x_next, order = order})
        end
        ode_ports(b, {x = x})
      end
      fill(b.jump, 0xffffffff)
      equal(ode_jumped(b, {x = x, x_next = x_next, order = 1}), 0)
      fill(b.jump_first, 0xfffffff0)
      ode_jumps(b, {x = x, x_next = x_next, order = 7})
      ode_ports(b, {x = x})
    end)
  end)
end
