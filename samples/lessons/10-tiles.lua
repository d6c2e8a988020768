-- Tiled Floyd-Warshall: three phases, and why their order is right.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()
town = nil

--- 128 crossings, 4 x 4 tiles of 32 x 32 distances.
roads = gen.uniform {n = 128, m = 400, weights = "i32", lo = 1, hi = 9, seed = 3}
lesson.NONE = 0x7fffffff

--- The number of pairs with a known distance.
function lesson.found(D) return #D - D:count(lesson.NONE) end

--- The tiles in which D differs from D0: "(0, 0) and (0, 1)".
function lesson.changed(D0, D)
  local list = {}
  for i = 0, 3 do
    for j = 0, 3 do
      local function tile(x) return x:slice(32 * i, 32 * i + 32, 32 * j, 32 * j + 32) end
      if tile(D0):diff(tile(D)) > 0 then list[#list + 1] = ("(%d, %d)"):format(i, j) end
    end
  end
  return lesson.words(list), #list
end

--- Distances of paths whose inner vertices are all below k, by the textbook's loop.
function lesson.over(k)
  local d, n = matrix.of(roads):totable(), roads.n
  for v = 0, k - 1 do
    for i = 0, n - 1 do
      local a = d[i * n + v + 1]
      if a ~= lesson.NONE then
        for j = 1, n do
          local b = d[v * n + j]
          if b ~= lesson.NONE and a + b < d[i * n + j] then d[i * n + j] = a + b end
        end
      end
    end
  end
  return buffer.new("i32", d, n)
end

--- Tiled Floyd-Warshall; contains the bug that you are asked to find.
function floyd(g)
  local D, overflow = matrix.of(g), buffer.new("u32", 1)
  for i = 0, g.n - 1 do D:set(i, i, 0) end
  local tiles = g.n // 32
  for k = 0, tiles - 1 do
    local s = {D = D, overflow = overflow, k = k, tiles = tiles}
    fw_pivot(s)
    fw_rest(s)
    fw_cross(s)
  end
  return D
end

--- The total time of the kernels that `fw` runs in this form, in milliseconds.
function lesson.time(form)
  fw(roads, {form = form})
  trace.reset()
  fw(roads, {form = form})
  local total = 0
  for _, s in ipairs(stats()) do total = total + s.total end
  return ("%.2f"):format(1000 * total)
end

return {
  {
    see = "tiles",
    run = {"start fw(roads)", "step 4", "D"},
    hold = {"D.rows == 128", "D:get(5, 5) == 0", "D:diff(matrix.of(roads)) > 0"},
    say = [[
The distances between all pairs of vertices are a matrix: row i, column j has the distance from i to j. You see its upper left corner. In the beginning it holds the weights of the edges, and 0 on the diagonal; a dot means that there is no edge.

Floyd and Warshall's algorithm (1962) is three loops:

  for k = 0, n-1: for all i and j:
    D[i][j] = min(D[i][j], D[i][k] + D[k][j])

After round k, D[i][j] is the length of the shortest path from i to j among those whose INNER vertices, between the first and the last one, are all in 0 .. k: either the shortest such path does not need k, or it goes from i to k and from k to j.

Within a round all pairs i and j are independent: work for {roads.n * roads.n} threads. But every round reads and writes the whole matrix, for one addition and one comparison per element: memory is too slow for that. So 32 rounds are done together, by TILES of 32 x 32 elements, which fit into the shared memory of a multiprocessor, or the cache of a core. You are just after the first step, and the view `tiles` shows what this step has written.]],
  },
  {
    see = "tiles",
    run = {"before = matrix.of(roads)"},
    hold = {"k == 0", "lesson.changed(before, D) == '(0, 0)'"},
    say = [[
Phase 1, `fw_pivot`: the PIVOT is the k-th tile on the diagonal; k is {k}. A path whose ends and inner vertices are all in 0 .. 31 uses only distances of this tile. So 32 rounds of the three loops within the tile are enough; they read nothing else. Only the tile {lesson.changed(before, D)} has changed.

The next phase may use the pivot. Which tiles need only the pivot and themselves?]],
    ask = [[There are 4 x 4 tiles. How many tiles will phase 2 write?]],
    answer = "2 * (4 - 1)",
    hint = [[Draw the 4 x 4 tiles. A tile needs only the pivot and itself if it is in the pivot's row or in its column; the pivot is finished.]],
  },
  {
    see = "tiles",
    run = {"step"},
    hold = {"select(2, lesson.changed(before, D)) == 7"},
    say = [[
Phase 2, `fw_cross`: the tiles of the pivot's row and column. A path from one of 0 .. 31 to a vertex j of another tile, with inner vertices in 0 .. 31, is a path inside the pivot and then one edge to j: so the tile (0, 1) needs the pivot and itself. The view shows that the pivot was read, and {2 * (tiles - 1)} tiles were written: {(lesson.changed(before, D))} differ from the beginning.

What is left are the tiles in neither the pivot's row nor its column.]],
    ask = [[Which two tiles does the tile (2, 3) need in phase 3, if the pivot is (0, 0)? Give four numbers: row and column of the one, row and column of the other.]],
    answer = "'2 0 0 3'",
    hint = [[A path through the pivot's vertices first goes from the tile's rows into the pivot, then from the pivot to the tile's columns. The first part is in the tile of the same row and the pivot's column; find the tile of the second part in the same way.]],
  },
  {
    see = "tiles",
    run = {"step"},
    hold = {"D:diff(lesson.over(32)) == 0", "select(2, lesson.changed(before, D)) == 16"},
    say = [[
Phase 3, `fw_rest`: a path from i to j through 0 .. 31 goes from i into the pivot's vertices (its length is in the tile of i's row and the pivot's column), and from there to j (in the tile of the pivot's row and j's column). Both tiles are final for this pivot. So every tile is D(i, j) = min(D(i, j), D(i, k) + D(k, j)), a PRODUCT of two tiles, with plus in place of times and the minimum in place of the sum. There are {(tiles - 1) * (tiles - 1)} of these products, they are independent, and each element that is read is used 32 times.

Now the matrix is exactly what 32 rounds of the three loops compute: {lesson.found(D)} of {#D} distances are known, those of paths through 0 .. 31. (The lesson has compared the two.)]],
    ask = [[A matrix of 100 x 100 tiles: how many tiles does phase 3 write for one pivot?]],
    answer = "99 * 99",
    hint = [[Phase 3 writes the tiles that are neither in the pivot's row nor in its column. Cross these out: how many rows are left, and how many columns?]],
  },
  {
    see = "tiles",
    run = {"step 3"},
    hold = {"k == 1", "D:diff(lesson.over(64)) == 0"},
    say = [[
The same with the next pivot: k is {k}, and after its three phases the matrix has the distances through 0 .. 63. Go back and forth with `back` and `forward`, and look at the view: the cross moves along the diagonal.

With 4 x 4 tiles, phase 3 writes 9 of them for each pivot. With 100 x 100 tiles it writes 9801, phase 2 writes 198 and phase 1 writes one: nearly all of the work is phase 3, and it is as simple as a product of matrices. That is why Floyd and Warshall's algorithm can be as fast as the hardware adds and compares.]],
  },
  {
    see = "tiles",
    run = {"start floyd(roads)", "tbreak fw_cross", "continue", "D:diff(lesson.over(32))"},
    hold = {"k == 0", "select(2, lesson.changed(before, D)) == 16", "D:diff(lesson.over(32)) > 0"},
    say = [[
A BUG TO FIND. `floyd` is somebody's own program for the same algorithm; `list` shows it, and so does the view `script` of the panel. The three phases of the first pivot have run, and {(D:diff(lesson.over(32)))} of {#D} distances differ from those of the three loops.]],
    ask = [[Which kernel runs too early: fw_pivot, fw_cross or fw_rest?]],
    answer = "'fw_rest'",
    hint = [[`list` shows the order of the three calls. Compare it with the order of the phases on the pages before: which kernel reads tiles that another one has not finished yet?]],
  },
  {
    run = {"drop", "fw(roads)", "check(_)", "wide = fw(roads, {form = 'blocked', tile = 64})"},
    hold = {"wide.matrix:diff(lesson.over(128)) == 0"},
    say = [[
`fw_rest`: it multiplies tiles of the cross, which were not final yet. So it found paths through one vertex of the pivot's tile, but not those through two or more. Later pivots find many of these distances after all: a test on a small graph may pass.

`fw(roads)` is finished and proved: no edge gives a shorter path, and every distance is the length of a path.

The kernels for these {roads.n} vertices take on this machine: {lesson.time("textbook")} ms in the textbook's form, one kernel for each round; {lesson.time("tiles")} ms in plain tiles; {lesson.time("blocked")} ms in `form = "blocked"`, where each thread keeps a small tile of its own in registers and uses each element that it reads several more times. With larger graphs the difference grows. `??close_rest` shows the third phase of "blocked".

`r:path(i, j)` returns a shortest path itself: from i on it follows edges whose weights add up to the distance.

Three questions (`lesson answers` has the answers):

  1. Could phase 3 run before phase 2?
  2. Tiles of 64 in place of 32: how does
     that change what is read from memory,
     and what is bad about tiles of 1024?
  3. An edge has a negative weight. When is
     the result still right, and how would
     you see in the matrix that it is not?]],
    answers = [[
1. No. It reads the tiles of the cross, which must already have the paths through the pivot's vertices. With the old tiles it could miss a path that has two inner vertices in the pivot's tile.

2. Each element that is read is used 64 times instead of 32, so half as much is read. But a tile has to fit into shared memory, and phase 1 is one tile, computed by one block of threads while all others wait: a large one takes long.

3. It is right as long as no cycle has a negative weight. If one has, each time around it gives a shorter path, so there is no shortest one, and a distance on the diagonal is less than 0: that of a path from a vertex to itself. `fw` checks the diagonal, and names the cycle.]],
  },
}
