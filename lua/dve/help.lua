-- Help texts of models of processes, which are implemented in C (src/lua/dve/l_model_dve.c, l_dve.c).

--- Reads a model of communicating processes in the DVE language of DiVinE 2, extended by `cost E;` and `time E;` at the end of
--- transitions. A .mdve file is expanded by m4, with the given values of its macros. m:show() prints the model, explore(m) makes its
--- state space, m:simulate() walks through it by hand, m:automaton("P") is a process as a graph. A mistake in the file is
--- an error that names file:line:column.
---   m = model.load(model.sample "philosophers.dve")
---   m = model.load(model.sample "server.mdve", {TYPISTS = 3, REVIEWERS = 2})
--: model.load(path [, {NAME = value, ...}])

--- Is x a model of processes? explore and m:simulate() use the functions dve.NAME. For them a state is a string that contains its
--- bits, 4 * r.words bytes, where r is a result of explore.
--: dve.is(x)

--- The initial state: a string of its bits.
--: dve.initial(m)

--- The steps of a state in their order: a list of {state =, action =, cost =, time =}.
--: dve.steps(m, state)

--- The state as a line of text.
--: dve.text(m, state)

--- The differences between two states as a line of text.
--: dve.change(m, before, after)

--- Why a step leads from this state to the error state, such as "my.dve:6: n = 256 is beyond byte (0 ... 255)". If several steps do
--- so, `which` is the number of one of them (default 1).
--: dve.why(m, state [, which])

--- Returns the number of assertions of the model, and whether it has a property process. r:check calls this.
--: dve.claims(m)

--- The state as a table of its processes and variables.
--: dve.decode(m, state)

--- The text that m:show() prints.
--: dve.describe(m)

--- A process as a graph. m:automaton calls this.
--: dve.automaton(m, process)

--- The state space and its graph, by the search in C; 0 states or 0 bytes means no bound. maker is the result of
--- dve.compile(m); if it is nil, the model is interpreted. explore.search calls this.
--: dve.explore(m, states, bytes, edges [, maker])

--- Compiles the model for the CPU. Returns the C function to be passed to dve.explore as maker.
--: dve.compile(m)

--- Returns the source of the kernels NAME_degrees and NAME_expand for this model, and NAME. kernel(text) compiles them.
--- It is an error if the source would be longer than 900 KiB.
--: dve.generate(m)

--- The model's program as a u32 buffer, which the primitives in kernels/dve read. explore.levels calls this and the next
--- two functions.
--: dve.program(m)

--- Does the model have costs, and does it have times? Returns 1 or 0 for each.
--: dve.worth(m)

--- Raises an error if a cost or a time of a step in this state is invalid.
--: dve.fault(m, state)

--- The path that the model was loaded from, as passed to model.load.
--: dve.name(m)
