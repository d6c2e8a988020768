-- Events in ensembles (SBML level 3 version 2, sections 3.4.9 and 4.11), and conditions in equations.
--
-- The macros and functions of a model for kernels/ensemble/attempt.h, which finds where triggers and conditions change, and for
-- kernels/ensemble/events.h, which triggers and executes events.

local ensemble_instants = import "ensemble/ensemble_instants"
local ensemble_writer = import "ensemble/ensemble_writer"
local named = import("base/loops").named
local symbolic = import "ode/symbolic"
local ensemble_events = {}

local NONE = 0xffffffff
local BY_PRIORITY = 4 -- a flag of an event, in addition to LS_CODE_PERSISTENT and LS_CODE_AT_TRIGGER

-- ensemble_events.read_events(b): the list of the events of a bytecode object, or nil: {name =, trigger =, delay =, priority =, assigns =,
-- flags =, initial =}. trigger, delay and priority are trees (the last two may be nil), assigns is a list of {place, tree};
-- initial: the trigger's value before the start.
function ensemble_events.read_events(b)
  if b.events == 0 then return nil end
  local list = {}
  local function tree(at) return at ~= NONE and symbolic.value(b, at) or nil end
  for i = 0, b.events - 1 do
    local word = {}
    for k = 0, 5 do word[k] = b.event[6 * i + k] end
    local e = {trigger = tree(word[0]), delay = tree(word[1]), priority = tree(word[2]), assigns = {}, name = b.code:event(i),
      initial = b.truths[i] ~= 0}
    e.flags = word[5] | (e.priority and BY_PRIORITY or 0)
    for k = word[3], word[3] + word[4] - 1 do e.assigns[#e.assigns + 1] = {b.assign[2 * k + 1], tree(b.assign[2 * k])} end
    list[i + 1] = e
  end
  return list
end

local RELATIONS = {LT = true, GT = true, LEQ = true, GEQ = true, EQ = true, NEQ = true, NEAR = true}

-- ensemble_events.conditions(e): the relations that depend on time or a state, in the rates and the functions that they need: a list of
-- trees, or nil if there are none.
function ensemble_events.conditions(e)
  local list, seen, varies = {}, {}, {}
  local function changes(place)
    local at = e.place_of[place]
    if at or place == e.time then return place == e.time or at[1] == "y" end
    if varies[place] == nil then
      local any = false
      symbolic.walk(e.tree[place], function(q) any = changes(q) or any end)
      varies[place] = any
    end
    return varies[place]
  end
  local function look(t)
    if type(t) ~= "table" or t[1] == "VARIABLE" then return end
    if RELATIONS[t[1]] then
      local any, text = false, symbolic.text(t, ensemble_writer.name_in(e))
      symbolic.walk(t, function(q) any = changes(q) or any end)
      if any and not seen[text] then list[#list + 1], seen[text] = t, true end
    end
    for i = 2, #t do look(t[i]) end
  end
  local trees = ensemble_writer.rate_trees(e)
  local is = ensemble_writer.needed(e, trees)
  for _, f in ipairs(e.functions) do if is[f[1]] then look(f[2]) end end
  for _, t in ipairs(trees) do look(t) end
  return #list > 0 and list or nil
end

-- ensemble_events.calling_bits(e): the number of truth bits whose change interrupts an instance for its events: the bits of triggers and of
-- comparisons at instants (lua/ensemble/ensemble_instants.lua). These bits come first; the bits of conditions follow.
function ensemble_events.calling_bits(e) return (e.events and #e.events or 0) + (e.instants and #e.instants.trees or 0) end

-- The number of 32-bit words for all truth bits.
local function words(e) return (ensemble_events.calling_bits(e) + (e.conditions and #e.conditions or 0) + 31) // 32 end

-- The number of slots for waiting events per instance, and the numbers in each slot (event, time, values).
local function room(e)
  local wide = 2
  for _, x in ipairs(e.events) do wide = math.max(wide, 2 + #x.assigns) end
  return math.max(32, 4 * #e.events), wide
end

-- --- what steps and events do ---

-- The set of the indices of the states that the trees depend on.
local function watched(e, trees)
  local is, seen = {}, {}
  local function need(place)
    local at = e.place_of[place]
    if at and at[1] == "y" then is[at[2]] = true end
    if e.tree[place] and not seen[place] then
      seen[place] = true
      symbolic.walk(e.tree[place], need)
    end
  end
  for _, t in ipairs(trees) do symbolic.walk(t, need) end
  return is
end

-- The trees of the truth bits: triggers, comparisons at instants, conditions.
local function truths(e)
  local trees = {}
  for _, x in ipairs(e.events or {}) do trees[#trees + 1] = x.trigger end
  for _, t in ipairs(e.instants and e.instants.trees or {}) do trees[#trees + 1] = t end
  for _, t in ipairs(e.conditions or {}) do trees[#trees + 1] = t end
  return trees
end

-- ensemble_events.head(e): the macros of kernels/ensemble/attempt.h for events and conditions.
function ensemble_events.head(e)
  local is, list, each = watched(e, truths(e)), {}, {}
  for k = 0, e.n - 1 do if is[k] then list[#list + 1] = k end end
  for k = 0, words(e) - 1 do each[k + 1] = k end
  return ensemble_writer.defines {{"WORDS", words(e)}, {"CALLING", ensemble_events.calling_bits(e)}, {"EVENTS", e.events and #e.events or 0},
    {"CONDITIONS", e.conditions and #e.conditions or 0}, {"JUMPS", e.shifts and 1 or 0}, {"INSTANTS", e.instants and 1 or 0}} ..
    ensemble_writer.each_macro("EACH_WORD", each) .. ensemble_writer.each_macro("EACH_WATCHED", list)
end

-- ensemble_events.choice_text(e, head, trees, otherwise): the source of a function head(k, t, p, y) that returns the value of trees[k], or
-- `otherwise` if there is no such tree.
function ensemble_events.choice_text(e, head, trees, otherwise)
  local out = {("LS_CODE_CALL f64 %s(u32 k, f64 t, const f64 *p, const f64 *y) {"):format(head), "  (void)t, (void)p, (void)y;",
    "  switch (k) {"}
  local numbers = {}
  for k in pairs(trees) do numbers[#numbers + 1] = k end
  table.sort(numbers)
  for _, k in ipairs(numbers) do
    local tree = trees[k]
    out[#out + 1] = ("  case %d: {"):format(k)
    ensemble_writer.put_functions(e, {tree}, out)
    out[#out + 1] = ("    return %s;\n  }"):format(symbolic.text(tree, ensemble_writer.name_in(e)))
  end
  out[#out + 1] = ("  default: return %s;\n  }\n}\n"):format(otherwise)
  return table.concat(out, "\n")
end

-- ensemble_events.truths_text(e): the source of model_truths and, for equations with slopes and conditions, of model_shift; "" if there are
-- no truth bits.
function ensemble_events.truths_text(e)
  if words(e) == 0 then return "" end
  local text = ensemble_events.bits_text(e, "model_truths", truths(e))
  if not e.shifts then return text end
  return text .. ensemble_events.choice_text(e, "model_shift", table.move(e.shifts, 1, #e.shifts, 0, {}), "0")
end

-- ensemble_events.bits_text(e, name, trees): the source of a function called `name` that sets one bit per tree: 1 if its value is not 0.
function ensemble_events.bits_text(e, name, trees)
  local called = ensemble_writer.name_in(e)
  local out = {("%s void %s(f64 t, const f64 *p, const f64 *y, u32 *truth) {"):format(ensemble_writer.function_word(e), name),
    "  (void)t, (void)p, (void)y, (void)truth;"}
  ensemble_writer.put_functions(e, trees, out)
  for w = 0, (#trees + 31) // 32 - 1 do out[#out + 1] = ("  truth[%d] = 0;"):format(w) end
  for k, tree in ipairs(trees) do
    out[#out + 1] = ("  truth[%d] |= (u32)(%s != 0) << %d;"):format((k - 1) // 32, symbolic.text(tree, called), (k - 1) % 32)
  end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- ensemble_events.events_text(e): the source of the row NAME_events.
function ensemble_events.events_text(e)
  local delays, priorities, assigned, puts, first, flags = {}, {}, {}, {}, {}, {}
  local count = 0
  for k, x in ipairs(e.events) do
    delays[k - 1], priorities[k - 1] = x.delay, x.priority
    first[k], flags[k] = count, x.flags
    for _, assign in ipairs(x.assigns) do
      local at = e.place_of[assign[1]]
      assigned[count] = assign[2]
      puts[#puts + 1] = ("  case %d: %s[%d] = x; break;"):format(count, at[1], at[2])
      count = count + 1
    end
  end
  first[#first + 1] = count
  local slots, wide = room(e)
  local choice_text = ensemble_events.choice_text
  return choice_text(e, "model_delay", delays, "0") .. choice_text(e, "model_priority", priorities, "-INFINITY") ..
    choice_text(e, "model_assigned", assigned, "0") ..
    ("LS_CODE_CALL void model_assign(u32 k, f64 x, f64 *p, f64 *y) {\n  (void)x, (void)p, (void)y;\n  switch (k) {\n%s\n  default: break;\n  }\n}\n")
      :format(table.concat(puts, "\n")) .. (e.instants and ensemble_instants.instants_text(e) or "") ..
    ensemble_writer.defines {{"SLOTS", slots}, {"WIDE", wide}, {"WAITING", slots * wide},
      {"EVENT_FIRST", "{" .. table.concat(first, ", ") .. "}"}, {"EVENT_FLAGS", "{" .. table.concat(flags, ", ") .. "}"}} .. '#include "ensemble/events.h"\n'
end

-- --- at the start ---

-- ensemble_events.event_sizes(e, count): the sizes `words`, `waiting` and `timed` of state.ensemble for the events of `count` instances;
-- 0, 0, 0 if the model has no events.
function ensemble_events.event_sizes(e, count)
  if not e.events then return 0, 0, 0 end
  local slots, wide = room(e)
  return words(e), slots * wide, count
end

-- ensemble_events.begin_events(run): initialises the state of events for instances at their initial values, and executes the events at the
-- start.
function ensemble_events.begin_events(run)
  local e, s, count = run.e, run.s, run.count
  if not e.events then return end
  for _, name in ipairs {"pending", "tally", "fault"} do fill(s[name], 0) end
  for w = 0, words(e) - 1 do
    local bits = 0
    for k = 32 * w, math.min(32 * w + 31, #e.events - 1) do
      if e.events[k + 1].initial then bits = bits | 1 << k % 32 end
    end
    local part <close> = buffer.new("u32", 1, count)
    fill(part, bits)
    s.truth:paste(part, w)
  end
  fill(s.moment, -math.huge)
  fill(s.due, math.huge)
  fill(s.called, 1)
  ensemble_events.happen(run)
end

-- ensemble_events.happen(run): triggers and executes events for all instances that a step has stopped at one. Returns how many instances
-- failed.
function ensemble_events.happen(run)
  local c = named(run.kernels.events, run.s)
  run.totals.events = run.totals.events + c.executed
  run.totals.failed = run.totals.failed + c.failed
  return c.failed
end

return ensemble_events
