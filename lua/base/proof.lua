-- What the proofs of all kinds of results share: their tables, the checks of a result's fields, and the choice between the proof on the
-- device and the sequential one. A family's proofs are in lua/FAMILY/check.lua.
--
-- A result is a table that users can change, so no field is trusted: first its type and size are checked, then its values.
-- Comparisons are written so that a NaN fails them.

local algorithm = import "base/algorithm"

-- of: kind of result -> a function that returns what is wrong as text, or nil; some raise that text as an error. says: kind of result ->
-- a function that returns the line by which the prompt says what has been proved. route: the option of check, while it runs.
local proof = {of = {}, says = {}, route = nil}

local is, described = algorithm.is, algorithm.described

function proof.expected(what, key, x) return ("r.%s: expected %s, got %s"):format(key, what, described(x)) end

proof.DISAGREE = "the proof on the device finds a fault, but the proof in sequence, on one thread, finds none"

function proof.no_graph(r, key)
  local g = r[key]
  if not (is("lockstep.graph", g) and pcall(function() return g.n end)) then return proof.expected("a graph", key, g) end
end

-- Returns nil if r[key] is an open buffer of one of the types with count elements (nil: any number); else what is wrong, as text.
function proof.no_buffer(r, key, types, count)
  local b = r[key]
  if is("lockstep.buffer", b) then
    local good, length = pcall(function() return #b end) -- #b fails if the buffer is closed
    for _, t in ipairs(types) do
      if good and b.dtype == t and (not count or length == count) then return end
    end
  end
  return proof.expected(("%s[%s]"):format(table.concat(types, " or "), count or "any"), key, b)
end

-- The same for a matrix of `rows` rows and as many columns.
function proof.no_matrix(r, key, types, rows)
  local why = proof.no_buffer(r, key, types, rows * rows)
  if why then return why end
  local b = r[key]
  if b.rows ~= rows or b.cols ~= rows then
    return ("r.%s: expected a matrix of %d x %d, got %d x %d"):format(key, rows, rows, b.rows, b.cols)
  end
end

-- r.unreached must be the value that means "no path" in the type `kind`, which is `greatest`.
function proof.no_unreached(r, kind, greatest)
  if r.unreached ~= greatest then return proof.expected("what means unreached in " .. kind, "unreached", r.unreached) end
end

-- Is r a result of that kind with all its fields, and not a table that a user made?
function proof.is_whole(r, kind)
  local meta = getmetatable(r)
  return type(meta) == "table" and meta.__name == kind
end

-- The relative rounding error that is allowed in distances of a graph of n vertices if the weights of a path are added in any order.
function proof.any_order(kind, n) return (algorithm.epsilon[kind] or 0) * math.max(16, n) end

function proof.no_count(r, key, low, high)
  local x = r[key]
  if not (math.type(x) == "integer" and x >= low and x <= high) then
    return proof.expected(low == high and tostring(low) or ("a whole number from %d to %d"):format(low, high), key, x)
  end
end

function proof.no_flag(r, key)
  local x = r[key]
  if x ~= nil and type(x) ~= "boolean" then return proof.expected("true or false", key, x) end
end

-- The proofs that on a CPU are faster if they run sequentially.
local IN_SEQUENCE = {scc = true, acyclic = true, pagerank = true, triangles = true}

-- Is the result to be proved on the present device? While the run is stepped, proofs run sequentially on the host, because the
-- user does not want to step through the kernels of a proof.
function proof.on_device(name)
  if proof.route == "host" or session.stepped() then return false end
  return proof.route == "device" or not IN_SEQUENCE[name] or not algorithm.on_cpu()
end

-- Returns the number of components. by_device, if not nil, is the proof on the device: it returns the number, false if it finds a
-- mistake, or nil if it cannot decide. If it returns no number, the sequential proof in_sequence runs, which raises what is wrong.
function proof.counted(by_device, in_sequence)
  local count
  if by_device then count = by_device() end
  if count then return count end
  local _, found = in_sequence()
  if count == false then error(proof.DISAGREE, 0) end
  return found
end

function proof.real(g) return g.weights == "f32" or g.weights == "f64" end

-- What was proved, with the number of states of the state space that are not expanded, if there are any.
function proof.explored(text, unexpanded)
  if unexpanded == 0 then return text end
  return ("%s; this holds for the explored part only: %s"):format(text, algorithm.not_expanded(unexpanded))
end

function proof.edges(r) return algorithm.counted(r.graph.m, "edge") end

return proof
