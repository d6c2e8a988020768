-- Calls everything that Lua can reach, with absurd arguments: wrong types, closed buffers, buffers of other objects,
-- huge and negative numbers, NaN, queues and offsets with random contents. A call may raise an error message (a
-- string); it must not crash (which sanitizers detect), change a graph, or raise anything else.
--
-- Usage: lockstep tests/fuzz/surface.lua [CALLS [SEED [LOG]]], in a folder where files may be written; the script
-- tests/fuzz/surface makes such a folder. CALLS is a number of calls, or a number of seconds, as 60s.
-- A round makes about 300 calls on a small set of new objects, generated from SEED + the number of the round. The log
-- holds the calls of the current round, so that its last line names the call that crashed; to repeat a round, give its
-- seed as SEED, and 1 as CALLS.

local seconds = tonumber((arg[1] or ""):match("^(%d+)s$"))
local calls = seconds and math.huge or math.tointeger(tonumber(arg[1] or 20000)) or error("CALLS: expected a number, got " .. arg[1])
local deadline = seconds and os.time() + seconds or math.huge
local first_seed = math.tointeger(tonumber(arg[2] or 1)) or error("SEED: expected a number, got " .. arg[2])
local log = arg[3] and assert(io.open(arg[3], "w"))
local ROUND = 300 -- calls

local say = io.stderr
io.stderr = {write = function(self) return self end} -- silences progress reports
print = function() end

local random, floor = math.random, math.floor
local function one_of(list) return list[random(#list)] end
local function chance(percent) return random(100) <= percent end

-- --- values ---------------------------------------------------------------------------------------------------

local NUMBERS = {
  0, 1, 2, 3, 7, -1, -2, 64, 255, 256, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 32, 4000000000, 1 << 53,
  (1 << 53) + 1, 1 << 62, math.maxinteger, math.mininteger, 0.5, -0.0, 1e17, 1e308, -1e308, 2.0 ^ 63, -2.0 ^ 63, 1e-320,
  0 / 0, 1 / 0, -1 / 0, 3.0, 4294967295.0,
}
local STRINGS = {
  "", "u32", "i32", "i64", "f32", "f64", "u8", "u64", "u16", "none", "x", "front", "no such name", "\0", "a\0b", "\27[2J", "\xff\xfe",
  "\u{9b}31m", "\u{202e}abc", "%s%n%s", "cpu", "cpu:1", "cuda", "cuda:9", "cpu:-1", "cpu:99999999999", "sum", "min", "max", "off", "on",
  "layered", "one by one", "bridged", "out.json", "out.csv", "out.lsg", "out.gr", "out.svg", "/no/such/folder/x", "1", "-1", "1e9",
  "nan", ("y"):rep(5000), "x == 1", "P.q", "deadlock", "error", "assert", "property", "1 / x", "P->x +",
}
local KEYS = {
  "n", "m", "degree", "scale", "seed", "weights", "lo", "hi", "times", "a", "b", "c", "d", "rows", "cols", "one_way", "max", "form",
  "components", "summary", "ahead", "from", "potentials", "max_iterations", "max_repeats", "begun", "within", "ratio", "file", "x", "y",
  "log", "name", "count", "time", "server", "type", "limit", "copies", "graph", "alpha", "w", "off", "to", "t", "dist", "front", "D",
  "k", "tiles", "op", "value", "verify", "label_base", "symmetric", "all", "every", "last", "kind", "id", "p", "q", "cycle", 1, 2, 3,
}

local world -- the objects of the current round: graphs, buffers, states, results, other (userdata and tables of the program)
local wild  -- any value at all

local function number() return chance(60) and one_of(NUMBERS) or random(-3, 300) end

local function wild_table(depth)
  local t = {}
  if chance(50) then
    for i = 1, random(0, 6) do t[i] = wild(depth + 1) end
  else
    for _ = 1, random(0, 5) do t[one_of(KEYS)] = wild(depth + 1) end
  end
  if chance(3) then setmetatable(t, {__index = function() error("no index") end}) end
  if chance(3) then setmetatable(t, {__tostring = function() return 5 end, __len = function() return 1 << 40 end}) end
  if chance(2) then setmetatable(t, {__name = "bundle"}) end
  return t
end

local KINDS = {"graphs", "buffers", "states", "results", "other"}

local function object(kind) return one_of(world[kind or one_of(KINDS)]) end

local function open_graph() -- a graph that no call has closed
  for _, g in ipairs(world.graphs) do
    if pcall(function() return g.n end) then return g end
  end
  return gen.ring {5}
end

function wild(depth)
  local pick = random(100)
  if pick <= 40 then return number() end
  if pick <= 65 then return object() end
  if pick <= 80 then return one_of(STRINGS) end
  if pick <= 90 and depth < 3 then return wild_table(depth) end
  if pick <= 93 then return nil end
  if pick <= 96 then return chance(50) end
  if pick == 97 then return function() return 0 end end
  if pick == 98 then return function() error("from a callback") end end
  if pick == 99 then return coroutine.create(function() coroutine.yield(1) end) end
  return io.stdout
end

local function arguments()
  local n, list = random(0, 4), {}
  for i = 1, n do list[i] = wild(0) end
  return list, n
end

-- --- the world ------------------------------------------------------------------------------------------------

local TYPES = {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}
local WEIGHTS = {"none", "i32", "i64", "f32", "f64"}
local SIZES = {0, 1, 2, 3, 10, 40, 100}

local GRAPHS = {
  function(n, o) return gen.uniform {n = n, m = n * random(0, 4), seed = o.seed, weights = o.weights} end,
  function(n, o) return gen.ring {n = n, weights = o.weights} end,
  function(n, o) return gen.path {n = n, weights = o.weights} end,
  function(n, o) return gen.star {n = n, weights = o.weights} end,
  function(n, o) return gen.dag {n = n, m = n > 1 and n or 0, seed = o.seed, weights = o.weights} end,
  function(_, o) return gen.rmat {scale = random(0, 6), degree = random(1, 4), seed = o.seed, weights = o.weights} end,
  function(n, o) return gen.grid {random(1, 7), n // 10 + 1, seed = o.seed, weights = o.weights} end,
  function(_, o)
    local w = one_of {1, -5, 1 << 30, (1 << 31) - 1, 1 << 62, math.maxinteger, math.mininteger}
    return graph.from_edges {{0, 1, w}, {1, 2, w}, {2, 0, w}, {2, 2, 1}, n = 4, weights = o.weights}
  end,
}

local function make_graph()
  local weights = one_of(WEIGHTS)
  for _ = 1, 5 do
    local ok, g = pcall(one_of(GRAPHS), one_of(SIZES), {seed = random(1000), weights = weights})
    if ok then return g end
  end
  return gen.ring {5, weights = weights}
end

-- An element for a buffer: often a number that the body of a row could use as an index.
local function element() return chance(70) and random(0, 120) or one_of(NUMBERS) end

local function make_buffer()
  local g = open_graph()
  local size = one_of {0, 1, 2, g.n, g.n + 1, g.m, 3 * g.n, g.n * g.n, 300}
  local b = buffer.new(one_of(TYPES), size)
  for _ = 1, random(0, 8) do pcall(function() b[random(0, 20)] = element() end) end
  return b
end

local function make_state()
  local names = {}
  for name in pairs(state) do names[#names + 1] = name end
  table.sort(names)
  local _, s = pcall(state[one_of(names)], object("graphs"), chance(60) and one_of(TYPES) or nil)
  return type(s) == "userdata" and s or state.scc(object("graphs"))
end

local ALGORITHMS = {
  function(g) return scc(g) end,
  function(g) return ocm(g) end,
  function(g) return ocr(g) end,
  function(g) return sssp(g, 0) end,
  function(g) return fw(g) end,
  function(g) return scc.maxima(g) end,
}

local function make_result()
  local ok, r = pcall(one_of(ALGORITHMS), object("graphs"))
  return ok and r or scc(gen.ring {3})
end

local function immutable(g) -- copies a graph's contents, to be compared later
  local t = {}
  for _, name in ipairs {"off", "to", "w", "t"} do
    local ok, b = pcall(function() return g[name] end)
    if ok and b then t[name] = b:totable() end
  end
  return t
end

local function unchanged(before, g)
  for name, list in pairs(before) do
    local open, now = pcall(function() return g[name]:totable() end)
    for k, x in pairs(open and now and list or {}) do
      if now[k] ~= x and (x == x or now[k] == now[k]) then
        error(("the graph's %s[%s] was %s and is %s"):format(name, k, x, now[k]))
      end
    end
  end
end

-- A small model of processes, its state space, and a walk through it.
local model_file = "surface.dve"
do
  local f = assert(io.open(model_file, "w"))
  f:write("byte x, a[3]; channel {byte} c[2]; process P { state p, q; init p; assert p: x < 9; trans p -> q { guard x < 3; sync c!x; " ..
    "effect x = x + 1; cost 2; time 3; }, q -> p { sync c?a[x % 3]; cost 1; }, p -> p { effect x = 0; }; } system async;")
  f:close()
end

local function add_model()
  local m = model.load(model_file)
  local r = explore(m)
  local w = m:simulate()
  for _, x in ipairs {m, r.space, r, r:state(1), w, dve.initial(m), r:trace(2)} do world.other[#world.other + 1] = x end
  world.graphs[#world.graphs + 1] = r.graph
  world.graphs[#world.graphs + 1] = m:automaton "P"
  world.results[#world.results + 1] = r
end

local function new_world()
  world = {graphs = {}, buffers = {}, states = {}, results = {}, other = {device(), debug.getmetatable(device()), _G.prim, "x",
    model.from_text "x' = -k*x + y \n x(0) = 1 \n k = 2 \n y = {1 if time < 1; x otherwise}"}}
  for i = 1, 3 do world.graphs[i] = make_graph() end
  for i = 1, 12 do world.buffers[i] = make_buffer() end
  local closed = buffer.new("u32", 5)
  closed:close()
  world.buffers[13] = closed
  world.buffers[14] = world.graphs[1].off -- read-only
  world.buffers[15] = world.graphs[1].to
  for i = 1, 3 do world.states[i] = make_state() end
  for i = 1, 2 do world.results[i] = make_result() end
  if chance(40) then add_model() end
end

-- --- the surface ----------------------------------------------------------------------------------------------

local STANDARD = {}
for name in ([[assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall print rawequal
  rawget rawlen rawset require select setmetatable tonumber tostring type xpcall _G _VERSION arg coroutine debug io
  math os package string table utf8 warn]]):gmatch("%S+") do
  STANDARD[name] = true
end
-- Not called: internal functions of the session, which yield from the calling coroutine to the prompt, and simulations, which
-- take as long as their arguments request.
local LEFT_OUT = {["session.fixpoint"] = true, ["simulate"] = true, ["reference.simulate"] = true}

local surface, names = {}, {}
local function collect(prefix, t, depth)
  for name, x in pairs(t) do
    local full = prefix .. tostring(name)
    local mt = debug.getmetatable(x)
    if type(name) == "string" and not (depth == 0 and STANDARD[name]) and not LEFT_OUT[full] then
      if type(x) == "function" or type(x) == "table" and mt and mt.__call then
        if not surface[full] then names[#names + 1] = full end
        surface[full] = x
      end
      if type(x) == "table" and depth < 2 then collect(full .. ".", x, depth + 1) end
    end
  end
end
collect("", _G, 0)
table.sort(names)

local primitives = {}
for name in pairs(prim.takes) do primitives[#primitives + 1] = name end
table.sort(primitives)

-- The methods, metamethods and fields of any object.
local function methods_of(x)
  local list = {}
  local mt = debug.getmetatable(x)
  local function add(t)
    if type(t) ~= "table" then return end
    for name, f in pairs(t) do
      if type(name) == "string" then list[#list + 1] = {name, f} end
    end
  end
  add(mt)
  if mt then
    for _, inner in ipairs {"methods", "__methods", "__fields", "__index"} do add(rawget(mt, inner)) end
  end
  if type(x) == "table" then add(x) end
  table.sort(list, function(a, b) return a[1] < b[1] end)
  return list
end

-- --- calls ----------------------------------------------------------------------------------------------------

local budget = 3000000 -- Lua instructions per call
local function bounded(f, ...)
  debug.sethook(function() error("the call's budget is spent") end, "", budget)
  local results = table.pack(pcall(f, ...))
  debug.sethook()
  return table.unpack(results, 1, results.n)
end

local function brief(x)
  local t = type(x)
  if t == "string" then return ("%q"):format(x:sub(1, 40)) end
  if t ~= "table" and t ~= "userdata" then return math.type(x) == "float" and ("%a"):format(x) or tostring(x) end
  if t == "table" then
    local parts = {}
    for k, v in next, x do
      parts[#parts + 1] = (type(k) == "string" and k or type(k)) .. "=" .. (type(v) == "table" and "{...}" or brief(v))
      if #parts > 12 then break end
    end
    return "{" .. table.concat(parts, ", ") .. "}"
  end
  local mt = debug.getmetatable(x)
  for _, kind in ipairs(KINDS) do
    for i, o in ipairs(world[kind]) do
      if rawequal(o, x) then return ("%s[%d]"):format(kind, i) end
    end
  end
  return mt and tostring(rawget(mt, "__name")) or "userdata"
end

local made, by_name, failed_calls = 0, {}, 0
local round_seed

local function call(what, f, list, n)
  made = made + 1
  by_name[what] = (by_name[what] or 0) + 1
  if log then
    local parts = {}
    for i = 1, n do parts[i] = brief(list[i]) end
    log:write(what, "(", table.concat(parts, ", "), ")\n")
    log:flush()
  end
  local ok, message = bounded(f, table.unpack(list, 1, n))
  if ok then return end
  failed_calls = failed_calls + 1
  if type(message) ~= "string" and message ~= nil then
    local mt = debug.getmetatable(message)
    if not (mt and mt.__tostring) then
      error(("round %d: %s raised a %s, not a message"):format(round_seed, what, type(message)))
    end
  end
end

local OPTIONS = {-1, 0, 1, 2, 3.5, "x", 0 / 0, 50}

local described = {}
for i = 1, math.huge do
  local p = prim.describe(i)
  if not p then break end
  described[p.name] = p
end

-- A buffer or a number of the right type and size for an argument of a row on g; its elements may be invalid.
local function fitting(argument, g, kind)
  if argument.role == "value" then return random(0, 2) end
  local extent = argument.extent:gsub("%a+", function(size)
    return tostring(size == "n" and g.n or size == "m" and g.m or 4)
  end)
  local b = buffer.new(argument.type == "W" and kind or argument.type, load("return " .. extent)())
  for _ = 1, chance(70) and 0 or random(1, 5) do pcall(function() b[random(0, 20)] = element() end) end
  return b
end

-- Calls a primitive with all arguments of the right types and sizes; only their elements may be invalid.
local function call_fitting()
  local name = one_of(primitives)
  local p, g = described[name], open_graph()
  local kind = #p.types > 0 and one_of(p.types) or "i32"
  local named = {}
  for _, argument in ipairs(p.args) do
    if argument.role ~= "count" then named[argument.name] = fitting(argument, g, kind) end
  end
  if prim.loops[name] then named.max_iterations = random(1, 20) end
  local list = {named}
  if chance(60) then table.insert(list, 1, chance(70) and object("states") or g) end
  call(name, prim[name], list, #list)
end

-- Calls a primitive with some of its arguments replaced.
local function call_primitive()
  local name = one_of(primitives)
  local takes, list = prim.takes[name], {}
  if chance(70) then list[#list + 1] = object(chance(70) and "states" or "graphs") end
  local named = {}
  local some
  for _, arg_name in ipairs(takes) do
    if chance(#list > 0 and 15 or 80) then
      named[arg_name], some = chance(80) and object("buffers") or wild(1), true
    end
  end
  if chance(30) then named[one_of {"begun", "max_repeats", "within", "k", "op", "value", "tiles", "backward"}], some = wild(2), true end
  if chance(10) then named.begun, named.within, some = true, 1, true end
  if prim.loops[name] then named.max_iterations, some = one_of(OPTIONS), true end
  if some then list[#list + 1] = named end
  if chance(25) then
    for _ = 1, random(0, 3) do list[#list + 1] = chance(60) and object("buffers") or number() end
  end
  call(name, prim[name], list, #list)
end

-- Writes random values into a state or a buffer.
local function corrupt()
  local b = object("buffers")
  if chance(60) then
    local s = object("states")
    local fields = {}
    for _, primitive in ipairs {"trim", "reach_both", "policy_iterate", "tight_tree", "propagate_max", "residual"} do
      for _, name in ipairs(prim.takes[primitive]) do fields[#fields + 1] = name end
    end
    local _, field = pcall(function() return s[one_of(fields)] end)
    if type(field) == "userdata" then b = field end
  end
  call("corrupt", function()
    for _ = 1, random(1, 4) do b[random(0, 6)] = element() end
  end, {}, 0)
end

local function call_method()
  local x = object()
  local list = methods_of(x)
  if #list == 0 then return end
  local method = one_of(list)
  local args, n = arguments()
  if chance(85) then
    table.insert(args, 1, x)
    n = n + 1
  end
  local f = method[2]
  if type(f) ~= "function" then
    f, args, n = function() return x[method[1]] end, {}, 0
  end
  if method[1] == "__gc" and chance(90) then return end -- the object is gone afterwards
  call("method " .. method[1], f, args, n)
end

local function call_field()
  local x, key, value = object(), chance(80) and one_of(KEYS) or wild(2), wild(1)
  call("field", function()
    local _ = tostring(x)
    if chance(50) then return x[key] end
    x[key] = value
  end, {}, 0)
end

local function call_result()
  local r = object("results")
  local keys = {}
  for k in next, r do
    if type(k) == "string" then keys[#keys + 1] = k end
  end
  if #keys == 0 then return end
  table.sort(keys)
  local key = one_of(keys)
  local old = r[key]
  call("check", function()
    if chance(50) then
      if type(old) == "userdata" and pcall(function() return #old end) and chance(60) then
        pcall(function() old[random(0, 5)] = element() end)
      else
        rawset(r, key, wild(1))
      end
    end
    return check(r)
  end, {}, 0)
  for _, method in ipairs {"show", "critical", "slack", "dot", "actions"} do
    if chance(10) then call("result " .. method, function() return r[method](r) end, {}, 0) end
  end
  if chance(10) then call("result sensitivity", function(e) return r:sensitivity(e) end, {number()}, 1) end
  if chance(70) then rawset(r, key, old) end
end

local function call_function()
  local name = one_of(names)
  local args, n = arguments()
  if chance(50) then
    args[1] = object(chance(80) and "graphs" or nil)
    n = math.max(n, 1)
  end
  if prim.loops[name] or name:find("^prim%.") then return call_primitive() end
  call(name, surface[name], args, n)
end

-- Turns off the modes that a call may have turned on.
local function reset()
  pcall(compare, "off")
  pcall(trace.on)
  pcall(trace.keep, 10000)
  pcall(checkpoint, false)
end

local function round(seed)
  round_seed = seed
  math.randomseed(seed)
  if log then
    log:close()
    log = assert(io.open(arg[3], "w"))
    log:write("round ", seed, "\n")
  end
  new_world()
  local before = {}
  for i, g in ipairs(world.graphs) do before[i] = {g, immutable(g)} end
  if chance(15) then pcall(compare, "cpu", "cpu:1") end
  local last = made + ROUND
  while made < last do
    local pick = random(100)
    if pick <= 20 then call_fitting()
    elseif pick <= 45 then call_primitive()
    elseif pick <= 55 then corrupt()
    elseif pick <= 75 then call_function()
    elseif pick <= 87 then call_method()
    elseif pick <= 92 then call_field()
    else call_result() end
  end
  reset()
  for _, pair in ipairs(before) do
    local ok = pcall(function() return pair[1].n end) -- the graph was not closed meanwhile
    if ok then unchanged(pair[2], pair[1]) end
  end
end

local seed = first_seed
while made < calls and os.time() < deadline do
  local ok, message = xpcall(round, debug.traceback, seed)
  if not ok then
    say:write(("seed %d: %s\n0 passed, 1 failed\n"):format(seed, tostring(message)))
    os.exit(1, true)
  end
  seed = seed + 1
  if seed % 20 == 0 then collectgarbage() end
end
local untouched = {}
for _, name in ipairs(primitives) do
  if not by_name[name] then untouched[#untouched + 1] = name end
end
say:write(("%d calls in %d rounds, %d of them refused; %d names, not called: %s\n1 passed, 0 failed\n"):format(made, seed - first_seed,
  failed_calls, #names + #primitives, #untouched > 0 and table.concat(untouched, " ") or "none"))
