-- Differential equations: a decay with a known solution, predators and prey, a heart cell.
local m = model.from_text "title Decay \n x' = -k*x \n k = 0.5 [1/s] \n half := k/2 \n left = x*half \n x(0) = 4"
m:show()
assert(m:equation("x"):find "x" and m:equations("x") and m:find "x")
assert(m:variable("k").role == "parameter" and m:variable("k").value == 0.5 and m:variable("x").first == 4)
assert(m:parameters().k == 0.5 and #m:first() >= 2)
for _, method in ipairs{"rk4", "dopri5"} do
  local r = simulate(m, {stop = 2, dt = method == "rk4" and 0.01 or nil, steps = 20, method = method})
  assert(math.abs(r.x[20] - 4 * math.exp(-1)) < 1e-6 and r.rows == 21 and #r.t == 21, method)
end
local euler = simulate(m, {stop = 1, dt = 0.5, every = 0.5, method = "euler", variables = {"x"}})
assert(euler["x"][2] == 4 * 0.75 * 0.75 and euler.steps == 2 and euler.dt == 0.5)
m:parameters{k = 1}
m:set("x", 10)
assert(math.abs(simulate(m, {stop = 1}).x:min() - 10 * math.exp(-1)) < 1e-6)
m:reset()
assert(m:parameters().k == 0.5)

local hunt = model.load(model.sample "lotka-volterra")
local r = simulate(hunt, {stop = 10, steps = 50, rtol = 1e-8, atol = 1e-8, seed = 1})
r:show()
r:save "hunt.csv"
r:plot("x", {file = "hunt_plot.csv"})
assert(buffer.load("hunt.csv").cols == 1 + #r.names)
local begun = simulate(hunt, {stop = 1, dt = 0.01, steps = 10, method = "rk4", engine = "bytecode"})
local on = simulate(hunt, {stop = 2, dt = 0.01, steps = 10, method = "rk4", engine = "bytecode", from = begun})
assert(math.abs(on.t[0] - 1) < 1e-12 and on.x[0] == begun.x[10])
simulate(hunt, {stop = 5, stream = "rows.csv"})
assert(io.open "rows.csv")

local bounce = model.from_text "x' = v \n v' = -10 \n when x < 0: v = -v, x = 0 \n x(0) = 5 \n v(0) = 0"
assert(simulate(bounce, {stop = 3}).events >= 1)

local heart = model.load(model.sample "luo-rudy-1991")
assert(scc(heart:graph()).count == heart:graph().n and heart:graph{states = true}:vertex "V")
assert(#reference.breaks(heart, 0, 500).after == 2)
assert(reference.simulate(hunt, {columns = {{1, "value"}}, intervals = 2, start = 0, stop = 1, method = "rk4", dt = 0.1, rtol = 1e-9, atol = 1e-9, seed = 1}).t)
assert(simulate(model.line{cells = 3}, {stop = 1, dt = 0.05, method = "euler", variables = {"c1.V"}})["c1.V"][0] < -80)
m:close()
