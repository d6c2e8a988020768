-- A loop of very many iterations: each step of the first iterations has its own record; later, one record of a step has the sums over
-- many iterations.
local FIRST = 1 << 15 -- iterations with a record each

-- Searches a path of n vertices forward, `piece` layers per call; `between` is called between two calls. Returns the records.
local function search(n, piece, between)
  local g = gen.path {n = n}
  local s = state.scc(g)
  s.front[0], s.front[1], s.mark[0] = 1, 0, s.mark[0] | 1
  trace.reset()
  repeat
    local _, passes = reach_forward_fix(s, {max_iterations = piece})
    between()
  until passes < piece
  return trace.last(4 * n)
end

-- The sums of each field over all records of reach_forward.
local function sums(records)
  local all = {records = 0, turns = 0, items = 0, grown = 0, edges = 0, bytes = 0, gathers = 0, time = 0}
  for _, r in ipairs(records) do
    if r.kernel == "reach_forward" then
      all.records, all.turns = all.records + 1, all.turns + (r.turns or 1)
      all.grown = all.grown + r.counts.grown
      for _, name in ipairs {"items", "edges", "bytes", "gathers", "time"} do all[name] = all[name] + (r[name] or 0) end
    end
  end
  return all
end

describe("a long loop", function()
  it("adds up steps that take turns", function()
    local steps = FIRST + 1000
    local b = model.load(model.sample "lotka-volterra"):bytecode()
    trace.keep(4 * FIRST)
    trace.reset()
    local begun = trace.clock()
    b:run {start = 0, stop = steps * 1e-5, intervals = 1, dt = 1e-5, method = "euler", columns = {0}}
    local wall, of = trace.clock() - begun, {}
    for _, r in ipairs(trace.last(4 * FIRST)) do
      local sum = of[r.kernel] or {turns = 0, items = 0, time = 0, each = r.items}
      of[r.kernel] = sum
      sum.turns, sum.items, sum.time = sum.turns + (r.turns or 1), sum.items + r.items, sum.time + r.time
    end
    local long, time = 0, 0
    for _, sum in pairs(of) do
      time = time + sum.time
      if sum.turns >= steps then
        long = long + 1
        equal(sum.items, sum.turns * sum.each)
        assert(sum.turns <= steps + 1 and sum.time > 0.05 * wall * sum.turns / (2 * steps), sum.time)
      end
    end
    equal(long, 2)
    assert(time < wall and time > 0.1 * wall, ("%g of %g s"):format(time, wall))
  end)
  if device().processor ~= "cpu" then return end -- only on a CPU is an iteration exactly one layer
  local n = 3 * FIRST
  it("is traced in sums, which are right", function()
    trace.keep(4 * n)
    local function nothing() end
    local function another() copy_queue(state.scc(gen.path {n = 1})) end
    local long, short = sums(search(n, n + 1, nothing)), sums(search(n, 1000, another))
    equal({short.records, short.turns}, {n, n})
    equal(long.turns, n)
    equal(long.records < 2 * FIRST + 2000, true)
    equal(long.records >= FIRST, true)
    for _, name in ipairs {"items", "grown", "edges", "bytes", "gathers"} do equal({name, long[name]}, {name, short[name]}) end
    equal(long.time > 0, true)
  end)
  it("says how many turns a record has, here and in files", function()
    trace.keep(65536)
    local records = search(n, n + 1, function() end)
    local last = records[#records]
    equal(last.turns > 1, true)
    equal(last.line:match "reach_forward (%d+) turns", tostring(last.turns))
    equal(stats()[1].calls, n)
    local path = temporary ".csv"
    trace.save(path)
    local line
    for l in io.lines(path) do line = l end
    equal(line:find("," .. last.turns .. ",grown=", 1, true) ~= nil, true)
    os.remove(path)
  end)
  it("counts what each turn touches, whatever it counts", function()
    if not os.execute "cc --version > /dev/null 2>&1" then return end
    kernel [==[
#include "language/kernel.h"
PRIM(one_more, ONE_MORE_ARGS, UNTYPED, ELEMENT, "k", EXACT, "4*k + 8*odd", "3", "one_more(x, turn): one more in each.")
#define ONE_MORE_ARGS(A, W) A(INOUT, u32, x, "k") A(IN, u8, turn, "times") A(COUNT, u32, odd, "1")
ARGS(one_more, ONE_MORE_ARGS)
ELEMENT_BODY(one_more) {
  (void)push;
  count->odd += ++a->x[i] & 1;
}
LOOP(many_more, UNTYPED, "many_more(x, turn): as many more in each as turn has elements.")
  FOR(time, "times")
    STEP(one_more)
  END_FOR
END_LOOP(many_more)
]==]
    local x, bytes, gathers = buffer.new("u32", 5), 0, 0
    trace.reset()
    many_more(x, buffer.new("u8", n))
    for _, r in ipairs(trace.last(n)) do bytes, gathers = bytes + r.bytes, gathers + r.gathers end
    equal({x[4], bytes, gathers}, {n, n * 4.0 * 5 + 8 * 5 * n / 2, 3.0 * n})
  end)
  it("has single turns again when another row has run", function()
    local s = state.scc(gen.path {n = 3})
    copy_queue(s)
    trace.reset()
    s.front[0], s.front[1], s.mark[0] = 1, 0, s.mark[0] | 1
    reach_forward_fix(s)
    for _, r in ipairs(trace.last(10)) do equal(r.turns, nil) end
    equal(#trace.last(10), 3)
  end)
end)
