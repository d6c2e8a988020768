-- lua/base/algorithm.lua: options, the option `form`, widths of sums, results. Tests its functions directly and through the algorithms.

local g = gen.uniform {n = 30, m = 120, weights = "i32", seed = 3}

-- Calls f as if on a CPU (if `cpu`; else on a GPU), and as if in a stepped run (if `stepped`; else in a free one).
local function where(cpu, stepped, f)
  local whether, steps, before = algorithm.on_cpu, session.stepped, device().name
  algorithm.on_cpu, session.stepped = function() return cpu end, function() return stepped end
  if cpu then device("cpu") end
  local good, result = pcall(f)
  algorithm.on_cpu, session.stepped = whether, steps
  device(before)
  if not good then error(result, 2) end
  return result
end

describe("options", function()
  local specs = {
    flag = "flag", from = "checkpoint", comp = "buffer", form = {"one", "two", "three"}, pair = {"a", "b"},
    ahead = {least = 1, what = "a number of edges"}, part = {least = 0, most = 7},
  }
  local function try(options) return algorithm.options("f", options, specs) end

  it("are given back as they are", function()
    equal(try(nil), {})
    local given = {flag = false, from = "x.ckpt", comp = buffer.new("u32", 3), form = "three", ahead = 1, part = 7}
    equal(try(given) == given, true)
    equal(try {part = 0, ahead = 1 << 40}.part, 0)
  end)

  it("are refused with the names that there are, and the nearest", function()
    raises("f: unknown option 'fom' (did you mean form?); its options are ahead, comp, flag, form, from, pair and part", try, {fom = 1})
    raises("f: unknown option '1'; its options are", try, {"form"})
    raises("f: unknown option 'quite another'; its options are", try, {["quite another"] = 1})
    raises("f: unknown option 'x'; its only option is from", algorithm.options, "f", {x = 1}, {from = "checkpoint"})
    raises("f: unknown option 'x'; it has no options", algorithm.options, "f", {x = 1}, {})
  end)

  it("have defaults", function()
    local with = {limit = {least = 1, default = 50}, form = {"one", "two", default = "two"}, damping = {kind = "number", default = 0.85},
      fast = {kind = "flag", default = true}, from = "checkpoint"}
    equal(algorithm.options("f", nil, with), {limit = 50, form = "two", damping = 0.85, fast = true})
    equal(algorithm.options("f", {fast = false, limit = 3}, with), {limit = 3, form = "two", damping = 0.85, fast = false})
    raises("f: damping is 'x', expected a number", algorithm.options, "f", {damping = "x"}, with)
    raises("f: limit is 0, expected a whole number from 1 on", algorithm.options, "f", {limit = 0}, with)
  end)

  it("that say nothing of their values are refused where they stand, not when they are given", function()
    for _, spec in ipairs {50, true, "flagg", {}, {default = 5}, {kind = "whole"}} do
      raises("f: option limit: expected the kind of its values, as", algorithm.options, "f", nil, {limit = spec})
    end
    raises("got 50", algorithm.options, "f", nil, {limit = 50})
    raises("got 'flagg'", algorithm.options, "f", nil, {limit = "flagg"})
  end)

  it("are refused where they have the wrong type or range", function()
    raises("f: flag is 1, expected true or false", try, {flag = 1})
    raises("f: from is true, expected the name of a checkpoint's file", try, {from = true})
    raises("f: comp is a table, expected a buffer", try, {comp = {}})
    raises("f: form is 'four', expected 'one', 'two' or 'three'", try, {form = "four"})
    raises("f: form is false, expected 'one', 'two' or 'three'", try, {form = false})
    raises("f: pair is u32[2], expected 'a' or 'b'", try, {pair = buffer.new("u32", 2)})
    raises("f: ahead is 0, expected a number of edges from 1 on", try, {ahead = 0})
    raises("f: ahead is 1.5, expected a number of edges from 1 on", try, {ahead = 1.5})
    for _, x in ipairs {-1, 8} do raises(("f: part is %d, expected a whole number from 0 to 7"):format(x), try, {part = x}) end
    raises("f: part is 'many', expected", try, {part = "many"})
    raises("f: expected a table of options, got 5", try, 5)
  end)

  it("stand beside vertices, which are checked in one place", function()
    equal({algorithm.vertex("f", g, 0), algorithm.vertex("f", g, 29, "source")}, {0, 29})
    raises("f: expected the number of one vertex, the target, of 0 .. 29, got a table", algorithm.vertex, "f", g, {}, "target")
    raises("f: expected the number of one vertex, of 0 .. 29, got a table", algorithm.vertex, "f", g, {})
    for _, x in ipairs {30, -1, 0.5} do
      raises(("f: the target %s is not a vertex of 0 .. 29"):format(tostring(x)), algorithm.vertex, "f", g, x, "target")
      raises(("f: %s is not a vertex of 0 .. 29"):format(tostring(x)), algorithm.vertex, "f", g, x)
    end
    raises("f: the target 'x' is not a vertex of 0 .. 29; expected a vertex's number, got a text", algorithm.vertex, "f", g, "x", "target")
    raises("f: expected the number of one vertex, of a graph without vertices, got nil", algorithm.vertex, "f", gen.uniform {n = 0, m = 0})
  end)

  it("are checked by every algorithm", function()
    for name, f in pairs {["scc.fast"] = scc, ["scc.fast"] = scc.fast, ["scc.maxima"] = scc.maxima,
        ["scc.forward_backward"] = scc.forward_backward, ocm = ocm, ocr = ocr, ["ocm.components"] = ocm.components,
        fw = fw, ["policy.new"] = policy.new, ["policy.bridged"] = policy.bridged, ["reference.howard"] = reference.howard,
        ["reference.yto"] = reference.yto} do
      raises(name .. ": unknown option 'nonsense'", f, g, {nonsense = 1})
      raises(name .. ": expected a table of options, got a boolean", f, g, true)
    end
    raises("sssp: unknown option 'nonsense'; its options are cutoff, delta, form, nearest, parents and targets", sssp, g, 0, {nonsense = 1})
    raises("ocm: unknown option 'forms' (did you mean form?)", ocm, g, {forms = "paths"})
    raises("ocm: max is 'yes', expected true or false", ocm, g, {max = "yes"})
    raises("policy.new: kind is 'i32', expected 'i64' or 'f64'", policy.new, g, {kind = "i32"})
  end)

  it("name the place that called the algorithm", function()
    local function line(f) return tonumber(select(2, pcall(f)):match("algorithm_spec%.lua:(%d+): ")) end
    local here = debug.getinfo(1, "l").currentline
    equal(line(function() local r = ocm(g, {x = 1}) return r end), here + 1)
    equal(line(function() local r = scc(5) return r end), here + 2)
    equal(line(function() local r = ocr.howard(g, {components = "one by one", from = "x"}) return r end), here + 3)
    equal(line(function() local r = fw(g, {x = 1}) return r end), here + 4)
  end)
end)

describe("a graph", function()
  it("is one, and open", function()
    local closed = gen.ring {3}
    closed:close()
    for name, f in pairs {scc = scc, ocm = ocm, ocr = ocr, sssp = sssp, fw = fw, ["policy.new"] = policy.new,
        ["reference.howard"] = reference.howard} do
      raises(name .. ": expected a graph, got nil", f)
      raises(name .. ": expected a graph, got u32[31]", f, g.off)
      raises(name .. ": the graph is closed", f, closed)
    end
  end)
end)

describe("the form", function()
  it("is the CPU's, CUDA's, or the one for who steps", function()
    local v = algorithm.variant {cpu = "a", cuda = "b", stepped = "c"}
    local two = algorithm.variant {cpu = "a", cuda = "b"}
    for _, case in ipairs {{true, false, "a", "a"}, {false, false, "b", "b"}, {true, true, "c", "a"}, {false, true, "c", "b"}} do
      equal(where(case[1], case[2], function() return v:now() end), case[3])
      equal(where(case[1], case[2], function() return two:now() end), case[4])
    end
    equal(v.taken, {})
  end)

  it("is noted once, in the order in which forms ran", function()
    local make = algorithm.results {name = "scc", show = function() return "text" end}
    local v = algorithm.variant {cpu = "a", cuda = "b", stepped = "c"}
    equal(where(true, false, function() return v:take() .. v:take() end), "aa")
    equal({make({}, v).variant, make({}, v).free_variant}, {"a"})
    equal(tostring(make({}, v)), "text")
    equal(where(true, true, function() return v:take() end), "c")
    equal({make({}, v).variant, make({}, v).free_variant}, {"a, c", "a"})
    raises("(This run was stepped and took the form 'a, c'. A run that is not stepped takes 'a': see ?scc.)", error,
      tostring(make({}, v)))
  end)

  it("that was asked for is taken by who steps too", function()
    local v = algorithm.variant {cpu = "a", cuda = "b", stepped = "c"}
    equal(where(true, true, function() return v:take("a") end), "a")
    equal(v.free, nil)
  end)

  it("is in every result", function()
    local function ran(f, ...)
      local given = table.pack(...)
      local function of(cpu, stepped) return where(cpu, stepped, function() return f(table.unpack(given)).variant end) end
      return {of(true, false), of(false, false), of(true, true)}
    end
    equal(ran(scc, g), {"tarjan", "maxima", "tarjan"})
    equal(ran(scc.maxima, g), {"maxima", "maxima", "maxima"})
    equal(ran(scc.forward_backward, g), {"forward_backward", "forward_backward", "forward_backward"})
    equal(ran(sssp, g, 0), {"bins", "near_far", "near_far"})
    where(false, false, function()
      raises("sssp: form is 'bins', which only CPUs can run; the device is", sssp, g, 0, {form = "bins"})
    end)
    equal(ran(fw, g), {"blocked", "blocked", "tiles"})
    for _, f in ipairs {ocm, ocr} do
      equal(ran(f, g), {"paths", "doubling", "doubling"})
      equal(ran(f, g, {form = "layered"}), {"layered", "layered", "layered"})
      equal(ran(f, g, {components = "one by one"}), {"paths", "doubling", "doubling"})
    end
    equal(ran(ocm, gen.path {5}), {"paths", "doubling", "doubling"}) -- without a cycle
    equal(ran(reference.karp, g), {"reference.karp", "reference.karp", "reference.karp"})
  end)

  it("is told where who steps sees another", function()
    local stepped, free = where(true, true, function() return ocm(g) end), where(true, false, function() return ocm(g) end)
    equal({stepped.free_variant, free.free_variant}, {"paths"})
    equal(tostring(stepped), tostring(free) ..
      "\n(This run was stepped and took the form 'doubling'. A run that is not stepped takes 'paths': see ?ocm.)")
    equal(where(true, true, function() return ocm(g, {form = "paths"}) end).free_variant, nil)
    equal(where(false, true, function() return ocm(g) end).free_variant, nil) -- on CUDA the stepped variant is also the free one
    equal(where(true, true, function() return scc(g) end).free_variant, nil)
    equal(check(stepped), true)
  end)
end)

describe("sums", function()
  it("are tried in their type, then in 64 bits", function()
    for kind, want in pairs {i32 = {"i32", "i64"}, i64 = {"i64"}, f32 = {"f32", "f64"}, f64 = {"f64"}} do
      local got, notes, note = {}, {}, algorithm.note
      algorithm.note = function(name, text) notes[#notes + 1] = name .. ": " .. text end
      for k in algorithm.widths("f", kind) do got[#got + 1] = k end
      algorithm.note = note
      equal(got, want)
      equal(notes, #want == 2 and {kind == "i32" and "f: a sum overflowed 32 bits; the run is repeated in 64 bits" or "f: a sum overflowed f32; the run is repeated in 64 bits"} or {})
    end
    equal(algorithm.too_long("i32"), "a sum overflowed 64 bits: distances are at most 2^63 - 2")
    equal(algorithm.too_long("f64"), "a sum overflowed f64: distances are at most 1.8e308")
  end)

  it("weight_range is that of g's weights, of ones if there are none", function()
    local weighted = graph.from_edges {n = 3, weights = "i32", {0, 1, 7}, {1, 2, -4}, {2, 0, 5}}
    local plain, empty = gen.ring {n = 4}, graph.from_edges {n = 3, weights = "f64"}
    equal({algorithm.weight_range(weighted)}, {-4, 7})
    equal({algorithm.weight_range(weighted)}, {-4, 7})
    equal({algorithm.weight_range(plain), algorithm.weight_range(empty)}, {1, 1, 1})
  end)
  it("of 16 bits are tried in 32 first", function()
    local tried = {}
    for kind in algorithm.widths("f", "i16") do tried[#tried + 1] = kind end
    equal({tried, algorithm.too_long "i16"}, {{"i16", "i32", "i64"}, algorithm.too_long "i64"})
    local short = buffer.new("i16", {-5, 0, 32767})
    equal({algorithm.widened(short, "i32"):totable(), algorithm.widened(short, "i64"):totable()}, {{-5, 0, 32767}, {-5, 0, 32767}})
    local narrowed = buffer.new("i16", 4)
    equal({narrow(buffer.new("i32", {7, -32768, 32768, 65543}), narrowed), narrowed:totable()}, {2, {7, -32768, -32768, 7}})
  end)
  it("widen what they are made of", function()
    for _, pair in ipairs {{"i32", "i64"}, {"i32", "f64"}, {"i64", "f64"}, {"f32", "f64"}} do
      local x = buffer.new(pair[1], {5, -7, 0})
      equal(algorithm.widened(x, pair[2]):totable(), buffer.new(pair[2], {5, -7, 0}):totable())
      equal(algorithm.widened(x, pair[1]) == x, true)
    end
  end)
end)

describe("a result", function()
  it("has methods, and fields that are made once", function()
    local made = 0
    local make = algorithm.results {
      name = "scc", show = function(r) return "of " .. r.x end,
      methods = {twice = function(r) return 2 * r.x end},
      fields = {size = function(r)
        made = made + 1
        return r.x + 1
      end},
    }
    local r = make({x = 7}, "only")
    equal({r.kind, r.variant, tostring(r), r:twice(), r.size, r.size, made, r.nothing}, {"scc", "only", "of 7", 14, 8, 8, 1})
    local said, say = nil, session.say
    session.say = function(text) said = text end
    r:show()
    session.say = say
    equal(said, "of 7")
  end)
end)

describe("sizes of memory and progress", function()
  it("are told in bytes or as text", function()
    equal({algorithm.bytes(5), algorithm.bytes "3 KiB", algorithm.bytes "2MiB", algorithm.bytes "1 GiB"}, {5, 3072, 2 << 20, 1 << 30})
    for _, x in ipairs {0, -1, 2.5, "5", "5 KB", "x MiB", "0 GiB", "99999999999 GiB", {}, true} do equal(algorithm.bytes(x), nil) end
    raises('f: room is 0, expected a number of bytes or a text such as "512 MiB"', function()
      return (algorithm.options("f", {room = 0}, {room = "bytes"}))
    end)
  end)
  it("may be a word or a number", function()
    local spec = {l = {"model", least = 1, most = 8}}
    equal(algorithm.options("f", {l = 8}, spec).l, 8)
    equal(algorithm.options("f", {l = "model"}, spec).l, "model")
    raises("f: l is 9, expected a whole number from 1 to 8 or 'model'", function() return (algorithm.options("f", {l = 9}, spec)) end)
    raises("f: l is 'x', expected a whole number from 1 to 8 or 'model'", function() return (algorithm.options("f", {l = "x"}, spec)) end)
  end)
  it("may be a power of two", function()
    local spec = {tile = {least = 16, most = 256, doubled = true}, sub = {least = 2, most = 8, doubled = true, default = 4}}
    equal(algorithm.options("f", {tile = 128.0}, spec), {tile = 128, sub = 4})
    for _, x in ipairs {8, 48, 512, 16.5} do
      raises("expected 16, 32, 64 and so on up to 256", function() return (algorithm.options("f", {tile = x}, spec)) end)
    end
    raises("f: sub is 6, expected 2, 4, 8", function() return (algorithm.options("f", {sub = 6}, spec)) end)
  end)
  it("take a float that is a whole number for one", function()
    local given = {a = 1e3, b = 2.0}
    local o = algorithm.options("f", given, {a = {least = 1}, b = "number"})
    equal({math.type(o.a), math.type(o.b), math.type(given.a)}, {"integer", "float", "float"})
    raises("f: a is 1.5, expected a whole number from 1 on", function() return (algorithm.options("f", {a = 1.5}, {a = {least = 1}})) end)
    raises("f: a is inf, expected a whole number from 1 on", function() return (algorithm.options("f", {a = math.huge}, {a = {least = 1}})) end)
    equal({math.type(algorithm.whole(1e18)), algorithm.whole("1"), algorithm.whole(0.5)}, {"integer", "1", 0.5})
    equal(algorithm.bytes(1e6), 1000000)
    local g = gen.rmat{scale = 4, degree = 4.0, seed = 7.0}
    equal(g.m, 64)
    equal(graph.from_edges{{0, 1}, n = 5.0}.n, 5)
    equal(math.type(bfs(g, 3.0).source), "integer")
    equal(math.type(sssp(g, 3.0).source), "integer")
    raises("is not a vertex of 0 .. 15", bfs, g, 2.5)
    equal(#range(0, 1, 3.0), 3)
    local m = model.load(model.sample "philosophers.dve")
    equal(math.type(explore(m, {bound = 1e2}).bounds.states), "integer")
    raises("bound is 1.5, expected a number of states from 0 on", explore, m, {bound = 1.5})
    local r = simulate(model.from_text "k = 1\nx' = -k*x\nx(0) = 1\n", {stop = 1, steps = 2.0, instances = 1e1, sample = {k = uniform(1, 2)}, seed = 3.0})
    equal(r.instances, 10)
  end)
  it("may be lists, in which a gap is an error", function()
    local m = model.from_text "k = 1\nx' = -k*x\nx(0) = 1\n"
    raises("simulate: sweep: value 2 of k is nil, not a number", simulate, m, {stop = 1, sweep = {k = {1, nil, 3}}})
    local gap = {1, 2, 3}
    gap[7] = 4
    raises("sweep: k is a list of values without gaps, but has the key 7", simulate, m, {stop = 1, sweep = {k = gap}})
    raises("each: value 2 of k is nil, not a number", simulate, m, {stop = 1, instances = 3, each = {k = {1, nil, 3}}})
    raises("times: item 2 is not a finite number", simulate, m, {times = {1, nil, 3}, sweep = {k = {1, 2}}})
    local g = gen.ring(4)
    raises("bfs: expected the number of one vertex, the source, of 0 .. 3, got a table", bfs, g, {0, 3})
    raises("sssp: expected the number of one vertex, the source, of 0 .. 3, got nil", sssp, g, {0, nil, 3})
  end)
  it("go up to the total", function()
    algorithm.progress("work", 1, 2)
    algorithm.progress("work", 3) -- the total is unknown
    algorithm.progress()
    raises("from 0 to the total", algorithm.progress, "work", -1)
    raises("from 0 to the total", algorithm.progress, "work", 3, 2)
  end)
end)
