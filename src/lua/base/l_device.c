/* device() in Lua: the device on which primitives run, the list of devices, their measured limits,
 * compare(). */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "lua/bind.h"
#include "session/session.h"
#include "run/launch/dispatch.h"
#include "run/devices/limits.h"

#define TYPE "lockstep.device"

static ls_device *check_device(lua_State *L, int i) { return *(ls_device **)luaL_checkudata(L, i, TYPE); }

static void push_device(lua_State *L, ls_device *d) {
  ls_device **slot = lua_newuserdatauv(L, sizeof *slot, 0);
  *slot = d;
  luaL_setmetatable(L, TYPE);
}

/* The device named at stack index i, or the current one. */
static ls_device *named_device(lua_State *L, int i) {
  if (lua_isnoneornil(L, i)) return ls_device_current();
  if (lua_isuserdata(L, i)) return check_device(L, i);
  ls_device *d = ls_device_find(luaL_checkstring(L, i));
  if (!d) ls_raise(L, LS_EDEVICE);
  return d;
}

/* --- a device's fields ------------------------------------------------------------------------------- */

static void field_name(lua_State *L, const ls_device *d) { lua_pushstring(L, d->name); }
static void field_model(lua_State *L, const ls_device *d) { lua_pushstring(L, d->model); }
static void field_threads(lua_State *L, const ls_device *d) { lua_pushinteger(L, d->threads); }
static void field_units(lua_State *L, const ls_device *d) { lua_pushinteger(L, d->units); }
static void field_capability(lua_State *L, const ls_device *d) { lua_pushinteger(L, d->capability); }
static void field_memory(lua_State *L, const ls_device *d) { lua_pushinteger(L, (lua_Integer)d->memory); }
static void field_cache(lua_State *L, const ls_device *d) { lua_pushinteger(L, (lua_Integer)d->cache); }
static void field_lost(lua_State *L, const ls_device *d) { lua_pushboolean(L, d->lost); }

static void field_processor(lua_State *L, const ls_device *d) {
  lua_pushstring(L, d->processor == LS_CUDA ? "cuda" : "cpu");
}

static void field_free(lua_State *L, const ls_device *d) {
  u64 bytes;
  ls_status st = ls_device_memory_free(d, &bytes);
  if (st) ls_raise(L, st);
  lua_pushinteger(L, (lua_Integer)bytes);
}

static const struct field {
  const char *name, *doc;
  void (*push)(lua_State *, const ls_device *);
} fields[] = {
    {"name", "\"cpu\", \"cpu:1\" or \"cuda:k\"", field_name},
    {"model", "what the maker calls it", field_model},
    {"processor", "\"cpu\" or \"cuda\"", field_processor},
    {"threads", "threads that run at a time", field_threads},
    {"units", "multiprocessors, or cores", field_units},
    {"capability", "CUDA: 90 for compute capability 9.0", field_capability},
    {"memory", "bytes of memory in all", field_memory},
    {"free", "bytes of memory that are free now", field_free},
    {"cache", "bytes of the last-level cache", field_cache},
    {"lost", "true after an error that left it unusable", field_lost},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int device_index(lua_State *L) {
  ls_device *d = check_device(L, 1);
  lua_pushvalue(L, 2);
  if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  for (int i = 0; i < FIELDS; i++)
    if (strcmp(name, fields[i].name) == 0) {
      fields[i].push(L, d);
      return 1;
    }
  return luaL_error(L, "a device has no field '%s'", luaL_tolstring(L, 2, NULL));
}

static int device_tostring(lua_State *L) {
  const ls_device *d = check_device(L, 1);
  char text[256];
  bool gpu = d->processor == LS_CUDA;
  int number = gpu ? d->units : d->threads;
  const bool small = d->memory < 1 << 30;
  snprintf(text, sizeof text, "%s %s, %d %s%s, %.1f %s%s", d->name, d->model, number, gpu ? "SM" : "thread",
           ls_plural(number), (f64)d->memory / (small ? 1 << 20 : 1 << 30), small ? "MiB" : "GiB",
           d->lost ? ", lost" : "");
  lua_pushstring(L, text);
  return 1;
}

static int device_eq(lua_State *L) {
  ls_device **a = luaL_testudata(L, 1, TYPE), **b = luaL_testudata(L, 2, TYPE);
  lua_pushboolean(L, a && b && *a == *b);
  return 1;
}

/* --- limits ------------------------------------------------------------------------------------------ */

static f64 get_number(lua_State *L, int table, const char *name) {
  lua_getfield(L, table, name);
  f64 x = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return x;
}

/* A rate with three digits and its prefix: "4.27 T", "950 M". */
static const char *scaled(f64 x, char out[16]) {
  static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
  int p = 0;
  while (p < 5 && x >= 999.5) x /= 1000, p++;
  snprintf(out, 16, "%.*f %s", x < 9.995 ? 2 : x < 99.95 ? 1 : 0, x, prefixes[p]);
  return out;
}

static void add_line(luaL_Buffer *b, const char *what, f64 rate, const char *unit) {
  char line[64], number[16];
  snprintf(line, sizeof line, "\n%-22s %8s%s", what, scaled(rate, number), unit);
  luaL_addstring(b, line);
}

/* Uses only the table, so that nothing else has to be stored with it. */
static int limits_tostring(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_getfield(L, 1, "device");
  lua_getfield(L, 1, "random");
  const char *device = luaL_tolstring(L, 2, NULL); /* stack: 2 device, 3 random, 4 the device's text */
  char line[96], size[16], streams[16], gathers[16], atomics[16];
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, device);
  add_line(&b, "copy (read + written)", get_number(L, 1, "copy"), "B/s");
  if (get_number(L, 1, "transfer") > 0) add_line(&b, "host <-> device", get_number(L, 1, "transfer"), "B/s");
  for (int i = 0; i < LS_MINPLUS_TYPES; i++) {
    char label[24], key[24];
    snprintf(label, sizeof label, "min-plus %s", ls_dtype_name(ls_minplus_types[i]));
    add_line(&b, label, get_number(L, 1, ls_minplus_name(i, key)), "/s");
  }
  add_line(&b, "multiply-add f64", get_number(L, 1, "multiply_add_f64"), "/s");
  snprintf(line, sizeof line, "\n%-22s %8.2f us", "launch", 1e6 * get_number(L, 1, "launch"));
  luaL_addstring(&b, line);
  snprintf(line, sizeof line, "\n%-22s %8.2f us", "launch, result read",
           1e6 * get_number(L, 1, "launch_readback"));
  luaL_addstring(&b, line);
  luaL_addstring(&b, "\nof an array of           in order   at random*     atomicMin*");
  for (lua_Integer i = 1; lua_istable(L, 3) && i <= (lua_Integer)lua_rawlen(L, 3); i++) {
    lua_rawgeti(L, 3, i);
    int row = lua_absindex(L, -1);
    f64 bytes = 0, stream = 0, gather = 0, atomic = 0;
    if (lua_istable(L, row)) {
      bytes = get_number(L, row, "bytes");
      stream = get_number(L, row, "stream");
      gather = get_number(L, row, "gather");
      atomic = get_number(L, row, "atomic_min");
    }
    lua_pop(L, 1);
    bool small = bytes < 1 << 20;
    snprintf(size, sizeof size, "%.*f %s", small ? 0 : 1, bytes / (small ? 1024 : 1 << 20),
             small ? "KiB" : "MiB");
    snprintf(line, sizeof line, "\n%21s %9sB/s %11s/s %11s/s", size, scaled(stream, streams),
             scaled(gather, gathers), scaled(atomic, atomics));
    luaL_addstring(&b, line);
  }
  luaL_addstring(&b, "\n* reads, or minima written, per second: 4 bytes each, at random places");
  luaL_pushresult(&b);
  return 1;
}

static void push_limits(lua_State *L, ls_device *d, const ls_limits *l) {
  lua_newtable(L);
  push_device(L, d);
  lua_setfield(L, -2, "device");
  ls_set_number(L, "copy", l->copy);
  for (int i = 0; i < LS_MINPLUS_TYPES; i++) {
    char key[24];
    ls_set_number(L, ls_minplus_name(i, key), l->minplus[ls_minplus_types[i]]);
  }
  ls_set_number(L, "multiply_add_f64", l->multiply_add_f64);
  ls_set_number(L, "launch", l->launch);
  ls_set_number(L, "launch_readback", l->launch_readback);
  if (d->processor == LS_CUDA) ls_set_number(L, "transfer", l->transfer);
  lua_createtable(L, LS_GATHER_SIZES, 0);
  for (int i = 0; i < LS_GATHER_SIZES; i++) {
    lua_createtable(L, 0, 3);
    ls_set_number(L, "bytes", l->gather_bytes[i]);
    ls_set_number(L, "stream", l->stream[i]);
    ls_set_number(L, "gather", l->gather[i]);
    ls_set_number(L, "atomic_min", l->atomic_min[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "random");
  ls_set_tostring(L, limits_tostring);
}

/* device.limits([name [, again]]), d:limits([again]): measured once, then read from a cache file. */
static int limits(lua_State *L) {
  bool name_left_out = lua_isboolean(L, 1);
  ls_device *d = name_left_out ? ls_device_current() : named_device(L, 1);
  bool again = lua_toboolean(L, name_left_out ? 1 : 2);
  if (d->lost) return luaL_error(L, "%s is lost: nothing can be measured", d->name);
  ls_limits l;
  ls_status st = ls_limits_of(d, again, &l);
  if (st) return ls_raise(L, st);
  push_limits(L, d, &l);
  return 1;
}

/* --- device ------------------------------------------------------------------------------------------ */

/* device() returns the current device; device("cpu") makes another one current. */
static int call(lua_State *L) {
  if (lua_gettop(L) > 2) return ls_raise(L, ls_device_only_one());
  ls_device *d = named_device(L, 2);
  if (d->lost) return ls_raise(L, ls_device_fail_lost(d));
  if (d != ls_device_current()) ls_device_use(d);
  push_device(L, d);
  return 1;
}

static void marked(lua_State *L) {
  ls_device **d = luaL_testudata(L, -1, TYPE);
  lua_pushstring(L, d && *d == ls_device_current() ? "* " : "  ");
  luaL_tolstring(L, -2, NULL);
  lua_concat(L, 2);
  lua_remove(L, -2);
}

static int list_tostring(lua_State *L) {
  ls_push_lines(L, marked);
  return 1;
}

/* device.list(): all devices. */
static int list(lua_State *L) {
  lua_createtable(L, ls_devices(), 0);
  for (int i = 0; i < ls_devices(); i++) {
    push_device(L, ls_device_at(i));
    lua_rawseti(L, -2, i + 1);
  }
  ls_set_tostring(L, list_tostring);
  return 1;
}

/* --- compare ----------------------------------------------------------------------------------------- */

/* compare(a, b): from now on every primitive runs on both devices and their results are compared. If they
 * disagree, a started algorithm stops after the primitive and goes on with a's results; elsewhere it is an
 * error. compare(false) ends this. Returns the two devices, or false. */
static int compare(lua_State *L) {
  ls_device *a, *b;
  if (lua_isboolean(L, 1) && !lua_toboolean(L, 1)) {
    ls_compare(NULL, NULL);
  } else if (!lua_isnone(L, 1)) {
    luaL_checkany(L, 2);
    a = named_device(L, 1);
    b = named_device(L, 2);
    if (a == b) return luaL_error(L, "compare: expected two different devices, got %s twice", a->name);
    if (a->lost || b->lost) return luaL_error(L, "compare: %s is lost", a->lost ? a->name : b->name);
    ls_compare(a, b);
  }
  if (!ls_compare_on(&a, &b)) {
    lua_pushboolean(L, false);
    return 1;
  }
  push_device(L, a);
  push_device(L, b);
  return 2;
}

int ls_open_device(lua_State *L) {
  static const luaL_Reg metamethods[] = {{"__tostring", device_tostring}, {"__eq", device_eq}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"limits", limits}, {NULL, NULL}};
  static const luaL_Reg functions[] = {{"list", list}, {"limits", limits}, {NULL, NULL}};
  ls_new_type(L, TYPE, metamethods, methods, device_index);
  ls_set_docs(L, fields, FIELDS, sizeof *fields);
  lua_pop(L, 1);
  luaL_newlib(L, functions);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, call);
  lua_setfield(L, -2, "__call");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "device");
  lua_register(L, "compare", compare);
  ls_compare_hook(ls_session_ask_stop); /* a started algorithm stops at a disagreement */
  return 0;
}
