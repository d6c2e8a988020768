-- Maxima: why propagating the largest identifier is fast.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()

local ring = gen.ring(1000)
function lesson.ring(how) return lesson.cost(ring, how) end

-- Identifiers are scattered: the vertices' numbers, shuffled by an invertible multiplication.
local function vertex(id) return id * 0x0e8b2f51 & 0xffffffff end

--- The vertices with the largest identifier that reaches v, and with the largest that v reaches.
function lesson.from(s, v) return vertex(s.max_in[v]) end
function lesson.to(s, v) return vertex(s.max_out[v]) end

--- The number of vertices at which max_in and max_out differ.
function lesson.differ(s) return (s.max_in:diff(s.max_out)) end

--- Is max_in the largest identifier that reaches v, and max_out the largest that v reaches? Checked by searches from all vertices.
function lesson.maxima_are_right(s)
  local g = s.graph
  local id, into, outof = {}, {}, {}
  for v = 0, g.n - 1 do
    id[v] = v * 0x9e3779b1 & 0xffffffff
    into[v], outof[v] = id[v], id[v]
  end
  for v = 0, g.n - 1 do
    local seen, stack = {[v] = true}, {v}
    while #stack > 0 do
      local u = table.remove(stack)
      into[u], outof[v] = math.max(into[u], id[v]), math.max(outof[v], id[u])
      for to in g:edges(u) do
        if not seen[to] then seen[to], stack[#stack + 1] = true, to end
      end
    end
  end
  for v = 0, g.n - 1 do
    if s.max_in[v] ~= into[v] or s.max_out[v] ~= outof[v] then return false end
  end
  return true
end

--- Is comp right where it is known? Checked by the textbook's algorithm.
function lesson.known_is_right(g, s)
  local id = reference.tarjan(g)
  for v, comp in pairs(s.comp) do
    if comp ~= 0xffffffff and id[comp] ~= id[v] then return false end
  end
  return true
end

--- Finds components by maxima; contains the bug that you are asked to find.
function largest(g)
  local s = state.scc(g)
  residual(s)
  reset_max(s)
  repeat
    propagate_max(s)
    local kept = remove_edges(s)
    prim.swap(s.edges, s.edges_next)
    local live = settle_max(s)
  until live == 0
  return s.comp
end

return {
  {
    see = "convergence",
    run = {"ring = gen.ring(1000)", "start scc.forward_backward(ring)", "until grown == 0"},
    hold = {"lesson.ring('searches').rounds == 1", "lesson.ring('searches').passes > 1990"},
    say = [[
A ring of 1000 vertices is one component: if you drive on, you come back. You have just watched half of the searches of `lesson forward-backward`: each layer is a single vertex, so the search forward took a thousand passes, and the search backward takes as many again.

Every pass takes some time, even if it does little: all threads are started, and the next pass waits until all of them have ended. A GPU runs many thousands of threads, and a pass over one vertex keeps one of them busy. So the number of PASSES is what counts. This lesson shows an algorithm that needs few.]],
    ask = [[How many passes of searching does the ring take in all, forward and backward: about 1000, 2000 or 4000?]],
    answer = "lesson.ring('searches').passes > 3000 and 4000 or lesson.ring('searches').passes > 1500 and 2000 or 1000",
    hint = [[A search takes a pass for each layer: how many layers has a ring of this size, if each layer is a single vertex? And there is a search in each of the two directions.]],
  },
  {
    see = "graph",
    run = {"town", "start scc.maxima(town)", "until moved == 0"},
    hold = {"lesson.maxima_are_right(s)", "lesson.named(s)", "lesson.from(s, 9) == 9", "lesson.to(s, 12) == 12", "lesson.differ(s) > 0 and lesson.differ(s) < town.n"},
    say = [[
{lesson.ring("searches").passes}. Now the town, by another algorithm. There is no pivot: every vertex has an identifier, a number, and all of them differ. Every edge passes on the largest identifier that its source has seen, and in the other direction the largest that its target has seen, until nothing moves any more.

Then each vertex knows two vertices. FROM is the vertex with the largest identifier of all that reach it. TO is the vertex with the largest identifier of all that it reaches. Nothing leads to 9, so its FROM is {lesson.from(s, 9)} itself; its TO is {lesson.to(s, 9)}. For vertex 0 they are {lesson.from(s, 0)} and {lesson.to(s, 0)}.

Vertices of one component always have the same FROM and the same TO, because a vertex that reaches one of them reaches all of them. And if FROM and TO of v are THE SAME vertex x, then x reaches v and v reaches x: v belongs to the component of x.]],
    ask = [[For how many vertices of the town are FROM and TO the same? `s.max_in` has the identifiers of FROM, `s.max_out` those of TO, and `s.max_in:diff(s.max_out)` counts where they differ.]],
    answer = "town.n - lesson.differ(s)",
    hint = [[`diff` counts the vertices for which the two are different; for all others they are the same. `town.n` is the number of all vertices.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"lesson.known_is_right(town, s)", "live < town.n", "lesson.count_gone(s) == town.n - live", "lesson.named(s)"},
    say = [[
For {town.n - live} of {town.n}. Two more steps have ended the round. `remove_edges` removes every edge whose two ends differ in FROM or in TO: such an edge leads from one component to another, and no component needs it. And `settle_max` assigns the component to each vertex for which FROM and TO are the same: {lesson.gone(s)}.

For each of the other vertices, FROM or TO is a vertex of another component. But now the edges to that component are removed, and the next round begins with fewer edges.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"lesson.known_is_right(town, s)", "lesson.count_gone(s) == town.n - live", "lesson.named(s)"},
    say = [[
Now more vertices have their component, in all parts of the town: {lesson.gone(s)}. Left are {live}: {lesson.live(s)}. Without the edges that were removed the town is in pieces, and each piece has a largest identifier of its own.]],
  },
  {
    see = "graph",
    run = {"continue"},
    hold = {"check(_)", "_.count == lesson.components(town)"},
    say = [[
And so on, until no vertex is left: {_.count} components, as `lesson trimming` said.

But why should it be fast? If an identifier moved by one edge per pass, the ring of 1000 vertices would take a thousand passes here too.]],
    ask = [[What do you think: how many passes does this algorithm take for the ring, with both directions in the same pass: about 10, 100 or 1000?]],
    answer = "lesson.ring('maxima').passes < 50 and 10 or lesson.ring('maxima').passes < 300 and 100 or 1000",
    hint = [[Edge by edge an identifier would take as long as a search. Suppose that in each pass it comes twice as far as in the previous one: how many passes does it need for 1000 edges?]],
  },
  {
    see = "convergence",
    run = {"start scc.maxima(ring)", "until moved == 0"},
    hold = {"lesson.ring('maxima').passes * 20 < lesson.ring('searches').passes", "lesson.ring('maxima').rounds == 1"},
    say = [[
You have run it: {lesson.ring("maxima").passes} passes, counting the last one, in which nothing moved.

The reason is a SHORTCUT. Suppose that v has received the identifier of x: so x reaches v. Then all vertices that reach x reach v as well. So v need not wait until identifiers arrive edge by edge: it reads the identifier that x has received, and takes it over if that is larger. In the next pass v has the identifier of a vertex that is further away than x, and reads from that vertex, so the jump is longer. The distance about doubles with every pass: 1, 2, 4, 8 ... and a thousand edges take {math.ceil(math.log(1000, 2))} doublings.

`??propagate_max` shows how little code that takes: two lines of C, one for each direction, read what x has received.]],
  },
  {
    see = "script",
    run = {"start largest(ring)", "step 3"},
    hold = {"moved > 0"},
    say = [[
A BUG TO FIND. `largest` is somebody's own program that finds components by maxima (`list` shows it). It calls the same kernels, but finds several components in the ring, which is one. You are just after its third kernel, `propagate_max`, which has returned `moved {moved}`. The next kernel removes edges whose two ends have different maxima.]],
    ask = [[One kernel has to be called in a loop of its own, until it returns 0. Which?]],
    answer = "'propagate_max'",
    hint = [[One of the kernels has not finished its work after a single call: its count says so. Which kernel did `until moved == 0` repeat on the pages before?]],
  },
  {
    run = {"continue"},
    hold = {"count_components(_) > 1"},
    say = [[
`propagate_max`: it still moved maxima, so they were not final, and the two ends of an edge of ONE component could still have different ones. Then the edge is removed, and the component falls apart. The program has found {count_components(_)} components instead of one. `fixpoint(propagate_max, s)` or the loop `propagate_max_fix(s)` repeats it until nothing moves; that is what the word FIXPOINT means in the help of a kernel.

Such a program is right for every graph for which one pass happens to be enough. On a CPU, where a thread goes from edge to edge, one pass may be enough for many small graphs: `check(r)` on one large and unusual graph tells more than on ten small ones.]],
  },
  {
    see = "convergence",
    run = {"city = lesson.load_city()", "start scc.maxima(city)", "continue"},
    hold = {"check(_)", "_.count == lesson.components(city)", "lesson.cost(city, 'maxima').rounds < lesson.cost(city, 'searches').rounds", "lesson.cost(city, 'maxima').passes * 2 < lesson.cost(city, 'searches').passes"},
    say = [[
The city, by both algorithms:

               rounds   passes
  searches     {("%6d   %6d"):format(lesson.cost(city, "searches").rounds, lesson.cost(city, "searches").passes)}
  maxima       {("%6d   %6d"):format(lesson.cost(city, "maxima").rounds, lesson.cost(city, "maxima").passes)}

There are few rounds, because a round does not find one component in each region: it finds every component that reaches no vertex with a larger identifier than its own, and is reached from none. And a round has few passes, because of the shortcut.]],
    ask = [[Each of these passes looks at every edge that is left; a search looks at each edge once. Which of the two looks at more edges in the first round: searches or maxima?]],
    answer = "'maxima'",
    hint = [[In one of the two algorithms a round looks at each edge in every pass: the table has passes and rounds. In the other one a round is two searches, one in each direction.]],
  },
  {
    run = {"scc(city).count"},
    hold = {"_ == lesson.components(city)"},
    say = [[
Maxima: that is their price, and that is why `scc` uses both: one pair of searches finds the giant component, and the small components are found by maxima, or on a CPU by Tarjan's algorithm. `??scc` shows it, `?scc` says which form runs on which device, and `stats` shows what each kernel cost.

Two questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. An edge leads from u to v, and u and v
     have different FROMs. Why can no round
     trip contain this edge?
  2. Which vertices certainly get their
     component in the first round?]],
    answers = [[
1. On a round trip u and v would reach each other, so each vertex that reaches one would reach the other, and the largest identifier that reaches them would be the same.

2. Those of the component that has the largest identifier of all: its vertices reach the vertex with this identifier and are reached from it, so it is FROM and TO of all of them. The vertices of another component get theirs too if no larger identifier reaches them and they reach none.]],
  },
}
