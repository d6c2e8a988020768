-- lua/base/renamed.lua: an old name does the same as the new one, and its first use prints a hint.

local function hints_of(f)
  local said, stderr = {}, io.stderr
  io.stderr = {write = function(_, ...) said[#said + 1] = table.concat({...}) end}
  local ok, why = pcall(f)
  io.stderr = stderr
  assert(ok, why)
  return said
end

local m = model.from_text "x' = -k*x \n k = 1 \n x(0) = 1"
local values = { -- a value with each kind of method
  graph = gen.path(3), buffer = buffer.new("u32", 3), device = device(), model = m, course = simulate(m, {stop = 1}),
  ensemble = simulate(m, {sweep = {k = {1, 2}}, stop = 1, steps = 1}), sssp = sssp(gen.path(3), 0), bytecode = m:bytecode(),
  ["state space"] = explore(model.load(model.sample "philosophers")), walk = model.load(model.sample "philosophers"):simulate(),
}
local methods = {graph = "degree", buffer = "sum", model = "find", course = "show", ensemble = "mean", sssp = "path", bytecode = "counters",
  ["state space"] = "trace", walk = "undo"}

it("keeps a global, and says once what it is now", function()
  session.rename("mesh", "gen.grid", "9.9")
  equal(hints_of(function()
    equal(mesh{2, 2}.n, 4)
    equal(mesh, gen.grid)
  end), {"mesh is now gen.grid; mesh goes with 9.9\n"})
  equal(rawget(_G, "mesh"), nil)
  equal(a_name_that_nobody_has, nil)
end)

it("keeps a field of a module, whether the module has an __index of its own or not", function()
  session.rename("gen.mesh", "gen.grid", "9.9")
  session.rename("gen.circle", "gen.ring", "9.9")
  session.rename("matrix.from", "matrix.of", "9.9")
  equal(hints_of(function()
    equal(gen.mesh, gen.grid)
    equal(gen.circle(3).m, 3)
    equal(matrix.from, matrix.of)
  end), {"gen.mesh is now gen.grid; gen.mesh goes with 9.9\n", "gen.circle is now gen.ring; gen.circle goes with 9.9\n",
    "matrix.from is now matrix.of; matrix.from goes with 9.9\n"})
  raises("there is no generator `square`", function() return gen.square end)
  equal(matrix.nothing, nil)
end)

it("keeps what is a table, and what fixpoint and named know by its value", function()
  session.rename("strong", "scc", "9.9")
  session.rename("cut", "trim", "9.9")
  equal(#hints_of(function()
    equal(strong(gen.ring(3)).count, 1)
    equal(strong.maxima, scc.maxima)
    equal(named(cut, state.scc(gen.path(4))).trimmed > 0, true)
  end), 2)
end)

it("keeps methods of types and of kinds of result", function()
  for kind, name in pairs(methods) do
    local old = kind .. ":before"
    session.rename(old, kind .. ":" .. name, "9.9")
    equal(hints_of(function()
      equal(values[kind].before, values[kind][name])
      equal(values[kind].before, values[kind][name])
    end), {("%s is now %s:%s; %s goes with 9.9\n"):format(old, kind, name, old)})
  end
  raises("a graph has no field 'nothing'", function() return values.graph.nothing end)
  raises("a buffer has no field 'nothing'", function() return values.buffer.nothing end)
  equal(values.sssp.nothing, nil)
  equal(values.graph.n, 3)
end)

it("refuses names that cannot be", function()
  raises("session.rename: expected a name, got 5", session.rename, 5, "scc", "9.9")
  raises("session.rename: nothing is called 'matrix.nothing'", session.rename, "matrix.before", "matrix.nothing", "9.9")
  raises("session.rename: nowhere.old: there is no module, type or kind of result 'nowhere'", session.rename, "nowhere.old", "scc", "9.9")
  raises("session.rename: nowhere:old: there is no module, type or kind of result 'nowhere'", session.rename, "nowhere:old", "scc", "9.9")
  equal(pcall(help, "nowhere.old"), false)
end)

it("says nothing before a name is used", function()
  equal(hints_of(function() session.rename("later", "gen.path", "9.9") end), {})
end)
