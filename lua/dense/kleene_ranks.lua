-- The closed Boolean matrix of a graph's paths (Warshall 1962), computed by several ranks (lua/exchange/ranks.lua), for the topological order
-- in lua/dense/kleene.lua.
--
-- Each rank has a range of the words of every row. An iteration over 64 pivots needs from each row the current word of the pivots,
-- and the pivots' rows in the rank's own words. So the ranks exchange a panel, `panel` words of every row, at once; each rank closes
-- its copy of the panel together with its own words: all iterations of the panel then need no further exchange.
--
-- Cost: n vertices, w = n / 64 words, R ranks, panels of p words. An iteration of one rank takes 20 us for small kernels and barriers
-- (n = 500 to 2000), and 48 ps (n = 4000) or 8 ps (n = 32000) per word of the matrix (n w words); per word it reads 16 words of tables.
--   words per iteration   n (w / R + p)            R = 2, p = 16: 0.63 of n w for n = 8000, 0.53 for n = 32000
--   tables per iteration  256 (w / R + p) words    if rows were divided: whole tables in each rank; 64 loads per word, 3 % of all loads
--   pivots per iteration  64 x 64 bits             in each rank
--   exchanges             w / p of 8 n p bytes     n = 32000: 32 of 4 MB, 10 us at 394 GB/s, 30 us latency; the same if rows were divided
--   counts                4 n bytes, summed        once
-- With three copies and a launch an exchange takes some 100 us. Panels of p words cost w / p exchanges, and n p words more per iteration:
-- the total is least near p = 16 for n = 8000 to 32000. Then exchanges take 6 us per iteration; two ranks save n w (1 / 2 - p / w)
-- words: more than 6 us from n = 5500 (48 ps) or 11000 (8 ps) on. So ranks divide the matrix from 12 panels, 12288 vertices, on. By these
-- counts two ranks take 0.55 to 0.64 of the time of one for n = 32000 (on CPUs, n = 8000 and 16000: 0.63 and 0.58).

local bundle = import("base/loops").bundle
local ranks = import "exchange/ranks"
local kleene_ranks = {}

-- kleene_ranks.closed_part(g, panel): this rank's words of the closed Boolean matrix of g: a bundle of `bits` (u64[n x across]), `from`,
-- `across` (see bits_edges), and `descendants` (u32[n]), still 0. If there are fewer words than ranks, some ranks have no `bits`. All
-- ranks call it.
function kleene_ranks.closed_part(g, panel)
  local n, words = g.n, (g.n + 63) // 64
  local first, past = ranks.range(words)
  local own = past - first
  local s, turns = bundle {descendants = buffer.new("u32", n), from = first, across = own}, nil
  if own > 0 then
    s.bits = buffer.new("u64", n, own)
    bits_edges(g, s)
    -- columns: the panel, then the rank's own words
    turns = bundle {bits = buffer.new("u64", n, panel + own), words = words, across = panel + own, within = buffer.new("u64", 64),
      table = buffer.new("u64", 256, panel + own)}
    matrix_copy(s.bits, own, 0, 0, n, own, turns.bits, panel + own, 0, panel)
  end
  for owner = 0, ranks.count - 1 do
    local begin, behind = ranks.range(words, owner)
    for k = begin, behind - 1, panel do
      local wide = math.min(panel, behind - k)
      local part <close> = buffer.new("u64", n, wide)
      if owner == ranks.rank then matrix_copy(turns.bits, panel + own, 0, panel + k - first, n, wide, part, wide, 0, 0) end
      broadcast(part, owner)
      if own > 0 then
        matrix_copy(part, wide, 0, 0, n, wide, turns.bits, panel + own, 0, 0)
        turns.from = k
        warshall(turns, {begun = k, max_iterations = wide})
      end
    end
  end
  if own > 0 then matrix_copy(turns.bits, panel + own, 0, panel, n, own, s.bits, own, 0, 0) end
  return s
end

return kleene_ranks
