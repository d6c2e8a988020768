/* States and steps of a model in words. */
#ifndef LS_MODEL_DVE_SHOW_H
#define LS_MODEL_DVE_SHOW_H

#include "model/dve/model.h"

/* Text that is put together in a buffer; what does not fit is left out. */
typedef struct dve_out {
  char *text;
  size_t bytes, room;
} dve_out;

void dve_say(dve_out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "x=1 a={0 2} c=[5; 7], P.wait j=0, Q.done": global variables and buffers, then each process with its own.
 */
void dve_say_state(const ls_dve *m, const u32 *state, dve_out *o);
/* Only what has changed, as "x=1 P.wait P->j=0"; "nothing" where all is as before. */
void dve_say_change(const ls_dve *m, const u32 *before, const u32 *after, dve_out *o);
/* "P: wait -> done" of a transition; " #2" behind it where it is the second of its process with these ends.
 */
void dve_say_step(const ls_dve *m, u32 step, dve_out *o);
/* The same of all transitions of one step, with the channel of a rendezvous: "P: a -> b, Q: c -> d (over
 * ch)". */
void dve_say_moves(const ls_dve *m, const u32 *moves, u32 width, dve_out *o);
/* Why the step from the state by these transitions leads to the error state: "my.dve:6: n = 256 is beyond
 * byte (0
 * ... 255)"; false where nothing is wrong with it, or there is no memory. (why.c) */
bool dve_say_why(const ls_dve *m, const u32 *state, const u32 *moves, dve_out *o);
/* "if x > 0  take!  x = x - 1  cost 5" of a transition; nothing where it has no clauses. */
void dve_say_clauses(const ls_dve *m, u32 step, dve_out *o);

/* Where the model came from, how many processes it has, and of what kind it is: one line, without its end. */
void dve_say_head(const ls_dve *m, dve_out *o);
/* The model: its head, its processes as automata, the channels, the layout of a state. */
void dve_say_model(const ls_dve *m, dve_out *o);

#endif
