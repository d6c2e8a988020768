/* The state space of a model, explored breadth first from the initial state. */
#ifndef LS_MODEL_DVE_SPACE_H
#define LS_MODEL_DVE_SPACE_H

#include "core/string_builder.h"
#include "data/graph.h"
#include "model/dve/dve.h"

struct dve_sink;
/* The function generated for a model: appends the successors of a state in the order of steps.h. The compiled
 * library exports it as LS_DVE_MAKER. */
typedef void ls_dve_maker(const u32 *state, struct dve_sink *out);
#define LS_DVE_MAKER "dve_steps_of_model"

typedef struct ls_dve_bounds {
  u64 states;         /* maximum number of states; 0: as many as a graph can have vertices */
  u64 bytes;          /* memory limit of the search; 0: two thirds of the available memory */
  bool edges;         /* false: only states, no graph */
  ls_dve_maker *make; /* the function compiled from ls_dve_generate's code; NULL: the model is interpreted */
} ls_dve_bounds;

typedef enum ls_dve_end {
  LS_DVE_COMPLETE,
  LS_DVE_STATES_BOUND,
  LS_DVE_MEMORY_BOUND,
  LS_DVE_EDGES_BOUND,
  LS_DVE_INTERRUPTED
} ls_dve_end;

/* States are numbered by level, and within a level in the order in which a sequential search finds them: by
 * the number of their parent, then by the order of the parent's steps. So the numbers do not depend on
 * threads. */
typedef struct ls_dve_space {
  ls_vertex_names vertex_names; /* reference count, and functions that give vertices and edges their names */
  ls_dve *model;
  u64 n, m;     /* states, transitions */
  u64 expanded; /* states 0 .. expanded - 1 have been expanded; the others, n - expanded, are the frontier */
  u32 *states;  /* [n * words]; states and parent may be NULL before ls_dve_space_fetch */
  u32 *parent;  /* [n]: the state from which it was found first; LS_NO_VERTEX for state 0 */
  u32 *level;   /* [levels + 1]: where each level begins; level[levels] = n */
  u32 levels;
  u32 *deadlocks; /* [deadlock_count]: expanded states without steps, ascending; never the error state */
  u32 deadlock_count;
  u32 error;  /* the error state; LS_NO_VERTEX: it can't be reached */
  u64 errors; /* transitions that lead to it */
  ls_dve_end end;
  u64 bytes;                   /* memory used at the end of the search, including the hash table */
  ls_buffer *packed, *parents; /* what ls_dve_space_fetch copies to states and parent; or NULL */
} ls_dve_space;

/* Explores the state space. A bound that is reached, or an interrupt, is not a failure: *out keeps what was
 * explored, and every state is either expanded with all its steps or not at all. *graph (NULL if
 * bounds->edges is false) has the states as vertices and their steps, in order, as edges. The graph has
 * weights if the model has costs, and times if the model has times. LS_EINPUT: a step has an invalid cost or
 * time. */
ls_status ls_dve_explore(ls_dve *m, const ls_dve_bounds *bounds, ls_dve_space **out, ls_graph **graph);

/* generate.c: writes C code for the model: the primitives NAME_degrees and NAME_expand, which do for this
 * model what dve_degrees and dve_expand do for any model, and the function for ls_dve_bounds.make, which is
 * exported as LS_DVE_MAKER. The caller frees *out. LS_EARG: the code would be too large. */
enum { LS_DVE_ROW = 24 };
ls_status ls_dve_generate(const ls_dve *m, char name[LS_DVE_ROW], ls_text *out);

/* The functions from here to ls_dve_fault are for lua/dve/levels.lua, which searches with the primitives of
 * kernels/dve. */

/* Gives the program in the form that these primitives read (flat.h): *count words, from ls_malloc. */
ls_status ls_dve_flat(const ls_dve *m, u32 **out, u64 *count);
/* An upper bound of the number of steps from any state; UINT32_MAX if the bound is greater. */
ls_status ls_dve_most_steps(const ls_dve *m, u32 *out);
/* An empty space. */
ls_status ls_dve_space_new(ls_dve *m, ls_dve_space **out);
/* Adds the deadlocks of a block: the states in a queue whose numbers are less than `end`. Element 0 of the
 * queue is its length. Blocks must be added in order; the states of a block may be in any order. */
ls_status ls_dve_space_add_deadlocks(ls_dve_space *s, ls_buffer *queue, u32 end);
/* Sets the space's states and their parents (retains both buffers), its levels (copies level[levels + 1]),
 * and n, m, expanded, error, errors, end and bytes as in `of`. */
ls_status ls_dve_space_fill(ls_dve_space *s, const ls_dve_space *of, ls_buffer *states, ls_buffer *parents,
                            const u32 *level, u32 levels);
/* Makes the space's graph from the arrays `off` (u32[n + 1]), `to` (u32[m]), `w` and `t` (i32[m], or NULL if
 * absent), and retains them. */
ls_status ls_dve_space_graph(ls_dve_space *s, ls_buffer *const arrays[4], ls_graph **out);
/* Generates the steps from a state; if that fails, returns the error, with its message, else LS_OK. */
ls_status ls_dve_fault(const ls_dve *m, const u32 *state);

/* Copies states and parent to the host; to be called before they are read. LS_EMEM, LS_EDEVICE. */
ls_status ls_dve_space_fetch(ls_dve_space *s);
ls_dve_space *ls_dve_space_retain(ls_dve_space *s);
void ls_dve_space_release(ls_dve_space *s);
static inline const u32 *ls_dve_state(const ls_dve_space *s, u64 v) {
  return s->states + v * ls_dve_words(s->model);
}

/* How the names of a graph of states are stored in a file: as the model's text and the states
 * (space_saved.c). */
extern const ls_vertex_names_kind ls_dve_names;
extern const ls_vertex_names_kind ls_dve_automaton_names; /* automaton.c */

/* A process as a graph: the vertices are its states, with their names; the edges are its transitions, in the
 * order of the text, named by their clauses. The graph has weights (costs) if some transition has a cost and
 * all costs are constant; the same rule applies to times. LS_EARG: there is no such process. */
ls_status ls_dve_automaton(ls_dve *m, const char *process, ls_graph **out);

/* The space whose graph this is, or is derived from; NULL: none. */
ls_dve_space *ls_dve_space_of(const ls_graph *g);

/* These functions write at most `bytes` bytes, including the final 0. ls_dve_move_text describes step number
 * `which` (from 0) of those that lead from state `from` to state `to`; false if there is no such step, or no
 * memory. */
void ls_dve_state_text(const ls_dve *m, const u32 *state, char *out, size_t bytes);
void ls_dve_change_text(const ls_dve *m, const u32 *before, const u32 *after, char *out, size_t bytes);
bool ls_dve_move_text(const ls_dve_space *s, u64 from, u64 to, u32 which, char *out, size_t bytes);

/* All steps from a state, in order, and one of them. */
typedef struct dve_steps ls_dve_steps;
typedef struct ls_dve_move {
  const u32 *state; /* where it leads */
  i64 cost, time;   /* 0 and 1 if the model has none */
  const u32 *moves;
} ls_dve_move;
ls_status ls_dve_moves(const ls_dve *m, const u32 *state, ls_dve_steps **out);
/* Sets *move to step number i, from 0 on; false if there is no such step. */
bool ls_dve_move_at(const ls_dve *m, const ls_dve_steps *s, u64 i, ls_dve_move *move);
void ls_dve_moves_free(ls_dve_steps *s);
void ls_dve_moves_text(const ls_dve *m, const u32 *moves, char *out, size_t bytes);

/* Says why step number `which` (from 0) of those that lead from the state to the error state does so; false
 * if there is no such step, or no memory. */
bool ls_dve_why(const ls_dve *m, const u32 *state, u32 which, char *out, size_t bytes);

/* The first state, by number, in which an expression over globals, P.s and P->v is not zero; LS_NO_VERTEX:
 * there is none. A state in which the expression fails (a division by zero) does not count. */
ls_status ls_dve_find(ls_dve_space *s, const char *expr, u32 *v);
/* The first state in which an assertion is false or its evaluation fails, and that assertion's text;
 * LS_NO_VERTEX: there is none. */
ls_status ls_dve_violation(ls_dve_space *s, u32 *v, char *out, size_t bytes);

/* reference/dve_lasso.c: *v becomes the first accepting state that lies on a cycle of the space's graph, and
 * *cycle the edges (u32) of a shortest cycle through it, starting at *v. If there is none: LS_NO_VERTEX and
 * NULL. */
ls_status ls_dve_lasso(ls_dve_space *s, ls_graph *g, u32 *v, ls_buffer **cycle);

/* check.c: checks the space, and its graph from ls_dve_explore (or NULL), against the model. LS_EARG: they
 * differ, and the message says where. */
ls_status ls_dve_check(ls_dve_space *s, ls_graph *g);

/* Are these words the error state, or a valid state? In a valid state every process is in one of its states,
 * and no buffer exceeds its capacity. */
bool ls_dve_is_state(const ls_dve *m, const u32 *words);

/* A part of a state: the state of a process (name NULL), a variable (process NULL: a global one), or a
 * buffer. */
typedef struct ls_dve_part {
  const char *process, *name;
  const char *state; /* name of the process's state */
  bool list;         /* an array or a buffer, of count items with `fields` values each */
  u32 count, fields;
  const u32 *packed, *slots; /* for ls_dve_part_value */
} ls_dve_part;
i32 ls_dve_part_value(const ls_dve_part *p, u32 item, u32 field);
/* *part becomes the i-th part of a state that is not the error state, if there is one: first the buffers,
 * then the variables, then the processes. Returns how many parts there are. */
u32 ls_dve_part_at(const ls_dve *m, const u32 *state, u32 i, ls_dve_part *part);
bool ls_dve_is_error(const ls_dve *m, const u32 *state);

/* The first line of ls_dve_model_text, cut to `bytes`. */
void ls_dve_head(const ls_dve *m, char *out, size_t bytes);
/* A description of the model; the caller frees it. */
ls_status ls_dve_model_text(const ls_dve *m, ls_text *out);

#endif
