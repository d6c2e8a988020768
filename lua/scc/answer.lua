-- Answers of other programs: strongly connected components.

import "scc/check"
local answer = import "base/answer"
local proof = import "base/proof"
local scc = import "scc/scc"

answer.kinds.scc = {
  about = "a label per vertex; equal labels mean the same strongly connected component",
  read = answer.labels,
  prove = function(g, id)
    local r = {kind = "scc", graph = g, id = id}
    return proof.of.scc(r), proof.says.scc(r)
  end,
  right = function(g) return answer.labels(g, scc(g).id, {}) end,
  run = function(g) return scc(g) end,
}
