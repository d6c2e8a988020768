-- Answers of other programs: the Kleene star of an acyclic graph, and topological orders.

import "dense/check"
local algorithm = import "base/algorithm"
local answer = import "base/answer"
local kleene = import "dense/kleene"
local proof = import "base/proof"

local function has_cycle(g)
  local _, _, left = kleene.order(g)
  return left > 0 and "a graph with a cycle has no such answer" or nil
end

-- The matrix x in the weights' type if that is real, else as integers; and the marks.
local function matrix_of(g, x, options)
  local kind = proof.real(g) and g.weights or "i64"
  return answer.matrix(g, x, kind, algorithm.least[kind], options, true)
end

answer.kinds.kleene = {
  about = "the matrix of the greatest weights of paths between all pairs of vertices of an acyclic graph",
  needs = has_cycle,
  read = matrix_of,
  prove = function(g, matrix)
    local r = {graph = g, matrix = matrix}
    local good, why = pcall(proof.of.kleene, r)
    if why then why = "in the graph with negated weights: " .. algorithm.without_place(why) end
    return why, good and not why and proof.says.kleene(r) or nil
  end,
  right = function(g) return (matrix_of(g, kleene(g).matrix, {})) end,
  run = function(g) return kleene(g) end,
}

answer.kinds.topological = {
  about = "the vertices in an order that all edges follow",
  needs = has_cycle,
  read = function(g, x, options)
    local list = answer.listed(x, g.n, options)
    if #list ~= g.n then answer.wrong("expected the %d vertices, got a list of %d", g.n, #list) end
    return list
  end,
  prove = function(g, order)
    local place = {}
    for i, v in ipairs(order) do
      if place[v] then return ("vertex %d is at places %d and %d"):format(v, place[v], i) end
      place[v] = i
    end
    for v = 0, g.n - 1 do
      for to in g:edges(v) do
        if place[to] <= place[v] then return ("the edge %d -> %d goes from place %d to place %d"):format(v, to, place[v], place[to]) end
      end
    end
    return nil, proof.edges {graph = g} .. " lead to a later place"
  end,
  right = function(g) return "the order " .. answer.first((kleene.order(g))) end,
  run = function(g) return kleene.order(g) end,
}
