/* Tab completion of globals, fields and methods (without running user code), commands and files. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "core/escape.h"
#include "core/words.h"
#include "lua/keywords.h"
#include "repl/commands/command.h"
#include "repl/lesson/lesson.h"
#include "repl/line/options.h"
#include "repl/repl.h"
#include "run/devices/device.h"
#include "run/launch/row.h"
#include "run/record/trace.h"

#define BREAKS " \t\n\"'`><=;:+-*/%^~#{}()[].,|&!?"

typedef struct matches {
  char **list; /* malloc'ed strings, Readline frees them */
  size_t count, room;
  const char *prefix;
  bool functions_only;
} matches;

static void add(matches *m, const char *name) {
  size_t len = strlen(m->prefix);
  if (strncmp(name, m->prefix, len) != 0) return;
  if (len == 0 && name[0] == '_') return; /* only if the user typed the underscore */
  if (m->count == m->room) {
    size_t room = m->room ? 2 * m->room : 64;
    char **list = realloc(m->list, room * sizeof *list);
    if (!list) return;
    m->list = list;
    m->room = room;
  }
  char *copy = strdup(name);
  if (copy) m->list[m->count++] = copy;
}

static void add_member(void *ctx, const char *name, int type) {
  matches *m = ctx;
  if (m->functions_only && type != LUA_TFUNCTION) return;
  add(m, name);
}

/* Adds a local of the stopped function, which is level 0; add_names adds the globals. */
static void add_value(void *ctx, lua_State *L, int level, const char *name) {
  (void)L;
  if (level == 0) add(ctx, name);
}

static void add_doc_name(void *ctx, const char *name) { add(ctx, name); }

static void add_commands(matches *m) {
  for (int i = 0; ls_command_at(i); i++) add(m, ls_command_at(i)->name);
}

static void add_keywords(matches *m) {
  for (int i = 0; ls_keywords[i]; i++) add(m, ls_keywords[i]);
}

/* The index at which the chain (`a.b[1].c`) that ends at `end` begins; `end` if there is no chain. */
static int chain_start(const char *line, int end) {
  int i = end;
  for (;;) {
    while (i > 0 && line[i - 1] == ']') {
      int open = i - 1;
      while (open > 0 && line[open] != '[') open--;
      if (line[open] != '[') return end;
      i = open;
    }
    int name = i;
    while (name > 0 && ls_in_name(line[name - 1])) name--;
    if (name == i) return end;
    i = name;
    if (i == 0 || (line[i - 1] != '.' && line[i - 1] != ':') || (i > 1 && line[i - 2] == '.')) return i;
    i--;
  }
}

typedef struct request {
  matches *m;
  const char *line;
  int start; /* where the word begins in `line` */
} request;

static void add_names(lua_State *L, matches *m, const char *line, int start) {
  char before = start > 0 ? line[start - 1] : 0;
  if ((before == '.' || before == ':') && !(start > 1 && line[start - 2] == '.')) {
    int from = chain_start(line, start - 1);
    if (from == start - 1 || !ls_lookup(L, line + from, (size_t)(start - 1 - from))) return;
    m->functions_only = before == ':';
    ls_members(L, lua_gettop(L), add_member, m);
    lua_pop(L, 1);
    return;
  }
  ls_session_values(add_value, m);
  lua_pushglobaltable(L);
  ls_members(L, lua_gettop(L), add_member, m);
  lua_pop(L, 1);
  add_keywords(m);
}

/* Offers the options of the call that match; other names only if no option does. */
static int names_protected(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  ls_option_names(L, r->line, r->start, add_doc_name, r->m);
  if (r->m->count) return 0;
  add_names(L, r->m, r->line, r->start);
  return 0;
}

/* The command with which the line begins, if the word to complete (at `start`) comes after its name; else
 * NULL. */
static const char *command_before(const char *line, int start) {
  const char *rest;
  const ls_command *c = ls_line_command(line, &rest);
  const char *first = ls_skip_space(line), *word = first + (*first == ':');
  return c && start > word + ls_name_length(word) - line ? c->name : NULL;
}

/* Bits: what a word after a command's name may be. */
enum {
  NOTHING = 0,
  LUA = 1,
  FILES = 2,
  DOCS = 4,
  COMMANDS = 8,
  PRIMITIVES = 16,
  POINTS = 32,
  SERIES = 64,
  DEVICES = 128,
  VIEWS = 256, /* views, and the other words that may follow `panel` */
  LESSONS = 512,
};

typedef struct argument {
  const char *command;
  unsigned first, more; /* bits of the first word; of the words after it */
  const char *words;    /* more choices for the first word */
} argument;

static const argument arguments[] = {
    {"help", DOCS | COMMANDS, NOTHING, ""},
    {"load", FILES, NOTHING, ""},
    {"source", FILES, NOTHING, ""},
    {"run", FILES, FILES, ""},
    {"edit", DOCS | FILES, NOTHING, ""},
    {"checkpoint", FILES, NOTHING, ""},
    {"snapshot", FILES, VIEWS, ""},
    {"plot", SERIES | FILES, SERIES | FILES, "log"},
    {"trace", NOTHING, FILES, "on off save"},
    {"stats", NOTHING, NOTHING, "by lines reset"},
    {"journal", NOTHING, NOTHING, "off"},
    {"break", PRIMITIVES, LUA, "iter error"},
    {"tbreak", PRIMITIVES, LUA, "iter"},
    {"delete", POINTS, NOTHING, "all"},
    {"undisplay", NOTHING, NOTHING, "all"},
    {"lesson", LESSONS, NOTHING, ""},
    {"panel", VIEWS, NOTHING, ""},
    {"device", DEVICES, NOTHING, "auto"},
    {"compare", DEVICES, DEVICES, "off"},
    {"start", LUA, LUA, ""},
    {"until", LUA, LUA, ""},
    {"watch", LUA, LUA, ""},
    {"back", NOTHING, LUA, "until watch"},
    {"changes", LUA, LUA, ""},
    {"diff", LUA, LUA, ""},
    {"display", LUA, LUA, ""},
    {"time", LUA, LUA, ""},
};

/* Returns the bits of what the word at `start` may be, and more choices in *words. NOTHING for a command that
 * is not in the table. */
static unsigned wanted(const char *command, const char *line, int start, const char **words) {
  *words = "";
  if (!command) return LUA;
  const char *s = line;
  while (isspace((unsigned char)*s) || *s == ':') s++;
  s = ls_skip_space(s + ls_name_length(s));
  const bool first = s - line >= start;
  for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
    const argument *a = &arguments[i];
    if (strcmp(a->command, command) != 0) continue;
    if (first) *words = a->words;
    return first ? a->first : a->more;
  }
  return NOTHING;
}

static void add_words(matches *m, const char *words) {
  char word[32];
  while (*words) {
    const size_t n = strcspn(words, " ");
    snprintf(word, sizeof word, "%.*s", (int)n, words);
    add(m, word);
    words += n + (words[n] == ' ');
  }
}

static void add_points(matches *m) {
  ls_breakpoint b;
  char id[16];
  for (int i = 0; ls_session_breakpoint(i, &b); i++) {
    snprintf(id, sizeof id, "%d", b.id);
    add(m, id);
  }
}

static void add_listed(matches *m, unsigned what) {
  if (what & DOCS) ls_help_names(add_doc_name, m);
  if (what & COMMANDS) add_commands(m);
  for (int i = 0; (what & PRIMITIVES) && i < ls_prims(); i++) add(m, ls_prim_at(i)->name);
  if (what & POINTS) add_points(m);
  for (int i = 0; (what & SERIES) && i < ls_trace_series(); i++) add(m, ls_trace_series_name(i));
  for (int i = 0; (what & DEVICES) && i < ls_devices(); i++) add(m, ls_device_at(i)->name);
  if (what & VIEWS) ls_prompt_front_names(add_doc_name, m);
  if (what & LESSONS) ls_lesson_names(add_doc_name, m);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Converts m to the form that Readline wants: the common prefix, then all matches, sorted, each once. */
static char **finish(matches *m) {
  if (m->count == 0) {
    free(m->list);
    return NULL;
  }
  qsort(m->list, m->count, sizeof *m->list, by_text);
  size_t n = 0;
  for (size_t i = 0; i < m->count; i++) {
    if (n > 0 && strcmp(m->list[n - 1], m->list[i]) == 0)
      free(m->list[i]);
    else
      m->list[n++] = m->list[i];
  }
  size_t common = strlen(m->list[0]);
  for (size_t i = 1; i < n; i++) {
    size_t same = 0;
    while (same < common && m->list[i][same] == m->list[0][same]) same++;
    common = same;
  }
  char **out = malloc((n + 2) * sizeof *out);
  char *first = strndup(m->list[0], common);
  if (!out || !first) {
    for (size_t i = 0; i < n; i++) free(m->list[i]);
    free(m->list);
    free(out);
    free(first);
    return NULL;
  }
  out[0] = first;
  if (n == 1) {
    free(m->list[0]);
    out[1] = NULL;
  } else {
    memcpy(out + 1, m->list, n * sizeof *out);
    out[n + 1] = NULL;
  }
  free(m->list);
  return out;
}

static char **attempt(const char *text, int start, int end) {
  (void)end;
  const char *line = rl_line_buffer;
  matches m = {.prefix = text};
  const char *command = command_before(line, start);
  const int first = (int)(ls_skip_space(line) - line);
  rl_attempted_completion_over = 1;
  rl_completion_append_character = 0;

  const char *words;
  const bool asks = line[first] == '?';
  const unsigned what = asks ? DOCS | COMMANDS : wanted(command, line, start, &words);
  if (rl_completion_quote_character || (what & FILES)) {
    rl_attempted_completion_over = 0; /* lets Readline complete file names */
    rl_completion_append_character = rl_completion_quote_character ? 0 : ' ';
  }
  if (rl_completion_quote_character) return NULL;
  if (asks || command) {
    if (command) add_words(&m, words);
    add_listed(&m, what);
    if (!(what & LUA)) return finish(&m);
  }
  if (start == first && !*text && line[first] == 0) {
    add_commands(&m); /* on an empty line only commands, not all names of Lua */
    return finish(&m);
  }
  if (start == first || (start == first + 1 && line[first] == ':')) {
    add_commands(&m);
    if (start != first) return finish(&m);
  }
  request r = {&m, line, start};
  ls_session_try(ls_session_lua(), names_protected, &r);
  return finish(&m);
}

/* The characters that end a word depend on the command: names of files and of docs may contain dots. Readline
 * asks before it looks for the beginning of the word that ends at rl_point. */
static char *word_breaks(void) {
  static char files[] = " \t\n\"'", names[] = BREAKS;
  static char docs[] = " \t\n?";
  const char *line = rl_line_buffer, *words;
  int start = rl_point;
  while (start > 0 && !isspace((unsigned char)line[start - 1])) start--;
  const char *command = command_before(line, start);
  if (*ls_skip_space(line) == '?' || (command && strcmp(command, "help") == 0)) return docs;
  return wanted(command, line, start, &words) & LUA ? names : files;
}

static bool shown_as_it_is(const char *s) {
  char one[LS_ESCAPED_CHAR];
  for (size_t n; *s; s += n) {
    n = ls_escaped_char(s, SIZE_MAX, 0, one);
    if (strlen(one) != n) return false;
  }
  return true;
}

/* Removes file names with characters that a terminal would interpret: Readline prints names unescaped.
 * list[0] is the common prefix of the others, or the only match. */
static int leave_out(char **list) {
  const int first = list[1] ? 1 : 0;
  int kept = first;
  for (int i = first; list[i]; i++) {
    if (shown_as_it_is(list[i]))
      list[kept++] = list[i];
    else
      free(list[i]);
  }
  list[kept] = NULL;
  if (first && kept == first) { /* all matches were removed */
    free(list[0]);
    list[0] = NULL;
  }
  return 0;
}

void ls_complete_install(void) {
  static char breaks[] = BREAKS;
  rl_attempted_completion_function = attempt;
  rl_completer_word_break_characters = breaks;
  rl_completer_quote_characters = "\"'";
  rl_completion_word_break_hook = word_breaks;
  rl_ignore_some_completions_function = leave_out;
}
