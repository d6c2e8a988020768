-- Kernels generated from bytecode, compiled by the host's compiler: they give the same results as the interpreter.
local methods = import "ode/bytecode"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local root = (arg[0]:match("^(.*)/tests/") or ".") .. "/"

local found = os.execute("cc --version > /dev/null 2>&1")
if not found then print "left out: there is no compiler cc here" end

-- The C text of a program that reads values from a file, takes `steps` steps and writes the new values.
local function program(b, files, name, method, steps, dt)
  local out = {'#include <stdio.h>\n#include <stdlib.h>\n#include "language/kernel.h"\n#define W none\n'}
  local function put(form, ...) out[#out + 1] = form:format(...) .. "\n" end
  local names = {}
  for p = 1, b.phases do names[p] = ("%s_%d"):format(name, p) end
  names[#names + 1] = ("%s_states_%s"):format(name, method)
  for _, of in ipairs(names) do put("%s", files[of .. ".h"]) end
  put("static void *get(FILE *f, size_t n, size_t size) { void *p = malloc(n * size); if (fread(p, size, n, f) != n) exit(1); return p; }")
  put("int main(int c, char **v) { FILE *f = fopen(v[1], \"rb\"); (void)c;")
  put("f64 *numbers = get(f, %d, 8); u32 *places = get(f, %d, 4); f64 *x = get(f, %d, 8), *y = malloc(%d * 8), dt = %a;",
    b.constants, b.operands, b.vars * b.cells, b.vars * b.cells, dt)
  put("u64 clock[6]; f64 *past_time = malloc((%d + 1) * 8), *past = malloc(%d * %d * 8); u64 samples = 1; (void)past, (void)samples;",
    steps, steps + 1, math.max(1, b.delayed * b.cells))
  put("if (fread(clock, 8, 6, f) != 6) exit(1);")
  local function remember() -- stores a sample of the delayed variables
    if b.delayed == 0 then return end
    put("past_time[samples - 1] = x[%d];", (b.vars - 1) * b.cells)
    for k = 0, b.delayed - 1 do
      put("for (u32 c = 0; c < %d; c++) past[((samples - 1) * %d + %d) * %d + c] = x[%d + c];", b.cells, b.delayed, k, b.cells,
        b.past_of[k] * b.cells)
    end
  end
  remember()
  put("f64 *begin = calloc(%d, 8), *rate = calloc(%d, 8); (void)begin, (void)rate;", b.vars * b.cells, b.vars * b.cells)
  put("for (u64 i = 0; i < %d; i++) y[i] = x[i];", b.vars * b.cells)
  put("for (int s = 0; s < %d; s++) for (u32 stage = 0; stage < %d; stage++) {", steps, method == "rk4" and 4 or 1)
  for k = 0, b.phases do
    local of = names[k == 0 and #names or k]
    local p = k == 0 and b.phases or k - 1
    put("{ %s_counts_none count = {0}; %s_args_none a = {.numbers = numbers, .places = places, .constants = %d, .operands = %d, .vars = %d, .cells = %d, .x = x, .clock = clock, .past_time = past_time, .past = past, .kept = %d, .delayed = %d,",
      of, of, b.constants, b.operands, b.vars, b.cells, steps + 1, b.delayed)
    if k == 0 then put(".x_next = y, .dt = &dt,%s", method == "rk4" and " .begin = begin, .rate = rate, .stage = stage" or "") end
    put("}; for (u32 i = 0; i < %d; i++) %s_body_none(&a, &count, NULL, i); }", (b.first[p + 1] - b.first[p]) * b.cells, of)
    if k == 0 then put("{ f64 *z = x; x = y; y = z; }") end
  end
  put("if (stage == %d) { clock[%d]++; samples++;", method == "rk4" and 3 or 0, 0)
  remember()
  put("}")
  put("} for (u64 i = 0; i < %d; i++) printf(\"%%a\\n\", x[i]); return 0; }", b.vars * b.cells)
  return table.concat(out)
end

local function bytes(form, b)
  local out = {}
  for i = 0, #b - 1 do out[i + 1] = string.pack(form, b[i]) end
  return table.concat(out)
end

local function clock(c) -- with 0 in place of the random key, which orders events
  return string.pack("<i8i8i8i8i8i8", c[0], c[1], c[2], c[3], c[4], 0)
end

local function run(m, o)
  local b = m:bytecode(o.how)
  local files = b:translate {name = "made"}
  local x, _, timed = b:start {seed = 9, dt = o.dt}
  local source, values, binary = temporary ".c", temporary ".bin", temporary ".run"
  local f = io.open(source, "w")
  f:write(program(b, files, "made", o.method, o.steps, o.dt))
  f:close()
  f = io.open(values, "wb")
  f:write(bytes("<d", b.numbers), bytes("<I4", b.places), bytes("<d", x), clock(timed and timed.clock or b.clock))
  f:close()
  local flags = "-O1 -std=gnu11 -Wall -Werror -Wno-unknown-pragmas -Wno-unused-variable -ffp-contract=off -fno-math-errno"
  local fine = os.execute(("cc %s -I%ssrc -I%skernels -o %s %s -lm"):format(flags, root, root, binary, source))
  equal(fine, true)
  local made = {}
  for line in io.popen(binary .. " " .. values):lines() do made[#made + 1] = tonumber(line) or ({inf = math.huge, ["-inf"] = -math.huge})[line] or 0 / 0 end
  for _, path in ipairs {source, values, binary} do os.remove(path) end
  equal(#made, b.vars * b.cells)
  local steps = b:run {start = 0, stop = o.steps * o.dt, intervals = 1, dt = o.dt, method = o.method, seed = 9, columns = (function()
    local all = {}
    for p = 0, b.vars - 1 do all[p + 1] = p end
    return all
  end)()}.columns
  for p = 0, b.vars - 1 do
    for c = 0, b.cells - 1 do
      local want, got = steps[p + 1][2 * c + 1], made[p * b.cells + c + 1]
      local same = want == got or (want ~= want and got ~= got)
      if not same and device().processor ~= "cpu" then same = math.abs(want - got) <= 1e-9 * (1e-3 + math.abs(want)) end
      if not same then error(("%s: %.17g by the interpreter, %.17g by the kernel"):format(b.code:name(p), want, got)) end
    end
  end
end

if found then
  describe("made kernels", function()
    local lr = model.load(M.samples .. "luo-rudy-1991.ode")
    for _, method in ipairs {"euler", "rk4"} do
      long("of a cell, by " .. method, function()
        run(lr, {method = method, steps = 100, dt = 0.01})
        run(lr, {method = method, steps = 10, dt = 0.01, how = {base = true, cells = 3}})
      end)
      it("of a line, by " .. method, function() run(M.line {cells = 5}, {method = method, steps = 50, dt = 0.01}) end)
    end
    it("of all operators", function()
      local m = model.from_text [[
a = root(3, -x) + log(2, x) + rem(7*x, 3) + mod(-7*x, 3) + quotient(7*x, 2) + factorial(3)
b = {1 if x < 1; 2 if x < 2 and not x == 1.5; {3 if x > 5; 4 otherwise} otherwise} + min(x, 2, 3) - max(x, 1)
c = {1 if x > 1 xor x > 2; 5 if x <= 3 implies x >= 2} + sech(x) + arccot(x) + mean(x, 1, 2) + 1e300*1e10
d = {-2 if x != 1 or x == 2; -1/0 otherwise}
x' = 0.5*b + d/100
x(0) = 0.75]]
      for _, how in ipairs {{}, {base = true}, {fold = true}} do run(m, {method = "rk4", steps = 20, dt = 0.1, how = how}) end
    end)
    long("of delays and noise", function()
      local m = model.from_text [[
x' = -delay(x, 0.25) + 0.1*wiener()
y = delay(x, 0.5 + 0.1*sin(x)) + uniform(0, 1) + gauss(1, 2) + exponential(2)
z = poisson(3) + gamma(2, 3) + lognormal(0, 1) + weibull(1, 2) + delay(y, 0.3)
w' = delay(x, 0.25) - y
x(0) = 1
w(0) = 0]]
      for _, method in ipairs {"euler", "rk4"} do
        for _, how in ipairs {{}, {base = true}, {cells = 3}} do run(m, {method = method, steps = 20, dt = 0.1, how = how}) end
      end
    end)
    long("simulate, with events, delays and noise, as the interpreter does", function()
      for _, text in ipairs {"x' = 0.1*wiener() - delay(x, 0.3)\nx(0) = 1\nn = 0\nwhen x > 1.01: n = n + uniform(0, 1), x = 0.9\ny = n + x\n" ..
        "when x < 0.5 after 0.1: x = 1"} do
        local m = model.from_text(text)
        for _, how in ipairs {{}, {base = true}} do
          local b = m:bytecode(how)
          for _, method in ipairs {"euler", "rk4"} do
            local o = {stop = 3, dt = 0.01, steps = 30, method = method, seed = 4, engine = "bytecode", bytecode = m:bytecode(how)}
            local want = simulate(m, o)
            o.engine, o.bytecode = "translator", b
            local got = simulate(m, o)
            equal({got.engine, got.events, got.events > 4}, {"translator", want.events, true})
            for _, name in ipairs(want.names) do
              for i = 0, 30 do M.near(got[name][i], want[name][i], device().processor == "cpu" and 0 or 1e-9) end
            end
          end
        end
      end
      local half = simulate(lr, {stop = 1, dt = 0.01, steps = 10, method = "rk4", engine = "translator"})
      local rest = simulate(lr, {stop = 2, dt = 0.01, steps = 10, method = "rk4", engine = "translator", from = half})
      local whole = simulate(lr, {stop = 2, dt = 0.01, steps = 20, method = "rk4"})
      for i = 0, 10 do M.near(rest.V[i], whole.V[10 + i], device().processor == "cpu" and 0 or 1e-9) end
      raises("is not for engine", simulate, lr, {stop = 1, engine = "translator", method = "cvode"})
      raises('there are "reference", "bytecode", "translator" and "auto"', simulate, lr, {stop = 1, engine = "fast"})
    end)
    -- A network in which neighbours do not have consecutive numbers, and every coefficient is different.
    local function network(n)
      local text, at = {}, 7
      local function any() at = at * 16807 % 2147483647 return at end
      for i = 1, n do
        text[#text + 1] = ("y%d = ln(1 + x%d*x%d) + %g*exp(-x%d)"):format(i, any() % n + 1, i, any() % 100 / 10, any() % n + 1)
        text[#text + 1] = ("x%d' = {y%d if x%d < 1.5; -y%d otherwise} - %g*x%d*p%d"):format(i, any() % n + 1, i, i, any() % 7, i, i % 3)
        text[#text + 1] = ("x%d(0) = %g"):format(i, any() % 1000 / 500)
      end
      return model.from_text(table.concat(text, "\n") .. "\np0 = 1\np1 = 0.5\np2 = 2\nq = p1*3\n")
    end
    -- Compares the kernel that takes many steps per launch with the interpreter (on a GPU: with kernels of one phase each), for all
    -- variables in two rows. grid: the variant of the kernel with grid barriers, which also runs on a CPU.
    local function both(m, how, method, steps, vary, grid)
      local b, want = m:bytecode(how), m:bytecode(how)
      local o = {start = 0, stop = 2 * steps * 0.01, intervals = 2, dt = 0.01, method = method, columns = {}, vary = vary}
      for p = 0, b.vars - 1 do o.columns[p + 1] = p end
      if device().processor ~= "cpu" then want:compile {method = method, phases = true} end -- uses the device's own exp etc., also for constants
      local expected, got = want:run(o), b:compile {method = method, grid = grid}:run(o)
      equal({b.many[device().processor][method].row ~= nil, got.steps}, {true, 2 * steps})
      for k = 1, #o.columns do
        if expected.columns[k]:diff(got.columns[k]) > 0 then
          error(("%s by %s: %.17g by the other form, %.17g by many steps"):format(b.code:name(k - 1), method, expected.columns[k][1],
            got.columns[k][1]), 2)
        end
      end
      equal((expected.x:diff(got.x)), 0)
    end
    for _, grid in ipairs(device().processor == "cpu" and {false, true} or {true}) do
      it("make many steps, bit for bit as the other forms do" .. (grid and ", by a grid" or ""), function()
        local function some(...) if due() then both(...) end end
        for _, method in ipairs {"euler", "rk4"} do
          some(lr, nil, method, 300, nil, grid)
          some(lr, {fold = false, cells = 3}, method, 50, {G_Na = {20, 23, 21}}, grid)
          some(lr, {base = true, cells = 70}, method, 20, nil, grid)
          some(M.line {cells = 20}, nil, method, 30, nil, grid) -- with neighbouring cells in vectors
          some(M.line {cells = 300, ring = true}, nil, method, 20, nil, grid) -- enough for several threads
          some(M.line {cells = 12}, {unify = "warp", cells = 2}, method, 10, nil, grid)
          some(network(40), nil, method, 25, nil, grid) -- consecutive numbers are no neighbours
          some(network(200), nil, method, 20, nil, grid)
        end
      end)
      long("make many steps: what is lost is named, time is a variable" .. (grid and ", by a grid" or ""), function()
        for _, method in ipairs {"euler", "rk4"} do
          both(model.from_text "x' = sin(t)*exp(-t) + t\ny = x*t\nx(0) = 1\nt = time", nil, method, 20, nil, grid)
          both(model.from_text "x' = 1\nx(0) = 1", nil, method, 20, nil, grid) -- a model that has no function but `time`
        end
        local b = model.from_text "x' = x^3*1e9\nx(0) = 1e3":bytecode():compile {method = "euler", grid = grid}
        raises("at time 0.04, with x = 1e+172 before this step: x is beyond the largest number", simulate, b.model, {stop = 1, dt = 0.1, method = "euler",
          engine = "translator", bytecode = b})
      end)
    end
    long("make many steps in pieces of a row, and of several", function()
      local m = M.line {cells = 40}
      local want = simulate(m, {stop = 40, dt = 0.01, steps = 1, method = "euler", engine = "translator", bytecode = m:bytecode():compile {phases = true}})
      local b = m:bytecode():compile {method = "euler", grid = true}
      local got = simulate(m, {stop = 40, dt = 0.01, steps = 1, method = "euler", engine = "translator", bytecode = b})
      for _, name in ipairs(want.names) do equal((want[name]:diff(got[name])), 0) end
    end)
    long("run in the checked form", function()
      local b = model.from_text "x' = -2*x\ny = x*x\nx(0) = 1":bytecode():compile {name = "checked_ones", phases = true}
      for _, name in ipairs {"checked_ones_1", "checked_ones_states_euler"} do kernel.bounds(name, "on") end
      local o = {start = 0, stop = 1, intervals = 2, dt = 0.125, method = "euler", columns = {0, 1}}
      local want = b.model:bytecode():run(o)
      local got = b:run(o)
      for k = 1, 2 do equal((got.columns[k]:diff(want.columns[k])), 0) end
      raises("'name' must be small letters", methods.compile, b, {name = "A"})
      raises("b:compile: expected the result of m:bytecode, not a table", methods.compile, {})
      raises("b:translate: expected the result of m:bytecode, not a number", methods.translate, 7)
    end)
    it("have numbers that C reads, and files that were written", function()
      local b = model.from_text "x' = -2 + 0*x\nx(0) = 1":bytecode {base = true}
      for i = 0, #b.numbers - 1 do b.numbers[i] = -0.0 end
      local files = b:translate()
      equal(files["model_states_euler.h"]:find("--", 1, true), nil) -- -0.0 must not be written as --0.0
      raises("files:save: a folder expected", files.save, files)
      raises("files:save: /nonexistent/model", files.save, files, "/nonexistent")
      if io.open("/dev/full") then -- a full disk
        local folder = temporary ".full"
        os.execute(("mkdir %s && ln -s /dev/full %s/model.def"):format(folder, folder))
        raises("No space left on device", files.save, files, folder)
        os.execute("rm -r " .. folder)
      end
    end)
    it("make many steps: of what there is none is said", function()
      local b = lr:bytecode()
      raises('the method is "euler" or "rk4", not dopri5', b.steps_text, b, "dopri5", "x")
      raises("'name' must be small letters", b.steps_text, b, "euler", "X")
      local timed = model.from_text "x' = wiener()\nx(0) = 1":bytecode()
      raises("random numbers are supported only by b:translate", timed.steps_text, timed, "euler", "x")
    end)
    it("are a family by files", function()
      local files = lr:bytecode():translate {name = "lr"}
      equal(files["lr.def"]:match "PRIM%(lr_1, LR_1_ARGS, UNTYPED, VERTEX" ~= nil, true)
      raises("'name' must be small letters", methods.translate, lr:bytecode(), {name = "L R"})
      raises("at most 32", methods.translate, lr:bytecode(), {name = ("a"):rep(33)}) -- the name of a row has at most 48 characters
    end)
  end)
end
