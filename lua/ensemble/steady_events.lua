-- Steady states of a model with events: an instance is at rest only if no event will be executed again. That is: no event is pending;
-- at the steady state every trigger has the value that it had at the end of the integration; and comparisons with time in triggers
-- will not change later.

local event_text = import "ensemble/ensemble_events"
local writer = import "ensemble/ensemble_writer"
local steady_events = {}

local LATE = "1e300" -- a time after all others
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

local TEXT = [[
#define UPPER_STILL_ARGS(A, W) \
  A(IN, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(IN, f64, kept, "STATES*instances") A(IN, u32, truth, "WORDS*instances") A(IN, f64, pending, "WAITING*instances") \
  A(IN, u32, tally, "3*instances") A(INOUT, u32, way, "instances") A(INOUT, u32, state, "instances") \
  A(INOUT, u32, mover, "instances") A(VALUE, u32, goes_by, "1") A(VALUE, u32, instances, "1") A(COUNT, u32, awaited, "1")
ARGS(NAME_still, UPPER_STILL_ARGS)

VERTEX_BODY(NAME_still) {
  (void)push;
  const u64 i = v;
  if (a->way[i] != STEADY_SETTLED) return;
  const u32 of[] = {OF 0}; /* the event of each comparison with time */
  f64 y[STATES], p[VARIED];
  u32 now[WORDS], soon[LATER], late[LATER];
LOAD
  u32 event = 0xffffffff;
  if (a->tally[i] > 0) event = (u32)a->pending[i]; /* a pending event */
  NAME_truths(a->t[i], p, y, now);
  for (u32 k = 0; k < EVENTS; k++)
    if (((now[k / 32] ^ a->truth[(u64)(k / 32) * a->instances + i]) >> k % 32 & 1) != 0) event = k;
  NAME_timed(a->t[i], p, y, soon);
  NAME_timed(TIME, p, y, late);
  for (u32 k = 0; k < RELATED; k++)
    if (((soon[k / 32] ^ late[k / 32]) >> k % 32 & 1) != 0) event = of[k];
  if (event == 0xffffffff) return;
  a->state[i] = STEADY_AWAITS;
  a->mover[i] = event;
  a->way[i] = a->goes_by;
  for (u32 k = 0; k < STATES; k++) AT(a->y, k) = AT(a->kept, k);
  count->awaited++;
}
]]

-- steady_events.still_text(e, name, relations): the source of the row NAME_still, which lets an instance that has settled continue if an
-- event is still to come. relations: the result of steady_events.timed_relations.
function steady_events.still_text(e, name, relations)
  local trees, of = {}, {}
  for k, x in ipairs(relations) do trees[k], of[k] = x[1], x[2] .. "," end
  local words, waiting = event_text.event_sizes(e, 1)
  local text = TEXT:gsub("NAME_", name .. "_"):gsub("UPPER_", name:upper() .. "_")
  return event_text.truths_text(e, name) .. event_text.bits_text(e, name .. "_timed", trees) ..
    writer.filled(text, {STATES = tostring(e.n), VARIED = tostring(math.max(e.q, 1)), WORDS = tostring(words),
      WAITING = tostring(waiting), OF = table.concat(of, " "), LATER = tostring(math.max(1, (#trees + 31) // 32)),
      EVENTS = tostring(#e.events), RELATED = tostring(#trees), TIME = LATE,
      LOAD = writer.each(e.n, "  y[@] = AT(a->y, @);") .. "\n" .. (e.q > 0 and writer.each(e.q, "  p[@] = AT(a->p, @);")
        or "  p[0] = 0;")})
end

return steady_events
