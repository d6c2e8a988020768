#include "repl/lesson/lesson_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <lua.h>

#include "core/mem.h"
#include "core/output.h"
#include "core/wrap_text.h"
#include "repl/commands/command.h"
#include "session/session.h"

ls_status ls_lesson_say(const char *text) {
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
      const int wide = ls_columns(word, len);
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
  return LS_OK;
}

/* Appends the string that the Lua function f returns for the value of an expression. */
static ls_status value(const char *f, const char *expr, size_t len, ls_text *out) {
  ls_text chunk = {0};
  int n = 0;
  ls_text only = {0};
  ls_text_add(&only, expr, len);
  char *compared = only.failed ? NULL : ls_session_equalities(ls_text_str(&only));
  ls_text_free(&only);
  if (compared) ls_text_printf(&chunk, "%s((%s))", f, compared);
  ls_free(compared);
  if (!compared || chunk.failed) {
    ls_text_free(&chunk);
    return LS_EMEM;
  }
  ls_ran ran = ls_session_eval(chunk.s, "=lesson", &n);
  ls_text_free(&chunk);
  lua_State *L = ls_session_lua();
  if (ran == LS_ERROR) {
    const char *message = lua_tostring(L, -1);
    static const char place[] = "lesson:1: ";
    if (!message) message = "an error that is not a string";
    if (strncmp(message, place, sizeof place - 1) == 0) message += sizeof place - 1;
    const ls_status st = ls_fail(LS_EARG, "%.*s: %s", (int)len, expr, message);
    lua_pop(L, 1);
    return st;
  }
  if (ran != LS_DONE || n != 1) return ls_fail(LS_EARG, "%.*s: not a complete expression", (int)len, expr);
  ls_text_puts(out, lua_tostring(L, -1));
  lua_pop(L, 1);
  return LS_OK;
}

ls_status ls_lesson_value(const char *expr, size_t len, ls_text *out) {
  return value("tostring", expr, len, out);
}

ls_status ls_lesson_fill(const char *text, ls_text *out) {
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
    ls_status st = ls_lesson_value(at + 1, len, out);
    if (st) return st;
    at += len + 2;
  }
  return out->failed ? LS_EMEM : LS_OK;
}

/* --- guesses ----------------------------------------------------------------------------------------- */

enum { WORD = 64, WORDS = 64 };

static int by_word(const void *a, const void *b) { return strcasecmp(a, b); }

/* Reads the next word or number of a text (a number in a canonical form) and moves *s past it. Returns 1; 0
 * if there is none, -1 if it is too long. */
static int next_word(const char **s, char out[WORD]) {
  const char *at = *s;
  while (*at && !isalnum((unsigned char)*at) && *at != '_' &&
         !(strchr("-.", *at) && isdigit((unsigned char)at[1])))
    at++;
  *s = at;
  if (!*at) return 0;
  char *end;
  const double number = strtod(at, &end);
  /* A unit may follow the number directly, as in 20MB. */
  const bool is_number = end > at && !isalpha((unsigned char)at[0]) && *end != '_' && isfinite(number);
  size_t len = 0;
  if (is_number)
    len = (size_t)(end - at);
  else
    while (isalnum((unsigned char)at[len]) || (at[len] && strchr("_.", at[len]))) len++;
  while (!is_number && len > 1 && at[len - 1] == '.') len--;
  *s = at + len;
  if (len >= WORD) return -1;
  if (is_number)
    snprintf(out, WORD, "%.9g", number);
  else
    snprintf(out, WORD, "%.*s", (int)len, at);
  return 1;
}

/* Splits a text into words and numbers (in a canonical form), and sorts them; leaves "and" out. Returns how
 * many; -1 if there are too many or one is too long. */
static int take_words(const char *s, char out[WORDS][WORD]) {
  char word[WORD];
  int n = 0, found;
  while ((found = next_word(&s, word)) > 0) {
    if (strcasecmp(word, "and") == 0) continue;
    if (n == WORDS) return -1;
    strcpy(out[n++], word);
  }
  if (found < 0) return -1;
  qsort(out, (size_t)n, WORD, by_word);
  return n;
}

bool ls_lesson_contains(const char *text, const char *answer) {
  char word[WORD], other[WORD];
  int found = 0;
  while (next_word(&answer, word) > 0) {
    if (strcasecmp(word, "and") == 0) continue;
    const char *at = text;
    do found = next_word(&at, other);
    while (found < 0 || (found && strcasecmp(word, other) != 0));
    if (!found) return false;
  }
  return found;
}

ls_status ls_lesson_answer(const char *expr, ls_text *out) {
  static char words[WORDS][WORD];
  static const char word[] =
      "(function(x) return (type(x) == 'string' or type(x) == 'number') and tostring(x) or '' end)";
  const ls_status st = value(word, expr, strlen(expr), out);
  if (st || take_words(ls_text_str(out), words) > 0) return st;
  return ls_fail(LS_EARG, "the answer to the question is neither a text nor a number: %s", expr);
}

/* Evaluates arithmetic with numbers; false if s is anything else. */
static bool number_of(const char *s, double *out) {
  ls_text text = {0};
  if (strspn(s, "0123456789.+-*/^() ") != strlen(s) || !strpbrk(s, "0123456789")) return false;
  char *end = NULL;
  const bool known = ls_lesson_value(s, strlen(s), &text) == LS_OK && text.len;
  *out = known ? strtod(text.s, &end) : 0;
  const bool is_number = known && end > text.s && !*end && isfinite(*out);
  ls_text_free(&text);
  return is_number;
}

/* The rounding error of a decimal number such as 5.33: half a unit of the last digit; 0 if it has fewer than
 * two decimals. */
static double precision(const char *s) {
  const char *point = strchr(s, '.');
  const size_t digits = point ? strspn(point + 1, "0123456789") : 0;
  return digits < 2 || strpbrk(s, "+*/^(") ? 0 : 0.5 * pow(10, -(double)digits);
}

bool ls_lesson_equals(const char *guess, const char *answer) {
  double a, b;
  const char *equals = strrchr(guess, '=');
  if (equals) guess = equals + 1;
  guess += strchr(answer, '/') ? strcspn(guess, "0123456789.-+(")
                               : strspn(guess, " "); /* skips the words in "it is 16/3" */
  if (!number_of(guess, &a) || !number_of(answer, &b)) return false;
  const double apart = fabs(a - b), scale = fmax(fabs(a), fabs(b));
  return apart <= 1e-8 * scale || (strchr(answer, '/') && apart <= precision(guess) * (1 + 1e-9));
}

static bool is_number_word(const char *s) {
  return isdigit((unsigned char)*s) || (strchr("-.", *s) && isdigit((unsigned char)s[1]));
}

void ls_lesson_distance(const char *guess, const char *answer, ls_text *out) {
  static const char *const counts[] = {"No", "One", "Two", "Three", "Four", "Five", "Six"};
  static char a[WORDS][WORD], b[WORDS][WORD];
  const int n = take_words(guess, a), m = take_words(answer, b);
  int numbers = 0, given = 0, right = 0;
  for (int k = 0; k < m; k++) numbers += is_number_word(b[k]);
  for (int i = 0; i < n; i++) given += is_number_word(a[i]);
  const bool fraction = strchr(answer, '/') != NULL;
  if (n <= 0 || m <= 0 || numbers != m || fraction) {
    if (fraction && !given) ls_text_puts(out, "A number is expected, or a fraction such as 7/2.");
    return;
  }
  for (int i = 0, k = 0; i < n && k < m;) { /* both are sorted */
    const int order = strcasecmp(a[i], b[k]);
    right += order == 0;
    i += order <= 0, k += order >= 0;
  }
  if (given != m)
    ls_text_printf(out, "%s number%s expected.", m <= 6 ? counts[m] : "More", m == 1 ? " is" : "s are");
  else if (m == 1)
    ls_text_printf(out, "It is %s.", strtod(a[0], NULL) > strtod(b[0], NULL) ? "less" : "more");
  else if (right < m) /* if all are right, the guess was wrong because of its words */
    ls_text_printf(out, "%d of the %d numbers %s right.", right, m, right == 1 ? "is" : "are");
}

/* Does the word stand next to an "or" in the question? */
static bool is_choice(const char *word, const char *question) {
  const size_t n = strlen(word);
  for (const char *p = question; (p = strcasestr(p, word)); p++) {
    if ((p > question && isalnum((unsigned char)p[-1])) || isalnum((unsigned char)p[n])) continue;
    const char *after = p + n + strspn(p + n, "`, "), *before = p;
    while (before > question && strchr("`, ", before[-1])) before--;
    if (strncasecmp(after, "or ", 3) == 0) return true;
    if (before - question >= 3 && strncasecmp(before - 2, "or", 2) == 0 && before[-3] == ' ') return true;
  }
  return false;
}

bool ls_lesson_answers(const char *guess, const char *answer, const char *question) {
  static const char *const deciding[] = {"not", "no", "yes", "or", "neither", "nor", "none", "isn"};
  static char a[WORDS][WORD], b[WORDS][WORD];
  const int n = take_words(guess, a), m = take_words(answer, b);
  int found = 0;
  if (n <= 0 || m <= 0) return false;
  for (int i = 0; i < n; i++) { /* both are sorted */
    if (found < m && strcasecmp(a[i], b[found]) == 0) {
      found++;
      continue;
    }
    bool counts = !isalpha((unsigned char)*a[i]) || is_choice(a[i], question);
    for (size_t k = 0; k < sizeof deciding / sizeof *deciding; k++)
      counts = counts || strcasecmp(a[i], deciding[k]) == 0;
    if (counts) return false;
  }
  return found == m;
}
