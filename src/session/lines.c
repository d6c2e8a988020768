/* Which lines of a Lua text have code. lua_getinfo tells it of functions that exist; of those inside a text
 * that has not run, only the compiled form does, in which lua_dump writes it (Lua 5.4's ldump.c). What does
 * not look as expected is not known. */
#include "session/lines.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"

typedef struct reader {
  const u8 *at, *end;
  bool failed;
} reader;

enum { ABSOLUTE = -0x80, DEEPEST = 250 }; /* Lua's own limit on nested functions is 200 */

static const u8 *take(reader *r, u64 bytes) {
  const u8 *at = r->at;
  if (r->failed || bytes > (u64)(r->end - r->at)) {
    r->failed = true;
    return NULL;
  }
  r->at += bytes;
  return at;
}

static u8 byte(reader *r) {
  const u8 *b = take(r, 1);
  return b ? *b : 0;
}

static u64 number(reader *r) {
  u64 x = 0;
  for (int i = 0; i < 10 && !r->failed; i++) {
    const u8 b = byte(r);
    x = x << 7 | (b & 0x7f);
    if (b & 0x80) return x;
  }
  r->failed = true;
  return 0;
}

static void skip_string(reader *r) {
  const u64 size = number(r);
  if (size > 1) take(r, size - 1);
}

static void skip_constants(reader *r) {
  for (u64 n = number(r); n > 0 && !r->failed; n--) {
    switch (byte(r)) {
    case 0x00: /* nil, false, true */
    case 0x01:
    case 0x11: break;
    case 0x03: take(r, sizeof(lua_Integer)); break;
    case 0x13: take(r, sizeof(lua_Number)); break;
    case 0x04: /* strings */
    case 0x14: skip_string(r); break;
    default: r->failed = true;
    }
  }
}

static void mark(u64 line, u8 *has, u64 lines) {
  if (line >= 1 && line <= lines) has[line] = 1;
}

/* A function, and what lies inside of it. */
static void read_function(reader *r, u8 *has, u64 lines, int depth) {
  skip_string(r); /* its source */
  u64 line = number(r);
  number(r);
  byte(r);
  const bool variadic = byte(r);
  byte(r);
  take(r, 4 * number(r)); /* instructions */
  skip_constants(r);
  take(r, 3 * number(r)); /* upvalues */
  const u64 inner = number(r);
  if (depth == DEEPEST) r->failed = true;
  for (u64 i = 0; i < inner && !r->failed; i++) read_function(r, has, lines, depth + 1);
  const u64 n = number(r);
  const u8 *steps = take(r, n);
  reader absolute = {r->at, r->end, r->failed};
  u64 left = number(&absolute);
  for (u64 i = number(r); i > 0 && !r->failed; i--) number(r), number(r);
  for (u64 i = 0; i < n && !r->failed; i++) {
    if ((signed char)steps[i] != ABSOLUTE) {
      line += (u64)(i64)(signed char)steps[i];
    } else if (left-- > 0) {
      number(&absolute);
      line = number(&absolute);
    } else {
      r->failed = true;
    }
    if (i > 0 || !variadic) mark(line, has, lines); /* the first of a variadic function takes its arguments */
  }
  r->failed = r->failed || absolute.failed;
  for (u64 i = number(r); i > 0 && !r->failed; i--) skip_string(r), number(r), number(r);
  for (u64 i = number(r); i > 0 && !r->failed; i--) skip_string(r);
}

typedef struct dumped {
  u8 *s;
  size_t used, room;
} dumped;

static int keep(lua_State *L, const void *p, size_t bytes, void *ctx) {
  dumped *d = ctx;
  (void)L;
  if (d->room - d->used < bytes) {
    const size_t room = 2 * (d->room + bytes);
    u8 *grown = ls_realloc(d->s, room);
    if (!grown) return 1;
    d->s = grown;
    d->room = room;
  }
  if (bytes) memcpy(d->s + d->used, p, bytes);
  d->used += bytes;
  return 0;
}

static bool read_dump(const dumped *d, u8 *has, u64 lines) {
  static const u8 head[] = {0x1b,
                            'L',
                            'u',
                            'a',
                            0x54,
                            0,
                            0x19,
                            0x93,
                            '\r',
                            '\n',
                            0x1a,
                            '\n',
                            4,
                            sizeof(lua_Integer),
                            sizeof(lua_Number)};
  reader r = {d->s, d->s + d->used, false};
  const u8 *seen = take(&r, sizeof head);
  if (!seen || memcmp(seen, head, sizeof head) != 0) return false;
  take(&r, sizeof(lua_Integer) + sizeof(lua_Number) + 1);
  read_function(&r, has, lines, 0);
  return !r.failed && r.at == r.end;
}

u8 *ls_lines_with_code(lua_State *L, const char *text, size_t bytes, u64 *lines) {
  *lines = 1;
  for (size_t i = 0; i + 1 < bytes; i++) *lines += text[i] == '\n';
  if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, bytes -= 3;
  if (bytes && *text == '#') /* luaL_loadfile passes over both */
    while (bytes && *text != '\n') text++, bytes--;
  u8 *has = ls_calloc(*lines + 1, 1);
  dumped d = {NULL, 0, 0};
  bool known = false;
  if (has && luaL_loadbufferx(L, text, bytes, "=lines", "t") == LUA_OK)
    known = lua_dump(L, keep, &d, 0) == 0 && read_dump(&d, has, *lines);
  if (has) lua_pop(L, 1); /* the function, or why there is none */
  ls_free(d.s);
  if (known) return has;
  ls_free(has);
  return NULL;
}
