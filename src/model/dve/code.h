/* A model as a program, which consists of flat arrays of u32, and the interpreter that runs it: an
 * accumulator machine with a small stack, written in the subset of C that kernels are written in.
 *
 * A state is packed into `words` u32. A field describes some of its bits: (first bit << 6) | (signed << 5) |
 * width. Bits are counted from bit 0 of word 0, the width is 1 to 31, and no field crosses the end of a word.
 * The elements of an array are adjacent fields. At least one bit belongs to no field: it is 0 in every state
 * except the error state, whose bits are all 1.
 *
 * Code is a sequence of operations: one word for the operation, then one for each operand. */
#ifndef LS_MODEL_DVE_CODE_H
#define LS_MODEL_DVE_CODE_H

#include "core/types.h"

#ifdef __CUDACC__ /* kernels/dve runs the same interpreter */
#define DVE_INLINE static __device__ __forceinline__ __attribute__((unused))
#define DVE_FUNCTION static __device__ __noinline__ __attribute__((unused))
#else
#define DVE_INLINE static inline __attribute__((unused))
#define DVE_FUNCTION DVE_INLINE
#endif

/* Maximum numbers of values on the stack, and of words of a state. */
enum { DVE_STACK = 64, DVE_WORDS = 1024 };
#define DVE_NONE 0xffffffffu

/* Binary operations, x = x OP y, in three forms: x is the accumulator and y a constant (_K) or a field (_F);
 * or y is the accumulator and x is popped from the stack (_S). Division and remainder are separate operations
 * because they can fail. Arithmetic wraps around in 32 bits; a shift uses the lower five bits of y. */
/* clang-format off */
#define DVE_BINARIES(X)                                                                                      \
  X(BIT_OR, x | y) X(BIT_AND, x & y) X(BIT_XOR, x ^ y) X(EQUAL, x == y) X(UNEQUAL, x != y) X(LESS, x < y)    \
  X(AT_MOST, x <= y) X(MORE, x > y) X(AT_LEAST, x >= y) X(LEFT, (i32)((u32)x << (y & 31)))                   \
  X(RIGHT, x >> (y & 31)) X(PLUS, (i32)((u32)x + (u32)y)) X(MINUS, (i32)((u32)x - (u32)y))                   \
  X(TIMES, (i32)((u32)x * (u32)y))
#define DVE_FORMS(X, id, expression)                                                                         \
  X(id##_K, 1, 0, false, y = (i32)a; x = (expression))                                                       \
  X(id##_F, 1, 0, false, y = dve_get(from, a); x = (expression))                                             \
  X(id##_S, 0, 1, false, x = (expression))

/* The other operations: X(name, number of operands, pops, fails, does). x is the accumulator, a and b are the
 * operands. If `pops` is 1, first y takes the accumulator and x is popped. If the condition `fails` holds, the
 * code fails, which is an error of the model. The interpreter below and the generated code (generate.c) both
 * come from this table; STOP, PUSH, IF and IF_NOT are written there. */
#define DVE_OPERATIONS(X)                                                                                    \
  X(LOAD_K, 1, 0, false, x = (i32)a)                   /* constant */                                        \
  X(LOAD_F, 1, 0, false, x = dve_get(from, a))         /* field */                                           \
  /* field of element 0, array length: element x */                                                          \
  X(INDEX, 2, 0, (u32)x >= b, x = dve_get(from, dve_field_element(a, (u32)x)))                               \
  X(TABLE, 2, 0, (u32)x >= b, x = (i32)code[a + (u32)x]) /* a: offset of a constant array in the code */     \
  X(NEGATE, 0, 0, false, x = (i32)(0u - (u32)x))                                                             \
  X(INVERT, 0, 0, false, x = ~x)                                                                             \
  X(NOT, 0, 0, false, x = !x)                                                                                \
  X(BOOL, 0, 0, false, x = x != 0)                                                                           \
  X(DIVIDE, 0, 1, y == 0, x = dve_divide(x, y))                                                              \
  X(REMAINDER, 0, 1, y == 0, x = dve_remainder(x, y))                                                        \
  X(CAST, 1, 0, false, x = dve_cast(x, a))             /* width, or 32 + width if signed */                  \
  X(STORE, 1, 0, !dve_fits(a, x), dve_set(now, a, (u32)x))                                                   \
  /* field of element 0, array length: stores x in element y */                                              \
  X(STORE_X, 2, 1, (u32)y >= b || !dve_fits(a, x), dve_set(now, dve_field_element(a, (u32)y), (u32)x))       \
  X(SET, 2, 0, false, dve_set(now, a, b))              /* field, constant that fits */                       \
  X(OLD, 0, 0, false, from = old)                      /* from here on, fields are those before the step */  \
  X(NEW, 0, 0, false, from = now)                      /* from here on, fields are those of the new state */ \
  /* field of a buffer's slot 0, field of its count: stores x, truncated, in the first free slot */          \
  X(PUT, 2, 0, false, dve_set(now, dve_field_element(a, (u32)dve_get(now, b)), (u32)x))                      \
  X(COUNT_UP, 1, 0, false, dve_set(now, a, (u32)dve_get(now, a) + 1))                                        \
  X(COUNT_DOWN, 1, 0, false, dve_set(now, a, (u32)dve_get(now, a) - 1))                                      \
  X(SHIFT, 2, 0, false, dve_shift(now, a, b))          /* field of slot 0, slots */
/* clang-format on */

typedef enum dve_code {
  DVE_DO_STOP,   /* ends; the result is x */
  DVE_DO_PUSH,   /* pushes x */
  DVE_DO_IF_NOT, /* target. Jumps if x is 0 */
  DVE_DO_IF,     /* target. If x is not 0, sets it to 1 and jumps */
#define NAME(id, operands, pops, fails, does) DVE_DO_##id,
#define FORMS(id, expression) DVE_FORMS(NAME, id, expression)
  DVE_OPERATIONS(NAME) DVE_BINARIES(FORMS)
#undef FORMS
#undef NAME
      DVE_CODES
} dve_code;

DVE_INLINE u32 dve_field(u32 bit, bool is_signed, u32 width) {
  return bit << 6 | (u32)is_signed << 5 | width;
}
DVE_INLINE u32 dve_field_width(u32 f) { return f & 31; }
DVE_INLINE u32 dve_field_element(u32 f, u32 i) { return f + (i * (f & 31) << 6); }

DVE_INLINE i32 dve_get(const u32 *state, u32 f) {
  const u32 width = f & 31, up = 32 - width;
  const u32 x = state[f >> 11] >> (f >> 6 & 31) << up;
  return f & 32 ? (i32)x >> up : (i32)(x >> up);
}

/* Stores x in the field, truncated to the field's width. */
DVE_INLINE void dve_set(u32 *state, u32 f, u32 x) {
  const u32 mask = (1u << (f & 31)) - 1, shift = f >> 6 & 31;
  state[f >> 11] = (state[f >> 11] & ~(mask << shift)) | (x & mask) << shift;
}

/* Does x fit the field? A variable's field is wide enough for every value of its type that is ever stored in
 * it (intervals.c), so a value that does not fit is outside the type. */
DVE_INLINE bool dve_fits(u32 f, i32 x) {
  const u32 width = f & 31;
  return f & 32 ? x >= -(1 << (width - 1)) && x < 1 << (width - 1) : x >= 0 && (u32)x >> width == 0;
}

DVE_INLINE i32 dve_divide(i32 x, i32 y) { return y == -1 ? (i32)(0u - (u32)x) : x / y; }
DVE_INLINE i32 dve_remainder(i32 x, i32 y) { return y == -1 ? 0 : x % y; }

/* Truncates x to a width, given as `type` of CAST. */
DVE_INLINE i32 dve_cast(i32 x, u32 type) {
  const u32 up = 32 - (type & 31);
  return type & 32 ? (i32)((u32)x << up) >> up : (i32)((u32)x << up >> up);
}

/* Each slot of a buffer takes the value of the next one; the last becomes 0. */
DVE_INLINE void dve_shift(u32 *now, u32 field, u32 slots) {
  for (u32 i = 0; i + 1 < slots; i++)
    dve_set(now, dve_field_element(field, i), (u32)dve_get(now, dve_field_element(field, i + 1)));
  dve_set(now, dve_field_element(field, slots - 1), 0);
}

/* What dve_run_at leaves: the accumulator; after a failure also the operation that failed, and y. */
typedef struct dve_machine {
  u32 pc;
  i32 x, y;
} dve_machine;

/* Runs code from m->pc until STOP, beginning with the accumulator m->x. `now` is the new state, `old` the one
 * before the step. False: an error of the model (an index or a value out of range, a division by zero). */
DVE_INLINE bool dve_run_at(const u32 *code, dve_machine *m, const u32 *old, u32 *now) {
  i32 stack[DVE_STACK];
  u32 top = 0, pc = m->pc;
  i32 x = m->x, y = 0;
  const u32 *from = now;
  for (;;) {
    const u32 at = pc++;
    switch (code[at]) {
    case DVE_DO_STOP: m->x = x; return true;
    case DVE_DO_PUSH: stack[top++] = x; break;
    case DVE_DO_IF_NOT: pc = x ? pc + 1 : code[pc]; break;
    case DVE_DO_IF:
      if (x)
        x = 1, pc = code[pc];
      else
        pc++;
      break;
#define RUN(id, operands, pops, fails, does)                                                                 \
  case DVE_DO_##id: {                                                                                        \
    const u32 a = operands > 0 ? code[pc] : 0, b = operands > 1 ? code[pc + 1] : 0;                          \
    (void)a, (void)b;                                                                                        \
    pc += operands;                                                                                          \
    if (pops) y = x, x = stack[--top];                                                                       \
    if (fails) {                                                                                             \
      m->pc = at, m->x = x, m->y = y;                                                                        \
      return false;                                                                                          \
    }                                                                                                        \
    does;                                                                                                    \
    break;                                                                                                   \
  }
#define FORMS(id, expression) DVE_FORMS(RUN, id, expression)
      DVE_OPERATIONS(RUN)
      DVE_BINARIES(FORMS)
#undef FORMS
#undef RUN
    default: return false; /* the compiler writes no other operations */
    }
  }
}

/* dve_run_at from pc; *value is the accumulator at the beginning and, if it returns true, at the end. */
DVE_FUNCTION bool dve_run(const u32 *code, u32 pc, const u32 *old, u32 *now, i32 *value) {
  dve_machine m = {pc, *value, 0};
  const bool fine = dve_run_at(code, &m, old, now);
  if (fine) *value = m.x;
  return fine;
}

/* --- states and steps ----------------------------------------------------------------------------------- */

enum { DVE_MOST_STEPS = 1 << 24 }; /* maximum number of steps from a state of a synchronous system */

DVE_INLINE void dve_copy(u32 *to, const u32 *from, u32 words) {
  for (u32 i = 0; i < words; i++) to[i] = from[i];
}

DVE_INLINE bool dve_all_ones(const u32 *state, u32 words) { /* the error state */
  for (u32 i = 0; i < words; i++)
    if (state[i] != 0xffffffffu) return false;
  return true;
}

/* The number of combinations after one more process with `choices` transitions; DVE_MOST_STEPS + 1 if it
 * exceeds the limit. */
DVE_INLINE u64 dve_more_choices(u64 product, u32 choices) {
  product *= choices; /* both are below 2^32 */
  return product > DVE_MOST_STEPS ? DVE_MOST_STEPS + 1ull : product;
}

typedef struct dve_worth {
  i64 cost;
  i32 time;
  bool wrong; /* the time of a transition is negative */
} dve_worth;

DVE_INLINE void dve_take_time(dve_worth *worth, i32 time) {
  if (time < 0) worth->wrong = true;
  if (time > worth->time) worth->time = time;
}

/* --- the program ------------------------------------------------------------------------------------------
 */

enum { DVE_COMMITTED = 1, DVE_ACCEPTING = 2 }; /* flags of a process's state */

typedef enum dve_how {
  DVE_PLAIN,
  DVE_SENDS, /* rendezvous: can be paired with every transition that receives from the channel */
  DVE_RECEIVES,
  DVE_PUTS, /* sends to a buffer: enabled only if the buffer is not full */
  DVE_TAKES /* receives from a buffer: enabled only if the buffer is not empty */
} dve_how;

/* A transition. guard, effects, cost and time are offsets in the code; DVE_NONE: absent. */
typedef struct dve_step {
  u32 process, how, channel;
  u32 guard;
  u32 effects; /* sets the state of its process, applies the effects, then sends or receives by buffer */
  u32 items, item_count; /* rendezvous: code[items + i] is the offset of the code that computes (sender) or
                            stores (receiver) the i-th value */
  u32 cost, time;
  u32 writes; /* masks[writes] to masks[writes + words - 1]: the bits that the transition may assign */
} dve_step;

typedef struct dve_program {
  u32 words; /* u32s per state */
  u32 processes, channels, states, step_count;
  u32 property;                   /* a process; DVE_NONE: none */
  bool synchronous, costs, times; /* costs: some transition has a cost; times: some transition has a time */
  u32 code_size;
  const u32 *code;
  const u32 *field;       /* [processes]: field of its current state; DVE_NONE: it has only one state */
  const u32 *first_state; /* [processes + 1]: index of its first state in flags and first_step */
  const u32 *flags;       /* [states] */
  const u32 *first_step;  /* [states + 1]: index of its first transition in steps, which are in text order */
  const dve_step *steps;
  const u32 *masks;
  const u32 *first_listener; /* [channels + 1]: index of its first process in listeners */
  const u32 *listeners;      /* for each channel, the processes that receive from it, ascending */
  const u32 *count;    /* [channels]: field of the number of messages in the buffer; DVE_NONE: rendezvous */
  const u32 *capacity; /* [channels] */
} dve_program;

/* The current state of a process, as an index into flags and first_step. */
DVE_INLINE u32 dve_at(const dve_program *p, u32 process, const u32 *state) {
  const u32 f = p->field[process];
  return p->first_state[process] + (f == DVE_NONE ? 0 : (u32)dve_get(state, f));
}

/* Are there bits that both transitions may assign? */
DVE_INLINE bool dve_conflict(const dve_program *p, const dve_step *a, const dve_step *b) {
  for (u32 i = 0; i < p->words; i++)
    if (p->masks[a->writes + i] & p->masks[b->writes + i]) return true;
  return false;
}

DVE_INLINE bool dve_is_error(const dve_program *p, const u32 *state) { return dve_all_ones(state, p->words); }

#endif
