-- What the captures run: forward and backward searches with trimming, as scc.forward_backward, but their own, so that
-- lines and steps stay where they are.

--- search(g): strongly connected components of g; returns how many.
function search(g)
  local s = state.scc(g)
  for it in iterations(s) do
    local trimmed = fixpoint(trim, s)
    fill(s.vote, 0)
    pick_pivots(s)
    local live, regions = new_regions(s)
    it:mark{trimmed = trimmed, live = live, regions = regions}
    if live == 0 then break end
    copy_queue(s)
    reach_forward_fix(s)
    reach_backward_fix(s)
    split(s)
  end
  return count_components(s.comp)
end
