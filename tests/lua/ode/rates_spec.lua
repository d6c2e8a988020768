-- The bytes and accesses that rows report, and the share of the device's limit that is derived from them: it is never above
-- 100 %, at any size, and it is not given if only an upper bound is known.
local NONE = 0xffffffff
-- Calls a row; returns what it reports: bytes, gathers, edges, and an upper bound of the bytes; nil for what it does not report.
local function touched(name, ...)
  trace.reset()
  prim[name](...)
  local r = trace.last(1)[1]
  equal(r.kernel, name)
  local function whole(x) return x and math.tointeger(x) end
  return whole(r.bytes), whole(r.gathers), whole(r.edges), whole(r.bytes_at_most)
end

describe("operations", function()
  local function operations(name, ...)
    touched(name, ...)
    return trace.last(1)[1].operations
  end
  it("of tiles, and of products", function()
    local function tiles(n) return {D = buffer.new("i32", n, n), k = 1, tiles = n // 32, overflow = buffer.new("u32", 1)} end
    equal(operations("fw_pivot", tiles(96)), 32.0^3)
    equal(operations("fw_cross", tiles(96)), 4 * 32.0^3)
    equal(operations("fw_rest", tiles(96)), 4 * 32.0^3)
    local alone = tiles(32)
    alone.k = 0
    equal(operations("fw_rest", alone), nil)
    local p, q, r = 40, 70, 90
    local C = product(buffer.new("f32", p, q), buffer.new("f32", q, r))
    equal(#C, p * r)
    local all = 0
    for _, record in ipairs(trace.last(10)) do all = all + (record.operations or 0) end
    equal(all, p * q * r + 0.0)
  end)
  it("are none of rows that do not say so", function()
    local s = state.scc(gen.ring {n = 9})
    equal(operations("reset_max", s), nil)
  end)
end)

describe("what was touched", function()
  local g = graph.from_edges {{0, 1, 5}, {0, 2, 7}, {2, 0, 1}, {3, 3, 1}, n = 6, weights = "i32"}
  it("relax: the edges of vertices that are reached", function()
    local dist, overflow = buffer.new("i32", g.n), buffer.new("u32", 1)
    fill(dist, 0x7fffffff)
    local bytes, gathers, edges, most = touched("relax", g, dist, overflow)
    equal({bytes, gathers, edges, most}, {nil, nil, nil, 4 * 6 + 4 * 6})
    dist[2] = 0
    bytes, gathers, edges, most = touched("relax", g, dist, overflow) -- only the edge 2 -> 0 is relaxed
    equal({gathers, edges, most}, {1, 1, 8 * 6 + 8})
    equal(bytes, nil)
  end)
  it("trim: edges up to the first that is live", function()
    local ring = gen.ring {n = 100}
    local s = state.scc(ring)
    local _, gathers, edges = touched("trim", s)
    equal({gathers, edges}, {200, 200})
    for v = 0, 99 do s.mark[v] = NONE end
    local bytes
    bytes, gathers, edges = touched("trim", s)
    equal({bytes, gathers, edges}, {nil, nil, nil})
  end)
  it("pull_backward: a bound, since counting edges would slow it", function()
    local s = state.scc(gen.ring {n = 10})
    s.mark[3] = 2 -- reached by the backward search
    equal({touched("pull_backward", s, 0)}, {nil, nil, nil, 8 * 10 + 4 * 10 + 4})
  end)
  it("chain_link: edges up to the second that is live", function()
    local s = state.scc(graph.from_edges {{0, 3}, {1, 3}, {2, 3}, {3, 4}})
    local _, gathers = touched("chain_link", s, 0)
    equal(gathers, 2 + 1)
  end)
  it("trim_pair: nobody knows", function()
    equal({touched("trim_pair", state.scc(graph.from_edges {{0, 1}, {1, 0}}))}, {})
  end)
  if device().processor == "cpu" then
    it("searches of a CPU: the edges that they visit", function()
      local ring, chain = gen.ring {n = 100}, graph.from_edges {{0, 1}, {1, 2}}
      equal({touched("tarjan_rest", state.scc(ring))}, {8 * 100 + 16 * 100 + 4 * 100, 200, 100})
      equal({touched("flood", state.scc(ring))}, {8 * 100 + 8 * 100 + 4 * 100, 200, 100})
      local bytes, gathers, edges = touched("walk_hub", state.scc(ring))
      assert(edges > 0 and edges <= 48 and bytes == 4 * edges and gathers == 2 * edges, edges)
      local source, overflow = buffer.new("u32", {0}), buffer.new("u32", 1)
      equal({touched("delta_bins", state.sssp(g, "i32"), {w = g.w, source = source, delta = 10, cutoff = 1 << 30, targets = 0,
        target = buffer.new("u32", 0), nearest = 0})}, {12 * 3 + 8 * 3 + 16 * 2, 2 * 3 + 3, 3})
      equal({touched("dijkstra_rows", g, {source = source, base = 0, rows = 1, matrix = buffer.new("i32", 6), overflow = overflow})},
        {16 * 3 + 8 * 3, 2 * 3 + 3, 3})
      equal({touched("order_vertices", chain, {indegree = buffer.new("u32", 3), level = buffer.new("u32", 3),
        front = buffer.new("u32", 3)})}, {16 * 3 + 4 * 4, 4, 4})
    end)
    it("no form that a CPU takes is without a model", function()
      local big = gen.rmat {scale = 14, seed = 1, lo = 1, hi = 99}
      trace.reset()
      scc(big)
      sssp(big, 0)
      ocm(big)
      local seen = {}
      for _, s in ipairs(stats()) do seen[s.kernel] = s.bytes and s.gathers and true or false end
      for _, name in ipairs {"walk_hub", "flood", "tarjan_rest", "delta_bins", "policy_paths"} do
        equal({name, seen[name]}, {name, true})
      end
    end)
  end
  it("trim_pair: the table says that it has no model", function()
    touched("trim_pair", state.scc(gen.ring {n = 9}))
    assert(tostring(stats()):find("trim_pair [^\n]+ no model\n"), tostring(stats()))
  end)
  it("split: settled vertices alone are written", function()
    local s = state.scc(gen.ring {n = 10})
    equal({touched("split", s)}, {40})
    s.mark[4] = 4 << 2 | 3
    equal({touched("split", s)}, {48})
  end)
  it("wide elements are wide", function()
    local x, y = buffer.new("f64", 10), buffer.new("f64", 4)
    equal({touched("gather", x, buffer.new("u32", 4), y)}, {16 + 4 * 8, 4, 4})
    equal({touched("reduce", x, buffer.new("f64", 1), 0)}, {80})
  end)
end)

-- Values for VALUE arguments that may not be 0; the value "tiles" stands for the number of tiles.
local VALUES = {pulls = 1, words = 1, tile = 32, sub = 4, l = 1, buckets = 4, kept = "n"}
local OF_WORDS = {words = "words", across = "words"}
local ROWS_OF = {bits_edges = OF_WORDS, warshall_pivots = OF_WORDS, warshall_table = OF_WORDS, warshall_rest = OF_WORDS,
  warshall_turn = OF_WORDS, descendant_counts = OF_WORDS, matrix_copy = {cols = 1, wide = 1, p = "n", q = 1, l = 0},
  kleene_update = {rows = 2, columns = 64}, scatter_shared = {k = 1, together = 32, rows = "tiles", columns = 1},
  prove_sources = {k = 1, rows = 1}, prove_all_edges = {k = 1, rows = 1}}

-- Rows that cannot run on buffers of zeros, with the reason.
local LEFT_OUT = {
  transpose = "it writes into a graph's own arrays",
  matrix_list = "its lists have their own length", dve_connect = "likewise", dve_join = "likewise", dve_all_edges = "likewise", dve_expand = "likewise",
  dve_degrees = "its program is made by dve.program",
  ode_functions = "it has phases that an arrangement of bytecode gives", ode_record = "likewise rows",
}

-- Exchanges, which transfer nothing if there is a single rank.
local EXCHANGES = {all_gather = true, all_reduce = true, reduce_scatter = true, broadcast = true, all_to_all = true, halo = true, halo_reduce = true}

-- Tested for each type, because the limits differ widely: 16-bit numbers are processed in pairs, 64-bit numbers by several instructions.
describe("the limit of a product's updates", function()
  local limits, n = device.limits(), 256
  for _, type in ipairs{"f32", "i32", "i16", "f64", "i64"} do
    it("is that of " .. type, function()
      local A, B, C = buffer.new(type, n, n), buffer.new(type, n, n), buffer.new(type, n, n)
      stats("reset")
      prim.multiply(A, B, C, buffer.new("u32", 1), n, n, n, 0, 1)
      for _, s in ipairs(stats()) do
        if s.kernel == "multiply" and s.bound == "ops" then
          local share = n^3 / s.total / limits["minplus_" .. type]
          assert(math.abs(s.limit - math.min(share, 1)) < 1e-6 * share, ("%g, not %g"):format(s.limit, share))
        end
      end
    end)
  end
end)

-- Every row, on a graph and buffers that are all zero, at sizes from 10 to a million (with a sanitizer, to 100000).
describe("shares of the limit", function()
  local limits = device.limits()
  it("says where there is so little to do that a share says nothing", function()
    stats("reset")
    scc.forward_backward(gen.grid{20, 20, one_way = 0.7, seed = 1})
    local text = tostring(stats{by = "limit"})
    assert(text:find("\nsmall: .+ and %d+ more; a call has work for less than 0.5 us at the limit"), text)
    local x, known, unknown, before = buffer.new("u32", 1 << 20), 0, 0, nil
    fill(x, 1)
    prim.gather(x, x, buffer.new("u32", 1 << 20))
    for _, row in ipairs(stats{by = "limit"}) do -- sorted by possible gain; rows without a limit and the host gap come last
      local share = row.limit or row.limit_at_most
      equal(row.gain ~= nil, share ~= nil)
      if share then
        assert(unknown == 0, row.kernel .. " comes after one without a limit")
        assert(math.abs(row.gain - row.total * (1 - share)) <= 1e-9 * row.total, row.kernel)
        assert(not before or before >= row.gain, row.kernel .. " has more to gain than the one before")
        known, before = known + 1, row.gain
      else
        unknown = unknown + 1
      end
    end
    assert(known > 1 and unknown > 0)
    local first = stats{by = "limit"}[1]
    assert(tostring(stats{by = "limit"}):find("tot ms gain ms avg us median   GB/s edg/s    limit\n" .. first.kernel, 1, true))
    local verdict = tostring(stats{by = "limit"}):match(first.kernel .. " has most to gain, [^\n]+")
    if verdict then -- a verdict is given only if the kernel's calls take similar times; it names no cause, because causes are not measured
      assert(first.limit and first.calls >= 3 and first.average <= 1.25 * first.median, verdict)
      assert(verdict:find("%(median%)") and verdict:find "at the limit %(%a+: [%a ]+%)$", verdict)
    end
    stats("reset")
    prim.gather(buffer.new("u32", 1 << 20), x, buffer.new("u32", 1 << 20)) -- a single call, in newly allocated memory
    assert(not tostring(stats{by = "limit"}):find("has most to gain", 1, true))
    assert(not tostring(stats()):find("has most to gain", 1, true))
    stats("reset")
    fill(buffer.new("u32", 1 << 22), 1)
    text = tostring(stats{by = "limit"})
    assert(not text:find("small:", 1, true), text)
  end)
  local extents = dofile((arg[0]:match("^(.*)/[^/]*$") or ".") .. "/extents.lua")
  local function given_for(row, g, kind)
    local size = {n = g.n, m = g.m, k = g.n, times = g.m}
    local given = {}
    local function elements(text) return (extents(text, function(name) return given[name] or size[name] or g.n end)) end
    local tiles, square = 0, row.domain == "tile"
    for _, arg in ipairs(row.args) do square = square or arg.extent == "n*n" or arg.extent == "n*across" or arg.extent == "n*words" end
    if square and g.n > 1000 then g = gen.uniform {n = 1000, m = g.m // g.n * 1000, seed = 1} end -- a matrix of 8 MB
    if square then size.n, size.m, tiles = g.n, g.m, (g.n + 31) // 32 end
    for _, arg in ipairs(row.args) do
      if arg.role == "value" then
        local value = (ROWS_OF[row.name] or VALUES)[arg.name] or VALUES[arg.name] or arg.name == "tiles" and "tiles" or 0
        value = value == "words" and (size.n + 63) // 64 or value
        given[arg.name] = value == "tiles" and (tiles > 0 and tiles or (size.n + 31) // 32) or value == "n" and size.n or value
      end
    end
    for _, arg in ipairs(row.args) do
      if arg.role ~= "value" and arg.role ~= "count" then
        local good = arg.role ~= "out" and ({off = g.off, to = g.to, roff = g:reverse().off, rto = g:reverse().to})[arg.name]
        given[arg.name] = good or buffer.new(arg.type == "W" and kind or arg.type, elements(arg.extent))
        if arg.name == "gone" then fill(given.gone, 1) end -- otherwise policy_walk takes time n^2
      end
    end
    return given
  end
  for _, n in ipairs {10, 1000, 30000, sized(1000000, 100000)} do
    for _, degree in ipairs {0, 2} do
      local some = n > 30000 and long or it
      some(("of %d vertices, degree %d"):format(n, degree), function()
        local g, ran = gen.uniform {n = n, m = degree * n, seed = n}, 0
        for i = 1, math.huge do
          local row = prim.describe(i)
          if not row then break end
          if row.domain ~= "loop" and not EXCHANGES[row.name] then
            local kind = row.types[#row.types] or "u32"
            local given = given_for(row, g, kind)
            trace.reset()
            for _ = 1, 3 do
              local good, why = pcall(prim[row.name], given)
              -- some rows need an edge, and some have no body for this processor
              assert(good or degree == 0 or LEFT_OUT[row.name] or why:find("there is no body for", 1, true), why)
              if good then ran = ran + 1 end
            end
            for _, s in ipairs(stats()) do
              if s.kernel == row.name then
                assert((s.limit or 0) <= 1, s.kernel .. ": " .. tostring(s.limit))
                assert(not (s.bytes and s.bytes_at_most) and not (s.gathers and s.gathers_at_most), s.kernel)
                assert(not s.limit or s.bytes or s.gathers or s.bound == "ops", s.kernel .. " has a share without a model")
                assert((s.bytes_per_second or 0) <= 2 * limits.random[1].stream, s.kernel .. ": " .. tostring(s.bytes_per_second))
              end
            end
            local r = trace.last(1)[1]
            local share = r and r.line:match("%((%d+) %%%)")
            assert(not share or tonumber(share) <= 100, r and r.line)
          end
        end
        assert(ran > 150, ran .. " calls came through")
      end)
    end
  end
end)
