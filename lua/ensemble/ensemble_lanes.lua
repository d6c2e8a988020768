-- Which ensembles run in lanes: the SIMD form of their kernels on CPUs, one instance per lane of a vector
-- (kernels/ensemble/attempt_lanes.h).

local ensemble_events = import "ensemble/ensemble_events"
local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_lanes = {}

-- ensemble_lanes.choose_lanes(e, method): do the instances run in lanes? e: from ensemble_kernels.parts, with e.group and e.on_host.
function ensemble_lanes.choose_lanes(e, method)
  if not e.on_host or e.events or method == "radau5" or ensemble_events.conditions(e) then return false end
  for _, f in ipairs(e.functions) do if not symbolic.fits_lanes(f[2]) then return false end end
  for _, t in ipairs(ensemble_writer.rate_trees(e)) do if not symbolic.fits_lanes(t) then return false end end
  return true
end

local WORK = 200 -- least number of states, in all tiles, for which all threads are used: with fewer a barrier takes longer than the work

-- ensemble_lanes.team_text(e): the source line that defines the least number of tiles for which all threads of a CPU are used; "" on a GPU.
function ensemble_lanes.team_text(e)
  return e.on_host and ("#undef LS_TEAM_TILES\n#define LS_TEAM_TILES %d\n"):format(math.max(4, WORK // e.n)) or ""
end

return ensemble_lanes
