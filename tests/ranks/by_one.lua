-- Helpers for comparing several ranks with one: {alone =, bytes_of =}. For dofile.

-- Returns the result of f with a single rank.
local function alone(f)
  local count, rank = ranks.count, ranks.rank
  ranks.count, ranks.rank = 1, 0
  local good, out = pcall(f)
  ranks.count, ranks.rank = count, rank
  assert(good, out)
  return out
end

-- The contents of a file that one rank has written, on all ranks.
local function bytes_of(path)
  ranks.sum(0) -- waits until the file is written
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  ranks.sum(0) -- waits until all ranks have read it
  return text
end

return {alone = alone, bytes_of = bytes_of}
