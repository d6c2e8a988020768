-- Bytecode: how unification cures divergence.

lesson = assert(loadfile((...) .. "/common.lua"))(...)
lesson.on_cpu()
town = nil

--- The model of predators and prey, right and with a mistake.
lesson.text = [[
a = 1.5
p = 0.1
k = 1
b = 0.05
eaten = x*y
x' = a*x - p*eaten
y' = b*eaten - k*y
x(0) = 10
y(0) = 5]]
right = model.from_text(lesson.text)
wrong = model.from_text((lesson.text:gsub("b%*eaten %- k%*y", "b*eaten + k*y")))

--- The counters of b, summed over all phases.
function lesson.all(b)
  local rows = b:counters()
  return rows[#rows]
end

--- The percentage of divergent steps.
function lesson.divergent(b)
  local all = lesson.all(b)
  return ("%.0f"):format(100 * all.divergent / all.steps)
end

--- The average number of memory sectors per warp and step.
function lesson.per_step(b) return ("%.0f"):format(lesson.all(b).sectors / lesson.all(b).steps) end

--- The first `lines` instructions of the first threads of a phase, below the two headings of b:list.
function lesson.first(b, phase, lines)
  local text, n = {}, 0
  for line in tostring(b:list {phase = phase, most = 1}):gmatch "[^\n]+" do
    n = n + 1
    if n <= lines + 2 then text[n] = "  " .. line end -- 2: the headings
  end
  return table.concat(text, "\n")
end

--- The threads of each phase, with arrows between.
function lesson.threads(b)
  local out = {}
  for p = 0, b.phases do out[p + 1] = b.first[p + 1] - b.first[p] end
  return table.concat(out, " -> ")
end

--- The threads of each phase of the line of cells, with merging and without redundant threads.
function lesson.merged() return lesson.threads(line:bytecode {redundant = false}) end

--- Is the course of a potential the same bit for bit?
function lesson.same(a, b, name)
  for i = 0, #a.t - 1 do
    if a[name][i] ~= b[name][i] then return false end
  end
  return true
end

return {
  {
    run = {'cell = model.load(model.sample "luo-rudy-1991")', "plain = cell:bytecode{base = true}"},
    hold = {"cell.functions == 31", "cell.states == 8", "plain.phases == 4", "lesson.threads(plain) == '23 -> 6 -> 1 -> 1 -> 9'"},
    say = [[
This is a model of one cell of the heart, by Luo and Rudy (1991). It has {cell.states} STATES, numbers that change by differential equations, such as the potential V of the membrane, and {cell.functions} FUNCTIONS, which are computed from the states at every time, such as the currents through the membrane.

A program for all models cannot know these equations when it is compiled. It may INTERPRET them: each equation becomes a BYTECODE, a list of small instructions, and a loop reads one instruction after the other and executes it. Here is the beginning of the first bytecode:

{lesson.first(plain, 1, 8)}

VARIABLE and CONSTANT put a number on a stack; an operator takes its operands from there and puts its result there; ASSIGN takes the result from the stack and stores it in the variable.]],
    ask = [[Two numbers are on the stack, and TIMES_NARY 2 comes next. How many numbers are on the stack after it?]],
    answer = "1",
    hint = [[An operator takes its operands from the stack and puts its result there. How many operands does TIMES_NARY 2 take, and how many results does it have?]],
  },
  {
    say = [[
One: the product. Each bytecode is the work of one thread. Functions that need other functions must wait for them, so bytecodes are put into PHASES: all bytecodes of one phase can run at the same time. The phases of this cell have {lesson.threads(plain)} threads. The last phase computes how fast the states change.]],
    ask = [[A step of the model is one pass through all phases, one after the other. How many kernels are launched on a GPU for one step?]],
    answer = "plain.phases + 1",
    hint = [[A phase has to be finished before the next one begins, and only the end of a kernel makes sure of that. Count the phases of this cell, the last one included.]],
  },
  {
    run = {"line = model.line{cells = 100}", "plain = line:bytecode{base = true}", "plain:counters()"},
    hold = {"lesson.all(plain).divergent > 1000", "lesson.all(plain).threads == 4100"},
    say = [[
A heart has more than one cell. This is a line of 100 cells; a current flows between neighbours. It has {line.functions} functions and {line.states} states: enough work for the thousands of threads of a GPU.

But the threads of a GPU are not independent of each other. They run in WARPS of 32 threads, and a warp executes one instruction at a time. If its threads are at different instructions, it executes these one after the other, and each time the threads at the other instructions wait: the warp DIVERGES.

In the table that was printed, `steps` is the number of instructions of each warp's longest thread, summed over the warps. Without divergence the warps would issue exactly that many instructions, {lesson.all(plain).steps}. But they have issued {lesson.all(plain).issued} (the column `issued`): in {lesson.divergent(plain)} % of the `steps` the warp diverged.]],
    ask = [[A warp has 31 threads with the same list of 10 instructions, and one thread with another list of 10. How many instructions does the warp issue?]],
    answer = "10 + 10",
    hint = [[A warp executes one instruction at a time, and the two lists differ: it executes one list while the threads of the other one wait, and then the other list.]],
  },
  {
    run = {"sorted = line:bytecode{base = true, reorder = true}", "sorted:counters()"},
    hold = {"lesson.all(sorted).divergent < lesson.all(plain).divergent/5", "lesson.all(sorted).instructions == lesson.all(plain).instructions"},
    say = [[
All cells are alike, so most kinds of bytecode occur once in each cell, 100 times in all. For example, 100 bytecodes compute the current I_Na of their cells: the operators are the same, and the variables differ. They were only in the wrong order, cell by cell.

Now the bytecodes of each phase are SORTED: the longest first, and those of the same length by their operators. Bytecodes of one kind are next to each other, and most warps have one kind of bytecode. {lesson.divergent(sorted)} % of the steps are still divergent. In which warps?]],
    ask = [[There are 100 bytecodes of a kind, and a warp has 32 threads. How many threads have to be added, so that the next kind begins with a new warp?]],
    answer = "(-100) % 32",
    hint = [[How many warps do 100 threads need, and how many threads have room in these warps? The difference has to be filled.]],
  },
  {
    run = {"filled = line:bytecode{base = true, reorder = true, redundant = true}", "filled:counters()"},
    hold = {"lesson.all(filled).divergent == 0", "lesson.all(filled).issued == lesson.all(filled).steps", "lesson.all(filled).redundant > 0"},
    say = [[
In the warps where one kind ends and the next begins: 100 is not a multiple of 32. So REDUNDANT threads are added after each kind, {lesson.all(filled).redundant} in all. They do nothing; but no warp has two kinds of bytecode any more, and no step is divergent: {lesson.all(filled).issued} instructions in {lesson.all(filled).steps} steps.

That costs little: a warp takes no longer if some of its threads do nothing.]],
  },
  {
    run = {'unified = line:bytecode{base = true, reorder = true, redundant = true, unify = "warp"}', "unified:counters()"},
    hold = {"lesson.all(unified).sectors < lesson.all(filled).sectors/2", "unified.words < filled.words/10"},
    say = [[
One cost remains. Each thread still reads instructions of its own, although all threads of a warp have the same ones. For one step, a warp reads {lesson.per_step(filled)} sectors of 32 bytes from memory, on average.

So bytecodes are UNIFIED: the threads of a warp share one, and what differs from thread to thread, the variables and constants, is in tables:

{lesson.first(unified, 2, 10)}

The operand of VARIABLE_IND is an index into a table: the entries from this index on are variables, one for each thread. There were {filled.words} instructions, now there are {unified.words}; and the warps read {lesson.all(unified).sectors} sectors instead of {lesson.all(filled).sectors}.]],
  },
  {
    run = {"b = line:bytecode()", "b:counters()", 'a = simulate(line, {start = 19, stop = 21, dt = 0.01, every = 1, method = "euler", variables = {"c1.V"}})',
      'r = simulate(line, {start = 19, stop = 21, dt = 0.01, every = 1, method = "euler", variables = {"c1.V"}, engine = "bytecode"})'},
    hold = {"lesson.merged() == '2399 -> 399 -> 801'", "b.phases == 2", 'lesson.same(a, r, "c1.V")'},
    say = [[
Three optimisations remain, and `line:bytecode()` has all of them. Functions are MERGED into earlier phases: a function that needs only one function of the previous phase is computed by the same thread as that one. {plain.phases} phases of functions become {b.phases}, with {lesson.merged()} threads, as in the thesis that describes all this (Okuyama 2013). Variables are REMAPPED, so that the threads of a warp read adjacent elements: {lesson.all(b).sectors} sectors are left, of {lesson.all(plain).sectors} in the beginning. And SUMS of many variables are split into parts.

Is it still the same model? Two engines have simulated it from 19 to 21 ms, when the pulse comes: one computes expression by expression, the other one is the interpreter of bytecode. On this processor they agree in every bit: V of the first cell is {r["c1.V"][2]} at the end, in both.

`start cell:phases()` goes through all optimisations one by one, in another order: `iter` applies the next one, and `panel phases` shows the bytecode after it. `b:list{{phase = 1}` shows all of the bytecode, `??ode_functions` the kernel that interprets it.]],
  },
  {
    run = {"good = simulate(right, {stop = 5, dt = 0.01, every = 1, method = 'rk4'})", "bad = simulate(wrong, {stop = 5, dt = 0.01, every = 1, method = 'rk4'})", "bad.y",
      "wrong:bytecode{base = true}:list()"},
    hold = {"bad.y:max() > 20 * good.y:max()"},
    say = [[
A BUG TO FIND. `right` and `wrong` are models of predators (y) and their prey (x). In 5 years there are never more than {("%.0f"):format(good.y:max())} predators in the right one. In the wrong one their number grows without limit. The bytecode of the wrong model is printed above. The equations should be

  x' = a*x - p*eaten
  y' = b*eaten - k*y

and `right:bytecode{{base = true}:list()` prints the bytecode for these equations.]],
    ask = [[One instruction of the wrong model should be a different one. Which instruction is right there?]],
    answer = "'MINUS'",
    hint = [[Compare the instructions of y with its equation, from left to right: which operation of the equation is missing? `right:bytecode{{base = true}:list()` shows the right instructions.]],
  },
  {
    run = {"wrong:equations('y')"},
    say = [[
MINUS: the predators that die were added. Two engines, bytecode and expressions, agree on the wrong model in every bit, since both do what it says. If two programs agree, neither is likely to have a mistake of its own; that says nothing about the model. To check the model, you need something that is known from elsewhere: here, that b*x - k*log(x) + p*y - a*log(y) never changes.

Two questions (`lesson answers` has the answers):

  1. Why does it cost little to add threads
     that do nothing?
  2. A model has one cell, and all its
     functions differ. What can sorting and
     unifying do for it?]],
    answers = [[
1. A warp takes as long as its longest thread, and a thread that does nothing adds no instruction. Without it, a thread with another kind of bytecode would be in its place, and the warp would have to execute both kinds, one after the other.

2. Next to nothing: no two threads have the same bytecode, so each step of a warp is divergent. Many cells, or many instances of the model (help ensembles), give a warp threads that are alike.]],
  },
}
