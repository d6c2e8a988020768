#include "panel/views/view_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lua/ode/l_bytecode.h"
#include "lua/base/l_state.h"
#include "repl/lesson/lesson_scene.h"
#include "run/record/journal.h"
#include "session/session.h"

static ls_view_data model;
static char looked[48];

void ls_view_data_look(const char *name) { snprintf(looked, sizeof looked, "%s", name); }
const char *ls_view_data_looked(void) { return looked; }

/* --- collecting -------------------------------------------------------------------------------------- */

enum { OF_STATE, ALONE, OF_GRAPH, KINDS };

bool ls_seen_points(const ls_seen *s) {
  static const char *const pointers[] = {"parent", "link", "jump", "link_next", "jump_next"};
  for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++)
    if (strcmp(s->field, pointers[k]) == 0) return true;
  return false;
}

/* Does the buffer contain labels of classes, such as components? Vertex numbers that are heads of
 * edges, or that serve as pointers, are not labels. */
static bool are_labels(const ls_seen *s, ls_contract contract) {
  if (s->type != LS_U32 || s->cols || s->of_edges) return false;
  if (strcmp(s->field, "comp") == 0 || strcmp(s->field, "id") == 0) return true;
  return !ls_seen_points(s) && contract == LS_CONTRACT_vertex;
}

static void add(ls_view_data *m, const char *prefix, const char *field, ls_buffer *b, const ls_field *f,
                const char *doc, int rank) {
  if (!b || m->nbuffers == LS_SEEN_BUFFERS) return;
  for (int i = 0; i < m->nbuffers; i++)
    if (m->buffers[i].buffer == b) return; /* already listed under a nearer name */
  ls_seen *s = &m->buffers[m->nbuffers++];
  *s = (ls_seen){.buffer = b,
                 .doc = f ? f->doc : doc,
                 .init = f ? f->init : "",
                 .type = b->type,
                 .rows = b->rows,
                 .cols = b->cols,
                 .count = b->count,
                 .host = b->host_valid,
                 .device = b->dev_valid,
                 .closed = b->closed,
                 .unknown = ls_journal_lacks(b),
                 .gpu = b->device,
                 .changed = b->changed_step,
                 .rank = rank};
  if (*prefix)
    snprintf(s->name, sizeof s->name, "%s.%s", prefix, field);
  else
    snprintf(s->name, sizeof s->name, "%s", field);
  const char *dot = strrchr(s->name, '.');
  s->field = dot ? dot + 1 : s->name;
  s->of_edges = rank % KINDS == OF_GRAPH || (f && strcmp(f->extent, "m") == 0);
  s->labels = are_labels(s, b->contract);
}

/* While a lesson is open, its own graphs take precedence over those that existed when it began. */
static void add_graph(ls_view_data *m, const char *name, ls_graph *g, int rank, bool found) {
  if (!m->graph || (m->graph_found && !found)) {
    m->graph = g;
    m->graph_found = found;
    snprintf(m->graph_name, sizeof m->graph_name, "%s", name);
  }
  rank = rank * KINDS + OF_GRAPH;
  add(m, name, "off", g->off, NULL, "where each vertex's out-edges begin", rank);
  add(m, name, "to", g->to, NULL, "heads of the out-edges", rank);
  add(m, name, "w", g->w, NULL, "weights of the out-edges", rank);
  add(m, name, "roff", g->roff, NULL, "where each vertex's in-edges begin", rank);
  add(m, name, "rto", g->rto, NULL, "tails of the in-edges", rank);
  add(m, name, "rw", g->rw, NULL, "weights of the in-edges", rank);
}

static void add_number(ls_view_data *m, const char *name, f64 x) {
  if (m->nnumbers == LS_SEEN_NUMBERS) return;
  for (int i = 0; i < m->nnumbers; i++)
    if (strcmp(m->numbers[i].name, name) == 0) return;
  m->numbers[m->nnumbers].value = x;
  snprintf(m->numbers[m->nnumbers++].name, sizeof m->numbers[0].name, "%s", name);
}

/* The field `code` of a bundle b is listed under the name of the bundle: b instead of b.code. */
static void add_code(ls_view_data *m, const char *name, const ls_seen_code *code, int rank) {
  if (m->code && (rank > m->code_rank || (rank == m->code_rank && code->code.serial < m->code->code.serial)))
    return;
  m->code = code;
  m->code_rank = rank;
  snprintf(m->code_name, sizeof m->code_name, "%s", name);
  char *end = strstr(m->code_name, ".code");
  if (end && end[5] == '\0') *end = '\0';
}

/* Adds the value on top of L under that name; of a table, the userdata in its fields, one level deep. found:
 * the value already existed when the open lesson began. */
static void collect(ls_view_data *m, lua_State *L, int rank, const char *name, bool inside, bool found) {
  const int at = lua_gettop(L);
  ls_buffer *b;
  ls_graph *g;
  ls_state *s;
  const ls_seen_code *code;
  if (lua_type(L, at) == LUA_TNUMBER) {
    if (!inside && rank >= 0) add_number(m, name, lua_tonumber(L, at));
  } else if (lua_istable(L, at) && !inside) {
    for (lua_pushnil(L); lua_next(L, at); lua_settop(L, at + 1)) {
      if (lua_type(L, at + 1) != LUA_TSTRING || lua_type(L, at + 2) != LUA_TUSERDATA) continue;
      char path[48];
      snprintf(path, sizeof path, "%s.%s", name, lua_tostring(L, at + 1));
      collect(m, L, rank, path, true, found);
    }
    lua_settop(L, at);
  } else if (lua_type(L, at) == LUA_TUSERDATA) {
    if (rank < 0) rank = 1 << 20; /* globals come last */
    if ((b = ls_test_buffer(L, at)))
      add(m, "", name, b, NULL, "", rank * KINDS + ALONE);
    else if ((g = ls_test_graph(L, at)))
      add_graph(m, name, g, rank, found);
    else if ((code = ls_test_code(L, at)))
      add_code(m, name, code, rank);
    else if ((s = ls_test_state(L, at))) {
      for (int i = 0; i < s->schema->nfields; i++)
        add(m, name, s->schema->fields[i].name, s->buffers[i], &s->schema->fields[i], "",
            rank * KINDS + OF_STATE);
      char path[48];
      snprintf(path, sizeof path, "%s.graph", name);
      if (s->graph) add_graph(m, path, s->graph, rank, found);
    }
  }
  lua_settop(L, at);
}

static void visit(void *ctx, lua_State *L, int level, const char *name) {
  luaL_checkstack(L, 8, NULL);
  if (*name != '_') collect(ctx, L, level, name, false, level < 0 && ls_scene_found(L, name));
}

/* The order of buffers: at a stop by rank; globals by kind, then by the name of the variable. */
static bool before(const ls_seen *a, const ls_seen *b, bool globals) {
  if (!globals) return a->rank < b->rank;
  if (a->rank % KINDS != b->rank % KINDS) return a->rank % KINDS < b->rank % KINDS;
  size_t i = strcspn(a->name, "."), j = strcspn(b->name, "."); /* fields of one variable keep their order */
  int order = strncmp(a->name, b->name, i > j ? i : j);
  return i == j && !strncmp(a->name, b->name, i) ? false : order < 0;
}

/* A stable insertion sort: there are a few dozen buffers, nearly in order. */
static void arrange(ls_view_data *m) {
  for (int i = 1; i < m->nbuffers; i++) {
    ls_seen s = m->buffers[i];
    int at = i;
    while (at > 0 && before(&s, &m->buffers[at - 1], !m->paused)) m->buffers[at] = m->buffers[at - 1], at--;
    m->buffers[at] = s;
  }
  for (int i = 0; i < m->nbuffers; i++) { /* `field` points into the old place */
    const char *dot = strrchr(m->buffers[i].name, '.');
    m->buffers[i].field = dot ? dot + 1 : m->buffers[i].name;
  }
}

/* At the prompt, prefers the graph in the global `g`, the name that `load` gives it. */
static void prefer_g(ls_view_data *m, lua_State *L) {
  if (m->paused || !m->graph || strcmp(m->graph_name, "g") == 0) return;
  lua_pushglobaltable(L);
  lua_pushstring(L, "g");
  lua_rawget(L, -2);
  ls_graph *g = ls_test_graph(L, -1);
  if (g && (m->graph_found || !ls_scene_found(L, "g"))) {
    m->graph = g;
    snprintf(m->graph_name, sizeof m->graph_name, "g");
  }
  lua_pop(L, 2);
}

static int choose_graph(lua_State *L) {
  prefer_g(lua_touserdata(L, 1), L);
  return 0;
}

const ls_view_data *ls_view_data_now(void) {
  lua_State *L = ls_session_lua();
  if (!L || ls_session_running()) {
    model.running = L != NULL;
    model.graph = NULL;
    model.code = NULL;
    for (int i = 0; i < model.nbuffers; i++) model.buffers[i].buffer = NULL;
    return &model;
  }
  memset(&model, 0, sizeof model);
  model.paused = ls_session_paused();
  ls_session_values(visit, &model);
  ls_session_try(L, choose_graph, &model);
  arrange(&model);
  return &model;
}

/* --- queries ----------------------------------------------------------------------------------------- */

const ls_seen *ls_view_data_buffer(const ls_view_data *m, const char *name) {
  for (int i = 0; i < m->nbuffers; i++)
    if (strcmp(m->buffers[i].name, name) == 0) return &m->buffers[i];
  for (int i = 0; i < m->nbuffers; i++)
    if (strcmp(m->buffers[i].field, name) == 0) return &m->buffers[i];
  return NULL;
}

bool ls_view_data_number(const ls_view_data *m, const char *name, f64 *out) {
  for (int i = 0; i < m->nnumbers; i++)
    if (strcmp(m->numbers[i].name, name) == 0) {
      *out = m->numbers[i].value;
      return true;
    }
  return false;
}

const char *ls_seen_where(const ls_seen *s) {
  static char device[16];
  if (s->closed) return "closed";
  if (s->unknown) return "unrecorded";
  if (s->host && s->device) return "both";
  if (s->host) return "host";
  if (!s->device) return "blank";
  snprintf(device, sizeof device, "cuda:%d", s->gpu);
  return device;
}

void ls_seen_shape(const ls_seen *s, char *out, size_t bytes) {
  if (s->cols)
    snprintf(out, bytes, "%s[%llux%llu]", ls_dtype_name(s->type), (unsigned long long)s->rows,
             (unsigned long long)s->cols);
  else
    snprintf(out, bytes, "%s[%llu]", ls_dtype_name(s->type), (unsigned long long)s->rows);
}

bool ls_seen_peek(const ls_seen *s, u64 first, u64 count, void *out) {
  if (!s->buffer || s->closed || s->unknown || first > s->count || count > s->count - first ||
      count > LS_SUMMED)
    return false;
  return ls_buffer_peek(s->buffer, first, count, out) == LS_OK;
}

/* Samples windows of consecutive elements, because a transfer from a device costs the same for one element as
 * for hundreds. */
u64 ls_seen_sample(const ls_seen *s, void *out) {
  enum { WINDOWS = 8, WINDOW = LS_SAMPLE / WINDOWS };
  if (s->count <= LS_SUMMED) return ls_seen_peek(s, 0, s->count, out) ? s->count : 0;
  const size_t size = ls_dtype_size(s->type);
  for (u64 w = 0; w < WINDOWS; w++) {
    u64 first = (u64)((f64)(s->count - WINDOW) * (f64)w / (WINDOWS - 1));
    if (!ls_seen_peek(s, first, WINDOW, (u8 *)out + w * WINDOW * size)) return 0;
  }
  return LS_SAMPLE;
}

enum { LABEL_SLOTS = 1 << 21 }; /* of a hash table with open addressing: about twice LS_SUMMED */

void ls_seen_count_labels(const u32 *x, u64 count, int most, ls_label_counts *out) {
  static u32 label[LABEL_SLOTS], times[LABEL_SLOTS];
  u32 slots = 16;
  while (slots < 2 * count && slots < LABEL_SLOTS) slots *= 2;
  memset(times, 0, slots * sizeof *times);
  *out = (ls_label_counts){0};
  for (u64 i = 0; i < count; i++) {
    if (x[i] == LS_NO_VERTEX) {
      out->none++;
      continue;
    }
    u32 at = x[i] * 0x9e3779b1u;
    at = (at ^ at >> 15) & (slots - 1);
    while (times[at] && label[at] != x[i]) at = (at + 1) & (slots - 1);
    out->classes += !times[at];
    label[at] = x[i];
    times[at]++;
  }
  out->rest = count - out->none;
  for (u32 s = 0; s < slots; s++) {
    if (!times[s]) continue;
    int at = out->listed;
    while (at > 0 && (times[s] > out->of[at - 1].count ||
                      (times[s] == out->of[at - 1].count && label[s] < out->of[at - 1].label)))
      at--;
    if (at >= most) continue;
    if (out->listed < most) out->listed++;
    for (int k = out->listed - 1; k > at; k--) out->of[k] = out->of[k - 1];
    out->of[at].label = label[s];
    out->of[at].count = times[s];
  }
  for (int k = 0; k < out->listed; k++) out->rest -= out->of[k].count;
}

f64 ls_seen_value(ls_dtype t, const void *p, u64 i, bool *none) {
  const ls_number x = ls_number_at(t, p, i);
  const f64 value = ls_number_real(x);
  *none = ls_number_is_none(t, x) || (t == LS_U64 && x.i == (ls_i128)UINT64_MAX);
  return value;
}

void ls_seen_text(ls_dtype t, const void *p, u64 i, char *out, size_t bytes) {
  bool none;
  const f64 value = ls_seen_value(t, p, i, &none);
  char exact[LS_NUMBER_CHARS];
  if (none && (t == LS_U16 || t == LS_U32 || t == LS_U64))
    snprintf(out, bytes, "-");
  else if (none && !isnan(value))
    snprintf(out, bytes, value < 0 ? "-inf" : "inf");
  else if (isnan(value))
    snprintf(out, bytes, "nan");
  else if (ls_dtype_is_real(t))
    snprintf(out, bytes, "%.5g", value);
  else
    snprintf(out, bytes, "%s", ls_number_text(t, ls_number_at(t, p, i), exact));
}
