-- Out-of-core Floyd-Warshall, which copies blocks of the matrix to the device and back: the same results as in core.
local KINDS = {"i32", "i64", "f32", "f64"}
local SIZE = {i32 = 4, i64 = 8, f32 = 4, f64 = 8}

for _, processor in ipairs(processors) do
  describe("out of core, on " .. processor .. ",", function()
    device(processor)
    it("distances are the same", function()
      for seed, n in ipairs {1, 2, 16, 17, 63, 64, 65, 130} do
        for _, kind in ipairs(KINDS) do
          for _, low in ipairs {0, -3} do
            local g = low < 0 and gen.dag {n = n, m = math.min(4 * n, n * (n - 1) // 2), seed = seed, weights = kind, lo = low, hi = 50}
              or gen.uniform {n = n, m = 4 * n, seed = seed, weights = kind, lo = low, hi = 50}
            for _, bytes in ipairs {1800 * SIZE[kind], 9000 * SIZE[kind], "1 MiB"} do
              local r = fw(g, {memory = bytes})
              local edge = matrix.block_edge(n, kind, bytes == "1 MiB" and 1 << 20 or bytes)
              equal({r.variant, r.edge}, edge < n and {"out of core", edge} or {"blocked", nil})
              assert(edge < n or bytes == "1 MiB" or n < 64)
              equal(check(r), true)
              if kind:sub(1, 1) == "i" then equal({r.matrix.dtype, (r.matrix:diff(reference.floyd_warshall(g)))}, {kind, 0}) end
            end
          end
        end
      end
    end)
    it("other semirings are closed too", function()
      for row, name in ipairs {"max-plus", "max-min"} do
        local g = gen.dag {n = 70, m = 300, seed = 4, weights = "i32", lo = -4, hi = 9}
        local D = matrix.of(g, {semiring = name})
        local want = closure(D, {semiring = name})
        equal({matrix.close_streamed(D, {edge = 32, semiring = row}), (D:diff(want))}, {true, 0})
      end
    end)
  end)
end
device(processors[1])

describe("out of core,", function()
  it("sums that leave 32 bits, weights that the fast rows do not take, and negative cycles", function()
    local big = 2000000000
    local function chain(n, w, kind)
      local edges = {weights = kind or "i32"}
      for v = 0, n - 2 do edges[#edges + 1] = {v, v + 1, w} end
      return graph.from_edges(edges)
    end
    local function same(g, options)
      local r, want = fw(g, options), fw(g)
      equal({r.matrix.dtype, r.variant:find("out of core", 1, true) ~= nil, (r.matrix:diff(want.matrix)), check(r)},
        {want.matrix.dtype, true, 0, true})
    end
    same(chain(40, big), {memory = 14336})
    same(chain(40, 1 << 23), {memory = 7168}) -- sums at the limit of the fast primitives
    same(chain(40, -(1 << 23)), {memory = 7168})
    same(chain(30, 1 << 55, "i64"), {memory = 14336})
    same(chain(40, 3e38, "f32"), {memory = 14336})
    local edges = {weights = "i32", {39, 0, 1}}
    for v = 0, 38 do edges[#edges + 1] = {v, v + 1, v == 20 and -60 or 1} end
    raises("lies on a cycle of negative weight", fw, graph.from_edges(edges), {memory = 7168})
    edges[2][3] = -2000000000
    edges[1][3] = -2000000000
    raises("lies on a cycle of negative weight", fw, graph.from_edges(edges), {memory = 14336})
  end)
  it("paths and successors", function()
    local g = gen.uniform {n = 70, m = 200, seed = 9, weights = "i32", lo = 0, hi = 9}
    local r, want = fw(g, {memory = 9000, successors = true}), fw(g)
    equal({r.variant, check(r)}, {"out of core", true})
    for j = 0, 69, 9 do equal(r:path(3, j) == nil, want:path(3, j) == nil) end
  end)
  it("with its memory pinned or not, parts are what they were", function()
    local D = buffer.new("i32", 40, 30)
    for i = 0, #D - 1 do D[i] = i end
    local plain = D:copy()
    equal(D:pin(), device().processor == "cuda")
    local part = D:slice(3, 9, 5, 12)
    for round = 1, 40 do
      local row, col = (7 * round) % 34, (5 * round) % 23
      D:slice(row, row + 6, col, col + 7, part)
      plain:slice(row, row + 6, col, col + 7, part:copy())
      equal((part:diff(plain:slice(row, row + 6, col, col + 7))), 0)
      D:slice(row, row + 6, col, col + 7, part)
      fill(part, round)
      D:paste(part, (row + 11) % 34, (col + 3) % 23)
      plain:paste(part:copy(), (row + 11) % 34, (col + 3) % 23)
      if round % 3 == 0 then equal((D:diff(plain)), 0) end
      if round % 10 == 0 then D[round], plain[round] = -1, -1 end
    end
    equal((D:diff(plain)), 0)
    D:close()
    raises("closed", D.pin, D)
  end)
  it("blocks are as large as the bound allows", function()
    for n = 16, 3000, 97 do
      for _, bytes in ipairs {7168, 14000, 1 << 16, 1 << 20, 1 << 24} do
        local edge = matrix.block_edge(n, "i32", bytes)
        local function needed(b) return (5 * b * b + 2 * b * math.min(b, 1024)) * 4 end
        if edge == n then
          assert((n * n + 2 * n * math.min(n, 1024)) * 4 <= bytes or needed(n) <= bytes)
        else
          local blocks = (n + edge - 1) // edge
          assert(edge % 16 == 0 and needed(edge) <= bytes)
          local fewer = ((n + blocks - 2) // math.max(blocks - 1, 1) + 15) // 16 * 16
          assert(blocks == 1 or needed(fewer) > bytes)
        end
      end
    end
    equal({matrix.block_edge(100, "i32", 7167)}, {nil, 7168})
    equal({matrix.block_edge(100, "f64", 7168)}, {nil, 14336})
  end)
  it("what is wrong is said", function()
    local g = gen.ring {n = 50}
    raises("fw: memory is 100 bytes, expected 7168 at least, for five blocks of 16 x 16", fw, g, {memory = 100})
    raises('fw: memory is \'much\', expected a number of bytes or a text such as "512 MiB"', fw, g, {memory = "much"})
    raises("fw: memory is 0, expected a number of bytes", fw, g, {memory = 0})
    raises("fw: memory is an option only of the form 'blocked', not of 'tiles'", fw, g, {memory = 10000, form = "tiles"})
  end)
end)
