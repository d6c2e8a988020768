/* Words known from other programs (gdb, shells, NetworkX, igraph, Matlab), and their equivalents here. */
#ifndef LS_REPL_FOREIGN_COMMANDS_H
#define LS_REPL_FOREIGN_COMMANDS_H

/* A sentence such as "r = sssp(g, s), r.dist, r:path(t)"; NULL if the word is not in the table. */
const char *ls_foreign_command(const char *word);

#endif
