/* Lexer of the DVE language. */
#ifndef LS_MODEL_DVE_LEX_H
#define LS_MODEL_DVE_LEX_H

#include "model/dve/source.h"

/* Keywords, then operators and punctuation: token kinds and their texts are both generated from these lists.
 */
/* clang-format off */
#define DVE_KEYWORDS(X)                                                                                      \
  X(GUARD, "guard") X(SYNC, "sync") X(ASYNC, "async") X(EFFECT, "effect") X(PROCESS, "process")              \
  X(STATE, "state") X(INIT, "init") X(ACCEPT, "accept") X(COMMIT, "commit") X(TRANS, "trans")                \
  X(SYSTEM, "system") X(TRUE, "true") X(FALSE, "false") X(AND, "and") X(OR, "or") X(NOT, "not")              \
  X(IMPLY, "imply") X(INT, "int") X(BYTE, "byte") X(CONST, "const") X(CHANNEL, "channel")                    \
  X(PROPERTY, "property") X(ASSERT, "assert") X(BUCHI, "buchi") X(GENBUCHI, "genbuchi")                      \
  X(STREETT, "streett") X(RABIN, "rabin") X(MULLER, "muller")
/* Longer signs first, because the lexer takes the first that matches. */
#define DVE_SIGNS(X)                                                                                         \
  X(ARROW, "->") X(AND_SIGN, "&&") X(OR_SIGN, "||") X(EQUAL, "==") X(UNEQUAL, "!=") X(AT_MOST, "<=")         \
  X(AT_LEAST, ">=") X(LEFT, "<<") X(RIGHT, ">>") X(LESS, "<") X(MORE, ">") X(BIT_OR, "|") X(BIT_AND, "&")    \
  X(BIT_XOR, "^") X(PLUS, "+") X(MINUS, "-") X(TIMES, "*") X(DIVIDE, "/") X(REMAINDER, "%")                  \
  X(INVERT, "~") X(ASSIGN, "=") X(SEND, "!") X(RECEIVE, "?") X(DOT, ".") X(COMMA, ",") X(SEMICOLON, ";")     \
  X(COLON, ":") X(OPEN_BRACE, "{") X(CLOSE_BRACE, "}") X(OPEN_ROUND, "(") X(CLOSE_ROUND, ")")                \
  X(OPEN_SQUARE, "[") X(CLOSE_SQUARE, "]")
/* clang-format on */

typedef enum dve_kind {
  DVE_T_END,
  DVE_T_NAME,
  DVE_T_NUMBER,
#define KIND(id, text) DVE_T_##id,
  DVE_KEYWORDS(KIND) DVE_SIGNS(KIND)
#undef KIND
      DVE_T_KINDS
} dve_kind;

typedef struct dve_token {
  dve_kind kind;
  dve_word word;
  i32 number;
} dve_token;

/* Reads the first token at or after `at`. To read the next token, pass the end of this one. LS_EINPUT: not a
 * token. */
ls_status dve_lex(const dve_text *t, u32 at, dve_token *out);
const char *dve_kind_text(dve_kind k); /* "guard", "->", "a name" */

#endif
