/* Texts of lessons: printing paragraphs, inserting values, comparing guesses with answers. */
#ifndef LS_REPL_LESSON_TEXT_H
#define LS_REPL_LESSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "core/string_builder.h"

/* Prints a text: prose is wrapped at the width of the terminal (at most 80), indented lines are unchanged, an
 * empty line ends a paragraph. Returns LS_OK, so that ls_pager can call it. */
ls_status ls_lesson_say(const char *text);
/* Appends the value of a Lua expression, evaluated at the current stop. An error message contains the
 * expression. */
ls_status ls_lesson_value(const char *expr, size_t len, ls_text *out);
/* Like ls_lesson_value, for the answer to a question; LS_EARG if the value contains no word or number. */
ls_status ls_lesson_answer(const char *expr, ls_text *out);
/* Appends the text, with each {expression} replaced by its value; {{ is a brace. */
ls_status ls_lesson_fill(const char *text, ls_text *out);
/* Does a guess have the same words and numbers as the answer? Numbers are compared by value, words regardless
 * of case; the order does not matter, nor do commas, brackets and "and". A guess may be a sentence, "I think
 * web": other words are ignored, except numbers, words that negate the guess or leave it open (not, neither,
 * or), and other choices, that is, words next to an "or" in the question. */
bool ls_lesson_answers(const char *guess, const char *answer, const char *question);
/* Does the guess have the same value as the answer? It may be arithmetic: 32/6 for 16/3, 1 + 0.85*1.5, x = 5.
 * If the answer is a fraction, the guess may be rounded to two or more decimals. */
bool ls_lesson_equals(const char *guess, const char *answer);
/* Does the text contain every word and number of the answer? */
bool ls_lesson_contains(const char *text, const char *answer);
/* Appends a hint on how a wrong guess differs from the answer, without revealing it: "1 of the 2 numbers is
 * right.", "Two numbers are expected."; possibly nothing. */
void ls_lesson_distance(const char *guess, const char *answer, ls_text *out);

#endif
