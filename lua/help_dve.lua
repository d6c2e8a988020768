-- What help says of models of processes, which are written in C (src/lua/l_model_dve.c, l_dve.c).

--- Reads a model of communicating processes in the DVE language (DiVinE 2's), whose transitions may end in `cost E;` and
--- `time E;`. A .mdve file is expanded by m4, with its macros defined as given. m:show() prints it, explore(m) makes its
--- state space, m:simulate() walks through it by hand. What is wrong in it is an error that names file:line:column.
---   m = model.load("samples/models/philosophers.dve")
---   m = model.load("samples/models/server.mdve", {TYPISTS = 3, REVIEWERS = 2})
--: model.load(path [, {NAME = value, ...}])
