-- What a row's body goes by is looked at when somebody else has written it: an error, never a place outside an
-- array. kernels/holds.def says what may be where.
local NONE = 0xffffffff
local function ring() return state.scc(gen.ring {n = 10}) end

describe("what a user writes", function()
  it("a queue's items and length", function()
    local s = ring()
    s.front[0], s.front[1] = 1, 4000000000
    raises("reach_forward: argument 4 (front): front[1] is 4000000000, expected a vertex, below n = 10\n", reach_forward, s)
    raises("reach_forward_fix: argument 4 (front): front[1] is 4000000000", reach_forward_fix, s)
    s.front[0], s.front[1] = 11, 3
    raises("reach_forward: argument 4 (front): front[0] is 11, expected a queue's length, at most 10\n", reach_forward, s)
    raises("copy_queue: argument 1 (front): front[0] is 11", copy_queue, s)
    s.front[0], s.front[2] = 1, 4000000000 -- beyond its length lies nothing
    equal(reach_forward(s), 1)
    s.edges[0], s.edges[1] = 1, 5 << 32 | 10
    raises("propagate_max: argument 1 (edges): edges[1] is 21474836490, expected an edge", propagate_max, s)
    raises("argument 1 (front): expected u32[1], got u32[0]", copy_queue, buffer.new("u32", 0), buffer.new("u32", 0))
  end)
  it("vertices, offsets, links", function()
    local s = ring()
    s.link[3] = 77
    raises("chain_jump: argument 1 (link): link[3] is 77, expected a vertex, below n = 10, or none\n", chain_jump, s)
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
    raises("pick_pivots: argument 1 (mark): mark[3] is 40, expected a mark: all ones, or 4 * a region below n = 10 and two flags\n", pick_pivots, s)
    s.mark[3] = 4 * 9 + 3 -- a pivot that was not split yet votes for nobody
    pick_pivots(s)
    s.vote[0] = 11
    raises("new_regions: argument 1 (vote): vote[0] is 11, expected 1 + a vertex, at most n = 10\n", new_regions, s)
    s.max_in[2] = 3
    raises("propagate_max: argument 2 (max_in): max_in[2] is 3, expected the scattered identifier", propagate_max, s)
    s.hub[0] = 12345 -- no vertex at all
    seed(s)
    equal(s.front[0], 0)
  end)
  it("numbers", function()
    local D, overflow = buffer.new("i32", 64, 64), buffer.new("u32", 1)
    raises("fw_rest: argument 4 (tiles): tiles is 100, expected the tiles of 32 that cover n = 64\n", fw_rest, D, overflow, 0, 100)
    raises("fw_rest: argument 3 (k): k is 2, expected an index, below tiles = 2\n", fw_rest, D, overflow, 2, 2)
    fw_rest(D, overflow, 1, 2)
  end)
  it("by way of a row that promises nothing", function()
    local s = ring()
    fill(s.link, 10)
    raises("chain_jump: argument 1 (link): link[0] is 10", chain_jump, s)
    fill(s.link, NONE)
    equal(chain_jump(s), 0)
    copy(buffer.new("u32", {0, 1, 2, 3, 4, 5, 6, 7, 8, 99}), s.link)
    raises("chain_jump: argument 1 (link): link[9] is 99", chain_jump, s)
    local other = buffer.new("u32", {1, 2, 3, 4, 5, 6, 7, 8, 9, 9})
    prim.swap(s.link, other) -- what is known goes with what is swapped
    chain_jump(s)
    prim.swap(s.link, other)
    raises("chain_jump: argument 1 (link): link[9] is 99", chain_jump, s)
  end)
  it("but not a graph's arrays", function()
    local g = gen.ring {n = 10}
    raises("belongs to a graph", function() g.to[0] = 99 end)
    raises("belongs to a graph", fill, g.off, 0)
    raises("belong to a graph", prim.swap, g.to, buffer.new("u32", 10))
  end)
end)

-- A loop may swap what it reads as a queue: it is then written, like what the loop fills.
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
    raises("reach_forward_fix: argument 4 (front) would be written, but it belongs to a graph", reach_forward_fix, s, {front = h.off})
    raises("(back) would be written, but it belongs to a graph", reach_backward_fix, s, {back = h.off})
    raises("(front) would be written, but it belongs to a graph", reach_both, s, {front = h.off})
    raises("(back) would be written, but it belongs to a graph", reach_both, s, {back = h.off})
    raises("(front) would be written, but it belongs to a graph", reach_giant, s, {within = 1, begun = true, front = h.off})
    raises("(front) would be written, but it belongs to a graph", policy_connect_fix, p, {front = h.off})
    raises("(rest) would be written, but it belongs to a graph", policy_land_fix, p, {rest = h.off})
    raises("(front) would be written, but it belongs to a graph", tight_tree, h, with)
    untouched()
  end)
  it("may not stand in two places", function()
    local s, q = state.scc(h), other()
    raises("(front) and 9 (back) are one buffer, and it would be written", reach_both, s, {front = q, back = q})
    raises("are one buffer, and it would be written", reach_forward_fix, s, {front = q, front_next = q})
    raises("are one buffer, and it would be written", policy_land_fix, state.policy(h), {rest = q, cycle = q})
  end)
  it("is known once the loop is over", function()
    local s = state.scc(gen.path {n = 10})
    s.front[0], s.front[1] = 1, 0
    equal(reach_forward_fix(s), 9)
    s.front_next[0], s.front_next[1] = 1, 4000000000
    raises("front[1] is 4000000000, expected a vertex", copy_queue, s.front_next, s.back)
  end)
end)

-- {begun = true}: a program leaves out its first steps, so it reads what they would have made.
describe("a program that goes on", function()
  it("looks at what is there", function()
    local s = ring()
    s.front[0], s.front[1] = 1, 4000000000
    raises("reach_giant: argument 5 (front): front[1] is 4000000000, expected a vertex, below n = 10", reach_giant, s, {begun = true, within = 1})
    s.front[0], s.front[1] = 11, 3
    raises("front[0] is 11, expected a queue's length, at most 10", reach_giant, s, {begun = true, within = 1})
    reach_giant(s, {within = 1}) -- whoever begins at the beginning makes it
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
    raises("(policy): policy[3] is 200, expected an edge, below m = 200, or none", policy_iterate, s, with())
    s.rest[0] = 4000000000 -- the loop itself fills it
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
    s.front[0], s.front[1] = 1, 4000000000 -- for a search that is not needed
    policy_iterate(s, with {})
    raises("front[1] is 4000000000", policy_connect, s)
    s.rest[0], s.rest[1] = 1, 4000000000
    s.root[0] = 0 -- a long way there, and it stands still on it
    equal({select(-2, prim.loops.policy_iterate.call(s, with {begun = true, max_repeats = 2}))}, {0, true})
    raises("rest[1] is 4000000000", policy_land, s)
  end)
end)

-- Every row and every loop over whatever may stand in its arguments. What matters is that it comes back.
describe("rubbish in", function()
  local n, m, k = 40, 90, 30
  local size = {n = n, m = m, k = k, times = m}
  local function elements(text)
    local factor, name, square, more = text:match("^(%d*)%*?(%a*)(%*?)%a*%+?(%d*)$")
    if name == "" then return tonumber(factor) end
    return (tonumber(factor) or 1) * (square == "*" and size[name] * size[name] or size[name]) + (tonumber(more) or 0)
  end
  local seed = 1
  local function random(below)
    seed = seed * 6364136223846793005 + 1442695040888963407
    return (seed >> 33) % below
  end
  local function one(kind)
    local tries = {0, 1, n - 1, n, n + 1, m, 0x7fffffff, 0x80000000, 4000000000, NONE, random(n), random(4 * n)}
    local x = tries[random(#tries) + 1]
    if kind == "u64" then return (tries[random(#tries) + 1] & 0x7fffffff) << 32 | x end
    if kind == "u8" then return x & 0xff end
    return kind == "i32" and x & 0x7fffffff or x
  end
  local function rubbish(kind, count, all)
    local b = buffer.new(kind, count)
    for i = 0, count - 1 do
      if all or random(4) == 0 then b[i] = one(kind) end
    end
    return b
  end
  for i = 1, math.huge do
    local row = prim.describe(i)
    if not row then break end
    it(row.name, function()
      local came_through = 0
      seed = 1 -- what comes does not depend on the rows before
      for c = 1, #row.name do seed = 31 * seed + row.name:byte(c) end
      for round = 1, 60 do
        local g = gen.uniform {n = n, m = m, seed = round}
        local given = {}
        for _, arg in ipairs(row.args) do
          local kind = arg.type == "W" and row.types[round % #row.types + 1] or arg.type
          if arg.role == "value" then
            given[arg.name] = arg.type == "W" and 1 or random(3 + #row.args // 5) == 0 and one("u32") or random(4) * (random(2))
          elseif arg.role ~= "count" then
            local good = ({off = g.off, to = g.to, roff = g:reverse().off, rto = g:reverse().to})[arg.name]
            if good and random(4) > 0 then
              given[arg.name] = good
            elseif random(2 + #row.args // 5) > 0 then -- many arguments: fewer wrong ones each
              given[arg.name] = buffer.new(kind, elements(arg.extent))
            else
              given[arg.name] = rubbish(kind, elements(arg.extent), round % 2 == 0)
            end
          end
        end
        if row.domain == "loop" then given.max_iterations = 9 end
        if pcall(prim[row.name], given) then came_through = came_through + 1 end
      end
      assert(came_through > 0, "nothing came through: the test tests nothing")
    end)
  end
end)
