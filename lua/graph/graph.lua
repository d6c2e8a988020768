-- Builds graphs by primitives: edges are sorted into rows by keys of source and index (radix_sort). On a GPU, graph.from_edges of
-- long lists in buffers and g:subgraph of a large graph run here, so that neither lists nor rows pass through the host. Everything else,
-- including lists with mistakes and their error messages, is left to the host's implementation.

local algorithm = import "base/algorithm"

local take_rows, take_part, part_numbers, on_gpu = graph.take_rows, graph.take_part, graph.part_numbers, graph.on_gpu
graph.take_rows, graph.take_part, graph.part_numbers, graph.on_gpu = nil, nil, nil, nil -- they trust their arguments

-- Sorts the keys; the first k sorted keys belong to edges. Closes `key`. Returns two buffers: off, the row offsets of n vertices,
-- and from, where from[i] is the edge that is moved to index i.
local function rows_of(n, k, key)
  local sorted, off, from = buffer.new("u64", #key), buffer.new("u32", n + 1), buffer.new("u32", k)
  radix_sort(key, sorted)
  key:close()
  key_rows(sorted, off)
  key_edges(sorted, from)
  return off, from
end

local taken = algorithm.taken

local function is_list(x, m, ...)
  if not algorithm.is("lockstep.buffer", x) or #x ~= m then return false end
  for _, kind in ipairs {...} do
    if x.dtype == kind then return true end
  end
  return false
end

-- Are the arguments valid, so that the host's implementation would make a graph of them?
local function right(n, src, dst, w, t)
  local m = algorithm.is("lockstep.buffer", src) and #src or -1
  if math.type(n) ~= "integer" or n < 1 or n > 0xfffffffe or m > 0xffffffff then return false end
  if not is_list(src, m, "u32") or not is_list(dst, m, "u32") then return false end
  if w and (not is_list(w, m, "i32", "i64", "f32", "f64") or odd_numbers(w) > 0) then return false end
  if t then
    if not is_list(t, m, "i32", "i64") then return false end
    local _, negative = odd_numbers(t)
    if negative > 0 then return false end
  end
  return algorithm.reduced(src, 2)[0] < n and algorithm.reduced(dst, 2)[0] < n
end

local function sort_edges(n, src, dst, w, t)
  if not right(n, src, dst, w, t) then return nil end
  local key = buffer.new("u64", #src)
  source_keys(src, key)
  local off, from = rows_of(n, #src, key)
  return take_rows(off, taken(dst, from), taken(w, from), taken(t, from))
end

local function part(g, list, number)
  local key = buffer.new("u64", g.m)
  local kept = part_keys(g, number, key)
  local off, from = rows_of(#list, kept, key)
  return take_part(g, list, off, taken(number, taken(g.to, from)), taken(g.w, from), taken(g.t, from))
end

on_gpu(sort_edges, part)

-- Calls f(...); an error is raised at the line that called our caller.
local function asked(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] then error(results[2], 3) end
  return table.unpack(results, 2, results.n)
end

--- graph.sort_edges(n, src, dst [, w [, t]]): the same as graph.from_edges for buffers, by primitives on the current device. On a GPU
--- graph.from_edges uses it for long lists.
function graph.sort_edges(n, src, dst, w, t)
  local g = sort_edges(n, src, dst, w, t) or asked(graph.from_edges, n, src, dst, w, t)
  return g
end

--- graph.from_keys(n, key): a graph of n vertices from a u64 buffer of source * 2^32 + target, one element per edge; by primitives
--- on the current device. Closes the buffer.
function graph.from_keys(n, key) return take_rows(rows_of(n, #key, key)) end

--- graph.part(g, vertices): the same as g:subgraph, by primitives on the current device. On a GPU g:subgraph uses it for large graphs.
function graph.part(g, vertices)
  algorithm.graph("graph.part", g)
  local list, number = asked(part_numbers, g, vertices)
  return part(g, list, number)
end

return graph
