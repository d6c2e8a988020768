/* Prints Lua values for people: bounded in width, depth and length, keys sorted, cycles marked. Tables are
 * read raw; the only metamethod called is __tostring. */
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/words.h"
#include "core/wrap_text.h"
#include "core/output.h"
#include "core/escape.h"
#include "core/wait.h"
#include "lua/keywords.h"
#include "repl/commands/command.h"
#include "repl/output/csv.h"
#include "repl/output/json.h"
#include "repl/repl.h"
#include "run/launch/row.h"

enum {
  /* What is shown at most: */
  DEPTH = 4,         /* levels of nested tables */
  ARRAY_ITEMS = 200, /* items of an array */
  KEYS = 60,         /* keys of a table with names */
  KEYS_SCANNED = 1 << 20,
  LINES = 100,        /* lines of one value */
  STRING_BYTES = 400, /* of a string within a table; ten times as much at top level */
  STRING_LINES = 200, /* of a string with several lines */
  NO_TERMINAL = 100,  /* columns if stdout is no terminal */
};

typedef struct printer {
  lua_State *L;
  ls_text out;
  size_t width;
  int lines;
  const void *path[DEPTH];
  int depth;
  bool terminal; /* stdout is a terminal: long lines are broken between words */
  bool brief;    /* one line; items of the outermost table that do not fit are only counted */
} printer;

/* --- strings ----------------------------------------------------------------------------------------- */

static void quoted(ls_text *out, const char *s, size_t len, size_t most) {
  const int how = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? 0 : LS_ESCAPE_ASCII;
  ls_text_putc(out, '"');
  size_t i = 0;
  while (i < len && i < most) {
    const char c = s[i];
    char one[LS_ESCAPED_CHAR];
    size_t n = ls_escaped_char(s + i, len - i, how, one);
    if (c == '\n')
      ls_text_puts(out, "\\n");
    else if (c == '\t')
      ls_text_puts(out, "\\t");
    else if (c == '"' || c == '\\')
      ls_text_printf(out, "\\%c", c);
    else
      ls_text_puts(out, one);
    i += n;
  }
  ls_text_putc(out, '"');
  if (i < len) ls_text_printf(out, "... (%zu bytes)", len);
}

static bool is_name(const char *s, size_t len) {
  return ls_is_name(s) && strlen(s) == len && !ls_is_keyword(s, len);
}

/* --- values that are not tables ---------------------------------------------------------------------- */

static int call_tostring(lua_State *L) {
  if (lua_type(L, 1) == LUA_TNUMBER && isnan(lua_tonumber(L, 1)))
    lua_pushliteral(L, "nan"); /* without a sign */
  else
    luaL_tolstring(L, 1, NULL);
  return 1;
}

static void without_zeros(ls_text *out, const char *s, size_t len) {
  for (const char *zero; (zero = memchr(s, '\0', len)); s = zero + 1) {
    ls_text_add(out, s, (size_t)(zero - s));
    ls_text_puts(out, "\\x00");
    len -= (size_t)(zero - s) + 1;
  }
  ls_text_add(out, s, len);
}

/* Adds a line, broken between words at `width` columns; continuation lines are indented by 4 more. */
static void folded(ls_text *out, const char *s, size_t len, size_t width) {
  size_t indent = 0;
  while (indent < len && s[indent] == ' ') indent++;
  if (indent > width / 2) indent = 0;
  int room = (int)width;
  for (size_t cut; (cut = ls_wrap_text(s, len, room, NULL)) < len; room = (int)(width - indent - 4)) {
    without_zeros(out, s, cut);
    while (cut < len && s[cut] == ' ') cut++;
    ls_text_printf(out, "\n%*s", (int)indent + 4, "");
    s += cut, len -= cut;
  }
  without_zeros(out, s, len);
}

/* Adds a value by its __tostring, which may raise an error; only the first line if nested. On a terminal,
 * long lines are broken between words. */
static void by_tostring(printer *p, int index, bool nested) {
  lua_State *L = p->L;
  lua_pushcfunction(L, call_tostring);
  lua_pushvalue(L, index);
  if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
    ls_text_printf(&p->out, "<%s: its __tostring failed>", luaL_typename(L, index));
  } else {
    size_t len;
    const char *s = lua_tolstring(L, -1, &len);
    const char *end = nested ? memchr(s, '\n', len) : NULL;
    if (end) len = (size_t)(end - s);
    while (!nested && p->terminal && (end = memchr(s, '\n', len))) {
      folded(&p->out, s, (size_t)(end - s), p->width);
      ls_text_putc(&p->out, '\n');
      len -= (size_t)(end + 1 - s);
      s = end + 1;
    }
    if (!nested && p->terminal)
      folded(&p->out, s, len, p->width);
    else
      without_zeros(&p->out, s, len);
  }
  lua_pop(L, 1);
}

/* Adds a string of several lines that is not nested: as plain lines, without quotes. */
static void lines(printer *p, const char *s, size_t len) {
  int left = STRING_LINES;
  if (len > 0 && s[len - 1] == '\n') len--;
  for (const char *end; left > 0 && (end = memchr(s, '\n', len)); left--) {
    without_zeros(&p->out, s, (size_t)(end + 1 - s));
    len -= (size_t)(end + 1 - s);
    s = end + 1;
  }
  if (left > 0)
    without_zeros(&p->out, s, len);
  else
    ls_text_printf(&p->out, "... (%zu bytes more; print(x) shows all)", len);
}

/* If the function at index is a primitive (the value of the global of that name), its name; else NULL. */
static const char *primitive_name(lua_State *L, int index) {
  index = lua_absindex(L, index);
  const char *found = NULL;
  lua_pushglobaltable(L);
  for (int i = 0; !found && i < ls_prims(); i++) {
    lua_pushstring(L, ls_prim_at(i)->name);
    lua_rawget(L, -2);
    if (lua_rawequal(L, -1, index)) found = ls_prim_at(i)->name;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return found;
}

static void function(printer *p, int index) {
  lua_Debug ar;
  const char *name = primitive_name(p->L, index);
  if (name) {
    ls_text_printf(&p->out, "<primitive %s>", name);
    return;
  }
  lua_pushvalue(p->L, index);
  lua_getinfo(p->L, ">S", &ar);
  if (strcmp(ar.what, "C") == 0)
    ls_text_puts(&p->out, "<function, built in>");
  else
    ls_text_printf(&p->out, "<function %s:%d>", ar.short_src, ar.linedefined);
}

static void plain(printer *p, int index, bool nested) {
  lua_State *L = p->L;
  size_t len;
  const char *s;
  switch (lua_type(L, index)) {
  case LUA_TSTRING:
    s = lua_tolstring(L, index, &len);
    if (!nested && memchr(s, '\n', len > 0 ? len - 1 : 0))
      lines(p, s, len);
    else
      quoted(&p->out, s, len, nested ? STRING_BYTES : 10 * STRING_BYTES);
    break;
  case LUA_TFUNCTION: function(p, index); break;
  case LUA_TTHREAD: {
    lua_State *co = lua_tothread(L, index);
    int st = lua_status(co);
    ls_text_printf(&p->out, "<coroutine, %s>",
                   st == LUA_YIELD ? "suspended"
                   : st != LUA_OK  ? "ended by an error"
                   : co == L       ? "running"
                                   : "not running");
    break;
  }
  case LUA_TLIGHTUSERDATA: ls_text_printf(&p->out, "<pointer %p>", lua_touserdata(L, index)); break;
  default: by_tostring(p, index, nested);
  }
}

/* --- tables ------------------------------------------------------------------------------------------ */

typedef struct key {
  enum { INTEGER, NUMBER, STRING, OTHER } kind;
  i64 i;
  f64 f;
  const char *s;
  size_t len;
  int place; /* in the table of keys */
} key;

static int by_key(const void *a, const void *b) {
  const key *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->kind == INTEGER) return x->i < y->i ? -1 : x->i > y->i;
  if (x->kind == NUMBER) return x->f < y->f ? -1 : x->f > y->f;
  if (x->kind == STRING) return strcmp(x->s, y->s);
  return x->place - y->place;
}

/* Is the key on top part of the array 1..n? */
static bool is_item(lua_State *L, lua_Integer n) {
  return lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= n;
}

/* Collects the keys that are not part of the array 1..n. Pushes two values: the memory of the returned array,
 * and a Lua table of the keys. Returns the sorted keys, and their number in *count. */
static key *keys_of(printer *p, int index, lua_Integer n, int *count) {
  lua_State *L = p->L;
  int scanned = 0, room = 0;
  *count = 0;
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    room += !is_item(L, n);
    if (++scanned < KEYS_SCANNED) continue;
    lua_pop(L, 1);
    break;
  }
  key *keys = lua_newuserdatauv(L, (size_t)room * sizeof *keys, 0);
  lua_newtable(L);
  int store = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, index);) {
    lua_pop(L, 1);
    if (is_item(L, n)) continue;
    if (*count == room) {
      lua_pop(L, 1);
      break;
    }
    key *k = &keys[(*count)++];
    *k = (key){.kind = OTHER, .place = *count};
    if (lua_isinteger(L, -1))
      k->kind = INTEGER, k->i = lua_tointeger(L, -1);
    else if (lua_type(L, -1) == LUA_TNUMBER)
      k->kind = NUMBER, k->f = lua_tonumber(L, -1);
    else if (lua_type(L, -1) == LUA_TSTRING)
      k->kind = STRING, k->s = lua_tolstring(L, -1, &k->len);
    lua_pushvalue(L, -1);
    lua_rawseti(L, store, *count);
  }
  qsort(keys, (size_t)*count, sizeof *keys, by_key);
  return keys;
}

static bool value(printer *p, int index, size_t indent, size_t limit, bool tall);

/* Adds "name = " or "[key] = " for the key on top. */
static void key_text(printer *p, const key *k) {
  if (k->kind == STRING && is_name(k->s, k->len)) {
    ls_text_puts(&p->out, k->s);
  } else {
    ls_text_putc(&p->out, '[');
    plain(p, lua_gettop(p->L), true);
    ls_text_putc(&p->out, ']');
  }
  ls_text_puts(&p->out, " = ");
}

static void new_line(printer *p, size_t indent) {
  ls_text_putc(&p->out, '\n');
  for (size_t i = 0; i < indent; i++) ls_text_putc(&p->out, ' ');
  p->lines++;
}

static size_t column(const printer *p) {
  size_t i = p->out.len;
  while (i > 0 && p->out.s[i - 1] != '\n') i--;
  return p->out.len - i;
}

static bool cut_short(const printer *p) { return p->brief && p->depth == 1; }

/* Adds items 1..n of an array: if `tall`, on as many lines as needed; else on one line. Returns false if the
 * output would then exceed `limit` bytes. */
static bool items(printer *p, int index, lua_Integer n, size_t indent, size_t limit, bool tall) {
  lua_State *L = p->L;
  bool first = true;
  for (lua_Integer i = 1; i <= n; i++, first = false) {
    const size_t start = p->out.len;
    if (i > ARRAY_ITEMS || p->lines > LINES) {
      ls_text_printf(&p->out, ", ... %lld more", (long long)(n - i + 1));
      break;
    }
    if (!first) ls_text_puts(&p->out, tall ? "," : ", ");
    size_t before = p->out.len;
    if (tall && !first) ls_text_putc(&p->out, ' ');
    lua_rawgeti(L, index, i);
    bool fits = value(p, lua_gettop(L), indent, tall ? before + p->width - column(p) - 1 : limit, false);
    if (!fits && tall) { /* once more on a line of its own */
      ls_text_cut(&p->out, before);
      new_line(p, indent);
      if (!value(p, lua_gettop(L), indent, p->out.len + p->width - indent - 1, false)) {
        ls_text_cut(&p->out, before);
        new_line(p, indent);
        value(p, lua_gettop(L), indent, 0, true);
      }
      fits = true;
    }
    lua_pop(L, 1);
    if (!fits && cut_short(p)) {
      ls_text_cut(&p->out, start);
      ls_text_printf(&p->out, "%s... %lld more", first ? "" : ", ", (long long)(n - i + 1));
      break;
    }
    if (!fits) return false;
  }
  return true;
}

enum { TAIL = 24 }; /* columns for "... N more" */

/* For keys whose values do not fit: adds the names, and the number of those whose names do not fit either. */
static void names_alone(printer *p, const key *keys, int count, size_t limit, bool after) {
  for (int i = 0; i < count; i++, after = true) {
    const bool name = keys[i].kind == STRING && is_name(keys[i].s, keys[i].len);
    if (after) ls_text_puts(&p->out, ", ");
    if (!name || p->out.len + keys[i].len > limit) {
      ls_text_printf(&p->out, "... %d more", count - i);
      return;
    }
    ls_text_puts(&p->out, keys[i].s);
  }
}

static bool named(printer *p, int index, lua_Integer n, size_t indent, size_t limit, bool tall, bool after) {
  lua_State *L = p->L;
  int count;
  key *keys = keys_of(p, index, n, &count);
  int store = lua_gettop(L);
  bool fits = true;
  for (int i = 0; i < count && fits; i++) {
    const size_t start = p->out.len;
    if (after || i > 0) ls_text_puts(&p->out, tall ? "," : ", ");
    if (tall) new_line(p, indent);
    if (i >= KEYS || p->lines > LINES) {
      ls_text_printf(&p->out, "... %d more", count - i);
      break;
    }
    lua_rawgeti(L, store, keys[i].place);
    key_text(p, &keys[i]);
    lua_rawget(L, index);
    size_t before = p->out.len;
    if (tall && !value(p, lua_gettop(L), indent, before + p->width - column(p) - 1, false)) {
      ls_text_cut(&p->out, before);
      value(p, lua_gettop(L), indent, 0, true);
    } else if (!tall) {
      fits = value(p, lua_gettop(L), indent, limit, false);
    }
    lua_pop(L, 1);
    if (!fits && cut_short(p)) {
      ls_text_cut(&p->out, start);
      names_alone(p, keys + i, count - i, limit, after || i > 0);
      fits = true;
      break;
    }
  }
  lua_settop(L, store - 2);
  return fits;
}

static bool has_names(lua_State *L, int index, lua_Integer n) {
  lua_Integer seen = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 1 || lua_tointeger(L, -1) > n ||
        ++seen > KEYS_SCANNED) {
      lua_pop(L, 1);
      return seen <= KEYS_SCANNED;
    }
  }
  return false;
}

static bool table(printer *p, int index, size_t indent, size_t limit, bool tall) {
  lua_State *L = p->L;
  const void *self = lua_topointer(L, index);
  for (int i = 0; i < p->depth; i++)
    if (p->path[i] == self) {
      ls_text_puts(&p->out, "<cycle>");
      return true;
    }
  lua_Integer n = (lua_Integer)lua_rawlen(L, index);
  bool names = has_names(L, index, n);
  if (p->depth == DEPTH) {
    ls_text_puts(&p->out, names ? "{...}" : n ? "[...]" : "{}");
    return true;
  }
  p->path[p->depth++] = self;
  if (cut_short(p)) limit -= limit < TAIL ? limit : TAIL;
  bool brackets = n > 0 && !names;
  ls_text_putc(&p->out, brackets ? '[' : '{');
  if (tall && n > 0 && !brackets) new_line(p, indent + 2);
  bool fits = items(p, index, n, indent + (brackets ? 1 : 2), limit, tall) &&
              (!names || named(p, index, n, indent + 2, limit, tall, n > 0));
  if (tall && names) new_line(p, indent);
  ls_text_putc(&p->out, brackets ? ']' : '}');
  p->depth--;
  return fits;
}

/* If the table has no fields but can be called, adds the function (__call) instead. */
static bool algorithm(printer *p, int index) {
  lua_State *L = p->L;
  const int top = lua_gettop(L);
  lua_pushnil(L);
  const bool empty = !lua_next(L, index);
  lua_settop(L, top);
  if (!empty || luaL_getmetafield(L, index, "__call") == LUA_TNIL) return lua_settop(L, top), false;
  const bool is = lua_isfunction(L, -1);
  if (is) function(p, lua_gettop(L));
  lua_settop(L, top);
  return is;
}

/* Adds the value: if `tall`, on as many lines as needed; else on one line. Returns false if the output then
 * exceeds `limit` bytes: the value may be incomplete, and the caller has to cut it off. */
static bool value(printer *p, int index, size_t indent, size_t limit, bool tall) {
  lua_State *L = p->L;
  bool nested = p->depth > 0 || indent > 0;
  luaL_checkstack(L, 16, NULL);
  bool fits = true;
  if (lua_type(L, index) == LUA_TTABLE && luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)
    fits = algorithm(p, index) || table(p, index, indent, limit, tall);
  else if (lua_type(L, index) == LUA_TTABLE)
    lua_pop(L, 1), by_tostring(p, index, nested);
  else
    plain(p, index, nested);
  return tall || (fits && p->out.len <= limit);
}

/* --- results ----------------------------------------------------------------------------------------- */

static int print_protected(lua_State *L) {
  printer *p = lua_touserdata(L, 1);
  for (int i = 2, n = lua_gettop(L); i <= n; i++) {
    size_t before = p->out.len;
    p->lines = 0;
    p->depth = 0;
    if (ls_out.form != LS_TEXT) {
      (ls_out.form == LS_CSV ? ls_csv : ls_json_lines)(L, i, &p->out);
      continue;
    }
    if (!value(p, i, 0, before + p->width, false)) {
      ls_text_cut(&p->out, before);
      p->depth = 0;
      value(p, i, 0, 0, true);
    }
    ls_text_putc(&p->out, '\n');
  }
  return 0;
}

ls_status ls_print_values(lua_State *L, int n) {
  ls_status st = LS_OK;
  int columns = ls_output_columns();
  printer p = {.L = L, .width = columns > 0 ? (size_t)columns : NO_TERMINAL, .terminal = columns > 0};
  if (p.width < 40) p.width = 40;
  if (!lua_checkstack(L, n + 8)) return ls_fail(LS_EMEM, "no memory to show %d values", n);
  lua_pushcfunction(L, print_protected);
  lua_pushlightuserdata(L, &p);
  for (int i = 0; i < n; i++) lua_pushvalue(L, -2 - n);
  if (ls_session_call(L, n + 1, 0) != LUA_OK) {
    const char *message = lua_tostring(L, -1);
    st = ls_fail(LS_EARG, "the value cannot be shown: %s",
                 message ? message : "an error that is not a string");
    lua_pop(L, 1);
  } else if (p.out.failed) {
    st = LS_EMEM;
  }
  if (ls_interrupted()) st = ls_fail(LS_EINTERRUPTED, "interrupted");
  if (!st)
    ls_out.form == LS_TEXT ? ls_say("%s", ls_text_str(&p.out)) : ls_say_data(ls_text_str(&p.out), p.out.len);
  ls_text_free(&p.out);
  return st;
}

static int brief_protected(lua_State *L) {
  printer *p = lua_touserdata(L, 1);
  const size_t before = p->out.len;
  if (!value(p, 2, 1, before + p->width, false) && p->out.len > before + p->width) {
    size_t keep = before + p->width - 3;
    while (keep > before && ((unsigned char)p->out.s[keep] & 0xc0) == 0x80) keep--;
    ls_text_cut(&p->out, keep);
    ls_text_puts(&p->out, "...");
  }
  return 0;
}

void ls_print_brief(lua_State *L, int index, size_t width, ls_text *out) {
  printer p = {.L = L, .width = width, .out = *out, .brief = true};
  index = lua_absindex(L, index);
  lua_pushcfunction(L, brief_protected);
  lua_pushlightuserdata(L, &p);
  lua_pushvalue(L, index);
  if (ls_session_call(L, 2, 0) != LUA_OK) lua_pop(L, 1);
  *out = p.out; /* after an error too: its memory may have moved */
}

static int push_text(lua_State *L) {
  lua_pushstring(L, lua_touserdata(L, 1));
  return 1;
}

void ls_print_push(lua_State *L, int index) {
  enum { WIDTH = 100 };
  ls_text text = {0};
  ls_print_brief(L, index, WIDTH, &text);
  lua_pushcfunction(L, push_text);
  lua_pushlightuserdata(L, (void *)(uintptr_t)ls_text_str(&text));
  const int status = lua_pcall(L, 1, 1, 0);
  ls_text_free(&text);
  if (status != LUA_OK) lua_error(L);
}
