-- State spaces as in Barnat et al. 2011, section 4: k clients, where client i has lengths[i] actions
-- (cyclically); the costs are reproducible. With server: every client holds the server during its second and third action.
return function(k, lengths, server)
  math.randomseed(7)
  local t = {server = server}
  for i = 1, k do
    local s = {name = "client" .. i, count = 1}
    for a = 1, lengths[(i - 1) % #lengths + 1] do
      s[a] = {"a" .. a, math.random(1, 100), server = (a == 2 or a == 3) or nil}
    end
    t[i] = s
  end
  return gen.clients(t)
end
