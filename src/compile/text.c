#include "compile/text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/roles.h"
#include "compile/tokens.h"
#include "core/embedded.h"
#include "core/mem.h"
#include "core/nearest.h"

enum { MACROS = 512, DEEPEST = 16, FILES = 64, NAME_MOST = 48 };

/* --- memory that lives as long as the text ---------------------------------------------------------------
 */

typedef struct ls_block_of_text {
  struct ls_block_of_text *next;
} block;

void *ls_kernel_text_take(ls_kernel_text *t, size_t bytes) {
  block *b = ls_calloc(1, sizeof *b + bytes);
  if (!b) return NULL;
  b->next = t->blocks;
  t->blocks = b;
  return b + 1;
}

static char *take_text(ls_kernel_text *t, const char *s, size_t len) {
  char *copy = ls_kernel_text_take(t, len + 1);
  return copy ? memcpy(copy, s, len) : NULL;
}

void ls_kernel_text_free(ls_kernel_text *t) {
  if (!t) return;
  while (t->blocks) {
    block *b = t->blocks;
    t->blocks = b->next;
    ls_free(b);
  }
  ls_free(t);
}

/* Extents are known by their place in memory (core/extent.h), so each has one for good. */
static const char *keep_extent(const char *text) {
  static struct kept {
    struct kept *next;
    char text[];
  } * all;
  for (struct kept *k = all; k; k = k->next)
    if (strcmp(k->text, text) == 0) return k->text;
  struct kept *k = ls_malloc(sizeof *k + strlen(text) + 1);
  if (!k) return NULL;
  strcpy(k->text, text);
  k->next = all;
  all = k;
  return k->text;
}

/* --- what is being read ----------------------------------------------------------------------------------
 */

typedef struct macro {
  const char *text; /* of the file that it stands in */
  const ls_token *name, *param[2], *body, *end;
} macro;

typedef struct reader {
  ls_kernel_text *out;
  ls_tokens files[FILES];
  const char *seen[FILES]; /* their names; the first is the text itself */
  int nfiles;
  macro macros[MACROS];
  int nmacros;
} reader;

/* At a line of the text, counted from 0. */
static ls_status wrong(const reader *r, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static ls_status wrong(const reader *r, int line, const char *fmt, ...) {
  char what[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(what, sizeof what, fmt, ap);
  va_end(ap);
  return ls_fail(LS_EARG, "%s:%d: %s", r->out->name, r->out->line + line, what);
}

static ls_status wrong_before(const reader *r, int line) {
  return ls_fail_prefix(LS_EARG, "%s:%d: ", r->out->name, r->out->line + line);
}

/* --- headers and macros ----------------------------------------------------------------------------------
 */

static const char *bundled(const char *name) {
  for (const ls_embedded *e = ls_embedded_headers; e->name; e++)
    if (strcmp(e->name, name) == 0) return e->text;
  return NULL;
}

/* The text of a header beside the text; NULL: there is none. */
static const char *own_header(reader *r, const char *name) {
  ls_kernel_text *t = r->out;
  char path[4096];
  struct stat st;
  for (int i = 0; i < t->nheaders; i++)
    if (strcmp(t->header[i].name, name) == 0) return t->header[i].text;
  if (strstr(name, "..") || name[0] == '/') return NULL; /* headers lie beside the text, or below */
  if (!t->folder || snprintf(path, sizeof path, "%s/%s", t->folder, name) >= (int)sizeof path) return NULL;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > LS_TEXT_MOST) return NULL;
  FILE *f = t->nheaders < LS_TEXT_HEADERS ? fopen(path, "rb") : NULL;
  if (!f) return NULL;
  char *text = ls_kernel_text_take(t, (size_t)st.st_size + 1);
  const size_t got = text ? fread(text, 1, (size_t)st.st_size, f) : 0;
  fclose(f);
  if (!text) return NULL;
  text[got] = '\0';
  t->header[t->nheaders++] = (ls_text_header){take_text(t, name, strlen(name)), text};
  return text;
}

/* #define NAME(A, W) ..., or NAME(A): others are of no interest. */
static void note_macro(reader *r, const char *text, const ls_token *define) {
  const ls_token *t = define + 1;
  if (r->nmacros == MACROS || t->kind != LS_TOKEN_NAME) return;
  if (!ls_token_is(text, t + 1, "(") || t[1].spaced || t[2].kind != LS_TOKEN_NAME) return;
  const bool two = ls_token_is(text, t + 3, ",") && t[4].kind == LS_TOKEN_NAME;
  const ls_token *body = t + (two ? 5 : 3), *end;
  if (!ls_token_is(text, body, ")")) return;
  for (end = ++body; end->kind != LS_TOKEN_LINE_END && end->kind != LS_TOKEN_END;) end++;
  r->macros[r->nmacros++] = (macro){text, t, {t + 2, two ? t + 4 : NULL}, body, end};
}

static ls_status read_file(reader *r, const char *name, const char *text, int depth) {
  for (int i = 0; i < r->nfiles; i++)
    if (strcmp(r->seen[i], name) == 0) return LS_OK;
  if (r->nfiles == FILES || depth > DEEPEST)
    return ls_fail(LS_EARG, "headers include headers, %d deep", depth);
  const int at = r->nfiles;
  int line = 0;
  r->seen[at] = name;
  ls_status st = ls_tokens_read(text, &r->files[at], &line);
  if (st && depth == 0 && st == LS_EARG) return wrong_before(r, line);
  if (st) return ls_fail_prefix(st, "%s:%d: ", name, line + 1);
  r->nfiles++;
  for (u32 i = 0; !st && i < r->files[at].count; i++) {
    const ls_token *t = &r->files[at].token[i];
    if (t->kind == LS_TOKEN_DEFINE) note_macro(r, text, t);
    if (t->kind != LS_TOKEN_INCLUDE || t[1].kind != LS_TOKEN_STRING) continue;
    char *header = take_text(r->out, text + t[1].at + 1, t[1].len - 2);
    if (!header) return LS_EMEM;
    const char *found = bundled(header);
    if (!found) found = own_header(r, header);
    if (found && strcmp(header, "language/kernel.h") != 0) st = read_file(r, header, found, depth + 1);
    if (!found && depth == 0)
      st = wrong(r, t->line,
                 "there is no header \"%s\", neither among those of kernels/ nor beside this text", header);
  }
  return st;
}

static const macro *find_macro(const reader *r, const char *text, const ls_token *name) {
  for (int i = r->nmacros - 1; i >= 0; i--) {
    const macro *m = &r->macros[i];
    if (m->name->len == name->len && memcmp(m->text + m->name->at, text + name->at, name->len) == 0) return m;
  }
  return NULL;
}

/* --- lists in parentheses ---------------------------------------------------------------------------------
 */

/* A piece of a list: words from `from` to before `to`. */
typedef struct piece {
  const ls_token *from, *to;
} piece;

/* The pieces between commas; t stands at "(". Returns how many there are (counting those beyond `most`), and
 * in *after what follows ")"; -1: it has no end. */
static int read_list(const char *text, const ls_token *t, piece *pieces, int most, const ls_token **after) {
  int depth = 0, n = 0;
  const ls_token *from = t + 1;
  for (;; t++) {
    if (t->kind == LS_TOKEN_END || t->kind == LS_TOKEN_LINE_END || t->kind == LS_TOKEN_DEFINE) return -1;
    if (t->kind != LS_TOKEN_SIGN) continue;
    const char c = text[t->at];
    if (c == '(') depth++;
    if (c == ')') depth--;
    if ((c == ',' && depth == 1) || (c == ')' && depth == 0)) {
      if (n < most) pieces[n] = (piece){from, t};
      n++;
      from = t + 1;
    }
    if (c == ')' && depth == 0) {
      *after = t + 1;
      return n == 1 && pieces[0].from == pieces[0].to ? 0 : n;
    }
  }
}

static bool is_name(const piece *p) { return p->to - p->from == 1 && p->from->kind == LS_TOKEN_NAME; }

static char *name_of(reader *r, const char *text, const ls_token *t) {
  return take_text(r->out, text + t->at, t->len);
}

/* A string that may be written in several parts; with AT_MOST before it, "<=" stands before what it says.
 * NULL: it is none (LS_EMEM is not told apart: nothing was written then either). */
static char *string_of(reader *r, const char *text, const piece *p, bool may_bound) {
  size_t used = 0;
  const ls_token *t = p->from;
  char *out =
      ls_kernel_text_take(r->out, 2 + (p->to > p->from ? p->to[-1].at + p->to[-1].len - p->from->at : 0) + 1);
  if (!out) return NULL;
  if (may_bound && t < p->to && ls_token_is(text, t, "AT_MOST")) {
    memcpy(out, "<=", 2);
    used = 2;
    t++;
  }
  if (t == p->to) return NULL;
  for (; t < p->to; t++) {
    if (t->kind != LS_TOKEN_STRING || text[t->at] != '"') return NULL;
    for (u32 i = t->at + 1; i < t->at + t->len - 1; i++) {
      char c = text[i];
      if (c == '\\') {
        c = text[++i];
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
      }
      out[used++] = c;
    }
  }
  return out;
}

/* --- arguments --------------------------------------------------------------------------------------------
 */

typedef struct row_reader {
  reader *r;
  ls_text_row *row;
  int line; /* of the row in the text, where an argument stands in a header */
  int nargs;
} row_reader;

/* EXACT, TIE or WITHIN(1e-5, 0) */
static bool read_agreement(const char *text, const piece *p, ls_arg *arg) {
  if (is_name(p) && ls_token_is(text, p->from, "EXACT")) return arg->agree = LS_EXACT, true;
  if (is_name(p) && ls_token_is(text, p->from, "TIE")) return arg->agree = LS_TIE, true;
  if (p->to - p->from < 4 || !ls_token_is(text, p->from, "WITHIN") || !ls_token_is(text, p->from + 1, "("))
    return false;
  char *end;
  const char *at = text + p->from[1].at + 1;
  arg->agree = LS_TOLERANCE;
  arg->relative = strtod(at, &end);
  if (end == at || *(end += strspn(end, " ")) != ',') return false;
  arg->absolute = strtod(at = end + 1, &end);
  return end != at;
}

static ls_status read_arg(row_reader *x, const macro *m, const ls_token *at, int line,
                          const ls_token **after) {
  reader *r = x->r;
  piece p[8];
  const char *text = m->text, *nearest;
  const int n = read_list(text, at + 1, p, 8, after);
  if (n < 4 || n > 7)
    return wrong(
        r, line,
        "an argument is %.*s(role, type, name, \"extent\"), or with a contract, its size and an agreement behind it",
        (int)at->len, text + at->at);
  if (!is_name(&p[0]) || !is_name(&p[1]) || !is_name(&p[2]))
    return wrong(r, line, "an argument's role, type and name are one word each");
  if (x->nargs == LS_MAX_ARGS - 1) return wrong(r, line, "more than %d arguments", LS_MAX_ARGS - 1);
  ls_arg *arg = &x->row->args[x->nargs];
  char *name = name_of(r, text, p[2].from), *role = name_of(r, text, p[0].from),
       *type = name_of(r, text, p[1].from);
  char *contract = n > 5 && is_name(&p[4]) ? name_of(r, text, p[4].from) : NULL;
  if (!name || !role || !type) return LS_EMEM;
  if (!ls_role_find(role, arg)) {
    nearest = ls_role_nearest(role);
    return wrong(r, line, "argument %s: there is no role '%s'%s%s%s (%s)", name, role,
                 nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", LS_ROLES_TEXT);
  }
  const bool w = m->param[1] && p[1].from->len == m->param[1]->len &&
                 memcmp(text + p[1].from->at, text + m->param[1]->at, p[1].from->len) == 0;
  if (w)
    arg->type = LS_W;
  else if (!ls_type_find(type, arg))
    return wrong(r, line, "argument %s: there is no type '%s' (u8 u16 u32 u64 i16 i32 i64 f32 f64, or W)",
                 name, type);
  if (w && !(x->row->prim.types & ~(1u << LS_NONE)))
    return wrong(r, line, "argument %s is of type W, but the row is UNTYPED", name);
  for (int i = 0; i < x->nargs; i++)
    if (strcmp(x->row->args[i].name, name) == 0) return wrong(r, line, "two arguments are called %s", name);
  if (strcmp(name, "n") == 0 || strcmp(name, "m") == 0)
    return wrong(r, line, "an argument cannot be called %s, which is a size", name);
  arg->name = name;
  const char *extent = string_of(r, text, &p[3], false);
  if (!extent) return wrong(r, line, "argument %s: its extent is a string, as \"n+1\"", name);
  if (!(arg->extent = keep_extent(extent))) return LS_EMEM;
  if (n > 5 && (!contract || !ls_contract_find(contract, &arg->contract)))
    return wrong(r, line, "argument %s: there is no contract '%s'", name, contract ? contract : "");
  if (n > 5 && !(arg->bound = string_of(r, text, &p[5], false)))
    return wrong(r, line, "argument %s: the size that belongs to its contract is a string, as \"n\"", name);
  if ((n == 5 || n == 7) && !read_agreement(text, &p[n - 1], arg))
    return wrong(r, line, "argument %s: it agrees EXACT, TIE or WITHIN(relative, absolute)", name);
  x->nargs++;
  return LS_OK;
}

/* The arguments of a macro's body: A(...), and other macros that list some. */
static ls_status read_args(row_reader *x, const macro *m, int depth) {
  const bool own = m->text == x->r->out->text;
  for (const ls_token *t = m->body; t < m->end;) {
    const int line = own ? t->line : x->line;
    const bool is_arg = t->kind == LS_TOKEN_NAME && t->len == m->param[0]->len &&
                        memcmp(m->text + t->at, m->text + m->param[0]->at, t->len) == 0;
    ls_status st;
    if (t->kind != LS_TOKEN_NAME || !ls_token_is(m->text, t + 1, "("))
      return wrong(x->r, line, "%.*s: expected %.*s(role, type, name, \"extent\"), found '%.*s'",
                   (int)m->name->len, m->text + m->name->at, (int)m->param[0]->len, m->text + m->param[0]->at,
                   (int)t->len, m->text + t->at);
    if (is_arg) {
      st = read_arg(x, m, t, line, &t);
    } else {
      const macro *other = find_macro(x->r, m->text, t);
      piece p[2];
      if (!other || depth == DEEPEST || read_list(m->text, t + 1, p, 2, &t) != 1 + (other->param[1] != NULL))
        return wrong(x->r, line, "%.*s: '%.*s' is no list of arguments", (int)m->name->len,
                     m->text + m->name->at, (int)t->len, m->text + t->at);
      st = read_args(x, other, depth + 1);
    }
    if (st) return st;
  }
  return LS_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------
 */

static ls_status new_row(reader *r, const ls_token *name, int line, ls_text_row **out) {
  ls_kernel_text *t = r->out;
  if (t->nrows == LS_TEXT_ROWS) return wrong(r, line, "more than %d rows and loops", LS_TEXT_ROWS);
  ls_text_row *row = ls_kernel_text_take(t, sizeof *row);
  ls_arg *args = row ? ls_kernel_text_take(t, LS_MAX_ARGS * sizeof *args) : NULL;
  if (!args) return LS_EMEM;
  row->args = args;
  row->line = line;
  row->prim.name = name_of(r, t->text, name);
  row->prim.family = "";
  row->prim.source = t->text;
  row->prim.text = t;
  if (!row->prim.name) return LS_EMEM;
  if (name->len > NAME_MOST) return wrong(r, line, "a name has at most %d letters", NAME_MOST);
  for (const char *s = row->prim.name; *s; s++)
    if (!islower((unsigned char)*s) && *s != '_' && (!isdigit((unsigned char)*s) || s == row->prim.name))
      return wrong(r, line, "the name '%s': expected small letters, digits and _", row->prim.name);
  for (int i = 0; i < t->nrows; i++)
    if (strcmp(t->row[i]->prim.name, row->prim.name) == 0)
      return wrong(r, line, "two rows are called %s", row->prim.name);
  *out = row;
  return LS_OK;
}

static ls_status read_prim(reader *r, const ls_token *at, const ls_token **after) {
  enum { NAME, ARGS, TYPES, DOMAIN, ITEMS, AGREE, BYTES, GATHERS, DOC, COLUMNS };
  ls_kernel_text *t = r->out;
  const char *text = t->text;
  const int line = at->line;
  piece p[COLUMNS];
  const int n = read_list(text, at + 1, p, COLUMNS, after);
  if (n != COLUMNS)
    return wrong(r, line,
                 "a row is PRIM(name, ARGUMENTS, types, DOMAIN, \"items\", AGREEMENT, \"bytes\", \"irregular "
                 "accesses\", \"doc\"): %s",
                 n < 0         ? "its ) is missing"
                 : n < COLUMNS ? "a column is missing"
                               : "it has too many columns");
  for (int i = NAME; i <= AGREE; i++)
    if (i != ITEMS && !is_name(&p[i]))
      return wrong(r, p[i].from->line, "column %d of a row is one word", i + 1);
  ls_text_row *row;
  ls_status st = new_row(r, p[NAME].from, line, &row);
  if (st) return st;
  ls_prim *prim = &row->prim;
  char *types = name_of(r, text, p[TYPES].from), *domain = name_of(r, text, p[DOMAIN].from);
  char *agree = name_of(r, text, p[AGREE].from);
  row->macro = name_of(r, text, p[ARGS].from);
  row->domain = domain;
  if (!types || !domain || !agree || !row->macro) return LS_EMEM;
  if (!ls_types_of_set(types, &prim->types))
    return wrong(r, p[TYPES].from->line, "%s: there is no set of types '%s' (%s)", prim->name, types,
                 LS_SETS_TEXT);
  if (!ls_domain_find(domain, &prim->domain))
    return wrong(r, p[DOMAIN].from->line, "%s: there is no domain '%s' (%s)", prim->name, domain,
                 LS_DOMAINS_TEXT);
  if (!ls_agree_find(agree, &prim->agree))
    return wrong(r, p[AGREE].from->line, "%s: there is no agreement '%s' (EXACT, FIXPOINT, TIE or TOLERANCE)",
                 prim->name, agree);
  prim->items = string_of(r, text, &p[ITEMS], false);
  prim->bytes = string_of(r, text, &p[BYTES], true);
  prim->gathers = string_of(r, text, &p[GATHERS], true);
  prim->doc = string_of(r, text, &p[DOC], false);
  const char *const strings[] = {prim->items, prim->bytes, prim->gathers, prim->doc};
  static const char *const columns[] = {"items", "bytes", "irregular accesses", "doc"};
  for (int i = 0; i < 4; i++)
    if (!strings[i]) return wrong(r, line, "%s: the column of its %s is a string", prim->name, columns[i]);
  const macro *m = find_macro(r, text, p[ARGS].from);
  if (!m)
    return wrong(r, p[ARGS].from->line,
                 "%s: nothing defines its arguments: #define %s(A, W) A(IN, u32, off, \"n+1\") ...",
                 prim->name, row->macro);
  row_reader x = {r, row, line, 0};
  st = read_args(&x, m, 0);
  prim->args = row->args;
  if (!st) t->row[t->nrows++] = row;
  return st;
}

/* --- loops ------------------------------------------------------------------------------------------------
 */

static const struct word {
  const char *name;
  ls_loop_word_kind kind;
  int words; /* that it has in parentheses; -1: it is a STEP */
} loop_words[] = {
    {"STEP", LS_WORD_STEP, -1},
    {"SWAP", LS_WORD_SWAP, 2},
    {"ONCE", LS_WORD_ONCE, 0},
    {"END_ONCE", LS_WORD_END_ONCE, 0},
    {"REPEAT", LS_WORD_REPEAT, 0},
    {"UNTIL", LS_WORD_UNTIL, 1},
    {"IF", LS_WORD_IF, 1},
    {"END_IF", LS_WORD_END_IF, 0},
    {"FOR", LS_WORD_FOR, 2},
    {"END_FOR", LS_WORD_END_FOR, 0},
    {"TOGETHER", LS_WORD_TOGETHER, 0},
    {"END_TOGETHER", LS_WORD_END_TOGETHER, 0},
    {"LEAVE_IF_NONE", LS_WORD_LEAVE_IF_NONE, 1},
};

/* WITH(a, b) WITH(c, d) as "a=b c=d ". */
static ls_status read_bindings(reader *r, const piece *p, const char **out) {
  const char *text = r->out->text;
  const size_t room = p->to[-1].at + p->to[-1].len - p->from->at + 2;
  char *s = ls_kernel_text_take(r->out, room);
  size_t used = 0;
  if (!s) return LS_EMEM;
  for (const ls_token *t = p->from; t < p->to;) {
    piece two[2];
    const int line = t->line;
    if (!ls_token_is(text, t, "WITH") || !ls_token_is(text, t + 1, "(") ||
        read_list(text, t + 1, two, 2, &t) != 2 || !is_name(&two[0]) || two[1].to - two[1].from != 1)
      return wrong(r, line, "a STEP is STEP(row) or STEP(row, WITH(its name, the loop's name) ...)");
    used += (size_t)snprintf(s + used, room - used, "%.*s=%.*s ", (int)two[0].from->len,
                             text + two[0].from->at, (int)two[1].from->len, text + two[1].from->at);
  }
  *out = s;
  return LS_OK;
}

static ls_status read_word(reader *r, const ls_token *at, const ls_token **after, ls_loop_word *out) {
  const char *text = r->out->text;
  const struct word *w = NULL;
  for (size_t i = 0; i < sizeof loop_words / sizeof *loop_words; i++)
    if (ls_token_is(text, at, loop_words[i].name)) w = &loop_words[i];
  if (!w)
    return wrong(r, at->line,
                 "'%.*s' is no word of a loop (STEP SWAP REPEAT UNTIL IF FOR ONCE TOGETHER LEAVE_IF_NONE)",
                 (int)at->len, text + at->at);
  *out = (ls_loop_word){.kind = w->kind};
  *after = at + 1;
  if (w->words == 0) return LS_OK;
  piece p[2];
  const int n = ls_token_is(text, at + 1, "(") ? read_list(text, at + 1, p, 2, after) : -1;
  if (w->words < 0 ? n < 1 || n > 2 : n != w->words)
    return wrong(r, at->line, "%s has %s in parentheses", w->name,
                 w->words < 0    ? "a row"
                 : w->words == 1 ? "one name"
                                 : "two names");
  if (!is_name(&p[0])) return wrong(r, at->line, "%s: expected a name", w->name);
  out->a = name_of(r, text, p[0].from);
  if (!out->a) return LS_EMEM;
  if (w->kind == LS_WORD_STEP) {
    out->b = "";
    return n == 2 ? read_bindings(r, &p[1], &out->b) : LS_OK;
  }
  if (n < 2) return LS_OK;
  if (w->kind == LS_WORD_FOR)
    out->b = string_of(r, text, &p[1], false);
  else if (is_name(&p[1]))
    out->b = name_of(r, text, p[1].from);
  return out->b ? LS_OK
                : wrong(r, at->line, "%s",
                        w->kind == LS_WORD_FOR ? "FOR(k, \"tiles\"): its end is a string" : "SWAP(a, b)");
}

static ls_status read_loop(reader *r, const ls_token *at, const ls_token **after) {
  enum { MOST_WORDS = 128 };
  ls_kernel_text *t = r->out;
  const char *text = t->text;
  const int line = at->line;
  piece p[3];
  if (read_list(text, at + 1, p, 3, after) != 3 || !is_name(&p[0]) || !is_name(&p[1]))
    return wrong(r, line, "a loop begins with LOOP(name, types, \"doc\")");
  ls_text_row *row;
  ls_status st = new_row(r, p[0].from, line, &row);
  if (st) return st;
  ls_prim *prim = &row->prim;
  char *types = name_of(r, text, p[1].from);
  ls_loop_word *words = ls_kernel_text_take(t, (MOST_WORDS + 1) * sizeof *words);
  prim->doc = string_of(r, text, &p[2], false);
  if (!types || !words) return LS_EMEM;
  if (!prim->doc) return wrong(r, line, "%s: what it does is a string", prim->name);
  if (!ls_types_of_set(types, &prim->types))
    return wrong(r, p[1].from->line, "%s: there is no set of types '%s' (%s)", prim->name, types,
                 LS_SETS_TEXT);
  int n = 0;
  for (;;) {
    const ls_token *word = *after;
    if (word->kind != LS_TOKEN_NAME || ls_token_is(text, word, "LOOP") || ls_token_is(text, word, "PRIM"))
      return wrong(r, line, "the loop %s has no END_LOOP(%s)", prim->name, prim->name);
    if (ls_token_is(text, word, "END_LOOP")) {
      if (!ls_token_is(text, word + 1, "(") || read_list(text, word + 1, p, 1, after) != 1 ||
          !is_name(&p[0]) || !ls_token_is(text, p[0].from, prim->name))
        return wrong(r, word->line, "expected END_LOOP(%s)", prim->name);
      break;
    }
    if (n == MOST_WORDS) return wrong(r, word->line, "a loop of more than %d words", MOST_WORDS);
    st = read_word(r, word, after, &words[n++]);
    if (st) return st;
  }
  words[n].kind = LS_WORD_END;
  row->loop.words = words;
  prim->loop = &row->loop;
  prim->domain = LS_LOOP;
  prim->agree = LS_FIXPOINT;
  prim->source = NULL;
  t->row[t->nrows++] = row;
  return LS_OK;
}

/* --- the whole --------------------------------------------------------------------------------------------
 */

/* Rows and loops are blanked in the code, line by line. */
static void leave_blank(char *code, u32 from, u32 to) {
  for (u32 i = from; i < to; i++)
    if (code[i] != '\n') code[i] = ' ';
}

static ls_status read_rows(reader *r) {
  ls_kernel_text *t = r->out;
  char *code = take_text(t, t->text, strlen(t->text));
  if (!code) return LS_EMEM;
  t->code = code;
  ls_status st = LS_OK;
  const ls_token *at = r->files[0].token;
  while (!st && at->kind != LS_TOKEN_END) {
    if (at->kind == LS_TOKEN_DEFINE || at->kind == LS_TOKEN_INCLUDE) {
      while (at->kind != LS_TOKEN_LINE_END && at->kind != LS_TOKEN_END) at++;
      continue;
    }
    const bool prim = ls_token_is(t->text, at, "PRIM"), loop = ls_token_is(t->text, at, "LOOP");
    if ((!prim && !loop) || !ls_token_is(t->text, at + 1, "(")) {
      at++;
      continue;
    }
    const ls_token *after = at;
    st = prim ? read_prim(r, at, &after) : read_loop(r, at, &after);
    if (!st) {
      ls_text_row *row = t->row[t->nrows - 1];
      row->at = at->at;
      row->len = after[-1].at + after[-1].len - at->at;
      leave_blank(code, row->at, row->at + row->len);
    }
    at = after;
  }
  if (!st && t->nrows == 0)
    st = wrong(r, 0, "it has no row: PRIM(name, ARGUMENTS, types, DOMAIN, ...), nor a loop (help own)");
  return st;
}

char *ls_shipped_text(const char *name) {
  const ls_prim *p = ls_prim_shipped_find(name);
  char def[256], *text = NULL;
  if (!p || p->domain == LS_LIBRARY || p->loop) return NULL;
  snprintf(def, sizeof def, "%s/%s.def", p->family, p->family);
  const char *index = bundled(def);
  ls_tokens t;
  int line;
  if (!index || ls_tokens_read(index, &t, &line)) return NULL;
  for (u32 i = 0; i + 2 < t.count && !text; i++) {
    const ls_token *after, *at = &t.token[i];
    piece p1;
    if (!ls_token_is(index, at, "PRIM") || !ls_token_is(index, at + 1, "(") ||
        !ls_token_is(index, at + 2, name))
      continue;
    if (read_list(index, at + 1, &p1, 1, &after) < 0) break;
    const u32 len = after[-1].at + after[-1].len - at->at;
    const size_t room = strlen(p->source) + len + 3;
    if (!(text = ls_malloc(room))) break;
    snprintf(text, room, "%s\n%.*s\n", p->source, (int)len, index + at->at);
  }
  ls_tokens_free(&t);
  return text;
}

ls_status ls_kernel_text_read(const char *name, const char *folder, int line, const char *text,
                              ls_kernel_text **out) {
  reader *r = ls_calloc(1, sizeof *r);
  ls_kernel_text *t = r ? ls_calloc(1, sizeof *t) : NULL;
  ls_status st = LS_EMEM;
  *out = NULL;
  if (!t) goto out;
  r->out = t;
  t->line = line;
  t->name = take_text(t, name, strlen(name));
  t->folder = folder ? take_text(t, folder, strlen(folder)) : NULL;
  t->text = take_text(t, text, strlen(text));
  if (!t->name || !t->text || (folder && !t->folder)) goto out;
  st = strlen(text) > LS_TEXT_MOST ? ls_fail(LS_EARG, "%s: a text of more than %d bytes", name, LS_TEXT_MOST)
                                   : LS_OK;
  if (!st) st = read_file(r, "", t->text, 0);
  if (!st) st = read_rows(r);
out:
  for (int i = 0; r && i < r->nfiles; i++) ls_tokens_free(&r->files[i]);
  ls_free(r);
  if (st)
    ls_kernel_text_free(t);
  else
    *out = t;
  return st;
}
