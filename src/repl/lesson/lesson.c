/* Guided lessons: pages of commands and text, which the learner runs one by one.
 *
 * A lesson is a Lua file NUMBER-NAME.lua in samples/lessons, or any other Lua file; its first line is a
 * comment with the title. It returns a list of pages (`help teaching` has the format, lesson_file.c checks
 * it, lesson_page.c plays it). A page runs commands, checks claims about the resulting state, shows a text,
 * and may ask a question, which `lesson guess` answers. Between pages the learner may type anything. A page
 * continues from the stop at which the previous page left the algorithm; if the learner has stepped on or
 * back, all pages since the last `start` run again first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "core/words.h"
#include "repl/commands/command.h"
#include "repl/help/help_lines.h"
#include "repl/lesson/lesson.h"
#include "repl/lesson/lesson_author.h"
#include "repl/lesson/lesson_file.h"
#include "repl/lesson/lesson_list.h"
#include "repl/lesson/lesson_page.h"
#include "repl/lesson/lesson_text.h"
#include "repl/output/pager.h"

void ls_lesson_names(void (*each)(void *, const char *), void *ctx) {
  static const char *const words[] = {"next",    "back", "again", "restart", "run",   "guess",
                                      "answers", "end",  "new",   "check",   "export"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) each(ctx, words[i]);
  if (ls_lessons_find()) return;
  for (int i = 0; ls_lesson_at(i); i++) each(ctx, ls_lesson_at(i)->name);
}

/* Tells the learner, at the end of the lesson, what to do next. */
static void say_end(const char *first) {
  const ls_lesson *next = ls_lesson_after(the_lesson.of);
  ls_text text = {0};
  ls_text_printf(&text, "(%s", first);
  if (lesson_has_answers()) ls_text_puts(&text, "; `lesson answers` answers its questions");
  if (next) ls_text_printf(&text, "; `lesson %d` is \"%s\"", next->number, next->title);
  if (the_lesson.of->number && !next) ls_text_puts(&text, "; there is no lesson after it");
  ls_note("%s)\n", ls_text_str(&text));
  ls_text_free(&text);
}

static void say_how(void) {
  if (the_lesson.page == the_lesson.pages)
    say_end("this is the last page");
  else if (the_lesson.answer.len)
    ls_note("(`lesson guess ...` checks your answer; Enter or `lesson next` goes on)\n");
  else
    ls_note("(Enter or `lesson next` goes on; look around as you like)\n");
}

static ls_status none_begun(void) { return ls_fail(LS_EARG, "no lesson is open: `lesson` lists them"); }

static ls_status go_on(void) {
  if (!the_lesson.of) return none_begun();
  if (the_lesson.page == the_lesson.pages) {
    say_end("this is the end of the lesson: `lesson end` closes it, `lesson restart` begins it anew");
    the_lesson.ended = true;
    return LS_OK;
  }
  ls_status st = lesson_prepare(the_lesson.page + 1, false);
  if (!st) st = lesson_show(the_lesson.page + 1, false);
  if (!st) say_how();
  return st;
}

const char *ls_lesson_on_enter(void) {
  if (!the_lesson.of || !the_lesson.page) return NULL;
  if (!the_lesson.answered && the_lesson.reader && the_lesson.reader->more()) return "";
  if (the_lesson.ended) return NULL;
  if (the_lesson.answer.len && !the_lesson.answered && !the_lesson.asked_on) {
    ls_note(
        "(the question of this page is open: `lesson guess ...` answers it; Enter again goes on without it)\n");
    the_lesson.asked_on = true;
    return "";
  }
  return "lesson next";
}

/* The reply to a wrong guess: how much of it is right, and the hint of the page. */
static void say_wrong(const char *words, bool more) {
  ls_text text, filled = {0}, near = {0};
  ls_lesson_distance(words, ls_text_str(&the_lesson.answer), &near);
  if (lesson_field(the_lesson.page, "hint", 0, &text)) {
    if (ls_lesson_fill(text.s, &filled))
      ls_text_cut(&filled, 0); /* fails if the learner redefined a name in the hint */
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
  if (!the_lesson.of) return none_begun();
  if (!the_lesson.answer.len) return ls_fail(LS_EARG, "this page asks no question that can be checked");
  if (!*words) return ls_fail(LS_EARG, "lesson guess needs your answer: lesson guess 3");
  const bool more = the_lesson.page < the_lesson.pages;
  ls_text question;
  const bool asked = lesson_field(the_lesson.page, "ask", 0, &question);
  const bool fractions =
      strchr(words, '/') && strchr(ls_text_str(&the_lesson.answer), '/'); /* 3/16 is not 16/3 */
  the_lesson.answered =
      (!fractions && ls_lesson_answers(words, ls_text_str(&the_lesson.answer), asked ? question.s : "")) ||
      ls_lesson_equals(words, ls_text_str(&the_lesson.answer));
  the_lesson.asked_on = false;
  if (asked) ls_text_free(&question);
  if (the_lesson.answered)
    ls_say("Right: %s%s.\n", ls_text_str(&the_lesson.answer), more ? "; Enter or `lesson next` goes on" : "");
  else
    say_wrong(words, more);
  return LS_OK;
}

/* lesson answers: shows the answers of the last page; in the panel they replace the page. */
static ls_status show_answers(void) {
  ls_text text;
  if (!the_lesson.of) return none_begun();
  if (!lesson_field(the_lesson.pages, "answers", 0, &text))
    return ls_fail(LS_EARG, "this lesson has no answers");
  if (the_lesson.reader && the_lesson.page == the_lesson.pages && the_lesson.reader->show()) {
    ls_text_free(&the_lesson.shown);
    the_lesson.shown = text;
    the_lesson.shown_number++;
    return LS_OK;
  }
  ls_pager(ls_lesson_say, text.s);
  ls_text_free(&text);
  return LS_OK;
}

static ls_status unknown(const char *word) {
  if (ls_lesson_is_file(word)) return ls_fail(LS_EINPUT, "%s: %s", word, strerror(errno));
  return ls_fail(LS_EARG, "there is no lesson `%s`: `lesson` lists them", word);
}

/* lesson export [NAME] FILE.html */
static ls_status export_lesson(const char *rest) {
  const char *space = strrchr(rest, ' '), *file = space ? space + 1 : rest;
  char name[PATH_MAX] = "";
  if (!ls_ends_in(file, ".html"))
    return ls_fail(LS_EARG, "lesson export needs a file that ends in .html: lesson export [NAME] FILE.html");
  if (space) snprintf(name, sizeof name, "%.*s", (int)(space - rest), rest);
  const ls_lesson *l = *name ? ls_lesson_named(name) : the_lesson.of;
  if (!l && *name) return unknown(name);
  if (!l) return ls_fail(LS_EARG, "no lesson is open: name one, as in lesson export NAME FILE.html");
  return lesson_export(l, file);
}

static ls_status list_lessons(const char *unused) {
  (void)unused;
  for (int i = 0; ls_lesson_at(i); i++) {
    const ls_lesson *l = ls_lesson_at(i);
    char where[48] = "";
    if (the_lesson.of == l)
      snprintf(where, sizeof where, "  (page %d of %d)", the_lesson.page, the_lesson.pages);
    help_fold("%3d  %-18s  %s%s", l->number, l->name, l->title, where);
  }
  return LS_OK;
}

static ls_status lesson_command(const char *rest) {
  const char *made = ls_after_word(rest, "new"), *checked = ls_after_word(rest, "check"),
             *guessed = ls_after_word(rest, "guess"), *exported = ls_after_word(rest, "export");
  if (made) return ls_lesson_new(made);
  if (the_lesson.playing && *rest)
    return ls_fail(LS_EARG,
                   "`lesson %s` cannot be a command of a page: a lesson cannot run, move or end a lesson",
                   rest);
  if (checked && !ls_lesson_is_file(checked))
    return ls_fail(LS_EARG, "lesson check needs a file: lesson check NAME.lua");
  ls_status st = ls_lesson_is_file(rest) ? LS_OK : ls_lessons_find();
  if (st || !*rest) return st ? st : ls_pager(list_lessons, "");
  if (strcmp(rest, "next") == 0) return go_on();
  if (guessed) return guess_answer(guessed);
  if (exported) return export_lesson(exported);
  const bool back = strcmp(rest, "back") == 0;
  if (back || strcmp(rest, "again") == 0 || strcmp(rest, "restart") == 0) {
    if (!the_lesson.of) return none_begun();
    if (back && the_lesson.page <= 1)
      return ls_fail(LS_EARG, "this is the first page: there is none before it");
    int page = back ? the_lesson.page - 2 : *rest == 'a' && the_lesson.page ? the_lesson.page - 1 : 0;
    st = lesson_begin(the_lesson.of);
    if (!st) st = lesson_prepare(page + 1, true);
    the_lesson.page = page;
    the_lesson.paused = false;
    if (!st) st = lesson_show(page + 1, false);
    if (!st) say_how();
    return st;
  }
  if (strcmp(rest, "answers") == 0) return show_answers();
  if (strcmp(rest, "end") == 0) {
    lesson_leave();
    int n = 0;
    if (the_lesson.brought) ls_session_eval("panel.off()", "=lesson", &n);
    the_lesson.brought = the_lesson.opened = false;
    return LS_OK;
  }
  const char *all = ls_after_word(rest, "run");
  const char *name = all ? all : checked ? checked : rest;
  const ls_lesson *l = ls_lesson_named(name);
  if (!l) return unknown(name);
  if (all) return lesson_run(l);
  if (checked) return lesson_check(l);
  if (the_lesson.of != l) st = lesson_begin(l);
  return st ? st : go_on();
}

const ls_command ls_commands_lesson[] = {
    {"lesson",
     "lesson [NAME | next | back | again | guess ANSWER | answers | restart | end | run NAME | ...]",
     "Lists the guided lessons; or begins one, or goes on with it.\n"
     "Each page runs some commands and says what to look at. While a lesson is open, Enter on an empty line shows\n"
     "more of a long page, and then the next page; it repeats no command. Between pages you may type anything:\n"
     "step on, look into buffers, go back. Where a page asks a question, `lesson guess 3` says whether 3 is the answer; a wrong guess gets a hint, and Enter asks before it leaves an open question. `lesson answers` answers the questions that a lesson asks at its end. `lesson again` shows the\n"
     "page once more, `lesson back` the page before it, `lesson restart` begins the lesson anew, `lesson run NAME` shows all pages at once, also without\n"
     "a terminal. `lesson export x.html` writes the present lesson as a page for a browser, `lesson export NAME x.html`\n"
     "that lesson.\n"
     "A lesson of your own is a file: `lesson new NAME` writes NAME.lua, `lesson NAME.lua` begins it, `lesson check\n"
     "NAME.lua` runs it and checks what it claims. help teaching explains the format.",
     lesson_command, false},
    {NULL, NULL, NULL, NULL, false},
};
