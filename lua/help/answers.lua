-- Help texts of csv and json, which are implemented in C (src/repl/line/answers.c).

--- Writes a value as comma-separated values to the file, or prints it if no file is given. A list of records gives a line of
--- names, sorted, and then a line for each record; columns = {...} in the list chooses the columns and their order. A table of
--- buffers of equal length is written as columns; the first column, "i", is the element's number from 0 on (the vertex, if there
--- is one element per vertex). Elements of a result's buffers that mean "not reached" are empty. If the vertices have other numbers,
--- or names, in the graph's file (g:label), the first column is called "vertex" and has these labels, as have all columns of vertices.
---   csv({{n = 8, ms = 5}, {n = 16, ms = 9}, columns = {"n", "ms"}}, "times.csv")
---   csv({dist = r.dist, parent = r.parent}, "paths.csv")
---   csv(stats(), "stats.csv")
--: csv(value [, file])

--- Writes a value as JSON to the file, or prints it if no file is given: a list of records is an array in one line.
--- stats() and other lists that print as a table have a line for each row.
---   json({{n = 8, ms = 5}, {n = 16, ms = 9}}, "times.json")
--: json(value [, file])
