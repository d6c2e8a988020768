-- What help says of models of differential equations (src/lua/l_model.c, lua/model.lua).

--- Reads a model of differential equations: PHML or ISML 1.0, CellML 1.0 or 1.1, SBML of level 2 or 3, or equations in
--- lockstep's own format (?model.from_text). The format is known by the contents. A mistake, or anything that is not
--- supported, is an error with file and line. loops = true also loads a model with algebraic loops, which cannot be
--- simulated, only studied: scc(m:graph()) finds the loops.
--- A model in CellML 1.1 may import components and units of files in its folder, or in folders in it, by relative paths. An
--- imported component is called as the import says; a component that it encapsulates has that name before its own: cell.gate.
--- Limits: 256 files, 32 that import one another in a row, instances of 256 MiB (each counts as at least 4 KiB).
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
---   x(0) = 10                      its first value
---   f = {1 if time < 5; 0 otherwise}
---   when x < 1 after 0.5: x = 10, y = y/2
--- Operators: + - * / ^, == != < <= > >=, and or not; functions: exp ln log10 sqrt abs floor ceiling min max sin cos
--- tan and their inverses (arcsin), delay(x, 2), rateOf(x) and others; time, pi, true, false. Before
--- the start, a delayed variable has its first value, computed with the time of then and with rateOf = 0.
---   m = model.from_text "x' = -k*x \n k = 0.5 \n x(0) = 1"
--: model.from_text(text [, {loops = true}])

--- Where a model is that comes with the program. Equations: luo-rudy-1991 (a cell of the heart), lotka-volterra (predators
--- and prey), robertson (reactions, stiff). Processes: philosophers, elevator, queue, editor, clients, server. The name
--- may have its ending (.ode, .dve, .mdve). An error lists what there is.
---   m = model.load(model.sample "robertson")   m = model.load(model.sample "philosophers.dve")
--: model.sample(name)

--- Writes buffers of f64 as the columns of a file: .csv, with the names as header line, or .npy, a matrix without names. An old
--- file is replaced when all is written.
--: model.write_table(path, names, buffers)

--- A table that grows in its file, a row at a time, .csv with the names as first line, or .npy: s:put(names, buffers) appends the
--- rows of f64 buffers of one length, s:close() returns how many there are. Until then they are in out.csv.part, which takes the place of out.csv when the stream is
--- closed, also at the end of a local s <close>; s:leave() leaves them there. However the program ends, that file has whole rows.
---   s = model.stream("out.csv", {"time", "V"})
--- With group = N, each N rows belong together, and .npy has three dimensions: groups x N x columns.
--- s:put_instances{record =, times =, from =, to =, heads =} appends a group for each of the instances from .. to - 1 of the
--- record of an ensemble: first its values in the buffers of the list heads, then the time, then its variables.
--- s:tell() returns how many bytes and rows there are; a stream that is opened with these numbers goes on after them.
--- With of = the name of another stream's file, it has rows alone, to be put behind those of that stream: s:append(path, rows).
--: model.stream(path, names [, group [, bytes, rows [, of]]])

--- The times from start to stop at which conditions that depend on time alone change: {before = {...}, after = {...},
--- conditions = true or false}. A condition has its old value up to before[i] and its new one from after[i] on, the next
--- floating-point number. conditions is true if the equations have any, also of states. simulate with dopri5 begins anew at
--- these times. A change that lasts less than a 100,000th of the time may be missed.
---   reference.breaks(model.load(model.sample "luo-rudy-1991"), 0, 500).after      20 and 25, the stimulus
--: reference.breaks(m, start, stop)

--- Prints what there is: states, functions, parameters, their units, and what the file asks for.
--: model:show()

--- The equations as mathematics, on lines of 80 columns where names allow it: of all states and functions, or of those
--- that are named.
---   m:equations()   m:equations("V", "I_Na")   m:equations{width = 120, "V"}
--: model:equations([name, ...])

--- One equation as text; width is 80 where it is not given.
--: model:equation(name [, width])

--- The parameters and their values, by name; with a table, sets those that are in it.
---   m:parameters().G_Na      m:parameters{G_Na = 30, T = 300}
--- A name with a dot stands in brackets and quotes: m:parameters{["membrane.G_Na"] = 30}. m:reset() takes all back.
--: model:parameters()
--: model:parameters{name = value, ...}

--- Makes a parameter, or the first value of a state, that number. Returns the model.
--: model:set(name, value)

--- Gives all parameters and first values back what the file says, after m:set and m:parameters. Returns the model.
--: model:reset()

--- The whole name of a variable and its number from 1. A name may be given as in the file (module-id:V), whole
--- (membrane.V), or by its end (V), where only one variable, or only one state, ends so.
--: model:find(name)

--- The properties of a variable: {name, id, unit, role, line, file, quantity, held, size, value, first}; by its name or its number.
--- first is a state's first value where the file has a number, and not an expression. role is "state", "algebraic", "parameter" or
--- "constant". For a species, quantity is what is shown and held what is stored, "amount" or "concentration", and size is the
--- number of its compartment. file is there where the line is in an imported file.
--: model:variable(name)

--- The first values of all variables, at time `start` (0): f64[m.variables].
--: model:first([start])

--- The dependencies as a graph: an edge leads from a variable to each variable whose equation contains it. g:label(v) is the
--- variable's name, g:vertex(name) its vertex. Edges from states are left out, since a state's value is known when functions are
--- computed, unless states = true. With start = true it is of first values: an edge leads to each variable whose first value
--- needs the other's. An algebraic loop is a component of more than one vertex.
---   scc(m:graph()).count
--: model:graph([{states = true, start = true}])

--- The model's equations as bytecode in phases, which the primitives of the family ode run on any device: Okuyama 2013,
--- chapter 5. A thread runs one bytecode, which computes a variable, or up to three; the last phase computes the rates of
--- the states, and of time. The threads of a warp run in lockstep: where their bytecodes differ, they diverge. Options:
---   fold       what depends on parameters and constants alone is computed now (false)
---   sum        a sum of 32 variables or more is split into 32 parts, which the phase before computes. Each part has terms
---              that stand side by side, the first parts one more where 32 does not divide their number; it is added up from
---              the left, and so are then the parts: on each processor in this order
---   merge      functions are shifted into earlier phases; a thread has three at most
---   reorder    the bytecodes of a phase are sorted by length, then by their operators
---   redundant  threads are added that do nothing, so that no warp has two kinds of bytecode
---   unify      "warp": the threads of a warp share one bytecode, whose operands are in tables; "phase": all alike in a
---              phase do; "none"
---   remap      variables are stored in the order in which bytecodes name them
---   cells = N  N copies of the model with values of their own
---   base = true  only the options that are given are on; without it all but fold are on, and unify = "phase"
---   b = m:bytecode()   b:counters()   b:list{phase = 1}   simulate(m, {stop = 500, engine = "bytecode", bytecode = b})
--: model:bytecode([{...}])

--- Frees the model now.
--: model:close()

--- What each optimisation of the bytecode changes: the six steps of Okuyama 2013, figure 5.10, each with those before it.
--- A row for each step: number of phases, states included; threads; redundant ones; kinds, different sequences of operators;
--- instructions of the threads; divergent, steps in which the threads of a warp have different operators, and their percentage
--- of all steps; requests for memory; sectors of 32 bytes that these touch (?bytecode:counters). With steps = 1000, each
--- is run for so many Euler steps of dt on the present device, and its time is shown. Fields of a row: those, and `bytecode`.
--- The panel's view `phases` shows the bytecode of each step. unify = "phase" is the form that the translator uses; then the
--- last bytecode is that of m:bytecode(). base is the bytecode before all optimisations: the dependencies (m:graph()) give each
--- function the earliest phase that it can have, which is called level scheduling.
--- Stepped, each of them is an iteration: `start m:phases()` stops behind base, and `iter` goes to the next. The line of a stop
--- names the step, with phases, threads, divergent, requests and sectors; `until step == "merge"` and `until divergent == 0`
--- stop there. At a stop b is its bytecode, x its row, and the view `phases` shows the steps up to it; `back` goes back to
--- an earlier stop.
---   p = m:phases()   p[5].requests   p[1].bytecode:list()   panel phases
---   start m:phases()   iter   b:list{phase = 1}   until step == "merge"
--: model:phases([{unify =, cells =, fold =, start =, steps =, dt =}])

--- What the warps of each phase do if their threads go forward together, those of one operator at a time, and no jump is
--- taken; the last row is all phases. Fields: threads; redundant ones; warps; kinds, different sequences of operators;
--- instructions of the threads; steps, instructions of each warp's longest thread; issued, in a step one for each
--- different operator; divergent, steps with several; requests for memory; sectors of 32 bytes that these touch.
--: bytecode:counters()

--- The bytecode of a phase as text, unit by unit: phase = 1 or "states", all where it is not given; thread = which one
--- to begin with; most = how many units (8).
--: bytecode:list([{phase =, thread =, most =}])

--- The first values at their places, and all functions computed: x and x_next, f64[vars*cells], as the ode_... primitives take them.
--- vary = {G_Na = {20, 23}}: values of parameters and first values of states, one for each cell. For a model with events,
--- delays or random numbers (b.timed) also {clock, past_time, past}, the values with which these begin; dt and seed are for those.
--: bytecode:start([{start =, vary =, dt =, seed =}])

--- Steps on the present device. columns: places of variables (b.code:place). Returns a table: columns, a list of their values,
--- f64[cells*(intervals + 1)] each; x, as it ended; dt, the length of a step; steps and events, how many there were;
--- ended, what {ended = } goes on from; interrupted, the time at which Ctrl-C ended it early (then there are fewer rows).
--- checkpoint = FILE goes on where that was saved; vary as in b:start; seed is that of random numbers, of which each cell has
--- its own.
--: bytecode:run {start =, stop =, intervals =, dt =, method =, columns = [, ended =, vary =, checkpoint =, seed =]}

--- The bytecode as the text of kernels: a family of rows and loops, by file name, in the form that kernels/README.md
--- describes. Each phase is a kernel, and each unit a branch in it. Okuyama 2013, section 5.5.2. files:save(folder) writes them.
---   f = m:bytecode():translate{name = "lr"}   f["lr_1.h"]
--: bytecode:translate([{name =}])

--- Compiles the kernels that b:translate writes, for the present device; b:run and simulate with this bytecode take them from
--- then on. Their names begin with `name`, which is translated1, translated2, ... where it is not given. For a model without
--- events, delays and noise there is one kernel for each method, which makes many steps: on a CPU b:steps_text, on CUDA
--- b:grid_text; when it is stepped, it runs phase by phase, by kernels that are compiled then. phases = true uses these from the
--- beginning; grid = true uses b:grid_text on a CPU, too. With method only the kernels of that method are compiled.
---   b = m:bytecode():compile()   simulate(m, {stop = 500, engine = "translator", bytecode = b})
--: bytecode:compile([{name =, phases =, grid =, method =}])

--- The text of the row `name`, which makes many steps by "euler" or "rk4" on a CPU: instances of an equation are sorted, and
--- variables moved, so that vector instructions read neighbouring values; a team of threads goes through all steps. The numbers
--- are those of the other kernels, to the last bit. Returns {text, slot, entry, factor, space, team}: the text and its arguments.
---   print(m:bytecode():steps_text("euler", "many_steps").text)
--: bytecode:steps_text(method, name)

--- The same for CUDA: a row of a grid, whose threads, one for each instance of an equation, go through all steps in one launch, and
--- meet where a phase reads what another has computed. How many threads a block has is tried in the first launches.
---   print(m:bytecode():grid_text("euler", "many_steps").text)
--: bytecode:grid_text(method, name)

--- m:bytecode without its defaults: {fold =, sum =, merge =, reorder =, redundant =, unify =, remap =, start =}. Returns the
--- arguments of the primitives ode_... by their names, and `code`: code:name(place), the variable at a place;
--- code:place(number); code:count(phase), from 0; code:put(first, start, x, cells [, cell]), first values to their places;
--- code:follows(step, before), what the optimisation `step` made of another code; code:begin(start, dt, seed), what a
--- simulation begins with; code:event(i), the name and the line of an event.
--: model.compile(model, {...})

--- The names of the bytecode's instructions, from 0.
--: model.instructions

--- simulate without its choices and checks: columns = {{number, "value" | "amount" | "concentration"}, ...},
--- intervals, start, stop, method, dt, rtol, atol, seed. Returns {t, columns, dt, steps, refused, events}.
--: reference.simulate(model, {...})

--- Prints how it was simulated, and every variable's first, last, least and greatest value. On CUDA the first steps by bytecode
--- are taken by blocks of 512, 256, 128, 64 and 32 threads, and the rest by the fastest: r.block, where a run was long enough.
--: course:show()

--- Writes the rows as CSV, time first, then the variables in the order asked, under a header line.
--: course:save(path)

--- Draws variables over time, the first four if none is named: in the terminal or, with the option file, into a file.
---   r:plot("V")   r:plot("V", "Ca_i", {file = "V.svg", log = true})   r:plot{"V", "Ca_i", file = "V.svg"}
--- The options, the same for the plots of all results: file, title, xlabel, ylabel, log, points, width and height, as
--- for plot.
--: course:plot([name, ...] [, {file =, log =, ...}])
