-- What every algorithm stands on: fused loops, and fixpoints.

local names = {} -- of primitives, by function
for name, f in pairs(prim) do
  if type(f) == "function" then names[f] = name end
end

-- The s-th step of a loop, its counts added up. Returns the first of them, and what the loop's end asks for.
local function run_step(loop, s, args, sums)
  local step, own, left = loop.steps[s], {}, 0
  for _, name in ipairs(prim.takes[step]) do own[name] = args[name] end
  local counts = {prim[step](own)}
  for i, count in ipairs(prim.counts[step]) do
    if count == loop.until_zero then left = left + counts[i] end
    for j, name in ipairs(loop.counts) do
      if name == count then sums[j] = sums[j] + counts[i] end
    end
  end
  return counts[1], left
end

local function swap_pairs(loop, args)
  for _, pair in ipairs(loop.swaps) do prim.swap(args[pair[1]], args[pair[2]]) end
end

-- A loop's steps once, so that every primitive can be seen; a repeated one in pairs, until it counts nothing; before
-- the first iteration those that come once. Returns what the loop's end asks for; nil where a step was repeated as often
-- as it may be.
local function round(loop, args, sums)
  local left, s, most = 0, args.begun and loop.once + 1 or 1, args.max_repeats
  while s <= #loop.steps do
    local first, of_step
    local repeats = 0
    repeat
      for _ = 1, loop.again[s] and 2 or 1 do
        if loop.crossed[s] then swap_pairs(loop, args) end
        first, of_step = run_step(loop, s, args, sums)
        left = left + of_step
        if loop.again[s] or loop.crossed[s] then swap_pairs(loop, args) end
      end
      repeats = repeats + 2
      if loop.again[s] and first > 0 and most > 0 and repeats >= most then return nil end
    until not loop.again[s] or first == 0
    s = first == 0 and loop.past[s] or s + 1
  end
  if loop.program then
    args.begun = true
  else
    swap_pairs(loop, args)
  end
  return left
end

-- Goes on with a loop that is not run in one piece: round by round while someone looks, else without the host
-- (until Ctrl-C makes it return early). Both leave the same after a whole round, so either may take over. Under compare
-- the second device runs in one piece what was stepped through here, and the results are held against each other.
local function go_on(loop, args, sums)
  local limit = args.max_iterations
  local iterations = #sums -- its place
  local inside <close> = session.fixpoint()
  local done, copies, touched = false, nil, nil
  while not done and (limit == 0 or sums[iterations] < limit) do
    if session.stepped() then
      if not copies and compare() then copies, touched = loop.copies(args) end
      local left = round(loop, args, sums)
      if not left then break end
      done = left == 0
      sums[iterations] = sums[iterations] + 1
    else
      if limit > 0 then args.max_iterations = limit - sums[iterations] end
      local more = table.pack(loop.call(args))
      if loop.program then args.begun = true end
      for i = 1, iterations do sums[i] = sums[i] + more[i] end
      done = more[more.n]
    end
  end
  if done and copies then loop.compare(args, copies, touched) end
  return table.unpack(sums)
end

local function run_loop(loop, ...)
  if not session.stepped() then
    local sums = table.pack(loop.call(...))
    local done = table.remove(sums)
    if done then return table.unpack(sums) end
    local args = loop.arguments(...)
    if loop.program then args.begun = true end
    return go_on(loop, args, sums)
  end
  local sums = {}
  for i = 1, #loop.counts + 1 do sums[i] = 0 end
  return go_on(loop, loop.arguments(...), sums)
end

local loop_of = {} -- the loop that is a primitive's fixpoint
for name, loop in pairs(prim.loops) do
  local function run(...) return run_loop(loop, ...) end
  _G[name], prim[name] = run, run
  if #loop.steps == 1 and #loop.swaps == 0 then loop_of[loop.steps[1]] = run end
end

--- fixpoint(f, ...): call f(...) until its first result is 0. Returns the sum of its first results and the
--- number of calls. A primitive that has a fused loop runs as that loop, unless one is stepping.
function fixpoint(f, ...)
  local run = loop_of[names[f]]
  if run then return run(...) end
  local sum, calls = 0, 0
  local inside <close> = session.fixpoint()
  repeat
    local count = f(...)
    sum, calls = sum + count, calls + 1
  until count == 0
  return sum, calls
end

--- on_cpu(): do primitives run on CPUs alone now: is the present device one, or are both of compare? For an algorithm
--- that has a form of its own for them.
function on_cpu()
  local a, b = compare()
  if not a then return device().processor == "cpu" end
  return a.processor == "cpu" and b.processor == "cpu"
end

local Bundle = {__name = "bundle"}

--- bundle{name = buffer or number, ...}: arguments for several primitives; each takes those that it knows by name.
---   edges = bundle{off = g.off, to = g.to, w = w}   policy_first(s, edges)
function bundle(t) return setmetatable(t, Bundle) end
