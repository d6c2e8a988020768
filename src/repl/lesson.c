/* Guided lessons: pages of commands and text, walked by the learner.
 *
 * A lesson is a Lua file NUMBER-NAME.lua in samples/lessons, or any file, whose first line is a comment with
 * its title. It returns a list of pages: run   commands, one after the other, as if they were typed say text;
 * {EXPR} stands for the value of a Lua expression at the stop, {{ for a brace hold  expressions that must be
 * true there, so that the text cannot lie see   the panel's view to look at and its last page may have
 * `answers` to the questions asked there, which only `lesson answers` shows. Between pages the learner may
 * type anything. A page goes on from where the one before has left the algorithm; if the learner has moved
 * it, the pages since the last `start` are run again. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/mem.h"
#include "core/output.h"
#include "repl/command.h"
#include "repl/help_lines.h"
#include "repl/lesson.h"
#include "repl/lesson_file.h"
#include "repl/repl.h"
#include "run/journal.h"

enum { MOST = 32, NAME = 48, TITLE = 80 };

typedef struct lesson {
  int number;
  char name[NAME]; /* "trimming" */
  char title[TITLE];
  char file[PATH_MAX];
} lesson;

static lesson lessons[MOST];
static int count;
static char registry_key; /* of the present lesson's table */

static struct {
  const lesson *of; /* NULL: none */
  int page, pages;  /* the page last shown, from 1; 0: none yet */
  bool opened;      /* the panel has been asked for */
  bool over;        /* that was its last one */
  /* where that page left the algorithm */
  bool paused, recorded;
  ls_stop_kind kind;
  u64 seq;
  char where[64];
} now;

static ls_text shown; /* the page's text */
static int shown_number;
static const ls_lesson_reader *reader;

void ls_lesson_read_by(const ls_lesson_reader *r) { reader = r; }

ls_lesson_page ls_lesson_present(void) {
  return (ls_lesson_page){now.of ? now.of->title : "", ls_text_str(&shown), now.page, now.pages,
                          shown_number};
}

static void leave(void) {
  if (now.of && reader) reader->end();
  now.of = NULL;
  ls_text_free(&shown);
  shown = (ls_text){0};
}

/* --- which there are --------------------------------------------------------------------------------- */

/* The comment on the first line. */
static void read_title(lesson *l) {
  char line[256] = "";
  FILE *f = fopen(l->file, "r");
  if (!f) return;
  if (!fgets(line, sizeof line, f)) line[0] = '\0';
  fclose(f);
  const char *from = line + strspn(line, "- ");
  size_t n = strcspn(from, "\n");
  while (n && (from[n - 1] == '.' || from[n - 1] == ' ')) n--;
  snprintf(l->title, sizeof l->title, "%.*s", (int)n, from);
}

static int by_number(const void *a, const void *b) {
  return ((const lesson *)a)->number - ((const lesson *)b)->number;
}

static ls_status find_lessons(void) {
  char folder[PATH_MAX];
  if (count) return LS_OK;
  DIR *d = ls_samples_folder("lessons", folder, sizeof folder) ? opendir(folder) : NULL;
  if (!d) return ls_fail(LS_EINPUT, "no lessons are installed: samples/lessons is not beside the program");
  for (struct dirent *e; (e = readdir(d)) && count < MOST;) {
    lesson *l = &lessons[count];
    char *end;
    long number = strtol(e->d_name, &end, 10);
    size_t n = strlen(end);
    if (number < 1 || number > 999 || *end != '-' || n < 6 || n - 5 >= NAME ||
        strcmp(end + n - 4, ".lua") != 0)
      continue;
    if (snprintf(l->file, sizeof l->file, "%s/%s", folder, e->d_name) >= (int)sizeof l->file) continue;
    l->number = (int)number;
    snprintf(l->name, sizeof l->name, "%.*s", (int)(n - 5), end + 1);
    read_title(l);
    count++;
  }
  closedir(d);
  qsort(lessons, (size_t)count, sizeof *lessons, by_number);
  return count ? LS_OK : ls_fail(LS_EINPUT, "%s has no lessons", folder);
}

/* A lesson of one's own, in a file: NULL, where the file cannot be read. */
static const lesson *own_lesson(const char *file) {
  static lesson own;
  if (strlen(file) >= sizeof own.file || access(file, R_OK) != 0) return NULL;
  if (now.of == &own && strcmp(own.file, file) == 0) return &own;
  if (now.of == &own) leave();
  own = (lesson){0};
  strcpy(own.file, file);
  const char *base = strrchr(file, '/');
  base = base ? base + 1 : file;
  snprintf(own.name, sizeof own.name, "%.*s", (int)(strlen(base) - 4), base);
  read_title(&own);
  return &own;
}

static bool names_file(const char *name) {
  const size_t n = strlen(name);
  return n > 4 && strcmp(name + n - 4, ".lua") == 0;
}

static const lesson *find(const char *name) {
  if (names_file(name)) return own_lesson(name);
  for (int i = 0; i < count; i++) {
    char number[12];
    snprintf(number, sizeof number, "%d", lessons[i].number);
    if (strcmp(name, number) == 0 || strcmp(name, lessons[i].name) == 0) return &lessons[i];
  }
  return NULL;
}

void ls_lesson_names(void (*each)(void *, const char *), void *ctx) {
  static const char *const words[] = {"next", "again", "restart", "run", "answers", "end", "new", "check"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) each(ctx, words[i]);
  for (int i = 0; !find_lessons() && i < count; i++) each(ctx, lessons[i].name);
}

/* --- text -------------------------------------------------------------------------------------------- */

/* Prose flows at the terminal's width; an indented line stays as it is, an empty one ends a paragraph. */
static void say_text(const char *text) {
  int columns = ls_output_columns(), used = 0;
  if (columns <= 0 || columns > 80) columns = 80;
  for (const char *line = text; *line;) {
    size_t n = strcspn(line, "\n");
    if (n == 0 || *line == ' ') {
      if (used) ls_say("\n");
      ls_say("%.*s\n", (int)n, line);
      used = 0;
    }
    for (const char *word = line; n && *line != ' ' && word < line + n;) {
      size_t len = strcspn(word, " \n");
      int wide = 0;
      for (size_t i = 0; i < len; i++) wide += ((unsigned char)word[i] & 0xc0) != 0x80;
      if (used && used + 1 + wide >= columns) {
        ls_say("\n");
        used = 0;
      }
      ls_say("%s%.*s", used ? " " : "", (int)len, word);
      used += wide + (used > 0);
      word += len;
      word += strspn(word, " ");
    }
    line += n + (line[n] == '\n');
  }
  if (used) ls_say("\n");
}

/* The value of an expression at the stop, as text; the error has been told. */
static ls_status value_of(const char *expr, size_t len, ls_text *out) {
  ls_text chunk = {0};
  int n = 0;
  ls_text_printf(&chunk, "tostring((%.*s))", (int)len, expr);
  if (chunk.failed) {
    ls_text_free(&chunk);
    return LS_EMEM;
  }
  ls_ran ran = ls_session_eval(chunk.s, "=lesson", &n);
  ls_text_free(&chunk);
  lua_State *L = ls_session_lua();
  if (ran != LS_DONE || n != 1) return ran == LS_DONE ? LS_EARG : ls_show(ran, n);
  ls_text_puts(out, lua_tostring(L, -1));
  lua_pop(L, 1);
  return LS_OK;
}

static ls_status fill_in(const char *text, ls_text *out) {
  for (const char *at = text; *at;) {
    size_t n = strcspn(at, "{");
    ls_text_add(out, at, n);
    at += n;
    if (!*at) break;
    if (at[1] == '{') {
      ls_text_putc(out, '{');
      at += 2;
      continue;
    }
    size_t len = strcspn(at + 1, "}");
    if (!at[1 + len]) return ls_fail(LS_EARG, "a brace is not closed: %.40s", at);
    ls_status st = value_of(at + 1, len, out);
    if (st) return st;
    at += len + 2;
  }
  return out->failed ? LS_EMEM : LS_OK;
}

/* --- pages ------------------------------------------------------------------------------------------- */

typedef struct request {
  int page;
  const char *field;
  int item; /* 0: the field itself is the string */
  ls_text out;
  bool found;
} request;

static int read_field(lua_State *L) {
  request *r = lua_touserdata(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
  if (lua_rawgeti(L, -1, r->page) != LUA_TTABLE) return 0;
  lua_getfield(L, -1, r->field);
  if (r->item && lua_istable(L, -1)) lua_rawgeti(L, -1, r->item);
  r->found = lua_type(L, -1) == LUA_TSTRING;
  if (r->found) ls_text_puts(&r->out, lua_tostring(L, -1));
  return 0;
}

/* A page's field, or its item-th part; the text is the caller's to free. false: there is none. */
static bool field(int page, const char *name, int item, ls_text *out) {
  lua_State *L = ls_session_lua();
  request r = {.page = page, .field = name, .item = item};
  lua_pushcfunction(L, read_field);
  lua_pushlightuserdata(L, &r);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
  *out = r.out;
  if (r.found && !r.out.failed) return true;
  ls_text_free(out);
  *out = (ls_text){0};
  return false;
}

static ls_status run_commands(int page) {
  ls_status st = LS_OK;
  ls_text line;
  for (int i = 1; !st && field(page, "run", i, &line); i++) {
    ls_say("> %s\n", line.s);
    st = ls_input_piece(line.s, "lesson", 1);
    ls_text_free(&line);
  }
  return st;
}

static ls_status check_claims(int page) {
  ls_status st = LS_OK;
  ls_text claim, got = {0};
  for (int i = 1; !st && field(page, "hold", i, &claim); i++) {
    ls_text_cut(&got, 0);
    st = value_of(claim.s, claim.len, &got);
    if (!st && strcmp(ls_text_str(&got), "true") != 0)
      st = ls_fail(LS_EARG, "lesson %s, page %d: this does not hold: %s", now.of->name, page, claim.s);
    ls_text_free(&claim);
  }
  ls_text_free(&got);
  return st;
}

/* The panel opens with a lesson; once it was closed by hand, it stays closed. */
static void look_at(int page) {
  ls_text view, chunk = {0};
  int n = 0;
  if (!field(page, "see", 0, &view)) return;
  ls_text_printf(&chunk, "%spanel.show('%s')", now.opened ? "return panel.is_on() and " : "", view.s);
  if (!chunk.failed)
    ls_session_eval(chunk.s, "=lesson", &n); /* without a terminal there is none: no matter */
  lua_settop(ls_session_lua(), 0);
  now.opened = true;
  ls_text_free(&chunk);
  ls_text_free(&view);
}

static void remember(void) {
  const ls_stop *stop = ls_session_stop();
  now.paused = stop != NULL;
  if (!stop) return;
  now.kind = stop->kind;
  now.recorded = stop->recorded;
  now.seq = stop->recorded ? stop->record.seq : 0;
  snprintf(now.where, sizeof now.where, "%s", stop->where);
}

static bool unmoved(void) {
  const ls_stop *stop = ls_session_stop();
  if (ls_journal_in_past()) return false;
  if (!now.paused || !stop) return !now.paused && !stop;
  return stop->kind == now.kind && stop->recorded == now.recorded && strcmp(stop->where, now.where) == 0 &&
         (!stop->recorded || stop->record.seq == now.seq);
}

static bool begins_a_run(int page) {
  ls_text line;
  bool begins = false;
  for (int i = 1; field(page, "run", i, &line); i++) {
    begins = begins || strncmp(line.s, "start ", 6) == 0;
    ls_text_free(&line);
  }
  return begins;
}

/* Brings the algorithm back to where the page has left it. */
static ls_status return_to(int page) {
  if (ls_journal_in_past()) {
    ls_status st = ls_show(ls_session_forward(0), 0);
    if (st || unmoved()) return st;
  }
  int from = page;
  while (from > 0 && !begins_a_run(from)) from--;
  if (!from) return LS_OK;
  ls_note("(back to where the lesson was)\n");
  ls_status st = LS_OK;
  for (; !st && from <= page; from++) st = run_commands(from);
  return st;
}

static ls_status show_page(int page, bool panel) {
  ls_text text;
  ls_status st = LS_OK;
  ls_text_free(&shown);
  shown = (ls_text){0};
  shown_number++;
  now.page = page;
  ls_say("\n");
  help_fold("--- %s, %d of %d ---", now.of->title, page, now.pages);
  if (panel) look_at(page);
  if (page > 1 && begins_a_run(page) && ls_session_paused()) st = ls_session_abandon();
  if (!st) st = run_commands(page);
  if (!st) st = check_claims(page);
  if (!st && field(page, "say", 0, &text)) {
    st = fill_in(text.s, &shown);
    if (!st && !(panel && reader && reader->show())) say_text(shown.s);
    ls_text_free(&text);
  }
  remember();
  return st;
}

/* --- the command ------------------------------------------------------------------------------------- */

static int load_file(lua_State *L) {
  const lesson *l = lua_touserdata(L, 1);
  int *pages = lua_touserdata(L, 2);
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", l->file);
  if (luaL_loadfile(L, l->file) != LUA_OK) return lua_error(L);
  lua_pushstring(L, dirname(folder));
  lua_call(L, 1, 1);
  *pages = ls_lesson_check_pages(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
  return 0;
}

static ls_status begin(const lesson *l) {
  lua_State *L = ls_session_lua();
  int pages = 0;
  if (now.of != l) {
    leave();
    now.opened = false;
  }
  now.over = false;
  lua_pushcfunction(L, load_file);
  lua_pushlightuserdata(L, (void *)(uintptr_t)l);
  lua_pushlightuserdata(L, &pages);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    const char *message = lua_tostring(L, -1);
    const bool placed = message && strstr(message, ".lua:"); /* Lua's own message has the file and the line */
    ls_status st = placed ? ls_fail(LS_EINPUT, "%s", message)
                          : ls_fail(LS_EINPUT, "%s: %s", l->file, message ? message : "?");
    lua_pop(L, 1);
    return st;
  }
  now.of = l;
  now.page = 0;
  now.pages = pages;
  return LS_OK;
}

static bool has_answers(void) {
  ls_text text;
  if (!field(now.pages, "answers", 0, &text)) return false;
  ls_text_free(&text);
  return true;
}

static void say_how(bool repeats) {
  if (now.page < now.pages) {
    ls_note("(%s`lesson next` goes on; look around as you like)\n", repeats ? "Enter or " : "");
    return;
  }
  const lesson *next = now.of->number && now.of + 1 < lessons + count ? now.of + 1 : NULL;
  if (!now.of->number)
    ls_note("(this was the last page%s)\n", has_answers() ? "; `lesson answers` answers its questions" : "");
  else if (next)
    ls_note("(this was lesson %d; `lesson %d` is \"%s\")\n", now.of->number, next->number, next->title);
  else
    ls_note("(this was the last lesson)\n");
  now.over = true; /* its text may still be read */
}

static ls_status go_on(void) {
  if (now.of && now.page && reader && reader->more()) return LS_OK;
  if (now.over) leave();
  if (!now.of) return ls_fail(LS_EARG, "no lesson is begun: `lesson` lists them");
  ls_status st = now.page && !unmoved() && !begins_a_run(now.page + 1) ? return_to(now.page) : LS_OK;
  if (!st) st = show_page(now.page + 1, true);
  if (!st) say_how(true);
  return st;
}

/* To compare one's own with. */
static ls_status show_answers(void) {
  ls_text text;
  if (!now.of) return ls_fail(LS_EARG, "no lesson is begun: `lesson` lists them");
  if (!field(now.pages, "answers", 0, &text)) return ls_fail(LS_EARG, "this lesson has no answers");
  say_text(text.s);
  ls_text_free(&text);
  return LS_OK;
}

static ls_status run_all(const lesson *l) {
  ls_status st = begin(l);
  for (int page = 1; !st && page <= now.pages; page++) st = show_page(page, false);
  if (ls_session_paused()) ls_session_abandon();
  leave();
  return st;
}

/* lesson check FILE: runs all pages, and tells how many claims were held to. */
static ls_status check_lesson(const lesson *l) {
  int claims = 0, pages = 0;
  ls_status st = run_all(l);
  if (st) return st;
  st = begin(l); /* to count */
  if (st) return st;
  pages = now.pages;
  ls_text text;
  for (int page = 1; page <= pages; page++)
    for (int i = 1; field(page, "hold", i, &text); i++, claims++) ls_text_free(&text);
  const bool answers = has_answers();
  leave();
  ls_say("%s: %d page%s, %d claim%s hold%s\n", l->file, pages, pages == 1 ? "" : "s", claims,
         claims == 1 ? "" : "s", answers ? "" : "; no answers");
  return LS_OK;
}

static ls_status list_lessons(void) {
  for (int i = 0; i < count; i++) {
    char where[48] = "";
    if (now.of == &lessons[i]) snprintf(where, sizeof where, "  (page %d of %d)", now.page, now.pages);
    help_fold("%3d  %-18s  %s%s", lessons[i].number, lessons[i].name, lessons[i].title, where);
  }
  return LS_OK;
}

static ls_status unknown(const char *word) {
  if (names_file(word)) return ls_fail(LS_EINPUT, "%s: %s", word, strerror(errno));
  return ls_fail(LS_EARG, "there is no lesson `%s`: `lesson` lists them", word);
}

/* What follows the word, if rest begins with it; NULL. */
static const char *after(const char *rest, const char *word) {
  const size_t n = strlen(word);
  if (strncmp(rest, word, n) != 0 || (rest[n] && rest[n] != ' ')) return NULL;
  return rest + n + strspn(rest + n, " ");
}

static ls_status lesson_command(const char *rest) {
  const char *made = after(rest, "new"), *checked = after(rest, "check");
  if (made) return ls_lesson_new(made);
  if (checked && !names_file(checked))
    return ls_fail(LS_EARG, "lesson check wants a file: lesson check NAME.lua");
  ls_status st = names_file(rest) ? LS_OK : find_lessons();
  if (st || !*rest) return st ? st : list_lessons();
  if (strcmp(rest, "next") == 0) return go_on();
  if (strcmp(rest, "again") == 0 || strcmp(rest, "restart") == 0) {
    if (!now.of) return go_on(); /* says so */
    now.over = false;
    int page = *rest == 'a' && now.page ? now.page - 1 : 0;
    st = begin(now.of);
    if (!st && page && !begins_a_run(page + 1)) st = return_to(page);
    now.page = page;
    now.paused = false;
    if (!st) st = show_page(page + 1, true);
    if (!st) say_how(false);
    return st;
  }
  if (strcmp(rest, "answers") == 0) return show_answers();
  if (strcmp(rest, "end") == 0) {
    leave();
    return LS_OK;
  }
  const char *all = after(rest, "run");
  const char *name = all ? all : checked ? checked : rest;
  const lesson *l = find(name);
  if (!l) return unknown(name);
  if (all) return run_all(l);
  if (checked) return check_lesson(l);
  if (now.of == l && now.over && !(reader && reader->more())) { /* Enter on an empty line comes here too */
    ls_note("(lesson %s is at its end: `lesson restart` begins it anew)\n", rest);
    return LS_OK;
  }
  if (now.of != l) st = begin(l);
  return st ? st : go_on();
}

const ls_command ls_commands_lesson[] = {
    {"lesson", "lesson [NAME | next | again | restart | run NAME | answers | end | new NAME | check FILE]",
     "Lists the guided lessons; or begins one, or goes on with it.\n"
     "Each page runs some commands and says what to look at; Enter goes on to the next page. Between pages you may\n"
     "type anything: step on, look into buffers, go back. `lesson again` shows the page once more, `lesson restart`\n"
     "begins the lesson anew, `lesson run NAME` shows all pages at once, also without a terminal. `lesson answers`\n"
     "answers the questions that a lesson asked at its end, if it has answers.\n"
     "A lesson of one's own is a file: `lesson new NAME` writes NAME.lua, `lesson NAME.lua` begins it, `lesson check\n"
     "NAME.lua` runs it and checks what it claims. help teaching tells the format.",
     lesson_command, true},
    {NULL, NULL, NULL, NULL, false},
};
