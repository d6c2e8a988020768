-- Names that have changed. An old name works for one more release: its first use prints a hint. Help on the old name prints the same
-- hint, and completion offers only the new name. This file is the last of the library to be loaded.

local algorithm = import "base/algorithm"

-- {old name, new name, the release that removes the old name}. A name is a global ("scc"), a field of a module ("gen.grid"), or a
-- method: of a type ("graph:rows") or of a kind of result ("sssp:path", "course:plot").
local renamed = {
}

local by_old = {} -- old name -> {new =, text = the hint, said = true after its first use}
local old_names = {} -- table that has old names -> {[key] = old name}
debug.getregistry()["lockstep.renamed"] = by_old -- src/repl/line/lookup.c reads it

-- The methods of a type of userdata, or of a kind of result; nil if there is none of that name.
local function methods_of(owner)
  local registry = debug.getregistry()
  local meta = registry["lockstep." .. owner] or registry[owner]
  return algorithm.kinds[owner] or type(meta) == "table" and meta.__methods or nil
end

-- Returns the table that holds a name, and the name's key in it.
local function place(name)
  if type(name) ~= "string" then error(("session.rename: expected a name, got %s"):format(algorithm.described(name)), 3) end
  local owner, sign, key = name:match "^(.*)([.:])([^.:]+)$"
  local holder = _G
  if owner then holder = sign == "." and _G[owner] or sign == ":" and methods_of(owner) end
  if type(holder) ~= "table" then error(("session.rename: %s: there is no module, type or kind of result '%s'"):format(name, owner), 3) end
  return holder, key or name
end

-- What an old name stands for. Prints the hint at its first use.
local function value_of(old)
  local entry = by_old[old]
  if not entry.said and ranks.rank == 0 then io.stderr:write(entry.text, "\n") end
  entry.said = true
  local holder, key = place(entry.new)
  return holder[key]
end

-- Makes the table look up its old names.
local function watch(holder)
  local meta = getmetatable(holder) or {}
  local before = meta.__index
  old_names[holder] = {}
  function meta.__index(t, key)
    local old = t == holder and old_names[holder][key]
    if old then return value_of(old) end
    if type(before) == "function" then return before(t, key) end
    return before and before[key]
  end
  setmetatable(holder, meta)
end

--- session.rename(old, new, goes): the name `old` has become `new`, and works until the release `goes`. lua/base/renamed.lua lists all such
--- names and says how they are written.
function session.rename(old, new, goes)
  local holder, key = place(old)
  local there, name = place(new)
  if there[name] == nil then error(("session.rename: nothing is called '%s'"):format(new), 2) end
  by_old[old] = {new = new, text = ("%s is now %s; %s goes with %s"):format(old, new, old, goes)}
  if not old_names[holder] then watch(holder) end
  old_names[holder][key] = old
end

for _, entry in ipairs(renamed) do session.rename(table.unpack(entry)) end
