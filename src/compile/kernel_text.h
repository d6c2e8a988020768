/* The text of kernels that are compiled while the program runs: like a file NAME.h of kernels/FAMILY/ that
 * also contains its row of FAMILY.def. A text may have several rows with their bodies, and loops over these
 * and over other rows.
 *
 *   #include "language/kernel.h"
 *   PRIM(heaviest, HEAVIEST_ARGS, FOR_W, VERTEX, "n", EXACT, "...", "0", "heaviest(g, best): ...")
 *   #define HEAVIEST_ARGS(A, W) A(IN, u32, off, "n+1", offset, "m") ...
 *   ARGS(heaviest, HEAVIEST_ARGS)
 *   VERTEX_BODY(heaviest) { ... }
 *   LOOP(name, UNTYPED, "...") STEP(heaviest) ... END_LOOP(name) */
#ifndef LS_COMPILE_KERNEL_TEXT_H
#define LS_COMPILE_KERNEL_TEXT_H

#include "run/launch/row.h"

/* A row of a text: the primitive, and what compilers have to know of it. */
typedef struct ls_text_row {
  ls_prim prim;
  const char *macro;  /* the macro that lists the arguments: "HEAVIEST_ARGS"; NULL: the row is a loop */
  const char *domain; /* "VERTEX" */
  int line;           /* counted from 0; at, len: where the row is in the text */
  u32 at, len;
  ls_loop loop;
  ls_arg *args;
} ls_text_row;

/* A header that a text includes and that is in the text's folder. */
typedef struct ls_text_header {
  const char *name, *text;
} ls_text_header;

enum { LS_TEXT_PARTS = 8 }; /* maximum number of units into which the rows of a text are divided */
enum { LS_TEXT_ROWS = 32, LS_TEXT_HEADERS = 32, LS_TEXT_MOST = 1 << 20 /* bytes of a file */ };
enum { LS_TEXT_LARGEST = 8 << 20 }; /* bytes of a text, which may be generated */

typedef struct ls_kernel_text {
  const char *name;   /* for messages: "heaviest.h" */
  const char *of;     /* what it was generated from, for messages; NULL: it was not generated */
  int parts;          /* units, which are compiled at the same time; 0 means 1 */
  const char *folder; /* where its own headers are; NULL: nowhere */
  int line;           /* number of its first line */
  const char *text;   /* as passed to ls_kernel_text_read */
  const char *code;   /* what is compiled: the text with spaces instead of rows and loops */
  ls_text_row *row[LS_TEXT_ROWS];
  int nrows;
  ls_text_header header[LS_TEXT_HEADERS];
  int nheaders;
  struct ls_compiled *compiled; /* its compiled units (compile/kernel.c) */
  struct ls_block_of_text *blocks;
  struct ls_kernel_text *next; /* list of all texts */
  const ls_prim *shipped;      /* the built-in row whose text this is; NULL: it was loaded */
} ls_kernel_text;

/* Memory that is freed together with the text: zeroed (take), or with a copy of s (keep). NULL: out of
 * memory. */
void *ls_kernel_text_take(ls_kernel_text *t, size_t bytes);
char *ls_kernel_text_keep(ls_kernel_text *t, const char *s, size_t len);

/* Frees a text; allowed only while none of its rows is registered. */
void ls_kernel_text_free(ls_kernel_text *t);

#endif
