-- Compiled models have the same state spaces as interpreted ones, whether the search or the primitives of kernels/dve explore them.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local same_spaces = dofile(here .. "/same_spaces.lua")
local folder = os.getenv("LOCKSTEP_DVE") or here .. "/../../../shared/data/dve"

if os.execute("${CC:-cc} --version >/dev/null 2>&1") ~= true then
  print("dve_compiled: skipped: there is no C compiler")
  it("is skipped", function() end)
  return
end

local function is_same(m, options, alone)
  options = options or {}
  local function by(f, compiled)
    local o = {compiled = compiled}
    for k, x in pairs(options) do o[k] = x end
    return f(m, o)
  end
  local r = by(explore.search, false)
  equal({r.compiled, by(explore.search).compiled}, {false, false})
  local searched = by(explore.search, true)
  equal(searched.compiled, true)
  same_spaces.compare(r, searched)
  if not alone then
    for _, f in ipairs {explore.levels, explore.ranks} do
      local by_rows = by(f, true)
      equal(by_rows.compiled, true)
      if r.stopped ~= "memory" then same_spaces.compare(r, by_rows) end
    end
  end
  return searched
end

local function same(text, options)
  local r
  with_file(".dve", text, function(path) r = is_same(model.load(path), options) end)
  return r
end

describe("a compiled model", function()
  long("computes all that expressions can", function()
    local parts = {}
    for i, e in ipairs {"x | y", "x & y", "x ^ y", "x == y", "x != y", "x < y", "x <= y", "x > y", "x >= y", "x << y >> 1", "x - y * 2", "x / y",
        "x % y", "-x", "~x", "not x", "x imply y / x", "x and 7 / x", "x or 7 / x", "(x + 1) * (y - 1) - (x - 2) * (y + a[1])", "a[x]", "c[y]",
        "(x - 2147483647 - 1) / (y - 4)", "P.s", "Q.t and a[x - 1] == c[2]", "100000 * 100000 * x >> 16"} do
      parts[i] = ("s -> s { guard x < 4; effect r = (%s) %% 200, x = (x + %d) %% 6; }"):format(e, i % 3 + 1)
    end
    local r = same("int r; byte x, y = 3; int a[3] = {4, -9, 300}; const int c[5] = {5, -2147, 12, 0, 9}; process P { state s; init s; trans " ..
      table.concat(parts, ",\n") .. "; } process Q { state t, u; init t; trans t -> u { effect a[x] = y - x, y = a[x - 1]; }, u -> t { guard y > 0; effect y = y - 1; }; } system async;",
      {bound = 3000})
    equal(r.errors > 10 and r.states > 500, true)
  end)
  it("passes values, through rendezvous and buffers, to arrays too", function()
    local r = same [[byte x, a[3]; channel c; channel {byte, int} d[0]; channel {byte} e[3]; channel {int, byte} f[2];
      process P { byte v; int w; state p, q; init p; trans p -> q { sync c!v + 300; effect v = (v + 1) % 3; cost 3; }, p -> p { sync d!{v + 255, -v}; time 4; },
        q -> p { sync e!v * 2; effect x = v; }, q -> q { sync f!{v - 2, v}; effect w = 7 - v; cost w - 9; }; }
      process Q { byte k; int n; state r, s; init r; trans r -> s { sync c?n; effect k = (k + 1) % 3; cost -n; }, r -> r { sync d?{a[k], n}; effect n = n % 5; time 6; },
        s -> r { sync e?k; effect n = k; }, s -> s { guard k < 3; sync f?{n, a[k]}; effect n = n + 1; }; }
      process R { byte j; state r; init r; trans r -> r { sync c?x; }, r -> r { sync e?a[2 - j]; effect j = (j + 1) % 3; }, r -> r { guard 1 / x == 0; sync d?{j, a[0]}; }; }
      system async;]]
    equal(r.errors > 0 and r.states > 1000, true)
  end)
  it("lets committed processes go first, and fails where two sides assign to one global", function()
    same [[byte g; channel c; process P { byte n; state a, b, d; init a; commit b, d; trans a -> b { sync c!; }, b -> d { effect n = (n + 1) % 4; }, d -> a {}, b -> a { sync c!; effect g = 1; }; }
      process Q { state r, s; init r; commit s; trans r -> s { sync c?; }, s -> r { guard not P.b; }, s -> r { sync c?; effect g = 2; }; }
      process S { byte k; state s; init s; trans s -> s { effect k = (k + 1) % 5; }; } system async;]]
  end)
  long("has its property step beside it, and alone at its end", function()
    local text = [[byte x; channel c; process P { state a, b; init a; trans a -> a { guard x < 2; effect x = x + 1; cost 2; }, a -> b { sync c!; }; }
      process Q { byte n; state q; init q; trans q -> q { sync c?; }; }
      process N { byte k; state q, r, t; init q; accept r; trans q -> q {}, q -> r { guard x == 1; effect k = k + 1; }, q -> t { guard 1 / x == 1; }, r -> r { guard P.b; }; }
      system async property N;]]
    equal(same(text):check("property"), false)
    same "process N { state q, r; init q; trans q -> r {}; } system async property N;"
  end)
  long("takes a step in every process of a synchronous system", function()
    local processes = [[byte x, y = 2, z[3]; const int t[3] = {1, 0, 2}; channel c; channel {byte} d[2]; process P { byte n; state a, b; init a; trans
        a -> b { sync c!3; effect x = (n + y) & 3; cost 2; }, a -> a { sync d!1; }, b -> a { effect n = (n + t[0]) % 3; cost x; time t[n] + 2; }, b -> b { guard 1 / y == 0; }; }
      process Q { byte v; state a, b, e; init a; trans a -> b { sync c?v; effect v = x; time 3; }, b -> a { guard v < 3; effect y = (y + x) & 3; cost -3; },
        b -> e { guard x == 1; effect z[x] = v; }, e -> a { effect z[y] = P.b, x = 0; }; }
      process n0 { byte k; state only; init only; trans only -> only { effect k = (k + 1) % 4; }, -> only { guard x > 0; effect z[k] = 1; }; } ]]
    local r = same(processes .. "system sync;")
    equal(r.states > 100 and r.errors > 10 and r.deadlocks > 10 and r.graph.w:max() > 2, true)
    r = same(processes .. [[process N { byte k; state q, r; init q; accept r; trans q -> q {}, q -> r { guard x == 2; effect k = k + 1; }, r -> r { guard 1 / x > 0; }; }
      system sync property N;]])
    equal(r.states > 100 and r.errors > 10, true)
    same "process P { state a, b; init a; trans a -> b {}, a -> a {}; } process Q { state a; init a; } system sync;" -- Q blocks every step
    same [[byte x; process P { state a, b; init a; trans a -> b { effect x = 1; }; }
      process N { byte k; state q; init q; trans q -> q { guard x == k; effect k = k + 1; }; } system sync property N;]] -- only the property process moves
    same "process N { state q, r; init q; trans q -> r {}; } system sync property N;"
    is_same(model.load(model.sample "editor.dve"))
  end)
  it("has at most so many steps in a state", function()
    local many = {}
    for i = 1, 25 do many[i] = ("process P%d { state a; init a; trans a -> a {}, a -> a {}; }"):format(i) end
    with_file(".dve", table.concat(many) .. "system sync;", function(path)
      for _, f in ipairs {explore.search, explore.levels} do
        for _, compiled in ipairs {false, true} do
          raises("a state has more than 16777216 steps", f, model.load(path), {compiled = compiled})
        end
      end
    end)
  end)
  long("stops at its bounds, and says what is wrong with a cost", function()
    local counter = "byte a, b; process P { state q; init q; trans q -> q { effect a = (a + 1) % 200; }, -> q { effect b = (b + 1) % 200; }; } system async;"
    for _, options in ipairs {{bound = 1}, {bound = 777}, {memory = "300 KiB"}, {edges = false}} do same(counter, options) end
    with_file(".dve", "int x; process P { state a, b; init a; trans a -> b { time x - 1; }; } system async;", function(path)
      for _, f in ipairs {explore.search, explore.levels} do
        raises(".dve:1:46: a time of -1 is less than 0, in the state x=0", f, model.load(path), {compiled = true})
      end
    end)
  end)
  it("says what is not compiled", function()
    local many = {"channel c;"}
    for i = 1, 90 do many[#many + 1] = ("process P%d { state a, b; init a; trans a -> b { sync c!; }, b -> a { sync c?; }; }"):format(i) end
    with_file(".dve", table.concat(many) .. "system async;", function(path)
      raises("translated to C, the model has more than 900 KiB: leave out compiled = true", explore, model.load(path), {compiled = true})
      raises("compiled is 3, expected true or false", explore, model.load(path), {compiled = 3})
    end)
    local one = "process P { state a; init a; trans a -> a {}; } system async;"
    with_file(".dve", one, function(path)
      local m, other = model.load(path), model.load(path)
      raises("this was compiled from another model", dve.explore, other, 0, 0, true, dve.compile(m))
      equal(select(2, dve.generate(m)), select(2, dve.generate(other)))
    end)
  end)
  it("is that of each published model", function()
    local file = io.open(folder .. "/expected.tsv")
    if not file then return print("dve_compiled: there is no " .. folder .. "/expected.tsv") end
    local small = {["anderson.2.dve"] = 1, ["brp.1.dve"] = 1, ["lifts.1.dve"] = 1}
    for line in file:lines() do
      local name = line:match("^(%S+%.dve)")
      if name and due() and (small[name] or not os.getenv("TEST_SMALL")) then is_same(model.load(folder .. "/" .. name), nil, not small[name]) end
    end
    file:close()
  end)
end)
