/* Counts what the warps of each phase do: how often their threads diverge, and how often they access memory.
 */
#include <string.h>

#include "core/mem.h"
#include "ode/code_parts.h"

enum { SECTOR = 32 };

/* Returns the number of different values in x[n], and moves them, sorted, to the front of x. n is small. */
static u32 distinct(u64 *x, u32 n) {
  u32 found = 0;
  for (u32 i = 0; i < n; i++) {
    u32 k = found;
    while (k > 0 && x[k - 1] > x[i]) k--;
    if (k > 0 && x[k - 1] == x[i]) continue;
    const u64 new = x[i];
    memmove(x + k + 1, x + k, (found - k) * sizeof *x);
    x[k] = new;
    found++;
  }
  return found;
}

/* Counts one memory request of n threads: thread i accesses element at[i], of `size` bytes. */
static void ask(ls_code_counts *out, u64 *at, u32 n, u32 size) {
  for (u32 i = 0; i < n; i++) at[i] = at[i] * size / SECTOR;
  out->requests++;
  out->sectors += distinct(at, n);
}

/* Counts an instruction issued for n threads of a warp that have the same operator; from[i]: offset of thread
 * i's instruction. */
static void do_together(const ls_code *c, const u32 *from, const u32 *lane, u32 n, ls_code_counts *out) {
  const u32 op = (u32)(c->codes[from[0]] & 0xff);
  u64 at[LS_CODE_WARP];
  u32 operand[LS_CODE_WARP];
  for (u32 i = 0; i < n; i++) {
    at[i] = from[i];
    operand[i] = (u32)(c->codes[from[i]] >> 32);
  }
  out->issued++;
  ask(out, at, n, sizeof(u64));
  const bool indirect = op == LS_CODE_VARIABLE_IND || op == LS_CODE_ASSIGN_IND;
  if (indirect) {
    for (u32 i = 0; i < n; i++) at[i] = operand[i] + lane[i];
    ask(out, at, n, sizeof(u32));
    for (u32 i = 0; i < n; i++) operand[i] = c->places[operand[i] + lane[i]];
  }
  if (!indirect && op != LS_CODE_VARIABLE && op != LS_CODE_ASSIGN && op != LS_CODE_CONSTANT &&
      op != LS_CODE_CONSTANT_IND)
    return;
  for (u32 i = 0; i < n; i++) at[i] = operand[i] + (op == LS_CODE_CONSTANT_IND ? lane[i] : 0);
  ask(out, at, n, sizeof(f64));
}

static void count_warp(const ls_code *c, u32 from, u32 n, ls_code_counts *out) {
  u32 pc[LS_CODE_WARP];
  bool runs[LS_CODE_WARP];
  for (u32 i = 0; i < n; i++) {
    pc[i] = c->index[from + i] & ~LS_CODE_MUTE;
    runs[i] = true;
    if (c->index[from + i] & LS_CODE_MUTE)
      out->redundant++;
    else
      out->threads++;
  }
  out->warps++;
  for (bool any = true; any;) {
    bool asked[LS_CODE_WARP] = {false};
    u32 different = 0;
    any = false;
    for (u32 i = 0; i < n; i++) {
      if (!runs[i] || asked[i]) continue;
      u32 group[LS_CODE_WARP] = {pc[i]}, lane[LS_CODE_WARP], members = 0;
      for (u32 k = i; k < n; k++) {
        if (!runs[k] || asked[k] || (c->codes[pc[k]] & 0xff) != (c->codes[pc[i]] & 0xff)) continue;
        asked[k] = true;
        group[members] = pc[k];
        lane[members++] = c->lane[from + k];
        out->instructions += !(c->index[from + k] & LS_CODE_MUTE);
      }
      do_together(c, group, lane, members, out);
      different++;
    }
    if (!different) break;
    out->steps++;
    out->divergent += different > 1;
    for (u32 i = 0; i < n; i++) {
      if (!runs[i]) continue;
      runs[i] = (c->codes[pc[i]] & 0xff) != LS_CODE_END;
      pc[i]++;
      any |= runs[i];
    }
  }
}

/* Hash of a thread's sequence of operators. */
static u64 sequence(const ls_code *c, u32 t) {
  u64 h = 14695981039346656037ull;
  for (u32 pc = c->index[t] & ~LS_CODE_MUTE;; pc++) {
    u32 op = (u32)(c->codes[pc] & 0xff);
    const u64 operand = ls_code_structural(op) ? c->codes[pc] >> 32 : 0;
    if (op == LS_CODE_CONSTANT_IND) op = LS_CODE_CONSTANT; /* unifying does not change the kind */
    if (op == LS_CODE_VARIABLE_IND) op = LS_CODE_VARIABLE;
    if (op == LS_CODE_ASSIGN_IND) op = LS_CODE_ASSIGN;
    h = (h ^ op) * 1099511628211ull;
    h = (h ^ operand) * 1099511628211ull;
    if (op == LS_CODE_END) return h;
  }
}

static ls_status count_kinds(const ls_code *c, u32 from, u32 to, u64 *out) {
  u32 room = 64;
  while (room < 2 * (to - from)) room *= 2;
  u64 *seen = ls_calloc(room, sizeof *seen);
  if (!seen) return LS_EMEM;
  *out = 0;
  for (u32 t = from; t < to; t++) {
    const u64 h = sequence(c, t) | 1;
    u32 i = (u32)(h >> 20) & (room - 1);
    while (seen[i] && seen[i] != h) i = (i + 1) & (room - 1);
    if (!seen[i]) seen[i] = h, ++*out;
  }
  ls_free(seen);
  return LS_OK;
}

static ls_status count_phase(const ls_code *c, u32 phase, ls_code_counts *out) {
  const u32 from = c->first[phase], to = c->first[phase + 1];
  for (u32 t = from; t < to; t += LS_CODE_WARP)
    count_warp(c, t, to - t < LS_CODE_WARP ? to - t : LS_CODE_WARP, out);
  return count_kinds(c, from, to, &out->kinds);
}

ls_status ls_code_count(ls_code *c) {
  c->counts = ls_calloc(ls_code_phases(c), sizeof *c->counts);
  ls_status st = c->counts ? LS_OK : LS_EMEM;
  for (u32 p = 0; p < ls_code_phases(c) && !st; p++) st = count_phase(c, p, &c->counts[p]);
  return st;
}
