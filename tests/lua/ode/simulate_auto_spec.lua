-- engine = "auto": the engine is chosen by running the first steps with each, and is reported.
local engines = import "ode/simulate_auto"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")

describe("engine auto", function()
  local m = model.load(M.samples .. "lotka-volterra.ode")
  local o = {stop = 2, dt = 0.01, steps = 4, method = "rk4"}
  it("computes what the engine that it took computes", function()
    local before = device().name
    o.engine = "auto"
    local r = simulate(m, o)
    equal({r.engine == "reference" or r.engine == "bytecode", device().name}, {true, before})
    o.engine = nil
    local want = simulate(m, o)
    for i = 0, 4 do M.near(r.x[i], want.x[i], 1e-12) end
  end)
  it("says how fast each was, and takes the fastest", function()
    local best, why = engines.fastest(m, {start = 0, dt = 0.01, method = "euler", most = 200}, simulate)
    local times = {}
    for time, engine in why:gmatch "([%d.e+-]+) us by (%a+) on %g+" do times[#times + 1] = {engine, tonumber(time)} end
    equal(#times >= 2, true)
    for _, x in ipairs(times) do equal(x[2] * 1e-6 >= best.time * 0.99, true) end
    local large = M.line {cells = 200} -- a run long enough to make compiling kernels worthwhile
    if os.execute "cc --version > /dev/null 2>&1" then
      local _, said = engines.fastest(large, {start = 0, dt = 0.01, method = "euler", most = 10000000}, simulate)
      equal(said:match "us by translator on %g+" ~= nil, true)
    end
  end)
  it("takes an engine that saves a checkpoint where one is asked for, and saves that of the run", function()
    local file = temporary ".ckpt"
    checkpoint(file, 3)
    o.engine = "auto"
    local r = simulate(m, o)
    equal({session.saves()}, {file, 3})
    checkpoint(false)
    o.engine = nil
    equal(r.engine, "bytecode")
    local again = simulate(m, {stop = 2, dt = 0.01, steps = 4, method = "rk4", engine = "bytecode", from = file})
    equal((again.x:diff(r.x)), 0)
  end)
  it("leaves what it cannot try to the reference", function()
    equal(simulate(m, {stop = 1, method = "dopri5", engine = "auto"}).engine, "reference")
    equal(simulate(model.from_text "x' = y\nx(0) = 0\ny = time", {stop = 1, dt = 0.1, method = "euler", engine = "auto"}).x[100] ~= nil, true)
    raises("'bytecode' and 'from' need a fixed engine", simulate, m, {stop = 1, engine = "auto", bytecode = m:bytecode()})
  end)
end)
