/* Guided lessons: pages of commands and text, which the learner runs one by one.
 *
 * A lesson is a Lua file NUMBER-NAME.lua in samples/lessons, or any other Lua file; its first line is a
 * comment with the title. It returns a list of pages (`help teaching` has the format, lesson_file.c checks
 * it). A page runs commands, checks claims about the state that they lead to, shows a text, and may ask a
 * question, which `lesson guess` answers. Between pages the learner may type anything. A page continues from
 * the stop at which the page before it left the algorithm; if the learner has stepped on or back, all pages
 * since the last `start` run again first. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "repl/command.h"
#include "repl/help_lines.h"
#include "repl/lesson.h"
#include "repl/lesson_export.h"
#include "repl/lesson_file.h"
#include "repl/lesson_list.h"
#include "repl/lesson_scene.h"
#include "repl/lesson_text.h"
#include "repl/pager.h"
#include "repl/repl.h"
#include "run/journal.h"

static char registry_key; /* of the list of pages of the open lesson */

static struct {
  const ls_lesson *of; /* the open lesson; NULL: none */
  int page, pages;     /* the page last shown, from 1 (0: none yet), and how many there are */
  bool opened;         /* a page has opened the panel */
  bool brought;        /* the panel was closed before, so `lesson end` closes it */
  bool answered;       /* the question of the page last shown was answered correctly */
  bool asked_on;       /* Enter was pressed once while the question was open */
  bool ended;          /* the learner was told that the lesson is at its end */
  /* the stop at which the page last shown left the algorithm */
  bool paused, recorded;
  ls_stop_kind kind;
  u64 seq;
  char where[64];
} now;

static ls_text answer; /* to the question of the page last shown; empty if it has none */
static ls_text shown;  /* the text of that page */
static int shown_number;
static const ls_lesson_reader *reader;
static bool playing;     /* the commands of a page are running */
static bool authoring;   /* lesson run, check or export: messages may reveal answers */
static ls_text *remarks; /* lesson check: what the author should improve, one line each; NULL otherwise */

void ls_lesson_read_by(const ls_lesson_reader *r) { reader = r; }

ls_lesson_page ls_lesson_present(void) {
  return (ls_lesson_page){now.of ? now.of->title : "", ls_text_str(&shown), now.page, now.pages, shown_number,
                          now.of ? now.of->file : ""};
}

static void forget_question(void) {
  ls_text_free(&answer);
  answer = (ls_text){0};
  now.answered = now.ended = now.asked_on = false;
}

static void leave(void) {
  forget_question();
  if (now.of && reader) reader->end();
  if (now.of) ls_scene_give_back();
  now.of = NULL;
  ls_text_free(&shown);
  shown = (ls_text){0};
}

void ls_lesson_names(void (*each)(void *, const char *), void *ctx) {
  static const char *const words[] = {"next",    "back", "again", "restart", "run",   "guess",
                                      "answers", "end",  "new",   "check",   "export"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) each(ctx, words[i]);
  if (ls_lessons_find()) return;
  for (int i = 0; ls_lesson_at(i); i++) each(ctx, ls_lesson_at(i)->name);
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

/* Copies a page's field (item 0) or item `item` of that list to out, which the caller frees. False if
 * absent. */
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
  ls_scene_begin();
  playing = true;
  for (int i = 1; !st && field(page, "run", i, &line); i++) {
    ls_say("> %s\n", line.s);
    st = ls_input_piece(line.s, "lesson", 1);
    ls_text_free(&line);
  }
  playing = false;
  ls_scene_end();
  return st;
}

/* Puts the lesson, page and field in front of the message of a failure. */
static ls_status placed(ls_status st, int page, const char *name) {
  return st ? ls_fail_prefix(st, "lesson %s, page %d, %s: ", now.of->name, page, name) : LS_OK;
}

/* On a page with a question, replaces the message of a failure, because the claims and the expression of the
 * answer may reveal the answer. */
static ls_status hidden(ls_status st, int page, const char *name) {
  ls_text question;
  if (!st || authoring || !field(page, "ask", 0, &question)) return st;
  ls_text_free(&question);
  return ls_fail(
      st,
      "lesson %s, page %d: its `%s` fails here, perhaps because a name has another meaning now (`lesson "
      "restart` begins anew; `lesson check %s` shows what it is)",
      now.of->name, page, name, now.of->file);
}

static ls_status check_claims(int page) {
  ls_status st = LS_OK;
  ls_text claim, got = {0};
  for (int i = 1; !st && field(page, "hold", i, &claim); i++) {
    ls_text_cut(&got, 0);
    st = placed(ls_lesson_value(claim.s, claim.len, &got), page, "hold");
    if (!st && strcmp(ls_text_str(&got), "true") != 0)
      st = ls_fail(LS_EARG, "lesson %s, page %d: this is not true: %s", now.of->name, page, claim.s);
    ls_text_free(&claim);
  }
  ls_text_free(&got);
  return hidden(st, page, "hold");
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
  if (!field(page, "see", 0, &view)) return;
  if (!now.opened) now.brought = !panel_is_on();
  ls_text_printf(&chunk, "%spanel.show('%s')", now.opened ? "return panel.is_on() and " : "", view.s);
  if (!chunk.failed)
    ls_session_eval(chunk.s, "=lesson", &n); /* fails without a terminal, which does not matter */
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

/* For the author: the hint must have values for its braces, and should exist and not contain the answer. */
static ls_status check_hint(int page) {
  ls_text text, filled = {0};
  const char *remark = "its question has no hint";
  ls_status st = LS_OK;
  if (field(page, "hint", 0, &text)) {
    st = placed(ls_lesson_fill(text.s, &filled), page, "hint");
    remark = ls_lesson_contains(ls_text_str(&filled), ls_text_str(&answer)) ? "its hint contains the answer"
                                                                            : NULL;
    ls_text_free(&text);
    ls_text_free(&filled);
  }
  if (!st && remark && remarks) ls_text_printf(remarks, "(page %d: %s)\n", page, remark);
  return st;
}

/* Appends the page's question to its text, and stores the answer. */
static ls_status ask(int page) {
  ls_text text, right;
  ls_status st = LS_OK;
  if (!field(page, "ask", 0, &text)) return LS_OK;
  if (field(page, "answer", 0, &right)) {
    if (shown.len) ls_text_puts(&shown, "\n\n");
    ls_text_puts(&shown, "QUESTION: ");
    st = placed(ls_lesson_fill(text.s, &shown), page, "ask");
    if (!st) st = hidden(placed(ls_lesson_answer(right.s, &answer), page, "answer"), page, "answer");
    if (!st && authoring) st = check_hint(page);
    ls_text_free(&right);
  }
  ls_text_free(&text);
  return st;
}

/* Runs the commands of a page, checks its claims and puts its text into `shown`. */
static ls_status play_page(int page, bool panel) {
  ls_text text;
  ls_status st = LS_OK;
  ls_text_free(&shown);
  shown = (ls_text){0};
  forget_question();
  shown_number++;
  now.page = page;
  if (panel) look_at(page);
  if (page > 1 && begins_a_run(page) && ls_session_paused()) st = ls_session_abandon();
  if (!st) st = run_commands(page);
  if (!st) st = check_claims(page);
  if (!st && field(page, "say", 0, &text)) {
    st = placed(ls_lesson_fill(text.s, &shown), page, "say");
    ls_text_free(&text);
  }
  return st ? st : ask(page);
}

static ls_status say_text(const char *text) {
  ls_lesson_say(text);
  return LS_OK;
}

static ls_status show_page(int page, bool panel) {
  ls_say("\n");
  help_fold("--- %s, %d of %d ---", now.of->title, page, now.pages);
  ls_status st = play_page(page, panel);
  if (!st && shown.len && !(panel && reader && reader->show())) ls_pager(say_text, shown.s);
  remember();
  return st;
}

/* --- the command ------------------------------------------------------------------------------------- */

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

static ls_status begin_lesson(const ls_lesson *l) {
  lua_State *L = ls_session_lua();
  int pages = 0;
  if (now.of != l) {
    leave();
    now.opened = now.opened && panel_is_on(); /* a panel that is open stays open */
    ls_note_dropped();                        /* an algorithm that the learner started */
    if (ls_session_paused()) ls_session_abandon();
  }
  ls_scene_begin();
  lua_pushcfunction(L, load_file);
  lua_pushlightuserdata(L, (void *)(uintptr_t)l);
  lua_pushlightuserdata(L, &pages);
  const bool loaded = lua_pcall(L, 2, 0, 0) == LUA_OK;
  ls_scene_end();
  if (!loaded) {
    if (now.of != l) ls_scene_give_back();
    const char *message = lua_tostring(L, -1);
    const bool placed =
        message && strstr(message, ".lua:"); /* such a message already has the file and the line */
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

/* Tells the learner, at the end of the lesson, what to do next. */
static void say_end(const char *first) {
  const ls_lesson *next = ls_lesson_after(now.of);
  ls_text text = {0};
  ls_text_printf(&text, "(%s", first);
  if (has_answers()) ls_text_puts(&text, "; `lesson answers` answers its questions");
  if (next) ls_text_printf(&text, "; `lesson %d` is \"%s\"", next->number, next->title);
  if (now.of->number && !next) ls_text_puts(&text, "; there is no lesson after it");
  ls_note("%s)\n", ls_text_str(&text));
  ls_text_free(&text);
}

static void say_how(void) {
  if (now.page == now.pages)
    say_end("this is the last page");
  else if (answer.len)
    ls_note("(`lesson guess ...` checks your answer; Enter or `lesson next` goes on)\n");
  else
    ls_note("(Enter or `lesson next` goes on; look around as you like)\n");
}

static ls_status none_begun(void) { return ls_fail(LS_EARG, "no lesson is open: `lesson` lists them"); }

static ls_status go_on(void) {
  if (!now.of) return none_begun();
  if (now.page == now.pages) {
    say_end("this is the end of the lesson: `lesson end` closes it, `lesson restart` begins it anew");
    now.ended = true;
    return LS_OK;
  }
  ls_status st = now.page && !unmoved() && !begins_a_run(now.page + 1) ? return_to(now.page) : LS_OK;
  if (!st) st = show_page(now.page + 1, true);
  if (!st) say_how();
  return st;
}

const char *ls_lesson_on_enter(void) {
  if (!now.of || !now.page) return NULL;
  if (!now.answered && reader && reader->more()) return "";
  if (now.ended) return NULL;
  if (answer.len && !now.answered && !now.asked_on) {
    ls_note(
        "(the question of this page is open: `lesson guess ...` answers it; Enter again goes on without it)\n");
    now.asked_on = true;
    return "";
  }
  return "lesson next";
}

/* The reply to a wrong guess: how much of it is right, and the hint of the page. */
static void say_wrong(const char *words, bool more) {
  ls_text text, filled = {0}, near = {0};
  ls_lesson_distance(words, ls_text_str(&answer), &near);
  if (field(now.page, "hint", 0, &text)) {
    if (ls_lesson_fill(text.s, &filled))
      ls_text_cut(&filled, 0); /* fails if the learner redefined a name in it */
    ls_text_free(&text);
  }
  ls_text said = {0};
  ls_text_printf(&said, "No, not %s.%s%s ", words, near.len ? " " : "", ls_text_str(&near));
  if (filled.len)
    ls_text_puts(&said, filled.s);
  else
    ls_text_printf(&said, "Look once more and guess again%s.", more ? "; the next page has the answer" : "");
  ls_lesson_say(ls_text_str(&said));
  ls_text_free(&said);
  ls_text_free(&filled);
  ls_text_free(&near);
}

/* lesson guess WORDS: checks an answer to the page's question. */
static ls_status guess_answer(const char *words) {
  if (!now.of) return none_begun();
  if (!answer.len) return ls_fail(LS_EARG, "this page asks no question that can be checked");
  if (!*words) return ls_fail(LS_EARG, "lesson guess needs your answer: lesson guess 3");
  const bool more = now.page < now.pages;
  ls_text question;
  const bool asked = field(now.page, "ask", 0, &question);
  const bool fractions = strchr(words, '/') && strchr(ls_text_str(&answer), '/'); /* 3/16 is not 16/3 */
  now.answered = (!fractions && ls_lesson_answers(words, ls_text_str(&answer), asked ? question.s : "")) ||
                 ls_lesson_equals(words, ls_text_str(&answer));
  now.asked_on = false;
  if (asked) ls_text_free(&question);
  if (now.answered)
    ls_say("Right: %s%s.\n", ls_text_str(&answer), more ? "; Enter or `lesson next` goes on" : "");
  else
    say_wrong(words, more);
  return LS_OK;
}

/* lesson answers: shows the answers of the last page; in the panel they replace the page. */
static ls_status show_answers(void) {
  ls_text text;
  if (!now.of) return none_begun();
  if (!field(now.pages, "answers", 0, &text)) return ls_fail(LS_EARG, "this lesson has no answers");
  if (reader && now.page == now.pages && reader->show()) {
    ls_text_free(&shown);
    shown = text;
    shown_number++;
    return LS_OK;
  }
  ls_pager(say_text, text.s);
  ls_text_free(&text);
  return LS_OK;
}

static ls_status run_all(const ls_lesson *l) {
  ls_status st = begin_lesson(l);
  authoring = true;
  for (int page = 1; !st && page <= now.pages; page++) st = show_page(page, false);
  authoring = false;
  leave();
  return st;
}

/* lesson check FILE: runs all pages, and prints how many pages, claims and questions there are. */
static ls_status check_lesson(const ls_lesson *l) {
  int claims = 0, questions = 0;
  ls_text text, found = {0};
  remarks = &found;
  ls_status st = run_all(l);
  remarks = NULL;
  for (int page = 1; !st && page <= now.pages; page++) { /* the list of pages is still there */
    for (int i = 1; field(page, "hold", i, &text); i++, claims++) ls_text_free(&text);
    if (field(page, "ask", 0, &text)) {
      ls_text_free(&text);
      questions++;
    }
  }
  if (!st)
    ls_say("%s%s: %d page%s, %d claim%s hold%s, %d question%s%s\n", ls_text_str(&found), l->file, now.pages,
           ls_plural(now.pages), claims, ls_plural(claims), claims == 1 ? "s" : "", questions,
           ls_plural(questions), has_answers() ? "" : "; no answers at the end");
  ls_text_free(&found);
  return st;
}

static ls_status unknown(const char *word) {
  if (ls_lesson_is_file(word)) return ls_fail(LS_EINPUT, "%s: %s", word, strerror(errno));
  return ls_fail(LS_EARG, "there is no lesson `%s`: `lesson` lists them", word);
}

/* lesson export [NAME] FILE.html: runs all pages, and writes what a learner sees. */
static ls_status export_lesson(const char *rest) {
  const char *space = strrchr(rest, ' '), *file = space ? space + 1 : rest;
  char name[PATH_MAX] = "";
  const size_t n = strlen(file);
  if (n < 6 || strcmp(file + n - 5, ".html") != 0)
    return ls_fail(LS_EARG, "lesson export needs a file that ends in .html: lesson export [NAME] FILE.html");
  if (space) snprintf(name, sizeof name, "%.*s", (int)(space - rest), rest);
  const ls_lesson *l = *name ? ls_lesson_named(name) : now.of;
  if (!l && *name) return unknown(name);
  if (!l) return ls_fail(LS_EARG, "no lesson is open: lesson export NAME FILE.html");
  ls_export e = {0};
  ls_text view, answers;
  ls_status st = begin_lesson(l);
  authoring = true;
  if (!st) ls_export_begin(&e, l->title);
  for (int page = 1; !st && page <= now.pages; page++) {
    st = ls_export_listen(&e);
    if (st) break;
    st = play_page(page, false);
    const bool see = field(page, "see", 0, &view);
    ls_export_heard(&e);
    if (st) ls_note("%s", ls_text_str(&e.heard)); /* the captured output has the error message */
    if (!st) ls_export_page(&e, page, now.pages, see ? view.s : NULL, ls_text_str(&shown));
    if (!st && answer.len) ls_export_answer(&e, "Answer", answer.s);
    if (see) ls_text_free(&view);
  }
  authoring = false;
  if (!st && field(now.pages, "answers", 0, &answers)) {
    ls_export_answer(&e, "Answers to the last questions", answers.s);
    ls_text_free(&answers);
  }
  leave();
  if (!st) st = ls_export_write(&e, file);
  ls_export_free(&e);
  if (!st) ls_note("(wrote %s)\n", file);
  return st;
}

static ls_status list_lessons(const char *unused) {
  (void)unused;
  for (int i = 0; ls_lesson_at(i); i++) {
    const ls_lesson *l = ls_lesson_at(i);
    char where[48] = "";
    if (now.of == l) snprintf(where, sizeof where, "  (page %d of %d)", now.page, now.pages);
    help_fold("%3d  %-18s  %s%s", l->number, l->name, l->title, where);
  }
  return LS_OK;
}

/* What follows the word, if rest begins with it; else NULL. */
static const char *after(const char *rest, const char *word) {
  const size_t n = strlen(word);
  if (strncmp(rest, word, n) != 0 || (rest[n] && rest[n] != ' ')) return NULL;
  return rest + n + strspn(rest + n, " ");
}

static ls_status lesson_command(const char *rest) {
  const char *made = after(rest, "new"), *checked = after(rest, "check"), *guessed = after(rest, "guess"),
             *exported = after(rest, "export");
  if (made) return ls_lesson_new(made);
  if (playing && *rest)
    return ls_fail(
        LS_EARG, "`lesson %s` among the commands of a page: a lesson cannot run, move or end a lesson", rest);
  if (checked && !ls_lesson_is_file(checked))
    return ls_fail(LS_EARG, "lesson check needs a file: lesson check NAME.lua");
  ls_status st = ls_lesson_is_file(rest) ? LS_OK : ls_lessons_find();
  if (st || !*rest) return st ? st : ls_pager(list_lessons, "");
  if (strcmp(rest, "next") == 0) return go_on();
  if (guessed) return guess_answer(guessed);
  if (exported) return export_lesson(exported);
  const bool back = strcmp(rest, "back") == 0;
  if (back || strcmp(rest, "again") == 0 || strcmp(rest, "restart") == 0) {
    if (!now.of) return none_begun();
    if (back && now.page <= 1) return ls_fail(LS_EARG, "this is the first page: there is none before it");
    int page = back ? now.page - 2 : *rest == 'a' && now.page ? now.page - 1 : 0;
    st = begin_lesson(now.of);
    if (!st && page && !begins_a_run(page + 1)) st = return_to(page);
    now.page = page;
    now.paused = false;
    if (!st) st = show_page(page + 1, true);
    if (!st) say_how();
    return st;
  }
  if (strcmp(rest, "answers") == 0) return show_answers();
  if (strcmp(rest, "end") == 0) {
    leave();
    int n = 0;
    if (now.brought) ls_session_eval("panel.off()", "=lesson", &n);
    now.brought = now.opened = false;
    return LS_OK;
  }
  const char *all = after(rest, "run");
  const char *name = all ? all : checked ? checked : rest;
  const ls_lesson *l = ls_lesson_named(name);
  if (!l) return unknown(name);
  if (all) return run_all(l);
  if (checked) return check_lesson(l);
  if (now.of != l) st = begin_lesson(l);
  return st ? st : go_on();
}

const ls_command ls_commands_lesson[] = {
    {"lesson",
     "lesson [NAME | next | back | again | guess ANSWER | answers | restart | end | run NAME | ...]",
     "Lists the guided lessons; or begins one, or goes on with it.\n"
     "Each page runs some commands and says what to look at. While a lesson is open, Enter on an empty line belongs to it:\n"
     "it shows more of a long page, and then the next one; it repeats no command. Between pages you may type anything:\n"
     "step on, look into buffers, go back. Where a page asks a question, `lesson guess 3` says whether 3 is the answer; a wrong guess gets a hint, and Enter asks before it leaves an open question. `lesson answers` answers the questions that a lesson asks at its end. `lesson again` shows the\n"
     "page once more, `lesson back` the page before it, `lesson restart` begins the lesson anew, `lesson run NAME` shows all pages at once, also without\n"
     "a terminal. `lesson export x.html` writes the present lesson as a page for a browser, `lesson export NAME x.html`\n"
     "that lesson.\n"
     "A lesson of your own is a file: `lesson new NAME` writes NAME.lua, `lesson NAME.lua` begins it, `lesson check\n"
     "NAME.lua` runs it and checks what it claims. help teaching explains the format.",
     lesson_command, false},
    {NULL, NULL, NULL, NULL, false},
};
