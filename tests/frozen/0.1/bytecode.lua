-- A model as bytecode in phases, as in Okuyama's thesis: what each optimisation changes, and that the results stay.
local m = model.load(model.sample "luo-rudy-1991")
local b = m:bytecode()
local total = b:counters()
assert(total[#total].threads > 0 and total[#total].divergent ~= nil)
b:list{phase = 1, most = 2}
local base = m:bytecode{base = true}
assert(base:counters()[#base:counters()].instructions >= 1)

local p = m:phases()
assert(#p == 7 and p[1].bytecode and p[7].requests > 0 and p[1].phases >= 1 and p[7].sectors > 0)
assert(tostring(p):find "merge")

local function V(options)
  options.stop, options.dt, options.every, options.method, options.variables = 2, 0.01, 1, "euler", {"V"}
  return simulate(m, options)["V"]
end
local reference_V = V{}
assert(math.abs(V{engine = "bytecode"}[2] - reference_V[2]) < 1e-9)
assert(math.abs(V{engine = "bytecode", bytecode = base}[2] - reference_V[2]) < 1e-9)

local start = b:start()
assert(start)
local place = b.code:place((select(2, m:find "V")))
local run = b:run{start = 0, stop = 1, intervals = 1, dt = 0.01, method = "rk4", columns = {place}}
assert(#run.columns[1] == 2 and run.steps == 100)
local files = b:translate{name = "lr"}
assert(files["lr_1.h"])
files:save "."
assert(b:steps_text("euler", "many_steps").text and b:grid_text("euler", "many_steps").text)

local code = model.compile(m, {merge = true})
assert(code.code:count(0) and #model.instructions > 0)
