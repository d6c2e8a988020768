-- Kernels that are loaded at run time: their texts, errors in them, and the bounds-checked variant.
local HEAD = '#include "language/kernel.h"\n'

-- A kernel `k` with one thread per vertex, from its arguments and body.
local function vertex(args, body, types)
  return HEAD .. ('PRIM(k, K_ARGS, %s, VERTEX, "n", EXACT, "", "", "k(...)")\n'):format(types or "UNTYPED")
    .. "#define K_ARGS(A, W) " .. args .. "\nARGS(k, K_ARGS)\nVERTEX_BODY(k) {\n" .. body .. "\n}\n"
end
local OUT = 'A(OUT, u32, out, "n")'
local GRAPH = 'A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") '

local HEAVIEST = HEAD .. [[
PRIM(heaviest, HEAVIEST_ARGS, FOR_W, VERTEX, "n", EXACT, "4*n + (m + found)*size", AT_MOST "m",
     "heaviest(g, best): best[v] = the largest weight out of v.\n"
     "Returns how many vertices have an edge.")
#define HEAVIEST_ARGS(A, W) \
  A(IN, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(INOUT, W, best, "n") A(COUNT, u32, found, "1")
ARGS(heaviest, HEAVIEST_ARGS)
VERTEX_BODY(heaviest) {
  const u32 first = a->off[v], last = a->off[v + 1];
  if (first == last) return;
  W most = a->w[first];
  for (u32 e = first + 1; e < last; e++)
    if (a->w[e] > most) most = a->w[e];
  a->best[v] = most;
  count->found++;
}
]]

it("runs for each element type, from a file and from a text", function()
  with_file(".h", HEAVIEST, function(path) kernel.load(path) end)
  for pass = 1, 2 do
    for _, kind in ipairs {"i32", "i64", "f32", "f64"} do
      local g, best = graph.from_edges {{0, 1, 5}, {0, 2, 7}, {2, 0, 1}, weights = kind}, buffer.new(kind, 3)
      equal(heaviest(g, best), 2)
      equal(best:totable(), buffer.new(kind, {7, 0, 1}):totable())
    end
    kernel(HEAVIEST)
  end
end)

it("is a primitive like any other: arguments, contracts, statistics, compare, the journal's name", function()
  local g = graph.from_edges {{0, 1, 5}, {0, 2, 7}, {2, 0, 1}, weights = "i32"}
  raises("argument 2 (best: weights[n]) is missing", heaviest, g)
  raises("argument 2 (best): expected a buffer weights[n], got number", heaviest, g, 5)
  raises("expected i32[3]", heaviest, g, buffer.new("i32", 4))
  raises("expected an offset", heaviest, buffer.new("u32", {0, 9, 2, 3}), g.w, buffer.new("i32", 3))
  equal(prim.describe("heaviest").types, {"i32", "i64", "f32", "f64"})
  equal(prim.takes.heaviest, {"off", "w", "best"})
  stats("reset")
  heaviest(g, buffer.new("i32", 3))
  equal(stats()[1].kernel, "heaviest")
  compare("cpu", "cpu:1")
  equal(heaviest(g, buffer.new("i32", 3)), 2)
  compare(false)
end)

describe("a long generated text, whose rows are compiled in parts,", function()
  local function row(name, body)
    return (HEAD .. 'PRIM(@, @_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "@(out)")\n#define @_ARGS(A, W) A(INOUT, u32, out, "n")\n' ..
      "ARGS(@, @_ARGS)\nVERTEX_BODY(@) {\n" .. body .. "\n}\n"):gsub("@", name)
  end
  local function text(last) -- five rows; two of them call a function that the text defines
    local rows = {"/* " .. ("long "):rep(4000) .. " */\n#include \"language/kernel.h\"\nLS_INLINE u32 twice_of(u32 x) { return 2 * x; }\n"}
    for k = 1, 4 do rows[#rows + 1] = row("part" .. k, ("  a->out[v] = %s;"):format(k % 2 == 0 and "twice_of(a->out[v])" or "a->out[v] + " .. k)) end
    rows[#rows + 1] = row("part5", last)
    return table.concat(rows)
  end
  it("does what each row says", function()
    kernel.generated(text "  a->out[v] += 1;", "a spec")
    local x = buffer.new("u32", {1, 2})
    for _, name in ipairs {"part1", "part2", "part3", "part4", "part5"} do prim[name](x) end
    equal(x:totable(), {(2 * (1 + 1) + 3) * 2 + 1, (2 * (2 + 1) + 3) * 2 + 1})
    kernel.bounds("part5", "on") -- the bounds-checked variant is compiled in parts, too
    part5(x)
    equal(x[0], 16)
  end)
  it("is refused with the line of its error, and changes nothing", function()
    local before = part1
    raises("wrong", kernel.generated, text "  a->out[v] = wrong;")
    local x = buffer.new("u32", {1, 2})
    before(x)
    part5(x)
    equal(x:totable(), {3, 4})
  end)
end)

it("has extents with macros that are numbers, of its own or of a header", function()
  with_file(".h", "#define WIDE 3\n", function(path)
    local header = path:match "[^/]*$"
    with_file(".h", '#include "' .. header .. '"\n#define TWICE 2\n' ..
      vertex('A(OUT, u32, out, "WIDE*n+TWICE") A(VALUE, u32, n_of, "1")', "a->out[3 * v + 1] = 7;"), function(text) kernel.load(text) end)
  end)
  local out = buffer.new("u32", 3 * 4 + 2)
  k(out, 5)
  equal(out[10], 7)
  raises("expected a buffer u32[3*n+2]", k, 5, 5)
  raises("no VALUE and no other buffer gives its size", kernel, "#define FEW (3)\n" .. vertex('A(OUT, u32, out, "FEW*n")', ""))
end)

it("is replaced from the next call on, also where it was kept in a variable", function()
  kernel(vertex(OUT, "a->out[v] = 1;"))
  stats("reset")
  local kept, out = k, buffer.new("u32", 4)
  k(out)
  equal(out[3], 1)
  kernel(vertex(OUT, "a->out[v] = 2;"))
  kept(out)
  equal(out[3], 2)
  local table = tostring(stats())
  assert(table:find("\nk (old) ", 1, true) and table:find("\nk  ", 1, true), table)
end)

describe("a part of a row that is missing is named", function()
  local FRONT = HEAD .. [=[
PRIM(expand, EXPAND_ARGS, UNTYPED, QUEUE_EDGES, "queue", FIXPOINT, "", "", "expand(g, seen, front)")
#define EXPAND_ARGS(A, W) A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, seen, "n") \
                          A(QIN, u32, front, "n+1", queue, "n")
ARGS(expand, EXPAND_ARGS)
SELECT(expand) { return true; }
EDGES_BODY(expand) { atomic_add(&a->seen[a->to[e]], 1); }
]=]
  local BEST = HEAD .. [=[
PRIM(best, BEST_ARGS, FOR_W, VERTEX_BEST, "n", EXACT, "", "", "best(g, at)")
#define BEST_ARGS(A, W) A(OFF, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(OUT, u32, at, "n")
ARGS(best, BEST_ARGS)
SELECT(best) { return true; }
SCORE(best, W) { return a->w[e]; }
BEST_BODY(best, W) { a->at[v] = e; }
]=]
  for _, case in ipairs {
    {FRONT, "SELECT[^\n]*", "", "a QUEUE_EDGES row: it needs SELECT(expand) { return true; }"},
    {FRONT, "EDGES_BODY[^\n]*", "", "it needs EDGES_BODY(expand) { ... }"},
    {FRONT, "EDGES_BODY", "VERTEX_BODY", "it needs EDGES_BODY(expand) { ... }, one thread for each edge e of a vertex v, not VERTEX_BODY"},
    {FRONT, "\nARGS[^\n]*", "", "it needs ARGS(expand,"},
    {BEST, "SCORE[^\n]*", "", "a VERTEX_BEST row: it needs SCORE(best, type)"},
    {BEST, "SELECT[^\n]*", "", "it needs SELECT(best)"},
    {BEST, "BEST_BODY[^\n]*", "", "it needs BEST_BODY(best, type)"},
    {FRONT, "return true", "return tru", "'tru' undeclared"},
  } do
    it(case[4], function() raises(case[4], kernel, (case[1]:gsub(case[2], case[3]))) end)
  end

  it("and a queue that a kernel has had prints its items alone, in a bundle too", function()
    kernel(FRONT)
    local g = gen.ring(5)
    local s = bundle {seen = buffer.new("u32", 5), front = buffer.new("u32", 6)}
    s.front[0], s.front[1], s.front[2], s.front[4] = 2, 4, 1, 77
    expand(g, s)
    equal(tostring(s.front):match "queue of .*", "queue of 2: 4 1")
    equal(s.seen:totable(), {1, 0, 1, 0, 0})
    raises("argument 2 (off): expected a buffer u32[n+1], got number; a graph among the arguments brings it", expand, s, 3)
    expand(bundle {graph = g, seen = s.seen, front = s.front})
    equal(s.seen:totable(), {2, 0, 2, 0, 0})
  end)
end)

it("takes the place of a shipped one, which can be brought back", function()
  local g = gen.rmat {scale = 10, degree = 4, seed = 3}
  local count, shipped = scc(g).count, kernel.source("trim")
  for _, name in ipairs {"trim", "split", "pick_pivots", "reach_forward", "residual", "tight_edges"} do
    kernel(kernel.source(name))
  end
  equal(scc(g).count, count)
  raises("a kernel needs another name", kernel, vertex(OUT, "a->out[v] = 1;"):gsub("%f[%w]k%f[%W]", "print"))
  for _, name in ipairs {"trim", "split", "pick_pivots", "reach_forward", "residual", "tight_edges"} do
    kernel.restore(name)
  end
  equal(kernel.source("trim"), shipped)
  equal(scc(g).count, count)
end)

it("has a body that runs once, on a CPU alone", function()
  local row = 'PRIM(running, RUNNING_ARGS, UNTYPED, CPU_LIBRARY, "n", EXACT, "", "", "running(x, sums)")\n' ..
    '#define RUNNING_ARGS(A, W) A(IN, u32, x, "n") A(OUT, u32, sums, "n") A(COUNT, u32, sum, "1")\nARGS(running, RUNNING_ARGS)\n'
  kernel(HEAD .. row .. [=[
CPU_LIBRARY(running) {
  for (u64 i = 0; i < L->items; i++) a->sums[i] = count->sum += a->x[i];
  return LS_OK;
}
]=])
  local x, sums = buffer.new("u32", {3, 1, 4, 1, 5}), buffer.new("u32", 5)
  if device().processor == "cpu" then
    equal({running(x, sums), sums[0], sums[2], sums[4]}, {14, 3, 8, 14})
  else
    raises("running runs only on a CPU", running, x, sums)
  end
  if device().processor == "cpu" then raises("it needs CPU_LIBRARY(running)", kernel, HEAD .. row) end
end)

it("fills queues, walks edges, takes the best of them", function()
  local g = gen.rmat {scale = 8, degree = 8, seed = 1, weights = "i32"}
  kernel(HEAD .. [=[
PRIM(sinks, SINKS_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "sinks(g, found)")
#define SINKS_ARGS(A, W) A(IN, u32, off, "n+1") A(QOUT, u32, found, "n+1")
ARGS(sinks, SINKS_ARGS)
VERTEX_BODY(sinks) { if (a->off[v] == a->off[v + 1]) PUSH(found, v); }
PRIM(into, INTO_ARGS, UNTYPED, VERTEX_EDGES, "n", EXACT, "", "", "into(g, seen)")
#define INTO_ARGS(A, W) A(OFF, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(INOUT, u32, seen, "n")
ARGS(into, INTO_ARGS)
SELECT(into) { return true; }
EDGES_BODY(into) { atomic_add(&a->seen[a->to[e]], 1); }
PRIM(lightest, LIGHTEST_ARGS, FOR_W, VERTEX_BEST, "n", EXACT, "", "", "lightest(g, at)")
#define LIGHTEST_ARGS(A, W) A(OFF, u32, off, "n+1", offset, "m") A(IN, W, w, "m") A(OUT, u32, at, "n")
ARGS(lightest, LIGHTEST_ARGS)
SELECT(lightest) { return true; }
SCORE(lightest, W) { return a->w[e]; }
BEST_BODY(lightest, W) { a->at[v] = e; }
]=])
  local found, seen, at = buffer.new("u32", g.n + 1), buffer.new("u32", g.n), buffer.new("u32", g.n)
  sinks(g, found)
  into(g, seen)
  lightest(g, at)
  local degree, count = {}, 0
  for v = 0, g.n - 1 do
    if g.off[v] == g.off[v + 1] then count = count + 1 end
    local best, where = nil, 0xffffffff
    for e = g.off[v], g.off[v + 1] - 1 do
      degree[g.to[e]] = (degree[g.to[e]] or 0) + 1
      if not best or g.w[e] < best then best, where = g.w[e], e end
    end
    equal(at[v], where)
  end
  equal(found[0], count)
  for v = 0, g.n - 1 do equal(seen[v], degree[v] or 0) end
end)

it("has memory for each block, as much as its shape says", function()
  local text = HEAD .. [[
PRIM(turn_round, TURN_ROUND_ARGS, FOR_NARROW, TILE, "k", EXACT, "", "", "turn_round(x): each 1024 elements in turned order.")
#define TURN_ROUND_ARGS(A, W) A(INOUT, W, x, "1024*k") A(VALUE, u32, k, "1")
ARGS(turn_round, TURN_ROUND_ARGS)
SHAPE(turn_round, 256, 2, 13 * 1024 * sizeof(W))
TILE_BODY(turn_round) {
  UNUSED_BODY;
  TILE_MEMORY(W, copy, 13 * 1024);
  EACH(i, j) copy[13 * (i * TILE + j)] = a->x[1024 * tile + i * TILE + j];
  TILE_SYNC;
  EACH(i, j) a->x[1024 * tile + i * TILE + j] = copy[13 * (1023 - i * TILE - j)];
}
]]
  kernel(text)
  local before = kernel.bounds()
  for _, bounds in ipairs {"off", "on"} do
    kernel.bounds(bounds)
    for _, kind in ipairs {"i32", "f32"} do
      local x = buffer.new(kind, 5 * 1024)
      for i = 0, #x - 1 do x[i] = i end
      turn_round {x = x, k = 5}
      for i = 0, #x - 1 do
        if x[i] ~= i // 1024 * 1024 + 1023 - i % 1024 then error(("%s: x[%d] is %s"):format(kind, i, x[i])) end
      end
    end
  end
  kernel.bounds(before)
  raises("one_tile_memory", kernel, (text:gsub("TILE_SYNC;", "TILE_SYNC; TILE_MEMORY(W, other, 3);"):gsub("turn_round", "turn_twice")))
end)

it("makes loops in words: the same in one piece, step by step, and after a row was replaced", function()
  local g = gen.grid {20, 20}
  kernel.load(arg[0]:match("^(.*)/") .. "/../../samples/kernels/labels.h")
  local function run(f)
    local label = buffer.new("u32", g.n)
    labels_first(label)
    local counted = f(label)
    return label:totable(), counted
  end
  local free = run(function(label) return labels(g, label) end)
  local stepped = run(function(label) return fixpoint(function() return labels_lower(g, label) end) end)
  equal(free, stepped)
  for _, x in ipairs(free) do equal(x, 0) end
  kernel(kernel.source("labels_lower"):match("^(.-)LOOP") .. "")
  equal(run(function(label) return labels(g, label) end), free)
  raises("not a row of one kernel", loop, 'LOOP(l, UNTYPED, "l()")\nSTEP(no_such_row)\nEND_LOOP(l)')
  raises("has this COUNT", loop, 'LOOP(l, UNTYPED, "l()")\nREPEAT STEP(labels_lower) UNTIL(nothing)\nEND_LOOP(l)')
  raises("kernel:2: 'WHILE'", loop, 'LOOP(l, UNTYPED, "l()")\nWHILE\nEND_LOOP(l)')
  raises("END_LOOP(l)", loop, 'LOOP(l, UNTYPED, "l()")\nSTEP(labels_lower)')
  raises("a STEP is STEP(row) or", loop, 'LOOP(l, UNTYPED, "l()")\nSTEP(labels_lower,     )\nEND_LOOP(l)')
  for _, agreement in ipairs {"WITHIN(1)", "WITHIN(1, 2, 3)", "WITHIN(1, x)", "WITHIN(1 2)"} do
    raises("its agreement is EXACT, TIE or WITHIN", kernel, vertex('A(OUT, f64, out, "n", ' .. agreement .. ")", ""))
  end
end)

-- Errors in a text: the message names the line.
local WRONG = {
  {"no row", HEAD, "it has no row"},
  {"a comment without an end", HEAD .. "/* so", ":2: a comment has no end"},
  {"a string without an end", HEAD .. 'PRIM(k, "', ":2: a string has no end"},
  {"a column too few", HEAD .. "PRIM(k, K_ARGS, UNTYPED)", ":2: a row is PRIM("},
  {"no parenthesis", HEAD .. "PRIM(k, K_ARGS, UNTYPED", "its ) is missing"},
  {"a set of types", vertex(OUT, ""):gsub("UNTYPED", "FOR_X"), ":2: k: there is no set of types 'FOR_X' (expected one of UNTYPED FOR_W FOR_DENSE"},
  {"a domain", vertex(OUT, ""):gsub("VERTEX, ", "VERTICES, "), "there is no domain 'VERTICES'"},
  {"a domain of the build", vertex(OUT, ""):gsub("VERTEX, ", "LIBRARY, "), ":2: k: there is no domain 'LIBRARY' (VERTEX"},
  {"an agreement", vertex(OUT, ""):gsub("EXACT", "SAME"), "there is no agreement 'SAME'"},
  {"no arguments", HEAD .. 'PRIM(k, K_ARGS, UNTYPED, VERTEX, "n", EXACT, "", "", "")', "nothing defines its arguments"},
  {"a role", vertex('A(INN, u32, b, "n")', ""), ":3: argument b: there is no role 'INN'"},
  {"a type", vertex('A(IN, u33, b, "n")', ""), "there is no type 'u33'"},
  {"W without types", vertex('A(IN, W, b, "n")', ""), "the row is UNTYPED"},
  {"an extent", vertex("A(OUT, u32, b, n)", ""), "its extent is a string"},
  {"a size that nothing gives", vertex('A(OUT, u32, b, "n*q")', ""), "no VALUE and no other buffer gives its size"},
  {"a contract", vertex('A(IN, u32, b, "n", vertices, "n")', ""), "there is no contract 'vertices'"},
  {"two of a name", vertex(OUT .. " " .. OUT, ""), "two arguments are called out"},
  {"a queue too few", vertex(OUT, ""):gsub("VERTEX", "QUEUE"), "one QIN argument"},
  {"a cost", vertex(OUT, ""):gsub('EXACT, ""', 'EXACT, "4*q"'), "no size is called 'q'"},
  {"a header", '#include "scc/none.h"\n' .. vertex(OUT, ""), ":1: there is no header"},
  {"a header above", '#include "../x.h"\n' .. vertex(OUT, ""), ":1: there is no header"},
  {"syntax", vertex(OUT, "a->out[v] = ;"), ":6: "},
  {"an unknown name", vertex(OUT, "\na->out[v] = x;"), ":7: "},
  {"an unknown argument", vertex(OUT, "a->of[v] = 1;"), ":6: "},
  {"a write to what is read", vertex('A(IN, u32, b, "n")', "a->b[v] = 1;"), ":6: "},
  {"an unknown function", vertex(OUT, "a->out[v] = twice(v);"), ":6: "},
  {"a function of math.h", vertex(OUT, "a->out[v] = (u32)sqrtf(v);"), "#include <math.h>"},
  {"a function of stdio.h", vertex(OUT, 'printf("%u", v);'), "#include <stdio.h> for printf"},
  {"no body", vertex(OUT, ""):gsub("VERTEX_BODY.*", ""), "k"},
  {"a barrier that not all threads come to", (vertex('A(INOUT, u32, b, "1024")', "EACH(i, j) {\n  TILE_SYNC;\n  a->b[i * 32 + j]++;\n}")
    :gsub("VERTEX", "TILE"):gsub('"n"', '"1"')), "must_stand_outside_EACH"},
  {"a name in capitals", vertex(OUT, ""):gsub("%f[%w]k%f[%W]", "K"), "expected small letters"},
}
for _, case in ipairs(WRONG) do
  it("tells what is wrong: " .. case[1], function()
    local before = kernel.source("heaviest")
    raises(case[3], kernel, case[2])
    equal(kernel.source("heaviest"), before)
  end)
end

-- Out-of-bounds accesses: {what, arguments, body, message}
local g = graph.from_edges {{0, 1}, {0, 2}, {2, 0}}
local OUTSIDE = {
  {"reads behind", GRAPH .. OUT, "u32 s = 0; for (u32 e = a->off[v]; e <= a->off[v + 1]; e++) s += a->to[e]; a->out[v] = s;",
    "k: vertex 2 reads to[3], outside its extent of 3 elements"},
  {"reads before", GRAPH .. OUT, "a->out[v] = a->to[(int)v - 3];", "reads to[-"},
  {"writes behind", GRAPH .. OUT, "a->out[v + 3] = 1;", "writes out["},
  {"writes far away", GRAPH .. OUT, "a->out[(u64)v << 40 | 1ull << 50] = 1;", "writes out["},
  {"an atomic outside", GRAPH .. 'A(INOUT, u32, out, "n")', "atomic_add(&a->out[a->n], 1);", "reads or writes out[3], outside its extent of 3 elements"},
}
for _, case in ipairs(OUTSIDE) do
  it("finds what leaves an array: " .. case[1], function()
    kernel(vertex(case[2], case[3]))
    local out = buffer.new("u32", {7, 8, 9})
    raises(case[4], k, g, out)
    raises("_spec.lua:", k, g, out)
    equal(out:totable(), {7, 8, 9})
    equal(scc(g).count, 2)
  end)
end

it("checks shipped rows too, when it is asked to, with the same results", function()
  local big = gen.rmat {scale = 9, degree = 6, seed = 2, weights = "i32"}
  local count, dist = scc(big).count, sssp(big, 0).dist:totable()
  local before = kernel.bounds() -- "on" if the program was started with --bounds
  kernel.bounds("own")
  kernel.bounds("trim", "on")
  kernel.bounds("relax", "on")
  kernel.bounds("reach_forward", "on")
  equal(kernel.bounds("trim"), "on")
  equal(scc(big).count, count)
  equal(sssp(big, 0).dist:totable(), dist)
  kernel.bounds("own")
  equal(kernel.bounds("trim"), "off")
  kernel.bounds(before)
  raises("there is no primitive", kernel.bounds, "no_such", "on")
  raises("is a loop", kernel.bounds, "trim_fix", "on")
  raises("invalid option", kernel.bounds, "maybe")
end)

it("may have a comment of several lines behind a directive", function()
  kernel("#if 1 /* it isn't\n  so: don't */\n#endif // can't\n" .. vertex(OUT, "a->out[v] = 7;"))
  local out = buffer.new("u32", 3)
  k(graph.from_edges {{0, 1}, {1, 2}}, out)
  equal(out:totable(), {7, 7, 7})
  raises("kernel:2: a comment has no end", kernel, "\n#if 1 /* never\n")
end)

local program = arg[-1] or io.open("/proc/self/cmdline", "rb"):read "a":match "^[^\0]+"

-- How many CPU libraries the kernels of a script are compiled to: the number of .so files in an empty cache folder after the run.
local function compiled_for_cpu(script, backend)
  local cache, count = temporary ".cache", 0
  with_file(".lua", script, function(path)
    local run = ("XDG_CACHE_HOME=%s %s --backend %s %s"):format(cache, program, backend, path)
    assert(os.execute(run), run)
  end)
  local pipe = io.popen(("find %s -name '*.so'"):format(cache))
  for _ in pipe:lines() do count = count + 1 end
  pipe:close()
  os.execute("rm -rf " .. cache)
  return count
end

it("is compiled for the present device alone if the program made it", function()
  local load = 'local b = model.load(model.sample "lotka-volterra"):bytecode():compile{method = "euler"} '
  local run = 'b:run{start = 0, stop = 1, intervals = 1, dt = 0.1, method = "euler", columns = {0}} '
  local by_text = ("kernel[[%s]]"):format(vertex(OUT, "a->out[v] = 4711;"))
  equal(compiled_for_cpu(load .. run, "cpu"), 1)
  equal(compiled_for_cpu((by_text:gsub("^kernel", "kernel.generated")), "cpu"), 1)
  if device().processor == "cpu" then return end
  equal(compiled_for_cpu(load .. run, "cuda"), 0)
  equal(compiled_for_cpu((by_text:gsub("^kernel", "kernel.generated")), "cuda"), 0)
  equal(compiled_for_cpu(by_text, "cuda"), 1)
end)

it("is compiled where there are many variables in the environment", function()
  local many, cache = {}, temporary ".cache"
  for i = 1, 400 do many[i] = ("A%d=%d"):format(i, i) end
  with_file(".lua", ("kernel[[%s]] print 'fine'"):format(vertex(OUT, "a->out[v] = 4711;")), function(path)
    local pipe = io.popen(("env -i %s PATH=\"$PATH\" XDG_CACHE_HOME=%s %s %s 2>&1"):format(table.concat(many, " "), cache, program, path))
    equal(pipe:read "a", "fine\n")
    pipe:close()
  end)
  os.execute("rm -rf " .. cache)
end)

it("is saved as a file, and into a family", function()
  kernel(HEAVIEST)
  local folder = temporary("")
  os.execute("mkdir " .. folder)
  local family = folder .. "/mine"
  os.execute("mkdir " .. family)
  equal(kernel.save("heaviest", folder .. "/h.h"), folder .. "/h.h")
  kernel.load(folder .. "/h.h")
  kernel.save("heaviest", family)
  local header, def = io.open(family .. "/heaviest.h"):read("a"), io.open(family .. "/mine.def"):read("a")
  equal(header:find("PRIM(", 1, true), nil)
  equal(def:match("PRIM%b()"), HEAVIEST:match("PRIM%b()"))
  raises("already exists", kernel.save, "heaviest", family)
  for i, form in ipairs {"%s/", "%s/."} do -- the family has the folder's name, with or without a trailing / or /.
    local other = folder .. "/other" .. i
    os.execute("mkdir " .. other)
    kernel.save("heaviest", form:format(other))
    local def = assert(io.open(("%s/other%d.def"):format(other, i)))
    equal(def:read "a":find("PRIM(heaviest,", 1, true) ~= nil, true)
    def:close()
  end
  os.execute("rm -r " .. folder)
end)

-- A row that writes each VALUE argument to an array of the same type, and a loop over this row.
local VALUE_TYPES = {"u8", "u16", "u32", "u64", "i16", "i32", "i64", "f32", "f64"}
local function put_values()
  local args, body = {}, {}
  for i, kind in ipairs(VALUE_TYPES) do
    args[i] = ('A(INOUT, %s, x_%s, "k") A(VALUE, %s, v_%s, "1")'):format(kind, kind, kind, kind)
    body[i] = ("a->x_%s[i] = a->v_%s;"):format(kind, kind)
  end
  kernel(HEAD .. 'PRIM(put_values, PUT_VALUES_ARGS, UNTYPED, ELEMENT, "k", EXACT, "", "", "put_values{...}")\n#define PUT_VALUES_ARGS(A, W) ' ..
    table.concat(args, " ") .. "\nARGS(put_values, PUT_VALUES_ARGS)\nELEMENT_BODY(put_values) {\n  UNUSED_BODY;\n  " .. table.concat(body, "\n  ") ..
    '\n}\nLOOP(put_twice, UNTYPED, "put_twice{...}")\n  FOR(turn, "k")\n    STEP(put_values)\n    STEP(put_values, WITH(v_f64, 3) WITH(v_f32, 4) WITH(v_u8, 200))\n' ..
    "  END_FOR\nEND_LOOP(put_twice)\n")
  local given = {}
  for _, kind in ipairs(VALUE_TYPES) do given["x_" .. kind], given["v_" .. kind] = buffer.new(kind, 3), 0 end
  return given
end

it("takes VALUEs of every type, exact, and refuses what a type does not hold", function()
  local given = put_values()
  local good = {u8 = {0, 255}, u16 = {0, 65535}, u32 = {0, 0xffffffff}, u64 = {0, math.maxinteger, 2^63}, i16 = {-32768, 32767},
    i32 = {-0x80000000, 0x7fffffff}, i64 = {math.mininteger, math.maxinteger, (1 << 53) + 1, 5.0}, f32 = {-0.5, 3, math.huge},
    f64 = {0.1, -3, 1 << 60, -math.huge}}
  for kind, values in pairs(good) do
    for _, x in ipairs(values) do
      given["v_" .. kind] = x
      prim.put_values(given)
      for i = 0, 2 do assert(given["x_" .. kind][i] == x, kind .. " " .. x) end
    end
    given["v_" .. kind] = 0
  end
  for kind, values in pairs {u8 = {-1, 256}, u16 = {-1, 65536}, u32 = {-1, 1 << 32}, u64 = {-1, 2^64}, i16 = {-32769, 32768},
    i32 = {-0x80000001, 0x80000000}, i64 = {2^63}, f32 = {1e300}} do
    for _, x in ipairs(values) do
      given["v_" .. kind] = x
      raises(("put_values: argument v_%s: "):format(kind), prim.put_values, given)
      raises((" does not fit %s ("):format(kind), prim.put_values, given)
    end
    given["v_" .. kind] = 0
  end
  given.v_i32 = 0.5
  raises("argument v_i32: 0.5 is not an integer, which i32 needs", prim.put_values, given)
end)

it("takes them in a loop too, step by step and in one piece", function()
  local given = put_values()
  given.v_i64, given.v_u64, given.v_f64, given.v_f32, given.v_i16 = math.mininteger + 1, 2^63, 0.25, 0.5, -7
  local was = session.stepped
  for _, stepped in ipairs {false, true} do
    session.stepped = function() return stepped end
    for _, kind in ipairs(VALUE_TYPES) do given["x_" .. kind] = buffer.new(kind, 3) end
    put_twice(given)
    session.stepped = was
    equal({given.x_i64[2], given.x_u64[2], given.x_f64[2], given.x_f32[2], given.x_u8[2], given.x_i16[2]},
      {math.mininteger + 1, 2^63, 3.0, 4.0, 200, -7})
  end
  local function bound(name, x)
    return function() loop(('LOOP(put_wrong, UNTYPED, "put_wrong{...}")\n  STEP(put_values, WITH(%s, %s))\nEND_LOOP(put_wrong)\n'):format(name, x)) end
  end
  raises("put_values: 'v_u8': 256 does not fit u8 (0 to 255)", bound("v_u8", 256))
  raises("put_values: 'v_u64' is 4294967296, expected a whole number below 2^32", bound("v_u64", 1 << 32))
end)

it("has sizes by VALUEs of unsigned types alone", function()
  local function sized_by(kind)
    return function()
      kernel(HEAD .. ('PRIM(k, K_ARGS, UNTYPED, ELEMENT, "k*p", EXACT, "", "", "k(x, p)")\n#define K_ARGS(A, W) A(OUT, u32, x, "k*p") A(VALUE, %s, p, "1")\n')
        :format(kind) .. "ARGS(k, K_ARGS)\nELEMENT_BODY(k) {\n  UNUSED_BODY;\n  a->x[i] = 7;\n}\n")
    end
  end
  for _, kind in ipairs {"u8", "u16", "u32", "u64"} do
    sized_by(kind)()
    local x = buffer.new("u32", 12)
    k(x, 4)
    equal(x:count(7), 12)
  end
  for _, kind in ipairs {"i16", "i32", "i64", "f32", "f64"} do
    raises("argument x[k*p]: no VALUE and no other buffer gives its size", sized_by(kind))
  end
end)

it("has a VALUE of 32 or 64 bits from a state's size of its name", function()
  for _, kind in ipairs {"u32", "u64"} do
    kernel(HEAD .. ('PRIM(k, K_ARGS, UNTYPED, ELEMENT, "vars*cells", EXACT, "", "", "k(s)")\n#define K_ARGS(A, W) A(OUT, f64, x, "vars*cells") A(VALUE, %s, vars, "1")\n')
      :format(kind) .. "ARGS(k, K_ARGS)\nELEMENT_BODY(k) {\n  UNUSED_BODY;\n  a->x[i] = (f64)a->vars;\n}\n")
    local s = state.ode {vars = 3, cells = 2, columns = 1, rows = 1, kept = 1, span = 1, events = 1, slots = 1}
    k(s)
    equal(s.x:totable(), {3.0, 3.0, 3.0, 3.0, 3.0, 3.0})
  end
end)

long("has more than 2^32 elements where its items are so many", function()
  if not sized(true, false) then return end
  kernel(HEAD .. [==[
PRIM(far, FAR_ARGS, UNTYPED, ELEMENT, "k*times", EXACT, "0", "0", "far(x, ends, times)")
#define FAR_ARGS(A, W) A(IN, u8, x, "k") A(INOUT, u64, ends, "2") A(VALUE, u32, times, "1") A(COUNT, u32, all, "1") A(COUNT, u32, above, "1")
ARGS(far, FAR_ARGS)
ELEMENT_BODY(far) {
  (void)push;
  count->all++;
  count->above += i > 0xffffffffu;
  if (i == 0) a->ends[0] = i + 1;
  if (i == (u64)a->times * 65536 - 1) a->ends[1] = i;
}
]==])
  local ends = buffer.new("u64", 2)
  equal({far(buffer.new("u8", 65536), ends, 65537)}, {65536 * 65537, 65536})
  equal(ends:totable(), {1, 65536 * 65537 - 1})
end)
