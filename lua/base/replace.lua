-- The commands `edit` and `restore` run a module of the library again: what it returns takes the place of the old value. Other modules
-- hold the old table, so the table stays and gets the new contents.

local registry = debug.getregistry()
local modules = registry["lockstep.modules"]

local function become(old, new)
  for key in next, old do rawset(old, key, nil) end
  for key, x in next, new do rawset(old, key, x) end
  return setmetatable(old, getmetatable(new))
end

-- (name of a module, what it returned now): called by src/lua/import.c.
registry["lockstep.replace"] = function(name, new)
  local old, exports, before = modules[name], modules[name:match "^[^/]*" .. "/globals"] or {}, {}
  if type(old) == "table" and type(new) == "table" then
    for key, x in next, old do before[key] = x end
    for global, x in next, exports do
      for key, y in next, before do
        if rawequal(x, y) and type(x) == "table" and type(new[key]) == "table" then new[key] = become(x, new[key]) end
      end
    end
    new = become(old, new)
  end
  modules[name] = new
  for global, x in next, exports do
    local now = rawequal(x, old) and new or nil
    for key, y in next, before do
      if rawequal(x, y) then now = new[key] end
    end
    if now ~= nil then
      exports[global] = now
      rawset(_G, global, now)
    end
  end
end
