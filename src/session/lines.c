/* Finds the lines that have code by reading a compiled chunk in the format that lua_dump writes (Lua 5.4's
 * ldump.c). lua_getinfo also reports such lines, but only of functions that exist: functions nested in a text
 * that has not run exist only in the compiled chunk. If the chunk does not have the expected format, the
 * result is "not known". */
#include "session/lines.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/embedded.h"
#include "core/mem.h"
#include "core/string_builder.h"
#include "core/text.h"
#include "session/frames.h"
#include "session/threads.h"

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

/* Reads a function and, recursively, the functions nested in it. */
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
    if (i > 0 || !variadic)
      mark(line, has, lines); /* the first instruction of a variadic function only adjusts its arguments */
  }
  r->failed = r->failed || absolute.failed;
  for (u64 i = number(r); i > 0 && !r->failed; i--) skip_string(r), number(r), number(r);
  for (u64 i = number(r); i > 0 && !r->failed; i--) skip_string(r);
}

static int keep(lua_State *L, const void *p, size_t bytes, void *ctx) {
  ls_text *dump = ctx;
  (void)L;
  ls_text_add(dump, p, bytes);
  return dump->failed;
}

static bool read_dump(const ls_text *dump, u8 *has, u64 lines) {
  static const char head[] =
      "\033Lua\x54\0\x19\x93\r\n\x1a\n\4\10\10"; /* its end: bytes of an instruction and of numbers */
  reader r = {(const u8 *)dump->s, (const u8 *)dump->s + dump->len, false};
  const u8 *seen = take(&r, sizeof head - 1);
  if (!seen || memcmp(seen, head, sizeof head - 1) != 0) return false;
  take(&r, sizeof(lua_Integer) + sizeof(lua_Number) + 1);
  read_function(&r, has, lines, 0);
  return !r.failed && r.at == r.end;
}

u8 *ls_lines_with_code(lua_State *L, const char *text, size_t bytes, u64 *lines) {
  *lines = 1;
  for (size_t i = 0; i + 1 < bytes; i++) *lines += text[i] == '\n';
  if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, bytes -= 3;
  /* Skips a byte order mark (above) and a first line that begins with #, as luaL_loadfile does. */
  if (bytes && *text == '#')
    while (bytes && *text != '\n') text++, bytes--;
  u8 *has = ls_calloc(*lines + 1, 1);
  ls_text dump = {0};
  bool known = false;
  if (has && luaL_loadbufferx(L, text, bytes, "=lines", "t") == LUA_OK)
    known = lua_dump(L, keep, &dump, 0) == 0 && read_dump(&dump, has, *lines);
  if (has) lua_pop(L, 1); /* the function or the error message */
  ls_text_free(&dump);
  if (known) return has;
  ls_free(has);
  return NULL;
}

/* --- a line with code -------------------------------------------------------------------------------- */

typedef struct line_job {
  const char *path, *file;
  int *line;
  char *note;
  size_t bytes;
  ls_status st;
} line_job;

/* Is the value on top a Lua function of that file? If so, `out` gets its chunk name. */
static bool is_from(lua_State *L, const char *file, char *out, size_t bytes) {
  lua_Debug ar;
  if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) return false;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &ar);
  if (*ar.source != '@' || strcmp(frames_file(ar.source), file) != 0) return false;
  snprintf(out, bytes, "%s", ar.source);
  return true;
}

/* Finds the chunk name of a loaded function of that file: the stopped function, a global, or a field of a
 * global table. */
static bool find_source(lua_State *L, const char *file, char *out, size_t bytes) {
  ls_session_source(out, bytes);
  if (*out == '@' && strcmp(frames_file(out), file) == 0) return true;
  const int top = lua_gettop(L);
  bool found = false;
  lua_pushglobaltable(L);
  for (lua_pushnil(L); !found && lua_next(L, top + 1); lua_settop(L, top + 2)) {
    found = is_from(L, file, out, bytes);
    if (found || !lua_istable(L, -1)) continue;
    for (lua_pushnil(L); !found && lua_next(L, top + 3); lua_settop(L, top + 4))
      found = is_from(L, file, out, bytes);
  }
  lua_settop(L, top);
  return found;
}

/* Pushes the text of an embedded library file or of a file on disk; false if there is none, or if it is not a
 * regular file of at most 64 MiB. */
static bool push_source_text(lua_State *L, const char *path) {
  const ls_embedded *e = ls_library_file(path);
  if (e) {
    lua_pushlstring(L, e->text, e->bytes);
    return true;
  }
  struct stat about;
  if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > 64 << 20) return false;
  luaL_Buffer b; /* memory of Lua, so that it is freed if an error is raised */
  char *into = luaL_buffinitsize(L, &b, (size_t)about.st_size);
  FILE *f = fopen(path, "rb");
  const size_t n = f ? fread(into, 1, (size_t)about.st_size, f) : 0;
  if (f) fclose(f);
  luaL_pushresultsize(&b, n);
  if (f) return true;
  lua_pop(L, 1);
  return false;
}

static int settle_line(lua_State *L) {
  line_job *j = lua_touserdata(L, 1);
  const int wanted = *j->line;
  char source[512];
  u64 lines;
  const bool loaded = find_source(L, j->file, source, sizeof source);
  if (!push_source_text(L, loaded ? source + 1 : j->file) && !push_source_text(L, j->path)) {
    snprintf(j->note, j->bytes, "no %s is loaded yet; its line %d is not checked", j->file, wanted);
    return 0;
  }
  size_t bytes;
  const char *text = lua_tolstring(L, -1, &bytes);
  u8 *has = ls_lines_with_code(L, text, bytes, &lines);
  if (!has) {
    snprintf(j->note, j->bytes, "%s does not compile; its line %d is not checked", j->file, wanted);
    return 0;
  }
  u64 line = (u64)wanted;
  while (line <= lines && !has[line]) line++;
  ls_free(has);
  if ((u64)wanted > lines)
    j->st = ls_fail(LS_EARG, "%s has %llu line%s, there is no line %d", j->file, (unsigned long long)lines,
                    ls_plural(lines), wanted);
  else if (line > lines)
    j->st = ls_fail(LS_EARG, "%s has no code on line %d or after it", j->file, wanted);
  else if (line != (u64)wanted)
    snprintf(j->note, j->bytes, "there is no code on line %d", wanted);
  if (!j->st) *j->line = (int)line;
  return 0;
}

ls_status lines_settle(const char *path, const char *file, int *line, char *note, size_t bytes) {
  line_job j = {path, file, line, note, bytes, LS_OK};
  return ls_session_try(the_threads.L, settle_line, &j) ? j.st
                                                        : ls_fail(LS_EMEM, "no memory to look at %s", file);
}
