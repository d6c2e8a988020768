/* Kernels that are compiled while the program runs. A text becomes rows like those that were built in; each
 * is compiled for an element type, a processor and a form when it is first wanted there. */
#ifndef LS_COMPILE_KERNEL_H
#define LS_COMPILE_KERNEL_H

#include "compile/unit.h"

/* Reads, compiles and registers a text. Each of its rows takes the place of one with its name, from the next
 * call on. generated: the program made it; it is compiled for the present device alone. may_be_called: asked
 * of each name before anything else. Nothing is registered where anything fails: LS_EARG is what is wrong
 * with the text (with its line), or what is missing to compile it. */
ls_status ls_kernels_load(const char *name, const char *folder, int line, const char *text, bool generated,
                          ls_status (*may_be_called)(const char *name, void *context), void *context,
                          ls_kernel_text **out);

/* From where a loop was compiled, one of its rows may have been replaced: compiles it again. *newer: what
 * took its place; NULL: nothing had changed. LS_EARG: it no longer fits; it goes on with its earlier rows. */
ls_status ls_kernels_renew_loop(ls_prim *loop, ls_prim **newer);

/* bounds: which rows run in the checked form, in which an access outside of an array ends the launch with an
 * error. */
typedef enum ls_bounds {
  LS_BOUNDS_OWN, /* rows that were loaded while the program runs */
  LS_BOUNDS_ON,  /* all rows with a thread's body */
  LS_BOUNDS_OFF  /* none */
} ls_bounds;
ls_bounds ls_kernels_bounds(void);
void ls_kernels_check(ls_bounds bounds); /* all rows: what was said of single ones is forgotten */
ls_status ls_kernels_check_row(const char *name, bool checked);
bool ls_kernels_checked(const ls_prim *p);

/* races: which rows run in the form that notices two threads of a launch that meet at an element. */
bool ls_kernels_races(void);
void ls_kernels_race(bool on); /* all rows: what was said of single ones is forgotten */
ls_status ls_kernels_race_row(const char *name, bool on);
bool ls_kernels_raced(const ls_prim *p);

#endif
