/* The doc comments of the embedded library: a block that opens with `---` right above
 *   function NAME(ARGS)      an algorithm, or a function of a library table
 *   NAME = ...               a library table
 *   --: SIGNATURE            something written in C (lua/help, lua/FAMILY/help.lua)
 * or, above anything else, a block that opens with `--- NAME(ARGS): `.
 * The blocks of lua/help/topics*.lua are help pages; the line below each is its topic: `--: stepping`. */
#ifndef LS_REPL_DOCS_H
#define LS_REPL_DOCS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/embedded.h"
#include "core/string_builder.h"

typedef struct ls_doc {
  const ls_embedded *file;
  int line;         /* of the definition */
  const char *name; /* "gen.rmat", "buffer:head"; not NUL-terminated */
  size_t name_len;
  const char *signature; /* "gen.rmat{scale = 16, ...}"; not NUL-terminated */
  size_t signature_len;
  const char *text; /* the block */
  size_t text_len;
  bool builtin, table;
} ls_doc;

/* The docs in the order of the files: for (ls_doc_walk w = {.topics = false}; ls_doc_next(&w);) use(&w.doc);
 */
typedef struct ls_doc_walk {
  bool topics; /* the help pages, and only these */
  ls_doc doc;
  const ls_embedded *file;
  const char *at, *block; /* the text that follows; the block above it, or NULL */
  int line;
} ls_doc_walk;

bool ls_doc_next(ls_doc_walk *w);
bool ls_doc_find(const char *name, ls_doc *out); /* `.` and `:` are the same */
bool ls_topic_find(const char *name, ls_doc *out);
/* ls_doc_find within the text of a user's file. */
bool ls_doc_in(const ls_embedded *file, const char *name, ls_doc *out);
/* Is it an internal helper of the library, such as session.keep? Its doc is for developers of the
 * library: help finds it by its full name, but no list shows it. */
bool ls_doc_internal(const ls_doc *d);
/* Is it the name of a module that contains only such helpers? */
bool ls_doc_helpers(const char *name);
/* Appends the block without its dashes, each line indented. */
void ls_doc_text(const ls_doc *d, const char *indent, ls_text *out);

#endif
