-- Every row of kernels/FAMILY/FAMILY.def: its error messages for bad arguments, and its results, compared with plain
-- loops in this file.
local NONE, SETTLED = 0xffffffff, 0xffffffff
local rows = {}
for name in pairs(prim.takes) do
  if not prim.loops[name] then rows[#rows + 1] = name end
end
table.sort(rows)

local W, ALL = {"i32", "i64", "f32", "f64"}, {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}
local sizes = {n = 5, m = 7, k = 6, times = 7, ranks = 1}
-- Values for VALUE arguments that may not be 0. In rows over tiles, k is such an argument, not a size; n is the size of
-- the matrix.
local numbers = {kept = sizes.k, tiles = 1, tile = 16, sub = 2, rows = 1, columns = 1, buckets = 1, -- of matrices
  words = 1, phases = 1, threads = 1, widest = 1, constants = 1, operands = 1, vars = 1, cells = 1} -- of bytecode
local numbers_of = {scatter_shared = {k = 1, together = 32}, -- k is the number of sources, one per column; in other rows, k is an index
  prove_sources = {k = 1}, -- k is the number of problems, and the indices of problems are below k
  multiply_rows = {rows = 0}, -- p determines the number of rows
  all_gather = {past = sizes.k}, reduce_scatter = {past = sizes.k}} -- the only rank has the whole range
for _, row in ipairs {"bits_edges", "warshall_pivots", "warshall_table", "warshall_rest", "descendant_counts"} do
  numbers_of[row] = {across = 1} -- number of words in a row of a matrix of n columns
end
local function value_of(row, name) return (numbers_of[row] or {})[name] or numbers[name] or 0 end
local extents = dofile((arg[0]:match("^(.*)/[^/]*$") or ".") .. "/extents.lua")
local one_state
with_file(".dve", "byte x; process P { state a; init a; trans a -> a {}; } system async;", function(path) one_state = model.load(path) end)

local function values_of(name)
  local values = {}
  for _, arg in ipairs(prim.describe(name).args) do
    if arg.role == "value" then values[arg.name] = true end
  end
  return values
end

local function extent(row, text, values)
  return extents(text, function(name) return values[name] and value_of(row, name) or sizes[name] or 6 end, values)
end

-- A row's arguments in order, {name =, type =, extent =}, read from its messages about missing arguments.
local function arguments(name, kind)
  local given, list, values = {}, {}, values_of(name)
  for _ = 1, #prim.takes[name] do
    local ok, message = pcall(prim[name], given)
    assert(not ok, name .. " wants nothing more")
    local arg, type, size = message:match(": argument 2 %(([%w_]+): (%w+)%[([^%]]+)%]%) is missing[^\n]*\n  " .. name .. "%(")
    assert(arg, message)
    local number = #list + 1
    list[number] = {name = arg, type = type == "weights" and kind or type, extent = size, weight = type == "weights"}
    given[arg] = 0
    if not pcall(prim.loops.relax_fix.arguments, {max_iterations = 0, [arg] = 0}) then given[arg] = nil end
    -- tries a buffer first, and a number if the argument is a VALUE
    given[arg] = buffer.new(list[number].type, (extent(name, size, values)))
    if arg == "program" then given[arg] = dve.program(one_state) end
    if arg == "off" and size == "n+1" then given[arg][sizes.n] = sizes.m end -- all edges are in the last row
    local _, why = pcall(prim[name], given)
    if tostring(why):find("expected a number", 1, true) then
      list[number].value = true
      given[arg] = value_of(name, arg)
    end
  end
  return list, given
end

local function kinds_of(name)
  local types = prim.describe(name).types
  return #types > 0 and types or {"i32"}
end

-- Some rows have a body only for CPUs.
local function runs_here(name)
  local _, message = pcall(prim[name], select(2, arguments(name, kinds_of(name)[1])))
  return not tostring(message):find("there is no body for " .. device().name, 1, true)
end

describe("arguments of", function()
  for _, name in ipairs(rows) do
    for _, kind in ipairs(runs_here(name) and kinds_of(name) or {}) do
      it(name .. " of " .. kind, function()
        local list, good = arguments(name, kind)
        equal(#list, #prim.takes[name])
        equal(select("#", prim[name](good)), #prim.counts[name])
        local known = {}
        for _, x in ipairs(list) do
          local function with(b)
            local t = {}
            for k, v in pairs(good) do t[k] = v end
            t[x.name] = b
            return t
          end
          local label = ("%s: argument %s"):format(name, x.name)
          local signature = ("\n  %s(%s)"):format(name, table.concat(prim.takes[name], ", "))
          if x.value then
            raises(label .. ": expected a number, got boolean" .. signature, prim[name], with(true))
            if not x.weight then
              local most = x.type == "u32" and 0xffffffff or 2^64
              for _, bad in ipairs {-1, most + 1} do
                raises(("%s: %s does not fit %s (0 to "):format(label, math.type(bad) == "float" and "1.8446744073709552e+19" or bad, x.type),
                  prim[name], with(bad))
              end
              raises(("%s: 0.5 is not an integer, which %s needs%s"):format(label, x.type, signature), prim[name], with(0.5))
            end
          else
            raises(label .. ": expected a buffer", prim[name], with(7))
            local count, size = extent(name, x.extent, values_of(name))
            if x.name == "program" then count = #good.program end
            local other = x.type == "u8" and "i64" or "u8"
            if not x.weight then
              raises(("%s: expected %s[%d], got %s[%d]%s"):format(label, x.type, count, other, count, signature), prim[name],
                with(buffer.new(other, count)))
            elseif #kinds_of(name) == 4 then
              local ok, message = pcall(prim[name], with(buffer.new("u8", count)))
              assert(not ok and (message:find(": expected elements of i32, i64, f32 or f64, got u8", 1, true) or
                message:find(label .. ": expected " .. x.type, 1, true)), message)
            end
            if not size or known[size] then
              raises(("%s: expected %s[%d], got %s[%d]%s"):format(label, x.type, count, x.type, count + 1, signature), prim[name],
                with(buffer.new(x.type, count + 1)))
            end
            if size then known[size] = true end
            local closed = buffer.new(x.type, count)
            closed:close()
            raises(label .. ": expected a buffer", prim[name], with(closed))
            raises("] closed\n", prim[name], with(closed))
          end
        end
        local t = {}
        for k, v in pairs(good) do t[k] = v end
        t.nonsense = 1
        raises(name .. ": it has no argument 'nonsense'", prim[name], t)
        raises(name .. ": too many arguments", prim[name], good, buffer.new("u32", 1))
        raises(name .. ": a table of arguments has names as keys", prim[name], {buffer.new("u32", 1)})
      end)
    end
  end
  it("a graph's arrays, which nobody may write", function()
    local g = graph.from_edges {{0, 1, 5}, {1, 0, 6}}
    raises("fill: argument 1 (x) would be written, but it belongs to a graph\n  fill(x, value)", fill, g.to, 0)
    raises("copy: argument 2 (y) would be written, but it belongs to a graph", copy, g.w:copy(), g.w)
    equal(g.to:totable(), {1, 0})
  end)
  it("one buffer twice", function()
    local x = buffer.new("f32", 4)
    raises("copy: arguments x and y are the same buffer, and the call writes to it", copy, x, x)
    raises("scan: arguments x and y are the same buffer", scan, x, x)
  end)
  it("graphs and states in place of buffers", function()
    local g = graph.from_edges {{0, 1}, {1, 0}}
    raises("relax: the graph", relax, g, buffer.new("i32", 2), buffer.new("u32", 1))
    raises("has no weights", relax, g, buffer.new("i32", 2), buffer.new("u32", 1))
    raises("trim: argument 2 (mark: u32[n]) is missing", trim, g)
    raises("comp", count_components, g)
    raises("argument 1 (off: u32[n+1]) is missing; a graph among the arguments brings it", relax)
    local s = state.scc(g)
    equal(trim(s), 0)
    s:close()
    raises("closed", function() return s.mark end)
    local ok, message = pcall(trim, s)
    assert(not ok and message:find("trim", 1, true), message)
  end)
  it("an unknown operation", function()
    raises("reduce: argument 3 (op): op is 3, expected 0 (the sum), 1 (the minimum) or 2 (the maximum)", reduce, buffer.new("i32", 2), buffer.new("i32", 1), 3)
  end)
  it("run beside kernels if they are exchanges", function()
    raises("fill is not an exchange: only exchanges can run beside kernels", ranks.beside, fill, buffer.new("u32", 1), 0)
  end)
  it("max_iterations only of loops", function()
    raises("it has no argument 'max_iterations'", trim, state.scc(graph.from_edges {{0, 1}}), {max_iterations = 1})
  end)
end)

-- --- results ----------------------------------------------------------------------------------------

local function put(b, list)
  b[0] = #list
  for i, x in ipairs(list) do b[i] = x end
end

local function out_edges(g)
  local off, to, list = g.off:totable(), g.to:totable(), {}
  for v = 0, g.n - 1 do
    list[v] = {}
    for e = off[v + 1] + 1, off[v + 2] do list[v][#list[v] + 1] = to[e] end
  end
  return list
end

local function reversed(out)
  local list = {}
  for v = 0, #out do list[v] = {} end
  for v = 0, #out do for _, t in ipairs(out[v]) do table.insert(list[t], v) end end
  return list
end

-- A state with a few regions and random marks; some vertices are settled.
local function scattered(g, regions, seed)
  local s = state.scc(g)
  math.randomseed(seed)
  local mark = {}
  for v = 0, g.n - 1 do
    local r = math.random(0, regions)
    mark[v] = r == regions and SETTLED or r << 2 | math.random(0, 3)
    s.mark[v] = mark[v]
  end
  return s, mark
end

local function region(x) return x >> 2 end

local function closure(start, out, inside)
  local reached, stack, count = {}, {}, 0
  for _, v in ipairs(start) do reached[v] = true stack[#stack + 1] = v end
  while #stack > 0 do
    local v = table.remove(stack)
    for _, t in ipairs(out[v]) do
      if not reached[t] and inside(v, t) then
        reached[t], count = true, count + 1
        stack[#stack + 1] = t
      end
    end
  end
  return reached, count
end

local makes = {
  function() return gen.uniform {n = 60, m = 150, seed = 1} end,
  function() return gen.uniform {n = 700, m = 1100, seed = 2} end,
  function() return gen.grid {25, 31, one_way = 0.7, seed = 3} end,
  function() return gen.rmat {scale = 9, degree = 5, seed = 4} end,
  function() return graph.from_edges {n = 4, {0, 0}, {0, 1}, {0, 1}, {1, 0}, {3, 3}} end,
  function() return gen.copies(gen.ring {n = 4}, 6000) end, -- large enough for several threads
  function() return gen.uniform {n = 21000, m = 42000, seed = 5} end,
}

local function on_all(f)
  for i, make in ipairs(makes) do f(make(), i) end
end

for _, name in ipairs {"cpu", "cpu:1"} do
  describe("on " .. name .. ",", function()
    device(name)
    it("trim settles what lies on no cycle of its region", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 3, seed)
        local out = out_edges(g)
        local into, alive, total = reversed(out), true, 0
        local function has(list, v)
          for _, t in ipairs(list[v]) do if t ~= v and region(mark[t]) == region(mark[v]) and mark[t] ~= SETTLED then return true end end
        end
        while alive do
          alive = false
          for v = 0, g.n - 1 do
            if mark[v] ~= SETTLED and not (has(out, v) and has(into, v)) then mark[v], alive, total = SETTLED, true, total + 1 end
          end
        end
        local before = s.mark:copy()
        equal((fixpoint(trim, s)), total)
        for v = 0, g.n - 1 do
          equal(s.mark[v], mark[v])
          equal(s.comp[v], mark[v] == SETTLED and before[v] ~= SETTLED and v or NONE)
        end
        equal(trim(s), 0)
      end)
    end)
    it("trim_pair settles pairs", function()
      local s = state.scc(graph.from_edges {{0, 1}, {1, 0}, {1, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}, {4, 5}, {5, 4}, {5, 5}})
      equal(trim_pair(s), 2)
      equal(s.comp:totable(), {1, 1, NONE, NONE, NONE, NONE})
      equal(s.mark:totable(), {SETTLED, SETTLED, 0, 0, 0, 0})
      local g = gen.copies(gen.ring {n = 2}, 9001)
      s = state.scc(g)
      equal(trim_pair(s), g.n)
      equal(check {kind = "scc", graph = g, id = s.comp}, true)
      s = state.scc(g)
      for v = 0, g.n - 1 do s.mark[v] = v << 2 end -- every vertex in a region of its own
      equal(trim_pair(s), 0)
    end)
    it("chain_link finds the one live neighbour", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 2, seed)
        local out = out_edges(g)
        for backward = 0, 1 do
          local list = backward == 1 and out or reversed(out)
          chain_link(s, backward)
          local want, got = {}, s.link:totable()
          for v = 0, g.n - 1 do
            local only = v
            for _, u in ipairs(list[v]) do
              if u ~= v and u ~= only and mark[u] ~= SETTLED and region(mark[u]) == region(mark[v]) then
                only = only == v and u or NONE
                if only == NONE then break end
              end
            end
            want[v + 1] = mark[v] == SETTLED and NONE or only
          end
          equal(got, want)
        end
      end)
    end)
    it("trim_chains takes whole chains and no cycle", function()
      local s = state.scc(gen.path {n = 30000})
      equal(scc.trim_chains(s), 30000)
      equal(s.comp[0], 0)
      equal(s.comp[29999], 29999)
      s = state.scc(gen.ring {n = 30000})
      equal(scc.trim_chains(s), 0)
      s = state.scc(graph.from_edges {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 5}, {5, 6}})
      equal(scc.trim_chains(s), 4)
      equal(s.comp:totable(), {0, 1, NONE, NONE, NONE, 5, 6})
      on_all(function(g)
        local t = state.scc(g)
        scc.trim_chains(t)
        local id, count = reference.tarjan(g)
        local size = {}
        for v = 0, g.n - 1 do size[id[v]] = (size[id[v]] or 0) + 1 end
        for v = 0, g.n - 1 do
          if t.mark[v] == SETTLED then equal({t.comp[v], size[id[v]]}, {v, 1}) end
        end
        assert(count >= 1)
      end)
    end)
    it("pick_pivots elects the largest of every class, new_regions follows", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 2, seed)
        for v = 0, g.n - 1 do
          if mark[v] ~= SETTLED and mark[v] & 3 == 3 then mark[v] = mark[v] & ~1 s.mark[v] = mark[v] end
        end
        pick_pivots(s)
        local vote, live, pivots = {}, 0, {}
        for v = 0, g.n - 1 do
          if mark[v] ~= SETTLED then
            live = live + 1
            local cell = 3 * region(mark[v]) + (mark[v] & 3)
            vote[cell] = v
          end
        end
        for _, v in pairs(vote) do pivots[#pivots + 1] = v end
        table.sort(pivots)
        for i = 0, math.min(3 * g.n, 12) - 1 do equal(s.vote[i], vote[i] and vote[i] + 1 or 0) end
        put(s.front, {0}) -- as left by an earlier search
        equal({new_regions(s)}, {live, #pivots})
        equal(queue(s.front), pivots)
        for v = 0, g.n - 1 do
          if mark[v] ~= SETTLED then
            local p = vote[3 * region(mark[v]) + (mark[v] & 3)]
            equal(s.mark[v], p << 2 | (p == v and 3 or 0))
          else
            equal(s.mark[v], SETTLED)
          end
        end
      end)
    end)
    it("searches stay inside regions", function()
      on_all(function(g, seed)
        for way = 1, 4 do
          local s, mark = scattered(g, 3, seed)
          local bit = way == 2 and 2 or 1
          local start = {}
          for v = 0, g.n - 1 do
            if mark[v] ~= SETTLED then
              local first = v % 97 == 5
              mark[v] = mark[v] & ~3 | (first and 3 or 0)
              s.mark[v] = mark[v]
              if first then start[#start + 1] = v end
            end
          end
          put(s.front, start)
          put(s.back, start)
          local out = out_edges(g)
          local function inside(v, t) return mark[t] ~= SETTLED and region(mark[t]) == region(mark[v]) end
          local ahead, found = closure(start, out, inside)
          local behind, found_behind = closure(start, reversed(out), inside)
          local layers = 0
          if way == 1 then
            equal((reach_forward_fix(s)), found)
          elseif way == 2 then
            equal((reach_backward_fix(s)), found_behind)
          elseif way == 3 then
            equal((reach_both(s)), found + found_behind)
          else
            local total, grown = 0, 0
            repeat -- layer by layer: the queue must have exactly the vertices reached
              grown = reach_forward(s)
              equal(s.front_next[0], grown)
              prim.swap(s.front, s.front_next)
              total, layers = total + grown, layers + 1
            until grown == 0
            equal(total, found)
          end
          for v = 0, g.n - 1 do
            local want = mark[v]
            if want ~= SETTLED then
              if way ~= 2 and ahead[v] then want = want | 1 end
              if (way == 2 or way == 3) and behind[v] then want = want | 2 end
              assert(bit)
            end
            equal(s.mark[v], want)
          end
        end
      end)
    end)
    it("pull_backward finds who reaches a marked vertex", function()
      on_all(function(g, seed)
        for within = 0, 1 do
          local s, mark = scattered(g, 3, seed)
          local out, start = out_edges(g), {}
          for v = 0, g.n - 1 do
            if mark[v] ~= SETTLED then
              if v % 61 ~= 5 then mark[v] = mark[v] & ~2 end
              s.mark[v] = mark[v]
              if mark[v] & 2 == 2 then start[#start + 1] = v end
            end
          end
          local reached, count = closure(start, reversed(out), function(v, t)
            return mark[t] ~= SETTLED and region(mark[t]) == region(mark[v]) and (within == 0 or mark[t] & 1 == 1)
          end)
          equal((fixpoint(pull_backward, s, within)), count)
          for v = 0, g.n - 1 do equal(s.mark[v], reached[v] and mark[v] | 2 or mark[v]) end
        end
      end)
    end)
    it("reach_sweep searches both ways at once", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 3, seed)
        local out, ahead, behind = out_edges(g), {}, {}
        for v = 0, g.n - 1 do
          if mark[v] ~= SETTLED and mark[v] & 1 == 1 then ahead[#ahead + 1] = v end
          if mark[v] ~= SETTLED and mark[v] & 2 == 2 then behind[#behind + 1] = v end
        end
        local function inside(v, t) return mark[t] ~= SETTLED and region(mark[t]) == region(mark[v]) end
        local reached, found = closure(ahead, out, inside)
        local reaching, found_behind = closure(behind, reversed(out), inside)
        equal((fixpoint(reach_sweep, s)), found + found_behind)
        for v = 0, g.n - 1 do
          equal(s.mark[v], mark[v] == SETTLED and SETTLED or mark[v] | (reached[v] and 1 or 0) | (reaching[v] and 2 or 0))
        end
      end)
    end)
    it("split settles who is reached both ways", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 3, seed)
        local settled = 0
        for v = 0, g.n - 1 do if mark[v] ~= SETTLED and mark[v] & 3 == 3 then settled = settled + 1 end end
        equal(split(s), settled)
        for v = 0, g.n - 1 do
          local both = mark[v] ~= SETTLED and mark[v] & 3 == 3
          equal({s.mark[v], s.comp[v]}, {both and SETTLED or mark[v], both and region(mark[v]) or NONE})
        end
      end)
    end)
    it("the hub is a live vertex of most edges, where seed starts both searches", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 1, seed)
        pick_hub(s)
        best_hub(s)
        local most = -1
        for v = 0, g.n - 1 do if mark[v] ~= SETTLED then most = math.max(most, g:degree(v)) end end
        equal(s.hub[0] >> 32, most)
        seed = nil
        local grown = prim.seed(s)
        equal(grown, nil)
        local hub = queue(s.front)
        equal(#hub, 1)
        equal(queue(s.back), hub)
        equal(g:degree(hub[1]), most)
        for v = 0, g.n - 1 do
          equal(s.mark[v], mark[v] == SETTLED and SETTLED or hub[1] << 2 | (v == hub[1] and 3 or 0))
        end
      end)
    end)
    it("residual lists the edges inside regions and classes", function()
      on_all(function(g, seed)
        local s, mark = scattered(g, 2, seed)
        local want = {}
        for v, list in pairs(out_edges(g)) do
          for _, t in ipairs(list) do
            if t ~= v and mark[v] ~= SETTLED and mark[t] == mark[v] then want[#want + 1] = v << 32 | t end
          end
        end
        table.sort(want)
        equal(residual(s), #want)
        equal(queue(s.edges), want)
        equal(residual(s), #want) -- the queue is filled anew, not appended to
        equal(s.edges[0], #want)
      end)
    end)
    long("maxima flow to everything that reaches and is reached, and cut edges between components", function()
      on_all(function(g)
        local s = state.scc(g)
        residual(s)
        reset_max(s)
        -- the vertices have distinct identifiers, assigned in any way; they are ordered by their identifiers
        local id, order, vertex = s.max_in:totable(), {}, {}
        equal({s.max_in:diff(s.max_out)}, {0, {}})
        for v = 1, g.n do
          assert(not vertex[id[v]])
          vertex[id[v]], order[v] = v - 1, v - 1
        end
        table.sort(order, function(u, v) return id[u + 1] > id[v + 1] end)
        propagate_max_fix(s)
        local out = out_edges(g)
        if g.n <= 1000 then
          local into, want_in, want_out = reversed(out), {}, {}
          local function any() return true end
          for _, v in ipairs(order) do
            for t in pairs(closure({v}, out, any)) do want_in[t] = want_in[t] or id[v + 1] end
            for t in pairs(closure({v}, into, any)) do want_out[t] = want_out[t] or id[v + 1] end
          end
          for v = 0, g.n - 1 do equal({s.max_in[v], s.max_out[v]}, {want_in[v], want_out[v]}) end
        end
        equal(propagate_max(s), 0)
        local max_in, max_out = s.max_in:totable(), s.max_out:totable()
        local kept, live = {}, 0
        for _, item in ipairs(queue(s.edges)) do
          local u, v = (item >> 32) + 1, (item & NONE) + 1
          if max_in[u] ~= max_out[u] and max_in[u] == max_in[v] and max_out[u] == max_out[v] then kept[#kept + 1] = item end
        end
        equal(remove_edges(s), #kept)
        equal(queue(s.edges_next), kept)
        for v = 1, g.n do live = live + (max_in[v] ~= max_out[v] and 1 or 0) end
        equal(settle_max(s), live)
        for v = 1, g.n do
          local settled = max_in[v] == max_out[v]
          equal({s.mark[v - 1], s.comp[v - 1]}, {settled and SETTLED or 0, settled and vertex[max_in[v]] or NONE})
          if not settled then equal({s.max_in[v - 1], s.max_out[v - 1]}, {id[v], id[v]}) end
        end
      end)
    end)
    it("count_components counts representatives", function()
      local comp = buffer.new("u32", 20001)
      for v = 0, 20000 do comp[v] = v - v % 3 end
      equal(count_components(comp), 6667)
      equal(count_components(buffer.new("u32", 0)), 0)
      equal(count_components(buffer.new("u32", {0})), 1)
    end)
    it("relax improves until nothing does, and marks overflow", function()
      local g = graph.from_edges {n = 4, {0, 1, 5}, {1, 2, -2}, {0, 2, 4}, {3, 0, 1}, {2, 2, 7}}
      local s = state.sssp(g)
      s.dist[0] = 0
      assert(relax(s) >= 1)
      fixpoint(relax, s)
      equal(s.dist:totable(), {0, 5, 3, 0x7fffffff})
      equal({relax(s), s.overflow[0]}, {0, 0})
      for _, case in ipairs {{2147483640, 100, 1}, {2147483640, 6, 0}, {2147483640, 7, 1}, {-2147483640, -9, 1},
        {-2147483640, -8, 0}} do
        local h = graph.from_edges {{0, 1, case[1]}, {1, 2, case[2]}}
        s = state.sssp(h)
        s.dist[0] = 0
        fixpoint(relax, s)
        equal(s.overflow[0], case[3])
        if case[3] == 0 then equal(s.dist[2], case[1] + case[2]) end
      end
    end)
    it("relax agrees with a plain Bellman-Ford in four types", function()
      for _, kind in ipairs(W) do
        local g = gen.uniform {n = 9000, m = 30000, seed = 8, weights = kind, lo = 0, hi = 30}
        local s = state.sssp(g)
        s.dist[17] = 0
        relax_fix(s)
        local out, dist = {}, {[17] = 0}
        for v = 0, g.n - 1 do out[v] = {} for t, w in g:edges(v) do table.insert(out[v], {t, w}) end end
        local moved = {17}
        while #moved > 0 do
          local nexts, seen = {}, {}
          for _, v in ipairs(moved) do
            for _, e in ipairs(out[v]) do
              local d = dist[v] + e[2]
              if not dist[e[1]] or d < dist[e[1]] then
                dist[e[1]] = d
                if not seen[e[1]] then seen[e[1]] = true nexts[#nexts + 1] = e[1] end
              end
            end
          end
          moved = nexts
        end
        local far = ({i32 = 0x7fffffff, i64 = math.maxinteger})[kind] or math.huge
        for v = 0, g.n - 1 do assert(s.dist[v] == (dist[v] or far) or math.abs(s.dist[v] - dist[v]) <= 1e-4 * dist[v]) end
        s.parent[17] = 17
        put(s.front, {17})
        tight_tree(s)
        for v = 0, g.n - 1 do
          if v ~= 17 and dist[v] then
            local p, tight = s.parent[v], false
            assert(p < g.n, "no parent")
            for _, e in ipairs(out[p]) do tight = tight or e[1] == v and (s.dist[p] + e[2] == s.dist[v] or kind == "f32") end
            assert(tight, "not tight")
          elseif v ~= 17 then
            equal(s.parent[v], NONE)
          end
        end
      end
    end)
    it("widen keeps values", function()
      local x, y = buffer.new("i32", {-2147483648, -1, 0, 2147483647}), buffer.new("i64", 4)
      widen(x, y)
      equal(y:totable(), {-2147483648, -1, 0, 2147483647})
      widen_negated(x, y)
      equal(y:totable(), {2147483648, 1, 0, -2147483647})
    end)
    it("tiles close a matrix", function()
      for _, kind in ipairs(W) do
        for _, n in ipairs {1, 31, 32, 33, 97} do
          local D, plain, far = buffer.new(kind, n, n), {}, ({i32 = 0x7fffffff, i64 = math.maxinteger})[kind] or math.huge
          math.randomseed(n)
          for i = 0, n - 1 do
            plain[i] = {}
            for j = 0, n - 1 do
              plain[i][j] = i == j and 0 or math.random(4) == 1 and math.random(0, 99) or far
              D:set(i, j, plain[i][j])
            end
          end
          for k = 0, n - 1 do
            for i = 0, n - 1 do
              for j = 0, n - 1 do
                local a, b = plain[i][k], plain[k][j]
                if a ~= far and b ~= far and a + b < plain[i][j] then plain[i][j] = a + b end
              end
            end
          end
          local tiles, overflow = (n + 31) // 32, buffer.new("u32", 1)
          for k = 0, tiles - 1 do
            fw_pivot(D, overflow, k, tiles)
            if tiles > 1 then fw_cross(D, overflow, k, tiles) fw_rest(D, overflow, k, tiles) end
          end
          for i = 0, n - 1 do for j = 0, n - 1 do assert(D:get(i, j) == plain[i][j]) end end
          equal(overflow[0], 0)
        end
      end
      local D = buffer.new("i32", {0, 2000000000, 0x7fffffff, 0x7fffffff, 0, 2000000000, 0x7fffffff, 0x7fffffff, 0}, 3)
      local overflow = buffer.new("u32", 1)
      fw_pivot(D, overflow, 0, 1)
      equal(overflow[0], 1)
    end)
    it("scan, sort, reduce, fill and copy in every type", function()
      for _, kind in ipairs(ALL) do
        for _, n in ipairs {0, 1, 2, 1000, 30011} do
          if n < 1000 or due() then
            math.randomseed(n)
            local list = {}
            local real = kind:sub(1, 1) == "f"
            for i = 1, n do list[i] = kind:sub(1, 1) == "u" and math.random(0, 1) or math.random(-50, 50) end
            if kind == "u8" then for i = 201, n do list[i] = 0 end end
            if real then for i = 1, n do list[i] = list[i] + 0.0 end end
            local x, y = buffer.new(kind, list), buffer.new(kind, n)
            local sorts = not kind:find "16"
            if sorts then scan(x, y) end
            local sum = real and 0.0 or 0
            for i = 1, n do
              assert(not sorts or y[i - 1] == sum)
              sum = sum + list[i]
            end
            local total = buffer.new(kind, 1)
            reduce(x, total, 0)
            assert(total[0] == sum)
            if n > 0 then
              table.sort(list)
              reduce(x, total, 1)
              equal(total[0], list[1])
              reduce(x, total, 2)
              equal(total[0], list[n])
            end
            if sorts then radix_sort(x, y) else y = buffer.new(kind, list) end
            equal(y:totable(), list)
            copy(y, x)
            equal(x:totable(), list)
            fill(x, 7)
            equal(x:count(7), n)
          end
        end
      end
      raises("scan: expected elements of u8, u32, u64, i32, i64, f32 or f64, got i16", scan, buffer.new("i16", 3), buffer.new("i16", 3))
      for kind, ends in pairs {i16 = {-32768, 32767}, u16 = {0, 65535}} do
        local x = buffer.new(kind, 5)
        for _, end_of in ipairs(ends) do
          fill(x, end_of)
          equal(x:count(end_of), 5)
        end
        raises("argument 2 (value): " .. ends[2] + 1 .. " does not fit " .. kind, fill, x, ends[2] + 1)
      end
    end)
    it("transpose turns every edge round, in order", function()
      on_all(function(g)
        local roff, rto = buffer.new("u32", g.n + 1), buffer.new("u32", g.m)
        transpose(g.off, g.to, roff, rto)
        local into, at = reversed(out_edges(g)), 0
        for v = 0, g.n - 1 do
          equal(roff[v], at)
          for _, u in ipairs(into[v]) do
            assert(rto[at] == u)
            at = at + 1
          end
        end
        equal(roff[g.n], g.m)
      end)
    end)
    it("graphs without vertices or edges are done at once", function()
      for _, g in ipairs {graph.from_edges {n = 0}, graph.from_edges {n = 1}} do
        local s = state.scc(g)
        equal({trim(s), trim_pair(s)}, {g.n, 0})
        equal({reach_forward(s), pull_backward(s, 0), residual(s), propagate_max(s), remove_edges(s), settle_max(s)}, {0, 0, 0, 0, 0, 0})
        equal({new_regions(s)}, {0, 0})
        equal({reach_both(s)}, {0, 1})
        equal({reach_forward_fix(s)}, {0, 1})
      end
    end)
  end)
end
device("auto")

-- A VALUE of the row's element type is passed exactly or rejected.
describe("fill", function()
  it("keeps integers of 64 bits exact", function()
    local x = buffer.new("i64", 3)
    for _, value in ipairs {math.maxinteger, math.mininteger, (1 << 53) + 1, -(1 << 53) - 1, 1 << 62 | 1, 0} do
      fill(x, value)
      equal(x:totable(), {value, value, value})
      fill {x = x, value = value}
      equal(x[2], value)
    end
    local y = buffer.new("u64", 1)
    fill(y, math.maxinteger)
    equal(y[0], math.maxinteger)
    fill(x, 3.0)
    equal(x[0], 3)
  end)
  it("refuses what the type does not hold", function()
    for _, case in ipairs {{"u8", 256}, {"u8", -1}, {"u32", 1 << 32}, {"u32", -1}, {"u64", -1}, {"i32", 1 << 31}, {"i32", 0 / 0}, {"i64", 2^63},
      {"i64", math.huge}, {"f32", 1e300}} do
      raises(("fill: argument 2 (value): %s does not fit %s"):format(case[2] == 2^63 and "9.223372036854776e+18" or
        case[2] ~= case[2] and "nan" or case[2] == 1e300 and "1e+300" or tostring(case[2]), case[1]), fill, buffer.new(case[1], 2), case[2])
    end
    raises("0.5 is not an integer, which i64 needs", fill, buffer.new("i64", 2), 0.5)
    raises("expected a number, got string", fill, buffer.new("i64", 2), "1")
    local x = buffer.new("f64", 1)
    for _, value in ipairs {math.huge, -math.huge, 0.1, -0.0} do
      fill(x, value)
      equal(x[0], value)
    end
    fill(x, 0 / 0)
    assert(x[0] ~= x[0])
  end)
end)

it("a loop's bounds and beginnings are looked at", function()
  local s = state.scc(gen.ring {5})
  for _, most in ipairs {-1, 0.5, math.mininteger, 0 / 0, "3", true, {}} do
    raises("trim_fix: max_iterations is ", trim_fix, s, {max_iterations = most})
    raises("reach_giant: max_repeats is ", reach_giant, s, {within = 1, max_repeats = most})
  end
  for _, begun in ipairs {-1, 0.5, "yes", {}} do
    raises(", expected true, false or the number of completed iterations", reach_giant, s, {within = 1, begun = begun})
  end
end)

it("radix_sort has NaNs at the ends", function()
  for _, kind in ipairs {"f32", "f64"} do
    local values, sorted = {}, buffer.new(kind, 1000)
    for i = 1, 1000 do values[i] = i % 7 == 0 and 0 / 0 or i % 11 == 0 and -(0 / 0) or (i * 37 % 101) - 50.0 end
    radix_sort(buffer.new(kind, values), sorted)
    local first, last = 0, 999
    while sorted[first] ~= sorted[first] do first = first + 1 end
    while sorted[last] ~= sorted[last] do last = last - 1 end
    equal(first + 999 - last, 1000 // 7 + 1000 // 11 - 1000 // 77)
    for i = first + 1, last do assert(sorted[i - 1] <= sorted[i]) end
  end
end)
