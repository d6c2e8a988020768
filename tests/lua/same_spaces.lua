-- Compares two state spaces of a model number by number.
local same_spaces = {}

-- Raises an error for the first difference between two buffers.
local function same(name, a, b)
  if (a == nil) ~= (b == nil) then error(name .. " is there in one of them alone", 3) end
  if not a then return end
  if #a ~= #b then error(("%s: %d and %d elements"):format(name, #a, #b), 3) end
  a, b = a:totable(), b:totable()
  for i = 1, #a do
    if a[i] ~= b[i] then error(("%s[%d]: %d and %d"):format(name, i - 1, a[i], b[i]), 3) end
  end
end

function same_spaces.compare(a, b)
  for _, key in ipairs {"states", "transitions", "expanded", "levels", "deadlocks", "errors", "error", "words", "stopped", "frontier"} do
    if a[key] ~= b[key] then error(("%s: %s and %s"):format(key, tostring(a[key]), tostring(b[key])), 2) end
  end
  for v = 0, a.states - 1 do
    if a.space:packed(v) ~= b.space:packed(v) then error(("state %d: %s and %s"):format(v, tostring(a:state(v)), tostring(b:state(v))), 2) end
    if a.space:parent(v) ~= b.space:parent(v) then error(("parent of %d"):format(v), 2) end
  end
  same("level", a.level, b.level)
  same("deadlocked", a.deadlocked, b.deadlocked)
  equal(a.graph ~= nil, b.graph ~= nil)
  for _, key in ipairs(a.graph and {"off", "to", "w", "t"} or {}) do same(key, a.graph[key], b.graph[key]) end
end

return same_spaces
