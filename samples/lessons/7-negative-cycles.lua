-- Bellman-Ford: negative weights, and negative cycles.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.in_order()
town = nil

--- Trips of a lorry with their costs, which are negative if the driver is paid.
local list = {{6, 5, 6}, {6, 4, 7}, {4, 5, -3}, {5, 3, 2}, {3, 2, -1}, {2, 1, 3}, {1, 0, 1}, {8, 7, -2}}
local function trips_named(name, more)
  local edges = {name = name, table.unpack(list)}
  edges[#edges + 1] = more
  return graph.from_edges(edges)
end
trips = trips_named "trips"
loop = trips_named("loop", {2, 5, -2})

--- Exchange rates of three currencies: {from, to, units of `to` for one unit of `from`}.
lesson.rates = {{0, 1, 1.1}, {1, 2, 150}, {2, 0, 0.0062}, {1, 0, 0.9}, {2, 1, 0.0066}, {0, 2, 160}}
lesson.currency = {[0] = "euro", "dollar", "yen"}
do
  local edges = {name = "money", weights = "f64"}
  for i, r in ipairs(lesson.rates) do edges[i] = {r[1], r[2], -math.log(r[3])} end
  money = graph.from_edges(edges)
end

--- The distances of the places 6 to 0, below their numbers; "-" if a place is not reached.
function lesson.costs(dist)
  local out = {}
  for v = 6, 0, -1 do out[#out + 1] = ("%4s"):format(dist[v] == 0x7fffffff and "-" or dist[v]) end
  return "  place      6   5   4   3   2   1   0\n  cost    " .. table.concat(out)
end

--- The distances from 6 in a list of edges, by trying all simple paths.
local function by_trying(g, source)
  local best, on = {}, {}
  local function go(v, sum)
    if not best[v] or sum < best[v] then best[v] = sum end
    on[v] = true
    for to, w in g:edges(v) do
      if not on[to] then go(to, sum + w) end
    end
    on[v] = nil
  end
  go(source, 0)
  return best
end

--- The number of vertices with the right distance.
function lesson.right(g, dist, none)
  local want, right = by_trying(g, 6), 0
  for v = 0, g.n - 1 do right = right + (dist[v] == (want[v] or none) and 1 or 0) end
  return right
end

--- The vertices that 6 does not reach but whose distance is not `none`.
function lesson.out_of_nowhere(g, dist, none)
  local want = by_trying(g, 6)
  return lesson.those(dist, function(x, v) return not want[v] and x ~= none end)
end

--- Finds distances; contains the bug that you are asked to find.
function shortest(g, source)
  local dist, overflow = buffer.new("i32", g.n), buffer.new("u32", 1)
  fill(dist, 1000000) -- far away
  dist[source] = 0
  repeat
    local improved = relax(g, dist, overflow)
  until improved == 0
  return dist
end

return {
  {
    see = "graph",
    run = {"start paths.bellman_ford(trips, 6)", "step 2"},
    hold = {"dist[5] == 6 and dist[4] == 7 and dist[3] == 0x7fffffff", "trips.w:min() < 0"},
    say = [[
A lorry starts at place 6. Each trip costs something; for some trips the driver is paid, and so the cost is less than 0:

  6>5: 6    6>4: 7    4>5: -3   5>3: 2
  3>2: -1   2>1: 3    1>0: 1

What is the least that it costs to get to each place? To RELAX an edge from u to v of weight w means: if dist[u] + w is less than dist[v], then dist[v] becomes that. Bellman and Ford's algorithm relaxes all edges in a pass, and repeats the pass until no distance improves. On a GPU each vertex has a thread, which relaxes the edges that leave it.

One pass has run (the step before it only filled a buffer):

{lesson.costs(dist)}]],
    ask = [[What will dist[5] be at the end?]],
    answer = "reference.bellman_ford(trips, 6)[5]",
    hint = [[There are two paths from 6 to 5: directly, and through another place. Add up the costs of the second path; one of them is negative.]],
  },
  {
    see = "convergence",
    run = {"until improved == 0", "dist"},
    hold = {"dist[5] == 4", "lesson.right(trips, dist, 0x7fffffff) == trips.n", "improved == 0"},
    say = [[
It is {dist[5]}: the path through 4 costs 7 - 3, which is less than the 6 of the direct edge to 5.

{lesson.costs(dist)}

The last pass has relaxed every edge, and no distance has improved (improved 0), so no later pass would improve one. Places 7 and 8 are not reached: their dist is the largest number of the type, which is printed as inf.

Dijkstra's algorithm is faster. It takes the place with the least distance and settles it: that distance is final, and the edges of the place are relaxed only once. This is right if no weight is less than 0.]],
    ask = [[Place 6 has relaxed its edges: 5 has distance 6, and 4 has 7. Which place would Dijkstra's algorithm settle next, with a distance that is too large?]],
    answer = "dist[4] - 3 < 6 and 5 or 4",
    hint = [[Dijkstra's algorithm settles the place that has the least distance now, and does not wait for trips that may still lower a distance. Compare the two distances.]],
  },
  {
    run = {"continue", "_.passes", "pcall(paths.dijkstra, trips, 6)"},
    hold = {"_1 == false", "_2:find('least weight', 1, true) ~= nil", "check(sssp(trips, 6))"},
    say = [[
Place 5, at 6: it settles 5 before it has looked at the edge from 4. `paths.dijkstra` says what it expects and refuses. `sssp` looks at the weights first, and takes an algorithm that is right for them.

How many passes can Bellman and Ford's algorithm take? A path that visits no vertex twice has at most n - 1 edges, where n is the number of vertices. After k passes every distance is at most the cost of the best path of up to k edges. (It may already be less, if a thread sees what another one has just written.)]],
    ask = [[A graph has 100 vertices, and no cycle whose weights add up to less than 0. After how many passes are all distances right, at worst?]],
    answer = "100 - 1",
    hint = [[How long can a path be that visits no vertex twice? Count its edges, not its vertices: after k passes no path of up to k edges is better than the distances.]],
  },
  {
    see = "convergence",
    run = {"start paths.bellman_ford(loop, 6)", "step 2", "until dist[5] == 4", "dist[5]", "until dist[5] < 4"},
    hold = {"dist[5] == 3", "improved > 0"},
    say = [[
After 99. If the 100th pass still improves something, a path of 100 edges is better than all paths of fewer edges. It visits some vertex twice, so it contains a cycle; and it is better WITH the cycle than without it, so the weights of the cycle add up to less than 0. That is a NEGATIVE CYCLE.

`loop` has the same trips and one more, 2>5 for -2. Now there is a cycle 5 > 3 > 2 > 5. The run stopped when dist[5] was 4, as before, and again when it had become {dist[5]}.]],
    ask = [[The lorry drives around that cycle ten more times. What is dist[5] then?]],
    answer = "3 + 10 * (2 - 1 - 2)",
    hint = [[Add up the weights of the three trips of the cycle: that is how much dist[5] changes in each round. Start from the value that dist[5] has now.]],
  },
  {
    run = {"drop", "pcall(paths.bellman_ford, loop, 6)"},
    hold = {"_1 == false", "_2:find('negative cycle', 1, true) ~= nil", "_2:find('weighs -1', 1, true) ~= nil", "not pcall(sssp, loop, 6)", "ocm(loop).mean < 0"},
    say = [[
-7, and it could go on for ever: there is no shortest path. So the algorithm counts its passes. If there are more than n, it looks for the cycle and names it; without that count it would never end.

A negative cycle may be exactly what you are looking for. Suppose that 1 euro buys {lesson.rates[1][3]} dollars, 1 dollar buys {lesson.rates[2][3]} yen, and 1 yen buys {lesson.rates[3][3]} euros. Along a cycle the rates are MULTIPLIED. Take -log(rate) as the weight of an edge: then the product becomes a sum, and a product above 1 becomes a sum below 0.]],
    ask = [[You change 1000 euros into dollars, these into yen, and these into euros again. How many euros have you got? (`=1000 * 1.1 * 150 * 0.0062` works it out at the prompt.)]],
    answer = "math.floor(1000 * 1.1 * 150 * 0.0062 + 0.5)",
    hint = [[Each exchange multiplies the amount by its rate. Begin with 1000 and multiply by the three rates of the text, one after the other.]],
  },
  {
    run = {"pcall(sssp, money, 0)", "start shortest(trips, 6)", "until improved == 0", "dist"},
    hold = {"not pcall(sssp, money, 0)", "dist[7] == 999998 and dist[8] == 1000000", "lesson.right(trips, dist, 1000000) == trips.n - 1"},
    say = [[
1023, and so `money` has a negative cycle; `sssp` has named it. (In real markets such a cycle disappears at once, since everybody looks for it.)

A BUG TO FIND. `shortest` is somebody's own program; `list` shows it, and so does the view `script` of the panel. It uses the same kernel `relax`, and has just found distances in `trips`, the graph without a negative cycle. All places that can be reached have the right distance. 1000000 stands for "not reached".]],
    ask = [[One place has a distance though no path leads there from 6. Which place?]],
    answer = "lesson.out_of_nowhere(trips, dist, 1000000)",
    hint = [[Look at `dist`, in which places are counted from 0. A place that is not reached should have 1000000: which value is neither that nor the cost of a few trips?]],
  },
  {
    run = {"back until dist[7] == 999998"},
    hold = {"dist[7] == 999998"},
    say = [[
Place 7: its distance is {dist[7]}. The program uses 1000000 for "not reached", but to `relax` that is a number like any other: 1000000 - 2 is less than 1000000, so the edge 8>7 has improved the distance of 7, though nothing reaches 8. You are at the pass that did it.

`relax` uses the largest number of the type for "not reached", and does not relax an edge that leaves such a vertex. With `fill(dist, 0x7fffffff)` the program is right. On a graph without negative weights the mistake never shows.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. Why can a distance not fall for ever if
     no cycle is negative?
  2. There is a negative cycle, but nothing
     leads to it from the source. What does
     Bellman and Ford's algorithm do?
  3. Could one add a constant to all weights,
     so that none is below 0, and then use
     Dijkstra's algorithm?]],
    answers = [[
1. The least distance belongs to a path that visits no vertex twice, since cutting out a cycle never makes a path longer. There are only finitely many such paths.

2. It ends with the right distances: the vertices of that cycle are not reached, and edges that leave such vertices are not relaxed.

3. No. A path of many edges gets the constant more often than a path of few, so another path may become the shortest. Johnson's algorithm adds to each edge a number that depends on its two ends, so that all paths between the same two vertices change by the same amount: `johnson(g)`.]],
  },
}
