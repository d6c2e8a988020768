/* Models, their states and their steps as text. */
#ifndef LS_MODEL_DVE_SHOW_H
#define LS_MODEL_DVE_SHOW_H

#include "model/dve/model.h"

/* Text that is built in a buffer. `bytes` counts all of it; what exceeds `room` is not stored. */
typedef struct dve_out {
  char *text;
  size_t bytes, room;
} dve_out;

static inline dve_out dve_out_to(char *text, size_t room) {
  text[0] = 0;
  return (dve_out){text, 0, room};
}

void dve_say(dve_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "x=1 a={0 2} c=[5; 7], P.wait j=0, Q.done": global variables and buffers, then each process with its
 * state and its variables. */
void dve_say_state(const ls_dve *m, const u32 *state, dve_out *o);
/* Writes only what differs between the two states, as "P.wait x=1 P->j=0"; "nothing" if they are equal. */
void dve_say_change(const ls_dve *m, const u32 *before, const u32 *after, dve_out *o);
/* The transitions moves[width] of one step, followed by the channel, if any: "P: a -> b, Q: c -> d (ch)". */
void dve_say_moves(const ls_dve *m, const u32 *moves, u32 width, dve_out *o);
/* Says why these transitions lead from the state to the error state, for example "my.dve:6: n = 256 is beyond
 * byte (0 ... 255)"; false if they do not, or if there is no memory. (why.c) */
bool dve_say_why(const ls_dve *m, const u32 *state, const u32 *moves, dve_out *o);
/* "if x > 0  take!  x = x - 1  cost 5" for a transition; nothing if it has no clauses. */
void dve_say_clauses(const ls_dve *m, u32 step, dve_out *o);

/* One line, without the line end: the model's name, the number of processes, and its kind. */
void dve_say_head(const ls_dve *m, dve_out *o);
/* The model: its head, channels, processes as automata, assertions, and the layout of a state. */
void dve_say_model(const ls_dve *m, dve_out *o);

#endif
