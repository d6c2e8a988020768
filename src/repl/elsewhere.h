/* Words that people bring from other programs (gdb, shells, NetworkX, igraph, Matlab), and what does the same
 * here. */
#ifndef LS_REPL_ELSEWHERE_H
#define LS_REPL_ELSEWHERE_H

/* "`sssp(g, s)` gives the distances from s"; NULL: nobody is known to say that word. */
const char *ls_elsewhere(const char *word);

#endif
