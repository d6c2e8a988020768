-- simulate with `stream`: rows are written to a file while they are computed, and remain there however the run ends.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near
local engines = {"reference", "bytecode", os.execute "cc --version > /dev/null 2>&1" and "translator" or nil}

local function text(path)
  local f = assert(io.open(path, "rb"))
  local all = f:read "a"
  f:close()
  return all
end

local predators = model.load(M.samples .. "lotka-volterra.ode")

describe("stream", function()
  for _, engine in ipairs(engines) do
    it("writes what save writes, " .. engine, function()
      local a, b = temporary ".csv", temporary ".csv"
      for _, method in ipairs {"euler", "rk4", "dopri5"} do
        local o = {stop = 3, dt = 0.1, steps = 7, method = method, engine = engine, variables = {"y", "x"}}
        local whole = simulate(predators, o)
        whole:save(a)
        o.stream = b
        local r = simulate(predators, o)
        equal(text(b), text(a))
        equal({r.rows, #r.t, r.t[0], r.y[0], r.streamed}, {8, 1, whole.t[7], whole.y[7], b})
        equal(tostring(r):match "8 rows of 2 variables, time 0 to 3" ~= nil and tostring(r):find(b, 1, true) ~= nil, true)
      end
      os.remove(a)
      os.remove(b)
    end)
    it("writes .npy, " .. engine, function()
      local path = temporary ".npy"
      local o = {stop = 3, dt = 0.1, steps = 30, method = "rk4", engine = engine, variables = {"x"}}
      local whole = simulate(predators, o)
      o.stream = path
      simulate(predators, o)
      local d = buffer.load(path)
      equal({#d, d.dtype}, {62, "f64"})
      for i = 0, 30 do equal({d[2*i], d[2*i + 1]}, {whole.t[i], whole.x[i]}) end
      os.remove(path)
    end)
    it("has the rows before an error, " .. engine, function()
      for _, method in ipairs {"euler", "dopri5"} do
        for _, kind in ipairs {".csv", ".npy"} do
          local path = temporary(kind)
          raises("at time", simulate, model.from_text "x' = 1\nx(0) = 0\ny = {x if time < 1.2; ln(-1) otherwise}\nz' = y\nz(0) = 0",
            {stop = 3, dt = 0.01, steps = 30, method = method, engine = engine, variables = {"x"}, stream = path})
          local d = buffer.load(path)
          local rows = #d // 2
          equal(rows >= 11 and rows <= 13, true)
          for i = 0, 10 do near(d[2*i], i / 10, 1e-12) near(d[2*i + 1], i / 10, 1e-6) end
          assert(not io.open(path .. ".part"))
          os.remove(path)
        end
      end
    end)
  end
  it("keeps a few rows at a time", function()
    local b = predators:bytecode()
    local places = {b.code:place(select(2, predators:find "x")), b.vars - 1}
    for _, method in ipairs {"euler", "rk4", "dopri5"} do
      for _, dt in ipairs {0.05, 1} do
        local o = {start = 0, stop = 10, intervals = 10, dt = dt, method = method, columns = places, rtol = 1e-8, atol = 1e-10}
        local whole = b:run(o).columns
        for window = 2, 12 do
          local x, t, most = {}, {}, 0
          o.window = window
          o.sink = function(columns)
            most = math.max(most, #columns[1])
            for i = 0, #columns[1] - 1 do x[#x + 1], t[#t + 1] = columns[1][i], columns[2][i] end
          end
          local last = b:run(o)
          equal({#x, most, #last.columns[1], t[11]}, {11, math.min(window, 11), 1, whole[2][10]})
          for i = 0, 10 do
            near(x[i + 1], whole[1][i], method == "dopri5" and 1e-6 or 0) -- dopri5 ends a step when the record buffer is full
            near(t[i + 1], whole[2][i], 0)
          end
          near(last.columns[1][0], x[11], 0)
        end
        o.window, o.sink = nil, nil
      end
    end
  end)
  it("hands on what there is about once a second", function()
    local b, clock, shift = predators:bytecode(), trace.clock, 0
    for _, method in ipairs {"rk4", "dopri5"} do
      local t, calls = {}, 0
      local function sink(columns)
        calls = calls + 1
        for i = 0, #columns[1] - 1 do t[#t + 1] = columns[1][i] end
      end
      trace.clock = function() -- two seconds pass between two calls of the clock
        shift = shift + 2
        return clock() + shift
      end
      local fine, why = pcall(b.run, b, {start = 0, stop = 10, intervals = 10, dt = 0.1, method = method, columns = {b.vars - 1}, rtol = 1e-8,
        atol = 1e-10, sink = sink, window = 11})
      trace.clock = clock
      assert(fine, why)
      equal({#t, calls > 3}, {11, true})
      for i = 0, 10 do near(t[i + 1], i, 1e-12) end
    end
  end)
  it("of events, in pieces of a row, and on from where it ended", function()
    local m = model.from_text "x' = 1\nx(0) = 0\nwhen x > 1: x = 0\nw' = wiener()\nw(0) = 0"
    local a, b, c = temporary ".csv", temporary ".csv", temporary ".csv"
    local o = {stop = 8, dt = 0.001, steps = 8, method = "euler", engine = "bytecode", seed = 3}
    simulate(m, o):save(a)
    o.stream, o.stop, o.steps = b, 4, 4
    local half = simulate(m, o)
    o.stream, o.stop, o.from = c, 8, half
    simulate(m, o)
    equal(text(b) .. text(c):match "^[^\n]*\n[^\n]*\n(.*)$", text(a))
    for _, path in ipairs {a, b, c} do os.remove(path) end
  end)
  it("of a species' other quantity", function()
    if not (M.sbml and M.there "sbml/index.tsv") then return end
    local m = model.load(M.DATA .. "/sbml/T1/00009/00009-sbml-l3v1.xml")
    local a, b = temporary ".csv", temporary ".csv"
    for _, engine in ipairs {"reference", "bytecode"} do
      local o = {stop = 1, dt = 0.1, steps = 5, method = "rk4", engine = engine, concentration = {"S1"}, variables = {"S1", "S2"}}
      simulate(m, o):save(a)
      o.stream = b
      simulate(m, o)
      equal(text(b), text(a))
    end
    os.remove(a)
    os.remove(b)
  end)
  it("names what is wrong", function()
    local o = {stop = 1, method = "rk4"}
    o.stream = "x.txt"
    raises("x.txt: rows are streamed to a file whose name ends in .csv or .npy", simulate, predators, o)
    o.stream = "/nonexistent/x.csv"
    raises("/nonexistent/x.csv: cannot open: No such file", simulate, predators, o)
    o.stream = 5
    raises("stream must be the name of a file", simulate, predators, o)
    o.stream, o.from, o.engine = "x.csv", "y.ckpt", "bytecode"
    raises("a run that goes on from a checkpoint cannot be streamed", simulate, predators, o)
    if io.open("/dev/full") then
      local link = temporary ".csv"
      os.execute("ln -s /dev/full " .. link)
      for _, engine in ipairs(engines) do
        raises("cannot write: No space left on device", simulate, predators, {stop = 1, method = "rk4", steps = 10000, engine = engine, stream = link})
      end
      os.remove(link)
    end
    local s = model.stream(temporary ".csv", {"a"})
    raises("stream:put: 1 columns expected, got 2", s.put, s, {"a", "b"}, {buffer.new("f64", 1), buffer.new("f64", 1)})
    equal(s:close(), 0)
    local path = temporary ".csv"
    s = model.stream(path, {"a"})
    s:put({"a"}, {buffer.new("f64", {2})})
    assert(not io.open(path))
    equal(text(path .. ".part"), "a\n2\n")
    s:leave()
    assert(not io.open(path))
    os.remove(path .. ".part")
    raises("the stream is closed", s.put, s, {"a"}, {buffer.new("f64", 1)})
  end)
end)
