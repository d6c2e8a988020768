/* Words known from other programs (gdb, shells, NetworkX, igraph, Matlab), and their equivalents here. */
#ifndef LS_REPL_ELSEWHERE_H
#define LS_REPL_ELSEWHERE_H

/* A sentence such as "r = sssp(g, s), r.dist, r:path(t)"; NULL if the word is not in the table. */
const char *ls_elsewhere(const char *word);

#endif
