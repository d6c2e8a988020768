-- What help says of models of processes, which are written in C (src/lua/l_model_dve.c, l_dve.c).

--- Reads a model of communicating processes in the DVE language (DiVinE 2's), whose transitions may end in `cost E;` and
--- `time E;`. A .mdve file is expanded by m4, with its macros defined as given. m:show() prints it, explore(m) makes its
--- state space, m:simulate() walks through it by hand, m:automaton("P") is a process as a graph. What is wrong in it is an
--- error that names file:line:column.
---   m = model.load(model.sample "philosophers.dve")
---   m = model.load(model.sample "server.mdve", {TYPISTS = 3, REVIEWERS = 2})
--: model.load(path [, {NAME = value, ...}])

--- Is x a model of processes? What explore and walks are written over are the functions of dve. A state is a string
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

--- The state as a table of its processes and variables.
--: dve.decode(m, state)

--- The text that m:show() prints.
--: dve.describe(m)

--- A process as a graph. What m:automaton calls.
--: dve.automaton(m, process)

--- The space and its graph, by the search in C; a bound of 0 states or bytes is none. The maker is what dve.compile(m)
--- gives, or nil: the model is interpreted. What explore.search calls.
--: dve.explore(m, states, bytes, edges [, maker])

--- The model's own function in C, compiled for the CPU. dve.explore takes it.
--: dve.compile(m)

--- The text of the model's own rows in C, NAME_degrees and NAME_expand, and NAME. kernel(text) compiles them.
--- A synchronous system has none, nor has a model whose text has more than 900 KiB.
--: dve.generate(m)

--- The model's program as the rows of the family dve read it, u32. What explore.levels calls, as the next two.
--: dve.program(m)

--- Has the model costs, has it times? 1 or 0 each.
--: dve.worth(m)

--- Raises what is wrong with a cost or a time in this state, as an error.
--: dve.fault(m, state)

--- Where the model came from: the path that was given to model.load.
--: dve.name(m)
