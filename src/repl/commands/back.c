/* Commands on the recorded past of a stepped run: back, forward, changes, diff, journal, checkpoint. */
#include "core/text.h"
#include "core/words.h"
#include "repl/commands/command.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/output.h"
#include "data/reduce.h"
#include "lua/base/l_buffer.h"
#include "ranks/ranks.h"
#include "repl/repl.h"
#include "run/record/journal.h"

/* back until EXPR */
static ls_status back_until(const char *expr) {
  if (!*expr) return ls_fail(LS_EARG, "back until what? back until EXPR, e.g. back until live < 0");
  ls_first first;
  const ls_ran ran = ls_session_back_until(expr, &first);
  ls_status st = ls_show(ran, 0);
  if (st || ran != LS_PAUSED) return st;
  if (first.from_the_beginning)
    ls_note("(true since the start of the recording: `journal` shows where that is)\n");
  else
    ls_note("(not true at the stop before, #%llu", (unsigned long long)first.before);
  if (!first.from_the_beginning && first.since)
    ls_note("; false again at %llu of the later stops)\n", (unsigned long long)first.since);
  else if (!first.from_the_beginning)
    ls_note(")\n");
  return LS_OK;
}

static ls_status back(const char *rest) {
  u64 n;
  const char *expr = ls_after_word(rest, "until");
  if (expr) return back_until(expr);
  expr = ls_after_word(rest, "watch");
  if (expr && !*expr) return ls_fail(LS_EARG, "back watch what? back watch EXPR, e.g. back watch s.comp[7]");
  if (expr) return ls_show(ls_session_back_watch(expr), 0);
  ls_status st = ls_count_of(rest, 1, &n);
  return st ? st : ls_show(ls_session_back(n), 0);
}

/* --- changes ----------------------------------------------------------------------------------------- */

static const char *text_field(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  const char *text = lua_tostring(L, -1); /* stays valid after the pop: the row refers to it */
  lua_pop(L, 1);
  return text ? text : "";
}

/* Prints the row on top of L in aligned columns; the value is cut at the width of the terminal. */
static void say_change(lua_State *L, int kernel_width, int where_width, bool first) {
  ls_text line = {0};
  lua_getfield(L, -1, "stop");
  lua_getfield(L, -2, "by_hand");
  const long long stop = lua_tointeger(L, -2);
  const char *by_hand = lua_toboolean(L, -1) ? "  (by hand)" : first ? "  (its first value)" : "";
  lua_pop(L, 2);
  ls_text_printf(&line, "  #%-4lld %-*s  %-*s  ", stop, kernel_width, text_field(L, "kernel"), where_width,
                 text_field(L, "where"));
  const char *value = text_field(L, "text");
  const int columns = ls_output_columns(), left = columns - (int)(line.len + strlen(by_hand)) - 1;
  if (columns > 0 && left > 3 && (int)strlen(value) > left)
    ls_text_printf(&line, "%.*s...%s", left - 3, value, by_hand);
  else
    ls_text_printf(&line, "%s%s", value, by_hand);
  ls_say("%s\n", ls_text_str(&line));
  ls_text_free(&line);
}

/* Prints the list on top of L: if it has more than 2 * ENDS changes, only the first and the last ENDS. */
static void say_changes(lua_State *L, const char *expr) {
  enum { ENDS = 20 };
  const lua_Integer n = (lua_Integer)lua_rawlen(L, -1);
  int kernel_width = 0, where_width = 0;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, -1, i);
    const int kernel = (int)strlen(text_field(L, "kernel")), where = (int)strlen(text_field(L, "where"));
    if (kernel > kernel_width) kernel_width = kernel;
    if (where > where_width) where_width = where;
    lua_pop(L, 1);
  }
  ls_say("%s: changed %lld time%s\n", expr, (long long)n - 1, n == 2 ? "" : "s");
  for (lua_Integer i = 1; i <= n; i++) {
    if (i == ENDS + 1 && n > 2 * ENDS) {
      ls_say("  and %lld more, then\n", (long long)n - 2 * ENDS);
      i = n - ENDS + 1;
    }
    lua_rawgeti(L, -1, i);
    say_change(L, kernel_width, where_width, i == 1);
    lua_pop(L, 1);
  }
}

static ls_status changes(const char *rest) {
  if (!*rest) return ls_fail(LS_EARG, "changes of what? changes EXPR, e.g. changes s.comp[7]");
  const ls_ran ran = ls_session_changes(rest);
  if (ran != LS_DONE) return ls_show(ran, 0);
  if (ls_out.form != LS_TEXT) return ls_show(ran, 1);
  say_changes(ls_session_lua(), rest);
  lua_pop(ls_session_lua(), 1);
  return LS_OK;
}

/* --- diff -------------------------------------------------------------------------------------------- */

typedef struct looking {
  const char *field;
  ls_text *found;
} looking;

/* If the value on top (a state or a bundle) has a buffer called l->field, stores its full name, such as
 * s.comp, in l->found, unless an earlier one is stored there. */
static void look_for_field(void *ctx, lua_State *L, int level, const char *name) {
  const looking *l = ctx;
  ls_text full = {0};
  (void)level;
  ls_text_printf(&full, "%s.%s", name, l->field);
  if (!l->found->len && strcmp(name, "_G") != 0 && ls_lookup(L, ls_text_str(&full), full.len)) {
    if (ls_test_buffer(L, -1)) ls_text_puts(l->found, full.s);
    lua_pop(L, 1);
  }
  ls_text_free(&full);
}

/* What a buffer held at two stops. */
typedef struct differing {
  const char *expr;
  ls_dtype type[2];
  u64 count[2];
  void *held[2];
} differing;

static ls_status hold(lua_State *L, int k, void *arg) {
  differing *d = arg;
  ls_buffer *b = ls_test_buffer(L, -1);
  if (!b) {
    ls_text held = {0};
    if (lua_isnil(L, -1)) ls_session_values(look_for_field, &(looking){d->expr, &held});
    ls_status st = ls_fail(LS_EARG, "diff compares a buffer with itself; %s is %s%s%s%s%s", d->expr,
                           lua_isnil(L, -1) ? "" : "a ", luaL_typename(L, -1),
                           held.len ? " (did you mean `" : "", ls_text_str(&held), held.len ? "`?)" : "");
    ls_text_free(&held);
    return st;
  }
  if (ls_journal_lacks(b))
    return ls_fail(LS_EARG, "diff: the buffer is too large for the journal, and was not recorded");
  d->type[k] = b->type;
  d->count[k] = b->count;
  d->held[k] = ls_malloc(ls_buffer_bytes(b) + 1);
  return d->held[k] ? ls_buffer_peek(b, 0, b->count, d->held[k]) : LS_EMEM;
}

/* Cuts a number, 12 or #12, off the end of the text; false if there is none. */
static bool last_number(char *text, u64 *number) {
  const size_t n = ls_trimmed(text);
  size_t from = n;
  while (from > 0 && isdigit((unsigned char)text[from - 1])) from--;
  const size_t digits = n - from;
  if (from > 0 && text[from - 1] == '#') from--;
  if (digits == 0 || digits > 18 || from == 0 || !isspace((unsigned char)text[from - 1])) return false;
  *number = strtoull(text + n - digits, NULL, 10);
  text[from] = '\0';
  return true;
}

/* LS_EARG for `diff a b` and `diff a, b`: two buffers are compared by a:diff(b) instead. */
static ls_status refuse_two(const char *expr) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
  const size_t n = strspn(expr, letters), gap = strspn(expr + n, " ,");
  const char *other = expr + n + gap;
  if (!n || !gap || !*other || other[strspn(other, letters)]) return LS_OK;
  return ls_fail(LS_EARG,
                 "diff compares a buffer with what it held at another stop; to compare two buffers, type "
                 "%.*s:diff(%s)",
                 (int)n, expr, other);
}

enum { LISTED = 10 };

static const char *element(const differing *d, int k, u64 i, char text[LS_NUMBER_CHARS]) {
  const ls_number x = ls_number_at(d->type[k], d->held[k], i);
  return ls_number_is_none(d->type[k], x) && !x.real ? "-" : ls_number_text(d->type[k], x, text);
}

static int push_differences(lua_State *L) {
  const differing *d = lua_touserdata(L, 1);
  u64 places[LISTED];
  const u64 found =
      ls_reduce_diff(d->type[0], d->held[0], d->type[1], d->held[1], d->count[0], LISTED, places);
  lua_newtable(L);
  for (u64 i = 0; i < found && i < LISTED; i++) {
    lua_newtable(L);
    lua_pushinteger(L, (lua_Integer)places[i]);
    lua_setfield(L, -2, "i");
    for (int k = 0; k < 2; k++) {
      ls_push_number(L, ls_number_at(d->type[k], d->held[k], places[i]));
      lua_setfield(L, -2, k ? "after" : "before");
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static ls_status show_differences(const char *expr, const differing *d, const u64 *numbers) {
  if (d->count[0] != d->count[1])
    return ls_fail(LS_EARG, "diff: %s had %llu elements at #%llu and %llu at #%llu", expr,
                   (unsigned long long)d->count[0], (unsigned long long)numbers[0],
                   (unsigned long long)d->count[1], (unsigned long long)numbers[1]);
  if (ls_out.form != LS_TEXT) return ls_answer(push_differences, d);
  u64 places[LISTED];
  const u64 found =
      ls_reduce_diff(d->type[0], d->held[0], d->type[1], d->held[1], d->count[0], LISTED, places);
  ls_say("%s: %llu of %llu differ between #%llu and #%llu\n", expr, (unsigned long long)found,
         (unsigned long long)d->count[0], (unsigned long long)numbers[0], (unsigned long long)numbers[1]);
  for (u64 i = 0; i < found && i < LISTED; i++) {
    char before[LS_NUMBER_CHARS], after[LS_NUMBER_CHARS];
    ls_say("  [%llu] %s -> %s\n", (unsigned long long)places[i], element(d, 0, places[i], before),
           element(d, 1, places[i], after));
  }
  if (found > LISTED) ls_say("  and %llu more\n", (unsigned long long)(found - LISTED));
  return LS_OK;
}

/* diff BUFFER [A [B]]: A is by default the stop before the current one, B the current one. */
static ls_status diff(const char *rest) {
  const u64 here = ls_journal_position().at;
  u64 numbers[2] = {here ? here - 1 : 0, here}, last, other;
  char *expr = ls_strdup(rest);
  if (!expr) return LS_EMEM;
  if (last_number(expr, &last)) {
    numbers[0] = last;
    if (last_number(expr, &other)) numbers[0] = other, numbers[1] = last;
  }
  size_t n = strlen(expr);
  while (n > 0 && isspace((unsigned char)expr[n - 1])) expr[--n] = '\0';
  differing d = {.expr = expr};
  ls_status st =
      *expr ? LS_OK : ls_fail(LS_EARG, "diff needs a buffer: diff BUFFER [A [B]], A and B numbers of stops");
  if (!st) st = refuse_two(expr);
  if (!st) {
    const ls_ran ran = ls_session_visit(expr, numbers, 2, hold, &d);
    st = ran == LS_DONE ? show_differences(expr, &d, numbers) : ls_show(ran, 0);
  }
  for (int k = 0; k < 2; k++) ls_free(d.held[k]);
  ls_free(expr);
  return st;
}

static ls_status forward(const char *rest) {
  u64 n;
  ls_status st = ls_count_of(rest, 0, &n);
  return st ? st : ls_show(ls_session_forward(n), 0);
}

static void say_position(void) {
  const ls_position p = ls_journal_position();
  const f64 mib = 1 << 20;
  if (!p.budget)
    ls_say("nothing is recorded: the journal is off\n");
  else if (!p.on)
    ls_say("nothing is recorded now; steps will be, in up to %.4g MiB\n", (f64)p.budget / mib);
  else
    ls_say("recorded: #%llu to #%llu (%llu stop%s back, %llu forward), %.2f of %.4g MiB\n",
           (unsigned long long)p.first, (unsigned long long)p.newest, (unsigned long long)p.behind,
           ls_plural(p.behind), (unsigned long long)p.ahead, (f64)p.bytes / mib, (f64)p.budget / mib);
}

static ls_status journal(const char *rest) {
  ls_status st = LS_OK;
  if (strcmp(rest, "off") == 0) {
    st = ls_journal_budget(0);
  } else if (*rest) {
    char *end;
    f64 mib = strtod(rest, &end);
    if (*end || !(mib > 0) || mib > 1e9) return ls_fail(LS_EARG, "journal [MIB | off], got `%s`", rest);
    st = ls_journal_budget((u64)(mib * (1 << 20)));
  }
  if (!st) say_position();
  return st;
}

static ls_status checkpoint(const char *rest) {
  if (ls_ranks() > 1)
    return ls_fail(
        LS_EARG,
        "checkpoint at a stop would save only the state of rank 0: the line checkpoint(\"FILE\") before "
        "the algorithm is started saves that of each rank");
  ls_text path = {0};
  const char *after = rest;
  if (!ls_word(&after, &path) || *after) {
    bool failed = path.failed;
    ls_text_free(&path);
    return failed ? LS_EMEM : ls_fail(LS_EARG, "checkpoint needs one file");
  }
  ls_ran ran = ls_session_checkpoint(ls_text_str(&path));
  ls_text_free(&path);
  const ls_stop *stop = ls_session_stop();
  if (ran == LS_DONE) ls_note("(the run ended before the end of an iteration: nothing is saved)\n");
  ls_status st = ls_show(ran, ls_session_results());
  if (st || ran != LS_PAUSED || strncmp(stop->why, "checkpoint ", 11) == 0) return st;
  bool told = strstr(stop->why, "no checkpoint") != NULL;
  return ls_fail(LS_EIO, "%s", told ? "" : "nothing is saved: the run stopped before its iteration ended");
}

const ls_command ls_commands_back[] = {
    {"back", "back [N | until EXPR | watch EXPR]",
     "Goes one stop back (or N) in a run that was stepped.\n"
     "back until EXPR looks through the recording, stop by stop back to its beginning, and goes to the first stop at which\n"
     "EXPR was true: when did this become wrong? If EXPR was false again later, a note says so. An error in EXPR counts as\n"
     "false.\n"
     "back watch EXPR goes to the last stop that changed EXPR, and shows how; given again, to the change before it. A\n"
     "buffer has changed if any element of it has. See also: changes, diff.\n"
     "Buffers, locals and the stop line are those of that stop. Every step is a stop here, even if `until` or `next` did\n"
     "not stop at it, and so is a change made at the prompt. In the past nothing can be launched or written; step, next,\n"
     "iter and until go forward through what is recorded, at most to the present. `until` sees the counts, the locals\n"
     "and the buffers of the recorded stops. continue and finish resume the run at the present. The recording of a run\n"
     "that has ended remains until the next primitive runs or something is started.",
     back, true},
    {"changes", "changes EXPR",
     "Lists the recorded stops, up to this one, that changed the value of EXPR.\n"
     "The first line is the first stop at which EXPR had a value. A buffer has changed if any element of it has. You\n"
     "stay where you are; back watch EXPR goes to the last change. With --json or --csv: a row for each change.",
     changes, false},
    {"diff", "diff BUFFER [A [B]]",
     "What changed in a buffer between two recorded stops, #A and #B.\n"
     "Without B: between #A and this stop; without both: what the last primitive changed. BUFFER is an expression, such as\n"
     "s.mark. In the output, `-` means that the element has no value. To compare two buffers: a:diff(b).",
     diff, false},
    {"forward", "forward [N]", "Goes N stops forward again; without N: to the present.", forward, false},
    {"journal", "journal [MIB | off]",
     "Shows how far back the recording reaches; with MIB, limits its memory to that many MiB.\n"
     "When the memory is full, the oldest stops are forgotten. A buffer that is larger than this memory is not\n"
     "recorded: only its past contents cannot be shown. A run without stops is not recorded: `continue` without any\n"
     "breakpoint ends the recording, and the next stop begins a new one.",
     journal, false},
    {"checkpoint", "checkpoint FILE",
     "Runs to the end of the current iteration, saves the state in FILE, and stops.\n"
     "The option {from = \"FILE\"} resumes the algorithm, in this session or a later one, as in\n"
     "scc.maxima(g, {from = \"x.ckpt\"}). In a script: checkpoint(path [, every]).",
     checkpoint, false},
    {NULL, NULL, NULL, NULL, false},
};
