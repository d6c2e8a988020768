-- What help says of models of processes, which are written in C (src/lua/l_model_dve.c, l_dve.c).

--- Reads a model of communicating processes in the DVE language (DiVinE 2's), whose transitions may end in `cost E;` and
--- `time E;`. A .mdve file is expanded by m4, with its macros defined as given. m:show() prints it, explore(m) makes its
--- state space, m:simulate() walks through it by hand, m:automaton("P") is a process as a graph. A mistake in the file is
--- an error that names file:line:column.
---   m = model.load(model.sample "philosophers.dve")
---   m = model.load(model.sample "server.mdve", {TYPISTS = 3, REVIEWERS = 2})
--: model.load(path [, {NAME = value, ...}])

--- Is x a model of processes? explore and the walks are written with the functions of dve. A state is a string
--- of its bits, of 4 * r.words bytes.
--: dve.is(x)

--- The state in which everything begins: a string of its bits.
--: dve.initial(m)

--- The steps of a state in their order: a list of {state =, action =, cost =, time =}.
--: dve.steps(m, state)

--- The state as a line of text.
--: dve.text(m, state)

--- The same, but only what differs between two states.
--: dve.change(m, before, after)

--- Why the which-th (1) of the state's steps to the error state leads there: "my.dve:6: n = 256 is beyond byte (0 ... 255)".
--: dve.why(m, state [, which])

--- How many assertions the model has; and has it a property process? r:check asks this.
--: dve.claims(m)

--- The state as a table of its processes and variables.
--: dve.decode(m, state)

--- The text that m:show() prints.
--: dve.describe(m)

--- A process as a graph. m:automaton calls this.
--: dve.automaton(m, process)

--- The state space and its graph, by the search in C; 0 states or 0 bytes means no bound. maker is the result of
--- dve.compile(m), or nil: then the model is interpreted. explore.search calls this.
--: dve.explore(m, states, bytes, edges [, maker])

--- The model's own function in C, compiled for the CPU. dve.explore takes it.
--: dve.compile(m)

--- The text of the model's own kernels in C, NAME_degrees and NAME_expand, and NAME. kernel(text) compiles them.
--- There is no text of a model for which it would be longer than 900 KiB.
--: dve.generate(m)

--- The model's program in the form that the primitives of the family dve read: u32. explore.levels calls this and the next
--- two functions.
--: dve.program(m)

--- Does the model have costs, and does it have times? 1 or 0 each.
--: dve.worth(m)

--- An error if a cost or a time of a step in this state is wrong.
--: dve.fault(m, state)

--- Where the model came from: the path that was given to model.load.
--: dve.name(m)
