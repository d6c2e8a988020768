-- The Boolean matrix of a graph's paths, closed by several ranks together (lua/ranks.lua): for the order of vertices in lua/kleene.lua.
--
-- Each rank has some words of all rows. A turn of 64 pivots needs their word of each row, as it is then, and of its own words the
-- pivots' rows. So the ranks exchange words, `panel` of each row at once; each closes this panel for itself, in front of its own
-- words: all turns of the panel are then taken without an exchange.
--
-- What it takes: n vertices, w = n / 64 words, R ranks, a panel of p words. Of one rank a turn takes 20 us for small kernels and barriers
-- (n = 500 to 2000), and for each of n w words, of which it reads 16 of a table, 48 ps (n = 4000) or 8 (n = 32000).
--   words of a turn    n (w / R + p)            R = 2, p = 16: 0.63 of n w for n = 8000, 0.53 for n = 32000
--   tables of a turn   256 (w / R + p) words    if rows were divided, each rank would make them whole: 64 loads a word, 3 % of a turn
--   pivots of a turn   64 x 64 bits             each rank
--   exchanges          w / p of 8 n p bytes     n = 32000: 32 of 4 MB, 10 us at 394 GB/s, and 30 us to begin; as many if rows were divided
--   counts             4 n bytes, added up      once
-- With three copies and a launch an exchange takes some 100 us. Panels of p words cost w / p of these, and p / w of one rank's words: the
-- sum is least near p = 16 for n = 8000 to 32000. A turn then has 6 us of an exchange, and saves n w (1 / 2 - p / w) words: more than
-- 6 us from n = 5500 (48 ps) or 11000 (8 ps) on. So ranks divide from 12 panels, 12288 vertices, on; for n = 32000 two
-- take 0.55 to 0.64 of the time of one by these counts (on CPUs, n = 8000 and 16000: 0.63 and 0.58).

--- kleene.closed_part(g, panel): the words of the closed Boolean matrix of g that this rank has: bits (u64[n x across]), from, across
--- (see bits_edges), and descendants (u32[n]), zeros yet. A rank without words, where there are few, has no bits. All ranks call it.
function kleene.closed_part(g, panel)
  local n, words = g.n, (g.n + 63) // 64
  local first, past = ranks.range(words)
  local own = past - first
  local s, turns = bundle {descendants = buffer.new("u32", n), from = first, across = own}, nil
  if own > 0 then
    s.bits = buffer.new("u64", n, own)
    bits_edges(g, s)
    -- the panel, and behind it the own words
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
