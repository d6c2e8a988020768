#include "repl/line/pieces.h"

#include <ctype.h>
#include <string.h>

#include "core/mem.h"
#include "core/words.h"
#include "repl/commands/command.h"
#include "repl/repl.h"

enum { LONG_PIECE = 8 << 10 };

typedef struct piece {
  size_t from, to; /* bytes, without the last newline */
  int line, lines;
  ls_piece kind;
  bool command, local;
} piece;

/* Pieces without a command between them. */
typedef struct segment {
  piece *pieces;
  u64 count, room;
  ls_text names; /* of their local variables */
} segment;

/* Does s begin with this word? */
static bool begins_with(const char *s, const char *word) { return ls_is_word(s, ls_name_length(s), word); }

/* The first character that is neither space nor in a comment. */
static const char *code(const char *s) {
  for (;;) {
    s = ls_skip_space(s);
    if (strncmp(s, "--", 2) != 0) return s;
    const size_t level = s[2] == '[' ? strspn(s + 3, "=") : 0;
    if (s[2] != '[' || s[3 + level] != '[') {
      s += strcspn(s, "\n");
      continue;
    }
    for (s += 4 + level; *s; s++)
      if (*s == ']' && strspn(s + 1, "=") == level && s[1 + level] == ']') break;
    if (*s) s += 2 + level;
  }
}

bool ls_is_command(const char *line) {
  const char *s = ls_skip_space(line), *rest;
  return *s == '!' || *s == '?' || ls_line_command(s, &rest);
}

/* The kind of text[from, to), judged as a piece of its own. Terminates it with a NUL during the call. */
static ls_piece judge(char *text, size_t from, size_t to) {
  const char after = text[to];
  text[to] = '\0';
  const char *s = ls_skip_space(text + from);
  const ls_piece kind = ls_piece_of(*s == '=' ? s + 1 : s);
  text[to] = after;
  return kind;
}

/* --- names of local variables ------------------------------------------------------------------------ */

/* Adds the names that a statement declares: local a, b <const> = ..., local function f. */
static void add_names(const char *s, ls_text *out) {
  s = code(s + strlen("local"));
  if (begins_with(s, "function")) s = code(s + strlen("function"));
  for (size_t n; (n = ls_name_length(s)); s = code(s + 1)) {
    ls_text_add(out, s, n);
    ls_text_putc(out, ' ');
    s = code(s + n);
    if (*s == '<') s = code(s + strcspn(s, ">\n") + (s[strcspn(s, ">\n")] == '>'));
    if (*s != ',') break;
  }
}

static bool has_name(const ls_text *names, const char *word, size_t len) {
  for (const char *s = ls_text_str(names); len && *s; s = strchr(s, ' ') + 1)
    if (strncmp(s, word, len) == 0 && s[len] == ' ') return true;
  return false;
}

/* Adds a note to an error about an unknown global if a piece that has run declared a local variable of that
 * name. */
static void tell_of_local(const ls_pieces *b) {
  static const char where[] = "(global '";
  const char *name = strstr(ls_complaint(), where);
  if (!name) return;
  name += sizeof where - 1;
  const size_t n = ls_name_length(name);
  if (has_name(&b->locals, name, n))
    ls_note("(%.*s was a local variable of lines that have run; without `local` it is kept)\n", (int)n, name);
}

/* --- where a piece ends ------------------------------------------------------------------------------ */

/* Can the line that begins at s only continue a statement? A line that begins with `:name` may be a command;
 * it continues a statement only if it is a call, `:name(`. */
static bool begins_within(const char *s) {
  if (begins_with(s, "and") || begins_with(s, "or")) return true;
  if (*s != ':') return *s && strchr(".,+*/%^&|~<>=[", *s) && (*s != '=' || s[1] == '=');
  const size_t n = ls_name_length(s + 1);
  return n && s[1 + n] && strchr("({\"'[", s[1 + n]);
}

/* Does the line after the complete piece text[from, to) continue it? If so, *end is the end of that line. */
static bool goes_on(char *text, size_t from, size_t to, size_t *end) {
  const size_t next = (size_t)(code(text + to) - text);
  if (!begins_within(text + next)) return false;
  const size_t past = next + strcspn(text + next, "\n");
  if (judge(text, next, past) != LS_MALFORMED || judge(text, from, past) == LS_MALFORMED) return false;
  *end = past;
  return true;
}

static int lines_of(const char *text, size_t from, size_t to) {
  int lines = 0;
  for (size_t i = from; i < to; i++) lines += text[i] == '\n';
  return lines;
}

/* Finds the first piece from text[from] on; `line` is the number of that line. false: no piece is left.
 * names: local variables; a line that begins with one of them is Lua even if it could be a command. */
static bool next_piece(char *text, size_t from, int line, const ls_text *names, piece *p) {
  for (;;) {
    size_t end = (size_t)(ls_skip_space(text + from) - text);
    if (!text[end]) return false;
    line += lines_of(text, from, end);
    *p = (piece){.from = end, .line = line};
    end += strcspn(text + end, "\n");
    const char after = text[end];
    text[end] = '\0';
    const char *s = text + p->from;
    p->command =
        ls_is_command(s) && !(has_name(names, s, ls_name_length(s)) && ls_piece_of(s) != LS_MALFORMED);
    text[end] = after;
    if (!p->command) {
      size_t checked = 0;
      do {
        p->kind = judge(text, p->from, end);
        checked = end - p->from;
        while (p->kind == LS_INCOMPLETE && text[end]) {
          const size_t begin = end + 1;
          end = begin + strcspn(text + begin, "\n");
          /* A long piece is not judged at every line, because that would compile a long table once per line:
           * an indented line hardly ever ends a piece. */
          if (!text[end] || end - p->from <= LONG_PIECE || end - p->from >= 2 * checked ||
              !isspace((unsigned char)text[begin])) {
            p->kind = judge(text, p->from, end);
            checked = end - p->from;
          }
        }
      } while (p->kind == LS_COMPLETE && goes_on(text, p->from, end, &end));
    }
    p->to = end;
    p->lines = 1 + lines_of(text, p->from, p->to);
    const char *begin = code(text + p->from);
    const bool comment = !p->command && p->kind == LS_COMPLETE && begin >= text + end;
    p->local = !p->command && begins_with(begin, "local");
    if (!comment) return true;
    from = end;
    line += p->lines - 1;
  }
}

bool ls_pieces_open(const char *text) {
  char *copy = ls_strdup(text);
  const ls_text none = {0};
  piece p = {0};
  bool open = false;
  while (copy && next_piece(copy, p.to, 1, &none, &p)) open = !p.command && p.kind == LS_INCOMPLETE;
  ls_free(copy);
  return open;
}

/* --- what runs together ------------------------------------------------------------------------------ */

static bool add_piece(segment *g, const piece *p) {
  piece *grown = ls_grown(g->pieces, g->count, &g->room, 8, sizeof *grown);
  if (!grown) return false;
  g->pieces = grown;
  g->pieces[g->count++] = *p;
  return true;
}

/* Reads the pieces from text[from] on that may run as one chunk. They end before a command; a command that
 * comes first is the only piece. They also end before the first piece that declares a local variable, if all
 * pieces before it can run separately. */
static bool read_segment(char *text, size_t from, int line, segment *g) {
  piece p;
  bool split = true;
  g->count = 0;
  ls_text_cut(&g->names, 0);
  while (next_piece(text, from, line, &g->names, &p)) {
    if (g->count && (p.command || (p.local && split && !g->names.len))) break;
    if (!add_piece(g, &p)) return false;
    if (p.command) break;
    if (p.local && p.kind == LS_COMPLETE) add_names(code(text + p.from), &g->names);
    split &= p.kind == LS_COMPLETE;
    from = p.to;
    line = p.line + p.lines - 1;
  }
  return !g->names.failed;
}

/* Sets out to one chunk of all pieces, whose value is that of the last piece if it has one. false: the pieces
 * are to run separately, or the chunk does not compile. */
static bool as_one(const char *text, const segment *g, ls_text *out) {
  const piece *first = g->pieces, *last = first + g->count - 1;
  bool local = false, split = true;
  for (const piece *p = first; p <= last; p++) {
    local |= p->local && p < last;
    split &= p->kind == LS_COMPLETE;
  }
  if (g->count < 2 || (split && !local)) return false;
  for (int value = 1; value >= 0; value--) {
    ls_text_cut(out, 0);
    ls_text_add(out, text + first->from, last->from - first->from);
    if (value) ls_text_puts(out, "return ");
    ls_text_add(out, text + last->from, last->to - last->from);
    if (out->failed) return false;
    if (ls_piece_of(out->s) == LS_COMPLETE) return true;
  }
  return false;
}

/* Runs one piece, or several as one chunk. false: the pieces after it must not run. *st keeps the first
 * failure.
 */
static bool run_piece(ls_pieces *b, const char *text, const piece *p, ls_status *st) {
  int code_of_exit;
  const ls_status now = b->lead ? ls_lead(text, false, p->line) : ls_input_piece(text, b->name, p->line);
  if (now) tell_of_local(b);
  if (now && b->late && begins_within(ls_skip_space(text)) && ls_piece_of(text) == LS_MALFORMED)
    ls_note(
        "(a line that continues the one before must be entered together with it: that one has already run)\n");
  b->late = false;
  b->begun = true;
  if (!*st) *st = now;
  return !ls_quitting(&code_of_exit) && !(now && (b->stop || now == LS_EINTERRUPTED));
}

/* Runs one piece of `text`, terminating it with a NUL meanwhile. Returns whether to continue with the next
 * piece. */
static bool run_alone(ls_pieces *b, char *text, const piece *p, ls_status *st) {
  const char after = text[p->to];
  text[p->to] = '\0';
  const bool go_on = run_piece(b, text + p->from, p, st);
  if (p->local) add_names(code(text + p->from), &b->locals);
  text[p->to] = after;
  return go_on;
}

/* *done: the last piece that ran. */
static bool run_segment(ls_pieces *b, char *text, const segment *g, const piece **done, ls_status *st) {
  ls_text chunk = {0};
  const piece *past = g->pieces + g->count;
  bool go_on = true;
  if (as_one(text, g, &chunk)) {
    *done = past - 1;
    go_on = run_piece(b, chunk.s, g->pieces, st);
    ls_text_puts(&b->locals, ls_text_str(&g->names));
  } else
    for (const piece *p = g->pieces; p < past && go_on; p++) {
      *done = p;
      go_on = run_alone(b, text, p, st);
    }
  ls_text_free(&chunk);
  return go_on;
}

ls_status ls_pieces_run(ls_pieces *b, char *text, int line, bool more, size_t *bytes, int *lines) {
  segment g = {0};
  ls_status st = LS_OK;
  const int first = line;
  bool go_on = true;
  *bytes = 0;
  b->late = b->begun;
  while (go_on) {
    if (!read_segment(text, *bytes, line, &g)) {
      ls_complain(ls_error(), "");
      st = LS_EMEM;
      break;
    }
    if (g.count == 0) break;
    const piece *last = g.pieces + g.count - 1;
    if (!last->command && last->kind == LS_INCOMPLETE) {
      if (more && (g.count == 1 || g.names.len)) break;
      if (g.count > 1) g.count--;
    }
    const piece *done = g.pieces;
    go_on = run_segment(b, text, &g, &done, &st);
    *bytes = done->to;
    line = done->line + done->lines - 1;
  }
  if (g.count == 0) { /* nothing but space is left */
    line += lines_of(text, *bytes, *bytes + strlen(text + *bytes));
    *bytes += strlen(text + *bytes);
  }
  *lines = line - first;
  ls_free(g.pieces);
  ls_text_free(&g.names);
  return st;
}

void ls_pieces_free(ls_pieces *b) { ls_text_free(&b->locals); }
