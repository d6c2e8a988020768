-- Checkpoints: a resumed run has the same result as an uninterrupted one; damaged checkpoints and those of other runs are rejected.

local file = os.tmpname()

local function bytes_of(path)
  local f = assert(io.open(path, "rb"))
  local all = f:read("a")
  f:close()
  return all
end

local function write(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

local function differs(a, b) return (a:diff(b)) end

local graphs = {
  gen.uniform {n = 900, m = 1500, seed = 1},
  gen.grid {20, 30, one_way = 0.7, seed = 5},
  gen.dag {n = 300, m = 700, seed = 2},
  gen.rmat {scale = 9, degree = 3, seed = 4, weights = "f32"},
  graph.from_edges {{0, 0}, {0, 1}, {1, 0}, {2, 2}, {1, 2}, {3, 4}, {3, 4}, n = 7},
}

-- Runs f(g) with a checkpoint every `every` iterations. Returns whether a checkpoint was written.
local function saved(f, g, every)
  os.remove(file)
  checkpoint(file, every)
  local r = f(g)
  checkpoint(false)
  local there = io.open(file)
  if there then there:close() end
  return there ~= nil, r
end

for name, f in pairs {forward_backward = scc.forward_backward, maxima = scc.maxima} do
  it(name .. " goes on from the end of any iteration", function()
    local resumed = 0
    for _, g in ipairs(graphs) do
      local whole = f(g)
      for every = 1, 6 do
        local there, r = saved(f, g, every)
        equal(differs(r.id, whole.id), 0)
        if there then
          local again = f(g, {from = file})
          equal(differs(again.id, whole.id), 0)
          equal(again.count, whole.count)
          check(again)
          resumed = resumed + 1
        end
      end
    end
    equal(resumed > 6, true)
  end)
end

it("lets scc.fast go on where scc.maxima was", function()
  local g = graphs[1]
  local there, r = saved(scc.maxima, g, 1)
  equal(there, true)
  equal(scc(g, {from = file}).count, r.count)
end)

it("ocm and ocr go on from the end of any iteration", function()
  local resumed = 0
  for seed = 1, 4 do
    local g = gen.uniform {n = 300, m = 900, seed = seed, weights = seed % 2 == 0 and "i32" or "f64", lo = -50, hi = 50, times = {1, 9}}
    for _, options in ipairs {{}, {max = true}, {form = "layered"}} do
      for _, f in ipairs {ocm, ocr} do
        local whole = f(g, options)
        for every = 1, 3 do
          local there = saved(function() return f(g, options) end, g, every)
          if there then
            local again = f(g, {max = options.max, form = options.form, from = file})
            equal({again.p, again.q}, {whole.p, whole.q})
            assert(math.abs(again.mean - whole.mean) <= 1e-12 * math.abs(whole.mean)) -- floating-point numbers are summed in another order
            check(again)
            resumed = resumed + 1
          end
        end
      end
    end
  end
  equal(resumed > 20, true)
  local g = gen.uniform {n = 300, m = 900, seed = 2, weights = "i32", lo = -50, hi = 50}
  equal((saved(ocm, g, 1)), true)
  raises("is a checkpoint for the least mean, expected one for the greatest mean", ocm, g, {max = true, from = file})
  local timed = gen.uniform {n = 300, m = 900, seed = 2, weights = "i32", lo = -50, hi = 50, times = {1, 9}}
  equal((saved(ocr, timed, 1)), true)
  raises("is a checkpoint for the least ratio, expected one for the least mean", ocm, timed, {from = file})
  raises("one by one", ocm, g, {components = "one by one", from = file})
end)

-- A user's loop over a state with weights.
local function relaxed(g, last, from)
  local s = state.sssp(g)
  local carried = from and {} or {passes = 0, total = 0.0, odd = true, text = "begun, not yet done"}
  if not from then s.dist[0] = 0 end
  local first
  for it in iterations(s, carried, from) do
    first = first or it.n
    equal(it.carried == carried, true)
    local improved = relax(g, s.dist, s.overflow)
    carried.passes, carried.total, carried.odd = carried.passes + 1, carried.total + 0.1, not carried.odd
    it:mark {improved = improved}
    if it.n == last then break end
  end
  return s, carried, first
end

it("keeps what a loop carries, exactly", function()
  local g = gen.uniform {n = 200, m = 700, seed = 3, weights = "f64"}
  checkpoint(file, 3)
  local s, carried = relaxed(g, 8)
  checkpoint(false)
  local s2, again, first = relaxed(g, 8, file)
  equal(first, 7)
  equal(again, carried)
  equal(differs(s2.dist, s.dist), 0)
end)

it("saves once where no number is given", function()
  os.remove(file)
  checkpoint(file)
  relaxed(gen.ring {9, weights = "i32"}, 4)
  local _, carried, first = relaxed(gen.ring {9, weights = "i32"}, 4, file)
  equal({first, carried.passes}, {2, 4})
  os.remove(file)
  relaxed(gen.ring {9, weights = "i32"}, 4)
  equal(io.open(file), nil)
end)

it("is of the outermost loop alone", function()
  local g = gen.ring {5}
  local function nested()
    local s = state.scc(g)
    for it in iterations(s, {outer = true}) do
      for inner in iterations(state.scc(g), {outer = false}) do if inner.n == 3 then break end end
      if it.n == 2 then break end
    end
  end
  checkpoint(file)
  nested()
  equal(bytes_of(file):find("carried outer boolean true", 1, true) ~= nil, true)
  equal(bytes_of(file):find("\niteration 1\n", 1, true) ~= nil, true)
end)

describe("refusals", function()
  local g = graphs[1]
  local function from(graph_or_nil) return function() return scc.maxima(graph_or_nil or g, {from = file}) end end

  it("names what was expected and what was found", function()
    saved(scc.maxima, g, 1)
    raises("expected the graph ring(900) (900 vertices, 900 edges), found uniform(900,1500,1) (900 vertices, 1500 edges)", from(gen.ring {900}))
    raises("expected the graph uniform(900,1500,9) (checksum ", from(gen.uniform {n = 900, m = 1500, seed = 9}))
    raises("expected the graph", from(gen.uniform {n = 900, m = 1500, seed = 1, weights = "i32"}))
    raises("expected a checkpoint of scc.forward_backward, found propagate", scc.forward_backward, g, {from = file})
    raises("expected schema sssp, found scc", function() for _ in iterations(state.sssp(g), nil, file) do break end end)
    raises("only a state can be filled", function() for _ in iterations("s", nil, file) do break end end)
    raises("scc.maxima: unknown option 'form'", scc.maxima, g, {form = file})
    raises("expected a table of options", scc.forward_backward, g, file)
    raises("No such file", scc.maxima, g, {from = file .. ".none"})
  end)

  it("notices every damage", function()
    saved(scc.maxima, g, 1)
    local good = bytes_of(file)
    local refused, places = 0, 0
    for at = 1, #good, #good // 400 + 1 do
      for _, place in ipairs {at, at < 1500 and at // 3 + 1 or at} do
        write(file, good:sub(1, place - 1) .. string.char(good:byte(place) ~ (1 << place % 8)) .. good:sub(place + 1))
        places = places + 1
        local ok, message = pcall(from())
        if not ok and message:find(file, 1, true) then refused = refused + 1 end
      end
    end
    equal(refused, places)
    for _, length in ipairs {0, 1, 7, 40, 64, 100, 700, #good // 2, #good - 1} do
      write(file, good:sub(1, length))
      raises(file, from())
    end
    write(file, good .. "x")
    raises("the file should have", from())
    write(file, good)
    equal(from()().count, scc(g).count)
  end)

  it("notices another element type", function()
    saved(function(weighted) relaxed(weighted, 4) end, gen.ring {6, weights = "i32"}, 1)
    raises("expected weights f64, found i32", function() for _ in iterations(state.sssp(gen.ring {6, weights = "i32"}, "f64"), {}, file) do break end end)
  end)
end)

it("takes only what it can keep", function()
  raises("expected a number from 1", checkpoint, file, 0)
  raises("string expected", checkpoint)
end)

os.remove(file)

it("of a part of a graph is refused, and no file is written", function()
  local g = gen.rmat {scale = 6, degree = 4, seed = 1, weights = "i32", lo = 1, hi = 9}
  local path = file .. ".part"
  local p = g:partition()
  for name, f in pairs {ocm = ocm, ocr = ocr, ["scc.fast"] = scc.fast} do
    checkpoint(path, 1)
    local ran, why = pcall(f, p)
    checkpoint(false)
    equal({ran, (io.open(path))}, {false})
    assert(why:find(name .. ": checkpoints to " .. path .. " are on", 1, true), why)
    equal(check(f(p)), true)
  end
  raises("scc.fast: the option 'from' (a checkpoint) does not support a part of a graph", scc.fast, p, {from = path})
end)
