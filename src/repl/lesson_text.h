/* The texts of lessons: values in braces, paragraphs, guesses. */
#ifndef LS_REPL_LESSON_TEXT_H
#define LS_REPL_LESSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"
#include "repl/text.h"

/* Prose flows at the terminal's width; an indented line stays as it is, an empty one ends a paragraph. */
void ls_lesson_say(const char *text);
/* Adds the value of a Lua expression at the stop, as text. An error names the expression. */
ls_status ls_lesson_value(const char *expr, size_t len, ls_text *out);
/* The same of an answer, which is to be words and numbers. */
ls_status ls_lesson_answer(const char *expr, ls_text *out);
/* Adds the text, with values for what stands in braces; {{ is a brace. */
ls_status ls_lesson_fill(const char *text, ls_text *out);
/* Is a guess the answer? Both are words and numbers: numbers are compared as numbers, words whatever their
 * case; neither their order counts, nor commas, brackets and "and" between them. */
bool ls_lesson_agrees(const char *guess, const char *answer);
/* The same of a sentence, "I think web": other words do not count, unless they are numbers, deny (not,
 * neither), leave it open (or), or are another choice, which the question names beside an "or". */
bool ls_lesson_answers(const char *guess, const char *answer, const char *question);
/* The same of numbers by their value: 32/6 and 16/3, 1 + 0.85*1.5, x = 5. A fraction may be given by
 * decimals, two at least. */
bool ls_lesson_equals(const char *guess, const char *answer);
/* Has the text every word and number of the answer? */
bool ls_lesson_contains(const char *text, const char *answer);
/* What a wrong guess has to do with the answer, without telling that: "1 of the 2 numbers is right.",
 * "Two numbers are expected.". Nothing, if there is nothing to say. */
void ls_lesson_distance(const char *guess, const char *answer, ls_text *out);

#endif
