-- Shortest paths: why the width of a bucket matters.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.in_order()
town = nil

--- A row of eight crossings, a minute apart, and a ferry from the first to the sixth that takes ten minutes.
roads = graph.from_edges {{7, 6, 1}, {6, 5, 1}, {5, 4, 1}, {4, 3, 1}, {3, 2, 1}, {2, 1, 1}, {1, 0, 1}, {7, 2, 10}, name = "roads"}

--- Distances as a line of minutes, in the order of the road; "-" if there is none yet.
function lesson.minutes(dist)
  local out = {}
  for v = 7, 0, -1 do out[#out + 1] = ("%3s"):format(dist[v] == 0x7fffffff and "-" or dist[v]) end
  return "  crossing    7  6  5  4  3  2  1  0\n  minutes   " .. table.concat(out)
end

--- Delta-stepping; contains the bug that you are asked to find.
function buckets(g, source, delta)
  local none, most = 0x7fffffff, g.w:max()
  local count = most // delta + 2
  local function filled(kind, n, x)
    local b = buffer.new(kind, n)
    fill(b, x)
    return b
  end
  local s = bundle {off = g.off, to = g.to, w = g.w, overflow = buffer.new("u32", 1), delta = delta, buckets = count,
    dist = filled("i32", g.n, none), where = filled("i64", g.n, math.maxinteger), filled = buffer.new("u32", count),
    bucket = buffer.new("i64", 1), kept = buffer.new("u32", g.n), offer = buffer.new("i32", g.m), request = buffer.new("u32", g.m + 1)}
  s.dist[source], s.where[source], s.filled[0] = 0, 0, 1
  while first_bucket(s) > 0 do
    repeat
      local taken = request_light(s)
      relax_requests(s)
    until taken == 0
  end
  return s.dist
end

--- The number of wrong distances that `buckets` finds in g.
function lesson.wrong(g, source, delta) return (buckets(g, source, delta):diff((reference.dijkstra(g, source)))) end

--- The number of right distances from 7 in the buffer, compared with Dijkstra's algorithm.
function lesson.right(dist)
  local want, right = reference.dijkstra(roads, 7), 0
  for v = 0, 7 do right = right + (want[v] == dist[v] and 1 or 0) end
  return right
end

--- A city of 3600 crossings, whose streets take 1 to 100 minutes.
lesson.city = gen.grid {60, 60, weights = "i32", lo = 1, hi = 100, seed = 1}

local known = {}

--- The work of delta-stepping on the city with this bucket width: buckets, phases, requests, improved.
function lesson.cost(delta)
  if known[delta] then return known[delta] end
  local c = {phases = 0, requests = 0, improved = 0}
  local light, relaxes, stepped = request_light, relax_requests, session.stepped
  function session.stepped() return true end -- runs the primitives one at a time instead of as one loop
  function request_light(s)
    c.phases = c.phases + 1
    return light(s)
  end
  function relax_requests(s)
    c.requests = c.requests + s.request[0]
    local improved = relaxes(s)
    c.improved = c.improved + improved
    return improved
  end
  local good, r = pcall(paths.delta_stepping, lesson.city, 0, delta)
  request_light, relax_requests, session.stepped = light, relaxes, stepped
  c.buckets = assert(good and r, r).passes
  known[delta] = c
  return c
end

--- A line of the table.
function lesson.line(delta)
  local c = lesson.cost(delta)
  return ("%9d %9d %8d %10d"):format(delta, c.buckets, c.phases, c.requests)
end

return {
  {
    see = "graph",
    run = {"start paths.bellman_ford(roads, 7)", "step 2"},
    hold = {"dist[2] == 10", "dist[6] == 1", "lesson.right(dist) == 2"},
    say = [[
How long does it take from crossing 7 to each of the others? A row of streets leads from 7 to 0, and each street takes a minute. A ferry goes from 7 straight to 2, and takes ten minutes.

  7 --> 6 --> 5 --> 4 --> 3 --> 2 --> 1 --> 0
   \________ ferry: 10 ________/

To RELAX an edge from u to v of weight w means: if dist[u] + w is less than dist[v], then dist[v] becomes that. In the beginning dist is 0 at the source, and "no path" everywhere else. Bellman and Ford's algorithm relaxes all edges, and again all edges, until no distance improves. On a GPU each vertex has a thread, which relaxes the edges that leave it.

You have started it and made one pass (the step before it only filled a buffer):

{lesson.minutes(dist)}

The distance of 6 is right. But 2 has 10 minutes, by the ferry, since that is the only path found so far.]],
    ask = [[How many minutes does it really take from 7 to 2?]],
    answer = "reference.dijkstra(roads, 7)[2]",
    hint = [[Leave the ferry out: count the streets of the row from 7 to 2, and the minutes that they take together.]],
  },
  {
    see = "graph",
    run = {"step 3"},
    hold = {"dist[0] == 12", "dist[3] == 4", "lesson.right(dist) == 5"},
    say = [[
Three passes later:

{lesson.minutes(dist)}

The ten minutes of the ferry have spread: 1 and 0 have distances too, 11 and 12. All of that work is lost, since the slower of the two paths came first: in the next pass 2 will find that it can be reached in 5 minutes, and the vertices after it, 1 and 0, have to be improved once more.

That is the price of relaxing everything at once: a vertex passes on its present distance, which may not be its final one.]],
    ask = [[Dijkstra's algorithm settles the vertices in the order of their distances, and relaxes the edges of each only once. If one pass settles all vertices at the least distance that is not yet settled, how many passes do these roads take after the one that settles 7 itself?]],
    answer = "7",
    hint = [[Each pass settles one distance. Write down the right distance of every crossing, and count the different ones; the source is done already.]],
  },
  {
    run = {"continue", "r = paths.dijkstra(roads, 7)"},
    hold = {"_.passes >= 7", "r.passes == 7", "lesson.right(r.dist) == 8"},
    say = [[
`continue` has let Bellman and Ford's algorithm run to its end. Now Dijkstra's algorithm, in the form that Pogorilyy and Slynko gave it for GPUs (2016). It SETTLES vertices in the order of their distances: the least distance that is not yet settled is certainly final, because all weights are positive and every other path is already longer. Only vertices that are settled relax their edges; so each vertex does so once, and no work is lost.

But it took {r.passes} passes, one for every distance that occurs. In a pass all vertices at one distance are settled together, and here that is one vertex at a time. A GPU has tens of thousands of threads, and only one of them has work.

One algorithm wastes work, the other one wastes threads.]],
    ask = [[Put the distances 0 to 7 into buckets of width 3: 0, 1 and 2 into the first, and so on. How many buckets do you need?]],
    answer = "7 // 3 + 1",
    hint = [[Write down all the distances, and divide them into groups of the given width. The last bucket may be partly filled, but it counts.]],
  },
  {
    run = {"start paths.delta_stepping(roads, 7, 3)", "until taken == 0"},
    hold = {"s.delta == 3", "lesson.right(s.dist) == 4", "s.dist[2] == 0x7fffffff"},
    say = [[
DELTA-STEPPING is between the two (Meyer and Sanders 1998; here in Lesnikov and Chernoskutov's form for GPUs, 2016). Distances are put into BUCKETS of width delta: with delta = 3 the first bucket has the distances 0, 1 and 2, the second one 3, 4 and 5.

The vertices of the first bucket that is not empty relax their LIGHT edges, those with a weight of at most delta, all together. That may put vertices into the same bucket, so the step is repeated until the bucket is empty; each such step is a PHASE of the bucket. Only then are the HEAVY edges relaxed, once for each vertex that was in the bucket, because they lead into later buckets anyway.

You are at the stop at which the first bucket has become empty (taken 0):

{lesson.minutes(s.dist)}

The ferry has not been relaxed yet: it is a heavy edge, and those come next. All vertices of the first bucket have their final distances now. (Crossing 4 has a distance, too: 3, which belongs to the next bucket.)]],
    ask = [[With delta = 1, how many of the edges of these roads are heavy?]],
    answer = "(function() local n = 0 for _, w in pairs(roads.w) do n = n + (w > 1 and 1 or 0) end return n end)()",
    hint = [[An edge is heavy if its weight is more than delta. `roads.w` shows the weights of all edges: those of the row, and that of the ferry.]],
  },
  {
    run = {"continue"},
    hold = {"_.passes == 3", "lesson.cost(1).phases > 10*lesson.cost(100).phases", "lesson.cost(10000).requests > 2*lesson.cost(100).requests",
      "lesson.cost(10000).buckets == 1", "lesson.cost(1).requests <= lesson.cost(100).requests"},
    say = [[
Delta-stepping needed {_.passes} buckets for the roads. The wider the buckets, the fewer of them there are, and the more work is lost inside each. This is a city of {lesson.city.n} crossings, a grid whose streets take 1 to 100 minutes:

    delta   buckets   phases   requests
{lesson.line(1)}
{lesson.line(10)}
{lesson.line(50)}
{lesson.line(100)}
{lesson.line(500)}
{lesson.line(10000)}

A request is an edge that is relaxed. With delta = 1 this is Dijkstra's algorithm: hardly an edge is relaxed in vain, but there are {lesson.cost(1).phases} phases, one after the other. With delta = 10000 everything is in one bucket, and this is Bellman and Ford's algorithm: only {lesson.cost(10000).phases} phases, but {lesson.cost(10000).requests} requests, {("%.1f"):format(lesson.cost(10000).requests / lesson.cost(1).requests)} times as many.

A phase takes at least the time to launch its kernels: on a GPU some 10 microseconds, if the host launches each. A request takes time on the device, which handles some 10000 of them in a microsecond.]],
    ask = [[Which delta of the table is the fastest by these figures? (phases * 10 us + requests / 10000 us)]],
    answer = "(function() local best, at for _, d in ipairs {1, 10, 50, 100, 500, 10000} do local c = lesson.cost(d) local us = 10 * c.phases + c.requests / 10000 if not best or us < best then best, at = us, d end end return at end)()",
    hint = [[By these figures a phase costs as much as 100000 requests. Which of the two columns decides, then?]],
  },
  {
    see = "script",
    run = {"start buckets(roads, 7, 3)", "continue", "_"},
    hold = {"lesson.right(_) == 8", "lesson.wrong(lesson.city, 0, 100) == 0", "lesson.wrong(lesson.city, 0, 50) > 100"},
    say = [[
A BUG TO FIND. `buckets` is somebody's own program for delta-stepping (`??buckets` shows it). It has just found the right distances of the roads. In the city of {lesson.city.n} crossings, whose streets take 1 to 100 minutes, the number of wrong distances is

  delta    100   {lesson.wrong(lesson.city, 0, 100)}
  delta     50   {lesson.wrong(lesson.city, 0, 50)}
  delta     10   {lesson.wrong(lesson.city, 0, 10)}]],
    ask = [[Which edges are never relaxed: light or heavy?]],
    answer = "'heavy'",
    hint = [[`??buckets` shows which requests its inner loop makes. And with delta = 100 all distances are right: which kind of edge does the city not have then?]],
  },
  {
    say = [[
The heavy ones: after the inner loop, `request_heavy(s)` and `relax_requests(s)` are missing. With delta = 100 no edge is heavy, so the result is right; and the ferry of the roads, the only heavy edge there, is on no shortest path. A test needs a case for every line of the program.

The paper's own listing has this bug in another form: line 13 of Algorithm 1 takes the heavy edges of the bucket, which is empty by then, instead of those of the vertices that were in it. `help errata 001` shows it.

To find such a mistake, run the program on a graph with weights of all sizes, and check the result: `check(r)` looks at every edge once, and names an edge that would make a distance shorter.]],
    ask = [[Back to the best width. A graph of millions of vertices has far more requests, but not many more phases. Is its best delta larger or smaller than that of this city?]],
    answer = "'smaller'",
    hint = [[A larger delta means fewer phases and more requests. Which of these two matters more, if there are far more requests and hardly more phases?]],
  },
  {
    run = {"d = sssp(lesson.city, 0)", "check(d)"},
    hold = {"_ == true", "d.dist:diff(paths.delta_stepping(lesson.city, 0, 100).dist) == 0"},
    say = [[
Smaller. For such a small city the phases decide: there is far too little work for a GPU, and the widest bucket wins. For a graph of millions of vertices the requests of a wide bucket cost more than the phases of a narrow one, and the best width is between the extremes. And it differs from graph to graph: on a road network vertices have few neighbours and there are many phases, on a social network all vertices are near each other and there are few phases.

`sssp(g, source)` is the algorithm for daily use. It is near-far (Davidson and others, 2014), delta-stepping with two buckets, "near" and "far". A queue holds the vertices of the current bucket, so that a phase reads only these and not all vertices; and the whole search is one launch, so that between two phases there is only a barrier for all threads, a microsecond or two. That makes narrow buckets cheap. (On a CPU a run that is not stepped takes another form, delta-stepping in which every thread has its own buckets: `r.variant` names the form.) `sssp(g, s, {{delta = 64})` sets the width; `check` has just proved the distances `d` right.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. All weights are 1. What does
     delta-stepping do with delta = 1, and
     what is that algorithm's name?
  2. Why are heavy edges relaxed only when
     the bucket has become empty?
  3. A weight is negative. Which of the
     algorithms of this lesson is still
     right, and why not the others?]],
    answers = [[
1. Every bucket is one distance, and it is empty after one phase: the graph is searched layer by layer. That is breadth-first search.

2. Before that, a vertex of the bucket may still improve, and would have to relax its heavy edges again. They lead into later buckets, so no vertex of this bucket waits for them.

3. Bellman and Ford's. The others settle a distance for good, because every other path is already longer; an edge of negative weight may make it shorter later.]],
  },
}
