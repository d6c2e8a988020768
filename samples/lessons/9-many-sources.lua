-- All pairs: why many sources at once help.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.in_order()
town = nil

--- Random streets of 1 to 9 minutes.
roads = gen.uniform {n = 400, m = 1600, weights = "i32", lo = 1, hi = 9, seed = 2}

local known = {}

local function calls(kernel)
  for _, row in ipairs(stats()) do if row.kernel == kernel then return row.calls end end
  return 0
end

--- The cost of solving all problems, N at a time: the number of groups, and their total number of passes.
function lesson.cost(N)
  if known[N] then return known[N] end
  local groups, passes = calls("start_costs"), calls("scatter_costs")
  local good, r = pcall(apsp, roads, {form = "groups", sources_at_a_time = N})
  known[N] = {matrix = assert(good and r, r).matrix, groups = calls("start_costs") - groups, passes = calls("scatter_costs") - passes}
  return known[N]
end

--- A line of the table: a pass is two kernels, with one thread per vertex and problem.
function lesson.line(N)
  local c = lesson.cost(N)
  return ("%5d %7d %7d %8d %9d"):format(N, c.groups, c.passes, 2 * c.passes, roads.n * N)
end

--- The number of problems of this stop whose mask contains vertex v.
function lesson.active(v, k)
  local count = 0
  for i = 0, k - 1 do count = count + s.mask[v * k + i] end
  return count
end

--- The greatest distance from each source of a result of apsp.many; contains the bug that you are asked to find.
function farthest(r)
  local n, k, list = r.graph.n, #r.sources, {}
  for i = 0, k - 1 do
    list[i + 1] = 0
    for v = 0, n - 1 do
      local d = r.cost[i * n + v]
      if d ~= r.unreached and d > list[i + 1] then list[i + 1] = d end
    end
  end
  return list
end

--- The same, without the mistake.
function lesson.farthest(r)
  local list = {}
  for i = 1, #r.sources do
    list[i] = 0
    for v = 0, r.graph.n - 1 do
      local d = r:get(i, v)
      if d ~= r.unreached and d > list[i] then list[i] = d end
    end
  end
  return list
end

--- The memory for N sources, in millions of bytes.
function lesson.megabytes(n, m, N) return ("%.0f"):format(4 * ((3 * N + 1) * n + 2 * m) / 1e6) end

return {
  {
    run = {"r = paths.harish(roads, 0)", "r"},
    hold = {"r.passes > 5", "check(r)"},
    say = [[
Distances from one vertex to all others are the subject of `lesson buckets`. Often one wants all of them: from every vertex to every other one, {roads.n} times {roads.n} numbers for this graph of random streets.

The simplest way is to solve one problem after the other. Harish and Narayanan (2007) solve one on a GPU by two alternating kernels. In the SCATTERING phase every vertex whose distance has improved offers its neighbours a path through itself; in the CHECKING phase every vertex checks whether one of the offers is better than its distance. After {r.passes} passes no distance improves any more.

So for each source 2 * {r.passes} kernels run one after the other, with only {roads.n} threads each. A GPU can run 100 000 threads and more at once: it is nearly empty, and it mostly waits for kernels to start.

How would you keep it busy, with the same graph?]],
    ask = [[Four of these problems are solved at the same time, with a thread for each vertex in each problem. How many threads does a kernel have then?]],
    answer = "4 * roads.n",
    hint = [[One problem has a thread for each of the {roads.n} vertices. How many problems does a kernel work on?]],
  },
  {
    run = {"many = apsp.many(roads, {0, 1, 2, 3})", "many"},
    hold = {"many:get(1, 7) == r.dist[7]", "#many.cost == 4*roads.n", "many.passes >= r.passes"},
    say = [[
The problems do not depend on each other, so several can be solved at the same time, by the same kernels (Okuyama 2013, chapter 3). Here are four: from 0, 1, 2 and 3. Each thread has a vertex in one of the problems; there are four times as many threads, and as many passes as the slowest of the four problems takes: {many.passes}.

In memory the distances are ordered [vertex][source]: the four distances of vertex 0, then the four of vertex 1, and so on. `many.cost[4*7 + 2]` is the distance of vertex 7 in the third problem, from source 2. Why not problem by problem? Neighbouring threads work on the same vertex in different problems: they read the SAME edges, and adjacent distances. A GPU reads memory in sectors of 32 bytes for a whole warp of 32 threads: so one sector serves many of them.]],
    ask = [[At which index of `many.cost` is the distance of vertex 5 in the fourth problem, from source 3?]],
    answer = "4 * 5 + 3",
    hint = [[The index is the vertex times the number of sources, plus the number of the source, from 0. Compare with the example in the text, `many.cost[4*7 + 2]`: it is for vertex 7 and source 2.]],
  },
  {
    run = {"start apsp.many(roads, {0, 1, 2, 3})", "until improved > 0", "next"},
    hold = {"s ~= nil", "#s.mask == 4*roads.n"},
    say = [[
You see it at work: `scatter_costs` and `check_costs` alternate, and `improved` is the number of distances that became better, in all four problems together. `s.mask` marks the vertices that scatter next, again in the order [vertex][source]: `s.mask[v*4 + i]`. Look at some of them, if you like; `finish` runs to the end of the function, `continue` to the end of the run.]],
    ask = [[All {roads.n} problems at once take as many passes as the slowest of them. One problem after the other takes the sum of all. By about which factor does the number of passes fall: 10, 300 or 10000?]],
    answer = "(function() local x = lesson.cost(1).passes / lesson.cost(400).passes return x < 50 and 10 or x < 2000 and 300 or 10000 end)()",
    hint = [[Most problems take nearly as many passes as the slowest one. So compare the sum over {roads.n} problems with a single one.]],
  },
  {
    run = {"continue"},
    hold = {"lesson.cost(1).groups == roads.n", "lesson.cost(400).groups == 1", "lesson.cost(1).matrix:diff(lesson.cost(400).matrix) == 0",
      "lesson.cost(1).passes > 20*lesson.cost(32).passes"},
    say = [[
How many should be solved at a time? This table is for all {roads.n} problems, N of them at a time:

    N  groups  passes  kernels   threads
{lesson.line(1)}
{lesson.line(8)}
{lesson.line(32)}
{lesson.line(128)}
{lesson.line(400)}

The answers are the same each time. One at a time, {2 * lesson.cost(1).passes} kernels run one after the other, with {roads.n} threads each; all at once, {2 * lesson.cost(400).passes} kernels with {roads.n * 400} threads.

The passes go on until the slowest problem has ended, so in the last ones some threads have nothing to do. That costs little; Okuyama (2013) measured 2.8 to 13 times the speed of one source at a time. `stats` shows the times on your machine.]],
  },
  {
    run = {"farthest(many)", "??farthest"},
    hold = {"table.concat(farthest(many), ' ') ~= table.concat(lesson.farthest(many), ' ')", "many.cost[5 * 4 + 3] == many:get(4, 5)"},
    say = [[
A BUG TO FIND. `farthest` should find, for each of the four sources, the greatest distance to a vertex. Nothing crashes, and the numbers look like distances. But the right ones are {table.concat(lesson.farthest(many), ", ")}. They were computed with `many:get(i, v)`, which returns the distance of v in the i-th problem, counted from 1.]],
    ask = [[The line with r.cost has the wrong index. By which of the two numbers must v be multiplied there: k or n?]],
    answer = "'k'",
    hint = [[The distances of one vertex are adjacent, one for each source: so by how much does the index grow from vertex v to vertex v + 1? The first line of `farthest` says which letter is the number of vertices, and which that of sources.]],
  },
  {
    say = [[
By k: the distances are ordered [vertex][source], so it has to be r.cost[v * k + i]. With the wrong index, too, the loops read each element of the buffer exactly once: no access is out of bounds, and even the greatest of the four numbers is right. The order of an array is a part of its type that no compiler knows.]],
    ask = [[What is the price of many sources? Memory: (3N + 1)|V| + 2|E| numbers for N of them. A number has 4 bytes, and there are a million vertices and four million edges. How many MB do 10 sources take?]],
    answer = "lesson.megabytes(1e6, 4e6, 10)",
    hint = [[Count in millions: |V| is 1 and |E| is 4. Put them and N into the formula, then multiply by the bytes of a number.]],
  },
  {
    run = {"all = apsp(roads)", "check(all)"},
    hold = {"_ == true", "all.matrix:diff(lesson.cost(32).matrix) == 0"},
    say = [[
{lesson.megabytes(1e6, 4e6, 10)} MB, since each problem has its own distances, offers and mask. One problem takes {lesson.megabytes(1e6, 4e6, 1)} MB, and 1000 problems {lesson.megabytes(1e6, 4e6, 1000)} MB. So the memory limits how many can run together. `apsp(g)` chooses that number itself; and its result may be larger than memory, too: `apsp(g, {{file = "d.npy"})` writes the rows to a file, group by group.

With many edges another algorithm is faster. Floyd and Warshall's takes n^3 steps, whatever the number of edges; n searches take about n times the number of edges, times the passes. So `apsp` takes Floyd-Warshall if a graph has many edges per vertex (`?apsp` says how many). `lesson tiles` explains that algorithm.

Three questions (`lesson answers` has the answers):

  1. A ring of 1000 vertices, and a graph
     in which every vertex leads to every
     other one: how many passes does each
     take, from one source?
  2. Why do neighbouring threads take the
     same vertex in different problems, and
     not different vertices of the same
     problem?
  3. 400 problems together take as many passes
     as the slowest of them. When would that
     be slow?]],
    answers = [[
1. The ring: about 1000 passes, one vertex in each pass, since its distances spread one edge further each time; one more finds that nothing improves. The other graph: 2, since all vertices are reached in the first pass; it takes a few more only if paths of several edges are shorter.

2. They read the same edges, and adjacent distances, so that one sector of memory serves many threads. Different vertices have different neighbours, which may be anywhere in memory.

3. When one problem takes far more passes than the others: a source at the end of a long chain, say. All others wait for it with nothing to do, though they keep their memory.]],
  },
}
