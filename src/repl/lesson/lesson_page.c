#include "repl/lesson/lesson_page.h"

#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "repl/commands/command.h"
#include "repl/help/help_lines.h"
#include "repl/lesson/lesson_file.h"
#include "repl/lesson/lesson_scene.h"
#include "repl/lesson/lesson_text.h"
#include "repl/output/pager.h"
#include "repl/repl.h"
#include "run/record/journal.h"

struct lesson_state the_lesson;

static char registry_key; /* of the list of pages of the open lesson */

void ls_lesson_read_by(const ls_lesson_reader *r) { the_lesson.reader = r; }

ls_lesson_page ls_lesson_present(void) {
  return (ls_lesson_page){the_lesson.of ? the_lesson.of->title : "",
                          ls_text_str(&the_lesson.shown),
                          the_lesson.page,
                          the_lesson.pages,
                          the_lesson.shown_number,
                          the_lesson.of ? the_lesson.of->file : ""};
}

/* --- fields ------------------------------------------------------------------------------------------- */

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

bool lesson_field(int page, const char *name, int item, ls_text *out) {
  request r = {.page = page, .field = name, .item = item};
  ls_session_try(ls_session_lua(), read_field, &r);
  *out = r.out;
  if (r.found && !r.out.failed) return true;
  ls_text_free(out);
  *out = (ls_text){0};
  return false;
}

bool lesson_has_answers(void) {
  ls_text text;
  if (!lesson_field(the_lesson.pages, "answers", 0, &text)) return false;
  ls_text_free(&text);
  return true;
}

/* --- playing ------------------------------------------------------------------------------------------ */

static ls_status run_commands(int page) {
  ls_status st = LS_OK;
  ls_text line;
  ls_scene_begin();
  the_lesson.playing = true;
  for (int i = 1; !st && lesson_field(page, "run", i, &line); i++) {
    ls_say("> %s\n", line.s);
    st = ls_input_piece(line.s, "lesson", 1);
    ls_text_free(&line);
  }
  the_lesson.playing = false;
  ls_scene_end();
  return st;
}

ls_status lesson_placed(ls_status st, int page, const char *name) {
  return st ? ls_fail_prefix(st, "lesson %s, page %d, %s: ", the_lesson.of->name, page, name) : LS_OK;
}

/* On a page with a question, replaces the message of a failure, because the claims and the expression of the
 * answer may reveal the answer. */
static ls_status hidden(ls_status st, int page, const char *name) {
  ls_text question;
  if (!st || !lesson_field(page, "ask", 0, &question)) return st;
  ls_text_free(&question);
  return ls_fail(
      st,
      "lesson %s, page %d: its `%s` fails here, perhaps because a name has another meaning now (`lesson "
      "restart` begins anew; `lesson check %s` shows what it is)",
      the_lesson.of->name, page, name, the_lesson.of->file);
}

static ls_status check_claims(int page, bool author) {
  ls_status st = LS_OK;
  ls_text claim, got = {0};
  for (int i = 1; !st && lesson_field(page, "hold", i, &claim); i++) {
    ls_text_cut(&got, 0);
    st = lesson_placed(ls_lesson_value(claim.s, claim.len, &got), page, "hold");
    if (!st && strcmp(ls_text_str(&got), "true") != 0)
      st = ls_fail(LS_EARG, "lesson %s, page %d: this is not true: %s", the_lesson.of->name, page, claim.s);
    ls_text_free(&claim);
  }
  ls_text_free(&got);
  return author ? st : hidden(st, page, "hold");
}

static bool panel_is_on(void) {
  lua_State *L = ls_session_lua();
  int n = 0;
  const bool on = !ls_session_eval("return panel.is_on()", "=lesson", &n) && n && lua_toboolean(L, -1);
  lua_settop(L, 0);
  return on;
}

/* Shows the view of the page, if it names one. The first such page opens the panel; if the learner closes it,
 * it stays closed. */
static void look_at(int page) {
  ls_text view, chunk = {0};
  int n = 0;
  if (!lesson_field(page, "see", 0, &view)) return;
  if (!the_lesson.opened) the_lesson.brought = !panel_is_on();
  ls_text_printf(&chunk, "%spanel.show('%s')", the_lesson.opened ? "return panel.is_on() and " : "", view.s);
  if (!chunk.failed)
    ls_session_eval(chunk.s, "=lesson", &n); /* fails without a terminal, which does not matter */
  lua_settop(ls_session_lua(), 0);
  the_lesson.opened = true;
  ls_text_free(&chunk);
  ls_text_free(&view);
}

static void remember(void) {
  const ls_stop *stop = ls_session_stop();
  the_lesson.paused = stop != NULL;
  if (!stop) return;
  the_lesson.kind = stop->kind;
  the_lesson.recorded = stop->recorded;
  the_lesson.seq = stop->recorded ? stop->record.seq : 0;
  snprintf(the_lesson.where, sizeof the_lesson.where, "%s", stop->where);
}

static bool unmoved(void) {
  const ls_stop *stop = ls_session_stop();
  if (ls_journal_in_past()) return false;
  if (!the_lesson.paused || !stop) return !the_lesson.paused && !stop;
  return stop->kind == the_lesson.kind && stop->recorded == the_lesson.recorded &&
         strcmp(stop->where, the_lesson.where) == 0 &&
         (!stop->recorded || stop->record.seq == the_lesson.seq);
}

static bool begins_a_run(int page) {
  ls_text line;
  bool begins = false;
  for (int i = 1; lesson_field(page, "run", i, &line); i++) {
    begins = begins || strncmp(line.s, "start ", 6) == 0;
    ls_text_free(&line);
  }
  return begins;
}

/* Brings the algorithm back to the stop at which the page left it: forward through the journal if that
 * suffices, else by running the pages since the last `start` again. */
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

ls_status lesson_prepare(int page, bool again) {
  if (page <= 1 || begins_a_run(page) || (!again && unmoved())) return LS_OK;
  return return_to(page - 1);
}

static void forget_question(void) {
  ls_text_free(&the_lesson.answer);
  the_lesson.answer = (ls_text){0};
  the_lesson.answered = the_lesson.ended = the_lesson.asked_on = false;
}

/* Appends the page's question to its text, and stores the answer. */
static ls_status ask(int page, bool author) {
  ls_text text, right;
  ls_status st = LS_OK;
  if (!lesson_field(page, "ask", 0, &text)) return LS_OK;
  if (lesson_field(page, "answer", 0, &right)) {
    if (the_lesson.shown.len) ls_text_puts(&the_lesson.shown, "\n\n");
    ls_text_puts(&the_lesson.shown, "QUESTION: ");
    st = lesson_placed(ls_lesson_fill(text.s, &the_lesson.shown), page, "ask");
    if (!st) {
      st = lesson_placed(ls_lesson_answer(right.s, &the_lesson.answer), page, "answer");
      if (!author) st = hidden(st, page, "answer");
    }
    ls_text_free(&right);
  }
  ls_text_free(&text);
  return st;
}

ls_status lesson_play(int page, bool author) {
  ls_text text;
  ls_status st = LS_OK;
  ls_text_free(&the_lesson.shown);
  the_lesson.shown = (ls_text){0};
  forget_question();
  the_lesson.shown_number++;
  the_lesson.page = page;
  if (!author) look_at(page);
  if (page > 1 && begins_a_run(page) && ls_session_paused()) st = ls_session_abandon();
  if (!st) st = run_commands(page);
  if (!st) st = check_claims(page, author);
  if (!st && lesson_field(page, "say", 0, &text)) {
    st = lesson_placed(ls_lesson_fill(text.s, &the_lesson.shown), page, "say");
    ls_text_free(&text);
  }
  return st ? st : ask(page, author);
}

ls_status lesson_show(int page, bool author) {
  ls_say("\n");
  help_fold("--- %s, %d of %d ---", the_lesson.of->title, page, the_lesson.pages);
  ls_status st = lesson_play(page, author);
  if (!st && the_lesson.shown.len && (author || !the_lesson.reader || !the_lesson.reader->show()))
    ls_pager(ls_lesson_say, the_lesson.shown.s);
  remember();
  return st;
}

/* --- opening and closing ------------------------------------------------------------------------------ */

void lesson_leave(void) {
  forget_question();
  if (the_lesson.of && the_lesson.reader) the_lesson.reader->end();
  if (the_lesson.of) ls_scene_give_back();
  the_lesson.of = NULL;
  ls_text_free(&the_lesson.shown);
  the_lesson.shown = (ls_text){0};
}

static int load_file(lua_State *L) {
  const ls_lesson *l = lua_touserdata(L, 1);
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

ls_status lesson_begin(const ls_lesson *l) {
  lua_State *L = ls_session_lua();
  int pages = 0;
  if (the_lesson.of != l) {
    lesson_leave();
    the_lesson.opened = the_lesson.opened && panel_is_on(); /* false: the lesson opens the panel again */
    ls_note_dropped();                                      /* tells the learner if this drops an algorithm */
    if (ls_session_paused()) ls_session_abandon();
  }
  ls_scene_begin();
  lua_pushcfunction(L, load_file);
  lua_pushlightuserdata(L, (void *)(uintptr_t)l);
  lua_pushlightuserdata(L, &pages);
  const bool loaded = lua_pcall(L, 2, 0, 0) == LUA_OK;
  ls_scene_end();
  if (!loaded) {
    if (the_lesson.of != l) ls_scene_give_back();
    const char *message = lua_tostring(L, -1);
    const bool placed =
        message && strstr(message, ".lua:"); /* such a message already has the file and the line */
    ls_status st = placed ? ls_fail(LS_EINPUT, "%s", message)
                          : ls_fail(LS_EINPUT, "%s: %s", l->file, message ? message : "?");
    lua_pop(L, 1);
    return st;
  }
  the_lesson.of = l;
  the_lesson.page = 0;
  the_lesson.pages = pages;
  return LS_OK;
}
