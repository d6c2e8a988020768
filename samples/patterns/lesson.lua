-- NAME: a search, layer by layer.

-- A lesson of your own, to be changed; it already runs. `lesson check NAME.lua` runs it and checks its claims, `lesson NAME.lua`
-- begins it, `help teaching` explains the format. The code here runs once, before the first page; what the pages use has
-- to be global.
town = graph.from_edges {
  {0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5},
  {6, 0}, -- leads in: the search from 0 never comes to 6
  name = "town",
}

-- Functions that the texts call are in one global table.
NAME_lesson = {}

function NAME_lesson.layer(s, k)
  local list = {}
  for v, level in pairs(s.level) do
    if level == k then list[#list + 1] = v end
  end
  return #list > 0 and table.concat(list, ", ") or "none"
end

return {
  {
    see = "graph", -- the view of the panel next to the text
    run = {"town"}, -- commands, as if they were typed
    hold = {"town.n == 7", "not town:has_edge(0, 6)"}, -- what must be true, so that the text is right
    say = [[
This is a town of {town.n} crossings and {town.m} one-way streets. From crossing 0, how many streets away is each other one?

A breadth-first SEARCH finds that out in layers: first all that are one street away, then all that are two, and so on. The crossings of the last layer are the FRONTIER.
]],
    ask = [[Which crossings are in the first layer?]], -- `lesson guess 1 and 2` checks the answer
    answer = "'1 and 2'", -- an expression; `hold` of the next page checks it
    hint = [[Look at the streets that leave crossing 0, in the view of the graph: where does each of them lead?]], -- after a wrong guess
  },
  {
    see = "graph",
    run = {"start bfs(town, 0, {form = 'push'})", "step"},
    hold = {"s.level[1] == 1 and s.level[2] == 1", "s.level[3] == 0xffffffff", "grown == 2"},
    say = [[
The first layer is {NAME_lesson.layer(s, 1)}. The stop line says `grown {grown}`: that is the number of crossings that were reached. Each thread followed one street out of the frontier, which was only crossing 0.

Two streets lead to 3, from 1 and from 2, and a thread follows each.]],
    ask = [[How many crossings will the next layer have?]],
    answer = "1",
    hint = [[Follow the streets that leave the first layer. A crossing counts once, however many streets lead to it.]],
  },
  {
    see = "graph",
    run = {"until grown == 0"},
    hold = {"s.level[3] == 2", "s.level[5] == 4", "s.level[6] == 0xffffffff"},
    say = [[
One: of the threads that come to 3, only one sets its level and adds 3 to the frontier (an atomic operation decides which). The search has ended, because a layer reached nothing.

Crossing 5 has the level {s.level[5]}. Crossing 6 has none: the only street there leads away from 6.

  1. How many layers does the search take on
     a ring of 100 crossings?
  2. What would be wrong if both threads added
     3 to the frontier?]],
    answers = [[
1. 99, each of one crossing; and one more pass, which reaches nothing.

2. Nothing in the levels. But every street out of 3 would be followed twice, and on a large graph the frontier could outgrow its buffer.]],
  },
}
