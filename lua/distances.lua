-- What distances between all vertices tell of a graph: eccentricities, diameter, radius, closeness; one source after another, so
-- that no matrix is needed.

distances = {}

-- The distances of each source in turn, as a table v -> distance of those reached; f(source, list of distances).
local function each(name, g, sources, f)
  local list = sources
  if list == nil then
    list = {}
    for v = 0, g.n - 1 do list[v + 1] = v end
  end
  if type(list) ~= "table" then error(("%s: expected a list of sources, got %s"):format(name, algorithm.described(list)), 3) end
  for _, s in ipairs(list) do algorithm.vertex(name, g, s, "source", 2) end
  for _, s in ipairs(list) do f(s, sssp(g, s)) end
end

--- distances.eccentricity(g [, sources]): by source, the greatest distance from it to a vertex that it reaches; and how many
--- vertices it reaches, itself among them. Without a list of sources, all vertices.
function distances.eccentricity(g, sources)
  algorithm.graph("distances.eccentricity", g)
  local far, reached = {}, {}
  each("distances.eccentricity", g, sources, function(s, r)
    local none = r.dist:count(r.unreached)
    reached[s] = g.n - none
    local y = r.dist
    if none > 0 then -- the greatest but for what is unreached
      y = buffer.new(r.dist.dtype, g.n)
      radix_sort(r.dist, y)
      far[s] = y[g.n - none - 1]
    else
      far[s] = y:max()
    end
  end)
  return far, reached
end

--- distances.diameter(g): the greatest distance between two vertices, of which the first reaches the second; and such a pair.
--- nil where there is no vertex.
function distances.diameter(g)
  algorithm.graph("distances.diameter", g)
  local best, from = nil, nil
  for s, x in pairs((distances.eccentricity(g))) do
    if not best or x > best or (x == best and s < from) then best, from = x, s end
  end
  if not best then return nil end
  return best, from, sssp(g, from).dist:find(best)
end

--- distances.closeness(g [, sources]): by source, (reached - 1)^2 / ((n - 1) * the sum of its distances): 0 where it reaches
--- nothing, or all at distance 0 (Wasserman and Faust 1994, for graphs that are not connected).
function distances.closeness(g, sources)
  algorithm.graph("distances.closeness", g)
  local close = {}
  each("distances.closeness", g, sources, function(s, r)
    local none, y = r.dist:count(r.unreached), buffer.new(r.dist.dtype, g.n)
    radix_sort(r.dist, y)
    local sum = 0.0 -- a real: whole numbers of 64 bits would wrap
    for i = 0, g.n - none - 1 do sum = sum + y[i] end
    local others = g.n - none - 1
    close[s] = sum > 0 and others * others / ((g.n - 1) * sum) or 0.0
  end)
  return close
end
