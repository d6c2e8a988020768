-- check(r): proves the result of an algorithm by a certificate that shares no code with the algorithm.

local algorithm = import "base/algorithm"
local proof = import "base/proof"
local check

local is = algorithm.is

-- Error texts number vertices from 0. If the graph's file uses other numbers, a note at the end of the text says so.
local function numbering(g) return algorithm.numbering(g) end
local function names_vertices(text)
  for _, word in ipairs {"vert", "distances from", "parents:", "label", " -> "} do
    if text:find(word, 1, true) then return true end
  end
end

-- Stores the line of proof.says in the registry; the prompt prints it next to `true` and clears it (src/repl/line/input.c).
local function say_proved(r, kind)
  local own = algorithm.proof(kind) and function() return kind .. "'s own check finds no mistake" end
  local good, text = pcall(proof.says[kind] or own or function() end, r)
  local g = rawget(r, "graph")
  local unexpanded = kind == "explore" and r.frontier or is("lockstep.graph", g) and g.unexpanded or 0
  debug.getregistry()["lockstep.proved"] = good and text and proof.explored(text, unexpanded) or nil
end

-- Describes r, which is not a result, and says what can be done with it instead.
local function what_else(r)
  if is("lockstep.graph", r) then return "a graph" end
  if is("lockstep.buffer", r) then
    return "a buffer. To compare buffers: b:diff(bfs(g, 0).dist) lists the elements that differ"
  end
  if type(r) == "userdata" and dve.is(r) then return "a model: check(explore(m)) checks its states" end
  return "a " .. type(r)
end

--- check(r [, {route =}]): is the result r of an algorithm right? Returns true, or raises an error that names the first violation;
--- the prompt prints in one line what was proved. The proof is independent of the algorithm and takes nearly linear time: `help proof`
--- describes it for each kind of result. Most are proved on the current device, by primitives whose names begin with prove_: on a
--- CPU distances, components, and cycles of whole weights; on a GPU also scc, pagerank, triangles and the claim that there is no
--- cycle. While the run is stepped, if the device cannot decide, or with {route = "host"}, another proof runs as sequential code on
--- the host, such as reference.check_sssp; {route = "device"} uses the proof on the device wherever it can decide. Cycles of real
--- weights are always proved on the host. Whole numbers are compared exactly. For real numbers these roundings are allowed:
---   sssp    an edge u -> v may be violated by 8 eps (|dist[u]| + |w|); eps = 2^-23 of f32, 2^-52 of f64
---   fw, kleene   the same with max(n, 16) eps instead of 8 eps
---   ocm     the cycle's mean and the bound that is proved may differ by 1e-12 times the greatest |w|
--- To add a proof for your own kind of result, use algorithm.results{check = ...}: help write.
--- Whether a cycle is negative is decided exactly for real weights too; if 128 bits are too few, the error says so.
function check(r, options)
  options = algorithm.options("check", options, {route = {"device", "host"}})
  local kind = type(r) == "table" and r.kind or nil
  if kind == "course" then
    error("check: a simulation has no proof; simulate with smaller steps or another method and compare. Many instances at once, " ..
      "as in simulate(m, {instances = 1, stop = 9}), can be checked", 2)
  end
  local certificate = proof.of[kind] or (type(kind) == "string" and algorithm.proof(kind))
  if not certificate and r == nil then
    error("check: expected the result of an algorithm, as in check(scc(g)), got nil", 2)
  elseif not certificate then
    local known = algorithm.proofs()
    for name in pairs(proof.of) do known[#known + 1] = name end
    table.sort(known)
    error(("check: expected the result of an algorithm (%s), got %s"):format(
      table.concat(known, ", "), kind and ("one of kind '%s'"):format(tostring(kind)) or what_else(r)), 2)
  end
  proof.route = options.route
  local good, why = pcall(certificate, r)
  proof.route = nil
  if good and not why then
    say_proved(r, kind)
    return true
  end
  why = algorithm.without_place(why)
  local g = rawget(r, "graph") -- rawget: r["graph"] of a simulation could be a variable of its model
  if is("lockstep.graph", g) and pcall(numbering, g) and names_vertices(why) and not why:find(numbering(g), 1, true) then
    why = why .. numbering(g)
  end
  error("check: " .. why, 2)
end

return check
