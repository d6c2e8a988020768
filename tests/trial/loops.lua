-- Random loops with all words of the loop language, over small rows (rows.h): run unstepped on each device, stepped, and by
-- loop_model.lua, they must give the same results, sums, iterations and trace. TRIAL_LOOPS: how many loops; TRIAL_SEED: the first seed.
local model = dofile((debug.getinfo(1, "S").source:match "^@(.*)/trial/[^/]*$") .. "/lua/loop_model.lua")
local LOOPS = tonumber(os.getenv "TRIAL_LOOPS") or sized(300, 100)
local FIRST = tonumber(os.getenv "TRIAL_SEED") or 1

local devices = {"cpu:1", "cpu"}
if pcall(device, "cuda") then devices[#devices + 1] = "cuda" end
device("cpu:1")

local random = math.random

local function one_of(list) return list[random(#list)] end

-- --- a loop's words ---

local ROWS = {
  trial_stir = {"some", "odd"}, trial_set = {}, trial_deal = {"some", "lost"}, trial_take = {"odd"}, trial_pour = {"some", "lost"},
  trial_sink = {"odd"}, trial_pile = {"some"}, trial_light = {"odd"}, trial_heavy = {"some"}, trial_least = {"odd"},
  trial_turn = {}, trial_odds = {"odd", "some"},
}
local NAMES = {"trial_stir", "trial_stir", "trial_stir", "trial_set", "trial_deal", "trial_deal", "trial_take", "trial_pour", "trial_sink",
  "trial_light", "trial_heavy", "trial_least", "trial_turn"}
-- A loop with a library row has no CUDA kernel of its own, so only some loops contain such a row.
local NAMES_BY_HOST = {"trial_odds", "trial_odds", table.unpack(NAMES)}
-- pairs that may run concurrently: neither reads what the other writes
local BESIDE = {{"trial_set", "trial_deal"}, {"trial_take", "trial_heavy"}, {"trial_pour", "trial_light"}, {"trial_stir", "trial_sink"},
  {"trial_turn", "trial_stir"}, {"trial_light", "trial_set"}}

local function make_words(strict, by_host)
  local names = by_host and NAMES_BY_HOST or NAMES
  local words, variables, fors, budget = {}, {}, 0, random(2, 14)
  local swaps = {one_of {{"x", "y"}, {"y", "z"}, {"z", "y"}}, {"near", "near2"}, {"far2", "far"}}
  local function put(...) words[#words + 1] = {...} end
  local function takes(row, name)
    for _, x in ipairs(prim.takes[row]) do if x == name then return true end end
  end
  local function step(row, beside)
    budget = budget - 1
    local with = ""
    if takes(row, "round") then
      local bound = random(4)
      if bound == 1 then with = with .. "round=" .. random(0, 9) .. " " end
      if bound > 2 and #variables > 0 then with = with .. "round=" .. one_of(variables) .. " " end
    end
    if not beside and takes(row, "near") and random(3) == 1 then with = with .. "near=near2 " end
    if not beside and takes(row, "far") and random(3) == 1 then with = with .. "far=far2 " end
    put("STEP", row, with)
    return ROWS[row]
  end
  local group
  -- Appends some words; returns the COUNTs of their steps.
  local function some_words(depth, counted)
    local own = {}
    local function note(counts)
      for _, c in ipairs(counts) do own[#own + 1] = c counted[#counted + 1] = c end
    end
    repeat
      local kind = random(20)
      if kind <= 8 or depth > 4 then
        note(step(strict and random(5) == 1 and "trial_pile" or one_of(names)))
      elseif kind <= 10 then
        local swap = one_of(swaps)
        put("SWAP", table.unpack(swap))
      elseif kind == 11 then
        put "TOGETHER"
        for _, row in ipairs(one_of(BESIDE)) do note(step(row, true)) end
        put "END_TOGETHER"
      elseif kind == 12 and #counted > 0 then
        put("LEAVE_IF_NONE", one_of(counted))
      else
        note(group(kind, depth, counted))
      end
    until budget <= 0 or random(3) == 1
    return own
  end
  function group(kind, depth, counted)
    local at = #words + 1
    local own
    if kind <= 14 then
      put "REPEAT"
      own = some_words(depth + 1, counted)
      if #own == 0 then own = step "trial_stir" end
      put("UNTIL", one_of(own))
    elseif kind <= 18 and #counted > 0 then
      put("IF", one_of(counted))
      own = some_words(depth + 1, counted)
      put "END_IF"
    elseif fors < 4 then
      fors = fors + 1
      local variable = "i" .. fors
      put("FOR", variable, one_of {"0", "1", "2", "3", "k-k+2", "n-n+1"})
      variables[#variables + 1] = variable
      own = some_words(depth + 1, counted)
      variables[#variables] = nil
      put "END_FOR"
    else
      own = step(one_of(names))
    end
    return own
  end
  if random(3) == 1 then
    put "ONCE"
    some_words(1, {})
    put "END_ONCE"
  end
  if random(4) > 1 then group(one_of {13, 13, 19}, 0, {}) else some_words(0, {}) end
  return words
end

local function text_of(words)
  local lines = {}
  for i, w in ipairs(words) do lines[i] = table.concat(w, " ") end
  return table.concat(lines, "\n")
end

-- --- the arguments ---

local function make_arguments(name, seed)
  math.randomseed(seed)
  local n = one_of {1, 2, 3, 5, 12, 40, 40, 700}
  if seed % 50 == 0 then n = 9000 end -- large enough for several threads
  local k, m = one_of {0, 1, 4, n, 3 * n}, random(0, 3 * n)
  local off, cut = {0}, {}
  for v = 1, n do cut[v] = random(0, m) end
  table.sort(cut)
  for v = 1, n do off[v + 1] = v == n and m or cut[v] end
  local function list(count, least, most)
    local t = {}
    for i = 1, count do t[i] = random(least, most) end
    return t
  end
  local function queue_of(kind, room, each, least, most)
    local length = random(0, room)
    local t = list(each * (room + 1), least, most)
    t[1] = length
    return buffer.new(kind, t)
  end
  local split, begin = list(n, 0, m), list(n, 0, m)
  local all = {off = buffer.new("u32", off), to = buffer.new("u32", list(m, 0, n - 1)), split = buffer.new("u32", split),
    begin = buffer.new("u32", begin), x = buffer.new("u32", list(n, 0, 1 << 20)), y = buffer.new("u32", list(n, 0, 50)),
    z = buffer.new("u32", list(n, 0, 9)), near = queue_of("u32", n, 1, 0, n - 1), near2 = queue_of("u32", n, 1, 0, n - 1),
    far = queue_of("u64", k, 1, 5, 5), far2 = queue_of("u64", k, 1, 4, 4), wide = queue_of("u64", k, 2, 3, 3),
    pile = buffer.new("u32", k + 1), sum = buffer.new("i64", 2), grid = buffer.new("u32", list(1024, 0, 99)), round = random(0, 5),
    rare = one_of {0, n, n, 2 * n}}
  local own = {}
  for _, take in ipairs(prim.takes[name]) do own[take] = all[take] end
  own.max_iterations = one_of {1, 2, 3, 7}
  own.max_repeats = one_of {1, 2, 4}
  return own
end

local function items(b, each)
  local t = {}
  for i = each, each * (b[0] + 1) - 1, each do t[#t + 1] = each == 2 and ("%d %d"):format(b[i], b[i + 1]) or b[i] end
  table.sort(t)
  return t
end

local QUEUES = {near = 1, near2 = 1, far = 1, far2 = 1, pile = 1, wide = 2}
local function hold(name, got, want)
  for take, b in pairs(want) do
    if type(b) ~= "userdata" then goto continue end
    if QUEUES[take] then
      local x, y = items(got[take], QUEUES[take]), items(b, QUEUES[take])
      if table.concat(x, ",") ~= table.concat(y, ",") then
        error(("%s: %s holds %s, expected %s"):format(name, take, table.concat(x, ","):sub(1, 200), table.concat(y, ","):sub(1, 200)), 0)
      end
    else
      local count, first = got[take]:diff(b)
      if count > 0 then error(("%s: %s differs in %d places"):format(name, take, count), 0) end
    end
    ::continue::
  end
end

-- The trace as text, one line per record: name, items, edges and counts.
local function told()
  local lines = {}
  for i, r in ipairs(trace.last(1 << 20)) do
    local counts = {}
    for c, x in pairs(r.counts) do counts[#counts + 1] = c .. "=" .. x end
    table.sort(counts)
    lines[i] = ("%s %d %g %s"):format(r.kernel, r.items, r.edges or 0, table.concat(counts, " "))
  end
  return table.concat(lines, "\n")
end

-- --- the ways to run a loop ---

local function by_model(loop, args)
  local max = args.max_iterations
  if not loop.main then max = nil end
  return model(loop, args, max)
end

local function in_one_piece(loop, args)
  local sums = table.pack(loop.call(args))
  sums[sums.n], sums.n = nil, nil
  return sums
end

local function stepped(loop, args, name)
  local was = session.stepped
  session.stepped = function() return true end
  local sums = table.pack(pcall(prim[name], args))
  session.stepped = was
  if not sums[1] then error(sums[2], 0) end
  table.remove(sums, 1)
  sums.n = nil
  return sums
end

local function inner_repeats(loop)
  local inner = false
  local function look(group)
    for _, node in ipairs(group) do
      if node.what == "REPEAT" and node ~= loop.main then inner = true end
      look(node)
    end
  end
  look(loop.tree)
  return inner
end

-- Makes two calls: one from the start, one that resumes. Returns the trace of each, or the error.
local function run(way, name, args)
  local loop = prim.loops[name]
  if not inner_repeats(loop) then args.max_repeats = nil end
  local told_of = {}
  local done = 0
  for call = 1, 2 do
    local own = {}
    for key, x in pairs(args) do own[key] = x end
    if call == 2 then own.begun = loop.main and loop.main.what == "FOR" and done or true end
    trace.reset()
    local ok, sums = pcall(way, loop, own, name)
    if not ok then
      local full = tostring(sums):match "argument %w+: the queue is full: it has room for %d+ items?"
      if not full then error(sums, 0) end
      return full
    end
    done = sums[#sums]
    told_of[call] = table.concat(sums, " ") .. "\n" .. told()
  end
  return nil, told_of
end

local function hold_loop(name, seed)
  device("cpu:1")
  local want = make_arguments(name, seed)
  local full, told_of = run(by_model, name, want)
  local function against(way, on, what)
    device("cpu:1")
    local got = make_arguments(name, seed)
    device(on)
    local got_full, got_told = run(way, name, got)
    device("cpu:1")
    if got_full ~= full then error(("%s: %s, expected %s"):format(what, got_full or "no error", full or "none"), 0) end
    if full then return end
    for call = 1, 2 do
      if got_told[call] ~= told_of[call] then
        error(("%s: call %d told\n%s\nexpected\n%s"):format(what, call, got_told[call], told_of[call]), 0)
      end
    end
    hold(what, got, want)
  end
  against(stepped, "cpu:1", "stepped")
  for _, on in ipairs(devices) do against(in_one_piece, on, on) end
  return full
end

-- --- each row by itself, compared with a few lines of Lua ---

local U32 = 0xffffffff
local function edges_of(t, begin, last) -- iterates over v, e for the edges e of all vertices v
  return coroutine.wrap(function()
    for v = 0, t.n - 1 do
      for e = begin(v), last(v) - 1 do coroutine.yield(v, e) end
    end
  end)
end
local function take_queue(q, each)
  local list = {}
  for i = each, each * (q[0] + 1) - 1, each do list[#list + 1] = each == 2 and {q[i], q[i + 1]} or q[i] end
  return list
end
-- Pushes items to the queue q, which has room for `room` items; returns how many did not fit.
local function append(q, room, list, each)
  local lost = 0
  for _, x in ipairs(list) do
    if q[0] == room then lost = lost + 1 goto continue end
    q[0] = q[0] + 1
    if each == 2 then q[2 * q[0]], q[2 * q[0] + 1] = x[1], x[2] else q[q[0]] = x end
    ::continue::
  end
  return lost
end

-- plain.ROW(t) does what the row does. t: the arguments by name, arrays as tables with indices from 0. Changes t and returns the COUNTs.
local plain = {}
function plain.trial_deal(t)
  local near, far = {}, {}
  for v = 0, t.n - 1 do
    if t.x[v] % 3 == 0 then near[#near + 1] = v end
    if t.x[v] % 3 == 1 then far[#far + 1] = t.round + 1 end
  end
  t.near[0] = 0
  append(t.near, t.n, near)
  return #near, append(t.far, t.k, far)
end
function plain.trial_take(t)
  local odd = 0
  for _, v in ipairs(take_queue(t.near, 1)) do
    t.y[v] = (t.y[v] + 2 * t.round + 1) & U32
    odd = odd + v % 2
  end
  return odd
end
function plain.trial_pour(t)
  local some, wide = 0, {}
  for i, x in ipairs(take_queue(t.far, 1)) do
    t.sum[0] = t.sum[0] + 3 * x
    wide[i] = {t.round + 1, 2}
    some = some + x % 2
  end
  return some, append(t.wide, t.k, wide, 2)
end
function plain.trial_sink(t)
  local far = {}
  for _, x in ipairs(take_queue(t.wide, 2)) do
    t.sum[1] = t.sum[1] + 5 * x[1] + x[2]
    if x[1] % 2 == 1 then far[#far + 1] = x[1] end
  end
  t.far[0] = 0
  append(t.far, t.k, far)
  return #far
end
function plain.trial_pile(t)
  local list = {}
  for v = 0, t.n - 1 do
    if t.x[v] % 4 == 0 then list[#list + 1] = 7 end
  end
  t.full = append(t.pile, t.k, list) > 0
  return #list
end
function plain.trial_light(t)
  local odd, listed = 0, {}
  for _, v in ipairs(take_queue(t.near, 1)) do listed[v] = (listed[v] or 0) + 1 end
  for v, e in edges_of(t, function(v) return t.off[v] end, function(v) return t.split[v] end) do
    local times = v % 7 ~= 0 and listed[v] or 0
    t.y[t.to[e]] = (t.y[t.to[e]] + times * (1 + e + v)) & U32
    odd = odd + times * (e % 2)
  end
  return odd
end
function plain.trial_heavy(t)
  local some = 0
  for v, e in edges_of(t, function(v) return t.split[v] end, function(v) return t.off[v + 1] end) do
    if t.x[v] % 2 == 1 then
      t.z[t.to[e]] = (t.z[t.to[e]] + 7 * e + v + t.round) & U32
      some = some + 1
    end
  end
  return some
end
function plain.trial_least(t)
  local odd = 0
  for v = 0, t.n - 1 do
    if t.z[v] % 3 ~= 0 then
      local at, best = U32, 0
      for e = t.begin[v], t.split[v] - 1 do
        local score = t.y[t.to[e]] // 16
        if at == U32 or score < best then at, best = e, score end
      end
      t.z[v] = (t.z[v] + (at == U32 and 1 or best + at)) & U32
      odd = odd + at % 2
    end
  end
  return odd
end

function plain.trial_odds(t)
  local odd, some = 0, 0
  for v = 0, t.n - 1 do
    if t.x[v] % 4 == 0 then some = some + 1 end
    if t.x[v] % 2 == 1 then
      t.y[v] = (t.y[v] + 3 * t.round + 1) & U32
      odd = odd + 1
    end
  end
  return odd, some
end

function plain.trial_roll(t)
  local was, odd = {}, 0
  for p = 0, 1023 do was[p] = t.grid[p] end
  for p = 0, 1023 do
    t.grid[p] = was[1023 - p] + (p // 32 + p % 32) % 13 + t.round
    odd = odd + t.grid[p] % 2
  end
  return odd
end

describe("a row by itself", function()
  for _, on in ipairs(devices) do
    for name, by_hand in pairs(plain) do
      it(("does what is written: %s on %s"):format(name, on), function()
        for seed = 1, sized(30, 8) do
          device("cpu:1")
          local got, t = make_arguments(name, seed), {}
          for take, b in pairs(got) do
            if type(b) ~= "userdata" then t[take] = b goto continue end
            t[take] = {}
            for i = 0, #b - 1 do t[take][i] = b[i] end
            ::continue::
          end
          t.n = #(got.x or got.y or got.off or got.sum or got.grid)
          t.k = got.far and #got.far - 1 or got.pile and #got.pile - 1
          local want = {by_hand(t)}
          got.max_iterations, got.max_repeats = nil, nil
          device(on)
          local counts = table.pack(pcall(prim[name], got))
          device("cpu:1")
          if t.full then
            local says = ("trial_pile: argument pile: the queue is full: it has room for %d item%s, and there were more"):format(t.k, t.k == 1 and "" or "s")
            assert(not counts[1] and counts[2]:find(says, 1, true), tostring(counts[2]))
          else
            assert(counts[1], counts[2])
            table.remove(counts, 1)
            counts.n = nil
            equal(counts, want)
          end
          for take, b in pairs(got) do
            if type(b) ~= "userdata" then goto continue end
            if QUEUES[take] then
              local want_queue = take_queue(t[take], QUEUES[take])
              for i, x in ipairs(want_queue) do want_queue[i] = QUEUES[take] == 2 and ("%d %d"):format(x[1], x[2]) or x end
              table.sort(want_queue)
              equal(items(b, QUEUES[take]), want_queue)
            else
              for i = 0, #b - 1 do
                if b[i] ~= t[take][i] then error(("seed %d: %s[%d] is %d, expected %d"):format(seed, take, i, b[i], t[take][i])) end
              end
            end
            ::continue::
          end
        end
      end)
    end
  end
end)

-- --- loops ---

describe("what an iteration goes by", function()
  local function turns(name, words, args)
    trial.loop(name, words)
    prim.adopt(name)
    local seen = {}
    for i, way in ipairs {in_one_piece, by_model, stepped} do
      local own = args(name)
      trace.reset()
      way(prim.loops[name], own, name)
      seen[i] = 0
      for _, r in ipairs(trace.last(1 << 20)) do
        if r.kernel == "trial_turn" then seen[i] = seen[i] + 1 end
      end
    end
    return seen
  end
  -- x is odd, y is even; vertex 1 is in the queue; one edge 0 -> 0
  local function arguments(name)
    local own, all = {}, {off = buffer.new("u32", {0, 1, 1}), to = buffer.new("u32", {0}), split = buffer.new("u32", 2),
      x = buffer.new("u32", {1, 1}), y = buffer.new("u32", {2, 2}), z = buffer.new("u32", 2), near = buffer.new("u32", {1, 1, 0}),
      grid = buffer.new("u32", 1024), round = 0}
    for _, take in ipairs(prim.takes[name]) do own[take] = all[take] end
    return own
  end
  local HEAVY, TAKE, TURN = {"STEP", "trial_heavy"}, {"STEP", "trial_take", "y=z "}, {"STEP", "trial_turn"}
  for _, on in ipairs(devices) do
    it("is nothing that the iteration before has counted, on " .. on, function()
      device(on)
      equal(turns("iteration_" .. on, {{"FOR", "i", "2"}, HEAVY, {"IF", "some"}, TAKE, {"END_IF"}, {"IF", "odd"}, TURN, {"END_IF"},
        {"STEP", "trial_set", "x=y z=z "}, {"SWAP", "x", "y"}, {"END_FOR"}}, arguments), {1, 1, 1})
    end)
    it("is nothing that came once, on " .. on, function()
      device(on)
      equal(turns("once_" .. on, {{"ONCE"}, TAKE, {"END_ONCE"}, {"FOR", "i", "2"}, HEAVY, {"IF", "some"}, TAKE, {"END_IF"},
        {"IF", "odd"}, TURN, {"END_IF"}, {"END_FOR"}}, function(name)
          local own = arguments(name)
          own.x[0], own.x[1] = 0, 0
          return own
        end), {0, 0, 0})
    end)
  end
  device("cpu:1")
end)

describe("a loop with a row that asks for memory", function()
  it("gives it to the row's blocks", function()
    local name = "memory"
    trial.loop(name, {{"FOR", "i", "3"}, {"STEP", "trial_stir"}, {"STEP", "trial_roll", "round=i "}, {"IF", "odd"}, {"STEP", "trial_roll"},
      {"END_IF"}, {"END_FOR"}})
    prim.adopt(name)
    for seed = 1, sized(20, 5) do hold_loop(name, seed) end
  end)
end)

describe("loops made at random", function()
  it("mean the same in every way to run them", function()
    local made, refused, filled, seed = 0, 0, 0, FIRST
    while made < LOOPS do
      math.randomseed(seed)
      local name, words = "random_" .. seed, make_words(seed % 4 == 0, seed % 5 == 0)
      local ok, why = pcall(trial.loop, name, words)
      if ok then
        prim.adopt(name)
        local held, full = pcall(hold_loop, name, seed)
        if not held then error(("seed %d: %s\n%s"):format(seed, full, text_of(words)), 0) end
        if full then filled = filled + 1 end
        made = made + 1
      else
        assert(why:find "no earlier step has a COUNT" or why:find "has no step" or why:find "no step in between" or why:find "not an argument of" or why:find "more than" or why:find "no size is called", why)
        refused = refused + 1
      end
      seed = seed + 1
    end
    io.stderr:write(("%d loops, %d refused, %d with a full queue that is an error\n"):format(made, refused, filled))
    assert(filled > 0 or LOOPS < 50)
  end)
end)
device("auto")
