-- Contracts: before a launch, the indices in the input buffers are checked unless a primitive wrote them, so that a bad index
-- is an error, never an access out of bounds. kernels/language/contracts.def lists the allowed contents.
local NONE = 0xffffffff
local function ring() return state.scc(gen.ring {n = 10}) end

describe("what a user writes", function()
  it("a queue's items and length", function()
    local s = ring()
    s.front[0], s.front[1] = 1, 4000000000
    raises("reach_forward: argument front: front[1] is 4000000000, expected a vertex, below n = 10\n", reach_forward, s)
    raises("reach_forward_fix: argument front: front[1] is 4000000000", reach_forward_fix, s)
    s.front[0], s.front[1] = 11, 3
    raises("reach_forward: argument front: front[0] is 11, expected a queue's length, at most 10\n", reach_forward, s)
    raises("copy_queue: argument front: front[0] is 11", copy_queue, s)
    s.front[0], s.front[2] = 1, 4000000000 -- items beyond the queue's length do not count
    equal(reach_forward(s), 1)
    s.edges[0], s.edges[1] = 1, 5 << 32 | 10
    raises("propagate_max: argument edges: edges[1] is 21474836490, expected an edge", propagate_max, s)
    raises("argument 1 (front): expected u32[1], got u32[0]", copy_queue, buffer.new("u32", 0), buffer.new("u32", 0))
  end)
  it("vertices, offsets, links", function()
    local s = ring()
    s.link[3] = 77
    raises("chain_jump: argument link: link[3] is 77, expected a vertex, below n = 10, or none\n", chain_jump, s)
    s.link[3] = NONE
    chain_jump(s)
    local function pass(off, to) return relax(off, to, buffer.new("i32", 2), buffer.new("i32", 3), buffer.new("u32", 1)) end
    local off, to = buffer.new("u32", {0, 1, 2, 2}), buffer.new("u32", {1, 2})
    equal(pass(off, to), 0)
    raises("relax: argument 2 (to): to[1] is 3, expected a vertex, below n = 3\n", pass, off, buffer.new("u32", {1, 3}))
    raises("relax: argument 1 (off): off[2] is 5, expected an offset, rising up to m = 2\n", pass, buffer.new("u32", {0, 1, 5, 2}), to)
    raises("relax: argument 1 (off): off[2] is 0, expected an offset", pass, buffer.new("u32", {0, 1, 0, 2}), to)
  end)
  it("marks, votes, scattered identifiers", function()
    local s = ring()
    s.mark[3] = 4 * 10
    raises("pick_pivots: argument mark: mark[3] is 40, expected a mark: all ones, or 4 * a region below n = 10 and two flags\n", pick_pivots, s)
    s.mark[3] = 4 * 9 + 3 -- a pivot whose region is not split yet votes for no vertex
    pick_pivots(s)
    s.vote[0] = 11
    raises("new_regions: argument vote: vote[0] is 11, expected 1 + a vertex, at most n = 10\n", new_regions, s)
    s.max_in[2] = 3
    raises("propagate_max: argument max_in: max_in[2] is 3, expected the scattered identifier", propagate_max, s)
    s.hub[0] = 12345 -- not a vertex
    seed(s)
    equal(s.front[0], 0)
  end)
  it("numbers", function()
    local D, overflow = buffer.new("i32", 64, 64), buffer.new("u32", 1)
    raises("fw_rest: argument 4 (tiles): tiles is 100, expected the tiles of 32 that cover n = 64\n", fw_rest, D, overflow, 0, 100)
    raises("fw_rest: argument 3 (k): k is 2, expected an index, below tiles = 2\n", fw_rest, D, overflow, 2, 2)
    fw_rest(D, overflow, 1, 2)
  end)
  it("states that no rank owns", function()
    local u32 = function(x) return buffer.new("u32", x) end
    local place, share = u32 {0, 1, 2}, buffer.new("u32", 0)
    for _ = 1, 20 do -- memory after the empty buffer must not be written
      dve_share(u32 {7, 8}, place, 2, 3, 1, 2, 0, share)
      local sent, went = buffer.new("u32", 4), buffer.new("u32", 0)
      equal(dve_send(u32 {7, 8}, place, u32 {0, 1}, u32 {0, 1}, 0, 2, 3, 1, 2, 2, 0, 0, 2, 0, share, sent, went), 0)
    end
  end)
  it("a mean of the least integer", function()
    for time, want in pairs {[-1] = {math.mininteger, -1}, [0] = {1, 0}, [2] = {math.mininteger // 2, 1}, [math.mininteger] = {1, 1}} do
      local s = state.policy(gen.ring {n = 10})
      s.cost[3], s.time[3], s.least[3], s.best[0] = math.mininteger, time, 3, 4
      s.cycle[0], s.cycle[1] = 1, 3
      equal(policy_lambda(s), 1)
      equal({s.p[0], s.q[0]}, want)
    end
  end)
  it("by way of a row that promises nothing", function()
    local s = ring()
    fill(s.link, 10)
    raises("chain_jump: argument link: link[0] is 10", chain_jump, s)
    fill(s.link, NONE)
    equal(chain_jump(s), 0)
    copy(buffer.new("u32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 99}), s.link)
    raises("chain_jump: argument link: link[9] is 99", chain_jump, s)
    local other = buffer.new("u32", {1, 2, 3, 4, 5, 6, 7, 8, 9, 9})
    prim.swap(s.link, other) -- what is known of each buffer's contents is swapped, too
    chain_jump(s)
    prim.swap(s.link, other)
    raises("chain_jump: argument link: link[9] is 99", chain_jump, s)
  end)
  it("but not a graph's arrays", function()
    local g = gen.ring {n = 10}
    raises("belongs to a graph", function() g.to[0] = 99 end)
    raises("belongs to a graph", fill, g.off, 0)
    raises("belong to a graph", prim.swap, g.to, buffer.new("u32", 10))
  end)
end)

-- If a loop swaps a queue that it reads, the queue counts as written, like the queues that the loop fills.
describe("a queue that a loop swaps", function()
  local h = gen.uniform {n = 40, m = 200, seed = 1}
  local before = {off = h.off:copy(), to = h.to:copy()}
  local function untouched()
    equal({(h.off:diff(before.off)), (h.to:diff(before.to))}, {0, 0})
  end
  local function other() return buffer.new("u32", 41) end
  it("may not be a graph's own array", function()
    local s = state.scc(h)
    local p, d = state.policy(h, "i64"), state.sssp(h)
    local with = {w = buffer.new("i32", h.m), dist = d.dist, parent = d.parent, overflow = d.overflow, front = h.off, front_next = d.front}
    raises("reach_forward_fix: argument front would be written, but it belongs to a graph", reach_forward_fix, s, {front = h.off})
    raises("argument back would be written, but it belongs to a graph", reach_backward_fix, s, {back = h.off})
    raises("argument front would be written, but it belongs to a graph", reach_both, s, {front = h.off})
    raises("argument back would be written, but it belongs to a graph", reach_both, s, {back = h.off})
    raises("argument front would be written, but it belongs to a graph", reach_giant, s, {within = 1, begun = true, front = h.off})
    raises("argument front would be written, but it belongs to a graph", policy_connect_fix, p, {front = h.off})
    raises("argument rest would be written, but it belongs to a graph", policy_land_fix, p, {rest = h.off})
    raises("argument front would be written, but it belongs to a graph", tight_tree, h, with)
    untouched()
  end)
  it("may not stand in two places", function()
    local s, q = state.scc(h), other()
    raises("front and back are the same buffer, and the call writes to it", reach_both, s, {front = q, back = q})
    raises("are the same buffer, and the call writes to it", reach_forward_fix, s, {front = q, front_next = q})
    raises("are the same buffer, and the call writes to it", policy_land_fix, state.policy(h), {rest = q, cycle = q})
  end)
  it("is known once the loop is over", function()
    local s = state.scc(gen.path {n = 10})
    s.front[0], s.front[1] = 1, 0
    equal(reach_forward_fix(s), 9)
    s.front_next[0], s.front_next[1] = 1, 4000000000
    raises("front[1] is 4000000000, expected a vertex", copy_queue, s.front_next, s.back)
  end)
end)

-- {begun = true}: the loop skips its first steps, so it reads the existing contents of the buffers that these steps would write.
describe("a program that goes on", function()
  it("looks at what is there", function()
    local s = ring()
    s.front[0], s.front[1] = 1, 4000000000
    raises("reach_giant: argument front: front[1] is 4000000000, expected a vertex, below n = 10", reach_giant, s, {begun = true, within = 1})
    s.front[0], s.front[1] = 11, 3
    raises("front[0] is 11, expected a queue's length, at most 10", reach_giant, s, {begun = true, within = 1})
    reach_giant(s, {within = 1}) -- without `begun`, the loop itself fills the queue first
  end)
  it("takes what was never written as it is: no choice", function()
    local g = gen.uniform {n = 40, m = 200, seed = 1, weights = "i64"}
    local function with(more)
      local t = {w = g.w, t = buffer.new("i64", 0), timed = 0, pulls = 0, begun = true, max_iterations = 5}
      for k, v in pairs(more or {}) do t[k] = v end
      return t
    end
    local s = state.policy(g)
    equal(policy_iterate(s, with()), 0)
    equal(s.policy:count(NONE), 40)
    s.policy[3] = 200
    raises("argument policy: policy[3] is 200, expected an edge, below m = 200, or none", policy_iterate, s, with())
    s.rest[0] = 4000000000 -- allowed: the loop fills `rest` before it reads it
    s.policy[3] = 199
    policy_iterate(s, with())
  end)
  it("knows no more than it did where it leaves steps out", function()
    local g = gen.ring {n = 3000, weights = "i64"}
    local function with(more)
      local t = {w = g.w, t = buffer.new("i64", 0), timed = 0, pulls = 0}
      for k, v in pairs(more) do t[k] = v end
      return t
    end
    local s = state.policy(g)
    s.front[0], s.front[1] = 1, 4000000000 -- the queue of a search that this call does not run
    policy_iterate(s, with {})
    raises("front[1] is 4000000000", policy_connect, s)
    s.rest[0], s.rest[1] = 1, 4000000000
    s.root[0] = 0 -- the root is many passes away, so two repetitions do not finish the search
    equal({select(-2, prim.loops.policy_iterate.call(s, with {begun = true, max_repeats = 2}))}, {0, true})
    raises("rest[1] is 4000000000", policy_land, s)
  end)
end)

-- A row may guarantee a property of its output, on which the next row then relies.
describe("what a row promises", function()
  local function plain(off, to)
    local n, m = #off - 1, #to
    return relax(off, to, buffer.new("i32", m), buffer.new("i32", n), buffer.new("u32", 1))
  end
  it("keep_edges writes no more than it keeps", function()
    local g = gen.ring {n = 10}
    local to, from = buffer.new("u32", 10):fill(4000000000), buffer.new("u32", 10)
    local with = {keep = buffer.new("u32", 10), place = buffer.new("u32", 10), kept = 10, part_to = to, from = from}
    raises("part_to[0] is 4000000000, expected a vertex", keep_edges, g, with)
    from:fill(4000000000)
    with.part_to = buffer.new("u32", 10)
    raises("from[0] is 4000000000, expected an index", keep_edges, g, with)
    raises("to[0] is 4000000000", plain, g.off, to)
  end)
  it("keep_rows has rising rows of rising places alone", function()
    local g = gen.ring {n = 4}
    local function rows(place, kept)
      local off = buffer.new("u32", 5)
      keep_rows(g, {place = buffer.new("u32", place), kept = kept, part_to = buffer.new("u32", 4), part_off = off})
      return off:totable()
    end
    equal(rows({0, 1, 1, 3}, 4), {0, 1, 1, 3, 4})
    raises("place[0] is 2, expected a place, rising from 0", rows, {2, 1, 0, 1}, 4)
    raises("place[2] is 1, expected a place, rising from 0", rows, {0, 2, 1, 3}, 4)
    raises("kept is 3, expected k = 4", rows, {0, 1, 1, 3}, 3)
  end)
  it("scan makes places of flags, and of nothing else", function()
    local g = gen.uniform {n = 30, m = 100, seed = 1}
    local s, keep, place = state.policy(g), buffer.new("u32", g.m), buffer.new("u32", g.m)
    local kept = inner_flag(s, keep)
    scan(keep, place)
    local part = {place = place, kept = kept, part_to = buffer.new("u32", kept), part_off = buffer.new("u32", 31)}
    keep_rows(g, part)
    equal(part.part_off[30], kept)
    keep[0], keep[1] = 0x80000000, 0x80000000
    scan(keep, place)
    raises("expected a place, rising from 0", keep_rows, g, part)
  end)
  it("bridge_rows stays in what there is room for", function()
    local off = buffer.new("u32", 11)
    bridge_rows(gen.ring {n = 10}, {bridge = buffer.new("i64", 1), wide_off = off, wide_to = buffer.new("u32", 1), wide_w = buffer.new("i64", 1), wide = 1})
    equal(off:totable(), {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
    equal(plain(off, buffer.new("u32", 1)), 0)
  end)
  it("transpose and inner_flag want rows that hold all edges", function()
    local function transposed(off, to) transpose(buffer.new("u32", off), buffer.new("u32", to), buffer.new("u32", 4), buffer.new("u32", #to)) end
    transposed({0, 3, 4, 5}, {0, 1, 2, 0, 1})
    raises("off[0] is 3, expected an offset, rising from 0 to m = 5", transposed, {3, 3, 4, 5}, {0, 1, 2, 0, 1})
    raises("off[3] is 4, expected an offset, rising from 0 to m = 5", transposed, {0, 3, 4, 4}, {0, 1, 2, 0, 1})
    raises("off[3] is 0, expected an offset, rising from 0 to m = 5", transposed, {0, 0, 0, 0}, {0, 1, 2, 0, 1})
    raises("off[10] is 9", inner_flag, buffer.new("u32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9}), gen.ring {n = 10}.to, buffer.new("u32", 10), buffer.new("u32", 10))
  end)
  it("flood without a hub leaves a tree of nobody", function()
    if not on_cpu() then return end -- this row exists only for CPUs
    local s = ring()
    s.link:fill(2000000000)
    s.hub[0] = 12345
    equal({flood(s)}, {0, 0, 0})
    equal(s.link:count(NONE), 10)
    equal({join_back(s, 1)}, {0, 0})
  end)
  it("of no vertices nobody makes anything", function()
    local g = graph.from_edges {n = 0}
    local off = buffer.new("u32", {7})
    keep_rows(g, {place = buffer.new("u32", 0), kept = 0, part_to = buffer.new("u32", 0), part_off = off})
    equal(off[0], 7)
    raises("off[0] is 7", transpose, off, buffer.new("u32", 0), buffer.new("u32", 1), buffer.new("u32", 0))
  end)
end)

-- A queue has room for every vertex once.
describe("queues with the same vertex many times", function()
  it("policy_propagate gives a value once", function()
    local edges = {}
    for u = 1, 9 do edges[u] = {u, 0, 1} end
    local g = graph.from_edges(edges)
    local s = state.policy(g, "i64")
    for u = 1, 9 do s.policy[u] = g.off[u] end
    for i = 0, 10 do s.front[i] = i == 0 and 10 or 0 end
    equal(policy_propagate(s, {w = buffer.new("i64", g.m), t = buffer.new("i64", 0), timed = 0, summary = 0}), 9)
    equal(queue(s.front_next), {1, 2, 3, 4, 5, 6, 7, 8, 9})
  end)
  it("policy_connect reaches nobody from a layer that nobody made", function()
    local edges = {{9, 1}}
    for _ = 1, 60 do edges[#edges + 1] = {1, 0} end
    local s = state.policy(graph.from_edges(edges))
    s.layer[0] = NONE - 1
    s.front[0], s.front[1] = 1, 0
    equal(policy_connect(s), 0)
  end)
end)

-- Calls every row and every loop with random arguments. Each call must return; its result does not matter.
describe("rubbish in", function()
  local n, m, k = 40, 90, 30
  local size = {n = n, m = m, k = k, times = m, ranks = 1}
  local good_values = {kept = k, words = 1, p = 6, q = 6, r = 6, tile = 32, tiles = 2, columns = 8, rows = 4, sub = 4, l = 1,
    edges = k, down = 1, across = 1}
  local tiles_of = {together = 32, rows = 2, columns = 1, k = k} -- the numbers of tiles of size 32 that cover n and k
  local own = {first = 0, past = k, op = 1} -- the range of the only rank
  local good_values_of = {scatter_shared = tiles_of, scatter_shared_fix = tiles_of, all_gather = own, reduce_scatter = own}
  local extents = dofile((arg[0]:match("^(.*)/[^/]*$") or ".") .. "/extents.lua")
  local values
  local function elements(text) return (extents(text, function(name) return values[name] or size[name] or k end)) end
  local program -- a DVE model as a buffer
  with_file(".dve", "byte x; process P { state a; init a; trans a -> a { effect x = x + 1; }; } system async;",
    function(path) program = dve.program(model.load(path)) end)
  local seed = 1
  local function random(below)
    seed = seed * 6364136223846793005 + 1442695040888963407
    return (seed >> 33) % below
  end
  -- Small random values for the VALUE arguments that are sizes of a row's buffers or limits of FOR words of a loop.
  local function small_sizes(row)
    local named, texts = {}, {}
    for _, arg in ipairs(row.args) do texts[#texts + 1] = arg.role ~= "value" and arg.extent or nil end
    for _, word in ipairs(row.domain == "loop" and prim.loops[row.name].words or {}) do texts[#texts + 1] = word.limit end
    for _, text in ipairs(texts) do
      for name in text:gmatch "%a[%w_]*" do named[name] = not size[name] and random(6) or nil end
    end
    return named
  end
  local function one(kind)
    local tries = {0, 1, n - 1, n, n + 1, m, 0x7fffffff, 0x80000000, 4000000000, NONE, random(n), random(4 * n)}
    local x = tries[random(#tries) + 1]
    if kind == "u64" then return (tries[random(#tries) + 1] & 0x7fffffff) << 32 | x end
    local narrow = ({u8 = 0xff, u16 = 0xffff, i16 = 0x7fff})[kind]
    if narrow then return x & narrow end
    return kind == "i32" and x & 0x7fffffff or x
  end
  local function rubbish(kind, count, all)
    local b = buffer.new(kind, count)
    for i = 0, count - 1, math.max(1, count // 4096) do -- in large buffers, only about 4096 of the elements
      if all or random(4) == 0 then b[i] = one(kind) end
    end
    return b
  end
  for i = 1, math.huge do
    local row = prim.describe(i)
    if not row then break end
    it(row.name, function()
      local came_through, refused = 0, ""
      seed = 1 -- so that the random numbers do not depend on the previous rows
      for c = 1, #row.name do seed = 31 * seed + row.name:byte(c) end
      for round = 1, 60 do
        local g = gen.uniform {n = n, m = m, seed = round}
        local given, named = {}, small_sizes(row)
        values = {}
        for _, arg in ipairs(row.args) do -- VALUEs first, because extents depend on them
          if arg.role == "value" then
            local good = (good_values_of[row.name] or good_values)[arg.name]
            good = good and (arg.name == "words" or random(4) > 0) and good or named[arg.name]
            given[arg.name] = good or arg.type == "W" and 1 or random(3 + #row.args // 5) == 0 and one("u32") or random(4) * (random(2))
            if arg.name == "sources" then given[arg.name] = given[arg.name] & 0xfffff end -- limits the number of threads, one per source
            if given[arg.name] <= m then values[arg.name] = given[arg.name] end
          end
        end
        for _, arg in ipairs(row.args) do
          local kind = arg.type == "W" and row.types[round % #row.types + 1] or arg.type
          if arg.name == "program" then
            given.program = program
          elseif arg.role ~= "value" and arg.role ~= "count" then
            local good = ({off = g.off, to = g.to, roff = g:reverse().off, rto = g:reverse().to})[arg.name]
            if good and arg.role == "in" and random(4) > 0 then
              given[arg.name] = good
            elseif random(2 + #row.args // 5) > 0 then -- the more arguments a row has, the less likely each is wrong
              given[arg.name] = buffer.new(kind, elements(arg.extent))
            else
              given[arg.name] = rubbish(kind, elements(arg.extent), round % 2 == 0)
            end
          end
        end
        if row.domain == "loop" then given.max_iterations = 9 end
        local ok, why = pcall(prim[row.name], given)
        if ok or why:find("there is no body for", 1, true) then came_through = came_through + 1 else refused = why end -- the row has a body only for CPUs
      end
      assert(came_through > 0, "nothing came through, the test tests nothing; the last was refused: " .. refused)
    end)
  end
end)

it("a launch that the device refuses is over: thousands can follow", function()
  local g = gen.complete {n = 100}
  pcall(fw, g, {form = "two-level", tile = 64, sub = 32}) -- needs more threads per block than a GPU allows
  local x = buffer.new("u32", 4)
  for i = 1, 2100 do fill(x, i) end
  equal(x:totable(), {2100, 2100, 2100, 2100})
end)
