-- engine = "auto": runs the first steps of a model by each engine on each processor, and chooses the fastest, as Flint does (Okuyama
-- 2013, section 5.3). A note names the choice.

local engines = {}

local ENOUGH = 0.02 -- a trial's steps must take this many seconds, and more than the fixed costs of a run
local COMPILES = 4 -- seconds that a run must take before kernels are worth compiling

-- The seconds per step of an engine, measured by runs of more and more steps.
local function seconds_of_step(m, o, simulate, engine, b)
  local n, p = 1, {start = o.start, dt = o.dt, steps = 1, method = o.method, seed = o.seed, variables = {m:variable(1).name},
    engine = engine, bytecode = b}
  local function took()
    p.stop = o.start + n * o.dt
    local begun = trace.clock()
    simulate(m, p)
    return trace.clock() - begun
  end
  took() -- warm-up: the costs of the first run do not count. `once`, the fixed costs of each run, is subtracted below
  local once = math.min(took(), took())
  while true do
    n = math.min(math.max(2, o.most), 4 * n)
    local more = took() - once
    if more > math.max(ENOUGH, once) then return more / (n - 1) end
    if n >= o.most then return (more + once) / n end -- in a short run most of the time is fixed costs
  end
end

-- Calls f(...) on another device; returns the results of pcall.
local function on(name, f, ...)
  local before = device().name
  device(name)
  local r = table.pack(pcall(f, ...))
  device(before)
  return table.unpack(r, 1, r.n)
end

-- engines.fastest(m, o, simulate): tries the engines. o: start, dt, method, seed, most (the number of steps of the run). Returns {engine, device,
-- time (seconds per step), bytecode}, and a text that says how fast each was. Engines that cannot run the model are skipped.
function engines.fastest(m, o, simulate)
  local best, text = nil, {}
  local function try(engine, name, b, before)
    local fine, time = on(name, seconds_of_step, m, o, simulate, engine, b)
    if not fine then return end
    text[#text + 1] = ("%.3g us by %s on %s"):format(1e6 * time, engine, name)
    if not best or time * o.most + (before or 0) < best.time * o.most then
      best = {engine = engine, device = name, time = time, bytecode = b}
    end
  end
  local file, every = session.saves() -- trials save no checkpoints. The reference cannot save them: not tried if the run does
  local again <close> = setmetatable({}, {__close = function() if file then checkpoint(file, every) end end})
  checkpoint(false)
  if not file then try("reference", "cpu") end
  local fine, b = pcall(m.bytecode, m)
  if fine then
    for _, d in ipairs {"cpu", device().processor ~= "cpu" and device().name or nil} do try("bytecode", d, b) end
    if best and best.time * o.most > COMPILES then
      local begun, name = trace.clock(), best.engine == "bytecode" and best.device or "cpu"
      local compiled, made = on(name, function() return m:bytecode():compile() end)
      if compiled then try("translator", name, made, trace.clock() - begun) end
    end
  end
  if not best then return {engine = "reference", device = "cpu", time = 0}, "no engine could be tried" end
  return best, "a step takes " .. table.concat(text, ", ")
end

return engines
