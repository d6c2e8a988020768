-- Policy iteration: the least mean of a cycle, and its proof.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
town = nil -- the graph view is to show the town of tolls

--- A town of tolls: three rings, and streets between them. The first street may be made cheaper.
function lesson.tolls(cheaper)
  return graph.from_edges {
    {0, 1, 4 - (cheaper or 0)}, {1, 2, 9}, {1, 3, 7}, {2, 3, 9}, {3, 0, 5},
    {4, 5, 9}, {5, 6, 4}, {6, 7, 6}, {6, 4, 5}, {7, 4, 6},
    {8, 9, 3}, {9, 10, 7}, {10, 11, 8}, {10, 8, 6}, {11, 8, 4},
    {0, 7, 7}, {2, 10, 9}, {3, 4, 6}, {5, 2, 7}, {7, 8, 1}, {9, 6, 8}, {11, 0, 4},
    name = "tolls",
  }
end

-- The clients of the last pages, a list of costs each. Tests, and machines with less than 2 GiB, want fewer.
local SMALL = os.getenv("LOCKSTEP_LESSON_SMALL") and 6
local costs = {}
do
  local x = 2011
  local function dice()
    x = (x * 1103515245 + 12345) % 2147483648
    return 1000 + x // 65536 % 9000
  end
  for i = 1, SMALL or 15 do
    costs[i] = {}
    for j = 1, i % 3 == 2 and 4 or 3 do costs[i][j] = dice() end
  end
end

--- All states that the clients can be in together.
function lesson.crowd()
  local clients = {}
  for i, list in ipairs(costs) do
    clients[i] = {name = "client " .. i}
    for j, cost in ipairs(list) do
      clients[i][j] = {({"ask", "answer", "think", "write"})[j], cost, server = j <= 2}
    end
  end
  return gen.clients(clients)
end

function lesson.clients() return #costs end

--- The client whose round has the least mean, as {i, sum, length}.
function lesson.cheapest_client()
  local best
  for i, list in ipairs(costs) do
    local sum = 0
    for _, cost in ipairs(list) do sum = sum + cost end
    if not best or sum * best[3] < best[2] * #list then best = {i, sum, #list} end
  end
  return best
end

-- --- cycles ---

--- Every cycle of g that passes no vertex twice, as {weight, length}: by trying.
function lesson.cycles(g)
  local list, on = {}, {}
  local function go(first, v, weight, length)
    on[v] = true
    for to, w in g:edges(v) do
      if to == first then
        list[#list + 1] = {weight + w, length + 1}
      elseif to > first and not on[to] then
        go(first, to, weight + w, length + 1)
      end
    end
    on[v] = nil
  end
  for v = 0, g.n - 1 do go(v, v, 0, 0) end
  return list
end

local function least(list)
  local best = list[1]
  for _, c in ipairs(list) do
    if c[1] * best[2] < best[1] * c[2] then best = c end
  end
  return best
end

--- Is p/q the least mean of all cycles in list?
function lesson.is_least(p, q, list)
  local best = least(list)
  return p * best[2] == best[1] * q
end

local function chosen(s, v) return s.graph.to[s.policy[v]], s.graph.w[s.policy[v]] end

--- The cycles that the choices lead to, as {weight, length, text}.
function lesson.chosen_cycles(s)
  local list, seen = {}, {}
  for first = 0, s.graph.n - 1 do
    local v = first
    while not seen[v] do seen[v], v = first, chosen(s, v) end
    if seen[v] == first then -- nobody came here before
      local c, u = {0, 0, tostring(v)}, v
      repeat
        local to, w = chosen(s, u)
        c[1], c[2], c[3], u = c[1] + w, c[2] + 1, c[3] .. " > " .. to, to
      until u == v
      list[#list + 1] = c
    end
  end
  return list
end

function lesson.show_cycles(s)
  local lines = {}
  for _, c in ipairs(lesson.chosen_cycles(s)) do
    lines[#lines + 1] = ("  %-24s %3d for %d streets, mean %.3f"):format(c[3], c[1], c[2], c[1] / c[2])
  end
  return table.concat(lines, "\n")
end

-- --- choices and values ---

-- One entry a vertex, in columns.
local function columns(n, width, text)
  local lines, across = {}, 64 // width
  local down = (n + across - 1) // across
  for i = 0, down - 1 do
    local line = "  "
    for v = i, n - 1, down do line = line .. ("%-" .. width .. "s"):format(text(v)) end
    lines[#lines + 1] = line:gsub("%s+$", "")
  end
  return table.concat(lines, "\n")
end

--- Where each vertex's streets lead, with their tolls.
function lesson.streets(g)
  return columns(g.n, 22, function(v)
    local list = {}
    for to, w in g:edges(v) do list[#list + 1] = ("%d (%d)"):format(to, w) end
    return ("%2d > %s"):format(v, table.concat(list, ", "))
  end)
end

--- What each has chosen, and its value where that is known.
function lesson.choices(s, valued)
  return columns(s.graph.n, valued and 16 or 15, function(v)
    local to, w = chosen(s, v)
    if valued then return ("%2d > %-3d %d"):format(v, to, s.d[v]) end
    return ("%2d > %d (%d)"):format(v, to, w)
  end)
end

function lesson.p(s) return s.p[s.region[0]] end
function lesson.q(s) return s.q[s.region[0]] end
function lesson.root(s) return s.root[s.region[0]] end
function lesson.fraction(s) return lesson.q(s) == 1 and lesson.p(s) or lesson.p(s) .. "/" .. lesson.q(s) end

-- What a street costs at the present lambda.
local function cost(s, w) return lesson.q(s) * w - lesson.p(s) end

--- Are p, q and the root those of the best of the cycles that the choices lead to?
function lesson.best_is_known(s)
  local best = least(lesson.chosen_cycles(s))
  return lesson.p(s) * best[2] == best[1] * lesson.q(s) and best[3]:match("^%d+") == tostring(lesson.root(s))
end

--- Does every d say what the chosen way to the root costs, and what happens around the root's cycle?
function lesson.values_are_right(s)
  for first = 0, s.graph.n - 1 do
    local v, sum = first, 0
    for _ = 1, s.graph.n do
      if v == lesson.root(s) then break end
      local to, w = chosen(s, v)
      v, sum = to, sum + cost(s, w)
    end
    if v ~= lesson.root(s) or s.d[first] ~= sum then return false end
  end
  return true
end

--- Who has chosen anew since d was told, as {vertex, where to, toll, d by that way}.
function lesson.changes(s)
  local list = {}
  for v = 0, s.graph.n - 1 do
    local to, w = chosen(s, v)
    local by = cost(s, w) + s.d[to]
    if by ~= s.d[v] then list[#list + 1] = {v, to, w, by} end
  end
  return list
end

function lesson.show_changes(s)
  local lines = {}
  for _, c in ipairs(lesson.changes(s)) do
    lines[#lines + 1] = ("  %2d > %-2d  %d * %d - %d and then %d: %d instead of %d"):format(c[1], c[2], lesson.q(s), c[3],
      lesson.p(s), s.d[c[2]], c[4], s.d[c[1]])
  end
  return table.concat(lines, "\n")
end

--- Are these the ones who changed their choice, each to one that is better?
function lesson.changed(s, ...)
  local changes = lesson.changes(s)
  for i, v in ipairs {...} do
    if not changes[i] or changes[i][1] ~= v or changes[i][4] >= s.d[v] then return false end
  end
  return #changes == select("#", ...)
end

--- Is no street better than what was chosen?
function lesson.proves(s)
  for v = 0, s.graph.n - 1 do
    for to, w in s.graph:edges(v) do
      if s.d[v] > cost(s, w) + s.d[to] then return false end
    end
  end
  return true
end

--- The iterations of the last run, a line each.
function lesson.iterations()
  local cycles, lambda, improved = trace.series("cycles"), trace.series("lambda"), trace.series("improved")
  local lines = {"  iteration   cycles       lambda   improved"}
  for i = 1, #improved.value do
    lines[#lines + 1] = ("  %9d %8d %12.6g %10d"):format(i, cycles.value[i], lambda.value[i], improved.value[i])
  end
  return table.concat(lines, "\n")
end

--- Has lambda never risen, and did the last iteration improve nothing?
function lesson.always_better()
  local lambda, improved = trace.series("lambda").value, trace.series("improved").value
  for i = 2, #lambda do
    if lambda[i] > lambda[i - 1] then return false end
  end
  for i = 1, #improved do
    if (improved[i] == 0) ~= (i == #improved) then return false end
  end
  return true
end

function lesson.count_iterations() return #trace.series("improved").value end

--- 1907712 as "1,907,712".
function lesson.number(x) return (tostring(x):reverse():gsub("%d%d%d", "%0,"):reverse():gsub("^,", "")) end

return {
  {
    see = "graph",
    run = {"tolls = lesson.tolls()", "tolls"},
    hold = {"tolls.n == 12", "lesson.components(tolls) == 1", "#lesson.cycles(tolls) > 12"},
    say = [[
A town of {tolls.n} crossings and {tolls.m} one-way streets with tolls. For each crossing you see where its streets lead, and in brackets what they cost:

{lesson.streets(tolls)}

A van drives about here for ever. What is the least that it can pay FOR A STREET on average, in the long run? Sooner or later it comes back to a crossing where it was before. So what counts are cycles: a cycle's tolls, divided by the number of its streets, are its MEAN. The least mean of all cycles is called lambda.

One could try every cycle: there are {#lesson.cycles(tolls)} that pass no crossing twice. But in larger graphs their number explodes. POLICY ITERATION (Howard 1960) finds lambda without trying them, and its last values prove that it is right.

(From every crossing of this town one can come to every other. If that is not so, lessons 2 and 3 divide the graph into components. Each component is treated like this town, and all of them at the same time.)]],
  },
  {
    see = "graph",
    run = {"start ocm(tolls, {ahead = 1})", "tbreak policy_first", "continue"},
    hold = {"#lesson.chosen_cycles(s) == 3"},
    say = [[
A POLICY is a choice at every crossing: one of the streets that leave it. The first policy takes the one with the least toll:

{lesson.choices(s)}

A van that follows the choices will at last go round and round on a cycle. There are {#lesson.chosen_cycles(s)} such cycles:

{lesson.show_cycles(s)}

Every policy is like that: some cycles, and trees that lead to them. (Without the option `ahead`, `ocm` looks four streets ahead in its first choices, `policy_value`, and these are already good. With `ahead = 1` there is more to see.)]],
  },
  {
    see = "graph",
    run = {"tbreak policy_lambda", "continue"},
    hold = {"#lesson.chosen_cycles(s) == 3", "lesson.best_is_known(s)", "s.cost[0] == 16", "s.time[0] == 3", "s.cost[8] * s.time[0] == s.cost[0] * s.time[8]"},
    say = [[
These steps have found the cycles without walking around them. Every vertex looks where its choice leads; then where the choice of THAT vertex leads, two streets further; then four, eight ... This is POINTER DOUBLING. A vertex at which no other vertex looks is dropped (`policy_land`), and after a few passes only the cycles are left. In the same way each cycle finds its smallest vertex (`policy_least`), and there its tolls and streets are added up (`policy_total`). A way of a million streets takes 20 passes.

The best mean of these cycles is {lesson.fraction(s)}. Two cycles have it; the one with the smallest vertex is taken, so that the choice is the same on every device and in every run. That mean is lambda, for now. It is kept as a fraction p / q (`s.p`, `s.q`), and fractions are compared by cross-multiplication, so nothing is ever rounded. The smallest vertex of the best cycle, {lesson.root(s)}, is called the ROOT.

(You see this form because you step. On a CPU a run that is not stepped walks along the choices instead, and finds the same: `r.variant`, `?ocm`.)]],
  },
  {
    see = "graph",
    run = {"finish"},
    hold = {"#lesson.chosen_cycles(s) == 1", "lesson.best_is_known(s)", "lesson.values_are_right(s)", "lesson.q(s) == 3"},
    say = [[
The other cycles are given up. For the crossings whose choices did not lead to the root, a search has found a way there (`policy_connect`), and in each of these cycles at least one crossing has made a new choice (`policy_adopt`). Now all choices lead to {lesson.root(s)}. After each choice there is a number:

{lesson.choices(s, true)}

This is the VALUE of the crossing, `s.d`: what its way to the root costs if lambda is subtracted from every toll. All of it is multiplied by {lesson.q(s)}, so that the numbers stay whole. So a street counts

  {lesson.q(s)} * toll - {lesson.p(s)}

A way with a large value pays more than lambda a street, a way with a negative value less. Once around the best cycle gives exactly 0: that is what lambda means. And a cycle whose sum were NEGATIVE would have a lower mean.]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"improved == 1", "lesson.changed(s, 7)", "lambda == 16 / 3"},
    say = [[
Now every vertex adds up, for each of its streets, what the street costs and the value of the crossing to which it leads. If that is less than the vertex's own value, the vertex chooses this street from now on. {improved} vertex has found such a street:

{lesson.show_changes(s)}

That was ONE pass over all streets, `policy_improve`, and the end of iteration 1. All vertices do this at the same time, and none has to wait for another, so a graphics processor can do it for thousands at once (Barnat, Bauch, Brim and Ceska 2011).]],
  },
  {
    see = "graph",
    run = {"iter"},
    hold = {"cycles == 0", "lambda == 16 / 3", "improved == 2", "lesson.changed(s, 0, 6)", "s.d[0] == 0", "lesson.changes(s)[1][4] < 0"},
    say = [[
Iteration 2. The new choice of 7 leads to the root as well, so there was no new cycle, and lambda stayed as it was. But the values of crossings whose way leads over 7 have fallen, and now other vertices find better streets:

{lesson.show_changes(s)}

Look at 0. It is the root itself, and it has found a way to the root that costs LESS THAN NOTHING. A way from 0 to 0 is a cycle, and with a negative sum its mean is below lambda.]],
  },
  {
    see = "convergence",
    run = {"iter"},
    hold = {"cycles == 1", "lambda == 5", "improved == 2", "lesson.changed(s, 5, 9)"},
    say = [[
Iteration 3, and here it is: lambda is {lesson.fraction(s)} now. The values were computed anew, with the new lambda, and again some vertices have changed their choice:

{lesson.show_changes(s)}

So an iteration lowers lambda, or it keeps lambda and lowers values. In both cases no policy ever comes back. The number of policies is finite, so it ends. In practice it ends after few iterations, even for millions of vertices, though no proof is known that it must.]],
  },
  {
    see = "convergence",
    run = {"until improved == 0", "iter"},
    hold = {"improved == 0", "lesson.count_iterations() == 5", "lesson.always_better()", "lesson.values_are_right(s)", "lambda == 4.5"},
    say = [[
This is the end: a pass has found nothing better.

{lesson.iterations()}

(The column `cycles` counts new cycles. If there are none, all choices still lead to the old root.) All choices now lead into

{lesson.show_cycles(s)}]],
  },
  {
    see = "graph",
    hold = {"lesson.proves(s)", "lesson.q(s) == 2", "lesson.p(s) == 9", "lesson.is_least(9, 2, lesson.cycles(tolls))"},
    say = [[
But is {lesson.fraction(s)} the least? Most of the {#lesson.cycles(tolls)} cycles were never looked at. Yet look at the values:

{lesson.choices(s, true)}

No street promises less than what was chosen. So for EVERY street from u to v

  d(u) <= {lesson.q(s)} * toll - {lesson.p(s)} + d(v)

Take any cycle, and add this up over its streets. Each crossing's d stands once on the left and once on the right, so all of them cancel:

  0 <= {lesson.q(s)} * (its tolls) - {lesson.p(s)} * (its streets)

that is, tolls / streets >= {lesson.fraction(s)}. So no cycle at all is better, and one cycle has exactly this mean. Values like these are called POTENTIALS, and they are a PROOF: if you doubt the result you need not trust the program; it is enough to look at each street once.]],
  },
  {
    run = {"continue", "r = _", "check(r)", "r:sensitivity(0)"},
    hold = {"r.p == 9 and r.q == 2", "check(r)", "r:slack():min() == 0", "_.fall == 2.5", "lesson.is_least(9, 2, lesson.cycles(lesson.tolls(2)))", "not lesson.is_least(9, 2, lesson.cycles(lesson.tolls(3)))", "r:critical():sum() == #r.cycle"},
    say = [[
`check` did just that. It is a program of its own, and it adds in integers of 128 bits.

The potentials tell more. `r:slack()` is how much each street costs more than it may cost on a best cycle, times {r.q}. `r:critical()` marks the streets on best cycles. And `r:sensitivity(e)` says how far one toll may fall or rise before lambda changes. Street 0 is 0 > 1, with a toll of {tolls.w[0]}: it may rise for ever, and it may fall by {_.fall} before a cycle through it becomes the best.]],
  },
  {
    see = "convergence",
    run = {"crowd = lesson.crowd()", "crowd", "time ocm(crowd, {ahead = 1})"},
    hold = {"_.p * lesson.cheapest_client()[3] == lesson.cheapest_client()[2] * _.q", "lesson.always_better()", "lesson.count_iterations() > 2"},
    say = [[
And now a large one. {lesson.clients()} clients each repeat a list of 3 or 4 actions, with random costs. One client moves at a time. During its first two actions it holds a server, which only one client may hold. A vertex is a STATE: what each client does next. An edge is one action of one client. That makes {lesson.number(crowd.n)} states and {lesson.number(crowd.m)} edges. What can an action cost on average, at least, in the long run?

{lesson.iterations()}

It went as in the town of tolls: every vertex chooses, cycles are compared, loose vertices are connected to the root, values are computed, one pass over the edges improves choices; and all of this again: {lesson.count_iterations()} iterations. (If it looks four actions ahead, as `ocm(crowd)` does, it takes fewer.)

Here the answer can be found in another way too, so the result can be compared with it. When a cycle comes back to its state, each client has gone round some number of times. So its mean lies between the means of the clients' own rounds, and the least of these is client {lesson.cheapest_client()[1]}'s: {lesson.cheapest_client()[2]} for {lesson.cheapest_client()[3]} actions. It goes round alone, while all others wait. The GREATEST mean, `ocm(crowd, {{max = true})`, is found in the same way.]],
  },
  {
    run = {"check(_)"},
    hold = {"_"},
    say = [[
`check` has looked at each of the {lesson.number(crowd.m)} edges, and here too the potentials prove the result.

Three questions, so that you can check what you have understood (`lesson answers` has the answers):

  1. Why can the root find a way to itself below nothing only if lambda
     was not yet the least?
  2. In the proof, why does it not matter which way the values came
     about? What would happen if one of them were wrong?
  3. `ocm(tolls, {{form = "layered"})` does the steps as in the paper,
     one pass for each layer of the trees. On what kind of graph does
     that take far more passes than doubling?]],
    answers = [[
1. A way from the root to itself is made of cycles. Each street on it counts q * toll - p, so a sum below nothing means tolls / streets < p/q: one of these cycles has a mean below lambda. If lambda is the least, there is none.

2. The proof uses of the values only that no street beats them, and that is looked at afterwards, street by street; any numbers that pass will do. With a wrong one some street would most likely beat it, and `check` would name that street. If none did, it would be as good a value as any.

3. Where the ways to the root are long: on a ring of n vertices the last layer is n - 1 streets from the root, and the same number of passes is needed to eliminate, to mark and to propagate. Doubling takes about log2(n). `samples/experiments/forms.lua` counts both.]],
  },
}
