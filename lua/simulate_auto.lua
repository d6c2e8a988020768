-- engine = "auto": which engine, on which processor, takes a model's steps fastest is found by running its first steps by each, as
-- Flint does (Okuyama 2013, section 5.3), and is said.

local ENOUGH = 0.02 -- seconds of steps that a trial has at least, and as many as all else takes
local COMPILES = 4 -- seconds that a run must take before kernels are worth compiling

-- Seconds of a step by that engine: more and more of the first steps.
local function seconds_of_step(m, o, engine, b)
  local n, p = 1, {start = o.start, dt = o.dt, steps = 1, method = o.method, seed = o.seed, variables = {m:variable(1).name},
    engine = engine, bytecode = b}
  local function took()
    p.stop = o.start + n * o.dt
    local begun = trace.clock()
    simulate(m, p)
    return trace.clock() - begun
  end
  took() -- what is made at first does not count, nor does what is done once a run
  local once = math.min(took(), took())
  while true do
    n = math.min(math.max(2, o.most), 4 * n)
    local more = took() - once
    if more > math.max(ENOUGH, once) then return more / (n - 1) end
    if n >= o.most then return (more + once) / n end -- a short run: what is done once is most of it
  end
end

-- f(...) with another device as the present one; pcall's results.
local function on(name, f, ...)
  local before = device().name
  device(name)
  local r = table.pack(pcall(f, ...))
  device(before)
  return table.unpack(r, 1, r.n)
end

--- model.fastest(m, o): tries the engines. o: start, dt, method, seed, most (steps that there are). Returns {engine, device,
--- time (seconds of a step), bytecode}, and a text that says how fast each was. What an engine cannot run is no candidate.
function model.fastest(m, o)
  local best, text = nil, {}
  local function try(engine, name, b, before)
    local fine, time = on(name, seconds_of_step, m, o, engine, b)
    if not fine then return end
    text[#text + 1] = ("%.3g us by %s on %s"):format(1e6 * time, engine, name)
    if not best or time * o.most + (before or 0) < best.time * o.most then
      best = {engine = engine, device = name, time = time, bytecode = b}
    end
  end
  local file, every = session.saves() -- of the run, not of its trials; and the reference has none
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
  if not best then return {engine = "reference", device = "cpu", time = 0}, "none of them could be tried" end
  return best, "a step takes " .. table.concat(text, ", ")
end
