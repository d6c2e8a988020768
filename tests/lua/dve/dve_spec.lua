-- The DVE language: all details of its semantics, with models whose states can be counted by hand.

local same_spaces = dofile((arg[0]:match("^(.*)/[^/]*$") or ".") .. "/same_spaces.lua")

-- Returns f(m), where m is the model with the given text.
local function with(text, f)
  local out
  with_file(".dve", text, function(path) out = f(model.load(path)) end)
  return out
end
-- Asserts that dve.why gives a reason for each step to the error state, and for no other step.
local function have_reasons(m, r)
  for v = 0, r.states - 1 do
    local from, errors = r.space:packed(v), 0
    for _, s in ipairs(dve.steps(m, from)) do
      if dve.decode(m, s.state).error == true then errors = errors + 1 end
    end
    for k = 1, errors do equal(dve.why(m, from, k) ~= nil, true) end
    equal(dve.why(m, from, errors + 1), nil)
  end
end
-- Explores the model; asserts that the primitives of kernels/dve give the same state space as the search.
local function explored(text, options)
  return with(text, function(m)
    local good, r = pcall(explore.search, m, options)
    local others = {}
    for i, f in ipairs {explore.levels, explore.ranks} do others[i] = {pcall(f, m, options)} end
    if not good then error(r, 0) end
    for _, other in ipairs(others) do
      if not other[1] then error(other[2], 0) end
      if r.stopped ~= "memory" then same_spaces.compare(r, other[2]) end
    end
    if r.errors > 0 and r.states < 1000 then have_reasons(m, r) end
    return r
  end)
end
local function counts(text)
  local r = explored(text)
  return {r.states, r.transitions, r.deadlocks, r.levels, r.errors}
end

-- Explores one process with one transition, whose clauses are given.
local function step(variables, clauses)
  return explored(("%s process P { state before, after; init before; trans before -> after { %s }; } system async;"):format(variables, clauses))
end
local function value(expr, variables) return step("int r; " .. (variables or ""), "effect r = " .. expr .. ";"):state(1).r end

describe("expressions", function()
  it("bind as the language says", function()
    equal(value("true or true and false"), 0) -- equal precedence, left-associative
    equal(value("false and false or true"), 1)
    equal(value("1 | 2 & 4 ^ 1"), 1) -- parsed as ((1|2)&4)^1
    equal(value("1 + 2 * 3"), 7)
    equal(value("10 - 4 - 3"), 3)
    equal(value("2 << 1 + 1"), 8)
    equal(value("1 < 2 == 1"), 1)
    equal(value("1 == 1 | 2"), 3) -- == binds tighter than |
    equal(value("7 / 2 * 2"), 6)
    equal(value("-7 / 2"), -3)
    equal(value("-7 % 3"), -1)
    equal(value("not 0 == 1"), 1) -- parsed as (not 0) == 1
    equal(value("~5"), -6)
    equal(value("- - 3"), 3)
    equal(value("true imply false imply false"), 1) -- left-associative
    equal(value("2 and 4"), 1)
    equal(value("0 or 7"), 1)
    equal(value("5 imply 9"), 1)
    equal(value("1 && 0 || 1"), 1)
  end)
  it("are the same where a variable stands for a number", function()
    for _, e in ipairs {"x + 2 * y", "(x - y) - (y - x)", "x / y % 2", "x << y >> 1", "x & y | 8 ^ x", "x < y", "x <= y", "x > y",
        "x >= y", "x == y", "x != y", "~x + -y", "not x or not y", "x imply y", "a[y - 2] * a[x - 6]", "x - a[1]"} do
      local constants = e:gsub("%f[%w]x%f[%W]", "7"):gsub("%f[%w]y%f[%W]", "3")
      equal(value(e, "byte x = 7; byte y = 3; int a[2] = {4, -9};"), value(constants, "const int a[2] = {4, -9};"))
    end
  end)
  it("are computed in 32 bits, signed", function()
    equal(value("(2147483647 + 1) / 65536"), -32768)
    equal(value("(x * x * x) >> 20", "int x = 30000;"), (30000 ^ 3 // 1 | 0) << 32 >> 52 & 0xfff) -- wraps
    equal(value("(x - 2147483647 - 2) >> 16", "byte x;"), 32767)
    equal(value("(x - 2147483647 - 1) / y >> 16", "byte x; int y = -1;"), -32768)
  end)
  it("do not look at the second operand where the first decides", function()
    equal(value("0 and 1 / x", "byte x;"), 0)
    equal(value("1 or 1 / x", "byte x;"), 1)
    equal(value("0 imply 1 / x", "byte x;"), 1)
    equal(step("byte x, y;", "guard x != 0 and 5 / x == 1; effect y = 1;").states, 1)
  end)
  it("ask where processes are", function()
    local r = explored [[byte x; process P { state a, b; init a; trans a -> b { guard Q.d; effect x = P.b + 2 * Q.d + 4 * P.a; }; }
      process Q { state c, d; init c; trans c -> d {}; } system async;]]
    equal(r:state(2).x, 3) -- effects are evaluated after their process has changed its state
    equal(r.states, 3)
  end)
end)

describe("variables", function()
  it("begin with their initialisers, arrays with zeros behind", function()
    local s = explored [[const byte N = 3; byte a[4] = {N, N + 1}; int x = -N * 2, y; byte z = a[1];
      process P { int b[2] = {-1, 32767}; state q; init q; } system async;]]:state(0)
    equal({s.a, s.x, s.y, s.z, s.P.b}, {{3, 4, 0, 0}, -6, 0, 4, {-1, 32767}})
  end)
  it("take what fits them; else the step leads to the error state", function()
    equal(counts "byte x = 255; process P { state a; init a; trans a -> a { effect x = x + 1; }; } system async;", {2, 1, 0, 2, 1})
    equal(step("byte x;", "effect x = x - 1;").errors, 1)
    equal(step("byte x;", "effect x = 255;").errors, 0)
    equal(step("int x;", "effect x = 32767;").errors, 0)
    equal(step("int x;", "effect x = 32768;").errors, 1)
    equal(step("int x;", "effect x = -32768;").errors, 0)
    equal(step("int x;", "effect x = -32769;").errors, 1)
  end)
  it("are of the type's range in arrays too, however few bits the range of an element needs", function()
    for bits = 1, 15 do
      local top = (1 << bits) - 1
      local one, array = ("int q = %d, k;"):format(top), ("int q[2] = {%d, 0}, k;"):format(top)
      for _, beyond in ipairs {32768, 40000, 65535, 65536, -32769, -65536} do
        -- the sum overflows int, so it must not widen the variable's range
        equal(step(one, ("effect q = q + %d;"):format(beyond - top)).errors, 1)
        equal(step(array, ("effect q[k] = q[k] + %d;"):format(beyond - top)).errors, 1)
      end
      equal(step(array, "effect q[1] = q[0];"):state(1).q, {top, top})
      equal(step(("int q[2] = {%d, 0};"):format(-top - 1), "effect q[1] = q[0];"):state(1).q, {-top - 1, -top - 1})
    end
    for bits = 1, 8 do
      local array = ("byte q[2] = {%d, 0}, k;"):format((1 << bits) - 1)
      for _, beyond in ipairs {256, 257, 32768, 65536} do
        equal(step(array, ("effect q[k] = q[k] + %d;"):format(beyond - (1 << bits) + 1)).errors, 1)
      end
      equal(step(array, "effect q[1] = q[1] - 1;").errors, 1)
    end
    equal(counts [[process P { int q[2] = {20000, 20000}; state s, t; init s; trans s -> t { effect q[0] = q[0] + q[1]; }; }
      system async;]], {2, 1, 0, 2, 1})
  end)
  it("come out of channels as an int or a byte has them", function()
    for _, capacity in ipairs {0, 2} do
      local r = explored(([[channel {int, byte} c[%d]; int q[2]; byte b[2]; process P { state s, t; init s; trans s -> t { sync c!{40000, 300}; }; }
        process Q { state u, v; init u; trans u -> v { sync c?{q[1], b[1]}; }; } system async;]]):format(capacity))
      local last = r:state(r.states - 1)
      equal({last.q[2], last.b[2], r.errors}, {40000 - 65536, 300 - 256, 0})
    end
    equal(explored([[channel c; int q[2] = {300, 0}; process P { state s, t; init s; trans s -> t { sync c!40000; }; }
      process Q { state u, v; init u; trans u -> v { sync c?q[1]; }; } system async;]]).errors, 1)
  end)
  it("see the effects before them", function()
    equal(step("byte x, y;", "effect x = 3, y = x + 1, x = y * 2;"):state(1).x, 8)
  end)
  it("of arrays have an index that is in range; else the error state", function()
    equal(step("byte a[3], i = 2;", "effect a[i] = 5;"):state(1).a, {0, 0, 5})
    equal(step("byte a[3], i = 3;", "effect a[i] = 5;").errors, 1)
    equal(step("byte a[3]; int i = -1;", "effect a[i] = 5;").errors, 1)
    equal(step("byte a[3], x; int i = -1;", "effect x = a[i];").errors, 1)
    equal(step("byte a[3], i = 3;", "guard a[i] == 0;").errors, 1) -- a guard with an error counts as enabled
    equal(step("const int t[3] = {5, 6, 7}; int x; byte i = 2;", "effect x = t[i];"):state(1).x, 7)
    equal(step("const int t[3] = {5, 6, 7}; int x; byte i = 3;", "effect x = t[i];").errors, 1)
  end)
  it("of one name may be local and global", function()
    local r = explored [[byte x = 1; process P { byte x = 2; state a, b; init a; trans a -> b { effect x = 7; }; }
      process Q { state c; init c; trans c -> c { guard x == 1; }; } system async;]]
    equal({r:state(1).x, r:state(1).P.x, r.transitions}, {1, 7, 3})
  end)
end)

describe("the error state", function()
  it("is one, has no steps, and is no deadlock", function()
    local r = explored [[byte x = 255; process P { state a, b; init a; trans a -> b { effect x = 256; }, -> b { guard 1 / (x - 255); },
      -> a { effect x = 7 / (x - 255); }; } system async;]]
    equal({r.states, r.transitions, r.deadlocks, r.errors, r.error}, {2, 3, 0, 3, 1})
    equal(tostring(r:state(1)), "error")
    equal(r:state(1).error, true)
    equal(r.graph:label(1), "error")
    equal(r:check("error"), false)
    equal(r:trace("error").vertex, 1)
    equal(r:trace("x == 300"), nil)
  end)
end)

describe("asynchronous steps", function()
  it("are an edge each, also to the same state", function()
    local r = explored "byte x; process P { state a; init a; trans a -> a {}, a -> a { effect x = 0; }; } system async;"
    equal({r.states, r.transitions}, {1, 2})
    equal({r.graph:move(0, 0), r.graph:move(0, 0, 1), r.graph:move(0, 0, 2)}, {"P: a -> a", "P: a -> a #2"})
  end)
  it("repeat the last source where one is left out", function()
    equal(counts "process P { state a, b, c; init a; trans a -> b {}, -> c {}, b -> a {}, -> c {}; } system async;", {3, 4, 1, 2, 0})
  end)
  it("interleave processes, some without transitions", function()
    local p = "process %s { state a, b, c; init a; trans a -> b {}, b -> c {}; } "
    equal(counts(p:format "P" .. p:format "Q" .. "process R { state q; init q; } system async;"), {9, 12, 1, 5, 0})
  end)
end)

describe("rendezvous", function()
  it("is a step of each sender with each receiver of another process", function()
    equal(counts [[channel c; process P { state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; }; }
      process Q { state a, b; init a; trans a -> b { sync c!; }, -> b { sync c?; }, -> a { sync c?; }; } system async;]], {3, 3, 2, 2, 0})
  end)
  it("waits for a partner whose guard holds", function()
    equal(counts [[channel c; byte x; process P { state a, b; init a; trans a -> b { sync c!; }; }
      process Q { state a, b; init a; trans a -> b { guard x == 1; sync c?; }, a -> a { effect x = 1; }; } system async;]],
      {3, 3, 1, 3, 0})
  end)
  it("transmits, then runs the receiver's effects, then the sender's", function()
    local s = explored [[channel c; byte x = 1, y, z; process P { state a, b; init a; trans a -> b { sync c!x + 1; effect x = 9, z = y; }; }
      process Q { byte v; state a, b; init a; trans a -> b { sync c?v; effect y = v + x; }; } system async;]]:state(1)
    equal({s.Q.v, s.y, s.x, s.z}, {2, 3, 9, 3})
  end)
  it("transmits several values, the later computed after the earlier are stored", function()
    local s = explored [[channel c; byte g = 1, i, a[3]; process P { state p, q; init p; trans p -> q { sync c!{5, g, 7}; }; }
      process Q { byte y; state p, q; init p; trans p -> q { sync c?{g, y, a[i]}; }; } system async;]]:state(1)
    equal({s.g, s.Q.y, s.a}, {5, 5, {7, 0, 0}})
  end)
  it("receives into an element that the state before says", function()
    local s = explored [[channel c; byte i, a[3]; process P { state p, q; init p; trans p -> q { sync c!{2, 7}; }; }
      process Q { state p, q; init p; trans p -> q { sync c?{i, a[i]}; }; } system async;]]:state(1)
    equal({s.i, s.a}, {2, {7, 0, 0}})
  end)
  it("casts what a typed channel carries; an untyped one carries all, and it must fit", function()
    local text = [[channel %s; process P { state p, q; init p; trans p -> q { sync c!%s; }; }
      process Q { %s x; state p, q; init p; trans p -> q { sync c?x; }; } system async;]]
    equal(explored(text:format("{byte} c[0]", "300", "byte")):state(1).Q.x, 44)
    equal(explored(text:format("{byte} c[0]", "-1", "int")):state(1).Q.x, 255)
    equal(explored(text:format("{int} c[0]", "40000", "int")):state(1).Q.x, -25536)
    equal(explored(text:format("{int} c[0]", "40000", "byte")).errors, 1)
    equal(explored(text:format("c", "300", "byte")).errors, 1)
    equal(explored(text:format("c", "300", "int")):state(1).Q.x, 300)
  end)
  it("is an error where both sides assign to one global variable", function()
    local text = [[channel c; byte x, a[2]; process P { state p, q; init p; trans p -> q { sync c!1; effect %s; }; }
      process Q { byte v; state p, q; init p; trans p -> q { sync c?%s; effect %s; }; } system async;]]
    equal(explored(text:format("x = 1", "v", "x = 1")).errors, 1)
    equal(explored(text:format("a[0] = 1", "v", "a[1] = 1")).errors, 1) -- an array is one variable
    equal(explored(text:format("x = 1", "x", "v = 1")).errors, 1)
    equal(explored(text:format("x = 1", "v", "a[1] = 1")).errors, 0)
  end)
  it("fails where a guard of either side fails", function()
    equal(counts [[channel c; byte x; process P { state p, q; init p; trans p -> q { sync c!; }; }
      process Q { state p, q; init p; trans p -> q { guard 1 / x; sync c?; }; } system async;]], {2, 1, 0, 2, 1})
  end)
end)

describe("buffers", function()
  it("are queues: a sender needs room, a receiver a value, and freed places are zero", function()
    -- three values go through a channel of two slots: states are (sent, received) with received <= sent <= received + 2
    local r = explored [[channel {byte} c[2]; process P { byte n = 1; state p, q; init p; trans p -> p { guard n <= 3; sync c!n; effect n = n + 1; }; }
      process Q { byte v; state p; init p; trans p -> p { sync c?v; }; } system async;]]
    equal({r.states, r.transitions, r.deadlocks, r.levels}, {9, 10, 1, 7})
    equal(tostring(r:state(1)), "c=[2], P.p n=2, Q.p v=0") -- effects are executed before the value is computed
    equal(r:trace("Q->v == 4").vertex, 8)
  end)
  it("take the value after the effects of who receives", function()
    local s = explored [[channel {byte, int} c[1]; process P { state p, q; init p; trans p -> q { sync c!{300, -5}; }; }
      process Q { byte v; int w; state p, q; init p; trans p -> q { sync c?{v, w}; effect v = 9, w = 9; }; } system async;]]
    equal({s:state(1).c, s:state(2).c, s:state(2).Q.v, s:state(2).Q.w}, {{{44, -5}}, {}, 44, -5})
  end)
  it("may be full and empty at once of no use", function()
    equal(counts "channel {byte} c[1]; process P { state p; init p; trans p -> p { sync c!; }, -> p { sync c?; }; } system async;", {2, 2, 0, 2, 0})
  end)
  it("keep what is received out of range from being stored", function()
    equal(explored [[channel {int} c[1]; byte v; process P { state p, q, r; init p; trans p -> q { sync c!-1; }, q -> r { sync c?v; }; } system async;]].errors, 1)
  end)
end)

describe("committed states", function()
  local p = "process P { state a, b; init a; %s trans a -> b { %s }; } "
  it("go first", function()
    equal(counts(p:format("commit a;", "") .. p:format("", ""):gsub("P", "Q") .. "system async;"), {3, 2, 1, 3, 0})
  end)
  it("need a partner that is committed too", function()
    local text = "channel c; " .. p:format("commit a;", "sync c!;") .. "process Q { state a, b; init a; %s trans a -> b { sync c?; }; } system async;"
    equal(counts(text:format ""), {1, 0, 1, 1, 0}) -- no transition can fire: a deadlock
    equal(counts(text:format "commit a;"), {2, 1, 1, 2, 0})
  end)
  it("of several processes interleave", function()
    equal(counts(p:format("commit a;", "") .. p:format("commit a;", ""):gsub("P", "Q") .. p:format("", ""):gsub("P", "R") .. "system async;"),
      {5, 5, 1, 4, 0})
  end)
end)

describe("synchronous systems", function()
  local p = "process %s { byte n; state a, b; init a; trans a -> b { %s }, a -> a { %s }, b -> a {}; } "
  it("take a step in every process", function()
    equal(counts(p:format("P", "", "") .. p:format("Q", "", "") .. "system sync;"), {4, 9, 0, 2, 0})
  end)
  it("are in a deadlock where one process has no step", function()
    equal(counts(p:format("P", "", "") .. "process Q { state a, b; init a; trans a -> b {}; } system sync;"), {3, 2, 2, 2, 0})
  end)
  it("let every process see the state before", function()
    local s = explored [[byte x = 1, y = 2; process P { state a; init a; trans a -> a { effect x = y; }; }
      process Q { state a; init a; trans a -> a { effect y = x; }; } system sync;]]
    equal({s.states, s:state(1).x, s:state(1).y}, {2, 2, 1})
  end)
  it("ignore synchronisation over rendezvous, and leave buffered transitions out", function()
    local r = explored [[channel c; channel {byte} d[1]; process P { state a, b; init a; trans a -> b { sync c!3; }, a -> a { sync d!1; }; }
      process Q { byte v; state a, b; init a; trans a -> b { sync c?v; effect v = 1; }; } system sync;]]
    equal({r.states, r.transitions, r:state(1).Q.v}, {2, 1, 1})
  end)
  it("are in error where two processes assign to one global variable", function()
    equal(counts [[byte x; process P { state a; init a; trans a -> a { effect x = 1; }; }
      process Q { state a; init a; trans a -> a { effect x = 1; }, a -> a {}; } system sync;]], {3, 4, 0, 2, 2})
  end)
end)

describe("properties", function()
  local system = "byte x; process P { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }; } "
  it("step with the system, their guards in the state before; at a deadlock they move alone", function()
    local r = explored(system .. [[process N { state q, r; init q; accept r; trans q -> q {}, q -> r { guard x == 1; }, r -> r {}; }
      system async property N;]])
    -- x is 0, 1, 2 and stays 2; N goes to r in the second step, or stays in q
    equal({r.states, r.transitions, r.deadlocks}, {4, 5, 0})
    local run = r:accepting()
    equal(tostring(r:state(run.vertex)), "x=2, P.a, N.r")
    equal(#run.cycle, 1)
    equal(r:check("property"), false)
  end)
  it("without a transition end the run", function()
    local r = explored(system .. "process N { state q; init q; trans q -> q { guard x == 0; }; } system async property N;")
    equal({r.states, r.transitions, r.deadlocks}, {2, 1, 1})
    equal(r:accepting(), nil)
    equal(r:check("property"), true)
  end)
  it("may look at the variables of processes, and cost nothing", function()
    local r = explored [[process P { byte n; state a; init a; trans a -> a { guard n < 3; effect n = n + 1; cost 4; time 6; }; }
      process N { state q, r; init q; accept buchi r; trans q -> q { cost 9; time 9; }, q -> r { guard P->n == 2; }; } system async property N;]]
    equal(r.graph.w[0], 4)
    equal(r.graph.t[0], 6)
    equal(r:trace("N.r").vertex ~= nil, true)
    equal(r:accepting(), nil)
  end)
  it("are ordinary processes where the system names none", function()
    equal(explored(system .. "process N { state q; init q; accept q; trans q -> q {}; } system async;").transitions, 5)
  end)
  it("go with synchronous systems too", function()
    local r = explored(system .. "process N { byte k; state q; init q; trans q -> q { guard x == k; effect k = k + 1; }; } system sync property N;")
    equal({r.states, r.transitions}, {4, 3}) -- in the third step only the property process moves; then its guard is false
  end)
end)

describe("assertions", function()
  it("are counted in the text of the space, which JSON has too", function()
    local r = explore(model.load(model.sample "philosophers.dve"))
    equal(tostring(r.space), ("state space of %d states"):format(r.states))
  end)
  it("do not change the state space, and are reported", function()
    local text = "byte x; process P { state a, b; init a; assert a: x < 3, b: true; trans a -> a { guard x < %d; effect x = x + 1; }, a -> b {}; } system async;"
    local good, bad = explored(text:format(2)), explored(text:format(4))
    equal({good.states, bad.states}, {6, 10})
    equal(good:check("assert"), true)
    local ok, why = bad:check("assert")
    equal(ok, false)
    equal(#why, 3)
    equal(tostring(why):find("P.a: x < 3", 1, true) ~= nil, true)
  end)
end)

describe("costs and times", function()
  it("are an edge's weight and time; a rendezvous adds the costs and takes the longer time", function()
    local g = explored [[channel c; process P { byte n = 2; state a, b; init a; trans a -> b { sync c!; cost n * 3; time 5; }, b -> a { effect n = 2; cost -4; }; }
      process Q { state a, b; init a; trans a -> b { sync c?; time 7; cost 10; }, b -> a {}; } system async;]].graph
    equal(g.w:totable(), {16, -4, 0, 0, -4})
    equal(g.t:totable(), {7, 1, 1, 1, 1})
    local none = explored("process P { state a; init a; trans a -> a {}; } system async;").graph
    equal({none.weights, none.times}, {})
  end)
  it("are computed in the state before the step, and may fail", function()
    local r = explored "byte x = 3; process P { state a, b; init a; trans a -> b { effect x = 0; cost x; }, b -> a { cost 1 / x; }; } system async;"
    equal({r.graph.w[0], r.errors}, {3, 1})
  end)
  it("stop the search where they can't be, with the place", function()
    raises(".dve:1:51: a time of -1 is less than 0, in the state x=0", explored,
      "int x; process P { state a, b; init a;      trans a -> b { time x - 1; }; } system async;")
    raises("a cost of 4000000000 does not fit 32 bits", explored, [[channel c; process P { state a, b; init a; trans a -> b { sync c!; cost 2000000000; }; }
      process Q { state a, b; init a; trans a -> b { sync c?; cost 2000000000; }; } system async;]])
  end)
  it("give cycle means and ratios, and the cycle as actions with the states that it passes", function()
    local r = explored [[process P { state idle, busy; init idle; trans idle -> busy { cost 3; time 2; }, idle -> busy { cost 8; time 4; },
      busy -> idle { cost 1; }; } system async;]]
    local o = ocm(r.graph, {max = true})
    equal({o.p, o.q}, {9, 2})
    equal(check(o), true)
    local list = r:actions(o)
    equal({list[1].state, list[1].action, list[1].cost, list[2].action}, {"P.idle", "P: idle -> busy #2", 8, "P: busy -> idle"})
    equal(r:actions(o.cycle)[2].cost, 1)
    equal(o:actions(), {"P: idle -> busy #2", "P: busy -> idle"})
    local q = ocr(r.graph, {max = true})
    equal({q.p, q.q}, {9, 5})
  end)
  it("of no time at all on a cycle give no ratio", function()
    raises("time", ocr, explored("process P { state a; init a; trans a -> a { cost 1; time 0; }; } system async;").graph)
  end)
end)

describe("exploring", function()
  local counter = "byte a, b, c; process P { state q; init q; trans q -> q { effect a = (a + 1) % 20; }, -> q { effect b = (b + 1) % 20; }, -> q { effect c = (c + 1) % 20; }; } system async;"
  it("keeps its states and steps in a file", function()
    local r = explored [[channel c; byte x; process P { state idle, busy; init idle; trans idle -> busy { sync c!; cost 3; time 2; },
      idle -> busy { sync c!; cost 8; time 4; }, busy -> idle { effect x = (x + 1) % 5; cost 1; }; }
      process Q { state a; init a; trans a -> a { sync c?; }; } system async;]]
    local part, path = r.graph:subgraph{0, 2, 1}, temporary(".lsg")
    for _, g in ipairs {r.graph, r.graph:reverse(), part} do
      g:save(path)
      local back = graph.load(path)
      for v = 0, g.n - 1 do
        equal(back:label(v), g:label(v))
        for e = g.off[v], g.off[v + 1] - 1 do
          for which = 0, 2 do equal(back:move(v, g.to[e], which), g:move(v, g.to[e], which)) end
          equal(g:move(v, g.to[e]) ~= nil, true)
        end
      end
    end
    os.remove(path)
  end)
  it("goes through levels of thousands of states", function() -- tests with other numbers of threads: tests/c/test_dve.c
    local text = {"byte a, b, c, d, e, f; process P { state q; init q; trans "}
    for i, x in ipairs {"a", "b", "c", "d", "e", "f"} do
      text[#text + 1] = ("%s q -> q { effect %s = (%s + 1) %% 7; }"):format(i > 1 and "," or "", x, x)
    end
    local r = explored(table.concat(text) .. "; } system async;")
    equal({r.states, r.transitions, r.levels, r.words}, {7 ^ 6 | 0, 6 * 7 ^ 6 | 0, 37, 1})
    equal(scc(r.graph).count, 1)
  end)
  it("stops at its bound with whole states, and says what waits", function()
    local all = explored(counter)
    for _, bound in ipairs {1, 2, 3, 4, 5, 100, 5000} do
      local r = explored(counter, {bound = bound})
      equal(r.complete, false)
      equal(r.states <= bound and r.states > bound - 3, true)
      equal(r.stopped, "states")
      equal(r.frontier > 0, true)
      local edges = 0
      for v = 0, r.states - 1 do
        if v >= r.states - r.frontier then equal(r.graph:degree(v), 0) end
        edges = edges + r.graph:degree(v)
        if v % 1000 == 0 then equal(r.graph:label(v), all.graph:label(v)) end
      end
      equal(edges, r.transitions)
      equal(tostring(r):find("stopped at the bound of " .. bound, 1, true) ~= nil, true)
      equal(r.deadlocks, 0)
    end
    equal(explored(counter, {bound = 8000}).complete, true)
  end)
  it("that stopped answers yes, no or not known", function()
    local text = [[byte x; process P { state s, dead; init s; assert s: x < 180; trans s -> s { guard x < 200; effect x = x + 1; },
      s -> dead { guard x == 150; }; } process never { state a, b; accept b; init a; trans a -> a {}, a -> b { guard x == 170; }, b -> b {}; }
      system async property never;]]
    local all, part, more = explored(text), explored(text, {bound = 100}), explored(text, {bound = 215})
    local unknown = {nil, ("not known: %s not expanded"):format(part.frontier == 1 and "1 state is" or part.frontier .. " states are")}
    for what, holds in pairs {deadlock = true, error = true, assert = false, property = false} do
      equal({part:check(what)}, unknown)
      equal((all:check(what)), holds)
    end
    equal({part:trace("x == 150")}, unknown)
    equal({part:accepting()}, unknown)
    equal({part:trace("deadlock")}, unknown)
    equal(#part:trace("x == 50"), 50) -- a path to a state that was found is definite
    equal({more.complete, (more:check("assert"))}, {false, false}) -- a violated assertion is definite, too
    equal({all:trace("x == 250")}, {nil})
    equal(all.graph.unexpanded, 0)
    equal(tostring(all.graph):find("not expanded", 1, true), nil)
    equal(tostring(part):find("deadlocks so far", 1, true) ~= nil, true)
  end)
  it("that stopped is what each result over its graph says", function()
    local small = counter:gsub("20", "4")
    local r, all = explored(small, {bound = 40}), explored(small)
    local says = ("%d states of the space are not expanded"):format(r.frontier)
    local file = os.tmpname()
    os.remove(file)
    file = file .. ".lsg"
    r.graph:save(file)
    local graphs = {r.graph, r.graph:reverse(), r.graph:permute(1), r.graph:subgraph {0, 1, 2}, graph.load(file)}
    os.remove(file)
    for i, g in ipairs(graphs) do
      equal(g.unexpanded, r.frontier)
      equal(tostring(g):find(("%d states are not expanded"):format(r.frontier), 1, true) ~= nil, true)
      for name, f in pairs {ocm = ocm, scc = scc, components = components, bfs = function(x) return bfs(x, 0) end, sssp = function(x) return sssp(x, 0) end,
          fw = fw, pagerank = pagerank, triangles = triangles, howard = reference.howard, johnson = johnson} do
        local found = f(g)
        equal(tostring(found):find(says, 1, true) ~= nil, true)
        equal(found.unexpanded, r.frontier)
        local meta = getmetatable(found)
        if meta.__record then equal(meta.__record(found).unexpanded, r.frontier) end
        local whole = i == 1 and f(all.graph)
        equal(whole and whole.unexpanded or nil, nil)
        equal(tostring(whole):find("not expanded", 1, true), nil)
        equal(check(found), true)
        local proved = debug.getregistry()["lockstep.proved"]
        equal(proved == nil or proved:find(says, 1, true) ~= nil, true)
      end
    end
    debug.getregistry()["lockstep.proved"] = nil
    equal(getmetatable(r).__record(r).unexpanded, r.frontier)
    equal(getmetatable(r).__record(r).space, nil)
  end)
  it("counts no deadlock beyond its bound", function()
    local r = explored([[byte x; process P { state a, b, c; init a; trans a -> b { effect x = 1; }, a -> b { effect x = 2; }, a -> b { effect x = 3; },
      b -> c { guard x == 2; effect x = 4; }, b -> c { guard x == 2; effect x = 5; }; } system async;]], {bound = 5})
    equal({r.states, r.expanded, r.deadlocks, r.deadlocked:totable()}, {4, 2, 1, {1}})
  end)
  it("stops at its memory, and nothing is lost", function()
    local r = explored(counter, {memory = "300 KiB"})
    equal({r.complete, r.stopped}, {false, "memory"})
    equal(r.states > 1000 and r.states < 8000, true)
    equal(scc(r.graph).count > 0, true)
  end)
  it("keeps states alone where no edges are wanted", function()
    local r = explored(counter, {edges = false})
    equal({r.states, r.transitions, r.graph}, {8000, 24000})
    equal(#r:trace("a == 3 and c == 2"), 5)
    raises("there is no graph", r.accepting, r)
  end)
  it("refuses what it does not know", function()
    raises("unknown option 'bonud' (did you mean bound?)", explored, counter, {bonud = 3})
    raises("bound is -1, expected a number of states from 0 on", explored, counter, {bound = -1})
    equal({dve.parts, dve.space, explored(counter, {bound = 9}).space.fill}, {}) -- internal functions that do not check their arguments must not be public
    for _, memory in ipairs {"much", "0 KiB", "20000000000 GiB", "8589934592 GiB", "99999999999999999999 GiB", "1 XiB", 0, -1} do
      raises(", expected a number of bytes or a text such as", explored, counter, {memory = memory})
    end
    raises("expected a model of processes", explore, {})
    for _, f in ipairs {explore, explore.search, explore.levels} do
      local function wrong(...) return select(2, pcall(function(...) f(...) return 1 end, ...)) end
      for _, why in ipairs {wrong(5), wrong(model.load(model.sample "elevator"), {bonud = 3})} do
        equal(why:match("dve_spec.lua:%d+: explore") ~= nil, true) -- the line of the call
      end
    end
    local r = explored "byte turn; process P { state a; init a; } system async;"
    raises("the variable 'trun' is not declared (did you mean turn?)", r.trace, r, "trun == 1")
    raises("the state 'b' is not declared", r.trace, r, "P.b")
    raises("the process 'Q' is not declared", r.trace, r, "Q.b")
    raises("expected an expression", r.trace, r, "turn ==")
    raises("is not below the number of states", r.state, r, 5)
    raises("expected a graph", scc, r)
  end)
  it("is held against the model by check", function()
    for _, options in ipairs {{}, {edges = false}, {bound = 5000}, {bound = 1}} do
      local r = explored(counter, options)
      equal(check(r), true)
      local states = r.states
      r.states = 3
      raises("r.states: expected " .. states .. ", got 3", check, r)
    end
    local r, other = explored(counter), explored(counter)
    local own = r.graph
    r.graph = other.graph
    raises("expected this state space's own graph", check, r)
    for _, g in ipairs {own:permute(3), own:reverse(), own:subgraph {0}} do
      r.graph = g
      raises("expected this state space's own graph", check, r)
    end
    r.space = nil
    raises("r.space: expected a state space, got nil", check, r)
  end)
  it("does not take bits for a state that can be none", function()
    with("byte x; process P { state a, b, c; init a; trans a -> b {}; } system async;", function(m)
      raises("this is not a state of the model", dve.steps, m, "xx")
      raises("this is not a state of the model", dve.text, m, dve.initial(m):gsub(".", "\127"))
      equal(dve.text(m, dve.initial(m):gsub(".", "\255")), "error")
    end)
  end)
  it("finds shortest runs", function()
    local r = explored(counter)
    local t = r:trace("a == 2 and b == 1")
    equal(#t, 3)
    equal(t[3].to, t.vertex)
    equal(r:trace("a == 20"), nil)
    equal(r:trace("1 / (a - 19) == 1"), nil) -- an expression with an error is not true
    equal(#r:trace(0), 0)
  end)
end)

describe("a process as a graph", function()
  local text = [[channel c; channel {byte} d[2]; byte x; const byte N = 4;
    process P { byte v[2]; state idle, busy, done; init busy; commit done; trans
      busy -> idle { guard x > 0 /* some
        words */ and v[0] == 1; sync c!x + 1; effect x = x - 1, v[x] = 2; cost N + 1; time 8; },
      -> busy { sync d?v[1]; cost -3; }, -> done {}, -> idle { effect x = 0; }, idle -> busy { guard not Q.s; sync d!{7}; }; }
    process Q { byte w; state s, t; init s; trans s -> t { sync c?w; cost w; }, t -> s {}; }
    process N1 { state only; init only; }
    system async;]]
  local function automaton(name) return with(text, function(m) return m:automaton(name) end) end
  it("has its states as vertices and its transitions as edges, in the order of the text", function()
    local a = automaton "P"
    equal({a.n, a.off:totable(), a.to:totable()}, {3, {0, 1, 5, 5}, {1, 0, 1, 2, 0}})
    equal({a:label(0), a:label(1), a:label(2)}, {"idle", "busy", "done"})
    equal(a:move(1, 0), "if x > 0 /* some words */ and v[0] == 1  c!x + 1  x = x - 1  v[x] = 2  cost N + 1  time 8")
    equal({a:move(1, 0, 1), a:move(1, 0, 2) == nil, a:move(1, 1), a:move(1, 2), a:move(0, 1), a:move(2, 0) == nil},
      {"x = 0", true, "d?v[1]  cost -3", "always", "if not Q.s  d!7", true})
    equal(tostring(a):find(": P", 1, true) ~= nil, true)
    local one = automaton "N1"
    equal({one.n, one.m, one:label(0)}, {1, 0, "only"})
  end)
  it("has costs and times where all of them are constants", function()
    local a, q = automaton "P", automaton "Q"
    equal({a.w:totable(), a.t:totable()}, {{0, 5, -3, 0, 0}, {1, 8, 1, 1, 1}})
    equal({q.weights, q.times, q.m}, {nil, nil, 2})
    local o = ocm(a, {max = true})
    equal({o.p, o.q, o:actions()}, {5, 2, {"if not Q.s  d!7", a:move(1, 0)}})
  end)
  it("gives its edges with their times, weights or none", function()
    local a, list = with("process P { state a, b; init a; trans a -> b { time 7; }, b -> a {}; } system async;", function(m) return m:automaton "P" end), {}
    for to, w, t in a:edges(0) do list[#list + 1] = {to, w, t} end
    equal({list, a.weights, a.times}, {{{1, 1, 7}}, nil, "i32"})
  end)
  it("is a graph as any other", function()
    local a, path = automaton "P", temporary(".lsg")
    equal({scc(a).count, scc(a).sizes:max()}, {2, 2})
    for _, g in ipairs {a, a:reverse(), a:subgraph {1, 0}} do
      g:save(path)
      local back = graph.load(path)
      for v = 0, g.n - 1 do
        equal(back:label(v), g:label(v))
        for to in g:edges(v) do
          for which = 0, 2 do equal(back:move(v, to, which), g:move(v, to, which)) end
        end
      end
    end
    equal(a:subgraph {1, 0}:label(0), "busy")
    equal(a:reverse():move(2, 1), "always")
    os.remove(path)
  end)
  it("needs a process of the model", function()
    raises("the model has no process 'R1' (did you mean N1?)", automaton, "R1")
    raises("the model has no process 'somebody'", automaton, "somebody")
    raises("'c' is a channel, expected a process", automaton, "c")
    raises("'x' is a variable, expected a process", automaton, "x")
    raises("expected the name of a process, got nil", automaton)
  end)
  it("is what the model's text tells of", function()
    local said
    local say = session.say
    session.say = function(s) said = s end
    local line, name
    with(text, function(m) m:show() line, name = tostring(m), m:name():match "[^/]*$" end)
    session.say = say
    equal(said:find('m:automaton "P" makes a graph', 1, true) ~= nil, true)
    equal(said:find("\n    -> done\n", 1, true) ~= nil, true) -- a transition without clauses has no trailing blanks
    equal(line, "model " .. said:match "[^\n]*") -- the summary line is the first line of the whole text
    equal(said:sub(1, #name + 1), name .. ":")
    equal(said:find("\n    -> idle  x = 0\n", 1, true) ~= nil, true)
  end)
end)

describe("a walk by hand", function()
  it("takes steps and takes them back", function()
    local w = with("byte x; process P { state a; init a; trans a -> a { effect x = x + 1; cost 2; }, -> a { guard x > 0; effect x = 0; time 5; }; } system async;",
      function(m) return m:simulate() end)
    equal(#w:enabled(), 1)
    w:take(1, 1, 2)
    equal({w:state().x, w.cost, w.time}, {0, 4, 7})
    w:undo()
    equal({w:state().x, #w:enabled(), w:enabled()[2].change}, {2, 2, "x=0"})
    w:undo(2)
    raises("this is the initial state", w.undo, w)
    raises("expected a step from 1 to 1, got 2", w.take, w, 2)
    equal(tostring(w):find("P: a -> a", 1, true) ~= nil, true)
    equal(tostring(w):find("w:take(1) takes a step", 1, true) ~= nil, true) -- before the first step
    equal(tostring(w:take(1)):find("w:take(1) takes a step", 1, true), nil)
  end)
end)

describe("a model", function()
  it("is named in what is printed by its file, without the folder", function()
    local m = model.load(model.sample "queue")
    local r = explore(m)
    equal({r.name, tostring(m):match "^model [^:]*", tostring(r):match "^[^:]*", tostring(r.graph):match "^graph [^:]*", dve.describe(m):match "^[^:]*"},
      {"queue.dve", "model queue.dve", "queue.dve", "graph queue.dve", "queue.dve"})
    equal(m:name(), model.sample "queue")
  end)
end)

describe("macros", function()
  if os.execute("command -v m4 >/dev/null") then
    it("are m4's, with parameters", function()
      with_file(".mdve", "define(`forloop',`ifelse(eval($2<=$3),1,`pushdef(`$1',$2)$4`'popdef(`$1')forloop(`$1',incr($2),$3,`$4')')')dnl\n" ..
        "forloop(`i',1,N,`process P_`'i { state a, b; init a; trans a -> b {}, b -> a {}; }\n')system async;\n", function(path)
        equal(explore(model.load(path, {N = 3})).states, 8)
        equal(explore(model.load(path, {N = "4"})).states, 16)
        raises("a macro's name", model.load, path, {["N N"] = 3})
        raises(path .. " has no macro M", model.load, path, {N = 3, M = 4})
      end)
      raises("has no macro TYPSTS (did you mean TYPISTS?); there are TYPISTS, REVIEWERS, PUBLISHERS", model.load, model.sample "server",
        {TYPSTS = 3})
    end)
    it("run no commands, and messages name the line of the .mdve file", function()
      local out = temporary(".txt")
      with_file(".mdve", ("syscmd(`touch %s')builtin(`syscmd', `touch %s')\nbyte x;\nproces P {}\n"):format(out, out), function(path)
        raises(path .. ":1:1: expected a variable, channel, process or system", model.load, path)
      end)
      equal(io.open(out), nil)
      with_file(".mdve", "define(`A',`byte\nx;')A\nbyte y;\nproces P {}\n", function(path)
        raises(path .. ":4:1: expected", model.load, path)
      end)
    end)
  else
    print("macros: skipped: m4 is not installed")
  end
  it("are a .mdve file's alone", function()
    with_file(".dve", "process P { state a; init a; } system async;", function(path)
      raises("only a .mdve file takes parameters", model.load, path, {N = 3})
    end)
  end)
end)
