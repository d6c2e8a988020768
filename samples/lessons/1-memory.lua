-- A graph in memory: two arrays, and kernels that process them.

lesson = assert(loadfile((...) .. "/common.lua"))(...)

--- A line of indices, and below it the elements.
function lesson.row(buffer)
  local places, values = {}, {}
  for i, x in pairs(buffer) do
    places[#places + 1], values[#values + 1] = ("%3d"):format(i), ("%3d"):format(x)
  end
  return " " .. table.concat(places) .. "\n " .. table.concat(values)
end

--- The targets of the edges of v, according to the two arrays.
function lesson.row_of(off, to, v)
  local list = {}
  for e = off[v], off[v + 1] - 1 do list[#list + 1] = to[e] end
  return lesson.words(list)
end

--- Are the two arrays right, compared with the graph's list of edges?
function lesson.says(off, to, g)
  for v = 0, g.n - 1 do
    local here, there = {}, {}
    for e = off[v], off[v + 1] - 1 do here[#here + 1] = to[e] end
    for t in g:edges(v) do there[#there + 1] = t end
    table.sort(here)
    table.sort(there)
    if table.concat(here, " ") ~= table.concat(there, " ") then return false end
  end
  return true
end

--- The same streets in the order of a file, and the arrays that a loader with a mistake builds from them.
lesson.file = {{2, 0}, {9, 8}, {0, 1}, {5, 10}, {1, 2}, {8, 7}, {2, 6}, {5, 3}, {4, 5}, {7, 0}, {6, 3}, {11, 12}, {3, 4}, {10, 11}}
function lesson.load(file, n)
  local off, to = buffer.new("u32", n + 1), buffer.new("u32", #file)
  for i, edge in ipairs(file) do
    off[edge[1] + 1] = off[edge[1] + 1] + 1 -- first counts the edges of each vertex
    to[i - 1] = edge[2]
  end
  for v = 1, n do off[v] = off[v] + off[v - 1] end -- then computes where the edges of each vertex begin
  return {off = off, to = to}
end

--- The new rank of v, as the second kernel of the walk computes it.
function lesson.pulled(s, v)
  local sum = 0
  for e = town.roff[v], town.roff[v + 1] - 1 do sum = sum + s.share[town.rto[e]] end
  return 1 + 0.85 * sum
end

return {
  {
    see = "graph",
    run = {"town", "town.to", "town.off"},
    hold = {"town.n == 13 and town.m == 14", "#town.off == town.n + 1", "#town.to == town.m", "lesson.says(town.off, town.to, town)",
      "lesson.row_of(town.off, town.to, 2) == '0 and 6'"},
    say = [[
This is a small town of one-way streets: {town.n} crossings, the VERTICES, and {town.m} streets, the EDGES.

{lesson.picture()}

Two arrays of numbers hold all of it. `to` says where each edge leads, first the edges that leave vertex 0, then those that leave vertex 1, and so on. `off` says at which index of `to` the edges of each vertex begin (vertices above, indices below):

{lesson.row(town.off)}

The edges of 2 begin at index {town.off[2]} of `to`, and end before index {town.off[3]}, where those of 3 begin. So 2 leads to {lesson.row_of(town.off, town.to, 2)}. This is called CSR (compressed sparse rows).]],
    ask = [[Where does vertex 5 lead? Find it in `off` and `to`, as they are printed, not in the picture; `town.to[9]` shows one element.]],
    answer = "lesson.row_of(town.off, town.to, 5)",
    hint = [[Find off[5] and off[6] in the table above: the edges of 5 begin in `to` at the first of these two indices, and end before the second. `town.to` shows all elements; indices count from 0.]],
  },
  {
    run = {"town:degree(12)", "town.rto", "town.roff"},
    hold = {"town.off[12] == town.off[13]", "lesson.row_of(town.roff, town.rto, 3) == '5 and 6'", "lesson.says(town.roff, town.rto, town:reverse())"},
    say = [[
5 leads to {lesson.row_of(town.off, town.to, 5)}. The number of edges that leave v is off[v+1] - off[v]; for vertex 12 that is 0. The last vertex needs off[v+1], too, so `off` has one element more than there are vertices.

Which vertices lead TO a given vertex? In `to` one would have to look at every edge. Algorithms that ask this often have a second pair of arrays, `roff` and `rto`, the TRANSPOSE: the same edges, each reversed.]],
    ask = [[How many bytes do `off` and `to` take for a graph of one million vertices and four million edges, in MB (millions of bytes)? A number in them has 4 bytes. Round to a whole number.]],
    answer = "(4 * (1000001 + 4000000) + 500000) // 1000000",
    hint = [[Count the numbers first: `off` has one for each vertex and one more, `to` has one for each edge. Then multiply by the bytes of a number.]],
  },
  {
    see = "buffers",
    run = {"start pagerank(town)", "step 2"},
    hold = {"s.share[0] == 1 and s.share[2] == 0.5 and s.share[12] == 0"},
    say = [[
20 MB. A table of all pairs of vertices would have a million times a million elements.

Now an algorithm uses these arrays. You have started `pagerank`. It asks where walkers are in the long run if each of them always picks one of the streets that leave the crossing, at random. In the beginning every vertex has rank 1, that is, one walker.

A KERNEL is a small program that many threads run at once. The kernel `rank_share` has run, with a THREAD for each vertex. Thread v did only this: it read rank[v], off[v] and off[v+1], and wrote

  share[v] = rank[v] / (number of edges that leave v)

So share[0] is {s.share[0]} and share[2] is {s.share[2]}. No thread needs to know what another one does, so their order does not matter: on a GPU thousands run at the same time. `??rank_share` shows the kernel.]],
    ask = [[The next kernel, `rank_pull`, sets rank[v] = 1 + 0.85 * (the sum of the shares of all vertices that lead to v). What will rank[3] be? The vertices {lesson.row_of(town.roff, town.rto, 3)} lead to 3; `s.share` shows the shares.]],
    answer = "('%.6g'):format(lesson.pulled(s, 3))",
    hint = [[Look up s.share[5] and s.share[6], and add the two. Only their sum is multiplied by 0.85; the 1 is added last.]],
  },
  {
    see = "buffers",
    run = {"step"},
    hold = {"s.rank[3] == 1 + 0.85 * 1.5", "moved == 12", "s.rank[9] == 1"},
    say = [[
rank[3] is {s.rank[3]}. `moved {moved}` in the line of the step is what the kernel returned: the number of ranks that have changed. Vertex 9 kept its rank, since nothing leads to it.

Thread v of this kernel read the shares of OTHER vertices: for 3, those that threads 5 and 6 of the previous kernel had written. That is allowed because a kernel begins only when the previous one has ended. Within a kernel there is no such order.

Going once over all vertices is a PASS. This algorithm repeats its two kernels, pass after pass, until no rank moves. `until moved == 0` runs to that point.]],
    ask = [[Could one kernel do both: compute share[v], and in the same thread add up the shares of the vertices that lead to v? Say yes or no.]],
    answer = "'no'",
    hint = [[Threads run in any order. Suppose that thread 3 runs first: which shares does it add up, and who has computed them by then?]],
  },
  {
    see = "convergence",
    run = {"until moved == 0", "continue", "lesson.town_rank = _", "check(lesson.town_rank)"},
    hold = {"_ == true", "lesson.town_rank.rank[3] == lesson.town_rank.rank:max()"},
    say = [[
No: when thread 3 adds up the shares, thread 6 may or may not have written its own. The result would depend on the order of the threads, which differs from run to run. That is a DATA RACE. The end of a kernel is the way to wait for all threads.

No rank moves any more (the walk has CONVERGED), and `check` has proved the result in another way. At the end the ranks were divided by their sum, so that they add up to 1. Vertex 3 has the greatest rank, {('%.3f'):format(lesson.town_rank.rank[3])}: the streets lead into the second roundabout, and only one street leads out of it.

A stop is always between two kernels. There you may look into every buffer, go `back`, and ask `??NAME` for the source of what comes next.]],
  },
  {
    run = {"broken = lesson.load(lesson.file, 13)", "broken.off", "broken.to"},
    hold = {"broken.off:diff(town.off) == 0", "not lesson.says(broken.off, broken.to, town)", "lesson.file[1][1] == 2 and lesson.file[1][2] == 0"},
    say = [[
A BUG TO FIND. Somebody has written a loader. It reads the edges of the town from a file, in the order of the file:

  2>0  9>8  0>1  5>10  1>2  8>7  2>6
  5>3  4>5  7>0  6>3  11>12  3>4  10>11

It counts the edges of each vertex, adds the counts up, and so gets the array `off`. It writes the targets of the edges into `to`. By these arrays vertex 0 leads to {lesson.row_of(broken.off, broken.to, 0)} and vertex 2 leads to {lesson.row_of(broken.off, broken.to, 2)}, and no kernel would complain.]],
    ask = [[Which of the two arrays is wrong: off or to? `broken.off` and `town.off` show arrays, `town.off:diff(broken.off)` counts the elements in which the two differ.]],
    answer = "town.off:diff(broken.off) > 0 and 'off' or 'to'",
    hint = [[`diff` returns the number of elements in which two arrays differ; for equal arrays that is 0. Make the comparison in the question: if it returns 0, the mistake is in the other array.]],
  },
  {
    run = {"broken.to:diff(town.to)"},
    hold = {"_ > 0"},
    say = [[
`to` is wrong. The loader has written the edges in the order of the file, but by `off` the edges of vertex 0 come first. Each edge from u has to be written at the next free index of u's row: off[u], then off[u] + 1 ... Both arrays are of the right length and hold vertices that exist, so nothing crashes: only the graph is wrong. Check arrays like these against something that was computed in another way: this lesson used the list of edges.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. What does `off` look like for a graph
     of 4 vertices without any edge?
  2. Each vertex has a thread: which vertices
     make their threads work longest, and
     which threads wait for them?
  3. Why does an edge from u to v occur in
     u's row of `to`, and in v's of `rto`?]],
    answers = [[
1. Five zeros: every row begins and ends at index 0, so it is empty.

2. Those with many edges: a thread walks its row from the first edge to the last. The kernel ends when the last thread has ended, so all wait. Lesson load-balance is about that.

3. A row of `to` answers "where does u lead?", a row of `rto` answers "which vertices lead to v?". It is the same edge, listed once under each of its ends.]],
  },
}
