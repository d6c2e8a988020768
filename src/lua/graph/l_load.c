/* graph.load and g:save. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/mem.h"
#include "core/escape.h"
#include "data/ops.h"
#include "load/load.h"
#include "lua/bind.h"

enum { QUICK_BYTES = 1 << 20, QUICK_EDGES = 1 << 16 };

typedef struct loading {
  const char *path;
  ls_load_options options;
  char notes[LS_LOAD_NOTES];
  bool tried; /* standard input can't be read twice */
  ls_graph *out;
} loading;

static ls_status do_load(void *arg) {
  loading *l = arg;
  if (l->tried && strcmp(l->path, "-") == 0) return ls_fail(LS_EMEM, "-: out of memory");
  l->tried = true;
  l->notes[0] = 0;
  l->options.notes = l->notes;
  return ls_graph_load(l->path, &l->options, &l->out);
}

static const char *const load_options[] = {"weights", "scale", "format", "verify", "base"};
static const char *const save_options[] = {"format"};

static const char *format_option(lua_State *L, int t, const char *function) {
  if (lua_getfield(L, t, "format") == LUA_TNIL) return NULL;
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "%s: format must be a string", function);
  return lua_tostring(L, -1); /* the options keep it alive */
}

static void weights_option(lua_State *L, int t, ls_load_options *o) {
  if (lua_getfield(L, t, "weights") == LUA_TNIL) return;
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  o->drop_weights = strcmp(name, "none") == 0;
  o->scaled = strcmp(name, "scaled") == 0;
  if (o->scaled) return;
  ls_dtype type = ls_dtype_parse(name);
  if (!o->drop_weights && type != LS_I32 && type != LS_I64 && type != LS_F32 && type != LS_F64)
    luaL_error(L, "graph.load: weights must be \"i32\", \"i64\", \"f32\", \"f64\", \"scaled\" or \"none\"");
  if (!o->drop_weights) o->weights = type;
}

static void base_option(lua_State *L, int t, ls_load_options *o) {
  if (lua_getfield(L, t, "base") == LUA_TNIL) return;
  const lua_Number base = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;
  if (base != 0 && base != 1) luaL_error(L, "graph.load: base must be 0 or 1: the number that ids begin at");
  o->based = true;
  o->base = base == 1;
}

static bool is_small(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size < QUICK_BYTES;
}

static void print_note(const char *of, const char *text, size_t bytes) {
  char path[1024], line[1536];
  snprintf(line, sizeof line, "%s: %.*s", ls_escaped(of, 0, path, sizeof path), (int)bytes, text);
  lua_writestringerror("%s\n", line);
}

/* Prints notes on what a user would not expect. The weight type of a .lsg file is not reported, because the
 * file itself specifies it; only arrays from a .lsg file have an owner. */
static void print_notes(const loading *l) {
  for (const char *p = l->notes, *end; (end = strchr(p, '\n')); p = end + 1)
    print_note(l->path, p, (size_t)(end - p));
  ls_dtype type = l->out->wtype;
  if (l->options.weights != LS_NONE || l->options.scaled || l->out->to->owner ||
      (type != LS_I64 && type != LS_F64))
    return;
  char text[80];
  const int n = snprintf(text, sizeof text, "weights do not all fit i32: loaded as %s", ls_dtype_name(type));
  print_note(l->path, text, (size_t)n);
}

/* Raises if only samples/PATH exists: the program does not guess that this sample was meant. */
static void refuse_sample(lua_State *L, const char *path) {
  char sample[4096], where[4096], shown[128];
  if (access(path, F_OK) == 0 || strchr(path, '/')) return;
  snprintf(sample, sizeof sample, "samples/%s", path);
  if (ls_samples_path(sample, where, sizeof where) == sample) return;
  ls_escaped(path, 0, shown, sizeof shown);
  luaL_error(L, "%s: No such file or directory (one comes with the program: load samples/%s)", shown, shown);
}

static int load(lua_State *L) {
  loading l = {.path = ls_check_path(L, 1), .options = {.weights = LS_NONE}};
  if (!lua_isnoneornil(L, 2)) {
    luaL_checktype(L, 2, LUA_TTABLE);
    ls_check_options(L, 2, "graph.load", load_options, sizeof load_options / sizeof *load_options);
    weights_option(L, 2, &l.options);
    l.options.format = format_option(L, 2, "graph.load");
    if (lua_getfield(L, 2, "scale") != LUA_TNIL) {
      l.options.scale = lua_tonumber(L, -1);
      if (!(l.options.scale > 0)) luaL_error(L, "graph.load: scale must be a positive whole number");
    }
    base_option(L, 2, &l.options);
    lua_getfield(L, 2, "verify");
    l.options.verify = lua_toboolean(L, -1);
  }
  refuse_sample(L, l.path);
  ls_do(L, do_load, &l, is_small(l.path));
  print_notes(&l);
  ls_push_graph(L, l.out);
  return 1;
}

/* --- parts of a file: functions that only lua/graph/partition.lua uses -------------------------------------
 */

/* open_in_parts(path): if the file can be read in parts, a graph whose arrays are not read yet; else as
 * graph.load. */
static int open_in_parts(lua_State *L) {
  loading l = {.path = ls_check_path(L, 1), .options = {.weights = LS_NONE, .in_parts = true}};
  ls_do(L, do_load, &l, is_small(l.path));
  print_notes(&l);
  ls_push_graph(L, l.out);
  return 1;
}

/* file_of(g): the checksum of the header of g's file, and whether that file has the in-edges; nothing if g
 * was not opened in parts. */
static int file_of(lua_State *L) {
  u64 checksum;
  const ls_graph *g = ls_check_graph(L, 1);
  if (!ls_lsg_in_parts(g, &checksum)) return 0;
  lua_pushinteger(L, (lua_Integer)checksum);
  lua_pushboolean(L, ls_lsg_in_edges(g));
  return 2;
}

/* file_offset(g, v): the number of v's first edge; does not check its arguments. */
static int file_offset(lua_State *L) {
  lua_pushinteger(L, ls_lsg_offset(ls_check_graph(L, 1), (u32)luaL_checkinteger(L, 2)));
  return 1;
}

typedef struct reading {
  const ls_graph *g;
  u32 first, past;
  bool in_edges;
  ls_graph *out;
  u64 edge;
} reading;

static ls_status do_rows(void *arg) {
  reading *r = arg;
  return ls_lsg_rows(r->g, r->first, r->past, r->in_edges, &r->out, &r->edge);
}

/* file_rows(g, first, past, in_edges): the graph of rows [first, past), and the number of its first edge. */
static int file_rows(lua_State *L) {
  reading r = {.g = ls_check_graph(L, 1),
               .first = (u32)luaL_checkinteger(L, 2),
               .past = (u32)luaL_checkinteger(L, 3),
               .in_edges = lua_toboolean(L, 4)};
  ls_do(L, do_rows, &r, false);
  ls_push_graph(L, r.out);
  lua_pushinteger(L, (lua_Integer)r.edge);
  return 2;
}

typedef struct summing {
  const ls_graph *g;
  ls_lsg_part part;
  bool in_edges;
  u64 *sums;
} summing;

static ls_status do_sums(void *arg) {
  summing *s = arg;
  return ls_lsg_sums(s->g, &s->part, s->in_edges, s->sums);
}

/* file_sums(g, first, past, low, high, last, in_edges): a list of what rows [first, past) contribute to
 * the file's checksums. */
static int file_sums(lua_State *L) {
  u64 sums[LS_LSG_SUMS];
  summing s = {.g = ls_check_graph(L, 1),
               .part = {.first = (u32)luaL_checkinteger(L, 2),
                        .past = (u32)luaL_checkinteger(L, 3),
                        .low = (u64)luaL_checkinteger(L, 4),
                        .high = (u64)luaL_checkinteger(L, 5),
                        .last = lua_toboolean(L, 6)},
               .in_edges = lua_toboolean(L, 7),
               .sums = sums};
  ls_do(L, do_sums, &s, false);
  lua_createtable(L, LS_LSG_SUMS, 0);
  for (int i = 0; i < LS_LSG_SUMS; i++) {
    lua_pushinteger(L, (lua_Integer)sums[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* file_check(g, in_edges, x): x is a buffer with the sums of all ranks, one rank after the other; raises if
 * the file is damaged. */
static int file_check(lua_State *L) {
  const ls_graph *g = ls_check_graph(L, 1);
  ls_buffer *x = ls_check_buffer(L, 3);
  const u64 *all = ls_buffer_read(x);
  const ls_status st =
      all ? ls_lsg_check_sums(g, lua_toboolean(L, 2), all, (int)(x->count / LS_LSG_SUMS)) : LS_EMEM;
  return st ? ls_raise(L, st) : 0;
}

typedef struct outside {
  const ls_graph *g;
  u32 first, past, *list;
  u64 count;
} outside;

static ls_status do_outside(void *arg) {
  outside *o = arg;
  return ls_graph_heads_outside(o->g, o->first, o->past, &o->list, &o->count);
}

/* heads_outside(g, first, past): the vertices outside of [first, past) to which edges lead, each once, in
 * ascending order. */
static int heads_outside(lua_State *L) {
  outside o = {
      .g = ls_check_graph(L, 1), .first = (u32)luaL_checkinteger(L, 2), .past = (u32)luaL_checkinteger(L, 3)};
  ls_do(L, do_outside, &o, false);
  ls_buffer *b = NULL;
  const ls_status st = ls_buffer_wrap(LS_U32, o.count, o.list, NULL, &b);
  if (st) return ls_free(o.list), ls_raise(L, st);
  ls_push_buffer(L, b);
  return 1;
}

static const luaL_Reg functions[] = {{"load", load},
                                     {"open_in_parts", open_in_parts},
                                     {"file_of", file_of},
                                     {"file_offset", file_offset},
                                     {"file_rows", file_rows},
                                     {"file_sums", file_sums},
                                     {"file_check", file_check},
                                     {"heads_outside", heads_outside},
                                     {NULL, NULL}};

typedef struct saving {
  ls_graph *g;
  const char *path, *format;
} saving;

static ls_status do_save(void *arg) {
  saving *s = arg;
  return ls_graph_save(s->g, s->path, s->format);
}

static int save(lua_State *L) {
  saving s = {.g = ls_check_graph(L, 1), .path = luaL_checkstring(L, 2)};
  if (!lua_isnoneornil(L, 3)) {
    luaL_checktype(L, 3, LUA_TTABLE);
    ls_check_options(L, 3, "g:save", save_options, sizeof save_options / sizeof *save_options);
    s.format = format_option(L, 3, "g:save");
  }
  ls_buffer *const arrays[] = {s.g->off, s.g->to, s.g->w, s.g->roff, s.g->rto, s.g->rw, s.g->t, s.g->rt};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) /* reads device arrays on this thread */
    if (arrays[i] && !ls_buffer_read(arrays[i])) ls_raise(L, LS_EMEM);
  ls_do(L, do_save, &s, s.g->m < QUICK_EDGES);
  lua_settop(L, 1);
  return 1;
}

int ls_open_load(lua_State *L) {
  static const luaL_Reg methods[] = {{"save", save}, {NULL, NULL}};
  lua_getglobal(L, "graph");
  luaL_setfuncs(L, functions, 0);
  luaL_getmetatable(L, "lockstep.graph");
  lua_getfield(L, -1, "__methods");
  luaL_setfuncs(L, methods, 0);
  lua_settop(L, 0);
  return 0;
}
