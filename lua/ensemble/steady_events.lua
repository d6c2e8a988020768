-- Steady states of a model with events: an instance is at rest only if no event will be executed again. That is: no event is pending;
-- at the steady state every trigger has the value that it had at the end of the integration; and comparisons with time in triggers
-- will not change later.

local ensemble_events = import "ensemble/ensemble_events"
local ensemble_writer = import "ensemble/ensemble_writer"
local steady_events = {}

local RELATIONS = {LT = true, GT = true, LEQ = true, GEQ = true}

local function names_time(e, tree)
  if type(tree) ~= "table" then return false end
  if tree[1] == "VARIABLE" then return tree[2] == e.time or e.tree[tree[2]] ~= nil and names_time(e, e.tree[tree[2]]) end
  for i = 2, #tree do if names_time(e, tree[i]) then return true end end
  return false
end

-- Is the tree a + b*time, where a and b do not change with time? A comparison of two such trees changes at most once.
local function linear(e, tree)
  if not names_time(e, tree) then return true end
  local op = tree[1]
  if op == "VARIABLE" then return tree[2] == e.time or linear(e, e.tree[tree[2]]) end
  if op == "DIVIDE" then return linear(e, tree[2]) and not names_time(e, tree[3]) end
  if op ~= "PLUS_NARY" and op ~= "MINUS" and op ~= "NEGATE" and op ~= "TIMES_NARY" then return false end
  local timed = 0
  for i = 2, #tree do
    if not linear(e, tree[i]) then return false end
    timed = timed + (names_time(e, tree[i]) and 1 or 0)
  end
  return op ~= "TIMES_NARY" or timed == 1
end

-- steady_events.timed_relations(e): the comparisons with time in the triggers of events, a list of {tree, number of the event from 0}.
-- If a trigger depends on time in another way: nil, and the name of its event.
function steady_events.timed_relations(e)
  local list = {}
  local function look(tree, k)
    if not names_time(e, tree) then return true end
    if tree[1] == "VARIABLE" then return tree[2] ~= e.time and look(e.tree[tree[2]], k) end
    if RELATIONS[tree[1]] then
      list[#list + 1] = {tree, k}
      return linear(e, tree[2]) and linear(e, tree[3])
    end
    for i = 2, #tree do if not look(tree[i], k) then return false end end
    return true
  end
  for k, x in ipairs(e.events or {}) do
    if not look(x.trigger, k - 1) then return nil, x.name end
  end
  return list
end

-- steady_events.still_text(e, relations): the source of the row NAME_still, which lets an instance that has settled continue if an event
-- is still to come. relations: the result of steady_events.timed_relations.
function steady_events.still_text(e, relations)
  local trees, of = {}, {}
  for k, x in ipairs(relations) do trees[k], of[k] = x[1], x[2] .. "," end
  local words, waiting = ensemble_events.event_sizes(e, 1)
  return ensemble_events.truths_text(e) .. ensemble_events.bits_text(e, "model_timed", trees) ..
    ensemble_writer.defines {{"WORDS", words}, {"WAITING", waiting}, {"EVENTS", #e.events}, {"RELATIONS", #trees},
      {"TIMED_WORDS", math.max(1, (#trees + 31) // 32)}, {"EVENT_OF", "{" .. table.concat(of, " ") .. " 0}"}} ..
    '#include "ensemble/steady_still.h"\n'
end

return steady_events
