#include "session/breakpoints.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/nearest.h"
#include "core/text.h"
#include "session/frames.h"
#include "session/lines.h"
#include "session/watch_value.h"
#include "session/stop.h"
#include "session/threads.h"
#include "session/values.h"

typedef enum point_kind { ON_PRIMITIVE, ON_LINE, ON_MARK, WATCH, DISPLAY } point_kind;

typedef struct point {
  int id;
  point_kind kind;
  bool temporary;
  bool apart; /* made while the others were disabled (ls_session_points_aside) */
  char *text; /* as the user gave it; for a watch or a display: the expression */
  const ls_prim *prim;
  char file[64];
  int line;
  u32 mark;         /* ON_MARK: the iteration; 0: every one */
  int condition;    /* compiled; for a watch or a display: the expression. LUA_NOREF: none */
  seen_value last;  /* WATCH: its last value */
  char failed[120]; /* WATCH: the error that has prevented a value in this run; "": there was a value, or its
                       names are unknown so far */
  bool had;         /* WATCH: it has had a value in this run */
  u64 hits;
} point;

static point *points;
static int count, last_id, last_display;
static u32 room;
static bool aside; /* points that are not `apart` are disabled, except displays */

/* --- the list ---------------------------------------------------------------------------------------- */

static void release(point *p) {
  luaL_unref(the_threads.L, LUA_REGISTRYINDEX, p->condition);
  seen_end(the_threads.L, &p->last);
  ls_free(p->text);
}

static void remove_at(int i) {
  release(&points[i]);
  memmove(points + i, points + i + 1, (size_t)(--count - i) * sizeof *points);
}

static ls_status add(point *p, const char *text, int *id) {
  point *grown = ls_grown(points, (u32)count, &room, 8, sizeof *points);
  if (!grown) goto failed;
  points = grown;
  p->text = ls_strdup(text);
  if (!p->text) goto failed;
  p->id = p->kind == DISPLAY ? ++last_display : ++last_id;
  points[count++] = *p;
  *id = p->id;
  return LS_OK;
failed:
  release(p);
  return LS_EMEM;
}

static ls_status delete_kind(int id, bool displays, const char *what) {
  bool any = false;
  for (int i = count - 1; i >= 0; i--) {
    if ((points[i].kind == DISPLAY) != displays || (id && points[i].id != id)) continue;
    remove_at(i);
    any = true;
  }
  if (any || !id) return LS_OK;
  return ls_fail(LS_EARG, "there is no %s %d", what, id);
}

ls_status ls_session_delete(int id) { return delete_kind(id, false, "breakpoint"); }
ls_status ls_session_undisplay(int id) { return delete_kind(id, true, "display"); }

void ls_session_points_aside(bool yes) { aside = yes; }

void ls_session_delete_apart(void) {
  for (int i = count - 1; i >= 0; i--)
    if (points[i].apart && points[i].kind != DISPLAY) remove_at(i);
}

static bool works(const point *p) { return !aside || p->apart; }

void points_close(void) {
  while (count) remove_at(count - 1);
  ls_free(points);
  points = NULL;
  room = 0;
  last_id = last_display = 0;
}

void points_begin(void) {
  for (int i = 0; i < count; i++) {
    points[i].last.known = points[i].had = false;
    points[i].failed[0] = '\0';
  }
}

bool ls_session_breakpoint(int i, ls_breakpoint *out) {
  for (int k = 0; k < count; k++) {
    const point *p = &points[k];
    if (p->kind == DISPLAY || i-- > 0) continue;
    *out = (ls_breakpoint){p->id,
                           p->kind == WATCH ? "watch"
                           : p->temporary   ? "tbreak"
                                            : "break",
                           p->text, p->hits, p->failed};
    return true;
  }
  return false;
}

static bool any_of(point_kind kind) {
  for (int i = 0; i < count; i++)
    if (points[i].kind == kind && works(&points[i])) return true;
  return false;
}

bool points_any_steps(void) { return any_of(ON_PRIMITIVE) || any_of(WATCH); }
bool points_any(void) { return points_any_steps() || any_of(ON_LINE) || any_of(ON_MARK); }
bool points_any_lines(void) { return any_of(ON_LINE); }

/* --- creating a breakpoint --------------------------------------------------------------------------- */

static int compile_body(lua_State *L) {
  int *compiled = lua_touserdata(L, 2);
  *compiled = values_compile(L, lua_touserdata(L, 1));
  return 0;
}

static ls_status compile(const char *expr, int *compiled) {
  lua_State *L = the_threads.L;
  *compiled = LUA_NOREF;
  if (!*expr) return ls_fail(LS_EARG, "an expression is missing");
  lua_pushcfunction(L, compile_body);
  lua_pushlightuserdata(L, (void *)expr);
  lua_pushlightuserdata(L, compiled);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    lua_pop(L, 1);
    return ls_fail(LS_EMEM, "no memory for the expression");
  }
  return *compiled == LUA_NOREF ? LS_EARG : LS_OK;
}

static ls_status unknown_primitive(const char *name) {
  int n = ls_prims();
  const char **names = ls_malloc((size_t)n * sizeof *names);
  if (!names) return LS_EMEM;
  for (int i = 0; i < n; i++) names[i] = ls_prim_at(i)->name;
  const char *nearest = ls_nearest(name, names, (size_t)n);
  ls_free(names);
  return nearest ? ls_fail(LS_EARG, "there is no primitive %s; did you mean %s?", name, nearest)
                 : ls_fail(LS_EARG, "there is no primitive %s (break NAME, FILE:LINE or iter [N])", name);
}

static char note[160]; /* a remark on the last breakpoint */

const char *ls_session_break_note(void) { return note; }

/* --- places ------------------------------------------------------------------------------------------ */

static bool is_number(const char *s) { return *s && strspn(s, "0123456789") == strlen(s) && strlen(s) < 10; }

enum { PLACE = 512 };

/* If the place is only a line number, adds the file of the stopped function. */
static ls_status add_file(char *place) {
  char source[PLACE], line[16];
  if (!is_number(place)) return LS_OK;
  ls_session_source(source, sizeof source);
  if (*source != '@')
    return ls_fail(LS_EARG, "break %s: name the file too, as in `break FILE:LINE`; `break LINE` needs a stop",
                   place);
  snprintf(line, sizeof line, ":%s", place);
  if (strlen(source + 1) + strlen(line) >= PLACE)
    return ls_fail(LS_EARG, "the breakpoint's place is too long");
  strcat(strcpy(place, source + 1), line);
  return LS_OK;
}

/* Parses `place`, of PLACE bytes: the part of a breakpoint before " if ". */
static ls_status place_point(char *place, point *p) {
  char *end = place + strlen(place);
  while (end > place && isspace((unsigned char)end[-1])) *--end = '\0';
  const ls_status st = add_file(place);
  if (st) return st;
  if (strncmp(place, "iter", 4) == 0 && (!place[4] || isspace((unsigned char)place[4]))) {
    char *n = place + 4;
    while (isspace((unsigned char)*n)) n++;
    if (*n && (!is_number(n) || atoi(n) == 0))
      return ls_fail(LS_EARG, "break iter: expected a whole number of at least 1, got %s", n);
    p->kind = ON_MARK;
    p->mark = (u32)atoi(n);
    return LS_OK;
  }
  char *colon = strrchr(place, ':');
  if (colon && is_number(colon + 1) && atoi(colon + 1) > 0) {
    *colon = '\0';
    const char *name = ls_base_name(place);
    if (strlen(name) >= sizeof p->file) return ls_fail(LS_EARG, "the name of the file is too long: %s", name);
    strcpy(p->file, name);
    p->kind = ON_LINE;
    p->line = atoi(colon + 1);
    return lines_settle(place, p->file, &p->line, note, sizeof note);
  }
  p->kind = ON_PRIMITIVE;
  p->prim = ls_prim_find(place);
  return p->prim ? LS_OK : unknown_primitive(place);
}

/* The id of an existing breakpoint with the same meaning; 0: none. */
static int same_as(const point *p, const char *text) {
  for (int i = 0; i < count; i++)
    if (points[i].kind == p->kind && points[i].temporary == p->temporary && points[i].apart == p->apart &&
        strcmp(points[i].text, text) == 0)
      return points[i].id;
  return 0;
}

ls_status ls_session_break(const char *spec, bool temporary, int *id) {
  point p = {.temporary = temporary, .apart = aside, .condition = LUA_NOREF, .last = {.value = LUA_NOREF}};
  char place[PLACE];
  const char *condition = strstr(spec, " if ");
  size_t n = condition ? (size_t)(condition - spec) : strlen(spec);
  if (n >= sizeof place) return ls_fail(LS_EARG, "the breakpoint's place is too long");
  memcpy(place, spec, n);
  place[n] = '\0';
  note[0] = '\0';
  ls_status st = place_point(place, &p);
  if (st) return st;
  const size_t size = strlen(spec) + strlen(place) + 16;
  char *text = ls_malloc(size); /* shows the line to which the breakpoint was moved */
  if (!text) return LS_EMEM;
  if (p.kind == ON_LINE)
    snprintf(text, size, "%s:%d%s", place, p.line, condition ? condition : "");
  else
    snprintf(text, size, "%s", spec);
  *id = same_as(&p, text);
  if (!*id && condition) st = compile(condition + 4, &p.condition);
  if (!*id && !st) st = add(&p, text, id);
  ls_free(text);
  return st;
}

/* Has the watched value changed? The first value that can be computed is only stored, for later
 * comparisons. */
static bool changed(lua_State *L, point *p) {
  if (!values_of(L, the_stop.paused ? the_frames.standing[0] : L, p->condition)) {
    if (the_values.unknown) return false;
    if (!p->had) snprintf(p->failed, sizeof p->failed, "%s", ls_error());
    if (!p->last.known) return false; /* else an expression that always fails would stop everywhere */
    p->last.known = false;
    stop_why("watch %d: %s", p->id, ls_error());
    return true;
  }
  p->had = true;
  p->failed[0] = '\0';
  if (seen_again(&p->last)) return false;
  const bool first = !p->last.known;
  if (!first) {
    char how[200];
    seen_difference(&p->last, how, sizeof how);
    p->hits++;
    stop_why("watch %d: %s %s", p->id, p->text, how);
  }
  seen_keep(L, &p->last);
  return !first;
}

static ls_status add_expression(point_kind kind, const char *expr, int *id) {
  point p = {.kind = kind, .apart = aside, .last = {.value = LUA_NOREF}};
  ls_status st = compile(expr, &p.condition);
  return st == LS_OK ? add(&p, expr, id) : st;
}

static int first_value(lua_State *L) {
  size_t n = strlen(the_stop.now.why); /* an expression that fails here adds no reason to this stop */
  changed(L, lua_touserdata(L, 1));
  the_stop.now.why[n] = '\0';
  return 0;
}

/* Stores the value at the current stop as the one that the next value is compared with. */
static void watch_from_here(point *p) {
  p->last.known = false;
  ls_session_try(the_threads.L, first_value, p);
}

ls_status ls_session_watch(const char *expr, int *id) {
  ls_status st = add_expression(WATCH, expr, id);
  if (st || !the_stop.paused) return st;
  watch_from_here(&points[count - 1]);
  if (!*points[count - 1].failed) return LS_OK;
  st = ls_fail(LS_EARG, "%s: %s", expr, points[count - 1].failed);
  remove_at(count - 1);
  return st;
}

void points_present(void) {
  for (int i = 0; i < count; i++)
    if (points[i].kind == WATCH) watch_from_here(&points[i]);
}

ls_status ls_session_display(const char *expr, int *id) { return add_expression(DISPLAY, expr, id); }

/* --- does a breakpoint stop here? -------------------------------------------------------------------- */

/* Does the point's condition hold here? If so, adds the reason for the stop. */
static bool hit(lua_State *L, point *p) {
  bool failed = false;
  if (p->condition != LUA_NOREF && !values_true(L, L, p->condition, &failed)) return false;
  p->hits++;
  if (failed)
    stop_why("%s %d: %s", p->temporary ? "tbreak" : "break", p->id, ls_error());
  else
    stop_why("%s %d", p->temporary ? "tbreak" : "break", p->id);
  return true;
}

static bool is_of(const ls_prim *prim, const point *p) {
  if (strcmp(prim->name, p->prim->name) == 0) return true;
  for (int i = 0; p->prim->loop && i < p->prim->loop->nsteps; i++) /* a stepped loop runs only its steps */
    if (strcmp(prim->name, p->prim->loop->step[i].prim->name) == 0) return true;
  return false;
}

static bool ask(lua_State *L, bool (*verdict)(lua_State *L, point *p, const void *of), const void *of) {
  bool stop = false;
  for (int i = 0; i < count; i++) {
    if (!works(&points[i]) || !verdict(L, &points[i], of)) continue;
    stop = true;
    if (points[i].temporary) remove_at(i--);
  }
  return stop;
}

static bool after_primitive(lua_State *L, point *p, const void *of) {
  const ls_record *record = of;
  if (p->kind == WATCH) return changed(L, p);
  return p->kind == ON_PRIMITIVE && record && is_of(record->prim, p) && hit(L, p);
}

bool points_after(lua_State *L, const ls_record *r) { return ask(L, after_primitive, r); }

static bool at_mark(lua_State *L, point *p, const void *of) {
  return p->kind == ON_MARK && (!p->mark || p->mark == *(const u32 *)of) && hit(L, p);
}

bool points_mark(lua_State *L, u32 mark) { return ask(L, at_mark, &mark); }

static bool at_line(lua_State *L, point *p, const void *of) {
  const lua_Debug *ar = of;
  if (p->kind != ON_LINE || p->line != ar->currentline) return false;
  return strncmp(frames_file(ar->source), p->file, sizeof p->file - 1) == 0 && hit(L, p);
}

bool points_line(lua_State *L, lua_Debug *ar) {
  for (int i = 0; i < count; i++)
    if (points[i].kind == ON_LINE && points[i].line == ar->currentline) {
      lua_getinfo(L, "S", ar);
      return ask(L, at_line, ar);
    }
  return false;
}

typedef void (*show_display)(int id, const char *expr, const char *value);

static int evaluate_displays(lua_State *L) {
  show_display show = (show_display)lua_touserdata(L, 1);
  for (int i = 0; i < count; i++) {
    if (points[i].kind != DISPLAY) continue;
    if (values_of(L, the_frames.standing[0], points[i].condition))
      show(points[i].id, points[i].text, lua_tostring(the_values.scratch, 2));
    else
      show(points[i].id, points[i].text, the_values.unknown ? "not known here" : ls_error());
  }
  return 0;
}

void ls_session_displays(show_display show) {
  if (!the_stop.paused) {
    for (int i = 0; i < count; i++)
      if (points[i].kind == DISPLAY) show(points[i].id, points[i].text, "");
    return;
  }
  ls_session_try(the_threads.L, evaluate_displays, (const void *)show);
}
