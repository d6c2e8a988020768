-- m:phases shows what each optimisation does to the bytecode of a model: the six steps of Okuyama 2013, figure 5.10.

local algorithm = import "base/algorithm"

local methods = debug.getregistry()["lockstep.model"].__methods

-- {name, option value} in the order of the figure; each step is applied on top of the earlier ones.
local STEPS = {{"base"}, {"reorder", true}, {"remap", true}, {"redundant", true}, {"unify", "warp"}, {"merge", true}, {"sum", true}}

local kind = {__name = "phases"}
local OPTIONS = {unify = {"warp", "phase"}, cells = {least = 1}, fold = "flag", start = "number", steps = {least = 1},
  dt = "number"}

-- Microseconds per Euler step of all cells. A first run, which also compiles and copies, is not timed.
local function time_of(b, steps, dt, start)
  local o = {start = start, stop = start + steps * dt, intervals = 1, dt = dt, method = "euler", columns = {b.vars - 1}}
  b:run {start = start, stop = start + dt, intervals = 1, dt = dt, method = "euler", columns = o.columns}
  local begun = trace.clock()
  b:run(o)
  return 1e6 * (trace.clock() - begun) / steps
end

local function show(r)
  local timed = r[1].time
  local text = {"step       phases threads redundant kinds instructions divergent     %  requests  sectors" ..
    (timed and "   us a step" or "")}
  for _, x in ipairs(r) do
    text[#text + 1] = ("%-10s %6d %7d %9d %5d %12d %9d %5.1f %9d %8d"):format(x.step, x.phases, x.threads, x.redundant, x.kinds,
      x.instructions, x.divergent, 100 * x.divergent / math.max(1, x.steps), x.requests, x.sectors) ..
      (timed and (" %11.4g"):format(x.time) or "")
  end
  return table.concat(text, "\n")
end
kind.__tostring = show

function methods:phases(options)
  local o = algorithm.options("m:phases", options, OPTIONS)
  if o.dt and not o.steps then error("m:phases: 'dt' needs 'steps', as in {steps = 1000, dt = 0.01}", 2) end
  local dt, start = o.dt or self.step or 0.01, o.start or 0
  if not (dt > 0 and dt < math.huge) then error(("m:phases: dt = %.14g: a positive number expected"):format(dt), 2) end
  local how, rows = {base = true, cells = o.cells, fold = o.fold, start = o.start}, {}
  local before -- the previous code; a local, not a field of a table, because the panel shows the past values of locals only
  for it in iterations() do
    local name, way = table.unpack(STEPS[it.n])
    if name == "unify" and o.unify then way = o.unify end
    if way then how[name] = way end
    local b = self:bytecode(how)
    b.code:follows(name, before)
    local counters = b:counters()
    local x = counters[#counters]
    x.step, x.phases, x.bytecode, x.phase = name, #counters - 1, b, nil
    rows[it.n] = x
    it:mark{step = name, phases = x.phases, threads = x.threads, divergent = x.divergent, requests = x.requests,
      sectors = x.sectors}
    before = b.code
    if it.n == #STEPS then break end
  end
  if o.steps then -- after the loop, so that `iter` steps from one optimisation to the next
    for _, x in ipairs(rows) do x.time = time_of(x.bytecode, o.steps, dt, start) end
  end
  return setmetatable(table.move(rows, 1, #rows, 1, {code = before, model = self}), kind)
end
