-- A model of the loop language, independent of lua/base/loops.lua and kernels/language/loops.h: it translates a loop's words
-- into a Lua function. model(loop, args [, max]) runs it with the stepped primitives and returns its
-- sums, in the order of loop.counts, and its number of iterations; args may have begun and max_repeats.
local function has_passes(words, first)
  local what, depth = words[first].what, 0
  if what ~= "REPEAT" and what ~= "FOR" then return false end
  for i = first, #words do
    local w = words[i].what
    if w == "REPEAT" or w == "FOR" then depth = depth + 1 end
    if w == "UNTIL" or w == "END_FOR" then depth = depth - 1 end
    if depth == 0 then return i == #words end
  end
end

return function(loop, args, max)
  local words = loop.words
  local sums, iterations, more, variables = {}, 0, {}, {}
  local counted = setmetatable({}, {__index = function() return 0 end})
  for i = 1, #loop.counts do sums[i] = 0 end
  local model = {swap = prim.swap, args = args, counted = counted, more = more, variables = variables}
  function model.step(row, with)
    local own, bound = {}, {}
    for to, from in with:gmatch "([%w_]+)=([%w_]+)" do bound[to] = from end
    for _, take in ipairs(prim.takes[row]) do
      local from = bound[take] or take
      own[take] = tonumber(from) or variables[from] or args[from]
    end
    local counts = {prim[row](own)}
    for i, count in ipairs(prim.counts[row]) do
      counted[count] = counts[i]
      for level, asks in pairs(more) do
        if level.count == count and counts[i] > 0 then level.again = true end
      end
      for j, of_loop in ipairs(loop.counts) do
        if of_loop == count then sums[j] = sums[j] + counts[i] end
      end
    end
  end
  function model.limit(text) return loop.size(text, args) end
  function model.forget()
    for name in pairs(counted) do counted[name] = nil end
  end
  function model.iterated(is_last)
    iterations = iterations + 1
    model.forget()
    if iterations == max and not is_last then error(model, 0) end
  end
  function model.stand_still(passes)
    if passes == args.max_repeats then error(model, 0) end
  end
  local text, open = {}, {}
  local function put(...) text[#text + 1] = string.format(...) end
  local first = 1
  if words[1].what == "ONCE" then
    while words[first].what ~= "END_ONCE" do first = first + 1 end
    first = first + 1
  end
  local main = has_passes(words, first) and first -- the first REPEAT or FOR: its passes are the loop's iterations
  put("repeat")
  for i, w in ipairs(words) do
    local n = #open + 1 -- the variables of a group have its nesting depth as suffix
    if w.what == "STEP" then put("step(%q, %q)", w.row, w.with)
    elseif w.what == "SWAP" then put("swap(args[%q], args[%q])", w[1], w[2])
    elseif w.what == "ONCE" then put("if not args.begun then")
    elseif w.what == "END_ONCE" then put("forget() end")
    elseif w.what == "REPEAT" then
      put("local level%d, passes%d = {}, 0 more[level%d] = true while true do level%d.again = false level%d.count = until%d", n, n, n, n, n, i)
      open[n] = {i, "REPEAT"}
    elseif w.what == "UNTIL" then
      local begun = table.remove(open)[1]
      n = n - 1
      table.insert(text, 1, ("local until%d = %q"):format(begun, w.count))
      if begun == main then
        put("if not level%d.again then break end iterated(false) end iterated(true)", n)
      else
        put("if not level%d.again then break end passes%d = passes%d + 1 stand_still(passes%d) end", n, n, n, n)
      end
      put("more[level%d] = nil", n)
    elseif w.what == "FOR" then
      put("local limit%d, outer%d = limit(%q), variables[%q]", n, n, w.limit, w.variable)
      put("for i = %s, limit%d - 1 do variables[%q] = i", i == main and "math.tointeger(args.begun) or 0" or "0", n, w.variable)
      open[n] = {i, "FOR", w.variable}
    elseif w.what == "END_FOR" then
      local begun, _, variable = table.unpack(table.remove(open))
      n = n - 1
      if begun == main then put("iterated(i == limit%d - 1)", n) end
      put("end variables[%q] = outer%d", variable, n)
    elseif w.what == "IF" then
      put("if counted[%q] > 0 then", w.count)
    elseif w.what == "END_IF" then put("end")
    elseif w.what == "LEAVE_IF_NONE" then
      local around = open[#open]
      put("if counted[%q] == 0 then %s break end", w.count, around and around[1] == main and around[2] == "FOR" and "iterated(true)" or "")
    end
  end
  put("until true")
  if not main then put("iterated(true)") end
  local run = assert(load(table.concat(text, "\n"), "model", "t", setmetatable(model, {__index = _G})))
  local ok, stopped = pcall(run)
  if not ok and stopped ~= model then error(stopped, 0) end
  sums[#sums + 1] = iterations
  return sums
end
