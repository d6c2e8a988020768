#include "session/watch_value.h"

#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "core/random.h"
#include "session/values.h"

static bool (*contents_of)(lua_State *L, int i, u64 *out);

void ls_session_on_contents(bool (*digest)(lua_State *L, int i, u64 *out)) { contents_of = digest; }

/* Returns a digest of the value at i. For a table: a digest of its contents, by raw access, independent of
 * their order; it covers at most *left items, down to depth DEEPEST. */
static u64 digest(lua_State *L, int i, int depth, int *left) {
  enum { DEEPEST = 8 };
  size_t bytes;
  u64 sum = (u64)lua_type(L, i);
  switch (lua_type(L, i)) {
  case LUA_TSTRING: {
    const char *s = lua_tolstring(L, i, &bytes);
    for (size_t k = 0; k < bytes; k++) sum = (sum ^ (u8)s[k]) * 0x100000001b3;
    return ls_mix(sum);
  }
  case LUA_TNUMBER: { /* 1 and 1.0 are equal */
    int whole;
    const lua_Integer integer = lua_tointegerx(L, i, &whole);
    const f64 real = lua_tonumber(L, i);
    if (whole) return ls_mix((u64)integer);
    memcpy(&sum, &real, sizeof sum);
    return ls_mix(sum);
  }
  case LUA_TBOOLEAN: return ls_mix(sum + (lua_toboolean(L, i) ? 100 : 0));
  case LUA_TTABLE:
    if (depth == DEEPEST || !lua_checkstack(L, 4)) return sum;
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
      if (--*left < 0) {
        lua_pop(L, 2);
        break;
      }
      const int key = lua_gettop(L) - 1;
      sum += ls_mix(digest(L, key, depth + 1, left) * 31 + digest(L, key + 1, depth + 1, left));
    }
    return ls_mix(sum);
  default: return ls_mix((u64)(uintptr_t)lua_topointer(L, i));
  }
}

/* Computes the digest of the current value's contents; false if it is neither a buffer nor a table and is
 * compared directly. */
static bool contents(lua_State *E, u64 *out) {
  int left = 1 << 22;
  if (contents_of && contents_of(E, 1, out)) return true;
  if (!lua_istable(E, 1)) return false;
  *out = digest(E, 1, 0, &left);
  return true;
}

void seen_begin(seen_value *s) { *s = (seen_value){.value = LUA_NOREF}; }

void seen_end(lua_State *L, seen_value *s) {
  luaL_unref(L, LUA_REGISTRYINDEX, s->value);
  seen_begin(s);
}

static bool same_text(const seen_value *s) {
  return strncmp(lua_tostring(the_values.scratch, 2), s->shown, sizeof s->shown - 1) == 0;
}

bool seen_again(const seen_value *s) {
  lua_State *E = the_values.scratch;
  u64 now = 0;
  if (!s->known) return false;
  const bool held = contents(E, &now);
  if (held || s->contents) return held && s->contents && now == s->digest;
  if (same_text(s) && lua_type(E, 1) != LUA_TSTRING) return true;
  lua_rawgeti(E, LUA_REGISTRYINDEX, s->value);
  const bool same = lua_rawequal(E, 1, -1);
  lua_pop(E, 1);
  return same;
}

void seen_keep(lua_State *L, seen_value *s) {
  lua_State *E = the_values.scratch;
  snprintf(s->shown, sizeof s->shown, "%s", lua_tostring(E, 2));
  s->known = true;
  s->contents = contents(E, &s->digest);
  lua_pushvalue(E, 1);
  lua_xmove(E, L, 1); /* luaL_ref may raise: L is in a protected call, the scratch thread is not */
  luaL_unref(L, LUA_REGISTRYINDEX, s->value);
  s->value = LUA_NOREF;
  s->value = luaL_ref(L, LUA_REGISTRYINDEX);
}

void seen_difference(const seen_value *s, char *out, size_t bytes) {
  const char *text = lua_tostring(the_values.scratch, 2);
  const bool cut = strlen(s->shown) + 1 == sizeof s->shown;
  if (s->contents && (cut || same_text(s)))
    snprintf(out, bytes, "has changed");
  else
    snprintf(out, bytes, "%s -> %s", s->shown, text);
}
