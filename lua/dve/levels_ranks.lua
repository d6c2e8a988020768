-- Breadth-first search of state spaces by several ranks (lua/exchange/ranks.lua): the hash of a state selects the rank that owns it and has it
-- in its table. States have the same numbers as in the search by one rank (lua/dve/levels.lua). Steps of a block:
--   degrees, spread     count the successors of each state of the block, in all ranks: this gives each candidate a number
--   expand              each rank computes the candidates of its own states
--   share, send         and sends each to its owner,
--   arrange             which sorts what it receives by number
--   look up, fresh      as in lua/dve/levels.lua
--   mark, ones          a bit for each new candidate, summed over the ranks: now all ranks know which are new
--   name, keep          number and copy the new states
--   answer, join        the numbers go back to the rank that made the candidate, which writes the edges
-- All ranks take the same decisions, for example where a limit is reached: these depend only on values that all ranks have; values
-- of a single rank are exchanged first.

local algorithm = import "base/algorithm"
local bundle = import("base/loops").bundle
local named = import("base/loops").named
local ranks = import "exchange/ranks"

local parts = import "dve/levels"

local NONE, WORD = 0xffffffff, 32 -- WORD: number of bits in a word

-- --- buffers and their capacity ---

local MORE = {
  room = {{"name", "u32", "one", "known"}}, -- the numbers of this rank's states, ascending
  span = {{"share", "u32", "ranks"}, {"begins", "u32", "ranks"}},
  reach = {{"sent", "u32", "record"}, {"come", "u32", "record"}, {"key", "u32", "one"}, {"went", "u32", "linked"},
    {"came", "u32", "linked"}, {"answer", "u32", "linked"}},
  stretch = {{"degrees", "u32", "one"}, {"places", "u32", "one"}},
  pieces = {{"bits", "u32", "one"}, {"ones", "u32", "one"}, {"before", "u32", "one"}},
}
local KEPT = {successors = "made", cost = "made", time = "made"} -- contents that are kept when the buffers grow for the received candidates

local GROUPS = {}
for size, list in pairs(parts.GROUPS) do
  GROUPS[size] = {}
  for i, b in ipairs(list) do GROUPS[size][i] = {b[1], b[2], b[3], b[4] or KEPT[b[1]]} end
end
for size, list in pairs(MORE) do
  GROUPS[size] = GROUPS[size] or {}
  table.move(list, 1, #list, #GROUPS[size] + 1, GROUPS[size])
end

-- Resizes buffers that are exchanged whole: they have the same size in all ranks, and are not much larger than needed. They are small
-- compared with the others; start() reserves memory for them.
local function fit(s, size, items)
  if items > s[size] or s[size] > math.max(2 * items, 1024) then parts.resize(s, size, items + items // 4) end
end

-- Returns, in all ranks, whether all of them have room.
local function all_have(room) return ranks.greatest(room and 0 or 1) == 0 end

-- --- a block ---

-- How many of the first `count` states of the block this rank owns. Its states of this level end at s.past.
local function own(s, count)
  local states = s.past - s.first
  if s.base + count >= s.high then return states end
  return parts.last(states, function(k) return s.name[s.first + k - 1] < s.base + count end)
end

-- Raises, in all ranks, the error of the first state that has an invalid step. fault: NONE minus the number of this state; mine: NONE
-- minus the number of the first such state of this rank.
local function raise_fault(s, m, fault, mine)
  local words = {}
  for i = 1, s.words do words[i] = 0 end
  if mine == fault then words = parts.words_of(s, s.fault[0]) end
  parts.raise_fault(m, {ranks.sum(table.unpack(words))})
end

-- Counts the candidates of the block's s.wide states (of all ranks) and where those of each state begin; reduces s.wide if there is
-- not room for all. Returns the number of candidates of all ranks (nil if not even one state fits); whether this rank has room; the
-- number of its deadlocks; and NONE minus the number of a state that has too many steps, or 0.
local function measure(s, rows)
  local dead, faults = 0, 0
  s.sources = own(s, s.wide)
  fit(s, "stretch", s.wide + 1)
  fill(s.degrees, 0)
  local room = parts.reserve(s, "span", s.sources + 1)
  if room then
    local _
    _, dead, faults = rows.count(s)
    scan_front(s.degree, s.place, s.sources + 1)
    dve_spread(s.place, s.name, s.first, s.sources, s.span, s.room, s.base, s.stretch, s.degrees)
  end
  all_reduce(s.degrees, 0)
  scan_front(s.degrees, s.places, s.wide + 1)
  local wide, steps = parts.with_room(s, s.places, s.wide, s.places[s.wide], s.total)
  if wide and wide < s.wide then s.wide, s.sources = wide, own(s, wide) end
  return steps, room, dead, faults > 0 and NONE - s.name[s.fault[0]] or 0
end

-- Computes the candidates of this rank, if it has room; then all ranks exchange how many candidates go from each rank to each other.
-- Returns where the candidates for each rank begin, how many this rank will receive, and whether all ranks have room for what they
-- receive, even if all of it is new; or nil if a rank has no room for the candidates that it makes.
local function make(s, m, rows, room, fault)
  local count, me = ranks.count, ranks.rank
  local made, begins = room and s.place[s.sources] or 0, {[0] = 0}
  local counts, most = {}, {}
  for i = 1, count * count do counts[i] = 0 end
  for r = 1, count do most[r] = 0 end
  s.made = 0
  room = room and parts.reserve(s, "reach", made) and parts.reserve_table(s, made)
    and (s.linked == 0 or parts.reserve(s, "rows", s.first + s.sources + 1) and parts.reserve(s, "arcs", s.edges + made))
  if room and fault == 0 then
    local expanded = named(rows.make, s)
    if expanded.faults > 0 then fault = NONE - s.name[s.fault[0]] end
    s.made, s.new_errors = made, expanded.errors
    dve_share(s)
    scan_front(s.share, s.begins, count * s.sources)
    s.share, s.begins = s.begins, s.share
    for r = 1, count do
      begins[r] = r < count and s.sources > 0 and s.share[r * s.sources] or made
      counts[me * count + r] = begins[r] - begins[r - 1]
    end
    most[me + 1] = math.min(s.reach, s.slots - s.known - 1, s.room - s.known)
  end
  local agreed = {ranks.greatest(room and 0 or 1, fault, table.unpack(table.move(counts, 1, count * count, count + 1, most)))}
  if agreed[2] > 0 then raise_fault(s, m, agreed[2], fault) end
  if agreed[1] > 0 then return nil end
  local come, enough = {}, true
  for q = 1, count do
    come[q] = 0
    for r = 0, count - 1 do come[q] = come[q] + agreed[2 + count + r * count + q] end
    enough = enough and come[q] <= agreed[2 + q]
  end
  return begins, come[me + 1], enough
end

-- Converts `begins` from elements of `each` words to words, as the bounds for all_to_all.
local function bounds(s, begins, each)
  for r = 0, ranks.count do s.bounds[r] = begins[r] * each end
  return s.bounds
end

-- Sends the candidates to their owners, which sort them by number.
local function send(s, begins, come)
  dve_send(s)
  all_to_all(s.sent, bounds(s, begins, s.record), s.come, s.starts)
  s.reached = come
  dve_arrange(s)
end

-- Sets a bit for each new candidate of all ranks, and counts the bits before each word.
local function mark(s)
  fill(s.bits, 0)
  dve_mark(s)
  all_reduce(s.bits, 0)
  dve_ones(s)
  scan_front(s.ones, s.before, s.pieces)
end

-- If a limit is reached, ends the block before the first state whose successors exceed it, like `cut` in lua/dve/levels.lua, but only by
-- numbers that all ranks know. Returns the limit (or nil), and the number of new states of all ranks.
local function cut(s, steps, found)
  local function new(k)
    local at = s.places[k]
    local word, bit = s.bits[at // WORD], at % WORD
    local count = s.before[at // WORD]
    for i = 0, bit - 1 do count = count + (word >> i & 1) end
    return count
  end
  local function fits(k) return s.total + new(k) <= s.bound and (s.linked == 0 or s.steps + s.places[k] <= parts.MOST_EDGES) end
  if s.total + found <= s.bound and (s.linked == 0 or s.steps + steps <= parts.MOST_EDGES) then return nil, found end
  local k = parts.last(s.wide, fits)
  local why, past = s.total + new(k + 1) > s.bound and "states" or "edges", s.places[k]
  s.wide, s.sources = k, own(s, k)
  s.made = s.place[s.sources]
  s.reached = parts.last(s.reached, function(c) return s.key[c - 1] < past end)
  return why, new(k)
end

-- Sends the numbers of the `come` received candidates back to the ranks that made them, which write the edges.
local function connect(s, come)
  local kept, starts = s.reached, {}
  s.reached = come
  dve_answer(s)
  s.reached = kept
  for r = 0, ranks.count do starts[r] = s.starts[r] // s.record end
  all_to_all(s.answer, bounds(s, starts, 1), s.number, s.starts)
  dve_join(s)
end

-- Expands one block: s.wide states from number s.base on, of which this rank owns some. Returns the limit that was reached, if any.
local function block(s, m, rows, space)
  local steps, room, dead, fault = measure(s, rows)
  if not steps then return "states" end
  fit(s, "pieces", steps // WORD + 2)
  local begins, come, enough = make(s, m, rows, room, fault)
  if not begins then return "memory" end
  if not enough and not all_have(parts.reserve(s, "reach", math.max(s.made, come)) and parts.reserve_table(s, come)) then return "memory" end
  send(s, begins, come)
  assert(named(dve_look_up, s).lost == 0)
  local mine = dve_fresh(s)
  scan_front(s.fresh, s.rank, come)
  mark(s)
  local why, found = cut(s, steps, s.before[steps // WORD + 1])
  if s.reached < come then mine = s.rank[s.reached] end
  if s.wide == 0 then return why end
  if not enough and not all_have(parts.reserve(s, "room", s.known + mine)) then return "memory" end
  dve_name(s)
  dve_keep(s)
  s.known, s.total = s.known + mine, s.total + found
  if s.linked == 1 then connect(s, come) end
  if why then s.new_errors = named(rows.make, s).errors end -- again, to count the errors of the shortened block
  if dead > 0 then parts.add_deadlocks(space, s.dead, s.first + s.sources) end
  s.errors, s.edges = s.errors + s.new_errors, s.edges + s.linked * s.made
  s.steps, s.first, s.base = s.steps + s.places[s.wide], s.first + s.sources, s.base + s.wide
  return why
end

-- --- the result ---

local function zeros(kind, elements)
  local b = buffer.new(kind, elements)
  fill(b, 0)
  return b
end

-- Joins the parts of all ranks, in all ranks: in b each rank has its part, and zeros elsewhere.
local function joined(b)
  all_reduce(b, 0)
  return b
end

local function all_deadlocks(s, own_space, total)
  local list, counts = own_space:deadlocks(), {}
  for r = 1, ranks.count do counts[r] = r == ranks.rank + 1 and #list or 0 end
  counts = {ranks.sum(table.unpack(counts))}
  local numbers, queue, at = buffer.new("u32", #list), zeros("u32", total + 1), 1
  gather(s.name, list, numbers)
  for r = 1, ranks.rank do at = at + counts[r] end
  queue:paste(numbers, at)
  joined(queue)
  queue[0] = total
  return queue
end

-- The graph of all states, from the edges that each rank has.
local function all_edges(s, space)
  local degrees <close> = zeros("u32", s.total + 1)
  if s.first > 0 then s.off[s.first] = s.edges end
  dve_spread(s.off, s.name, 0, s.first, s.rows, s.room, 0, s.total + 1, degrees)
  joined(degrees)
  local off = buffer.new("u32", s.total + 1)
  scan(degrees, off)
  local all = bundle {all_off = off, total = s.total + 1, links = s.steps, expanded = s.first, all_to = zeros("u32", s.steps),
    all_w = zeros("i32", s.priced * s.steps), all_t = zeros("i32", s.timed * s.steps)}
  dve_all_edges(s, all)
  return parts.make_graph(space, off, joined(all.all_to), s.priced == 1 and joined(all.all_w) or nil, s.timed == 1 and joined(all.all_t) or nil)
end

-- Makes the whole state space and its graph, in all ranks, from the parts of each. Frees the rank's own states.
local function whole(s, m, own_space, levels, numbers)
  local space = parts.space(m)
  local all = bundle {all_states = zeros("u32", s.total * s.words), all_parents = zeros("u32", s.total)}
  dve_all_states(s, all)
  numbers.error = numbers.error or NONE
  parts.fill(space, joined(all.all_states), joined(all.all_parents), buffer.new("u32", levels), numbers)
  if numbers.deadlocks > 0 then parts.add_deadlocks(space, all_deadlocks(s, own_space, numbers.deadlocks), s.base) end
  local g = s.linked == 1 and all_edges(s, space) or nil
  for _, size in ipairs {"room", "rows", "arcs"} do parts.close(s, size) end
  return space, g
end

-- --- the search ---

-- The rank that owns the initial state.
local function first_owner(s)
  local place <close> = buffer.new("u32", {0, 1})
  local share <close> = buffer.new("u32", 2 * ranks.count)
  local state <close> = buffer.new("u32", s.words)
  copy_front(s.states, state, s.words)
  dve_share(state, place, 1, 2, s.words, 1, ranks.count, share)
  for r = 0, ranks.count - 1 do
    if share[r] == 1 then return r end
  end
end

local function start(m, states, bytes, edges)
  local s = parts.start(m, GROUPS, states, bytes, {ranks = ranks.count, linked = edges and 1 or 0, record = #dve.initial(m) // 4 + 1,
    base = 0, total = 1, made = 0})
  s.candidates = math.min(s.candidates * ranks.count, NONE >> 1)
  s.most_sources = math.min(s.most_sources * ranks.count, NONE // s.most_steps)
  s.bytes = s.bytes - s.most_sources * parts.item_bytes(s, "stretch") - s.candidates // WORD * parts.item_bytes(s, "pieces")
  for _, name in ipairs {"bounds", "starts"} do s[name] = buffer.new("u64", ranks.count + 1) end
  if first_owner(s) ~= ranks.rank then s.known = 0 end
  s.name[0] = 0
  return s
end

--- dve.ranks(m, states, bytes, edges, compiled): the same result as dve.levels, computed by all ranks and returned in each of them. A
--- rank uses at most `bytes` of memory. Without edges each rank keeps only its own states: then it returns nil, nil, the numbers of
--- the space, and a function that all ranks call to get the whole space.
function dve.ranks(m, states, bytes, edges, compiled)
  parts.check_words(m)
  if bytes == 0 then bytes = device().free // 3 * 2 // (algorithm.on_cpu() and ranks.count or 1) end
  bytes = -ranks.greatest(-bytes)
  local s, space = start(m, states, bytes, edges), parts.space(m)
  local rows = parts.rows_of(m, compiled)
  local levels, stopped = parts.search(s, "base", "total", function(high)
    if s.high ~= high then s.high, s.past = high, s.known end -- a new level
    s.wide = math.min(high - s.base, s.most_sources)
    return block(s, m, rows, space)
  end)
  local own_error = s.error[0]
  local numbers = {states = s.total, transitions = s.steps, expanded = s.base, levels = #levels - 1, words = s.words,
    stopped = stopped or "complete", bytes = ranks.greatest(parts.bytes_held(s)),
    error = -ranks.greatest(-(own_error == NONE and NONE or s.name[own_error]))}
  if numbers.error == NONE then numbers.error = nil end
  numbers.errors, numbers.deadlocks = ranks.sum(s.errors, space:numbers().deadlocks)
  for _, size in ipairs {"span", "reach", "slots", "stretch", "pieces"} do parts.close(s, size) end
  local wanted = 4 * (s.total * (s.words + 1) + (edges and 2 * s.total + s.steps * (1 + s.priced + s.timed) or 0))
  local there = all_have(wanted <= s.bytes - parts.bytes_held(s)) -- room on the device
  local function bring()
    if there then return whole(s, m, space, levels, numbers) end
    return ranks.on_host(whole, s, m, space, levels, numbers)
  end
  if edges or stopped then return bring() end
  return nil, nil, numbers, bring
end
