/* The bytecode interpreter: what one thread does in a phase. Okuyama 2013, figure 5.7.
 *
 * paper errs: 004, figure 5.7, lines 19 to 21: `sp -= n-1` leaves sp at the first operand and `push` writes the sum after it: the
 * operand stays on the stack, and the next operation takes it instead of what was below. Here the sum replaces the first.
 *
 * A cell is one of several copies of the model. The variable at place p of cell c is x[p*cells + c]. A thread runs one
 * bytecode for one cell. Each thread has its own stack, whose top value is in a variable of its own. Whatever the bytecode
 * contains, the interpreter stays within its arrays, and it terminates because jumps only lead forward. */
#ifndef ODE_H
#define ODE_H

#include "language/kernel.h"
#include "ode/code_ops.h"
#include "ode/ode_dopri5.h"
#include "ode/ode_timed.h"

/* ODE_TABLE_ARGS: arguments of all rows: tables of operands, and sizes. ODE_CODE_ARGS, for rows that interpret bytecode: also
 * the bytecode, and where each thread's bytecode begins. */
#define ODE_TABLE_ARGS(A)                                                                                   \
  A(IN, f64, numbers, "constants") A(IN, u32, places, "operands") A(VALUE, u32, constants, "1")             \
  A(VALUE, u32, operands, "1") A(VALUE, u32, vars, "1") A(VALUE, u32, cells, "1") ODE_TIMED_ARGS(A)
#define ODE_CODE_ARGS(A)                                                                                    \
  A(IN, u64, codes, "words") A(IN, u32, index, "threads") A(IN, u32, lane, "threads")                       \
  A(IN, u32, first, "phases+2") A(VALUE, u32, words, "1") A(VALUE, u32, threads, "1")                       \
  A(VALUE, u32, phases, "1") A(VALUE, u32, widest, "1", upto, "threads") ODE_TABLE_ARGS(A)

typedef struct ode_code {
  const u64 *codes;
  const f64 *numbers;
  const u32 *places;
  u32 words, constants, operands, vars, cells;
  ode_moment moment;
} ode_code;
#define ODE_MOMENT_LATE(a, late) \
  {LS_POINTER((a)->clock), LS_POINTER((a)->past_time), LS_POINTER((a)->past), (a)->kept, (a)->delayed, late}
#define ODE_MOMENT(a) ODE_MOMENT_LATE(a, 0)
#define ODE_CODE(a) \
  {LS_POINTER((a)->codes), LS_POINTER((a)->numbers), LS_POINTER((a)->places), (a)->words, (a)->constants, (a)->operands, (a)->vars, (a)->cells, ODE_MOMENT(a)}

/* A thread: its bytecode begins at pc. If several threads share bytecode, operands that differ are in tables, and `lane` is added
 * to their index. */
typedef struct ode_thread {
  u32 pc, lane, cell;
} ode_thread;

/* What happens to a value that bytecode assigns to the variable at x[at]. For a state, the value is its rate. */
typedef enum ode_kind { ODE_FUNCTION, ODE_EULER, ODE_RK4, ODE_DOPRI5, ODE_VALUE } ode_kind;
typedef struct ode_target {
  ode_kind kind;
  u32 stage; /* RK4: 0 to 3; DOPRI5: 0 to 6 */
  f64 h;     /* length of the step */
  f64 *next;         /* ODE_FUNCTION: x itself; ODE_VALUE: one number, the value of any variable; else the next states */
  f64 *begin, *rate; /* begin: states at the start of the step. rate: RK4: weighted sum of rates; DOPRI5: rates of all stages */
  u64 time;          /* x[time ..] is the time of each cell, which is not integrated from a rate */
  u32 *lost;         /* counts states that are no longer finite; not used by DOPRI5 */
  /* the fields below are used only by DOPRI5 */
  f64 *error; /* the square of each state's error / allowed error */
  const f64 *scale, *pace;
  u64 apart; /* distance in `rate` from one stage's rates to the next stage's */
  bool fresh; /* the length of the first step is still being determined */
} ode_target;

/* The next value of the state at `at`, by Euler's method or for the next stage of RK4. */
LS_INLINE f64 ode_state(const ode_target *to, f64 x, u64 at, f64 rate) {
  if (to->kind == ODE_EULER) return x + to->h * rate;
  const f64 y = to->stage == 0 ? x : to->begin[at];
  if (to->stage == 0) to->begin[at] = x;
  if (at >= to->time) return y + (to->stage < 2 ? to->h / 2 : to->h);
  const f64 sum = to->stage == 0 ? rate : to->rate[at] + (to->stage < 3 ? 2 * rate : rate);
  if (to->stage >= 3) return y + to->h * sum / 6;
  to->rate[at] = sum;
  return y + (to->stage == 2 ? to->h : to->h / 2) * rate;
}

/* Handles the rate of a state in a stage of DOPRI5. Stage 6 is at the end of the step: only the error is left to compute. If
 * `fresh`, the run only determines how long the first step may be, from the rates at its beginning and at the end of an Euler
 * step. */
LS_INLINE void ode_assign_dopri5(const ode_target *to, f64 x, u64 at, f64 rate) {
  f64 *k = to->rate + at, mean;
  if (at >= to->time) {
    to->next[at] = to->pace[ODE_PACE_TIME] + (to->fresh ? to->h : ls_dopri5_node(to->stage) * to->h);
    return;
  }
  if (to->stage == 0 && to->fresh) {
    to->begin[at] = x;
    k[0] = mean = rate;
  } else if (to->stage == 0) { /* k[0] is known from the previous step */
    mean = ls_dopri5_mean(0, k, to->apart, k[0]);
  } else {
    k[to->stage * to->apart] = rate;
    if (to->stage == 6) {
      const f64 e = to->h * ls_dopri5_error(k, to->apart, rate) / ode_allowed(to->pace, to->scale[at], to->begin[at], x);
      to->error[at] = e * e;
      return;
    }
    mean = ls_dopri5_mean(to->stage, k, to->apart, rate);
  }
  to->next[at] = to->begin[at] + to->h * mean;
}

/* The target for a stage of DOPRI5, from a row's arguments (ode_states_dopri5.h, and the rows that are generated from bytecode). */
#define ODE_DOPRI5_ARGS(A)                                                                                  \
  A(INOUT, f64, x_next, "vars*cells") A(INOUT, f64, begin, "vars*cells")                                    \
  A(INOUT, f64, slopes, "7*vars*cells", WITHIN(1e-9, 1e-12))                                                \
  A(INOUT, f64, error, "vars*cells", WITHIN(1e-3, 1e-6)) A(IN, f64, scale, "vars*cells") ODE_PACE_ARGS(A)   \
  A(VALUE, u32, stage, "1")
LS_INLINE ode_target ode_to_dopri5(f64 *next, f64 *begin, f64 *slopes, f64 *error, const f64 *scale, const f64 *pace,
                                   const u32 *progress, u32 stage, u64 vars, u64 cells) {
  bool last;
  const ode_target to = {.kind = ODE_DOPRI5,
                         .stage = stage,
                         .h = ode_length(pace, &last),
                         .next = next,
                         .begin = begin,
                         .rate = slopes,
                         .time = (vars - 1) * cells,
                         .error = error,
                         .scale = scale,
                         .pace = pace,
                         .apart = vars * cells,
                         .fresh = progress[ODE_FRESH] != 0};
  return to;
}
#define ODE_TO_DOPRI5(a)                                                                                    \
  ode_to_dopri5(LS_POINTER((a)->x_next), LS_POINTER((a)->begin), LS_POINTER((a)->slopes), LS_POINTER((a)->error), \
                LS_POINTER((a)->scale), LS_POINTER((a)->pace), LS_POINTER((a)->progress),                   \
                (a)->stage < 6 ? (a)->stage : 6, (a)->vars, (a)->cells)

/* Rows of assignments between steps. order: 0 before a step, 1 after it. jump_first: where the threads of the assignments before
 * and after a step and of the ports begin, and the end of the last; jumps: the most threads of these three. */
#define ODE_JUMP_ARGS(A) ODE_CODE_ARGS(A) A(IN, u32, jump_first, "4") A(VALUE, u32, jumps, "1")
enum { ODE_PORTS = 2 };

#define ODE_CLAMP(i, count) ((i) < (count) ? (i) : (count)-1)

LS_INLINE void ode_assign(const ode_code *c, const ode_thread *t, const f64 *x, const ode_target *to, u32 place, f64 value) {
  const u64 at = (u64)ODE_CLAMP(place, c->vars) * c->cells + t->cell;
  if (to->kind == ODE_FUNCTION) {
    to->next[at] = value;
    return;
  }
  if (to->kind == ODE_VALUE) {
    to->next[0] = value;
    return;
  }
  if (to->kind == ODE_DOPRI5) {
    ode_assign_dopri5(to, x[at], at, value);
    return;
  }
  const f64 before = x[at], after = ode_state(to, before, at, value);
  if (!isfinite(after) && isfinite(before)) ++*to->lost;
  to->next[at] = after;
}

/* The stack; its top value is in `top`, not in `stack`. */
#define ODE_PUSH(value) (stack[height++ & (LS_CODE_STACK - 1)] = top, top = (value))
#define ODE_POP() (top = stack[--height & (LS_CODE_STACK - 1)])

/* Applies an n-ary operator to its n operands, from left to right. */
LS_INLINE f64 ode_many(const f64 *stack, u32 height, u32 op, u32 n, f64 top) {
  f64 x = n > 1 ? stack[(height - (n - 1)) & (LS_CODE_STACK - 1)] : top;
  x = ls_code_begin(op, x);
  for (u32 i = 1; i + 1 < n; i++) x = ls_code_more(op, x, stack[(height - (n - 1) + i) & (LS_CODE_STACK - 1)]);
  return n > 1 ? ls_code_more(op, x, top) : x;
}

LS_INLINE void ode_run(const ode_code *c, const ode_thread *t, const f64 *x, const ode_target *to) {
  f64 stack[LS_CODE_STACK], top = 0;
  u32 height = 0, pc = t->pc;
  while (pc < c->words) {
    const u64 word = c->codes[pc++];
    const u32 op = (u32)word & 0xff;
    u32 operand = (u32)(word >> 32);
    switch (op) {
    case LS_CODE_END: return;
    case LS_CODE_CONSTANT_IND:
      operand += t->lane; /* fall through */
    case LS_CODE_CONSTANT: ODE_PUSH(c->numbers[ODE_CLAMP(operand, c->constants)]); break;
    case LS_CODE_VARIABLE_IND:
      operand += t->lane;
      operand = c->places[ODE_CLAMP(operand, c->operands)]; /* fall through */
    case LS_CODE_VARIABLE: ODE_PUSH(x[(u64)ODE_CLAMP(operand, c->vars) * c->cells + t->cell]); break;
    case LS_CODE_ASSIGN_IND:
      operand += t->lane;
      operand = c->places[ODE_CLAMP(operand, c->operands)]; /* fall through */
    case LS_CODE_ASSIGN:
      ode_assign(c, t, x, to, operand, top);
      ODE_POP();
      break;
    case LS_CODE_JUMP_IF_NOT:
      if (top == 0) pc = operand < c->words - pc ? pc + operand : c->words;
      ODE_POP();
      break;
    case LS_CODE_JUMP: pc = operand < c->words - pc ? pc + operand : c->words; break;
    case LS_CODE_PLUS_NARY:
    case LS_CODE_TIMES_NARY:
    case LS_CODE_MAX_NARY:
    case LS_CODE_MIN_NARY:
    case LS_CODE_AND_NARY:
    case LS_CODE_OR_NARY:
    case LS_CODE_XOR_NARY: {
      const u32 n = operand < LS_CODE_NARY ? operand : LS_CODE_NARY;
      top = ode_many(stack, height, op, n, top);
      if (n > 1) height -= n - 1;
      break;
    }
    case LS_CODE_NEGATE: top = -top; break;
    case LS_CODE_EXP: top = ls_exp(top); break;
    case LS_CODE_MINUS: height--, top = stack[height & (LS_CODE_STACK - 1)] - top; break;
    case LS_CODE_DIVIDE: height--, top = stack[height & (LS_CODE_STACK - 1)] / top; break;
    default:
      if (op < LS_CODE_SQRT && op > LS_CODE_XOR_NARY) {
        height--;
        top = ls_code_two(op, stack[height & (LS_CODE_STACK - 1)], top);
      } else if (op < LS_CODE_DELAY) {
        top = ls_code_one(op, top);
      } else if (op < LS_CODE_OPS) {
        const u32 n = ode_timed_operands(op);
        const f64 y = stack[(height - 1) & (LS_CODE_STACK - 1)], z = stack[(height - 2) & (LS_CODE_STACK - 1)];
        const f64 time = x[(u64)(c->vars - 1) * c->cells + t->cell];
        height -= n - 1;
        top = ode_timed(&c->moment, c->cells, t->cell, time, op, n == 3 ? z : n == 2 ? y : top, n == 3 ? y : top, top);
      }
    }
  }
}

/* In a body: declares `code` and `thread` for item v in a phase, or returns if there is nothing to do. A redundant thread
 * (LS_CODE_MUTE) is padding, so that no thread with another bytecode is in its warp. */
#define ODE_FIND(a, phase) ODE_FIND_IN(a, (a)->first, phase)
#define ODE_FIND_IN(a, firsts, phase)                                                                       \
  const ode_code code = ODE_CODE(a);                                                                        \
  const u32 ode_t = (firsts)[phase] + v / (a)->cells;                                                       \
  if (ode_t >= (firsts)[(phase) + 1] || ode_t >= (a)->threads) return;                                      \
  if (!code.constants || !code.operands || !code.vars) return; /* ODE_CLAMP needs an element */             \
  const u32 ode_head = (a)->index[ode_t];                                                                   \
  if (ode_head & LS_CODE_MUTE) return;                                                                      \
  const ode_thread thread = {ode_head, (a)->lane[ode_t], v % (a)->cells};
#endif
