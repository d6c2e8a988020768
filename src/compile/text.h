/* The text of kernels that are compiled while the program runs: what is a file NAME.h of kernels/FAMILY/ with
 * its row from FAMILY.def in it. A text may have several rows with their bodies, and loops over them and over
 * others.
 *
 *   #include "language/kernel.h"
 *   PRIM(heaviest, HEAVIEST_ARGS, FOR_W, VERTEX, "n", EXACT, "...", "0", "heaviest(g, best): ...")
 *   #define HEAVIEST_ARGS(A, W) A(IN, u32, off, "n+1", offset, "m") ...
 *   ARGS(heaviest, HEAVIEST_ARGS)
 *   VERTEX_BODY(heaviest) { ... }
 *   LOOP(name, UNTYPED, "...") STEP(heaviest) ... END_LOOP(name) */
#ifndef LS_COMPILE_TEXT_H
#define LS_COMPILE_TEXT_H

#include "run/row.h"

/* A row of a text: the primitive, and how compilers are told of it. */
typedef struct ls_text_row {
  ls_prim prim;
  const char *macro;  /* HEAVIEST_ARGS; NULL: a loop */
  const char *domain; /* VERTEX */
  int line;           /* from 0 on, and where it stands in the text */
  u32 at, len;
  ls_loop loop;
  ls_arg *args;
} ls_text_row;

/* A header that a text includes and that lies beside it. */
typedef struct ls_text_header {
  const char *name, *text;
} ls_text_header;

enum { LS_TEXT_ROWS = 32, LS_TEXT_HEADERS = 32, LS_TEXT_MOST = 1 << 20 /* bytes of a file */ };
enum { LS_TEXT_LARGEST = 8 << 20 }; /* bytes of a text, which may be generated */

typedef struct ls_kernel_text {
  const char *name;   /* for messages: "heaviest.h" */
  const char *folder; /* where what it includes may lie; NULL: nowhere */
  int line;           /* of its first line */
  const char *text;   /* as it was given */
  const char *code;   /* rows and loops left blank: what is compiled */
  ls_text_row *row[LS_TEXT_ROWS];
  int nrows;
  ls_text_header header[LS_TEXT_HEADERS];
  int nheaders;
  struct ls_compiled *compiled; /* what was made of it so far (compile/kernel.c) */
  struct ls_block_of_text *blocks;
  struct ls_kernel_text *next; /* all that are kept */
  const ls_prim *of;           /* a shipped row's text; NULL: it was loaded */
} ls_kernel_text;

/* Memory that is freed with the text, zeroed, or with a copy of s; NULL: there is none. */
void *ls_kernel_text_take(ls_kernel_text *t, size_t bytes);
char *ls_kernel_text_keep(ls_kernel_text *t, const char *s, size_t len);

/* As long as none of its rows was registered. */
void ls_kernel_text_free(ls_kernel_text *t);

#endif
