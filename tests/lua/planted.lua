-- Graphs whose optimum is known beforehand, of any size: a random graph, and in it one cycle that provably has the
-- least (or greatest) mean or ratio.
--
-- With potentials d and a slack s on every edge u -> v, let w = floor(p/q) t + s - d(u) + d(v). The potentials cancel
-- along a cycle. On the planted cycle the slacks raise the mean from floor(p/q) to p/q: they are 0 or 1, spread so evenly
-- that on every part of the cycle the sum of floor(p/q) + s - p/q is above -1. Every other edge has a slack of 3 or more, so
-- this term is above 2 for it; a cycle with k such edges has at most k parts of the planted cycle between them, so its mean
-- is greater. Times other than 1 require an integer p/q.
local planted = {}

-- splitmix64's mixing: the same numbers everywhere.
local function mix(x)
  x = (x ~ (x >> 30)) * 0xbf58476d1ce4e5b9
  x = (x ~ (x >> 27)) * 0x94d049bb133111eb
  return x ~ (x >> 31)
end

local function draws(seed)
  local state = seed
  return function(below)
    state = state + 0x9e3779b97f4a7c15
    return (mix(state) >> 11) % below
  end
end

--- planted.mean{n =, m =, length =, p =, q =, seed =, spread =, max =, times =}: a strongly connected graph of n
--- vertices and m >= n + length edges whose least cycle mean is p/q (with times = {least, greatest}: ratio), attained by
--- a cycle of `length` (a multiple of q) vertices and by no other. Returns the graph and the cycle's vertices in order.
function planted.mean(o)
  local draw = draws(o.seed)
  local n, m, length, p, q, spread = o.n, o.m, o.length, o.p, o.q, o.spread or 1000
  assert(length % q == 0 and length <= n and m >= n + length)
  local src, dst, w = buffer.new("u32", m), buffer.new("u32", m), buffer.new("i64", m)
  local d = buffer.new("i64", n)
  for v = 0, n - 1 do d[v] = draw(spread) end
  -- a random order of the vertices; the first `length` of them form the cycle
  local order = buffer.new("u32", n)
  for v = 0, n - 1 do order[v] = v end
  for i = n - 1, 1, -1 do
    local j = draw(i + 1)
    order[i], order[j] = order[j], order[i]
  end
  local whole, at, t = p // q, 0, o.times and buffer.new("i32", m)
  assert(not t or q == 1)
  local function put(u, v, slack)
    src[at], dst[at] = u, v
    local time = 1
    if t then
      time = o.times[1] + draw(o.times[2] - o.times[1] + 1)
      t[at] = time
    end
    local x = whole * time + slack - d[u] + d[v]
    w[at] = o.max and -x or x
    at = at + 1
  end
  local rest = p % q
  for i = 0, length - 1 do
    local extra = (i + 1) * rest // q - i * rest // q
    put(order[i], order[(i + 1) % length], extra)
  end
  for i = 0, n - 1 do put(order[i], order[(i + 1) % n], 3 + draw(spread)) end -- a cycle through all vertices makes the graph strongly connected
  while at < m do put(draw(n), draw(n), 3 + draw(spread)) end
  local numbers = buffer.new("u32", length)
  for i = 0, length - 1 do numbers[i] = order[i] end
  return graph.from_edges(n, src, dst, w, t), numbers
end

return planted
