-- What tests hold the work of several ranks against: {alone =, bytes_of =}. For dofile.

-- What f returns where there is one rank.
local function alone(f)
  local count, rank = ranks.count, ranks.rank
  ranks.count, ranks.rank = 1, 0
  local good, out = pcall(f)
  ranks.count, ranks.rank = count, rank
  assert(good, out)
  return out
end

-- A file that one rank has written, in all of them.
local function bytes_of(path)
  ranks.sum(0) -- when it is there
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  ranks.sum(0) -- and when all have read it
  return text
end

return {alone = alone, bytes_of = bytes_of}
