-- Events in ensembles (SBML level 3 version 2, sections 3.4.9 and 4.11), and conditions in equations.
--
-- A kernel that attempts steps evaluates triggers and conditions at several points of each step, and finds by bisection the time at
-- which one changes. If a condition changes, the step is repeated up to that time and a new one begins there, because the equations
-- are not smooth across it. If an event's trigger changes, the launch leaves the instance at that time, and the kernel NAME_events
-- triggers and executes the events that are due, as kernels/ode/ode_events.h does for bytecode.

local instant_text = import "ensemble/ensemble_instants"
local named = import("base/loops").named
local symbolic = import "ode/symbolic"
local writer = import "ensemble/ensemble_writer"
local event_text = {}

local SAMPLES = 10 -- number of points in a step at which triggers are evaluated
local MOST_AT_A_TIME = 10000 -- maximum number of events that an instance executes without advancing its time
local MOST_STILL = 1000 -- maximum number of consecutive stops of an instance for events without progress in time
local NONE = 0xffffffff
local BY_PRIORITY = 4 -- a flag of an event, in addition to LS_CODE_PERSISTENT and LS_CODE_AT_TRIGGER

-- event_text.read_events(b): the list of the events of a bytecode object, or nil: {name =, trigger =, delay =, priority =, assigns =,
-- flags =, initial =}. trigger, delay and priority are trees (the last two may be nil), assigns is a list of {place, tree};
-- initial: the trigger's value before the start.
function event_text.read_events(b)
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

-- event_text.conditions(e): the relations that depend on time or a state, in the rates and the functions that they need: a list of
-- trees, or nil if there are none.
function event_text.conditions(e)
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
      local any, text = false, symbolic.text(t, writer.name_in(e))
      symbolic.walk(t, function(q) any = changes(q) or any end)
      if any and not seen[text] then list[#list + 1], seen[text] = t, true end
    end
    for i = 2, #t do look(t[i]) end
  end
  local trees = writer.rate_trees(e)
  local is = writer.needed(e, trees)
  for _, f in ipairs(e.functions) do if is[f[1]] then look(f[2]) end end
  for _, t in ipairs(trees) do look(t) end
  return #list > 0 and list or nil
end

-- event_text.calling_bits(e): the number of truth bits whose change interrupts an instance for its events: the bits of triggers and of
-- comparisons at instants (lua/ensemble/ensemble_instants.lua). These bits come first; the bits of conditions follow.
function event_text.calling_bits(e) return (e.events and #e.events or 0) + (e.instants and #e.instants.trees or 0) end

-- words: the number of 32-bit words for all truth bits. mask: the text of the mask of the bits of triggers and instants in a word.
local function words(e) return (event_text.calling_bits(e) + (e.conditions and #e.conditions or 0) + 31) // 32 end
local function mask(e, word)
  local bits = math.max(0, math.min(32, event_text.calling_bits(e) - 32 * word))
  return ("0x%xu"):format((1 << bits) - 1)
end

local function any(e, what)
  for _, x in ipairs(e.events) do if x[what] then return true end end
  return false
end

-- The number of slots for waiting events per instance, and the numbers in each slot (event, time, values).
local function room(e)
  local wide = 2
  for _, x in ipairs(e.events) do wide = math.max(wide, 2 + #x.assigns) end
  return math.max(32, 4 * #e.events), wide
end

-- --- what steps do ---

-- event_text.event_step_args(e): the source of the arguments of a step's row for events; "" if there are none.
function event_text.event_step_args(e)
  if not e.events then return "" end
  return ([[\
  A(IN, u32, truth, "%d*instances") A(IN, f64, due, "instances") A(INOUT, u32, called, "instances")]]):format(words(e))
end

local LOOK = [[
    bool found = false; /* does a trigger or a condition change within the step? */
    f64 reached = end, until = t;
    u32 looks = 1, then[WORDS];
    for (f64 at; looks <= SAMPLES || found; looks++) {
      if (found) {
        at = until + (reached - until) / 2;
        if (!(at > until && at < reached)) break;
      } else
        at = looks < SAMPLES ? t + step * looks / SAMPLES : end;
      const f64 part = (at - t) / step;
      f64 x[STATES];
      u32 now[WORDS];
NEEDED
      TRUTHS(at, p, x, now);
      bool changed = false;
      for (u32 k = 0; k < WORDS; k++) changed |= now[k] != truth[k];
      if (changed) {
        found = true;
        reached = at;
        for (u32 k = 0; k < WORDS; k++) then[k] = now[k];
      } else
        until = at;
    }
ONCE_AGAIN
    if (found) {
CALLED
      quick = reached - t < 1e-3 * step ? quick + 1 : 0;
      if (quick > 8 && !called) { /* a condition that keeps changing: only the error estimate limits steps */
        found = false;
        reached = end;
        TRUTHS(end, p, z, then);
      }
TURNED
KEPT
    }
    if (found) {
U
      const f64 part = (reached - t) / step;
      (void)part;
EVERY
JUMP
      over = called || !(reached < stop);
    }
DUE
    t = reached;]]

-- If a condition changes within a step, later stages use other equations, so the step is inaccurate even before the change, whatever
-- its error estimate says. Such a step is tried again, up to the change, in the same launch; not if the change is at the very
-- beginning of the step.
local AGAIN = [[
    if (again) {
      if (!found && last) { /* does the change expected at `edge` happen with these states? */
        TRUTHS(edge, p, z, then);
        for (u32 k = 0; k < WORDS; k++) found |= then[k] != truth[k];
        if (found) reached = edge;
      }
      again = false, goal = stop;
    } else if (found && until - t > 0.01 * a->tolerance[0] * step && until - t > 1e-12 * fabs(t)) {
TURNED
      if (again) {
        goal = until, edge = reached;
        over = false;
        count->accepted--;
        count->rejected++;
        attempt--; /* this does not count as a new attempt */
REDO
        continue;
      }
    }]]

local BOUND = [[
    if (!(left > 1e-14 * fabs(t))) { /* the last attempt ended here for an event */
      t = stop;
      h = 0;
      over = true;
      called = !(a->due[i] > t + 1e-13 * fabs(t));
      break;
    }
    h = fmin(h, a->tolerance[1]); /* so that no event is stepped over */]]

-- event_text.event_step(e, name, parts): the texts for the words of step_text.step_row's BODY that depend on events and conditions.
function event_text.event_step(e, name, parts)
  local each, filled, count = writer.each_of(e), writer.filled, words(e)
  local ready = parts.ready or ""
  local what = {ENDED = "", HEAD = "", STOP = "a->stop[0]", BOUND = "", AGAIN = "", LOOK = ready .. "    t = end;", OVER = "  if (over) return;",
    GOAL = "stop", UNLESS_AGAIN = "", AGAIN_REFUSED = ""}
  if count == 0 then return what end
  local needed, is = {}, {}
  local function need(place)
    local at = e.place_of[place]
    if at and at[1] == "y" then is[at[2]] = true end
    if e.tree[place] and not is[place + 0.5] then
      is[place + 0.5] = true
      symbolic.walk(e.tree[place], need)
    end
  end
  for _, x in ipairs(e.events or {}) do symbolic.walk(x.trigger, need) end
  for _, t in ipairs(e.instants and e.instants.trees or {}) do symbolic.walk(t, need) end
  for _, t in ipairs(e.conditions or {}) do symbolic.walk(t, need) end
  for k = 0, e.n - 1 do
    if is[k] then needed[#needed + 1] = (("      x[@] = " .. parts.dense .. ";"):gsub("@", ("%d"):format(k))) end
  end
  local function by_word(text)
    local out = {}
    for w = 0, count - 1 do out[w + 1] = text:gsub("@", ("%d"):format(w)):gsub("MASK", mask(e, w)) end
    return table.concat(out, "\n")
  end
  what.HEAD = filled("  bool called = false; /* must the events be handled? */\n  u32 truth[WORDS], quick = 0;", {WORDS = tostring(count)})
  what.AGAIN = ("  %s_truths(t, p, y, truth);"):format(name)
  what.BOUND = "    h = fmin(h, a->tolerance[1]); /* so that no event is stepped over */"
  local called, due = "", ""
  if e.events then
    what.AGAIN = what.AGAIN .. "\n" .. by_word "  truth[@] = (truth[@] & ~MASK) | (a->truth[(u64)@ * a->instances + i] & MASK);"
    what.ENDED, what.STOP, what.BOUND = "|| a->way[i] > ENSEMBLE_STIFF", "fmin(a->stop[0], a->due[i])", BOUND
    what.OVER = "  if (called) a->called[i] = 1;\n  if (over && !(called && t < a->stop[0])) return;"
    called = by_word "      called |= ((then[@] ^ truth[@]) & MASK) != 0;"
    due = "    called |= over && !(a->due[i] > end + 1e-13 * fabs(end)); /* due, up to rounding */"
  end
  local once_again = ""
  if e.conditions then
    what.HEAD = what.HEAD .. "\n  f64 goal = stop, edge = stop; /* of a step that is retried: its end, and the change after it */\n  bool again = false;"
    what.GOAL, what.UNLESS_AGAIN, what.AGAIN_REFUSED = "goal", "&& !again", "      again = false, goal = stop;"
    once_again = filled(AGAIN, {WORDS = tostring(count), TRUTHS = name .. "_truths", REDO = parts.redo or "",
      TURNED = by_word "      again |= ((then[@] ^ truth[@]) & ~MASK) != 0;"})
  end
  local u, turned, jump = "", "", ""
  if e.shifts then
    u = ("      f64 u[%d]; /* just before */\n      {\n        const f64 part = (until - t) / step;\n%s\n      }"):format(e.n,
      each(e.n, "        u[@] = " .. parts.dense .. ";"))
    what.HEAD = what.HEAD .. ("\n  u32 turned[%d];"):format(count)
    turned = by_word "      turned[@] = (then[@] ^ truth[@]) & ~MASK;"
    jump = ("      %s_jump(until, u, reached, p, z, turned);"):format(name)
  end
  what.LOOK = filled(ready .. LOOK, {SAMPLES = tostring(SAMPLES), STATES = tostring(e.n), WORDS = tostring(count), ONCE_AGAIN = once_again,
    U = u, TURNED = turned, JUMP = jump, TRUTHS = name .. "_truths", NEEDED = table.concat(needed, "\n"), CALLED = called, DUE = due,
    KEPT = by_word "      truth[@] = (truth[@] & MASK) | (then[@] & ~MASK);",
    EVERY = each(e.n, "      z[@] = " .. parts.dense .. ";")})
  return what
end

-- --- what the events do ---

local EVENTS = [[
#define UPPER_EVENTS_ARGS(A, W) \
  A(INOUT, f64, p, "VARIED*instances") A(INOUT, f64, y, "STATES*instances") A(IN, f64, t, "instances") \
  A(INOUT, f64, h, "instances") A(INOUT, u32, way, "instances") A(INOUT, u32, truth, "WORDS*instances") \
  A(INOUT, f64, due, "instances") A(INOUT, u32, called, "instances") A(INOUT, f64, pending, "WAITING*instances") \
  A(INOUT, u32, tally, "3*instances") A(INOUT, f64, moment, "instances") A(INOUT, u32, fault, "instances") A(VALUE, u32, instances, "1") \
  A(VALUE, u32, first_instance, "1") A(COUNT, u32, executed, "1") A(COUNT, u32, failed, "1")
ARGS(NAME_events, UPPER_EVENTS_ARGS)

/* Pending events: slot k has the event's number, its time and its values. */
#define SLOT(k, c) a->pending[((u64)(k) * WIDE + (c)) * a->instances + v]

VERTEX_BODY(NAME_events) {
  (void)push;
  if (!a->called[v] || a->way[v] > ENSEMBLE_STIFF) return;
  a->called[v] = 0;
  const u32 first[] = {FIRST};
  const u32 flags[] = {FLAGS};
  f64 y[STATES], p[VARIED];
  u32 truth[WORDS], now[WORDS];
  const f64 t = a->t[v];
  u32 waiting = a->tally[v], draws = a->tally[(u64)a->instances + v], made = 0, fault = 0, culprit = 0;
LOAD
  for (u32 k = 0; k < WORDS; k++) truth[k] = a->truth[(u64)k * a->instances + v];
  /* counts consecutive calls at nearly the same time: too many are an endless chain of events */
  const u32 still = t - a->moment[v] <= 1e-12 * fabs(t) ? a->tally[2 * (u64)a->instances + v] + 1 : 0;
  a->tally[2 * (u64)a->instances + v] = still;
ONCE
  a->moment[v] = t;
MEETS
  for (; !fault; made++) {
LOOK
    for (u32 k = 0; k < EVENTS && !fault; k++) {
      const bool is = now[k / 32] >> k % 32 & 1, was = truth[k / 32] >> k % 32 & 1;
      if (is && !was) {
        const f64 delay = NAME_delay(k, t, p, y);
        culprit = k;
        if (!(delay >= 0))
          fault = ENSEMBLE_NEGATIVE_DELAY;
        else if (waiting >= SLOTS)
          fault = ENSEMBLE_MANY_WAIT;
        else {
          SLOT(waiting, 0) = k;
          SLOT(waiting, 1) = t + delay;
          if (flags[k] & LS_CODE_AT_TRIGGER)
            for (u32 c = first[k]; c < first[k + 1]; c++) SLOT(waiting, 2 + c - first[k]) = NAME_assigned(c, t, p, y);
          waiting++;
        }
      }
      if (!is && was && !(flags[k] & LS_CODE_PERSISTENT)) {
        u32 kept = 0;
        for (u32 s = 0; s < waiting; s++) {
          if ((u32)SLOT(s, 0) == k) continue;
          for (u32 c = 0; c < WIDE && kept < s; c++) SLOT(kept, c) = SLOT(s, c);
          kept++;
        }
        waiting = kept;
      }
    }
    for (u32 k = 0; k < WORDS; k++) truth[k] = now[k];
    /* the next event: one of highest priority; among equal priorities a random one if the model has priorities, else the first */
    u32 best = waiting, ties = 1;
    f64 highest = 0;
    for (u32 s = 0; s < waiting && !fault; s++) {
      if (SLOT(s, 1) > t + 1e-13 * fabs(t)) continue;
      const u32 k = (u32)SLOT(s, 0);
      const f64 priority = NAME_priority(k, t, p, y);
      if (best < waiting && priority == highest && flags[k] & ENSEMBLE_BY_PRIORITY) {
        if (ode_below(ls_draw(ls_mix((u64)a->first_instance + v + 1), draws++), ++ties)) continue;
      } else if (best < waiting && !(priority > highest)) {
        continue;
      } else
        ties = 1;
      best = s;
      highest = priority;
    }
NEXT
    if (fault || (best == waiting && still <= STILL)) break;
    if (best < waiting) culprit = (u32)SLOT(best, 0);
    if (made == MOST || still > STILL) {
      fault = ENSEMBLE_WITHOUT_END;
      break;
    }
    const u32 k = culprit;
    if (!(flags[k] & LS_CODE_AT_TRIGGER))
      for (u32 c = first[k]; c < first[k + 1]; c++) SLOT(best, 2 + c - first[k]) = NAME_assigned(c, t, p, y);
    for (u32 c = first[k]; c < first[k + 1]; c++) NAME_assign(c, SLOT(best, 2 + c - first[k]), p, y);
    waiting--;
    for (u32 s = best; s < waiting; s++)
      for (u32 c = 0; c < WIDE; c++) SLOT(s, c) = SLOT(s + 1, c);
    count->executed++;
  }
  if (made > 0) a->h[v] = 0; /* the next step chooses its length like a first one */
  f64 due = INFINITY;
  for (u32 s = 0; s < waiting; s++) due = fmin(due, SLOT(s, 1));
  a->due[v] = due;
  a->tally[v] = waiting;
  a->tally[(u64)a->instances + v] = draws;
  for (u32 k = 0; k < WORDS; k++) a->truth[(u64)k * a->instances + v] = truth[k];
STORE
  if (!fault) return;
  a->way[v] = ENSEMBLE_FAILED;
  a->fault[v] = fault | culprit << ENSEMBLE_REASON_BITS;
  count->failed++;
}
#undef SLOT
]]

-- The texts of MEETS, LOOK and NEXT in EVENTS for models with triggers that are true only at one instant (lua/ensemble/ensemble_instants.lua):
-- events are first triggered by what holds at the instant, then by what holds after it.
local MEETS = [[
  u32 turned[WORDS];
  bool meets = false; /* turned: the bits that the step to this time changed; 0 at the start */
  NAME_truths(t, p, y, now);
  for (u32 k = 0; k < WORDS; k++) {
    turned[k] = begun ? now[k] ^ truth[k] : 0;
    meets |= turned[k] != 0;
  }]]
local LOOK_THERE = [[
    if (meets)
      NAME_instants(t, p, y, turned, still > 0, now);
    else
      NAME_truths(t, p, y, now);]]
local NEXT = [[
    if (!fault && best == waiting && meets) {
      meets = false;
      made--; /* no event was executed */
      continue;
    }]]

-- event_text.choice_text(e, head, trees, otherwise): the source of a function head(k, t, p, y) that returns the value of trees[k], or
-- `otherwise` if there is no such tree.
function event_text.choice_text(e, head, trees, otherwise)
  local out = {("LS_CODE_CALL f64 %s(u32 k, f64 t, const f64 *p, const f64 *y) {"):format(head), "  (void)t, (void)p, (void)y;",
    "  switch (k) {"}
  local numbers = {}
  for k in pairs(trees) do numbers[#numbers + 1] = k end
  table.sort(numbers)
  for _, k in ipairs(numbers) do
    local tree = trees[k]
    out[#out + 1] = ("  case %d: {"):format(k)
    writer.put_functions(e, {tree}, out)
    out[#out + 1] = ("    return %s;\n  }"):format(symbolic.text(tree, writer.name_in(e)))
  end
  out[#out + 1] = ("  default: return %s;\n  }\n}\n"):format(otherwise)
  return table.concat(out, "\n")
end

local JUMP = [[
LS_CODE_CALL void NAME_jump(f64 before, const f64 *u, f64 t, const f64 *p, f64 *y, const u32 *turned) {
  f64 rate[STATES], next[STATES], shift = 0;
  NAME_rates(before, p, u, rate);
  NAME_rates(t, p, y, next);
  for (u32 k = 0; k < CONDITIONS && shift == 0; k++) {
    const u32 at = EVENTS + k;
    if (turned[at / 32] >> at % 32 & 1) shift = NAME_shift(k, before, p, u);
  }
  if (!(shift - shift == 0)) return; /* not finite: the trajectory only touches the change, or reaches it with speed 0 */
  for (u32 k = 0; k < STATES / 2; k++) y[STATES / 2 + k] += (rate[k] - next[k]) * shift;
}
]]

-- event_text.jump_text(e, name): the source of NAME_jump(before, u, t, p, y, turned), for equations with slopes and conditions. The time
-- at which a condition changes depends on the parameters; there the derivatives of the states jump by the jump of the rates times the
-- derivative of that time (Rozenvasser 1967). before and u: the time and the values just before the change; t and y: just after it;
-- turned: the bits of the conditions that changed.
function event_text.jump_text(e, name)
  local shifts = {}
  for k, t in ipairs(e.shifts) do shifts[k - 1] = t end
  return event_text.choice_text(e, name .. "_shift", shifts, "0") .. writer.filled(JUMP:gsub("NAME", name), {STATES = tostring(e.n),
    CONDITIONS = tostring(#e.shifts), EVENTS = tostring(event_text.calling_bits(e))})
end

-- event_text.truths_text(e, name): the source of NAME_truths, which steps and events use: it computes one bit per trigger, then per
-- comparison of instants, then per condition. nil if there are none.
function event_text.truths_text(e, name)
  if words(e) == 0 then return nil end
  local trees = {}
  for _, x in ipairs(e.events or {}) do trees[#trees + 1] = x.trigger end
  for _, t in ipairs(e.instants and e.instants.trees or {}) do trees[#trees + 1] = t end
  for _, t in ipairs(e.conditions or {}) do trees[#trees + 1] = t end
  return event_text.bits_text(e, name .. "_truths", trees)
end

-- event_text.bits_text(e, name, trees): the source of a function called `name` that sets one bit per tree: 1 if its value is not 0.
function event_text.bits_text(e, name, trees)
  local called = writer.name_in(e)
  local out = {("%s void %s(f64 t, const f64 *p, const f64 *y, u32 *truth) {"):format(writer.function_word(e), name),
    "  (void)t, (void)p, (void)y, (void)truth;"}
  writer.put_functions(e, trees, out)
  for w = 0, (#trees + 31) // 32 - 1 do out[#out + 1] = ("  truth[%d] = 0;"):format(w) end
  for k, tree in ipairs(trees) do
    out[#out + 1] = ("  truth[%d] |= (u32)(%s != 0) << %d;"):format((k - 1) // 32, symbolic.text(tree, called), (k - 1) % 32)
  end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- event_text.events_text(e, name): the source of the row NAME_events.
function event_text.events_text(e, name)
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
  local choice_text, is = event_text.choice_text, e.instants ~= nil
  local text = EVENTS:gsub("MEETS\n", is and MEETS .. "\n" or ""):gsub("LOOK\n", is and LOOK_THERE .. "\n" or "    NAME_truths(t, p, y, now);\n")
    :gsub("NEXT\n", is and NEXT .. "\n" or ""):gsub("ONCE\n", is and "  const bool begun = a->moment[v] > -INFINITY;\n" or "")
  return choice_text(e, name .. "_delay", delays, "0") .. choice_text(e, name .. "_priority", priorities, "-INFINITY") ..
    choice_text(e, name .. "_assigned", assigned, "0") ..
    ("LS_CODE_CALL void %s_assign(u32 k, f64 x, f64 *p, f64 *y) {\n  (void)x, (void)p, (void)y;\n  switch (k) {\n%s\n  default: break;\n  }\n}\n")
      :format(name, table.concat(puts, "\n")) ..
    (e.instants and instant_text.instants_text(e, name) or "") ..
    writer.filled(text:gsub("NAME", name):gsub("UPPER", name:upper()), {VARIED = tostring(math.max(e.q, 1)), STATES = tostring(e.n),
      WORDS = tostring(words(e)), EVENTS = tostring(#e.events), SLOTS = tostring(slots), WIDE = tostring(wide),
      WAITING = tostring(slots * wide), MOST = tostring(MOST_AT_A_TIME), STILL = tostring(MOST_STILL), FIRST = table.concat(first, ", "),
      FLAGS = table.concat(flags, ", "),
      LOAD = writer.each(e.n, "  y[@] = a->y[(u64)@ * a->instances + v];") .. "\n" ..
        (e.q > 0 and writer.each(e.q, "  p[@] = a->p[(u64)@ * a->instances + v];") or "  p[0] = 0;"),
      STORE = writer.each(e.n, "  a->y[(u64)@ * a->instances + v] = y[@];") .. "\n" ..
        writer.each(e.q, "  a->p[(u64)@ * a->instances + v] = p[@];")})
end

-- --- at the start ---

-- event_text.event_sizes(e, count): the sizes `words`, `waiting` and `timed` of state.ensemble for the events of `count` instances; 0, 0, 0
-- if the model has no events.
function event_text.event_sizes(e, count)
  if not e.events then return 0, 0, 0 end
  local slots, wide = room(e)
  return words(e), slots * wide, count
end

-- event_text.begin_events(run): initialises the state of events for instances at their initial values, and executes the events at the
-- start.
function event_text.begin_events(run)
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
  event_text.happen(run)
end

-- event_text.happen(run): triggers and executes events for all instances that a step has stopped at one. Returns how many instances
-- failed.
function event_text.happen(run)
  local c = named(run.kernels.events, run.s)
  run.totals.events = run.totals.events + c.executed
  run.totals.failed = run.totals.failed + c.failed
  return c.failed
end

return event_text
