#include "repl/lesson/lesson_author.h"

#include "core/text.h"
#include "repl/lesson/lesson_export.h"
#include "repl/lesson/lesson_page.h"
#include "repl/lesson/lesson_text.h"
#include "repl/output/output.h"

/* Checks the hint of a page with a question. Fails if an expression in its braces has no value. Appends a
 * line to `remarks`, unless that is NULL, if the hint is missing or contains the answer. */
static ls_status check_hint(int page, ls_text *remarks) {
  ls_text text, filled = {0};
  const char *remark = "its question has no hint";
  ls_status st = LS_OK;
  if (!the_lesson.answer.len) return LS_OK;
  if (lesson_field(page, "hint", 0, &text)) {
    st = lesson_placed(ls_lesson_fill(text.s, &filled), page, "hint");
    const bool tells = ls_lesson_contains(ls_text_str(&filled), ls_text_str(&the_lesson.answer));
    remark = tells ? "its hint contains the answer" : NULL;
    ls_text_free(&text);
    ls_text_free(&filled);
  }
  if (!st && remark && remarks) ls_text_printf(remarks, "(page %d: %s)\n", page, remark);
  return st;
}

static ls_status run(const ls_lesson *l, ls_text *remarks) {
  ls_status st = lesson_begin(l);
  for (int page = 1; !st && page <= the_lesson.pages; page++) {
    st = lesson_show(page, true);
    if (!st) st = check_hint(page, remarks);
  }
  lesson_leave();
  return st;
}

ls_status lesson_run(const ls_lesson *l) { return run(l, NULL); }

ls_status lesson_check(const ls_lesson *l) {
  int claims = 0, questions = 0;
  ls_text text, remarks = {0};
  ls_status st = run(l, &remarks);
  const int pages = the_lesson.pages; /* the pages can be read even after the lesson was closed */
  for (int page = 1; !st && page <= pages; page++) {
    for (int i = 1; lesson_field(page, "hold", i, &text); i++, claims++) ls_text_free(&text);
    if (lesson_field(page, "ask", 0, &text)) {
      ls_text_free(&text);
      questions++;
    }
  }
  if (!st)
    ls_say("%s%s: %d page%s, %d claim%s hold%s, %d question%s%s\n", ls_text_str(&remarks), l->file, pages,
           ls_plural(pages), claims, ls_plural(claims), claims == 1 ? "s" : "", questions,
           ls_plural(questions), lesson_has_answers() ? "" : "; no answers at the end");
  ls_text_free(&remarks);
  return st;
}

/* Plays a page, captures its output, and appends the page to the export. */
static ls_status export_page(ls_export *e, int page) {
  ls_text view;
  ls_status st = ls_export_listen(e);
  if (st) return st;
  st = lesson_play(page, true);
  if (!st) st = check_hint(page, NULL);
  const bool see = lesson_field(page, "see", 0, &view);
  ls_export_heard(e);
  if (st) ls_note("%s", ls_text_str(&e->heard)); /* the captured output has the error message */
  if (!st) ls_export_page(e, page, the_lesson.pages, see ? view.s : NULL, ls_text_str(&the_lesson.shown));
  if (!st && the_lesson.answer.len) ls_export_answer(e, "Answer", the_lesson.answer.s);
  if (see) ls_text_free(&view);
  return st;
}

ls_status lesson_export(const ls_lesson *l, const char *file) {
  ls_export e = {0};
  ls_text answers;
  ls_status st = lesson_begin(l);
  if (!st) ls_export_begin(&e, l->title);
  for (int page = 1; !st && page <= the_lesson.pages; page++) st = export_page(&e, page);
  if (!st && lesson_field(the_lesson.pages, "answers", 0, &answers)) {
    ls_export_answer(&e, "Answers to the last questions", answers.s);
    ls_text_free(&answers);
  }
  lesson_leave();
  if (!st) st = ls_export_write(&e, file);
  ls_export_free(&e);
  if (!st) ls_note("(wrote %s)\n", file);
  return st;
}
