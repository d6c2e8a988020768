-- Fits: noisy data with known parameters, standard errors, and error messages for bad data files.
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near

local function text(equations) return model.from_text(equations) end

local function gauss_of(seed)
  local random = ensemble.random(seed)
  return function() return math.sqrt(-2 * math.log(1 - random())) * math.cos(2 * math.pi * random()) end
end

local DECAY = "k = 0.7\nc = 1\nx' = -k*x + c\nx(0) = 5\ny = 2*x"

-- Values of c/k + (x0 - c/k) exp(-k t) with noise.
local function decay(sd, seed, k, c, x0)
  local d, gauss = {time = {}, x = {}}, gauss_of(seed)
  for i = 0, 20 do
    local t = 0.25 * i
    d.time[i + 1], d.x[i + 1] = t, c / k + (x0 - c / k) * math.exp(-k * t) + sd * gauss()
  end
  return d
end

describe("a fit", function()
  long("without noise comes to the truth", function()
    local r = fit(text(DECAY), {data = decay(0, 1, 1.3, 0.4, 3), parameters = {k = {0.1, 10}, c = {0, 5}, x = {1, 10}}})
    near(r.parameters.k, 1.3, 1e-6)
    near(r.parameters.c, 0.4, 1e-6)
    near(r.parameters.x, 3, 1e-6)
    assert(r.sum_of_squares < 1e-12)
    equal(#r.starts, 8)
    assert(r.agree >= 6, r.agree)
    assert(check(r))
  end)
  long("has standard errors that are those of repeated measurements", function()
    local m, z, count = text(DECAY), {k = {}, x = {}}, sized(60, 30)
    for seed = 1, count do
      local r = fit(m, {data = decay(0.1, seed, 0.7, 1, 5), parameters = {"k", "x"}, errors = seed % 2 == 0 and {x = 0.1} or nil})
      equal(r.ended, "converged")
      z.k[seed] = (r.parameters.k - 0.7) / r.errors.k
      z.x[seed] = (r.parameters.x - 5) / r.errors.x
    end
    for _, list in pairs(z) do
      local sum, square = 0, 0
      for _, x in ipairs(list) do sum, square = sum + x, square + x * x end
      near(sum / count, 0, 0, 3.5 / math.sqrt(count))
      near(math.sqrt(square / count), 1, 0.35)
    end
  end)
  long("of a straight line is the textbook's", function()
    local m, d, gauss = text "a = 1\nb = 1\nx' = b\nx(0) = a\ny = a + b*time", {time = {}, y = {}}, gauss_of(8)
    local n, st, sy, stt, sty = 12, 0, 0, 0, 0
    for i = 1, n do
      local t, y = i / 2, 3 - 0.5 * i + gauss()
      d.time[i], d.y[i] = t, y
      st, sy, stt, sty = st + t, sy + y, stt + t * t, sty + t * y
    end
    local b = (n * sty - st * sy) / (n * stt - st * st)
    local a, rss = (sy - b * st) / n, 0
    for i = 1, n do rss = rss + (d.y[i] - a - b * d.time[i]) ^ 2 end
    local r = fit(m, {data = d, parameters = {"a", "b"}})
    near(r.parameters.a, a, 1e-7)
    near(r.parameters.b, b, 1e-7)
    local s2 = rss / (n - 2)
    near(r.errors.b, math.sqrt(n * s2 / (n * stt - st * st)), 1e-6)
    near(r.errors.a, math.sqrt(s2 * stt / (n * stt - st * st)), 1e-6)
    near(r.correlation.a.b, -st / math.sqrt(n * stt), 1e-6)
    assert(check(r))
  end)
  long("recovers predators and prey from a file with noise", function()
    local m, gauss = model.load(M.samples .. "lotka-volterra.ode"), gauss_of(3)
    local c = simulate(m, {stop = 20, steps = 40})
    local lines = {"# counted by hand", "time,x,y"}
    for i = 0, 40 do
      lines[#lines + 1] = ("%g,%s,%.9g"):format(c.t[i], i == 7 and "" or ("%.9g"):format(c.x[i] + 0.5 * gauss()), c.y[i] + 0.5 * gauss())
    end
    with_file(".csv", table.concat(lines, "\r\n"), function(path)
      local r = fit(m, {data = path, parameters = {a = {0.1, 10}, p = {0.01, 1}, k = {0.1, 10}, b = {0.005, 0.5}}})
      equal({r.count, r.ended}, {81, "converged"})
      for name, truth in pairs {a = 1.5, p = 0.1, k = 1, b = 0.05} do
        near(r.parameters[name], truth, 0, 4 * r.errors[name])
        assert(r.errors[name] < 0.03 * truth, r.errors[name])
      end
      assert(check(r))
      assert(tostring(r):find("fit of 4 parameters of Predators and prey to 81 values: converged", 1, true), tostring(r))
      equal(#r:residuals "x", 40)
      local before, drawn = plot, nil
      plot = function(p) drawn = p end
      r:plot("y", {file = "y.svg"})
      plot = before
      equal({#drawn, #drawn[2].y, drawn.file}, {2, 41, "y.svg"})
    end)
  end)
  it("weighs values by what the file says of them", function()
    local d = decay(0, 1, 0.7, 1, 5)
    d.x_sd = {}
    for i in ipairs(d.x) do d.x_sd[i] = 0.1 end
    d.x[5], d.x_sd[5] = 100, 1e9
    local r = fit(text(DECAY), {data = d, parameters = {"k", "x"}})
    near(r.parameters.k, 0.7, 1e-6)
    near(r.parameters.x, 5, 1e-6)
    equal(r.known, true)
    d.y = d.x -- the model's y is 2*x
    raises("y_sd", function() fit(text(DECAY), {data = {time = {0}, x = {1}, y_sd = {1}}, parameters = {"k"}}) end)
  end)
  it("stays in the ranges, and says which are reached", function()
    local r = fit(text(DECAY), {data = decay(0, 1, 0.7, 1, 5), parameters = {k = {1, 4}, x = {1, 10}}})
    equal(r.parameters.k, 1)
    equal(r.at_bound.k, true)
    assert(r.errors.k ~= r.errors.k and r.errors.x == r.errors.x)
    assert(tostring(r):find("at its bound", 1, true))
    assert(check(r))
  end)
  it("names what the data do not determine", function()
    local r = fit(text "a = 1\nb = 1\nx' = -a*b*x\nx(0) = 5", {data = decay(0.1, 2, 0.7, 0, 5), parameters = {"a", "b"}})
    assert(tostring(r):find("not determined", 1, true) or tostring(r):find("are correlated", 1, true), tostring(r))
  end)
  it("goes on without the starts that fail", function()
    local d = {time = {0.1, 0.2, 0.3}, x = {1 / 0.9, 1 / 0.8, 1 / 0.7}}
    local r = fit(text "k = 1.5\nx' = k*x^2\nx(0) = 1", {data = d, parameters = {k = {0.01, 100}}, starts = 12})
    near(r.parameters.k, 1, 1e-6)
    equal(r.starts[12].ended, "the model fails there")
  end)
  it("finds a parameter that only moves the time of a change", function()
    local m = text "x' = {1 if time < k; 0 otherwise}\nx(0) = 0\nk = 2"
    local r = fit(m, {data = {time = {1, 2, 3, 4}, x = {1, 1.5, 1.6, 1.5}}, parameters = {k = {1, 3}}})
    near(r.parameters.k, 4.6 / 3, 1e-6)
    equal(r.agree, #r.starts)
  end)
  it("is proved by simulations", function()
    local m = text(DECAY)
    local r = fit(m, {data = decay(0.1, 4, 0.7, 1, 5), parameters = {"k", "x"}})
    assert(check(r))
    local right = r.parameters.k
    r.parameters.k = right * 1.1
    raises("the sum of squares is", check, r)
    r.sum_of_squares = nil
    r = fit(m, {data = decay(0.1, 4, 0.7, 1, 5), parameters = {"k", "x"}, turns = 1})
    raises("the fit has not converged: 1 turn", check, r)
  end)
end)

describe("a fit of a model with events", function()
  -- x decays at rate k, and at rate k/4 after it has fallen below 2; a dose c is added at time 2.
  local DOSE = "k = 0.7\nc = 1\ns = 1\nx' = -s*k*x\nx(0) = 5\nwhen time >= 2: x = x + c\nwhen x < 2: s = 0.25"
  local function dose(k, c, sd, seed)
    local d, gauss, slow, dosed, x, t = {time = {}, x = {}}, gauss_of(seed), 1, false, 5, 0
    for i = 0, 40 do
      local to = 0.15 * i
      repeat -- the exact solution between events
        local due = slow == 1 and t + math.log(x / 2) / k or math.huge
        local stop = math.min(to, due, dosed and math.huge or 2)
        x, t = x * math.exp(-slow * k * (stop - t)), stop
        if t == due then slow = 0.25 end
        if not dosed and t == 2 then x, dosed = x + c, true end
      until t == to
      d.time[i + 1], d.x[i + 1] = to, x + sd * gauss()
    end
    return d
  end
  it("is by values alone, and comes to the truth", function()
    local r = fit(text(DOSE), {data = dose(0.9, 1.7, 0, 1), parameters = {k = {0.5, 2}, c = {0.5, 3}}, starts = 12})
    near(r.parameters.k, 0.9, 1e-4)
    near(r.parameters.c, 1.7, 1e-4)
    assert(r.sum_of_squares < 1e-8, r.sum_of_squares)
  end)
  it("has errors that fit the noise", function()
    local r = fit(text(DOSE), {data = dose(0.72, 1.1, 0.05, 3), parameters = {"k", "c"}, errors = {x = 0.05}})
    equal(r.ended, "converged")
    assert(math.abs(r.parameters.k - 0.72) < 4 * r.errors.k and math.abs(r.parameters.c - 1.1) < 4 * r.errors.c, tostring(r))
    assert(r.errors.k > 1e-4 and r.errors.k < 0.02, r.errors.k)
    near(r.sum_of_squares, 39, 0, 4 * math.sqrt(2 * 39))
    assert(check(r))
  end)
end)

describe("data of a fit", function()
  local m = text(DECAY)
  local function refused(why, data)
    with_file(".csv", data, function(path) raises(path .. why, fit, m, {data = path, parameters = {"k"}}) end)
  end
  it("that are wrong are named by file and line", function()
    refused(":1: expected a line of names, as in time,x,y, found the end of the file", "")
    refused(":2: expected a line of numbers, found the end of the file", "time,x\n")
    refused(":1: expected a column 'time', found t, x", "t,x\n1,2\n")
    refused(":1: expected a column 'time', found Time, x (is Time the time? its name is to be 'time')", "Time,x\n1,2\n")
    refused(":1: expected names with commas between them, found ';'", "time;x\n1;2\n")
    refused(":1: expected the name of a variable of the model, found 'q'", "time,q\n1,2\n")
    refused(":1: expected each name once, found 'x' twice", "time,x,x\n1,2,3\n")
    refused(":1: expected a name for column 2, found nothing", "time,,x\n1,2,3\n")
    refused(":4: expected a number for x, found 'abc'", "time,x\n# a comment\n1,2\n2,abc\n")
    refused(":2: expected a number for x, found 'inf'", "time,x\n1,inf\n")
    refused(":3: expected 2 values, one for each name of line 1, found 3", "time,x\n1,2\n2,3,4\n")
    refused(":3: expected times that do not descend, found 1 after 2", "time,x\n2,2\n1,3\n")
    refused(":2: expected a time, found nothing", "time,x\n,2\n")
    refused(":2: expected a positive number for x_sd, found 0", "time,x,x_sd\n1,2,0\n")
    refused(":2: expected a positive number for x_sd, found nothing", "time,x,x_sd\n1,2,\n")
    refused(":1: expected a column x to go with x_sd, found none", "time,y,x_sd\n1,2,3\n")
    refused(":1: expected values of a variable besides the times, found none", "time,x\n1,\n")
    raises("/: Is a directory", fit, m, {data = "/", parameters = {"k"}})
    raises("No such file", fit, m, {data = "/nothing/there.csv", parameters = {"k"}})
    raises("data: expected 2 values of x, one for each time, found 1", fit, m, {data = {time = {1, 2}, x = {1}}, parameters = {"k"}})
    raises("data: expected a number for value 1 of x", fit, m, {data = {time = {1}, x = {"1"}}, parameters = {"k"}})
    raises("data, row 2: expected times that do not descend", fit, m, {data = {time = {2, 1}, x = {1, 2}}, parameters = {"k"}})
  end)
  it("may be quoted, and have several values of a time", function()
    with_file(".csv", '"time","x"\n0,4\n0,6\n1, 5\n', function(path)
      local r = fit(text "k = 0\nx' = k\nx(0) = 5", {data = path, parameters = {"k", "x"}})
      near(r.parameters.x, 5, 1e-6)
      near(r.parameters.k, 0, 0, 1e-6)
    end)
  end)
  it("and options that are wrong are named", function()
    local d = {time = {0, 1}, x = {5, 3}}
    local function wrong(why, o)
      o.data = o.data or d
      raises(why, fit, m, o)
    end
    raises("data must be a file's name or a table of columns", fit, m, {parameters = {"k"}})
    wrong("which parameters?", {})
    wrong("the range of k is {least, greatest}", {parameters = {k = {2, 1}}})
    wrong("the range of k is {least, greatest}", {parameters = {k = 1}})
    wrong("has no variable 'q'", {parameters = {"q"}})
    wrong("y is neither a parameter nor a state", {parameters = {"y"}})
    wrong("several starts need a range of each parameter", {parameters = {"k"}, starts = 3})
    wrong("there are 3 parameters and only 2 values", {parameters = {"k", "c", "x"}})
    wrong("errors: x must be a positive number", {parameters = {"k"}, errors = {x = 0}})
    wrong("errors: there is no column z in the data", {parameters = {"k"}, errors = {z = 1}})
    wrong("the data begin at time 0, before start = 1", {parameters = {"k"}, start = 1})
    wrong("rtol must be a number above 0 and below 1", {parameters = {"k"}, rtol = 5})
    wrong("start must be a finite number", {parameters = {"k"}, start = 0 / 0})
    wrong("unknown option 'parameter'", {parameter = {"k"}})
    raises("expected a model of differential equations", fit, 3)
  end)
end)
