-- Help texts of models of differential equations (src/lua/base/l_model.c, lua/ensemble/simulate.lua).

--- Reads a model of differential equations: PHML or ISML 1.0, CellML 1.0 or 1.1, SBML of level 2 or 3, or equations in
--- lockstep's own format (?model.from_text). The format is recognised by the contents. A mistake, or anything that is not
--- supported, is an error with file and line. loops = true also loads a model with algebraic loops, which cannot be
--- simulated, only studied: scc(m:graph()) finds the loops.
--- A model in CellML 1.1 may import components and units from files in its folder, or in subfolders, by relative paths. An
--- imported component gets the name that the import gives it; a component encapsulated in it gets both names: cell.gate.
--- Limits: 256 files, chains of 32 imports, and 256 MiB for all files together. In this sum a file counts as often as it is imported,
--- each time as at least 4 KiB.
---   m = model.load(model.sample "luo-rudy-1991")
---   m:show()   m:equations()   r = simulate(m, {stop = 500})
--: model.load(path [, {loops = true}])

--- A model from equations in plain text, one on a line; # begins a comment.
---   title Predators and prey       to the end of the line
---   time year                      the unit of time
---   a = 1.5 [1/year]               a number is a parameter; its unit in brackets
---   k := a*2                       a constant: computed once, at the start
---   eaten = b*x*y                  a function
---   x' = a*x - eaten               or dx/dt = ...: a state
---   x(0) = 10                      the initial value of the state
---   f = {1 if time < 5; 0 otherwise}
---   when x < 1 after 0.5: x = 10, y = y/2
--- Operators: + - * / ^, == != < <= > >=, and or not; functions: exp ln log10 sqrt abs floor ceiling min max sin cos
--- tan and their inverses (arcsin), delay(x, 2), rateOf(x) and others; time, pi, true, false. Before
--- the start, a delayed variable has its initial value, computed with the delayed time and with rateOf = 0.
---   m = model.from_text "x' = -k*x \n k = 0.5 \n x(0) = 1"
--: model.from_text(text [, {loops = true}])

--- The path of a sample model that comes with the program. Equations: luo-rudy-1991 (a heart cell), lotka-volterra (predators
--- and prey), robertson (reactions, stiff), integrate-and-fire (PHML, with assignments after each step). Processes:
--- philosophers, elevator, queue, editor, clients, server. The name may have its ending (.ode, .phml, .dve, .mdve). The error for
--- an unknown name lists all.
---   m = model.load(model.sample "robertson")   m = model.load(model.sample "philosophers.dve")
--: model.sample(name)

--- Writes buffers of f64 as the columns of a file: .csv, with the names as header line, or .npy, a matrix without names. An old
--- file is replaced when all is written.
--: model.write_table(path, names, buffers)

--- A stream of rows to a file, .csv with the names as header line, or .npy: s:put(names, buffers) appends the rows of f64 buffers
--- of equal length, s:close() returns the number of rows. Rows are written to out.csv.part, which is renamed to out.csv when the
--- stream is closed, also by the end of the scope of a local s <close>; s:leave() closes it without renaming. However the program
--- ends, out.csv.part has only whole rows.
---   s = model.stream("out.csv", {"time", "V"})
--- With group = N, every N rows are a group, and .npy has three dimensions: groups x N x columns.
--- s:put_instances{record =, times =, from =, to =, heads =} appends a group for each of the instances `from` to `to` - 1 of an
--- ensemble's record. A row has the instance's values from the buffers in the list `heads`, then the time, then its variables.
--- s:tell() returns the numbers of bytes and rows; a stream that is opened with these numbers continues after them.
--- If `of` is the path of another stream, the new file is a part of that stream: it has rows, but no header. The other stream's
--- method append(path, rows) appends the rows of the part.
--: model.stream(path, names [, group [, bytes, rows [, of]]])

--- The times from start to stop at which conditions that depend only on time change: {before = {...}, after = {...},
--- conditions = true or false}. A condition has its old value up to before[i] and its new one from after[i] on, the next
--- floating-point number. conditions is true if the equations have any condition, also on states. simulate with dopri5 restarts at
--- these times. A change that lasts less than a 100,000th of the time from start to stop may be missed.
---   reference.breaks(model.load(model.sample "luo-rudy-1991"), 0, 500).after      20 and 25, the stimulus
--: reference.breaks(m, start, stop)

--- Prints the model: states, functions, parameters, their units, and the simulation that the file requests.
--: model:show()

--- The equations as mathematics, on lines of 80 columns if names are short enough: of all states and functions, or of the named
--- ones.
---   m:equations()   m:equations("V", "I_Na")   m:equations{width = 120, "V"}
--: model:equations([name, ...])

--- One equation as text; by default width is 80.
--: model:equation(name [, width])

--- The parameters and their values, by name; with a table, sets the parameters in it.
---   m:parameters().G_Na      m:parameters{G_Na = 30, T = 300}
--- A name with a dot needs brackets and quotes: m:parameters{["membrane.G_Na"] = 30}. m:reset() restores all values.
--: model:parameters()
--: model:parameters{name = value, ...}

--- Sets a parameter, or the initial value of a state, to that number. Returns the model.
--: model:set(name, value)

--- Restores all parameters and initial values to those in the file, after m:set and m:parameters. Returns the model.
--: model:reset()

--- The full name of a variable and its number from 1. name may be as in the file (module-id:V), full
--- (membrane.V), or the end of it (V), if only one variable, or only one state, ends so.
--: model:find(name)

--- The properties of a variable, which is passed by name or number: {name, id, unit, role, line, file, quantity, held, size, value,
--- first}. first is a state's initial value if the file has a number for it, not an expression. role is "state", "algebraic",
--- "parameter" or "constant". For a species, quantity is what is shown and held what is stored, "amount" or "concentration", and
--- size is the number of its compartment. file is present if the line is in an imported file.
--: model:variable(name)

--- The initial values of all variables, at time `start` (0): f64[m.variables].
--: model:first([start])

--- The dependencies as a graph: an edge leads from a variable to each variable whose equation contains it. g:label(v) is the
--- variable's name, g:vertex(name) its vertex. Edges from states are left out, since a state's value is known when functions are
--- computed, unless states = true. With start = true it is the graph of initial values: an edge leads from x to y if the initial
--- value of y depends on that of x. An algebraic loop is a component of more than one vertex.
---   scc(m:graph()).count
--: model:graph([{states = true, start = true}])

--- The model's equations as bytecode in phases, which primitives run on any device (ode_...): Okuyama 2013,
--- chapter 5. A thread runs one bytecode, which computes a variable, or up to three; the last phase computes the rates of
--- the states, and of time. If the model has assignments between steps (PHML), three phases follow: `before` and `after` compute
--- what is assigned before and after a step, `ports` what ports take from assigned variables. Threads of a warp that run
--- different bytecodes diverge: they take turns. Options:
---   fold       what depends only on parameters and constants is computed once, when the bytecode is made (default false)
---   sum        a sum of n variables, 32 or more, is split into sqrt(n) parts, rounded up, which the previous phase computes. A
---              part has consecutive terms; if their numbers cannot be equal, the first parts have one more. The terms of a part,
---              and then the parts, are added from left to right, on every processor
---   merge      functions are moved into earlier phases; a thread computes at most three
---   reorder    the bytecodes of a phase are sorted by length, then by their operators
---   redundant  idle threads are added, so that no warp has two kinds of bytecode
---   unify      "warp": the threads of a warp share one bytecode, whose operands are in tables; "phase": all threads of a phase
---              with equal bytecode share it; "none"
---   remap      variables are stored in the order in which the bytecodes use them
---   cells = N  N copies of the model, each with its own values
---   base = true  only the options that are given are on; without it all but fold are on, and unify = "phase"
---   b = m:bytecode()   b:counters()   b:list{phase = 1}   simulate(m, {stop = 500, engine = "bytecode", bytecode = b})
--: model:bytecode([{...}])

--- Frees the model now.
--: model:close()

--- What each optimisation of the bytecode changes: the six optimisations of Okuyama 2013, figure 5.10, each applied on top of the
--- earlier ones. Returns a list of rows: first `base`, the bytecode before all optimisations, then one row per optimisation. In
--- base the dependencies (m:graph()) give each function the earliest phase that it can have (level scheduling). Fields of a row:
---   step           "base", or the name of the optimisation
---   phases         the number of phases, including those of the states and of assignments between steps
---   threads, redundant, kinds, instructions, divergent, requests, sectors    the totals of ?bytecode:counters; the printed % is
---                  the share of divergent steps
---   bytecode       the bytecode; the panel's view `phases` shows it
---   time           with steps = 1000: microseconds per step in a run of 1000 Euler steps of dt on the current device
--- unify = "phase" is the form that the translator uses; then the last bytecode is that of m:bytecode().
--- When stepped, each row is an iteration: `start m:phases()` stops after base, and `iter` goes to the next. The line of a stop
--- names the optimisation, with phases, threads, divergent, requests and sectors; `until step == "merge"` and `until divergent == 0`
--- work, too. At a stop b is the bytecode, x the row, and the view `phases` shows all rows so far; `back` goes to an earlier stop.
---   p = m:phases()   p[5].requests   p[1].bytecode:list()   panel phases
---   start m:phases()   iter   b:list{phase = 1}   until step == "merge"
--: model:phases([{unify =, cells =, fold =, start =, steps =, dt =}])

--- Counts what the warps of each phase do, under the assumption that the threads of a warp advance together, one operator at a
--- time, and no jump is taken; the last row is the total. Fields of a row:
---   threads, redundant, warps    the numbers of threads, of redundant ones among them, and of warps
---   kinds          the number of different sequences of operators
---   instructions   of all threads
---   steps          the number of instructions of each warp's longest thread, summed over the warps
---   issued         the number of different operators in a step of a warp, summed over all steps
---   divergent      the number of steps in which the threads of a warp have different operators
---   requests, sectors            requests for memory, and the sectors of 32 bytes that they touch
--: bytecode:counters()

--- The bytecode of a phase as text: phase = 1, "states", "before", "after" or "ports" (default: all); thread = the first thread to show. Threads that share a
--- bytecode (a unit) are shown once; most = how many units of each phase are shown (8).
--: bytecode:list([{phase =, thread =, most =}])

--- Sets up a run: x and x_next, f64[vars*cells], as the ode_... primitives take them, with the initial values at their places and
--- all functions computed.
--- vary = {G_Na = {20, 23}}: values of parameters and initial values of states, one for each cell. For a model with events,
--- delays, random numbers or assignments between steps (b.timed) also returns {clock, past_time, past}, their initial values, which depend on dt and seed.
--: bytecode:start([{start =, vary =, dt =, seed =}])

--- Runs the bytecode on the current device. columns: places of variables (b.code:place). Returns a table: columns, a list of their
--- values, f64[cells*(intervals + 1)] each; x at the end; dt, the step size; steps and events, how many there were;
--- ended, the state with which b:run{ended = r.ended, ...} continues; interrupted, the time at which Ctrl-C ended it early (then there are
--- fewer rows). checkpoint = FILE resumes from that file; vary as in b:start; seed is for random numbers, which differ between
--- cells.
--: bytecode:run {start =, stop =, intervals =, dt =, method =, columns = [, ended =, vary =, checkpoint =, seed =]}

--- The bytecode translated to the source of kernels: a table from file names to texts, which has the files of a folder of kernels as in
--- kernels/README.md. Each phase is a kernel, and each unit a branch in it. Okuyama 2013, section 5.5.2. files:save(folder) writes
--- them.
---   f = m:bytecode():translate{name = "lr"}   f["lr_1.h"]
--: bytecode:translate([{name =}])

--- Compiles the kernels that b:translate writes, for the current device; from then on b:run and simulate with this bytecode use
--- them. Their names begin with `name` (default: translated1, translated2, ...). For a model without
--- events, delays, noise and assignments between steps, one kernel for each method makes many steps: on a CPU b:steps_text, on CUDA b:grid_text. A stepped run
--- launches one kernel for each phase instead; these kernels are compiled when the first such run begins. phases = true uses them
--- in every run; grid = true uses b:grid_text also on a CPU; method = "rk4" compiles only the kernels of that method.
---   b = m:bytecode():compile()   simulate(m, {stop = 500, engine = "translator", bytecode = b})
--: bytecode:compile([{name =, phases =, grid =, method =}])

--- The source of a kernel called `name`, which makes many steps by "euler" or "rk4" on a CPU: instances of an equation are sorted, and
--- variables moved, so that vector instructions read neighbouring values; a thread pool runs all steps. The results
--- are bit for bit those of the other kernels. Returns {text, slot, entry, factor, space, team}: the source and its arguments.
---   print(m:bytecode():steps_text("euler", "many_steps").text)
--: bytecode:steps_text(method, name)

--- The source of a kernel called `name` for CUDA: a grid with one thread per instance of an equation runs all steps in one launch, with a
--- grid barrier where a phase reads results of another. The first launches try several block sizes.
---   print(m:bytecode():grid_text("euler", "many_steps").text)
--: bytecode:grid_text(method, name)

--- Compiles a model to bytecode with exactly these optimisations (m:bytecode has defaults): {fold =, sum =, merge =, reorder =,
--- redundant =, unify =, remap =, start =}. Returns a table with the arguments of the primitives ode_... by their names, and `code`,
--- an object that knows the place of each variable, its index in the buffer x. Its methods:
---   code:name(place)           the name of the variable at that place
---   code:place(number)         the place of the variable with that number, from 1
---   code:count(phase)          the counts of ?bytecode:counters for a phase, from 0
---   code:put(first, start, x, cells [, cell])   writes the initial values `first` to their places in x
---   code:follows(step, before) records that the optimisation `step` turned the code `before` into this one
---   code:begin(start, dt, seed)                 {first =, clock =, past_time =, past =}: buffers with the initial values, the clock,
---                                               and the times and values of the past of delayed variables
---   code:event(i)              the name and the line of event i, from 0
--: model.compile(model, {...})

--- The names of the bytecode's instructions: model.instructions[code] is the name of the instruction with that code, from 0.
--: model.instructions

--- What simulate calls with engine = "reference", without default options and checks: columns = {{number, "value" | "amount" |
--- "concentration"}, ...}, intervals, start, stop, method, dt, rtol, atol, seed. Returns {t, columns, dt, steps, refused, events}.
--: reference.simulate(model, {...})

--- Prints the options of the simulation, and every variable's first, last, least and greatest value. On CUDA the first steps of
--- a simulation by bytecode try 512, 256, 128, 64 and 32 threads per block; if the run is long enough, the other steps use the
--- fastest of these numbers, r.block.
--: course:show()

--- Writes the rows as CSV: a header line, then the time and the variables in the requested order.
--: course:save(path)

--- Draws variables over time, by default the first four: in the terminal or, with the option 'file', into a file.
---   r:plot("V")   r:plot("V", "Ca_i", {file = "V.svg", log = true})   r:plot{"V", "Ca_i", file = "V.svg"}
--- The options, the same for the plots of all results: file, title, xlabel, ylabel, log, points, width and height, as
--- for plot.
--: course:plot([name, ...] [, {file =, log =, ...}])
