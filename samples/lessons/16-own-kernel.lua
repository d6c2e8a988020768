-- A kernel of your own: write it, call it, find its bug, step it.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()
town = nil
local folder = ...

--- Loads a kernel of samples/kernels.
function lesson.load(name) return kernel.load(folder .. "/../kernels/" .. name .. ".h") end

--- A kernel's text from `from` on, up to the line before the one that begins with `to`, if given.
function lesson.body(name, from, to)
  local file = assert(io.open(folder .. "/../kernels/" .. name .. ".h"))
  local text = file:read "a"
  file:close()
  local first = assert(text:find(from, 1, true))
  local last = to and assert(text:find("\n" .. to, first, true)) or #text
  return (text:sub(first, last):gsub("%s+$", ""):gsub("\n", "\n  "))
end

--- The same kernel with a mistake.
lesson.wrong = [[
#include "language/kernel.h"
PRIM(best_street, BEST_STREET_ARGS, FOR_W, VERTEX, "n", EXACT, "", "", "best_street(g, best): has a bug.")
#define BEST_STREET_ARGS(A, W) A(IN, u32, off, "n+1") A(IN, W, w, "m") A(INOUT, W, best, "n")
ARGS(best_street, BEST_STREET_ARGS)
VERTEX_BODY(best_street) {
  const u32 first = a->off[v], last = a->off[v + 1];
  W most = a->w[first];
  for (u32 e = first + 1; e < last; e++)
    if (a->w[e] > most) most = a->w[e];
  a->best[v] = most;
}
]]

--- Seven crossings; no street leaves the last one.
roads = graph.from_edges {n = 7, weights = "i32", name = "roads", {0, 1, 4}, {0, 2, 9}, {1, 2, 1}, {2, 3, 7}, {3, 1, 2}, {3, 4, 8}, {4, 5, 3},
  {5, 6, 6}}
grid = gen.copies(gen.grid {6, 6}:permute(3), 3)

return {
  {
    run = {'lesson.load("heaviest")', "best = buffer.new('i32', roads.n)", "heaviest(roads, best)", "best"},
    hold = {"best[0] == 9", "best[6] == 0", "best[3] == 8"},
    say = [[
A kernel is a function that many threads run at once, each for a different element. You write what ONE thread does, here for a vertex v:

  {lesson.body("heaviest", "VERTEX_BODY")}

`a` holds the arguments, `count` the counts that the kernel returns: here `found`, the number of vertices that have an edge. W is the type of the weights. The first call with weights of a type compiles the kernel for this type.

`kernel.load` has compiled this kernel; from now on `heaviest` is a primitive like any other. For each crossing v, `heaviest` has written to best[v] the largest weight of the streets that leave v. Nothing leaves crossing 6, so best[6] is unchanged.

Look at the body: which elements of `off` and `w` does thread v read?]],
    ask = [[Which thread wrote best[3]?]],
    answer = "3",
    hint = [[Look at the line of the body that writes into `best`: which index does thread v use?]],
  },
  {
    run = {"?heaviest", "pcall(heaviest, roads, buffer.new('i32', 3))", "pcall(heaviest, roads, best, 5)"},
    hold = {"_1 == false", "lesson.body('heaviest', 'PRIM(', 'ARGS('):find('A(COUNT, u32, found, \"1\")', 1, true) ~= nil"},
    say = [[
Thread 3: it read off[3] and off[4], and the weights that lie between these two places.

Above the body is the ROW: the kernel's name, its arguments, its domain (one thread per vertex), and its help text:

  {lesson.body("heaviest", "PRIM(", "ARGS(")}

From this row come the help that you see, and the checks: an argument of the wrong length or type is an error that says what was expected, before any thread has run. "n+1" and "m" are sizes of the graph; IN is read, INOUT is read and written.]],
    ask = [[The argument `off` has the extent "n+1". How many elements must it have for these {roads.n} crossings?]],
    answer = "roads.n + 1",
    hint = [[Each crossing is a vertex, and n is the number of vertices. Put it into the extent.]],
  },
  {
    run = {"kernel(lesson.wrong)", "pcall(best_street, roads, best)"},
    hold = {"_1 == false", "_2:find('w', 1, true) ~= nil"},
    say = [[
A BUG TO FIND. Here is nearly the same kernel, written by somebody in a hurry:

  VERTEX_BODY(best_street) {{
    const u32 first = a->off[v], last = a->off[v + 1];
    W most = a->w[first];
    for (u32 e = first + 1; e < last; e++)
      if (a->w[e] > most) most = a->w[e];
    a->best[v] = most;
  }

In another program such a kernel would run, and read some other number from memory; one day it would crash. Here the message names the line of the source, the thread, the array and the index. What is wrong? Only one of the {roads.n} threads makes the mistake.]],
    ask = [[Which thread is it?]],
    answer = "6",
    hint = [[The body reads w[first] before it knows whether the crossing has a street at all: for which crossing are first and last the same? The message at the prompt names the vertex as well.]],
  },
  {
    run = {'lesson.load("labels")', "label = buffer.new('u32', grid.n)", "labels_first(label)", "start labels(grid, label)", "step 2"},
    hold = {"lowered > 0", "label:max() < grid.n"},
    say = [[
Crossing 6 has no street: first and last are both {roads.m}, and w[{roads.m}] is beyond the end of w. `heaviest`, which is correct, returns before it reads w[first].

Accesses of your own kernels are checked unless you type `bounds NAME off`; those of shipped kernels only after `bounds on`, because the check takes time.

Now an algorithm: kernels that run again and again. `labels_lower` is a pass: every edge lowers the label of the vertex that it leads to. Many edges may lead to the same vertex, and their threads run at once, so the label is lowered by an ATOMIC minimum: no thread can change the label between another thread's read and write. And a LOOP says which kernels run again and again, and until when:

  {lesson.body("labels", "LOOP(labels")}

A loop can be called as a whole; then it is one launch on a GPU, with a barrier for all threads between passes. Or it is stepped, as now: you are after the second pass, which has lowered {lowered} labels.]],
    ask = [[`grid` is three copies of a grid of 36 vertices. How many different labels will be left?]],
    answer = "3",
    hint = [[In the end all vertices that are connected have the same label. Does an edge lead from one copy of the grid to another one?]],
  },
  {
    run = {"until lowered == 0", "continue", "label:hist(4)"},
    hold = {"label[0] == 0", "label[36] == 36", "label[107] == 72", "#label == 108"},
    say = [[
The last pass has lowered nothing: the labels have CONVERGED. Three labels are left, 0, 36 and 72, one for each copy of the grid. The copies are the COMPONENTS of this graph, and the label of a component is its smallest vertex.

Would the result be the same if the threads ran in another order? Yes: in the end the smallest label reaches every vertex of its component. But the number of passes may differ, and `lowered` too: within a pass a thread may or may not see what another one has just written. So two devices are compared when the loop has ended, not after each pass; the last line of `?labels_lower` says so. `compare cpu cpu:1` runs every kernel on two devices and stops at the first difference.

`new kernel NAME` opens an editor with a complete kernel to be changed, `edit labels_lower` opens this one, `kernel.save` writes it where the next build finds it. `help own` has the rest.

Three questions (`lesson answers` has the answers):

  1. labels_lower without the atomic: a
     plain `if (mine < label[t]) label[t] =
     mine`. What could go wrong, and would
     the loop still end with the right
     labels?
  2. One thread per vertex, or one thread per
     edge: when is which better?
  3. How would you count the vertices of
     each component, with one more kernel?]],
    answers = [=[
1. Two threads could both find their own label smaller than the old one, and the larger of the two could be written last. That label would be too large for a while; but the edge with the smaller label lowers it in the next pass. So the loop ends with the right labels, and may take more passes. In C such a race is not allowed at all, though: the compiler may assume that there is none. Try it: `edit labels_lower`, replace the atomic by the plain assignment, type `races labels_lower on`, and run it. The message names an element, two threads and their lines. (Not every run gives a wrong label, but every run gives the message: the check treats all threads as concurrent.)

2. One thread per vertex is simple: it reads its edges one after the other. If one vertex has a million edges, all others wait for its thread. One thread per edge shares the work evenly, at the price of atomics where many edges lead to one vertex.

3. With one thread per vertex: atomic_add(&size[label[v]], 1).]=],
  },
}
