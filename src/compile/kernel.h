/* Kernels that are compiled while the program runs. A text becomes rows like the built-in ones. A row is
 * compiled when it is first needed for an element type, a device and a compiled variant (form). */
#ifndef LS_COMPILE_KERNEL_H
#define LS_COMPILE_KERNEL_H

#include "compile/unit.h"

/* Reads, compiles and registers a text. Each of its rows replaces an existing row of that name, from the next
 * call on. of: what the program generated the text from, such as a model's name; a generated text is compiled
 * only for the current device. NULL: a user wrote the text. may_be_called is asked about each name before
 * anything is compiled. If anything fails, nothing is registered. LS_EARG: the text is wrong (the message has
 * the line), or there is no compiler. */
ls_status ls_kernels_load(const char *name, const char *folder, int line, const char *text, const char *of,
                          ls_status (*may_be_called)(const char *name, void *context), void *context,
                          ls_kernel_text **out);

/* Returns the text of a built-in row: its body, followed by its lines of FAMILY.def; a loop has only those
 * lines. Freed by the caller with ls_free. NULL: there is no such row, or it is a LIBRARY row. */
char *ls_shipped_text(const char *name);

/* Compiles a loop again if one of its rows has been replaced since it was compiled. *newer: the new loop;
 * NULL: nothing has changed. LS_EARG: the loop does not fit the new rows; it keeps using the earlier rows. */
ls_status ls_kernels_renew_loop(ls_prim *loop, ls_prim **newer);

/* bounds: which rows run in the bounds-checked variant, in which an access outside an array ends the launch
 * with an error. */
typedef enum ls_bounds {
  LS_BOUNDS_OWN, /* rows that were loaded while the program runs */
  LS_BOUNDS_ON,  /* all rows that have checked variants, also built-in ones */
  LS_BOUNDS_OFF  /* none */
} ls_bounds;
ls_bounds ls_kernels_bounds(void);
void ls_kernels_check(ls_bounds bounds); /* for all rows; settings of single rows are forgotten */
ls_status ls_kernels_check_row(const char *name, bool checked);
bool ls_kernels_checked(const ls_prim *p);

/* races: which rows run in the race-checked variant, which detects conflicting accesses of two threads of a
 * launch to one element. */
bool ls_kernels_races(void);
void ls_kernels_race(bool on); /* for all rows; settings of single rows are forgotten */
ls_status ls_kernels_race_row(const char *name, bool on);
bool ls_kernels_raced(const ls_prim *p);

#endif
