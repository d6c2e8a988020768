-- What every algorithm stands on: fused loops, and fixpoints.

local names = {} -- of primitives, by function
for name, f in pairs(prim) do
  if type(f) == "function" then names[f] = name end
end

-- A loop's steps one by one, so that every primitive can be seen.
local function stepped(loop, ...)
  local args = loop.arguments(...)
  local iterations, sums = 0, {}
  for i = 1, #loop.counts do sums[i] = 0 end
  local inside <close> = session.fixpoint()
  repeat
    local left = 0
    for _, step in ipairs(loop.steps) do
      local own = {}
      for _, name in ipairs(prim.takes[step]) do own[name] = args[name] end
      local counts = {prim[step](own)}
      for i, count in ipairs(prim.counts[step]) do
        if count == loop.until_zero then left = left + counts[i] end
        for j, name in ipairs(loop.counts) do
          if name == count then sums[j] = sums[j] + counts[i] end
        end
      end
    end
    for _, pair in ipairs(loop.swaps) do prim.swap(args[pair[1]], args[pair[2]]) end
    iterations = iterations + 1
  until left == 0 or iterations == args.max_iterations
  sums[#sums + 1] = iterations
  return table.unpack(sums)
end

-- A loop without the host. Ctrl-C makes it return early; it goes on where it stood.
local function free(loop, ...)
  local sums = table.pack(loop.call(...))
  while not sums[sums.n] do
    local more = table.pack(loop.call(...))
    for i = 1, more.n - 1 do sums[i] = sums[i] + more[i] end
    sums[sums.n] = more[more.n]
  end
  return table.unpack(sums, 1, sums.n - 1)
end

local loop_of = {} -- the loop that is a primitive's fixpoint
for name, loop in pairs(prim.loops) do
  local function run(...)
    if session.stepped() and not compare() then return stepped(loop, ...) end
    return free(loop, ...)
  end
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
