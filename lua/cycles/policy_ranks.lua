-- Policies over a part of a graph (g:partition). Each rank makes the choices of its own vertices. The choices of all ranks form a
-- graph with one edge per vertex; every rank has a copy of this graph and evaluates it.

local bundle = import("base/loops").bundle
local ranks = import "graph/partition"
local policy_ranks = {}

-- policy_ranks.publish(p): sends the choices of each rank to all ranks, into p.links, which policy.evaluate reads.
function policy_ranks.publish(p)
  local c = p.links
  policy_publish(p.state, p.edges, {chosen = c.policy, chosen_to = c.to, chosen_w = c.w, chosen_t = c.t})
  for _, x in ipairs {c.policy, c.to, c.w, c.t} do ranks.share(p.graph, x) end
end

-- policy_ranks.links_of(p): returns the links for a new policy p; p.edges itself if its graph is not a part.
function policy_ranks.links_of(p)
  if not ranks.part(p.graph) then return p.edges end
  local n, kind = p.graph.n, p.edges.w.dtype
  return bundle {policy = buffer.new("u32", n), to = buffer.new("u32", n), w = buffer.new(kind, n), t = buffer.new(kind, n),
    timed = p.edges.timed > 0 and n or 0}
end

-- policy_ranks.pull_of_part(p): policy.connect for a graph in parts: all ranks run each pass together.
function policy_ranks.pull_of_part(p)
  local by_halo
  repeat
    local pulled = ranks.greatest(policy_pull(p.state, p.edges))
    by_halo = ranks.halo(p.graph, p.state.layer)
  until pulled == 0
  if by_halo then ranks.share(p.graph, p.state.layer) end
  policy_ranks.publish(p)
end

-- policy_ranks.improved(p, count): exchanges what policy_improve has changed in each rank. count: choices improved in this rank. Returns
-- the number of choices improved in all ranks.
function policy_ranks.improved(p, count)
  local s = p.state
  all_reduce(s.work_next, 2)
  all_reduce(s.root, 2) -- maximum: a removed root is the greatest number
  all_reduce(s.best, 1)
  policy_ranks.publish(p)
  return ranks.sum(count)
end

-- policy_ranks.chosen_edges(p, vertices): returns in all ranks the edges that the vertices in this list have chosen: u32, edge numbers of the
-- whole graph.
function policy_ranks.chosen_edges(p, vertices)
  local part, from, edges = ranks.part(p.graph), p.edges.from, buffer.new("u32", #vertices)
  for i, v in ipairs(vertices) do
    if v >= part.first and v < part.past then
      local e = p.state.policy[v]
      edges[i - 1] = part.edge + (from and from[e] or e)
    end
  end
  all_reduce(edges, 2)
  return edges
end

return policy_ranks
