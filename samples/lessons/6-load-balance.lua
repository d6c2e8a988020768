-- Load balance: one thread per vertex or per edge, and the limits of a kernel.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
town = nil -- so that the graph view shows the web

streets = gen.grid {128, 128, weights = "i32", lo = 1, hi = 9, seed = 1}
web = gen.rmat {scale = 14, degree = 8, seed = 1, weights = "i32", lo = 1, hi = 9}

--- The out-degrees of the vertices, in their order or sorted.
function lesson.degrees(g, sorted)
  local off, list = g.off:totable(), {}
  for v = 1, g.n do list[v] = off[v + 1] - off[v] end
  if sorted then table.sort(list) end
  return list
end

--- The percentage of warp slots (32 threads x steps) that have an edge, if each thread processes the edges of one vertex.
function lesson.busy(g, sorted)
  local degrees, places = lesson.degrees(g, sorted), 0
  for first = 1, #degrees, 32 do
    local most = 0
    for i = first, math.min(first + 31, #degrees) do most = math.max(most, degrees[i]) end
    places = places + 32 * most
  end
  return 100 * g.m / places
end

function lesson.line(g)
  local degrees = lesson.degrees(g, true)
  return ("%7d %6d %5.1f %5d %5.0f"):format(g.m, degrees[1], g.m / g.n, degrees[#degrees], lesson.busy(g))
end

--- The row of a table of times that is furthest from its limit; nil if no limit is known.
function lesson.furthest(rows)
  local worst
  for _, row in ipairs(rows) do
    if row.limit and (not worst or row.limit < worst.limit) then worst = row end
  end
  return worst
end

function lesson.name_furthest(rows) return (lesson.furthest(rows) or {kernel = "none"}).kernel end

function lesson.tell_furthest(rows)
  local row = lesson.furthest(rows)
  if not row then return "The share of the limit is unknown for every kernel of this table." end
  return ("%s: it reaches %.1f %% of its limit, and a call takes %.0f us, %.0f times as long as starting a kernel that does nothing."):format(
    row.kernel, 100 * row.limit, 1e6 * row.median, math.max(row.median / device.limits().launch, 1))
end

--- Cuts the vertices into parts with about the same number of edges: part i has the vertices first[i] .. first[i + 1] - 1.
function cut(g, parts)
  local off, first, v = g.off, {[0] = 0}, 0
  for i = 1, parts do
    while v < g.n and off[v] < g.n * i // parts do v = v + 1 end
    first[i] = v
  end
  first[parts] = g.n
  return first
end

--- The same, without the mistake.
function lesson.cut(g, parts)
  local off, first, v = g.off, {[0] = 0}, 0
  for i = 1, parts do
    while v < g.n and off[v] < g.m * i // parts do v = v + 1 end
    first[i] = v
  end
  return first
end

--- The edges of each part.
function loads(g, first)
  local list = {}
  for i = 1, #first do list[i] = g.off[first[i]] - g.off[first[i - 1]] end
  return list
end

function lesson.heaviest(g, first)
  local most, at = -1, 0
  for i, edges in ipairs(loads(g, first)) do
    if edges > most then most, at = edges, i end
  end
  return at, most
end

return {
  {
    run = {"streets", "web"},
    hold = {"streets.n == web.n", "lesson.degrees(streets, true)[streets.n] == 4", "lesson.degrees(web, true)[web.n] > 500"},
    say = [[
Two graphs of {web.n} vertices. `streets` is a grid. `web` is an R-MAT graph: like links between pages, or followers of people, it has a few vertices with very many edges.

             edges  least  mean  most  busy
  streets  {lesson.line(streets)}
  web      {lesson.line(web)}

(least, mean, most: edges that leave a vertex. `busy` is explained on the next page.)

Suppose that each thread of a kernel walks the edges of one vertex. The threads of a GPU run in WARPS of 32: all threads of a warp execute the same instruction at the same time. A thread that has walked all its edges waits for the slowest thread of its warp.]],
    ask = [[A warp has 31 vertices with 1 edge each, and one with 63. So it takes 63 steps, each with a slot for each of the 32 threads: 32 * 63 = 2016 slots. In how many of them is an edge walked?]],
    answer = "31 * 1 + 63",
    hint = [[Each edge is walked once, in a slot of its own. So add up the edges of the 32 vertices; all other slots are empty.]],
  },
  {
    hold = {"lesson.busy(streets) > 90", "lesson.busy(web) < 50", "lesson.busy(web, true) > 5 * lesson.busy(web)"},
    say = [[
In 94 of 2016: less than 5 %. The column `busy` of the table has this percentage for whole graphs: {('%.0f'):format(lesson.busy(streets))} % of the slots do work for the streets, {('%.0f'):format(lesson.busy(web))} % for the web. The work for each edge is the same in both graphs, but in the web most of the machine waits.

There is a second problem. The kernel ends when its last thread has ended, and one vertex of the web has {lesson.degrees(web, true)[web.n]} edges. In a large graph of this kind, one vertex may have a million edges, and one thread walks them all.]],
    ask = [[Number the vertices anew, sorted by how many edges they have: then the 32 vertices of a warp are alike. Will more than half of the slots be busy for the web: yes or no?]],
    answer = "lesson.busy(web, true) > 50 and 'yes' or 'no'",
    hint = [[A slot is empty if its thread has already walked all its edges while another thread of the warp has not. After sorting, how much do the numbers of edges within one warp differ?]],
  },
  {
    run = {"?relax_edges"},
    say = [[
Yes, {('%.0f'):format(lesson.busy(web, true))} %. But sorting takes time, and neighbours are then no longer near each other in memory. And the thread of the vertex with the most edges takes as long as before.

The alternative is ONE THREAD PER EDGE. The help of `relax_edges` says `a thread is an edge of a vertex in the queue`: thread i finds the vertex to which the i-th edge belongs, by a binary search in the prefix sums of the degrees. All threads have the same work, whatever the graph. The price: that search; and several threads of one vertex may now write to the same element, so they need atomic operations. `relax` relaxes edges, too, but has one thread per vertex. `visit`, the kernel of the search in `lesson frontiers`, has one thread per edge.

Neither is best for all graphs: on the streets one thread per vertex loses nothing and needs no search.]],
    ask = [[A graph of a million vertices has 3 edges at each of them, exactly. Which is better for a pass over all of it: one thread per vertex, or one thread per edge? (vertex or edge)]],
    answer = "'vertex'",
    hint = [[One thread per edge gives all threads the same work, and costs a search and atomic operations. If the vertices are distributed over the threads instead, how different is the work of the threads in this graph?]],
  },
  {
    see = "roofline",
    run = {"device.limits();", "stats('reset')", "pagerank(web);", "rows = stats()", "rows"},
    hold = {"#rows >= 4", "device.limits().launch > 0"},
    say = [[
How good is a kernel? Its time does not say. A kernel that reads and writes 4 GB cannot be faster than the memory: at a rate of 1000 GB/s it takes at least 4 ms, whatever it computes. Nearly all kernels over graphs wait for memory. `device.limits()` has measured two rates of this device: how fast bytes are read and written in order (mem), and how many numbers per second are read at random indices of an array (irr), which is much slower.

The column `limit` of the table, and the view `roofline`, show how near each kernel comes to the tighter of its two limits. At 80 % there is little to gain. At 2 % the question is: why? A dash means that the number of bytes that the kernel reads and writes is unknown.]],
    ask = [[Which kernel of this table is furthest from its limit? (Give the name in the row with the lowest percentage. If two rows seem equal, compare the exact shares: `rows[2].limit` is that of the second row.)]],
    answer = "lesson.name_furthest(rows)",
    hint = [[Look for the lowest percentage in the column `limit`; a dash does not count. `rows[1].kernel` and `rows[1].limit` are the name and the exact share of the first row.]],
  },
  {
    hold = {"lesson.name_furthest(rows) ~= 'none'"},
    say = [[
{lesson.tell_furthest(rows)}

There are three usual reasons:

TOO LITTLE WORK: a call takes little longer than the start of a kernel. Take a larger graph, or start fewer kernels.

LOAD IMBALANCE: threads wait for a slow one. Look at the numbers of edges, as on the first pages.

A COLD START: the first call of a run reads what no cache has yet, or touches memory for the first time. See whether the greatest time is far above the median.

So begin with the column of the total time, because a kernel that takes 1 % of it is not worth the effort. Then look at the time of one call, then at the graph, and then compare `max` with `median`.]],
  },
  {
    run = {"loads(streets, cut(streets, 4))", "loads(web, cut(web, 4))", "??cut"},
    hold = {"lesson.heaviest(web, cut(web, 4)) == 4", "lesson.heaviest(streets, cut(streets, 4)) == 4"},
    say = [[
A BUG TO FIND. Four processors share a graph: each gets a range of consecutive vertices, and all ranges should have about the same number of edges. `cut` computes where the ranges begin. For that it should scan `off` until one, two and three quarters of the edges are reached; off[v] is the number of edges before vertex v. `loads` counts the edges of the parts. Three parts have little to do, and the last one has nearly everything. The source of `cut` is printed at the prompt.]],
    ask = [[One letter in the condition of the inner loop (`while`) is wrong. Which letter should it be?]],
    answer = "'m'",
    hint = [[off[v] and the number that it is compared with have to count the same things. `?web` lists the numbers of a graph, with their letters.]],
  },
  {
    run = {"loads(streets, lesson.cut(streets, 4))", "loads(web, lesson.cut(web, 4))"},
    hold = {"select(2, lesson.heaviest(web, lesson.cut(web, 4))) <= web.m // 4 + lesson.degrees(web, true)[web.n]",
      "select(2, lesson.heaviest(streets, lesson.cut(streets, 4))) <= streets.m // 4 + 4"},
    say = [[
m. `off` counts edges, and was compared with a quarter of the VERTICES. With g.m the parts are about equal: no part has more than a quarter of the edges plus those of one vertex. No algorithm would return a wrong result; it would only take three times as long. Mistakes like this are found by counting work, not by checking results.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. A star: one vertex has a million edges,
     the others none. How long is a pass with
     one thread per vertex, and how would
     one thread per edge help?
  2. A kernel reaches 95 % of its limit, and
     the program is too slow. What now?
  3. Why is reading a million numbers in
     order faster than reading a million at
     random indices?]],
    answers = [[
1. As long as one thread takes for a million edges, while all others wait. With one thread per edge a million threads share them.

2. The kernel cannot be made faster; it has to read and write less, or be called less often: another algorithm, smaller types, fewer passes.

3. Memory is read in sectors of 32 bytes or more. In order, a sector serves eight numbers of 4 bytes; at random, one. And what comes next in order can be prefetched.]],
  },
}
