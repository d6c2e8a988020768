-- Breadth-first search of state spaces by primitives (kernels/dve), on CPU or GPU. Each level is expanded in blocks of states.
-- Steps of a block:
--   degrees   count the successors of each state       scan: where they begin
--   expand    compute the successors, the candidates
--   look up   look them up in the hash table; of equal new candidates, the first stays in the table
--   fresh     mark these first ones                    scan: their numbers
--   keep      number and copy the new states
--   connect   write the edges
-- The number of a state depends only on the order of states and steps, so it is the same as in a sequential search. The table uses open
-- addressing with linear probing, as in Laarman, van de Pol, Weber 2010.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local named = import("base/loops").named

local parts = dve.parts -- functions in C that fill a state space from buffers
dve.parts = nil

local NONE, MOST_EDGES, MOST_STATES = 0xffffffff, 0xffffffff, 0xfffffffe
local SOURCES, CANDIDATES = 1 << 22, 1 << 26 -- maximum numbers of states and of their candidates in a block
local MOST_STEPS = 1 << 24 -- maximum number of steps of a state; dve_degrees reports more as an error
local FIRST = 1 << 16 -- initial capacity of buffers, in items
local FULL = 2 -- least number of table slots per known state

-- --- buffers and their capacity ---

-- Groups of buffers that are resized together. For each buffer: name, type, the field of s with the number of elements per item,
-- and the field with the number of items whose contents are kept (nil: none).
local GROUPS = {
  room = {{"states", "u32", "words", "known"}, {"parent", "u32", "one", "known"}},
  rows = {{"off", "u32", "one", "first"}},
  arcs = {{"to", "u32", "one", "edges"}, {"w", "i32", "priced", "edges"}, {"t", "i32", "timed", "edges"}},
  span = {{"degree", "u32", "one"}, {"place", "u32", "one"}, {"dead", "u32", "one"}},
  reach = {{"successors", "u32", "words"}, {"from", "u32", "one"}, {"number", "u32", "one"}, {"slot", "u32", "one"},
    {"fresh", "u32", "one"}, {"rank", "u32", "one"}, {"cost", "i32", "priced"}, {"time", "i32", "timed"}},
  slots = {{"table", "u64", "one"}},
}
local MOST = {room = MOST_STATES, rows = MOST_STATES, arcs = MOST_EDGES, span = SOURCES + 1, reach = NONE >> 1, slots = NONE}
local BYTES = {u32 = 4, i32 = 4, u64 = 8}

local function item_bytes(s, size)
  local bytes = 0
  for _, b in ipairs(s.groups[size]) do bytes = bytes + BYTES[b[2]] * s[b[3]] end
  return bytes
end

local function bytes_held(s)
  local bytes = 0
  for size in pairs(s.groups) do bytes = bytes + s[size] * item_bytes(s, size) end
  return bytes
end

-- Reallocates the buffers of a group for `items` items; copies the contents that are to be kept.
local function resize(s, size, items)
  for _, b in ipairs(s.groups[size]) do
    local name, kind, each, kept = table.unpack(b)
    local new, old = buffer.new(kind, items * s[each] + (name == "dead" and 1 or 0)), s[name]
    if old and kept and s[kept] > 0 and s[each] > 0 then copy_front(old, new, s[kept] * s[each]) end
    if old then old:close() end
    s[name] = new
  end
  s[size] = items
end

-- Frees the buffers of a group.
local function close(s, size)
  for _, b in ipairs(s.groups[size]) do s[b[1]]:close() end
  s[size] = 0
end

-- Makes room for `items` items: doubles the capacity if memory allows. Returns false if there is not enough memory.
local function reserve(s, size, items)
  if items <= s[size] then return true end
  if items > MOST[size] then return false end
  local each, left = item_bytes(s, size), s.bytes - bytes_held(s) -- the old buffers exist until they are copied
  for _, factor in ipairs {2, 1.25, 1} do
    local more = math.min(math.max(items, FIRST < s.bytes // 4096 and FIRST or 64, math.floor(factor * s[size])), MOST[size])
    if more * each <= left then
      resize(s, size, more)
      return true
    end
  end
  return false
end

-- Makes table slots for all known states and `candidates` candidates. The old table is freed first: it is rebuilt from the states.
local function reserve_table(s, candidates)
  local least = math.max(FULL * s.known, s.known + candidates + 1)
  if least <= s.slots then return true end
  local free = s.bytes - bytes_held(s) + 8 * s.slots
  local slots = math.min(math.max(2 * least, s.bytes // 4096 > FIRST and 4 * FIRST or 256), free // 8, MOST.slots)
  if slots < least then
    slots = least
    if 8 * slots > free or slots > MOST.slots then return false end
  end
  resize(s, "slots", slots)
  dve_enter(s)
  return true
end

-- --- a block ---

-- The largest k from 0 to most for which holds(k) is true, by bisection: holds must be true for all smaller k.
local function last(most, holds)
  local low, high = 0, most + 1
  while high - low > 1 do
    local middle = (low + high) // 2
    if holds(middle) then low = middle else high = middle end
  end
  return low
end

-- Raises the error of a state, given by its words, that has an invalid step.
local function raise_fault(m, words)
  local _, why = pcall(dve.fault, m, string.pack("=" .. ("I4"):rep(#words), table.unpack(words)))
  error(algorithm.without_place(why), 0)
end

local function words_of(s, v)
  local words = {}
  for i = 1, s.words do words[i] = s.states[v * s.words + i - 1] end
  return words
end

-- How many of `sources` states fit into a block next to `known` states, and the number of their candidates. The candidates of
-- state k begin at place[k]; all `sources` states together have `steps`. Returns nil if not even the first state fits.
local function with_room(s, place, sources, steps, known)
  local most = math.min(s.candidates, MOST_STATES - known - 1)
  if steps <= most then return sources, steps end
  sources = last(sources, function(k) return place[k] <= most end)
  if sources == 0 and s.candidates < steps and known + place[1] <= MOST_STATES - 1 then sources = 1 end -- one state may exceed s.candidates
  if sources == 0 then return nil end
  return sources, place[sources]
end

-- Counts the candidates of the block; reduces s.sources if there is not room for all. If at least one state fits, returns the number of
-- candidates, nil, and the number of deadlocks; else returns nil and the limit that was reached.
local function measure(s, m, rows)
  if not reserve(s, "span", s.sources + 1) then return nil, "memory" end
  local steps, dead, faults = rows.count(s)
  if faults > 0 then raise_fault(m, words_of(s, s.fault[0])) end
  scan_front(s.degree, s.place, s.sources + 1)
  local sources, room = with_room(s, s.place, s.sources, steps, s.known)
  if not sources then return nil, "states" end
  s.sources, steps = sources, room
  if not reserve(s, "reach", steps) then return nil, "memory" end
  return steps, nil, dead
end

-- If a limit is reached, ends the block before the first state whose successors exceed it. Returns the limit (or nil), and the
-- number of new states.
local function cut(s, found, bound, edges)
  local reached = s.reached
  local function new(k) return s.place[k] < reached and s.rank[s.place[k]] or found end
  local function fits(k) return s.known + new(k) <= bound and (not edges or s.edges + s.place[k] <= MOST_EDGES) end
  if fits(s.sources) then return nil, found end
  local k = last(s.sources, fits)
  local why = s.known + new(k + 1) > bound and "states" or "edges"
  found = new(k)
  s.sources, s.reached = k, s.place[k]
  return why, found
end

-- Expands one block: s.sources states from s.first on. Returns the number of new states, and the limit that was reached, if any.
-- If a limit is reached, only part of the block (possibly nothing) is expanded.
local function block(s, m, rows, space, edges)
  local reached, why, dead = measure(s, m, rows)
  if not reached then
    s.sources, s.reached = 0, 0
    return 0, why
  end
  s.reached = reached
  if not (reserve_table(s, reached) and (not edges or reserve(s, "rows", s.first + s.sources))) then
    s.sources, s.reached = 0, 0
    return 0, "memory"
  end
  local expanded = named(rows.make, s)
  if expanded.faults > 0 then raise_fault(m, words_of(s, s.fault[0])) end
  assert(named(dve_look_up, s).lost == 0)
  local found = dve_fresh(s)
  scan_front(s.fresh, s.rank, reached)
  why, found = cut(s, found, s.bound, edges)
  if why and s.sources > 0 then expanded = named(rows.make, s) end -- again, to count the errors of the shortened block
  if s.sources > 0 and not (reserve(s, "room", s.known + found) and (not edges or reserve(s, "arcs", s.edges + s.reached))) then
    why, s.sources, s.reached, found = "memory", 0, 0, 0
  end
  if s.sources == 0 then return 0, why end
  dve_keep(s)
  if edges then dve_connect(s) end
  if dead > 0 then parts.add_deadlocks(space, s.dead, s.first + s.sources) end
  s.errors = s.errors + expanded.errors
  return found, why
end

-- --- the search ---

-- dve_degrees and dve_expand; or kernels that are generated and compiled for this model.
local function rows_of(m, compiled)
  if not compiled then return {count = dve_degrees, make = dve_expand} end
  local text, name = dve.generate(m)
  if not prim[name .. "_expand"] then kernel.generated(text, m:name():match "[^/]*$") end
  for _, what in ipairs {"_degrees", "_expand"} do
    if kernel.bounds() == "own" then kernel.bounds(name .. what, "off") end
  end
  return {count = prim[name .. "_degrees"], make = prim[name .. "_expand"]}
end

-- The state of the search before its first level, with buffers of these groups and the further fields `more`.
local function start(m, groups, states, bytes, more)
  local words = #dve.initial(m) // 4
  local s = bundle {groups = groups, program = dve.program(m), words = words, one = 1, known = 0, first = 0, edges = 0, steps = 0, errors = 0,
    bound = states > 0 and math.min(states, MOST_STATES) or MOST_STATES, bytes = bytes, error = buffer.new("u32", {NONE}),
    fault = buffer.new("u32", {NONE})}
  for name, x in pairs(more) do s[name] = x end
  s.priced, s.timed = dve.worth(m)
  for size in pairs(groups) do
    s[size] = 0
    resize(s, size, 0)
  end
  s.candidates = math.max(1024, math.min(CANDIDATES, bytes // 8 // item_bytes(s, "reach")))
  s.most_sources = math.max(64, math.min(SOURCES, bytes // 64 // item_bytes(s, "span")))
  s.most_steps = math.max(1, math.min(parts.most_steps(m), MOST_STEPS))
  s.most_sources = math.min(s.most_sources, NONE // s.most_steps) -- the steps of a block are counted in 32 bits
  if not reserve(s, "room", 1) then
    error(("%s of memory cannot hold one state"):format(algorithm.counted(bytes, "byte")), 0)
  end
  for i, word in ipairs {string.unpack(("=" .. ("I4"):rep(words)), dve.initial(m))} do
    if i <= words then s.states[i - 1] = word end
  end
  s.parent[0] = NONE
  s.known = 1
  return s
end

-- The first `count` elements of b as a buffer of `size` elements, filled up with `rest`. Frees b unless it returns it.
local function taken(b, count, size, rest)
  if #b == size and count == size then return b end
  local out = buffer.new(b.dtype, size)
  if count < size then fill(out, rest) end
  if count > 0 then copy_front(b, out, count) end
  b:close()
  return out
end

local function make_graph(s, space)
  local off = taken(s.off, s.first, s.known + 1, s.edges)
  return parts.make_graph(space, off, taken(s.to, s.edges, s.edges), s.priced == 1 and taken(s.w, s.edges, s.edges) or nil,
    s.timed == 1 and taken(s.t, s.edges, s.edges) or nil)
end

dve.MOST_WORDS = 64 -- maximum number of words of a state in the primitives of kernels/dve

local function check_words(m)
  local words = #dve.initial(m) // 4
  if words > dve.MOST_WORDS then error(("a state of this model has %d words; the kernels of explore support at most %d (explore.search has no such limit)"):format(words, dve.MOST_WORDS), 0) end
end

-- Searches level by level. s[first] is the state to be expanded next and s[known] the number of known states. expand(high) expands
-- a block of states below `high`, advances both, and returns the limit that was reached, if any. Returns the first state of each
-- level, followed by the number of states; and that limit.
local function search(s, first, known, expand)
  local levels, stopped = {}, nil
  local line <close> = algorithm.progress_line
  for it in iterations() do
    local begin, steps, high = s[first], s.steps, s[known]
    levels[#levels + 1] = begin
    while s[first] < high and not stopped do
      stopped = expand(high)
      if not session.awaited() then algorithm.progress("states", s[known]) end
    end
    it:mark{frontier = s[first] - begin, steps = s.steps - steps, new = s[known] - high, load = s.known / math.max(s.slots, 1)}
    if stopped or s[first] == s[known] then
      if stopped and high < s[known] then levels[#levels + 1] = high end
      break
    end
  end
  levels[#levels + 1] = s[known]
  return levels, stopped
end

--- dve.levels(m, states, bytes, edges, compiled): the same result as dve.search, by the primitives of kernels/dve on the current
--- device. An iteration is a level; its mark has the number of its states (frontier), of their steps, of the new states, and the load
--- factor of the table.
function dve.levels(m, states, bytes, edges, compiled)
  check_words(m)
  if bytes == 0 then bytes = device().free // 3 * 2 end
  local s, space = start(m, GROUPS, states, bytes, {}), parts.space(m)
  local rows = rows_of(m, compiled)
  local kept <close> = session.keep()
  local levels, stopped = search(s, "first", "known", function(high)
    s.sources = math.min(high - s.first, s.most_sources)
    local found, why = block(s, m, rows, space, edges)
    s.known, s.steps, s.first = s.known + found, s.steps + s.reached, s.first + s.sources
    if edges then s.edges = s.steps end -- without edges there may be more than 2^32 steps
    return why or session.interrupted() and s.first < s.known and "interrupted" or nil
  end)
  local held = bytes_held(s)
  for _, size in ipairs {"span", "reach", "slots"} do close(s, size) end
  parts.fill(space, s.states, s.parent, buffer.new("u32", levels), {states = s.known, transitions = s.steps, expanded = s.first,
    errors = s.errors, error = s.error[0], bytes = held, stopped = stopped or "complete"})
  return space, edges and make_graph(s, space) or nil
end

for name, f in pairs {GROUPS = GROUPS, MOST_EDGES = MOST_EDGES, check_words = check_words, start = start, resize = resize, close = close, reserve = reserve,
  reserve_table = reserve_table, item_bytes = item_bytes, bytes_held = bytes_held, last = last, with_room = with_room, words_of = words_of,
  raise_fault = raise_fault, rows_of = rows_of, search = search} do
  parts[name] = f
end

return parts -- for the search by several ranks
