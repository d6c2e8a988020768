#include "repl/line/foreign_syntax.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/words.h"
#include "repl/line/foreign_commands.h"
#include "repl/repl.h"

/* A copy with string literals and comments replaced by blanks; the caller frees it by ls_free. */
static char *code_of(const char *text) {
  char *code = ls_strdup(text);
  for (char *s = code; s && *s;) {
    const char *end = NULL;
    if (*s == '"' || *s == '\'') {
      for (end = s + 1; *end && *end != *s; end++)
        if (*end == '\\' && end[1]) end++;
      end += *end != '\0';
    } else if (strncmp(s, "[[", 2) == 0) {
      end = strstr(s, "]]");
      end = end ? end + 2 : s + strlen(s);
    } else if (strncmp(s, "--", 2) == 0) {
      end = s + strcspn(s, "\n");
    }
    if (!end) s++;
    while (end && s < end) *s++ = ' ';
  }
  return code;
}

/* --- operators --------------------------------------------------------------------------------------- */

/* The beginning of the name, field or element, such as `t.a[i]`, that ends before `end`. */
static const char *place_before(const char *code, const char *end) {
  const char *s = end;
  for (int depth = 0; s > code; s--) {
    if (s[-1] == ']') depth++;
    if (s[-1] == '[') depth--;
    if (depth == 0 && !ls_in_name(s[-1]) && !strchr(".[", s[-1])) break;
  }
  return s;
}

/* x += 1, x -= 1, x ..= "a", x++. */
static bool compound(const char *code, const char *text, ls_text *out) {
  static const char *const operators[] = {"..", "//", "**", "<<", ">>", "+", "-",
                                          "*",  "/",  "%",  "^",  "&",  "|"};
  for (const char *s = code; *s; s++) {
    size_t n = 0;
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !n; i++)
      if (strncmp(s, operators[i], strlen(operators[i])) == 0) n = strlen(operators[i]);
    if (!n) continue;
    const bool one_more = strncmp(s, "++", 2) == 0;
    if (!one_more && (s[n] != '=' || s[n + 1] == '=')) {
      s += n - 1;
      continue;
    }
    const char *end = s;
    while (end > code && (end[-1] == ' ' || end[-1] == '\t')) end--;
    const char *from = place_before(code, end);
    if (from == end) return false;
    const int length = (int)(end - from);
    const char *name = text + (from - code), *value = text + (s - code) + n + 1;
    value = ls_skip_space(value);
    size_t left = strcspn(value, "\n");
    while (left && value[left - 1] == ' ') left--;
    if (one_more)
      ls_text_printf(out, " (write %.*s = %.*s + 1)", length, name, length, name);
    else
      ls_text_printf(out, " (write %.*s = %.*s %.*s %.*s)", length, name, length, name,
                     strncmp(s, "**", 2) == 0 ? 1 : (int)n, strncmp(s, "**", 2) == 0 ? "^" : s, (int)left,
                     value);
    return true;
  }
  return false;
}

/* The hint for the first row of the table whose operator occurs in the code. */
static bool operator_of(const char *code, ls_text *out) {
  static const struct {
    const char *wrong, *hint;
  } table[] = {
      {"!==", " (`not equal` is ~=)"}, {"!=", " (`not equal` is ~=)"},
      {"<>", " (`not equal` is ~=)"},  {"===", " (`equal` is ==)"},
      {"**", " (a power is x ^ 2)"},   {"&&", " (write a and b)"},
      {"||", " (write a or b)"},       {"?", " (write c and a or b; if c then ... else ... end)"},
      {"!", " (write not x)"},         {"=>", " (write function(x) return ... end; `at least` is >=)"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strstr(code, table[i].wrong)) return ls_text_puts(out, table[i].hint), true;
  return false;
}

/* y = [1, 2, 3]: a bracket where a value begins. */
static bool list_in_brackets(const char *code, const char *text, ls_text *out) {
  for (const char *s = code; (s = strchr(s, '[')); s++) {
    const char *before = s, *end = s + 1;
    while (before > code && isspace((unsigned char)before[-1])) before--;
    if (before > code && (ls_in_name(before[-1]) || strchr(")]}\"'{,;", before[-1]))) continue;
    for (int depth = 1; *end && depth; end++) depth += *end == '[' ? 1 : *end == ']' ? -1 : 0;
    const size_t inside = (size_t)(end - s) - 2;
    if (end[-1] == ']' && end > s + 1 && inside <= 40 && !memchr(s + 1, '[', inside))
      ls_text_printf(out, " (a list has braces: {%.*s})", (int)inside, text + (s - code) + 1);
    else
      ls_text_puts(out, " (a list has braces: {1, 2, 3})");
    return true;
  }
  return false;
}

/* y = {a: 1, "b": 2} */
static bool fields_by_colons(const char *text, ls_text *out) {
  for (const char *s = text; (s = strchr(s, '{')); s++) {
    const char *key = ls_skip_space(s + 1);
    size_t n = ls_name_length(key);
    if (*key == '"' || *key == '\'') {
      const char *end = strchr(key + 1, *key);
      n = end ? (size_t)(end - key) + 1 : 0;
    }
    if (!n || *ls_skip_space(key + n) != ':') continue;
    ls_text_puts(out, " (fields are written {name = value, [\"any text\"] = value})");
    return true;
  }
  return false;
}

/* --- statements -------------------------------------------------------------------------------------- */

bool ls_foreign_syntax_block(const char *text) {
  static const char *const words[] = {"for", "if", "while", "def", "class", "elif", "else", "try", "with"};
  text = ls_skip_space(text);
  const size_t end = ls_trimmed(text);
  if (end < 2 || text[end - 1] != ':' || text[end - 2] == ':' || memchr(text, '\n', end)) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (ls_is_word(text, ls_name_length(text), words[i])) return true;
  return false;
}

static bool block_of_python(const char *text, ls_text *out) {
  static const char *const forms[][2] = {
      {"for", " (write for i = 0, 2 do ... end; for i, x in ipairs(list) do ... end)"},
      {"if", " (write if c then ... end)"},
      {"while", " (write while c do ... end)"},
      {"def", " (write function f(x) ... end)"},
      {"elif", " (write elseif c then ...)"},
      {"lambda", " (write function(x) return ... end)"}};
  text = ls_skip_space(text);
  const size_t n = ls_name_length(text);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (ls_is_word(text, n, forms[i][0]) && (i > 2 || strchr(text, ':')))
      return ls_text_puts(out, forms[i][1]), true;
  return false;
}

/* let x = 1, int x = 1 */
static bool declaration(const char *text, ls_text *out) {
  static const char *const words[] = {"let",   "var", "const", "int", "float", "double", "auto",
                                      "float", "u32", "i32",   "f32", "f64",   "bool"};
  text = ls_skip_space(text);
  const size_t n = ls_name_length(text);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!ls_is_word(text, n, words[i])) continue;
    const char *rest = ls_skip_space(text + n);
    const size_t name = ls_name_length(rest);
    if (!name || *ls_skip_space(rest + name) != '=') return false;
    size_t length = strcspn(rest, ";\n");
    while (length && rest[length - 1] == ' ') length--;
    ls_text_printf(out, " (write %.*s)", (int)length, rest);
    return true;
  }
  return false;
}

static bool comment(const char *text, ls_text *out) {
  text = ls_skip_space(text);
  if (!(*text == '#' && strchr("# ", text[1])) && strncmp(text, "//", 2) != 0 && strncmp(text, "/*", 2) != 0)
    return false;
  ls_text_puts(out, " (a comment begins with --)");
  return true;
}

/* --- calls ------------------------------------------------------------------------------------------- */

/* Pops the value on top of L; does it have a method of that name? */
static bool pop_has_method(lua_State *L, const char *name) {
  const int top = lua_gettop(L);
  bool has = false;
  if (luaL_getmetafield(L, top, "__methods") == LUA_TTABLE ||
      (lua_settop(L, top), luaL_getmetafield(L, top, "__index") == LUA_TTABLE)) {
    lua_pushstring(L, name);
    has = lua_rawget(L, -2) == LUA_TFUNCTION;
  }
  lua_settop(L, top - 1);
  return has;
}

/* hist(b), where `hist` is not a function but a method of b: b:hist(). */
static bool method_as_function(lua_State *L, const char *message, const char *text, ls_text *out) {
  static const char global[] = "attempt to call a nil value (global '";
  const char *from = strstr(message, global);
  if (!from) return false;
  from += sizeof global - 1;
  const size_t n = strcspn(from, "'");
  char name[64];
  if (n >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)n, from);
  if (ls_foreign_command(name)) return false; /* ls_suggest shows that better hint */
  for (const char *s = text; (s = strstr(s, name)); s += n) {
    if ((s > text && ls_in_name(s[-1])) || s[n] != '(') continue;
    const char *object = s + n + 1;
    object = ls_skip_space(object);
    size_t length = 0;
    while (ls_in_name(object[length]) || object[length] == '.') length++;
    const char *more = ls_skip_space(object + length);
    if (!length || !strchr(",)", *more) || !ls_lookup(L, object, length) || !pop_has_method(L, name))
      continue;
    more += *more == ',';
    more = ls_skip_space(more);
    const size_t rest = strcspn(more, ")\n");
    ls_text_printf(out, " (write %.*s:%s(%.*s))", (int)length, object, name, (int)rest, more);
    return true;
  }
  return false;
}

const char *ls_foreign_syntax_word(lua_State *L, const char *text, char *word, size_t bytes) {
  static const char *const words[] = {"True", "False", "None", "null", "NULL", "undefined"};
  const char *here = "";
  char *code = code_of(text);
  for (const char *s = code; s && *s && !*here;) {
    const size_t n = ls_name_length(s);
    for (size_t i = 0; n && i < sizeof words / sizeof *words; i++)
      if (ls_is_word(s, n, words[i]) && (s == code || !strchr(".:", s[-1])) && *ls_skip_space(s + n) != '=') {
        if (ls_lookup(L, s, n)) {
          lua_pop(L, 1);
          continue;
        }
        snprintf(word, bytes, "%s", words[i]);
        here = ls_foreign_command(words[i]);
      }
    s += n ? n : 1;
  }
  ls_free(code);
  return here;
}

bool ls_foreign_syntax_hint(lua_State *L, const char *message, const char *text, ls_text *out) {
  if (method_as_function(L, message, text, out)) return true;
  if (strstr(message, "attempt to add a 'string'") ||
      (strstr(message, "attempt to perform arithmetic on a string") && strchr(text, '+'))) {
    ls_text_puts(out, " (texts are joined by ..: \"a\" .. \"b\")");
    return true;
  }
  if (strstr(message, "(global 'f')") && (strstr(text, "f\"") || strstr(text, "f'"))) {
    ls_text_puts(out, " (write (\"%d of %s\"):format(i, name))");
    return true;
  }
  if (strstr(message, "attempt to get length of a") && comment(text, out)) return true;
  if (strstr(message, "'then' expected near 'else'")) {
    ls_text_puts(out, " (write c and a or b; if c then ... else ... end)");
    return true;
  }
  const bool syntax = strstr(message, " near ") != NULL;
  char *code = syntax ? code_of(text) : NULL;
  const bool told =
      code && (comment(text, out) || declaration(text, out) || compound(code, text, out) ||
               block_of_python(code, out) || fields_by_colons(text, out) || operator_of(code, out) ||
               (strstr(message, "near '['") && list_in_brackets(code, text, out)));
  ls_free(code);
  return told;
}
