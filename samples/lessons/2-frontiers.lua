-- Breadth-first search: frontiers, and the direction of the search.

lesson = assert(loadfile((...) .. "/common.lua"))(...)

local NONE = 0xffffffff
web = gen.rmat {scale = 12, degree = 8, seed = 1}
streets = gen.grid {64, 64}

--- The vertices of a level, as words.
function lesson.level(s, k)
  return lesson.those(s.level, function(x) return x == k end)
end

--- The levels of a textbook search with a queue, one vertex at a time.
function lesson.levels(g, source)
  local level, queue = {[source] = 0}, {source}
  for _, v in ipairs(queue) do
    for to in g:edges(v) do
      if not level[to] then level[to], queue[#queue + 1] = level[v] + 1, to end
    end
  end
  return level
end

--- The vertices whose level differs from that of the textbook search, as words.
function lesson.wrong(g, source, levels)
  local want = lesson.levels(g, source)
  return lesson.those(levels, function(x, v) return x ~= (want[v] or NONE) end)
end

local known = {}

--- The layers of a search from 0, as {vertices, edges that leave them, edges that a search by in-edges scans to find the layer}.
function lesson.layers(g)
  if known[g.name] then return known[g.name] end
  local level, layers = lesson.levels(g, 0), {}
  for v = 0, g.n - 1 do
    local k = level[v]
    if k then
      local layer = layers[k + 1] or {0, 0, 0}
      layers[k + 1], layer[1], layer[2] = layer, layer[1] + 1, layer[2] + g:degree(v)
    end
  end
  local from, roff, rto = nil, g.roff:totable(), g.rto:totable()
  for k, layer in ipairs(layers) do
    for v = 0, g.n - 1 do
      if not level[v] or level[v] >= k then -- not yet visited: scans its in-edges until one comes from the layer
        for e = roff[v + 1] + 1, roff[v + 2] do
          from = level[rto[e]]
          layer[3] = layer[3] + 1
          if from == k - 1 then break end
        end
      end
    end
  end
  known[g.name] = layers
  return layers
end

function lesson.widest(g)
  local most = 0
  for _, layer in ipairs(lesson.layers(g)) do most = math.max(most, layer[1]) end
  return most
end

function lesson.table_of_layers(g)
  local lines = {"  layer  vertices  edges out   edges read by pull"}
  for k, layer in ipairs(lesson.layers(g)) do lines[#lines + 1] = ("  %5d %9d %10d %20d"):format(k - 1, table.unpack(layer)) end
  return table.concat(lines, "\n")
end

--- The numbers of edges that two searches scan: one always from the frontier, one in the better direction of each layer.
function lesson.looks(g)
  local push, best = 0, 0
  for _, layer in ipairs(lesson.layers(g)) do push, best = push + layer[2], best + math.min(layer[2], layer[3]) end
  return push, best
end

--- A breadth-first search; contains the bug that you are asked to find.
function search(g, source)
  local s = state.bfs(g)
  s.front[0], s.front[1] = 1, source
  repeat
    local grown = visit(s)
    deepen(s)
    prim.swap(s.front, s.front_next)
  until grown == 0
  return s.level
end

return {
  {
    see = "graph",
    run = {"start bfs(town, 0, {form = 'push'})", "step"},
    hold = {"s.level[0] == 0 and s.level[1] == 1 and s.level[2] == 0xffffffff", "grown == 1"},
    say = [[
How many streets is each crossing of the town away from crossing 0?

{lesson.picture()}

A breadth-first SEARCH finds that in layers. The last layer that was found is the FRONTIER. In each pass, all edges that leave the frontier are followed at the same time, with a thread for each edge; each vertex that has no level yet gets one, and is in the next frontier.

At first the frontier was only vertex 0, with level 0. One step of the kernel `visit` has reached {grown} vertex: {lesson.level(s, 1)}. `s.level` has the levels (a dash where a vertex is not reached), and `s.front_next` the next frontier.]],
    ask = [[Which vertices will have level 3 at the end?]],
    answer = "(function() local w = lesson.levels(town, 0) return lesson.those(s.level, function(_, v) return w[v] == 3 end) end)()",
    hint = [[Follow the arrows in the picture, starting at 0. The level of a vertex is the number of streets on a shortest path to it, and a vertex that has a level keeps it.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"lesson.level(s, 3) == '6'", "lesson.level(s, 0xffffffff) == '7, 8 and 9'", "s.level[12] == 9", "lesson.wrong(town, 0, s.level) == 'none'"},
    say = [[
Level 3 is only vertex {lesson.level(s, 3)}. An edge leads from 2 to 0, too, but 0 has a level already, so it did not get a new one. The last pass reached nothing (grown 0), and that ends the search. {lesson.level(s, 0xffffffff)} are not reached: no path leads there from 0.

When two threads of a pass come to the same vertex, an atomic operation decides which of them sets the level, and only that thread puts the vertex into the next frontier. Which one it is may differ from run to run; the level is the same.

In the town the frontier is nearly always one vertex. A GPU has tens of thousands of threads, and only one of them has work.]],
    ask = [[Two larger graphs have 4096 vertices each: `streets` is a grid of 64 x 64, `web` is an R-MAT graph (most vertices with few edges, a few vertices with hundreds). Which one has fewer layers: streets or web?]],
    answer = "#lesson.layers(streets) < #lesson.layers(web) and 'streets' or 'web'",
    hint = [[The last layer is that of the farthest vertex. How many edges is it from a corner of a grid of 64 x 64 to the opposite corner, and how far apart are two vertices if a few others are connected to hundreds of vertices?]],
  },
  {
    run = {"r = bfs(streets, 0)", "r", "q = bfs(web, 0)", "q"},
    hold = {"#lesson.layers(streets) == 127 and lesson.widest(streets) == 64", "#lesson.layers(web) < 12 and lesson.widest(web) > 1000",
      "check(r) and check(q)", "r.passes == #lesson.layers(streets) and q.passes == #lesson.layers(web)"},
    say = [[
The web has {#lesson.layers(web)} layers, the streets have {#lesson.layers(streets)}. In the grid a frontier is a line across the city, with {lesson.widest(streets)} vertices at most. In the web nearly every vertex is only a few edges away, because the vertices with hundreds of edges are near all others: one frontier has {lesson.widest(web)} vertices. So the same algorithm runs in many short passes on one graph, and in a few large ones on the other.

{lesson.table_of_layers(web)}

`edges out` is the number of edges that leave the layer. So far each pass has PUSHED along these edges. The last column is for a pass that PULLS: each vertex that is NOT visited yet looks at the edges that lead to it, and stops at the first one that comes from the frontier.]],
    ask = [[In which layer of the table does pulling save most edges? (Give the number of the layer.)]],
    answer = "(function() local best, at = -1, 0 for k, l in ipairs(lesson.layers(web)) do if l[2] - l[3] > best then best, at = l[2] - l[3], k - 1 end end return at end)()",
    hint = [[Subtract the last column from `edges out` in each row: that is what pulling saves in this layer. Compare all rows.]],
  },
  {
    run = {"push = bfs(web, 0, {form = 'push'})", "push.dist:diff(q.dist)"},
    hold = {"_ == 0", "q.variant == 'both' and push.variant == 'push'", "select(2, lesson.looks(web)) * 2 < lesson.looks(web)"},
    say = [[
Where the frontier is large, nearly every vertex that is not visited has an edge from it, and soon finds one. With the better of push and pull in each layer the search looks at {select(2, lesson.looks(web))} edges instead of {(lesson.looks(web))}. This is the DIRECTION-OPTIMIZING search (Beamer, Asanovic, Patterson 2012).

`bfs(g, s)` does that: `form = "both"` is its default, and `visit_pull` is the kernel that pulls. It does not know the table before it searches; it pulls when the frontier has more than 1/24 of the vertices, and pushes again when it has less than 1/48. Both forms have just found the same levels.]],
  },
  {
    see = "script",
    run = {"start search(town, 0)", "until grown == 0", "s.level"},
    hold = {"lesson.wrong(town, 0, s.level) == '0'"},
    say = [[
A BUG TO FIND. `search` is a breadth-first search that somebody has written with the same two kernels. `list` shows it; so does the view `script` of the panel. The search has just run on the town from vertex 0, and its levels are printed at the prompt.]],
    ask = [[One vertex has a wrong level. Which one?]],
    answer = "lesson.wrong(town, 0, s.level)",
    hint = [[`lesson.picture()` shows the town. Count the streets from the source to each vertex, and compare with the level that is printed for it; leave out no vertex.]],
  },
  {
    see = "script",
    hold = {"s.level[0] == 3"},
    say = [[
Vertex 0, where the search begins: it is 0 edges away from itself, and its level is {s.level[0]}. When did that happen? The run was recorded, and `back until` looks for the first stop at which something was true. Type

  back until s.level[0] ~= 0xffffffff

(0xffffffff, all ones, means: not reached. It is the dash in s.level.) Then look around: `s.level` and everything else is as it was at that stop. `forward` goes to the end of the run again.]],
    ask = [[At which stop did 0 get its level? Give the number after # in the stop line.]],
    answer = "5",
    hint = [[Type the line of the text that begins with `back until`. The stop line that it prints begins with # and the number of the stop.]],
  },
  {
    see = "script",
    run = {"back until s.level[0] ~= 0xffffffff"},
    hold = {"s.level[0] == 3", "s.level[6] == 3", "s.level[3] == 0xffffffff"},
    say = [[
Vertex 0 got its level at #5, in the third `visit`, by the edge from vertex 2. You are at that stop now. A mistake can make everything after it wrong. Here no other level is wrong, but every edge that leaves 0 was followed twice.]],
    ask = [[One line is missing in `search`, before its loop. It sets an element of a buffer of s. Which buffer: front, level or parent?]],
    answer = "'level'",
    hint = [[Two things have to be prepared before the loop: the source is in the frontier, and it counts as visited. `list` shows which of them is done; `??visit` shows by which buffer the kernel sees that a vertex is visited.]],
  },
  {
    run = {"drop"},
    hold = {"lesson.wrong(streets, 0, bfs(streets, 0).dist) == 'none'"},
    say = [[
`s.level[source] = 0` is missing. 0 was in the frontier, but it was not marked as visited, so the search reached it again through the roundabout. On a graph without a cycle through the source the mistake would not show, and a test on such a graph would pass.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. How many passes does a search take on
     a ring of 100 vertices? And from the
     centre of a star?
  2. What would go wrong if two threads put
     the same vertex into the frontier?
  3. Why does pulling not pay while the
     frontier is small?]],
    answers = [[
1. It takes 100 passes on the ring: 99 of them reach one vertex each, and the last one reaches nothing. It takes 2 on the star: the first reaches all other vertices, the second reaches nothing.

2. The levels would still be right. But all edges that leave the vertex would be followed twice, their targets could be listed twice as well, and so on: the frontier could outgrow its buffer, and the search would take longer.

3. Nearly all vertices are not visited, and nearly none of them has an edge from the frontier: each looks at all its edges, and finds nothing.]],
  },
}
