-- Random reaction networks (tests/lua/random_reactions.lua) of 10 to 500 species: each instance of each network against
-- CVODE with a tolerance 100,000 times smaller.
--   lockstep [--backend cuda] scripts/measure/random-reactions.lua [networks, 1000 if not given [first number [method [group]]]]
-- Prints a line for each network that differs from CVODE by more than ten times the tolerance, with CVODE's own error at the
-- same tolerance, and for each that failed; then totals. Half of the time is compiling: on one core two to four seconds per
-- network with group = 32, which has the shortest kernels, and twice that without.
local networks, first, method = tonumber(arg[1] or 1000), tonumber(arg[2] or 1), arg[3] or "auto"
local group = math.tointeger(tonumber(arg[4])) -- threads per instance; chosen by the ensemble if not given
local here = arg[0]:match "^(.*)scripts/measure/" or ""
local of = dofile(here .. "tests/lua/random_reactions.lua")
local STOP, ROWS, RTOL, SCALES = 10, 4, 1e-6, {0.5, 1, 2}

-- The greatest error of value(name, row), in multiples of r's tolerance, and its variable.
local function error_of(r, c, value)
  local worst, of_what = 0, ""
  for _, name in ipairs(r.names) do
    local size = 0
    for row = 0, ROWS do size = math.max(size, math.abs(c[name][row])) end
    for row = 0, ROWS do
      local part = math.abs(value(name, row) - c[name][row]) / (r.atol + r.rtol * size)
      if not (part <= worst) then worst, of_what = part, name end
    end
  end
  return worst, of_what
end

local counts, steps, worst_of_all, failed, stiff, instances = {0, 0, 0, 0}, 0, 0, 0, 0, 0
local begun = trace.clock()
for k = first, first + networks - 1 do
  local species = math.floor(10 * 50 ^ ensemble.random(k)())
  local m = model.from_text(of(species, k))
  local good, r = pcall(simulate, m, {sweep = {scale = SCALES}, stop = STOP, steps = ROWS, method = method, rtol = RTOL, group = group})
  if not good then
    failed = failed + #SCALES
    print(("network %d of %d species: %s"):format(k, species, (tostring(r):gsub("\n.*", ""))))
  else
    local out = {}
    for _, f in ipairs(r.failed) do
      out[f.instance] = true
      print(("network %d of %d species, instance %d: failed at time %g: %s"):format(k, species, f.instance, f.time, f.why))
    end
    steps, failed, stiff = steps + r.accepted, failed + #r.failed, stiff + r.stiff
    for i, scale in ipairs(SCALES) do
      if not out[i - 1] then
        m:set("scale", scale)
        local function by_cvode(rtol, atol)
          return pcall(simulate, m, {stop = STOP, steps = ROWS, method = "cvode", rtol = rtol, atol = atol, variables = r.names})
        end
        local there, c = by_cvode(1e-5 * RTOL, 1e-5 * r.least_atol)
        local worst, name = math.huge, "CVODE fails:"
        if there then worst, name = error_of(r, c, function(of_what, row) return r[of_what]:get(row, i - 1) end) end
        local class = worst <= 1 and 1 or worst <= 10 and 2 or worst <= 100 and 3 or 4
        counts[class], instances, worst_of_all = counts[class] + 1, instances + 1, math.max(worst_of_all, worst)
        if class > 2 then
          local same, d = by_cvode(RTOL, r.atol)
          local own = there and same and ("%.3g"):format((error_of(r, c, function(of_what, row) return d[of_what][row] end))) or "-"
          print(("network %d of %d species, instance %d: %s is off by %.3g times the tolerance; CVODE with this tolerance by %s"):format(k,
            species, i - 1, name, worst, own))
        end
      end
    end
  end
end
print(("%d networks in %.0f s by %s, %d instances compared (%d stiff), %d steps%s"):format(networks, trace.clock() - begun, method, instances,
  stiff, steps, group and (", %d threads an instance"):format(group) or ""))
print(("error of the tolerance: %d within 1, %d within 10, %d within 100, %d beyond; the greatest %.3g; %d failed"):format(counts[1],
  counts[2], counts[3], counts[4], worst_of_all, failed))
