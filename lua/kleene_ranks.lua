-- The Boolean matrix of a graph's paths, closed by several ranks together (lua/ranks.lua): for the order of vertices in lua/kleene.lua.
--
-- Each rank has some words of all rows. A turn of 64 pivots needs their word of each row, as it is then, and of its own words the
-- pivots' rows. So the ranks exchange words, `panel` of each row at once; each closes this panel for itself, in front of its own
-- words: all turns of the panel are then taken without an exchange.
--
-- What it takes for n vertices, w = n / 64 words and R ranks, beside one rank's w turns of n w words (a word takes 16 others of a table,
-- and 48 ps by the 2.0 ms of n = 4000) and 20 us of small kernels and barriers:
--   words of a turn    n (w / R + panel)                n = 8000: 0.5 + 0.13 of them all; n = 32000: 0.5 + 0.03 (R = 2, panel = 16)
--   tables of a turn   256 (w / R + panel)              by rows they would not be divided: 3 % of a turn for each rank
--   pivots of a turn   64 x 64 bits, by each rank
--   exchanges          w / panel, of 8 n panel bytes    n = 8000: 8 of 1 MB; n = 32000: 32 of 4 MB, 10 us at 394 GB/s and 30 us for it
-- An exchange comes with three copies and a launch, 100 us together. A panel of p words costs w / p of these, and p / w of one rank's
-- turns: both are least together near p = 16 for n = 8000 to 32000. By rows of pivots as many bytes would go; then the tables are not
-- divided. In all, one rank and two, in ms: n = 8000: 8.5 and 7.1, n = 32000: 390 and 220 where no word of pivots is 0 (others are
-- not looked at). Below 7 panels the ranks would save less than the exchanges take.

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
    matrix_put(s.bits, own, turns.bits, panel + own, 0, panel)
  end
  for owner = 0, ranks.count - 1 do
    local begin, behind = ranks.range(words, owner)
    for k = begin, behind - 1, panel do
      local wide = math.min(panel, behind - k)
      local part <close> = buffer.new("u64", n, wide)
      if owner == ranks.rank then matrix_cut(turns.bits, panel + own, 0, panel + k - first, wide, part) end
      broadcast(part, owner)
      if own > 0 then
        matrix_put(part, wide, turns.bits, panel + own, 0, 0)
        turns.from = k
        warshall(turns, {begun = k, max_iterations = wide})
      end
    end
  end
  if own > 0 then matrix_cut(turns.bits, panel + own, 0, panel, own, s.bits) end
  return s
end
