#include "lua/keywords.h"

#include "core/words.h"

const char *const ls_keywords[] = {"and",      "break",  "do",   "else", "elseif", "end",   "false", "for",
                                   "function", "goto",   "if",   "in",   "local",  "nil",   "not",   "or",
                                   "repeat",   "return", "then", "true", "until",  "while", NULL};

bool ls_is_keyword(const char *s, size_t n) {
  for (const char *const *word = ls_keywords; *word; word++)
    if (ls_is_word(s, n, *word)) return true;
  return false;
}
