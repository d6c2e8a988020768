-- Generates the text of the kernels that find steady states: kernels/ensemble/steady.h, with a model's equations.

local ensemble_kernels = import "ensemble/ensemble_kernels"
local ensemble_writer = import "ensemble/ensemble_writer"
local steady_events = import "ensemble/steady_events"
local steady_kernels = {}

local DOCS = {{"rate", "the rates of all instances."},
  {"attempt", "keep where each instance is, and how large its variables have been."},
  {"newton", "one step of Newton's method for some of the instances."},
  {"judge", "is what Newton's method found near to where the instance was?"}, {"still", "which instances have events to come?"}}

-- steady_kernels.steady_text(e, relations): the source of the kernels for e (from ensemble_kernels.parts), and the prefix NAME of their
-- names: NAME_rate, NAME_attempt, NAME_newton, NAME_judge; for a model with events also NAME_still: lua/ensemble/steady_events.lua.
function steady_kernels.steady_text(e, relations)
  local equations, entries = ensemble_kernels.equations(e)
  local elements = {}
  for k, x in ipairs(entries) do elements[k] = ("SET(%d, %d, %d)"):format(x[1] - 1, x[2] - 1, k - 1) end
  return ensemble_writer.named_text(function(name)
    local rows = {}
    for k = 1, e.events and 5 or 4 do
      local what, items = DOCS[k][1], DOCS[k][1] == "newton" and "block" or "instances"
      rows[k] = ensemble_writer.row_text(name, what, what:upper(), "VERTEX", items, DOCS[k][2])
    end
    return '#include "ensemble/unit.h"\n' .. table.concat(rows) .. ensemble_writer.head(e, name) .. equations ..
      ensemble_writer.defines {{"ELEMENTS", math.max(#entries, 1)}, {"EACH_ELEMENT(SET)", table.concat(elements, " ")}} ..
      '#include "ensemble/steady.h"\n' .. (e.events and steady_events.still_text(e, relations) or "")
  end)
end

return steady_kernels
