#include "compile/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/reader.h"
#include "compile/row_words.h"
#include "core/mem.h"
#include "core/string_builder.h"
#include "core/words.h"

enum { NAME_MOST = 48 };

/* Returns the one permanent copy of an extent: extents are identified by their address (core/extent.h). */
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

/* The permanent copy of an extent in which the macros that are numbers are replaced by these: "STATES*cells".
 * NULL: no memory. */
static const char *with_numbers(const ls_reader *r, const char *extent) {
  ls_text out = {0};
  for (size_t len; *extent; extent += len) {
    len = ls_name_length(extent);
    const ls_macro *m = ls_reader_macro(r, extent, len, true);
    if (!len) len = 1;
    if (m)
      ls_text_add(&out, m->text + m->body->at, m->body->len);
    else
      ls_text_add(&out, extent, len);
  }
  const char *kept = out.failed ? NULL : keep_extent(ls_text_str(&out));
  ls_text_free(&out);
  return kept;
}

/* --- arguments --------------------------------------------------------------------------------------------
 */

typedef struct row_reader {
  ls_reader *r;
  ls_text_row *row;
  int line; /* the row's line, reported for arguments in a header */
  int nargs;
} row_reader;

/* EXACT, TIE or WITHIN(1e-5, 0) */
static bool read_agreement(const char *text, const ls_piece *p, ls_arg *arg) {
  if (ls_piece_is_name(p) && ls_token_is(text, p->from, "EXACT")) return arg->agree = LS_EXACT, true;
  if (ls_piece_is_name(p) && ls_token_is(text, p->from, "TIE")) return arg->agree = LS_TIE, true;
  if (p->to - p->from < 4 || !ls_token_is(text, p->from, "WITHIN") || !ls_token_is(text, p->from + 1, "("))
    return false;
  static const char blanks[] = " \t\r\n\\";
  char *end;
  const char *at = text + p->from[1].at + 1;
  arg->agree = LS_TOLERANCE;
  arg->relative = strtod(at, &end);
  if (end == at || *(end += strspn(end, blanks)) != ',') return false;
  arg->absolute = strtod(at = end + 1, &end);
  return end != at && *(end += strspn(end, blanks)) == ')';
}

static ls_status read_arg(row_reader *x, const ls_macro *m, const ls_token *at, int line,
                          const ls_token **after) {
  ls_reader *r = x->r;
  ls_piece p[8];
  const char *text = m->text, *nearest;
  const int n = ls_read_list(text, at + 1, p, 8, after);
  if (n < 4 || n > 7)
    return ls_read_wrong(
        r, line,
        "an argument is %.*s(role, type, name, \"extent\"), or the same with a contract, its size and an agreement at its end",
        (int)at->len, text + at->at);
  if (!ls_piece_is_name(&p[0]) || !ls_piece_is_name(&p[1]) || !ls_piece_is_name(&p[2]))
    return ls_read_wrong(r, line, "an argument's role, type and name are one word each");
  if (x->nargs == LS_MAX_ARGS - 1) return ls_read_wrong(r, line, "more than %d arguments", LS_MAX_ARGS - 1);
  ls_arg *arg = &x->row->args[x->nargs];
  char *name = ls_read_name(r, text, p[2].from), *role = ls_read_name(r, text, p[0].from),
       *type = ls_read_name(r, text, p[1].from);
  char *contract = n > 5 && ls_piece_is_name(&p[4]) ? ls_read_name(r, text, p[4].from) : NULL;
  if (!name || !role || !type) return LS_EMEM;
  if (!ls_role_find(role, arg)) {
    nearest = ls_role_nearest(role);
    return ls_read_wrong(r, line, "argument %s: there is no role '%s'%s%s%s (%s)", name, role,
                         nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "",
                         LS_ROLES_TEXT);
  }
  const bool w = m->param[1] && p[1].from->len == m->param[1]->len &&
                 memcmp(text + p[1].from->at, text + m->param[1]->at, p[1].from->len) == 0;
  if (w)
    arg->type = LS_W;
  else if (!ls_type_find(type, arg))
    return ls_read_wrong(
        r, line, "argument %s: there is no type '%s' (u8 u16 u32 u64 i16 i32 i64 f32 f64, or W)", name, type);
  if (w && !(x->row->prim.types & ~(1u << LS_NONE)))
    return ls_read_wrong(r, line, "argument %s is of type W, but the row is UNTYPED", name);
  for (int i = 0; i < x->nargs; i++)
    if (strcmp(x->row->args[i].name, name) == 0)
      return ls_read_wrong(r, line, "two arguments are called %s", name);
  if (strcmp(name, "n") == 0 || strcmp(name, "m") == 0)
    return ls_read_wrong(r, line, "an argument cannot be called %s, which is a size", name);
  arg->name = name;
  const char *extent = ls_read_string(r, text, &p[3], false);
  if (!extent) return ls_read_wrong(r, line, "argument %s: its extent is a string, as \"n+1\"", name);
  if (!(arg->extent = with_numbers(r, extent))) return LS_EMEM;
  if (n > 5 && (!contract || !ls_contract_find(contract, &arg->contract)))
    return ls_read_wrong(r, line, "argument %s: there is no contract '%s'", name, contract ? contract : "");
  if (n > 5 && !(arg->bound = ls_read_string(r, text, &p[5], false)))
    return ls_read_wrong(r, line, "argument %s: the size that belongs to its contract is a string, as \"n\"",
                         name);
  if ((n == 5 || n == 7) && !read_agreement(text, &p[n - 1], arg))
    return ls_read_wrong(r, line, "argument %s: its agreement is EXACT, TIE or WITHIN(relative, absolute)",
                         name);
  x->nargs++;
  return LS_OK;
}

/* Reads the arguments in a macro's body: A(...), and other macros that list arguments. */
static ls_status read_args(row_reader *x, const ls_macro *m, int depth) {
  const bool own = m->text == x->r->out->text;
  for (const ls_token *t = m->body; t < m->end;) {
    const int line = own ? t->line : x->line;
    const bool is_arg = t->kind == LS_TOKEN_NAME && t->len == m->param[0]->len &&
                        memcmp(m->text + t->at, m->text + m->param[0]->at, t->len) == 0;
    ls_status st;
    if (t->kind != LS_TOKEN_NAME || !ls_token_is(m->text, t + 1, "("))
      return ls_read_wrong(x->r, line, "%.*s: expected %.*s(role, type, name, \"extent\"), found '%.*s'",
                           (int)m->name->len, m->text + m->name->at, (int)m->param[0]->len,
                           m->text + m->param[0]->at, (int)t->len, m->text + t->at);
    if (is_arg) {
      st = read_arg(x, m, t, line, &t);
    } else {
      const ls_macro *other = ls_reader_macro(x->r, m->text + t->at, t->len, false);
      ls_piece p[2];
      if (!other || depth == LS_READER_DEEPEST ||
          ls_read_list(m->text, t + 1, p, 2, &t) != 1 + (other->param[1] != NULL))
        return ls_read_wrong(x->r, line, "%.*s: '%.*s' is not a list of arguments", (int)m->name->len,
                             m->text + m->name->at, (int)t->len, m->text + t->at);
      st = read_args(x, other, depth + 1);
    }
    if (st) return st;
  }
  return LS_OK;
}

/* --- rows -------------------------------------------------------------------------------------------------
 */

static ls_status new_row(ls_reader *r, const ls_token *name, int line, ls_text_row **out) {
  ls_kernel_text *t = r->out;
  if (t->nrows == LS_TEXT_ROWS) return ls_read_wrong(r, line, "more than %d rows and loops", LS_TEXT_ROWS);
  ls_text_row *row = ls_kernel_text_take(t, sizeof *row);
  ls_arg *args = row ? ls_kernel_text_take(t, LS_MAX_ARGS * sizeof *args) : NULL;
  if (!args) return LS_EMEM;
  row->args = args;
  row->line = line;
  row->prim.name = ls_read_name(r, t->text, name);
  row->prim.family = "";
  row->prim.source = t->text;
  row->prim.text = t;
  if (!row->prim.name) return LS_EMEM;
  if (name->len > NAME_MOST) return ls_read_wrong(r, line, "a name has at most %d letters", NAME_MOST);
  for (const char *s = row->prim.name; *s; s++)
    if (!islower((unsigned char)*s) && *s != '_' && (!isdigit((unsigned char)*s) || s == row->prim.name))
      return ls_read_wrong(r, line, "the name '%s': expected small letters, digits and _", row->prim.name);
  for (int i = 0; i < t->nrows; i++)
    if (strcmp(t->row[i]->prim.name, row->prim.name) == 0)
      return ls_read_wrong(r, line, "two rows are called %s", row->prim.name);
  *out = row;
  return LS_OK;
}

static ls_status read_prim(ls_reader *r, const ls_token *at, const ls_token **after) {
  enum { NAME, ARGS, TYPES, DOMAIN, ITEMS, AGREE, BYTES, GATHERS, DOC, COLUMNS };
  ls_kernel_text *t = r->out;
  const char *text = t->text;
  const int line = at->line;
  ls_piece p[COLUMNS];
  const int n = ls_read_list(text, at + 1, p, COLUMNS, after);
  if (n != COLUMNS)
    return ls_read_wrong(
        r, line,
        "a row is PRIM(name, ARGUMENTS, types, DOMAIN, \"items\", AGREEMENT, \"bytes\", \"irregular "
        "accesses\", \"doc\"): %s",
        n < 0         ? "its ) is missing"
        : n < COLUMNS ? "a column is missing"
                      : "it has too many columns");
  for (int i = NAME; i <= AGREE; i++)
    if (i != ITEMS && !ls_piece_is_name(&p[i]))
      return ls_read_wrong(r, p[i].from->line, "column %d of a row is one word", i + 1);
  ls_text_row *row;
  ls_status st = new_row(r, p[NAME].from, line, &row);
  if (st) return st;
  ls_prim *prim = &row->prim;
  char *types = ls_read_name(r, text, p[TYPES].from), *domain = ls_read_name(r, text, p[DOMAIN].from);
  char *agree = ls_read_name(r, text, p[AGREE].from);
  row->macro = ls_read_name(r, text, p[ARGS].from);
  row->domain = domain;
  if (!types || !domain || !agree || !row->macro) return LS_EMEM;
  if (!ls_types_of_set(types, &prim->types))
    return ls_read_wrong(r, p[TYPES].from->line, "%s: there is no set of types '%s' (expected one of%s)",
                         prim->name, types, ls_sets_text());
  if (!ls_domain_find(domain, &prim->domain))
    return ls_read_wrong(r, p[DOMAIN].from->line, "%s: there is no domain '%s' (%s)", prim->name, domain,
                         LS_DOMAINS_TEXT);
  if (!ls_agree_find(agree, &prim->agree))
    return ls_read_wrong(r, p[AGREE].from->line,
                         "%s: there is no agreement '%s' (EXACT, FIXPOINT, TIE or TOLERANCE)", prim->name,
                         agree);
  prim->items = ls_read_string(r, text, &p[ITEMS], false);
  prim->bytes = ls_read_string(r, text, &p[BYTES], true);
  prim->gathers = ls_read_string(r, text, &p[GATHERS], true);
  prim->doc = ls_read_string(r, text, &p[DOC], false);
  const char *const strings[] = {prim->items, prim->bytes, prim->gathers, prim->doc};
  static const char *const columns[] = {"items", "bytes", "irregular accesses", "doc"};
  for (int i = 0; i < 4; i++)
    if (!strings[i])
      return ls_read_wrong(r, line, "%s: the column of its %s is a string", prim->name, columns[i]);
  const ls_macro *m = ls_reader_macro(r, text + p[ARGS].from->at, p[ARGS].from->len, false);
  if (!m)
    return ls_read_wrong(r, p[ARGS].from->line,
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
  int words; /* number in parentheses; -1: a STEP */
} loop_words[] = {
#define WORD(name, names) {#name, LS_WORD_##name, names},
    LS_LOOP_WORDS(WORD)
#undef WORD
};

static const char step_form[] = "a STEP is STEP(row) or STEP(row, WITH(its name, the loop's name) ...)";

/* Reads WITH(a, b) WITH(c, d) as "a=b c=d ". */
static ls_status read_bindings(ls_reader *r, const ls_piece *p, const char **out) {
  const char *text = r->out->text;
  if (p->from == p->to) return ls_read_wrong(r, p->from->line, "%s", step_form);
  const size_t room = p->to[-1].at + p->to[-1].len - p->from->at + 2;
  char *s = ls_kernel_text_take(r->out, room);
  size_t used = 0;
  if (!s) return LS_EMEM;
  for (const ls_token *t = p->from; t < p->to;) {
    ls_piece two[2];
    const int line = t->line;
    if (!ls_token_is(text, t, "WITH") || !ls_token_is(text, t + 1, "(") ||
        ls_read_list(text, t + 1, two, 2, &t) != 2 || !ls_piece_is_name(&two[0]) ||
        two[1].to - two[1].from != 1)
      return ls_read_wrong(r, line, "%s", step_form);
    used += (size_t)snprintf(s + used, room - used, "%.*s=%.*s ", (int)two[0].from->len,
                             text + two[0].from->at, (int)two[1].from->len, text + two[1].from->at);
  }
  *out = s;
  return LS_OK;
}

static ls_status read_word(ls_reader *r, const ls_token *at, const ls_token **after, ls_loop_word *out) {
  const char *text = r->out->text;
  const struct word *w = NULL;
  for (size_t i = 0; i < sizeof loop_words / sizeof *loop_words; i++)
    if (ls_token_is(text, at, loop_words[i].name)) w = &loop_words[i];
  if (!w)
    return ls_read_wrong(
        r, at->line,
        "'%.*s' is not a word of a loop (STEP SWAP REPEAT UNTIL IF FOR ONCE TOGETHER LEAVE_IF_NONE)",
        (int)at->len, text + at->at);
  *out = (ls_loop_word){.kind = w->kind};
  *after = at + 1;
  if (w->words == 0) return LS_OK;
  ls_piece p[2];
  const int n = ls_token_is(text, at + 1, "(") ? ls_read_list(text, at + 1, p, 2, after) : -1;
  if (w->words < 0 ? n < 1 || n > 2 : n != w->words)
    return ls_read_wrong(r, at->line, "%s has %s in parentheses", w->name,
                         w->words < 0    ? "a row"
                         : w->words == 1 ? "one name"
                                         : "two names");
  if (!ls_piece_is_name(&p[0])) return ls_read_wrong(r, at->line, "%s: expected a name", w->name);
  out->a = ls_read_name(r, text, p[0].from);
  if (!out->a) return LS_EMEM;
  if (w->kind == LS_WORD_STEP) {
    out->b = "";
    return n == 2 ? read_bindings(r, &p[1], &out->b) : LS_OK;
  }
  if (n < 2) return LS_OK;
  if (w->kind == LS_WORD_FOR)
    out->b = ls_read_string(r, text, &p[1], false);
  else if (ls_piece_is_name(&p[1]))
    out->b = ls_read_name(r, text, p[1].from);
  return out->b ? LS_OK
                : ls_read_wrong(r, at->line, "%s",
                                w->kind == LS_WORD_FOR ? "FOR(k, \"tiles\"): its end is a string"
                                                       : "SWAP(a, b)");
}

static ls_status read_loop(ls_reader *r, const ls_token *at, const ls_token **after) {
  enum { MOST_WORDS = 128 };
  ls_kernel_text *t = r->out;
  const char *text = t->text;
  const int line = at->line;
  ls_piece p[3];
  if (ls_read_list(text, at + 1, p, 3, after) != 3 || !ls_piece_is_name(&p[0]) || !ls_piece_is_name(&p[1]))
    return ls_read_wrong(r, line, "a loop begins with LOOP(name, types, \"doc\")");
  ls_text_row *row;
  ls_status st = new_row(r, p[0].from, line, &row);
  if (st) return st;
  ls_prim *prim = &row->prim;
  char *types = ls_read_name(r, text, p[1].from);
  ls_loop_word *words = ls_kernel_text_take(t, (MOST_WORDS + 1) * sizeof *words);
  prim->doc = ls_read_string(r, text, &p[2], false);
  if (!types || !words) return LS_EMEM;
  if (!prim->doc) return ls_read_wrong(r, line, "%s: its doc must be a string", prim->name);
  if (!ls_types_of_set(types, &prim->types))
    return ls_read_wrong(r, p[1].from->line, "%s: there is no set of types '%s' (expected one of%s)",
                         prim->name, types, ls_sets_text());
  int n = 0;
  for (;;) {
    const ls_token *word = *after;
    if (word->kind != LS_TOKEN_NAME || ls_token_is(text, word, "LOOP") || ls_token_is(text, word, "PRIM"))
      return ls_read_wrong(r, line, "the loop %s has no END_LOOP(%s)", prim->name, prim->name);
    if (ls_token_is(text, word, "END_LOOP")) {
      if (!ls_token_is(text, word + 1, "(") || ls_read_list(text, word + 1, p, 1, after) != 1 ||
          !ls_piece_is_name(&p[0]) || !ls_token_is(text, p[0].from, prim->name))
        return ls_read_wrong(r, word->line, "expected END_LOOP(%s)", prim->name);
      break;
    }
    if (n == MOST_WORDS) return ls_read_wrong(r, word->line, "a loop of more than %d words", MOST_WORDS);
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

/* --- reading a whole text ---------------------------------------------------------------------------------
 */

/* Blanks a row or loop in the code; newlines stay, so that line numbers stay correct. */
static void leave_blank(char *code, u32 from, u32 to) {
  for (u32 i = from; i < to; i++)
    if (code[i] != '\n') code[i] = ' ';
}

static ls_status read_rows(ls_reader *r) {
  ls_kernel_text *t = r->out;
  char *code = ls_kernel_text_keep(t, t->text, strlen(t->text));
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
    st = ls_read_wrong(r, 0,
                       "it has no row: PRIM(name, ARGUMENTS, types, DOMAIN, ...), nor a loop (help own)");
  return st;
}

const ls_token *ls_row_text_end(const char *text, const ls_token *t) {
  const bool loop = ls_token_is(text, t, "LOOP");
  const ls_token *after;
  ls_piece first;
  if (!loop && !ls_token_is(text, t, "PRIM")) return NULL;
  while (loop && t->kind != LS_TOKEN_END && !ls_token_is(text, t, "END_LOOP")) t++;
  if (t->kind == LS_TOKEN_END || !ls_token_is(text, t + 1, "(")) return NULL;
  return ls_read_list(text, t + 1, &first, 1, &after) >= 0 ? after : NULL;
}

ls_status ls_kernel_text_read(const char *name, const char *folder, int line, const char *text,
                              ls_kernel_text **out) {
  ls_reader *r = ls_calloc(1, sizeof *r);
  ls_kernel_text *t = r ? ls_calloc(1, sizeof *t) : NULL;
  ls_status st = LS_EMEM;
  *out = NULL;
  if (!t) goto out;
  r->out = t;
  t->line = line;
  t->name = ls_kernel_text_keep(t, name, strlen(name));
  t->folder = folder ? ls_kernel_text_keep(t, folder, strlen(folder)) : NULL;
  t->text = ls_kernel_text_keep(t, text, strlen(text));
  if (!t->name || !t->text || (folder && !t->folder)) goto out;
  if (strlen(text) > LS_TEXT_LARGEST)
    st = ls_fail(LS_EARG, "%s: the text of these kernels has %zu bytes, expected at most %d", name,
                 strlen(text), LS_TEXT_LARGEST);
  else
    st = LS_OK;
  if (!st) st = ls_reader_add(r, "", t->text, 0);
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
