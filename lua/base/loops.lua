-- Functions that every algorithm uses: loops of primitives, which run freely on the device or step by step; fixpoint, named, bench,
-- bundle.

local algorithm = import "base/algorithm"
local fixpoint, named, bench, bundle

local names = {} -- function -> name of the primitive
for name, f in pairs(prim) do
  if type(f) == "function" then names[f] = name end
end

local ENDS = {ONCE = "END_ONCE", REPEAT = "UNTIL", IF = "END_IF", FOR = "END_FOR", TOGETHER = "END_TOGETHER"}

-- Parses a loop's words into a tree: a group (REPEAT, IF, ...) is a node whose list has the words inside it.
local function read_words(words)
  local root = {}
  local open = {root}
  for _, word in ipairs(words) do
    local group = open[#open]
    if group.ends == word.what then
      group.count = word.count or group.count
      open[#open] = nil
    else
      local node = {what = word.what, row = word.row, with = word.with, a = word[1], b = word[2], count = word.count,
        variable = word.variable, limit = word.limit, ends = ENDS[word.what], call = word.call, takes = word.takes,
        counts = word.counts}
      group[#group + 1] = node
      if node.ends then open[#open + 1] = node end
    end
  end
  return root
end

-- The group whose passes count as the iterations of a loop: a REPEAT or FOR with nothing but ONCE before it and nothing after it.
local function main_of(tree)
  local last = tree[#tree]
  local before = tree[1].what == "ONCE" and 2 or 1
  if #tree == before and (last.what == "REPEAT" or last.what == "FOR") then return last end
end

-- One run of a loop, step by step. args[name]: an argument of the loop; a SWAP exchanges the contents of two of these buffers.
-- counted[name]: the value of that COUNT after the last step of this iteration that returns it.
local Run = {}
Run.__index = Run

function Run:step(node)
  local own, bound = {}, {}
  for name, to in node.with:gmatch "([%w_]+)=([%w_]+)" do bound[name] = to end
  for _, name in ipairs(node.takes) do
    local from = bound[name] or name
    own[name] = tonumber(from) or self.variables[from] or self.args[from]
  end
  local counts = {node.call(own)}
  for i, count in ipairs(node.counts) do
    self.counted[count] = counts[i]
    for _, group in ipairs(self.repeating) do
      if group.count == count and counts[i] > 0 then self.more[group] = true end
    end
    for j, name in ipairs(self.loop.counts) do
      if name == count then self.sums[j] = self.sums[j] + counts[i] end
    end
  end
end

function Run:has_none(count) return (self.counted[count] or 0) == 0 end

-- Runs one pass of a group. Returns "leave" if a LEAVE_IF_NONE left it, "still" if a REPEAT inside reached max_repeats, so that the
-- whole run ends early.
function Run:pass(group)
  for _, node in ipairs(group) do
    local how
    if node.what == "STEP" then
      self:step(node)
    elseif node.what == "SWAP" then
      prim.swap(self.args[node.a], self.args[node.b])
    elseif node.what == "LEAVE_IF_NONE" then
      if self:has_none(node.count) then return "leave" end
    elseif node.what == "REPEAT" then
      how = self:repeat_group(node)
    elseif node.what == "FOR" then
      for i = 0, self.loop.size(node.limit, self.args) - 1 do
        self.variables[node.variable] = i
        how = self:pass(node)
        if how then break end
      end
      self.variables[node.variable] = nil
      if how == "leave" then how = nil end
    elseif node.what ~= "IF" or not self:has_none(node.count) then
      how = self:pass(node)
    end
    if how then return how end
  end
end

-- Runs one pass of a REPEAT. Returns whether another one must follow, and the result of the pass.
function Run:again(group)
  self.repeating[#self.repeating + 1] = group
  self.more[group] = false
  local how = self:pass(group)
  self.repeating[#self.repeating] = nil
  return self.more[group] and not how, how
end

function Run:repeat_group(group)
  local passes, most = 0, self.args.max_repeats or 0
  repeat
    local more, how = self:again(group)
    passes = passes + 1
    if how == "still" then return how end
    if more and most > 0 and passes >= most then return "still" end
  until not more
end

-- Runs the next iteration, after the steps of ONCE if the run has not begun. Returns whether the loop has finished, or nil if it ended
-- early at max_repeats; and true if no iteration was run.
function Run:iteration(done)
  local tree, main = self.tree, self.main
  local first, how = tree[1].what == "ONCE" and 2 or 1, nil
  self.counted = {}
  if not self.args.begun and first == 2 then
    how = self:pass(tree[1])
    if how == "leave" then return true, main ~= nil end
    if how == "still" then return nil end
    self.counted = {}
  end
  if not main then
    local rest = table.move(tree, first, #tree, 1, {})
    how = self:pass(rest)
    if how == "still" then return nil end
    return true
  end
  self.args.begun = true
  if main.what == "REPEAT" then
    local more
    more, how = self:again(main)
    if how == "still" then return nil end
    return not more
  end
  local limit = self.loop.size(main.limit, self.args)
  if done >= limit then return true, true end
  self.variables[main.variable] = done
  how = self:pass(main)
  self.variables[main.variable] = nil
  if how == "still" then return nil end
  return how == "leave" or done + 1 >= limit
end

local function new_run(loop, args, sums)
  return setmetatable({loop = loop, tree = loop.tree, main = loop.main, args = args, sums = sums, counted = {}, more = {},
    repeating = {}, variables = {}}, Run)
end

-- Continues a loop that has not finished: iteration by iteration while the run is stepped, else freely on the device (until Ctrl-C).
-- After a whole iteration the state is the same in both ways, so each may continue where the other stopped. Under compare, the second
-- device runs freely what was stepped here, and then the results are compared.
local function go_on(loop, args, sums)
  local limit = args.max_iterations
  local iterations = #sums -- the last sum counts the iterations
  local inside <close> = session.fixpoint()
  local done, copies, touched = false, nil, nil
  local run = new_run(loop, args, sums)
  local base = math.type(args.begun) == "integer" and args.begun or 0 -- iterations of a FOR that were done before this call
  while not done and (limit == 0 or sums[iterations] < limit) do
    if session.stepped() then
      if not copies and compare() then copies, touched = loop.copies(args) end
      local none
      done, none = run:iteration(base + sums[iterations])
      if done == nil then break end
      if not none then sums[iterations] = sums[iterations] + 1 end
      if not done then session.turn() end
    else
      if limit > 0 then args.max_iterations = limit - sums[iterations] end
      if loop.main and loop.main.what == "FOR" and args.begun then args.begun = base + sums[iterations] end
      local more = table.pack(loop.call(args))
      args.begun = true
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
    args.begun = args.begun or true
    return go_on(loop, args, sums)
  end
  local sums = {}
  for i = 1, #loop.counts + 1 do sums[i] = 0 end
  return go_on(loop, loop.arguments(...), sums)
end

local loop_of = {} -- name of a primitive -> function of the loop that only repeats this primitive
local shipped_loop_of = {}

local function adopt_loop(name, shipped)
  local loop = prim.loops[name]
  loop.tree = read_words(loop.words)
  loop.main = main_of(loop.tree)
  loop.once = 0 -- number of steps before the first iteration
  for _, node in ipairs(loop.tree[1].what == "ONCE" and loop.tree[1] or {}) do
    if node.what == "STEP" then loop.once = loop.once + 1 end
  end
  local function run(...) return run_loop(prim.loops[name], ...) end
  for row, earlier in pairs(loop_of) do
    if earlier == prim[name] then loop_of[row] = nil end
  end
  rawset(_G, name, run)
  prim[name] = run
  names[run] = name
  local only = loop.main and #loop.tree == 1 and #loop.main == 1 and loop.main.what == "REPEAT" and loop.main[1]
  if not only or only.what ~= "STEP" or only.with ~= "" or only.counts[1] ~= loop.main.count then return end
  if shipped then shipped_loop_of[only.row] = run end
  if shipped or not loop_of[only.row] then loop_of[only.row] = run end
end
--- prim.adopt(name, shipped): registers a new primitive: makes the Lua function of a loop, and updates which loop fixpoint() uses.
function prim.adopt(name, shipped)
  if prim.loops[name] then
    adopt_loop(name, shipped)
  else
    loop_of[name] = shipped and shipped_loop_of[name] or nil
  end
  names[prim[name]] = name
end
for name in pairs(prim.loops) do adopt_loop(name, true) end

--- fixpoint(f, ...): calls f(...) until its first result is 0. Returns the sum of its first results and the
--- number of calls. If f is a primitive that has a loop, that loop runs without stops, unless the run is stepped.
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

--- named(f, ...): calls a primitive, or a loop, and returns its counts by name: named(near_far, s, {delta = 64}).far. A
--- loop's counts are sums over its run; `iterations` is the number of its iterations.
function named(f, ...)
  local name = names[f]
  if not name then error(("named: expected a primitive, got %s"):format(type(f)), 2) end
  local values, by_name = table.pack(f(...)), {}
  for i, count in ipairs(prim.counts[name]) do by_name[count] = values[i] end
  if prim.loops[name] then by_name.iterations = values[values.n] end
  return by_name
end

--- bench(f [, runs]): calls f() `runs` times (default 5) and returns the times in seconds, {median =, least =,
--- greatest =, kernels =, copies =, allocation =, host =, runs =, result =}; result is that of the last call. kernels, copies,
--- allocation (of buffers) and host (Lua, and all else) are parts of the median run; if they add up to more than its time, some
--- of them ran at the same time. Before each call it collects garbage, which is not timed.
---   t = bench(function() return scc(g) end)     t.median, t.kernels, t.result.count
function bench(f, runs)
  runs = runs == nil and 5 or algorithm.whole(runs)
  local meta = getmetatable(f)
  if type(f) ~= "function" and not (type(meta) == "table" and meta.__call) then
    error(("bench: expected a function to call, as in bench(function() return scc(g) end), got %s"):format(
      algorithm.described(f)), 2)
  end
  if not (math.type(runs) == "integer" and runs >= 1 and runs <= 1000) then
    error(("bench: expected a number of runs from 1 to 1000, got %s"):format(algorithm.described(runs)), 2)
  end
  local times, result = {}, nil
  for i = 1, runs do
    result = nil
    collectgarbage()
    local kernels, copies, allocation = trace.spent()
    local begin = trace.clock()
    result = f()
    local time = {clock = trace.clock() - begin}
    time.kernels, time.copies, time.allocation = trace.spent()
    time.kernels, time.copies, time.allocation = time.kernels - kernels, time.copies - copies, time.allocation - allocation
    time.host = math.max(time.clock - time.kernels - time.copies - time.allocation, 0)
    times[i] = time
  end
  table.sort(times, function(a, b) return a.clock < b.clock end)
  local below, above = times[(runs + 1) // 2], times[runs // 2 + 1]
  local t = {least = times[1].clock, greatest = times[runs].clock, runs = runs, result = result}
  for name, x in pairs(below) do t[name == "clock" and "median" or name] = 0.5 * (x + above[name]) end
  return t
end

local Bundle = {__name = "bundle"}

--- bundle{name = buffer or number, ...}: arguments for several primitives, by name. Each primitive takes the entries that have the
--- names of its arguments. With graph = g the bundle also has the arrays of the graph g: off, to, w, ...
---   edges = bundle{off = g.off, to = g.to, w = w}   policy_first(s, edges)
function bundle(t) return setmetatable(t, Bundle) end

return {fixpoint = fixpoint, named = named, bench = bench, bundle = bundle}
