-- Ensembles that are streamed to a file in batches, and ensembles resumed from a checkpoint: bit-identical to one uninterrupted run.
local ensemble_run = import "ensemble/ensemble_run"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near

local function text(equations) return model.from_text(equations) end
local function contents(path)
  local f = assert(io.open(path, "rb"))
  local all = f:read "a"
  f:close()
  return all
end

local predators = model.load(M.samples .. "lotka-volterra.ode")
-- Some instances fail, some are stiff, initial values differ, and the order of simultaneous events is random.
local all = text [[
  k = 1
  u' = -k*(u - cos(time))
  x' = a*x^2
  a = 0
  u(0) = 0
  x(0) = 1
  n = 0
  s = 0
  d = 0
  when time >= 1: n = n + 1, s = 10*s + 1
  when u > 0.5 after d: n = n + 1
]]
local GIVEN = {sample = {k = lognormal(3, 4), a = uniform(-1, 0.9), x = uniform(0.5, 1)}, seed = 4, instances = 29, stop = 2.3, steps = 7,
  variables = {"x", "u", "n", "s"}}

local function with(o, more)
  local out = {}
  for k, x in pairs(o) do out[k] = x end
  for k, x in pairs(more or {}) do out[k] = x end
  return out
end

-- Asserts that r has the same last row and counters as `whole`.
local function same_run(r, whole)
  for _, name in ipairs {"accepted", "rejected", "events", "stiff", "launches", "instances", "method"} do
    if not (name == "launches" and r.streamed) then equal({name, r[name]}, {name, whole[name]}) end
  end
  equal(#r.failed, #whole.failed)
  for k, f in ipairs(whole.failed) do equal(r.failed[k], f) end
  for _, name in ipairs(whole.names) do
    equal(r[name]:slice(r.rows - 1, r.rows):digest(), whole[name]:slice(whole.rows - 1, whole.rows):digest())
  end
end

-- Asserts that the file has the values of `whole`, instance by instance; each row of the file begins with the time.
local function same_array(path, whole)
  local b = buffer.load(path)
  equal({b.rows, b.cols}, {whole.instances * whole.rows, #whole.names + 1})
  for i = 0, whole.instances - 1 do
    for row = 0, whole.rows - 1 do
      equal(b:get(i * whole.rows + row, 0), whole.t[row])
      for k, name in ipairs(whole.names) do equal(b:get(i * whole.rows + row, k), whole[name]:get(row, i)) end
    end
  end
end

describe("the stream of an ensemble", function()
  local whole = simulate(all, GIVEN)
  it("is tried with instances that fail, that are stiff and that have events", function()
    assert(#whole.failed > 1 and whole.stiff > 1 and whole.events > 29, tostring(whole))
  end)
  it("has what a run without it has, in batches of any size", function()
    for _, batch in ipairs {1, 10, 29, 100} do
      local path = temporary ".npy"
      local r = simulate(all, with(GIVEN, {stream = path, batch = batch}))
      same_run(r, whole)
      same_array(path, whole)
      equal({r.rows, r.written, r.streamed, r.t[0]}, {1, 8, path, 2.3})
      equal(contents(path):match "'shape': (%b())", "(29, 8, 5)")
      os.remove(path)
    end
  end)
  it("has the same draws among events of one priority", function()
    if not M.sbml then return end
    local MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML">'
    local function event(change)
      return '<event useValuesFromTriggerTime="false"><trigger initialValue="true" persistent="true">' .. MATH ..
        '<apply><gt/><csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol><cn>1</cn></apply>' ..
        "</math></trigger><priority>" .. MATH .. "<cn>5</cn></math></priority><listOfEventAssignments><eventAssignment variable=\"x\">" ..
        MATH .. "<apply>" .. change .. "</apply></math></eventAssignment></listOfEventAssignments></event>"
    end
    local path = temporary ".xml"
    local f = assert(io.open(path, "w"))
    f:write('<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model><listOfParameters>' ..
      '<parameter id="x" value="1" constant="false"/></listOfParameters><listOfEvents>' .. event "<times/><ci>x</ci><cn>2</cn>" ..
      event "<plus/><ci>x</ci><cn>1</cn>" .. event "<divide/><ci>x</ci><cn>3</cn>" .. "</listOfEvents></model></sbml>")
    f:close()
    local m, o, seen, kinds = model.load(path), {instances = 20, stop = 2, steps = 2, variables = {"x"}}, {}, 0
    os.remove(path)
    local drawn = simulate(m, o)
    for i = 0, 19 do
      local x = drawn.x:get(2, i)
      if not seen[x] then seen[x], kinds = true, kinds + 1 end
    end
    assert(kinds > 2, kinds)
    o.stream, o.batch = temporary ".npy", 6
    simulate(m, o)
    same_array(o.stream, drawn)
    os.remove(o.stream)
  end)
  it("is a line for each instance and time in a file of text", function()
    local path = temporary ".csv"
    simulate(all, with(GIVEN, {stream = path, batch = 7}))
    local lines = {}
    for line in io.lines(path) do lines[#lines + 1] = line end
    equal({#lines, lines[1]}, {1 + 29 * 8, "instance,a,k,x(0),time,x,u,n,s"})
    for i = 0, 28 do
      for row = 0, 7 do
        local cells = {}
        for cell in lines[2 + 8 * i + row]:gmatch "[^,]+" do cells[#cells + 1] = tonumber(cell) or 0 / 0 end
        local want = {i + 0.0, whole.parameters.a[i], whole.parameters.k[i], whole.parameters.x[i], whole.t[row]}
        for _, name in ipairs(whole.names) do want[#want + 1] = whole[name]:get(row, i) end
        for k, x in ipairs(want) do equal(cells[k] + 0.0, x) end
      end
    end
    os.remove(path)
  end)
  it("leaves the last row, of which there are statistics and a proof", function()
    local path = temporary ".npy"
    local o = {sample = {a = uniform(1, 2)}, instances = 50, stop = 5, steps = 5}
    local plain = simulate(predators, o)
    o.stream, o.batch = path, 20
    local r = simulate(predators, o)
    near(r:mean("x")[0], plain:mean("x")[5], 1e-14)
    equal(r:quantile("y", 0.5)[0], plain:quantile("y", 0.5)[5])
    assert(check(r))
    r.record:set(0, 49, 1.01 * r.record:get(0, 49))
    raises("instance 49, time 5: x is", check, r)
    assert(tostring(r):find(("written to %s; this is the last row"):format(path), 1, true), tostring(r))
    assert(tostring(r):find("50 instances of Predators and prey, time 0 to 5, 6 rows, by auto", 1, true), tostring(r))
    raises("the rows are in the file " .. path, r.save, r, "x.csv")
    raises("the rows are in the file " .. path, r.plot, r, "x")
    os.remove(path)
  end)
  it("has whole instances, whatever ends the run", function()
    local path, before, puts = temporary ".npy", ensemble_run.stand, 0
    local f = assert(io.open(path, "wb"))
    f:write "an older file"
    f:close()
    ensemble_run.stand = function(...)
      puts = puts + 1
      if puts == 3 then error "power" end
      return before(...)
    end
    local good, why = pcall(simulate, all, with(GIVEN, {stream = path, batch = 10}))
    ensemble_run.stand = before
    assert(not good and why:find "power", why)
    equal(contents(path), "an older file")
    local rows = temporary ".npy"
    assert(os.rename(path .. ".part", rows))
    local b = buffer.load(rows)
    equal(b.rows, 20 * 8)
    equal(b:get(19 * 8 + 7, 1), whole.x:get(7, 19))
    os.remove(rows)
    os.remove(path)
  end)
  it("leaves an older file until it is complete, and nothing if it has no rows", function()
    local path, before, seen = temporary ".csv", ensemble_run.stand, nil
    local function write(text)
      local f = assert(io.open(path, "wb"))
      f:write(text)
      f:close()
    end
    write "an older file"
    ensemble_run.stand = function(...)
      seen = contents(path)
      return before(...)
    end
    simulate(all, with(GIVEN, {stream = path, batch = 10}))
    ensemble_run.stand = before
    equal(seen, "an older file")
    assert(contents(path):find("^instance,") and not io.open(path .. ".part"))
    write "an older file"
    local integrate = ensemble_run.integrate
    ensemble_run.integrate = function() error "power" end
    local good, why = pcall(simulate, all, with(GIVEN, {stream = path, batch = 10}))
    ensemble_run.integrate = integrate
    assert(not good and why:find "power", why)
    assert(contents(path) == "an older file" and not io.open(path .. ".part"))
    os.execute("chmod 640 " .. path)
    simulate(all, with(GIVEN, {stream = path}))
    local f <close> = io.popen("stat -c %a " .. path)
    equal(f:read "l", "640")
    os.remove(path)
  end)
  it("is refused where it can not be", function()
    raises("stream must be the name of a file", simulate, predators, {instances = 2, stop = 1, stream = 3})
    raises("x.txt: an ensemble is streamed to a file whose name ends in .csv or .npy", simulate, predators,
      {instances = 2, stop = 1, stream = "x.txt"})
    raises("keep = false keeps none", simulate, predators, {instances = 2, stop = 1, stream = "x.csv", keep = false})
    raises("batch is for stream", simulate, predators, {instances = 2, stop = 1, batch = 2})
    raises("batch must be a whole number", simulate, predators, {instances = 2, stop = 1, stream = "x.csv", batch = 0})
    raises("cannot open", simulate, predators, {instances = 2, stop = 1, stream = "/nonexistent/x.csv"})
  end)
end)

describe("a checkpoint of an ensemble", function()
  local file = temporary ".ckpt"
  -- Runs with a checkpoint every `every` launches, then runs again from the last checkpoint.
  local function again(o, every)
    checkpoint(file, every)
    local first = simulate(all, o)
    checkpoint(false)
    return simulate(all, with(o, {from = file})), first
  end
  long("is gone on from with the same bits", function()
    local whole = simulate(all, with(GIVEN, {attempts = 3}))
    for _, method in ipairs {"auto", "dopri5", "rodas4", "radau5"} do
      local o = with(GIVEN, {attempts = 3, method = method})
      if method == "dopri5" then o.sample = with(o.sample, {k = uniform(1, 5)}) end
      local plain = method == "auto" and whole or simulate(all, o)
      assert(plain.launches > 13)
      for _, every in ipairs {1, 5, plain.launches - 2} do
        local r = again(o, every)
        same_run(r, plain)
        equal(r.record:digest(), plain.record:digest())
      end
    end
  end)
  long("has the statistics of the rows so far", function()
    local o = with(GIVEN, {keep = false, quantiles = {0.3, 0.8}, bins = 5, attempts = 3})
    for _, every in ipairs {2, 9} do
      local r, whole = again(o, every)
      for _, name in ipairs(whole.names) do
        equal(r:mean(name):totable(), whole:mean(name):totable())
        equal(r:deviation(name):totable(), whole:deviation(name):totable())
        equal(r:quantile(name, 0.8):totable(), whole:quantile(name, 0.8):totable())
        for row = 0, 7 do
          equal(r:histogram(name, 5, row), whole:histogram(name, 5, row))
          equal(tostring(r:histogram(name, 5, row)), tostring(whole:histogram(name, 5, row)))
        end
      end
    end
  end)
  long("goes on with its file, and cuts off what was written since", function()
    for _, ending in ipairs {".npy", ".csv"} do
      local path = temporary(ending)
      local o = with(GIVEN, {stream = path, batch = 10, attempts = 3})
      local whole = simulate(all, o)
      local bytes = contents(path)
      for _, every in ipairs {1, 7, 23} do
        local r = again(o, every)
        same_run(r, whole)
        assert(contents(path) == bytes, every)
      end
      local f = io.open(path, "wb") -- a truncated file
      f:write(bytes:sub(1, 300))
      f:close()
      raises("bytes that were written before, found 300", simulate, all, with(o, {from = file}))
      f = io.open(path, "wb") -- another file
      f:write(("x"):rep(#bytes))
      f:close()
      raises(ending == ".npy" and "expected the array that was streamed before" or "1: expected 'instance,a,k,x(0),time,x,u,n,s', found 'xx",
        simulate, all, with(o, {from = file}))
      os.remove(path)
      raises("No such file", simulate, all, with(o, {from = file}))
      assert(not io.open(path .. ".part"))
    end
  end)
  long("of the first batch begins the file anew", function()
    for _, ending in ipairs {".npy", ".csv"} do
      local path = temporary(ending)
      local o = with(GIVEN, {stream = path, attempts = 3})
      local whole = simulate(all, o)
      local bytes = contents(path)
      same_run(again(o, 5), whole)
      assert(contents(path) == bytes)
      os.remove(path)
    end
  end)
  long("goes on where a run was ended by an error", function()
    local path, before, stands = temporary ".npy", ensemble_run.stand, 0
    local o = with(GIVEN, {stream = path, batch = 10, attempts = 2})
    local whole = simulate(all, o)
    local bytes = contents(path)
    ensemble_run.stand = function(...)
      stands = stands + 1
      if stands == 3 then error "power" end
      return before(...)
    end
    checkpoint(file, 3)
    pcall(simulate, all, o)
    checkpoint(false)
    ensemble_run.stand = before
    assert(contents(path) == bytes and io.open(path .. ".part")) -- the previous run's file is intact
    same_run(simulate(all, with(o, {from = file})), whole)
    assert(contents(path) == bytes)
    os.remove(path)
  end)
  long("of another run is refused", function()
    checkpoint(file, 1)
    simulate(all, GIVEN)
    checkpoint(false)
    local function refused(why, more) raises(why, simulate, all, with(GIVEN, with({from = file}, more))) end
    refused("its instances were given other values", {seed = 5})
    refused("it has rows at other times", {stop = 2.4})
    refused("its method is auto, here it is radau5", {method = "radau5"})
    refused("its rtol is 1e-06, here it is 1e-07", {rtol = 1e-7})
    refused("its attempts is 48, here it is 5", {attempts = 5})
    refused("it has other absolute tolerances", {atol = 1e-5})
    refused("from must be the name of a checkpoint's file", {from = 3})
    raises("it has another model or other variables", simulate, text("k = 1\nu' = -k\nx' = a*x\na = 0\nu(0) = 0\nx(0) = 1\nn = 0\ns = 0\nd = 0\n" ..
      "when time >= 1: n = n + 1, s = 10*s + 1\nwhen u > 0.5 after d: n = n + 1"), with(GIVEN, {from = file}))
    refused("No such file", {from = "none.ckpt"})
  end)
  os.remove(file)
end)
