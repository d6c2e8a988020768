-- Events whose triggers are true, or false, only at one instant: each method finds them, wherever its steps end.
local HEAD = "x' = 1\nx(0) = 0\nu' = cos(time)\nu(0) = 0\nk' = 0\nk(0) = 0\n"
-- `k` counts the events from time 0 to 10. Functions that the triggers use:
local FUNCTIONS = "phase = mod(time, 3)\npulse = {1 if time == 4.7; 0 otherwise}\nstage = {-1 if time < 4.005; 1 otherwise}\n"
local TRIGGERS = {
  {"time == 4.3", 1}, {"x == 5.1", 1}, {"u == 0.5", 4}, {"u == 0", 3}, {"time != 3.3", 1}, {"mod(time, 3) == 0", 3},
  {"time - 3*floor(time/3) == 0", 3}, {"rem(time, 2.4) == 0", 4}, {"phase == 0", 3}, {"phase == 1.25", 3}, {"pulse > 0.5", 1},
  {"time >= 3.1 and time <= 3.1", 1}, {"not (time < 3.1 or time > 3.1)", 1}, {"time == 2.7 or x == 7.7", 2},
  {"time == 2.4 and x < 2", 0}, {"time == 2.4 and x > 2", 1}, {"time == 2.4 xor x > 20", 1}, {"abs(time - 4.4) == 0", 1},
  {"stage == 0", 0}, {"floor(time) == 4", 1}, {"x == 20", 0}, {"time == 0", 0}, {"(time > 3.05) == (time < 4)", 1},
}

local function counts(o)
  local text, out = {HEAD, FUNCTIONS}, {}
  for k in ipairs(TRIGGERS) do text[#text + 1] = ("k%d' = 0\nk%d(0) = 0\n"):format(k, k) end
  for k, x in ipairs(TRIGGERS) do text[#text + 1] = ("when %s: k%d = k%d + 1\n"):format(x[1], k, k) end
  local m, names = model.from_text(table.concat(text)), {}
  for k in ipairs(TRIGGERS) do names[k] = "k" .. k end
  local p = {stop = 10, variables = names}
  for name, x in pairs(o) do p[name] = x end
  local r = simulate(m, p)
  for k in ipairs(TRIGGERS) do
    local b = r["k" .. k]
    out[k] = ("%s: %g"):format(TRIGGERS[k][1], b[#b - 1])
  end
  return out
end

local want = {}
for k, x in ipairs(TRIGGERS) do want[k] = ("%s: %g"):format(x[1], x[2]) end

describe("triggers of an instant", function()
  for _, o in ipairs {{method = "cvode"}, {method = "dopri5"}, {method = "dopri5", steps = 7, rtol = 1e-4, atol = 1e-6},
    {method = "rk4", dt = 0.03}, {method = "euler", dt = 0.003}} do
    it(("are found by %s, %s rows"):format(o.method, o.steps or "many"), function() equal(counts(o), want) end)
  end
  for _, o in ipairs {{instances = 1, steps = 7}, {instances = 3, steps = 100, method = "dopri5"}, {instances = 1, steps = 10, method = "rodas4"},
    {instances = 1, steps = 3, method = "radau5"}} do
    it(("are found by ensembles, %s"):format(o.method or "auto"), function() equal(counts(o), want) end)
  end
  it("may touch their root", function()
    local m = model.from_text(HEAD .. "when (x - 4.4)^2 == 0: k = k + 1")
    for _, o in ipairs {{method = "cvode"}, {method = "dopri5"}, {method = "rk4", dt = 0.03}, {method = "rk4", dt = 0.025}, {instances = 1}} do
      o.stop, o.steps = 10, 10
      equal(simulate(m, o).k[10], 1.0)
    end
  end)
  it("happen at their time", function()
    local m = model.from_text("x' = 1\nx(0) = 0\ny' = 0\ny(0) = 0\nz' = 0\nz(0) = 0\nwhen time == 3.3: y = time\nwhen x == 4.4 after 1: z = time")
    for _, o in ipairs {{method = "cvode"}, {method = "dopri5"}, {instances = 1}} do
      o.stop, o.steps = 10, 7
      local r = simulate(m, o)
      equal({math.abs(r.y[7] - 3.3) < 1e-12, math.abs(r.z[7] - 5.4) < 1e-8}, {true, true})
    end
  end)
  it("are no matter of bytecode", function()
    local m = model.from_text "x' = 1\nx(0) = 0\nwhen x == 4.05: x = 0"
    local r = simulate(m, {stop = 5, dt = 0.1, steps = 5, engine = "bytecode", method = "rk4"})
    equal({r.engine, math.floor(r.x[5] * 10 + 0.5)}, {"reference", 9})
    raises("triggers that are true at one instant", function()
      local b = m:bytecode()
      b:run {start = 0, stop = 1, intervals = 1, dt = 0.1, method = "rk4", columns = {0}}
    end)
  end)
  it("are found however short they are", function()
    local m = model.from_text "x' = 0\nx(0) = 0\ny' = -y\ny(0) = 1\nwhen time > 3.3 and time < 3.30001: x = x + 1\nwhen y < 0.5 and y > 0.49999: x = x + 1"
    for _, o in ipairs {{method = "cvode"}, {method = "dopri5"}, {instances = 1}} do
      o.stop, o.steps = 10, 1
      equal(simulate(m, o).x[1], 2.0)
    end
  end)
end)
