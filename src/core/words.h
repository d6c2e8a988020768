/* Reading words in a line of text: names as in Lua and C (letters, digits and '_', the first not a digit),
 * and white space. */
#ifndef LS_CORE_WORDS_H
#define LS_CORE_WORDS_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* May the character be part of a name? */
static inline bool ls_in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The number of characters of a name at the beginning of s; the first may be a digit. */
static inline size_t ls_name_length(const char *s) {
  size_t n = 0;
  while (ls_in_name(s[n])) n++;
  return n;
}

/* Is all of s one name? */
static inline bool ls_is_name(const char *s) {
  return *s && !isdigit((unsigned char)*s) && !s[ls_name_length(s)];
}

/* Are the n characters at s this word? */
static inline bool ls_is_word(const char *s, size_t n, const char *word) {
  return strlen(word) == n && memcmp(s, word, n) == 0;
}

/* The first place where the text has this word, with no other character of a name next to it; NULL if none.
 */
static inline const char *ls_find_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *s = text; (s = strstr(s, word)); s++)
    if ((s == text || !ls_in_name(s[-1])) && !ls_in_name(s[n])) return s;
  return NULL;
}

/* s without white space at its beginning. */
static inline const char *ls_skip_space(const char *s) {
  while (isspace((unsigned char)*s)) s++;
  return s;
}

/* If s begins with this word, returns what follows the word and white space; else NULL. */
static inline const char *ls_after_word(const char *s, const char *word) {
  const size_t n = strlen(word);
  return strncmp(s, word, n) == 0 && (!s[n] || isspace((unsigned char)s[n])) ? ls_skip_space(s + n) : NULL;
}

/* The length of s without white space at its end. */
static inline size_t ls_trimmed(const char *s) {
  size_t n = strlen(s);
  while (n > 0 && isspace((unsigned char)s[n - 1])) n--;
  return n;
}

#endif
