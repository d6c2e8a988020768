-- Events, delays and random numbers in bytecode: on the same processor, results are bit-identical to the reference's and errors equal.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near, same = M.near, M.same
local on_cpu = device().processor == "cpu"

local ALL = {{base = true}, {}, {unify = "warp"}, {fold = true}, {base = true, redundant = true}, {base = true, unify = "phase"},
  {base = true, reorder = true, unify = "warp"}, {base = true, remap = true}, {base = true, merge = true}}
ALL = {table.unpack(ALL, 1, sized(#ALL, #ALL, 2))}

local TIMED = {
  "x' = -delay(x, 1)\nx(0) = 1",
  "x' = -delay(x, 0.5 + 0.3*sin(time))\ny = delay(x, 2)\nx(0) = 1\nz = 2*y + x",
  "x' = -delay(y, 1.005)\ny = x*cos(time)\nx(0) = 1", -- before the start, y has other values than at it
  "x' = -x/2\nx(0) = 2\ny = delay(rateOf(x) + time, 1)\nz' = delay(y, 0.5)\nz(0) = 0", -- before the start, rateOf is 0
  "x' = wiener()\nx(0) = 1\ny' = wiener()\ny(0) = 0",
  "x' = uniform(0, 1) + gauss(1, 2) + exponential(2)\nx(0) = 1\ny = poisson(3.5) + gamma(2, 3) + gamma(0.5, 1)\n" ..
    "z = lognormal(0, 1) + weibull(1, 2) + poisson(2000000) + poisson(700)",
  "x' = wiener()\nx(0) = 1\nn = 0\nwhen x > 1.5: n = n + uniform(0, 1), x = 1\nwhen x < 0.5 after 0.1: x = 1",
  "x' = 1\nx(0) = 0\nwhen x > 1 after 0.25: x = 0",
  "k = 0.5\ny = k*x\nx' = -y\nx(0) = 10\nwhen x < 5: k = 0.1*delay(x, 1)\nw = delay(y, 0.7)",
  "h' = v\nv' = -10\nh(0) = 5\nv(0) = 0\nn = 0\nwhen h < 0: h = 0, v = -0.9*v, n = n + 1",
  "y = 0\nx' = 1\nx(0) = 0\nwhen x > 1: y = delay(x, 0.004), x = 0\nz = delay(x, 0.001)\nv = y", -- the delays are shorter than a step
  "a = 1\nb = 2\nx' = a - b\nx(0) = 0\nwhen time > 1: a = b, b = a\nwhen a > 1 after 0.5: a = 3*x",
}
describe("events, delays and noise", function()
  for _, method in ipairs {"euler", "rk4"} do
    it("are those of the reference, in every arrangement, by " .. method, function()
      for _, text in ipairs(TIMED) do
        local m = model.from_text(text)
        for k, how in ipairs(ALL) do
          local o = {stop = sized(7, 7, 3), dt = 0.013, steps = 20, method = method, seed = 1000 + k}
          local want = simulate(m, o)
          o.engine, o.bytecode = "bytecode", m:bytecode(how)
          local got = simulate(m, o)
          same(want, got, 1e-6)
          if on_cpu then equal({got.events, got.engine}, {want.events, "bytecode"}) end
        end
      end
    end)
  end
  if M.sbml then
    it("have each chance where priorities are the same", function()
      local function event(change)
        return '<event useValuesFromTriggerTime="false"><trigger initialValue="true" persistent="true"><math ' ..
          'xmlns="http://www.w3.org/1998/Math/MathML"><apply><gt/><apply><rem/><csymbol encoding="text" ' ..
          'definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol><cn>1</cn></apply><cn>0.5</cn></apply></math>' ..
          '</trigger><priority><math xmlns="http://www.w3.org/1998/Math/MathML"><cn>5</cn></math></priority>' ..
          '<listOfEventAssignments><eventAssignment variable="x"><math xmlns="http://www.w3.org/1998/Math/MathML"><apply>' ..
          change .. '</apply></math></eventAssignment></listOfEventAssignments></event>'
      end
      local text = '<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model>' ..
        '<listOfParameters><parameter id="x" value="1" constant="false"/></listOfParameters><listOfEvents>' ..
        event "<times/><ci>x</ci><cn>2</cn>" .. event "<plus/><ci>x</ci><cn>1</cn>" .. event "<divide/><ci>x</ci><cn>3</cn>" ..
        "</listOfEvents></model></sbml>"
      with_file(".xml", text, function(path)
        local m, ends = model.load(path), {}
        for seed = 1, 8 do
          local o = {stop = 9, dt = 0.1, steps = 9, method = "euler", seed = seed, variables = {"x"}}
          local want = simulate(m, o)
          o.engine = "bytecode"
          local got = simulate(m, o)
          equal({(got.x:diff(want.x)), got.events}, {0, 27})
          ends[got.x[9]] = true
        end
        local _, first = next(ends)
        equal(next(ends, (next(ends))) ~= nil and first, true) -- different seeds give different results
      end)
    end)
  end
  it("draw otherwise with another seed, and in another cell", function()
    local m = model.from_text "x' = wiener()\nx(0) = 0"
    local o = {stop = 1, dt = 0.1, steps = 10, method = "euler", engine = "bytecode", seed = 3}
    local a, b = simulate(m, o), simulate(m, o)
    o.seed = 4
    local c = simulate(m, o)
    equal({(a.x:diff(b.x)), (a.x:diff(c.x)) > 5}, {0, true})
    local cells = m:bytecode {cells = 3}
    local r = cells:run {start = 0, stop = 1, intervals = 10, dt = 0.1, method = "euler", columns = {cells.code:place(1)}, seed = 3}
    for i = 0, 10 do equal(r.columns[1][i], a.x[i]) end
    equal({r.columns[1][11 + 5] ~= a.x[5], r.columns[1][22 + 5] ~= r.columns[1][11 + 5]}, {true, true})
  end)
  it("come in each cell at its own time", function()
    local m = model.from_text "x' = k\nk = 1\nx(0) = 0\nn = 0\nwhen x > 1 after 0.3: x = 0, n = n + 1\nd = delay(x, 0.5)"
    local b = m:bytecode {cells = 3}
    local places = {}
    for k, name in ipairs {"x", "n", "d"} do places[k] = b.code:place(select(2, m:find(name))) end
    local r = b:run {start = 0, stop = 5, intervals = 50, dt = 0.01, method = "rk4", columns = places, vary = {k = {1, 2, 0.5}}}
    local events = 0
    for c, k in ipairs {1, 2, 0.5} do
      m:set("k", k)
      local one = simulate(m, {stop = 5, steps = 50, dt = 0.01, method = "rk4", variables = {"x", "n", "d"}})
      events = events + one.events
      for i = 0, 50 do
        for j, name in ipairs {"x", "n", "d"} do near(r.columns[j][(c - 1) * 51 + i], one[name][i], on_cpu and 0 or 1e-12, 1e-12) end
      end
    end
    equal(r.events, events)
    equal(events > 5, true)
  end)
  it("go on from a checkpoint, and from where a simulation ended", function()
    local file = temporary ".ckpt"
    for k, text in ipairs(TIMED) do
      if k > sized(#TIMED, #TIMED, 3) then break end
      local m = model.from_text(text)
      local b = m:bytecode()
      local o = {stop = 6, dt = 0.01, steps = 60, method = "rk4", engine = "bytecode", bytecode = b, seed = 5}
      local whole = simulate(m, o)
      checkpoint(file, 23) -- the last checkpoint is that of row 46
      simulate(m, o)
      checkpoint(false)
      o.from = file
      local again = simulate(m, o)
      equal(again.events, whole.events)
      for _, name in ipairs(whole.names) do equal((again[name]:diff(whole[name])), 0) end
      o.from, o.stop, o.steps = nil, 2, 20
      o.from = simulate(m, o)
      o.stop, o.steps = 6, 40
      local rest = simulate(m, o)
      for _, name in ipairs(whole.names) do
        for i = 0, 40 do
          local x, y = rest[name][i], whole[name][20 + i]
          if x ~= y then error(("%s in row %d: %.17g, %.17g in one piece: %s"):format(name, i, x, y, text)) end
        end
      end
    end
    os.remove(file)
  end)
  if M.xml then
    it("leave to the reference what they have not, and say so", function()
      local m, told
      local text = io.open(M.small .. "small.phml"):read "a"
      -- a definition by one case with a condition: otherwise `noise` keeps its value
      text = text:gsub('(<is:definition type="ae"><m:math><m:apply><m:eq/><m:ci>noise</m:ci>.-</is:definition>)(</is:implementation>)',
        '<is:definition type="conditional"><is:case-set><is:case><is:condition><m:math><m:apply><m:gt/><m:ci>V</m:ci><m:cn>5</m:cn></m:apply></m:math></is:condition>%1</is:case></is:case-set></is:definition>%2')
      with_file(".phml", text, function(path) m = model.load(path) end)
      local note = algorithm.note
      algorithm.note = function(name, text) told = name .. ": " .. text end
      local fine, r = pcall(simulate, m, {stop = 1, dt = 0.1, steps = 2, method = "euler", engine = "bytecode"})
      algorithm.note = note
      equal({fine, fine and r.engine}, {true, "reference"})
      equal(told:match "phml:%d+: the bytecode has no 'keep'; it is simulated with engine = \"reference\"" ~= nil, true)
      same(r, simulate(m, {stop = 1, dt = 0.1, steps = 2, method = "euler"}))
      raises("only bytecode can resume from a checkpoint file", simulate, m, {stop = 1, method = "euler", engine = "bytecode", from = "none.ckpt"})
    end)
  end
  it("fail as they do in the reference", function()
    for _, text in ipairs {"x' = 1\nx(0) = 0\nwhen x > 1 after 0 - 1: x = 0", "x' = 1\nx(0) = 0\nn = 0\nwhen n == 0 and x > 1: n = 1\nwhen n == 1: n = 0"} do
      local m = model.from_text(text)
      local o = {stop = 3, dt = 0.125, steps = 3, method = "euler"}
      local _, want = pcall(simulate, m, o)
      o.engine = "bytecode"
      raises(want:match "text:.*", simulate, m, o)
    end
    local many = model.from_text "x' = 1\nx(0) = 0\nwhen sin(100*time) > 0 after 50: x = 0"
    raises("64 events are waiting, among them event 1: more than bytecode can keep; use engine = \"reference\"", simulate, many,
      {stop = 20, dt = 0.005, steps = 2, method = "euler", engine = "bytecode"})
    local ends = model.from_text "x' = ln(2.1 - time) + y\ny = 0.01*wiener() + delay(x, 0.5)\nx(0) = 1\nwhen time > 1: x = 2"
    for _, steps in ipairs {1, 12} do
      local o = {stop = 3, dt = 0.25, steps = steps, method = "rk4"}
      local _, want = pcall(simulate, ends, o)
      o.engine = "bytecode"
      raises(want:match "at time [^:]+: x is not a number", simulate, ends, o)
    end
  end)
end)
