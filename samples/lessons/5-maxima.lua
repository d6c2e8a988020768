-- Maxima: why propagating the largest identifier is fast.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()

local ring = gen.ring(1000)
function lesson.ring(how) return lesson.cost(ring, how) end

-- Identifiers are scattered: the vertices' numbers, shuffled by a multiplication that can be undone.
local function vertex(id) return id * 0x0e8b2f51 & 0xffffffff end

--- A line a vertex: the largest identifier that reaches it and the largest it reaches, as vertices.
function lesson.maxima(s)
  local lines = {}
  for v = 0, s.graph.n - 1 do
    local from, to = vertex(s.max_in[v]), vertex(s.max_out[v])
    lines[#lines + 1] = ("  %6d %20d %18d%s"):format(v, from, to, from == to and "   the same" or "")
  end
  return table.concat(lines, "\n")
end

--- By searches from every vertex: is max_in the largest identifier that reaches v, and max_out the largest it reaches?
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

--- By the textbook: is comp right where it is known?
function lesson.known_is_right(g, s)
  local id = reference.tarjan(g)
  for v, comp in pairs(s.comp) do
    if comp ~= 0xffffffff and id[comp] ~= id[v] then return false end
  end
  return true
end

return {
  {
    hold = {"lesson.ring('searches').rounds == 1", "lesson.ring('searches').passes > 1990"},
    say = [[
A ring of 1000 vertices is one component: if you drive on, you come back. The searches of lesson 2 find it in {lesson.ring("searches").rounds} round, but that round has {lesson.ring("searches").passes} passes: each layer is a single vertex, so it takes a thousand passes to go round forward, and a thousand backward.

Every pass takes some time, even if it does little: the processors are started, and then one waits for all of them. A graphics processor has many thousands of them; a pass over one vertex keeps only one of them busy. So the number of PASSES is what counts, and here is a way that needs very few.]],
  },
  {
    see = "graph",
    run = {"town", "start scc.maxima(town)", "until moved == 0"},
    hold = {"lesson.maxima_are_right(s)", "lesson.named(s)"},
    say = [[
There is no pivot now; or rather, every vertex is one. Each vertex has an identifier, and all of them differ. Every edge passes on the largest identifier that its end has seen, forward and backward, until nothing changes any more. Then each vertex knows the largest identifier that reaches it, and the largest that it reaches:

  vertex   largest from before   largest behind
{lesson.maxima(s)}

(The table shows the vertices to which these identifiers belong. An identifier is a vertex's number, scrambled, so the largest may belong to any vertex.)

Vertices of one component always have the same two identifiers, because what reaches one of them reaches all. And if both belong to THE SAME vertex x, then x reaches v and v reaches x: v belongs to the component of x. This is found for all components at the same time.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"lesson.known_is_right(town, s)", "live < town.n", "lesson.count_gone(s) == town.n - live", "lesson.named(s)"},
    say = [[
Two more steps end the round. `remove_edges` removes every edge whose two ends do not have the same two identifiers: such an edge leads from one component to another, and no component needs it. And `settle_max` gives their component to all vertices whose two identifiers are the same: {town.n - live} of {town.n} ({lesson.gone(s)}).

Each of the other vertices is reached by a larger identifier of another component, or reaches one. But now the edges to that component are removed, and the next round begins with fewer edges.]],
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
    say = [[And so on, until no vertex is left: {_.count} components.]],
  },
  {
    hold = {"lesson.ring('maxima').passes * 20 < lesson.ring('searches').passes", "lesson.ring('maxima').rounds == 1"},
    say = [[
But why is it fast? If an identifier went on by one edge in a pass, the ring would take a thousand passes here too. It takes {lesson.ring("maxima").passes}.

The reason is a SHORTCUT. Say that v has got the identifier of x: so x reaches v. Then all vertices that reach x reach v as well. So v need not wait until identifiers come edge by edge: it asks x which identifier x has got, and takes it over if that is larger. In the next pass x is further away, so the jump is longer. The distance about doubles with every pass: 1, 2, 4, 8 ... and a thousand steps are {math.ceil(math.log(1000, 2))} doublings.

`??propagate_max` shows how little it takes: two lines of C look up the identifier's own maximum.]],
  },
  {
    run = {"city = lesson.load_city()", "city"},
    hold = {"lesson.cost(city, 'maxima').rounds < lesson.cost(city, 'searches').rounds", "lesson.cost(city, 'maxima').passes * 2 < lesson.cost(city, 'searches').passes"},
    say = [[
The city, in both ways:

               rounds   passes
  searches     {("%6d   %6d"):format(lesson.cost(city, "searches").rounds, lesson.cost(city, "searches").passes)}
  maxima       {("%6d   %6d"):format(lesson.cost(city, "maxima").rounds, lesson.cost(city, "maxima").passes)}

There are few rounds, because a round does not find one component in each region: it finds every component that no larger identifier reaches and that reaches no larger one. And a round has few passes, because of the shortcut.]],
  },
  {
    run = {"scc(city).count"},
    hold = {"_ == lesson.components(city)"},
    say = [[
It has a price: each of these passes looks at every edge that is left, while a search looks at each edge once. That is why `scc`, the fast one, does both: one pair of searches finds the giant component, and the small components are found by maxima; on a CPU by Tarjan's algorithm. `??scc` shows it, `?scc` says which form runs where, and `stats` shows what each kernel cost.]],
  },
}
