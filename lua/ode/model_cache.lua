-- model_cache.kept(m, name, make): a cache: the result of make(), kept under that name until m:set or m:reset changes the model.

local model_cache = {}

local kept = setmetatable({}, {__mode = "k"}) -- kept[m][name]: a cached value; kept[m].changes: m.changes when it was cached

function model_cache.kept(m, name, make)
  local own, changes = kept[m], m.changes
  if not own or own.changes ~= changes then
    own = {changes = changes}
    kept[m] = own
  end
  if own[name] == nil then own[name] = make() end
  return own[name]
end

return model_cache
