/* The phases view: bytecode in phases (Okuyama 2013, figures 5.4 to 5.6). One column per thread shows its
 * instructions from top to bottom, one colour per warp; above it a table of what warps do, before and after
 * each optimisation. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "lua/ode/l_bytecode.h"
#include "panel/views/view_data.h"
#include "panel/views/table.h"

enum { STEPS = 12, SIGNS = LS_CODE_OPS };

/* --- signs ------------------------------------------------------------------------------------------- */

/* An instruction as one character. Operands: a capital letter, or the small one if they are in tables (_IND);
 * arithmetic: the usual sign; functions of one argument: a letter, mostly f. */
static char sign_of(u32 op) {
  switch (op) {
  case LS_CODE_END: return '.';
  case LS_CODE_CONSTANT: return 'C';
  case LS_CODE_CONSTANT_IND: return 'c';
  case LS_CODE_VARIABLE: return 'V';
  case LS_CODE_VARIABLE_IND: return 'v';
  case LS_CODE_ASSIGN: return 'A';
  case LS_CODE_ASSIGN_IND: return 'a';
  case LS_CODE_JUMP: return 'J';
  case LS_CODE_JUMP_IF_NOT: return 'j';
  case LS_CODE_PLUS_NARY: return '+';
  case LS_CODE_TIMES_NARY: return '*';
  case LS_CODE_MINUS: return '-';
  case LS_CODE_DIVIDE: return '/';
  case LS_CODE_POWER: return '^';
  case LS_CODE_EQ: return '=';
  case LS_CODE_LT: return '<';
  case LS_CODE_GT: return '>';
  case LS_CODE_NEGATE: return 'n';
  case LS_CODE_EXP: return 'e';
  case LS_CODE_LN: return 'l';
  default: return op < LS_CODE_MINUS ? 'm' : op < LS_CODE_NEGATE ? 'r' : 'f';
  }
}

/* The meaning of an instruction's sign, which several instructions may share. */
static const char *meaning(u32 op) {
  switch (sign_of(op)) {
  case 'm': return "MAX, MIN, AND, OR, XOR";
  case 'r': return "of two operands";
  case 'f': return "of one operand";
  default: return ls_code_name((ls_code_op)op);
  }
}

static ls_style warp_style(u32 warp) { return (ls_style)(LS_SERIES1 + warp % 6); }

/* --- the optimisation steps -------------------------------------------------------------------------- */

/* The bytecode after each step, from the first to the last, and the index of the one shown. */
typedef struct steps {
  const ls_seen_code *code[STEPS];
  int count, shown;
} steps;

static bool find(const ls_view_state *st, steps *out) {
  const ls_seen_code *last = ls_view_data_now()->code;
  *out = (steps){0};
  for (const ls_seen_code *s = last; s && out->count < STEPS; s = s->before) out->count++;
  for (int i = out->count - 1; i >= 0; i--, last = last->before) out->code[i] = last;
  const int back = st->choice >= 0 ? st->choice : 0;
  out->shown = back < out->count ? out->count - 1 - back : 0;
  return out->count > 0;
}

enum {
  C_MARK,
  C_STEP,
  C_PHASES,
  C_THREADS,
  C_REDUNDANT,
  C_KINDS,
  C_INSTRUCTIONS,
  C_DIVERGENT,
  C_SHARE,
  C_REQUESTS,
  C_SECTORS,
  COLUMNS
};

static const ls_column columns[COLUMNS] = {
    {"", 1, 0, false, 99, 0},
    {"step", 9, 0, false, 100, 0},
    {"phases", 6, 0, true, 90, 0},
    {"threads", 7, 0, true, 70, 0},
    {"redundant", 9, 0, true, 50, 0},
    {"kinds", 5, 0, true, 65, 0},
    {"instructions", 12, 0, true, 80, 0},
    {"divergent", 9, 0, true, 85, 0},
    {"%", 4, 0, true, 60, 0},
    {"requests", 8, 0, true, 83, 0},
    {"sectors", 7, 0, true, 40, 0},
};

static ls_code_counts all_of(const ls_code *c) {
  ls_code_counts sum = {0};
  for (u32 p = 0; p < ls_code_phases(c); p++) {
    const ls_code_counts *x = &c->counts[p];
    sum.threads += x->threads, sum.redundant += x->redundant, sum.kinds += x->kinds, sum.steps += x->steps;
    sum.instructions += x->instructions, sum.divergent += x->divergent, sum.requests += x->requests;
    sum.sectors += x->sectors;
  }
  return sum;
}

/* The number of phases that have threads: phases of assignments between steps may be empty. */
static u64 phases_of(const ls_code *c) {
  u64 count = 0;
  for (u32 p = 0; p < ls_code_phases(c); p++) count += c->counts[p].threads > 0;
  return count;
}

static void cell(const ls_table *t, int row, int column, u64 value) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  if ((int)strlen(text) > columns[column].width) ls_short_count((f64)value, text);
  ls_table_cell(t, row, column, LS_TEXT_STYLE, text);
}

/* Draws the table of steps; if not all fit, the one that is shown and those before it. Returns how many rows
 * it took. */
static int draw_steps(const ls_view_draw *d, const steps *s) {
  const int room = d->in.rows / 2 - 1, shown = s->count <= room ? s->count : room > 0 ? room : 0;
  const int first = s->shown < shown ? 0 : s->shown - shown + 1;
  ls_table t;
  if (!shown) return 0;
  ls_table_begin(&t, d, columns, COLUMNS);
  ls_table_head(&t, 0, 0, false);
  for (int i = 0; i < shown; i++) {
    const ls_seen_code *x = s->code[first + i];
    const ls_code_counts n = all_of(&x->code);
    const bool here = first + i == s->shown;
    char share[16];
    snprintf(share, sizeof share, "%.1f", n.steps ? 100.0 * (f64)n.divergent / (f64)n.steps : 0.0);
    ls_table_cell(&t, 1 + i, C_MARK, LS_CURRENT, here ? ">" : "");
    ls_table_cell(&t, 1 + i, C_STEP, here ? LS_CURRENT : LS_TEXT_STYLE, *x->step ? x->step : "bytecode");
    cell(&t, 1 + i, C_PHASES, phases_of(&x->code));
    cell(&t, 1 + i, C_THREADS, n.threads);
    cell(&t, 1 + i, C_REDUNDANT, n.redundant);
    cell(&t, 1 + i, C_KINDS, n.kinds);
    cell(&t, 1 + i, C_INSTRUCTIONS, n.instructions);
    cell(&t, 1 + i, C_DIVERGENT, n.divergent);
    ls_table_cell(&t, 1 + i, C_SHARE, n.divergent ? LS_WARN : LS_GOOD, share);
    cell(&t, 1 + i, C_REQUESTS, n.requests);
    cell(&t, 1 + i, C_SECTORS, n.sectors);
  }
  return 1 + shown;
}

/* --- the phases -------------------------------------------------------------------------------------- */

/* The drawing of all phases: a phase takes wide() columns, followed by a gap. One column per thread or, with
 * `warps`, per warp. */
typedef struct sheet {
  const ls_view_draw *d;
  ls_rect in;
  const ls_code *c;
  bool warps;
  bool seen[SIGNS], redundant, divergent;
} sheet;

enum { GAP = 2 };

static u32 warps_of(const ls_code *c, u32 phase) {
  return (c->first[phase + 1] - c->first[phase] + LS_CODE_WARP - 1) / LS_CODE_WARP;
}
/* Columns of a phase: one per thread and a rule after each warp; or, with `warps`, one per warp. */
static u64 wide(const sheet *s, u32 phase) {
  return warps_of(s->c, phase) + (s->warps ? 0 : s->c->first[phase + 1] - s->c->first[phase]);
}

/* Writes the instruction of a thread in each visible row; 0xff if the thread has ended, or does nothing. */
static void column_of(const sheet *s, u32 thread, int top, int rows, u8 *out) {
  const ls_code *c = s->c;
  memset(out, 0xff, (size_t)rows);
  if (c->index[thread] & LS_CODE_MUTE) return;
  u32 pc = c->index[thread];
  for (int k = 0; k < top + rows; k++, pc++) {
    const u8 op = (u8)(c->codes[pc] & 0xff);
    if (k >= top) out[k - top] = op;
    if (op == LS_CODE_END) return;
  }
}

enum { MOST_ROWS = 256 };

/* What the threads of a warp do in one row: `kinds` different instructions; if kinds == 1, it is `op`. */
typedef struct warp_row {
  u8 op, kinds;
} warp_row;

static void warp_rows(const sheet *s, u32 first, u32 past, int top, int rows, warp_row *out) {
  u8 ops[MOST_ROWS];
  u64 seen[MOST_ROWS][2];
  memset(seen, 0, (size_t)rows * sizeof *seen);
  for (int k = 0; k < rows; k++) out[k] = (warp_row){0xff, 0};
  for (u32 t = first; t < past; t++) {
    column_of(s, t, top, rows, ops);
    for (int k = 0; k < rows; k++) {
      if (ops[k] == 0xff) continue;
      u64 *set = &seen[k][ops[k] / 64], bit = 1ull << ops[k] % 64;
      if (*set & bit) continue;
      *set |= bit;
      out[k].op = ops[k];
      out[k].kinds++;
    }
  }
}

static void put_op(sheet *s, int row, i64 col, ls_style style, u32 op) {
  if (op < SIGNS) s->seen[op] = true;
  ls_draw_char(s->d->canvas, s->in, row, (int)col, style, op < SIGNS ? (u32)sign_of(op) : ' ');
}

/* Draws a warp with one column per thread, followed by a rule that has ! where the threads' instructions
 * differ. */
static void draw_threads(sheet *s, u32 warp, u32 first, u32 past, i64 col, int top, int rows) {
  ls_canvas *canvas = s->d->canvas;
  warp_row of[MOST_ROWS];
  u8 ops[MOST_ROWS];
  char text[48];
  bool divergent = false;
  warp_rows(s, first, past, top, rows, of);
  for (u32 t = first; t < past; t++) {
    const bool redundant = s->c->index[t] & LS_CODE_MUTE;
    column_of(s, t, top, rows, ops);
    for (int k = 0; k < rows; k++) {
      put_op(s, 2 + k, col + (t - first), warp_style(warp), ops[k]);
      s->redundant |= redundant;
      if (redundant && of[k].kinds) ls_draw_char(canvas, s->in, 2 + k, (int)(col + (t - first)), LS_DIM, ':');
    }
  }
  for (int k = 0; k < rows; k++) {
    divergent |= of[k].kinds > 1;
    ls_draw_char(canvas, s->in, 2 + k, (int)(col + (past - first)), of[k].kinds > 1 ? LS_WARN : LS_DIM,
                 of[k].kinds > 1           ? '!'
                 : ls_canvas_ascii(canvas) ? '|'
                                           : 0x2502);
  }
  s->divergent |= divergent;
  snprintf(text, sizeof text, "w%u", warp);
  const i64 at = col < 0 && col + (past - first) > (i64)strlen(text) ? 0 : col;
  if (col + (past - first) - at >= 2)
    ls_draw_cut(canvas, s->in, 1, (int)at, (int)(col + (past - first) - at), warp_style(warp), text);
}

/* Draws a warp in one column: the instruction that all its threads have, or the number of different ones. */
static void draw_warp(sheet *s, u32 warp, u32 first, u32 past, i64 col, int top, int rows) {
  warp_row of[MOST_ROWS];
  warp_rows(s, first, past, top, rows, of);
  bool divergent = false;
  for (int k = 0; k < rows; k++) {
    if (of[k].kinds < 2) {
      put_op(s, 2 + k, col, warp_style(warp), of[k].op);
      continue;
    }
    divergent = true;
    ls_draw_char(s->d->canvas, s->in, 2 + k, (int)col, LS_WARN,
                 of[k].kinds > 9 ? '#' : (u32)('0' + of[k].kinds));
  }
  s->divergent |= divergent;
  ls_draw_char(s->d->canvas, s->in, 1, (int)col, divergent ? LS_WARN : LS_DIM, divergent ? '!' : ' ');
}

static void draw_phase(sheet *s, u32 phase, i64 col, int top, int rows) {
  const ls_code *c = s->c;
  const ls_code_counts *n = &c->counts[phase];
  char name[24], text[120];
  const i64 end = col + (i64)wide(s, phase), at = col < 0 ? 0 : col;
  ls_code_phase_name(c, phase, name, sizeof name);
  snprintf(text, sizeof text, "%s: %llu threads, %llu warp%s, %llu of %llu steps divergent", name,
           (unsigned long long)n->threads, (unsigned long long)n->warps, ls_plural(n->warps),
           (unsigned long long)n->divergent, (unsigned long long)n->steps);
  const i64 room = (end < s->in.cols ? end : s->in.cols) - at;
  if (room < (i64)strlen(name) && phase < c->phases)
    snprintf(name, sizeof name, "%u", phase + 1);
  else if (room < (i64)strlen(name))
    name[1] = 0;
  if (room > 0) ls_draw_cut(s->d->canvas, s->in, 0, (int)at, (int)room, LS_TITLE, room < 20 ? name : text);
  for (u32 w = 0; w < warps_of(c, phase); w++) {
    const u32 first = c->first[phase] + w * LS_CODE_WARP;
    const u32 past = first + LS_CODE_WARP < c->first[phase + 1] ? first + LS_CODE_WARP : c->first[phase + 1];
    const i64 x = col + (s->warps ? (i64)w : (i64)w * (LS_CODE_WARP + 1));
    if (x >= s->in.cols) return;
    if (x + (s->warps ? 1 : (i64)(past - first) + 1) <= 0) continue;
    (s->warps ? draw_warp : draw_threads)(s, w, first, past, x, top, rows);
  }
}

static void legend(const sheet *s, int row) {
  int col = 0;
  bool said[128] = {false};
  if (s->divergent) col = ls_draw_text(s->d->canvas, s->in, row, col, LS_WARN, "! divergent") + 2;
  if (s->redundant) col = ls_draw_text(s->d->canvas, s->in, row, col, LS_DIM, ": redundant") + 2;
  for (u32 op = 0; op < SIGNS && col < s->in.cols; op++) {
    char text[48];
    const u8 sign = (u8)sign_of(op);
    if (!s->seen[op] || said[sign]) continue;
    said[sign] = true;
    snprintf(text, sizeof text, "%c %s", sign, meaning(op));
    if (col + (int)strlen(text) > s->in.cols) return;
    col = ls_draw_text(s->d->canvas, s->in, row, col, LS_DIM, text) + 2;
  }
}

static void draw(const ls_view_draw *d) {
  steps all;
  if (!find(d->state, &all)) {
    ls_draw_words(d->canvas, d->in, 0, 0, LS_DIM,
                  d->running ? "its picture comes at the next stop"
                             : "no bytecode yet: p = m:phases(), or b = m:bytecode()");
    return;
  }
  const int table = draw_steps(d, &all), head = 2;
  sheet s = {
      .d = d, .in = ls_rect_cut(d->in, table), .c = &all.code[all.shown]->code, .warps = d->state->log};
  const bool signs = s.in.rows > head + 3;
  int rows = s.in.rows - head - signs;
  if (rows > MOST_ROWS) rows = MOST_ROWS;
  if (rows < 1) return;
  i64 whole = 0;
  for (u32 p = 0; p < ls_code_phases(s.c); p++) whole += (i64)wide(&s, p) + GAP;
  const i64 most = whole - GAP - s.in.cols;
  ls_view_settle(d, (int)s.c->longest, rows);
  if (d->state->column > most) d->state->column = most > 0 ? (int)most : 0;
  i64 col = -(i64)d->state->column;
  for (u32 p = 0; p < ls_code_phases(s.c) && col < s.in.cols; p++) {
    draw_phase(&s, p, col, d->state->scroll, rows);
    col += (i64)wide(&s, p) + GAP;
  }
  if (signs) legend(&s, s.in.rows - 1);
}

/* Scrolls to the beginning of the previous or next phase. */
static void to_phase(ls_view_state *st, int by) {
  steps all;
  if (!find(st, &all)) return;
  sheet s = {.c = &all.code[all.shown]->code, .warps = st->log};
  i64 col = 0, before = 0;
  for (u32 p = 0; p < ls_code_phases(s.c); p++) {
    if (by < 0 && col >= st->column) break;
    before = col;
    if (by > 0 && col > st->column) break;
    col += (i64)wide(&s, p) + GAP;
  }
  st->column = (int)before;
}

static bool key(ls_view_state *st, int k) {
  steps all;
  switch (k) {
  case 'm':
    st->log = !st->log;
    st->column = 0;
    return true;
  case 'p':
    if (find(st, &all) && all.shown > 0) st->choice = all.count - all.shown;
    return true;
  case 'n':
    if (st->choice > 0) st->choice--;
    return true;
  case '<': to_phase(st, -1); return true;
  case '>': to_phase(st, 1); return true;
  default: return false;
  }
}

static void caption(const ls_view_state *st, char *out, size_t bytes) {
  steps all;
  if (!find(st, &all))
    snprintf(out, bytes, "phases");
  else
    snprintf(out, bytes, "phases: %s%s%s, columns: %ss", ls_view_data_now()->code_name,
             *all.code[all.shown]->step ? ", " : "", all.code[all.shown]->step, st->log ? "warp" : "thread");
}

const ls_view ls_view_phases = {
    "phases", "phases", 2, 20, draw, key, "p n the step before, after; m threads or warps; < > phases",
    caption,  NULL};
