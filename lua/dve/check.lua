-- The proof of state spaces.

local algorithm = import "base/algorithm"
local proof = import "base/proof"

local expected, no_graph = proof.expected, proof.no_graph
local is = algorithm.is

-- Computes every step of every state again, with another table of states, and checks the levels as distances. (Whether the steps
-- follow the language's rules is tested only by the specs.)
function proof.of.explore(r)
  if not is("lockstep.dve.space", r.space) then return expected("a state space", "space", r.space) end
  local why = r.graph ~= nil and no_graph(r, "graph")
  if why then return why end
  for key, x in pairs(r.space:numbers()) do
    if key ~= "stopped" and r[key] ~= x then return expected(tostring(x), key, r[key]) end
  end
  r.space:check(r.graph)
end

proof.says.explore = function() return "each step of each state, computed again" end
