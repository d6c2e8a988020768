/* The state space of a model, explored breadth first from the initial state. */
#ifndef LS_MODEL_DVE_SPACE_H
#define LS_MODEL_DVE_SPACE_H

#include "data/graph.h"
#include "model/dve/dve.h"

struct dve_sink;
typedef void ls_dve_maker(const u32 *state, struct dve_sink *out); /* compiled.h */

typedef struct ls_dve_bounds {
  u64 states; /* at most so many; 0: as many as a graph may have vertices */
  u64 bytes;  /* for what is kept while exploring; 0: two thirds of what the machine can give */
  bool edges; /* false: states alone */
  ls_dve_maker
      *make; /* the model's own function, compiled of ls_dve_generate's text; NULL: it is interpreted */
} ls_dve_bounds;

typedef enum ls_dve_end {
  LS_DVE_COMPLETE,
  LS_DVE_STATES_BOUND,
  LS_DVE_MEMORY_BOUND,
  LS_DVE_EDGES_BOUND,
  LS_DVE_INTERRUPTED
} ls_dve_end;

/* States are numbered by level, and within a level as a sequential search would find them: by the number of
 * the state that they are first found from, then by the order of its steps. So the numbers do not depend on
 * threads. */
typedef struct ls_dve_space {
  ls_namer namer; /* counts the references; names the graph's vertices and edges */
  ls_dve *model;
  u64 n, m;     /* states, transitions */
  u64 expanded; /* states 0 .. expanded - 1 have been expanded; the others, n - expanded, are the frontier */
  u32 *states;  /* [n * words]; NULL, as parent is, until ls_dve_space_fetch has brought them here */
  u32 *parent;  /* [n]: the state from which it was found first; LS_NO_VERTEX of state 0 */
  u32 *level;   /* [levels + 1]: where each level begins; level[levels] = n */
  u32 levels;
  u32 *deadlocks; /* [deadlock_count]: expanded states without a step, the error state apart, in order */
  u32 deadlock_count;
  u32 error;  /* the error state; LS_NO_VERTEX: it can't be reached */
  u64 errors; /* transitions that lead to it */
  ls_dve_end end;
  u64 bytes; /* taken at the end, the table of states included */
  ls_buffer *packed,
      *parents; /* where states and parent are until then: the first n * words, and n, elements */
} ls_dve_space;

/* A bound that is reached, or an interrupt, is no failure: what was explored stays, whole states of it.
 * *graph (NULL where not bounds->edges) has the states as vertices and their steps, in their order, as edges;
 * weights where the model has costs, times where it has times. LS_EINPUT where a step has a cost or a time
 * that can't be. */
ls_status ls_dve_explore(ls_dve *m, const ls_dve_bounds *bounds, ls_dve_space **out, ls_graph **graph);

/* generate.c: the model as kernels in C, the rows NAME_degrees and NAME_expand, which do for this model what
 * dve_degrees and dve_expand do for all, and a function for ls_dve_bounds.make, by the name
 * ls_dve_maker_name. *out from ls_malloc. LS_EARG: too large a text. */
enum { LS_DVE_ROW = 24 };
ls_status ls_dve_generate(const ls_dve *m, char name[LS_DVE_ROW], char **out);
extern const char ls_dve_maker_name[];

/* The same from what the rows of kernels/dve have made (lua/levels.lua). A program as they read it: u32s from
 * ls_malloc. */
ls_status ls_dve_flat(const ls_dve *m, u32 **out, u64 *count);
/* No state has more steps, whatever its variables are; UINT32_MAX stands for as many or more. */
ls_status ls_dve_most_steps(const ls_dve *m, u32 *out);
/* An empty space, to which deadlocks are added in the order of blocks: the items of a queue (its length
 * first) that are below `end`, in any order. */
ls_status ls_dve_space_new(ls_dve *m, ls_dve_space **out);
ls_status ls_dve_space_add_deadlocks(ls_dve_space *s, ls_buffer *queue, u32 end);
/* Gives the space its states and their parents, both retained; the numbers in `of` (n to expanded, errors,
 * error, end, bytes), and where its levels begin. */
ls_status ls_dve_space_fill(ls_dve_space *s, const ls_dve_space *of, ls_buffer *states, ls_buffer *parents,
                            const u32 *level, u32 levels);
/* Its graph, of off u32[n+1], to u32[m], w and t i32[m] (NULL: it has none), which it retains. */
ls_status ls_dve_space_graph(ls_dve_space *s, ls_buffer *const arrays[4], ls_graph **out);
/* Fails as the steps from that state do; LS_OK where nothing is wrong with them. */
ls_status ls_dve_fault(const ls_dve *m, const u32 *state);

/* Before states and parent are looked at. LS_EMEM, LS_EDEVICE. */
ls_status ls_dve_space_fetch(ls_dve_space *s);
ls_dve_space *ls_dve_space_retain(ls_dve_space *s);
void ls_dve_space_release(ls_dve_space *s);
static inline const u32 *ls_dve_state(const ls_dve_space *s, u64 v) {
  return s->states + v * ls_dve_words(s->model);
}

/* How a graph's names are kept in a file: by the model's text and the states (space_saved.c). */
extern const ls_namer_kind ls_dve_names;
extern const ls_namer_kind ls_dve_automaton_names; /* automaton.c */

/* A process as a graph: its states are the vertices, named; its transitions, in the order of the text, the
 * edges, named by their clauses. Weights, and times, where some transition has them and all are constant.
 * LS_EARG: there is no such process. */
ls_status ls_dve_automaton(ls_dve *m, const char *process, ls_graph **out);

/* The space that a graph, or one derived from it, is of; NULL: none. */
ls_dve_space *ls_dve_space_of(const ls_graph *g);

/* In words, at most `bytes` with the closing 0: a state; the which-th (from 0) of the steps from one state of
 * the space to another. False where there is no such step, or no memory. */
void ls_dve_state_text(const ls_dve *m, const u32 *state, char *out, size_t bytes);
void ls_dve_change_text(const ls_dve *m, const u32 *before, const u32 *after, char *out, size_t bytes);
bool ls_dve_move_text(const ls_dve_space *s, u64 from, u64 to, u32 which, char *out, size_t bytes);

/* One step from a state. */
typedef struct ls_dve_move {
  const u32 *state; /* where it leads */
  i64 cost, time;   /* 0 and 1 where the model has none */
  const u32 *moves;
} ls_dve_move;
/* All steps from a state, in their order, for who walks by hand. each returns false to stop. */
ls_status ls_dve_moves(const ls_dve *m, const u32 *state, bool (*each)(void *, const ls_dve_move *),
                       void *arg);
void ls_dve_moves_text(const ls_dve *m, const u32 *moves, char *out, size_t bytes);

/* Why the which-th step (from 0) of those from the state that lead to the error state does; false: there is
 * none, or no memory. */
bool ls_dve_why(const ls_dve *m, const u32 *state, u32 which, char *out, size_t bytes);

/* The first state, by number, in which an expression over globals, P.s and P->v is not zero; LS_NO_VERTEX:
 * none is. A state in which it fails (a division by zero) does not count. */
ls_status ls_dve_find(ls_dve_space *s, const char *expr, u32 *v);
/* The first state in which an assertion does not hold (or fails), and that assertion's text; LS_NO_VERTEX:
 * none. */
ls_status ls_dve_violation(ls_dve_space *s, u32 *v, char *out, size_t bytes);

/* reference/dve_lasso.c: the first accepting state that lies on a cycle of the space's graph, and a shortest
 * cycle through it as edges (u32), the first one out of that state; LS_NO_VERTEX and NULL: there is none. */
ls_status ls_dve_lasso(ls_dve_space *s, ls_graph *g, u32 *v, ls_buffer **cycle);

/* check.c: is the space, with the graph that ls_dve_explore made (NULL: without), the model's? LS_EARG: no,
 * and why. */
ls_status ls_dve_check(ls_dve_space *s, ls_graph *g);

/* Can these words be a state? Every process is in one of its states, every buffer within its size. */
bool ls_dve_is_state(const ls_dve *m, const u32 *words);

/* A part of a state: where a process is (name NULL), a variable (process NULL: a global one), or a buffer. */
typedef struct ls_dve_part {
  const char *process, *name;
  const char *state; /* where the process is */
  bool list;         /* an array or a buffer, of count items with `fields` values each */
  u32 count, fields;
  const u32 *packed, *slots; /* for ls_dve_part_value */
} ls_dve_part;
i32 ls_dve_part_value(const ls_dve_part *p, u32 item, u32 field);
/* All parts of a state that is not the error state: globals, buffers, then each process with its own. Returns
 * how many there are; *part is the i-th, if there is one. */
u32 ls_dve_part_at(const ls_dve *m, const u32 *state, u32 i, ls_dve_part *part);
bool ls_dve_is_error(const ls_dve *m, const u32 *state);

/* The first line of the model in words, cut where it is longer than out. */
void ls_dve_head(const ls_dve *m, char *out, size_t bytes);
/* The model in words; *out from ls_malloc. */
ls_status ls_dve_model_text(const ls_dve *m, char **out);

#endif
