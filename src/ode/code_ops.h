/* The operators of expressions, and what each one computes: the instructions of the bytecode that a model's
 * equations are compiled to (Okuyama 2013, section 5.3). All evaluators read this table: that of trees
 * (eval.c), the tape (tape.c), the compiler of bytecode (code.h), and the interpreter (kernels/ode), so it
 * compiles for CPU and GPU.
 *
 * An instruction is a word of 64 bits: the operator in the lowest 8, the operand in the highest 32. It pops
 * its arguments from a stack and pushes its result. */
#ifndef LS_ODE_CODE_OPS_H
#define LS_ODE_CODE_OPS_H

#ifndef __CUDACC_RTC__
#include <float.h>
#include <math.h>
#endif

#include "core/types.h"
#include "ode/functions.h"

enum {
  LS_CODE_STACK = 32, /* maximum number of values on the stack */
  LS_CODE_NARY = 8,   /* maximum number of arguments of one instruction */
  LS_CODE_WARP = 32   /* threads that run in lockstep */
};
#define LS_CODE_MUTE 0x80000000u /* in a thread's index: it is redundant, and does nothing */

/* X(name, operand). NUMBER: index of a constant. NUMBERS: index of the first constant of a unit's threads, to
 * which the lane is added. PLACE: place of a variable. PLACES: the same as NUMBERS, for a table of places.
 * COUNT: number of arguments on the stack. AHEAD: number of instructions to skip. */
#define LS_CODE_SPECIAL(X)                                                                                   \
  X(END, NOTHING)                                                                                            \
  X(CONSTANT, NUMBER)                                                                                        \
  X(CONSTANT_IND, NUMBERS)                                                                                   \
  X(VARIABLE, PLACE)                                                                                         \
  X(VARIABLE_IND, PLACES)                                                                                    \
  X(ASSIGN, PLACE)                                                                                           \
  X(ASSIGN_IND, PLACES)                                                                                      \
  X(JUMP, AHEAD)                                                                                             \
  X(JUMP_IF_NOT, AHEAD)
#define LS_CODE_MANY(X)                                                                                      \
  X(PLUS_NARY)                                                                                               \
  X(TIMES_NARY)                                                                                              \
  X(MAX_NARY)                                                                                                \
  X(MIN_NARY)                                                                                                \
  X(AND_NARY)                                                                                                \
  X(OR_NARY)                                                                                                 \
  X(XOR_NARY)
/* X(name, value): y is the top of the stack, x the value below it. A negative number has a real root only if
 * the degree is odd. */
#define LS_CODE_TWO(X)                                                                                       \
  X(MINUS, x - y)                                                                                            \
  X(DIVIDE, x / y)                                                                                           \
  X(POWER, pow(x, y))                                                                                        \
  X(ROOT, y < 0 && fmod(fabs(x), 2.0) == 1 ? -pow(-y, 1 / x) : pow(y, 1 / x))                                \
  X(LOG, ls_log(y) / ls_log(x))                                                                              \
  X(REM, fmod(x, y))                                                                                         \
  X(MODULO, x - y * floor(x / y))                                                                            \
  X(QUOTIENT, trunc(x / y))                                                                                  \
  X(IMPLIES, x == 0 || y != 0)                                                                               \
  X(EQ, x == y)                                                                                              \
  X(NEAR, fabs(x - y) < DBL_EPSILON)                                                                         \
  X(NEQ, x != y)                                                                                             \
  X(LT, x < y)                                                                                               \
  X(GT, x > y)                                                                                               \
  X(LEQ, x <= y)                                                                                             \
  X(GEQ, x >= y)
#define LS_CODE_ONE(X) X(NEGATE, -x) LS_CODE_FUNCTIONS(X)
#define LS_CODE_FUNCTIONS(X)                                                                                 \
  X(SQRT, sqrt(x))                                                                                           \
  X(EXP, ls_exp(x))                                                                                          \
  X(LN, ls_log(x))                                                                                           \
  X(LOG10, log10(x))                                                                                         \
  X(ABS, fabs(x))                                                                                            \
  X(FLOOR, floor(x))                                                                                         \
  X(CEILING, ceil(x))                                                                                        \
  X(FACTORIAL, x == floor(x) && x >= 0 && x < 171 ? round(tgamma(x + 1)) : tgamma(x + 1))                    \
  X(NOT, x == 0)                                                                                             \
  X(SIN, sin(x))                                                                                             \
  X(COS, cos(x))                                                                                             \
  X(TAN, tan(x))                                                                                             \
  X(SEC, 1 / cos(x))                                                                                         \
  X(CSC, 1 / sin(x))                                                                                         \
  X(COT, 1 / tan(x))                                                                                         \
  X(SINH, sinh(x))                                                                                           \
  X(COSH, cosh(x))                                                                                           \
  X(TANH, tanh(x))                                                                                           \
  X(SECH, 1 / cosh(x))                                                                                       \
  X(CSCH, 1 / sinh(x))                                                                                       \
  X(COTH, 1 / tanh(x))                                                                                       \
  X(ARCSIN, asin(x))                                                                                         \
  X(ARCCOS, acos(x))                                                                                         \
  X(ARCTAN, atan(x))                                                                                         \
  X(ARCSEC, acos(1 / x))                                                                                     \
  X(ARCCSC, asin(1 / x))                                                                                     \
  X(ARCCOT, x == 0 ? acos(0.0) : atan(1 / x))                                                                \
  X(ARCSINH, asinh(x))                                                                                       \
  X(ARCCOSH, acosh(x))                                                                                       \
  X(ARCTANH, atanh(x))                                                                                       \
  X(ARCSECH, acosh(1 / x))                                                                                   \
  X(ARCCSCH, asinh(1 / x))                                                                                   \
  X(ARCCOTH, atanh(1 / x))

/* X(name, number of arguments): instructions that depend on more than their arguments. DELAY has the
 * arguments index of the delayed variable, its present value, and the delay. The first argument of the other
 * instructions is stream + 2^32 * ls_op; the parameters of the distribution follow. */
#define LS_CODE_TIMED(X)                                                                                     \
  X(DELAY, 3)                                                                                                \
  X(WIENER, 1)                                                                                               \
  X(UNIFORM, 3)                                                                                              \
  X(GAUSS, 3)                                                                                                \
  X(EXPONENTIAL, 2)                                                                                          \
  X(POISSON, 2)                                                                                              \
  X(GAMMA, 3)                                                                                                \
  X(LOGNORMAL, 3)                                                                                            \
  X(WEIBULL, 3)

typedef enum ls_code_op {
#define LS_CODE_ENUM(name, ...) LS_CODE_##name,
  LS_CODE_SPECIAL(LS_CODE_ENUM) LS_CODE_MANY(LS_CODE_ENUM) LS_CODE_TWO(LS_CODE_ENUM) LS_CODE_ONE(LS_CODE_ENUM)
      LS_CODE_TIMED(LS_CODE_ENUM)
#undef LS_CODE_ENUM
          LS_CODE_OPS
} ls_code_op;

/* The words of an event in a table of u32 (kernels/ode/ode_events.h). Its expressions are given by the
 * offsets of their bytecodes. An assignment is two words: the offset of its bytecode and the place of the
 * variable. */
enum {
  LS_CODE_TRIGGER,
  LS_CODE_AFTER,    /* its delay, or LS_CODE_NONE */
  LS_CODE_PRIORITY, /* its priority, or LS_CODE_NONE */
  LS_CODE_ASSIGNS,  /* index of its first assignment */
  LS_CODE_COUNT,    /* number of its assignments */
  LS_CODE_FLAGS,
  LS_CODE_EVENT_WORDS,
  LS_CODE_PERSISTENT = 1, /* flags */
  LS_CODE_AT_TRIGGER = 2  /* its values are computed when it is triggered */
};
#define LS_CODE_NONE 0xffffffffu
/* What random numbers and delays depend on, u64 each. */
enum {
  LS_CLOCK_STEP,   /* number of steps made */
  LS_CLOCK_BEFORE, /* number of samples of the past that exist at the start */
  LS_CLOCK_SEED,
  LS_CLOCK_DT,      /* the step size, as the bits of an f64 */
  LS_CLOCK_NEAREST, /* a delay takes the nearest sample instead of interpolating */
  LS_CLOCK_TIES,    /* key of the random choice between events of equal priority */
  LS_CLOCK_WORDS
};

/* These functions are called, not inlined, because the interpreter is one loop that contains all of them. */
#ifdef __CUDACC__
#define LS_CODE_CALL static __device__ __noinline__ __attribute__((unused))
#define LS_CODE_INLINE static __device__ __forceinline__ __attribute__((unused))
#else
#define LS_CODE_CALL static __attribute__((noinline, unused))
#define LS_CODE_INLINE static inline __attribute__((always_inline, unused))
#endif

LS_CODE_CALL f64 ls_code_one(u32 op, f64 x) {
  switch (op) {
#define LS_CODE_CASE(name, value)                                                                            \
  case LS_CODE_##name: return (value);
    LS_CODE_ONE(LS_CODE_CASE)
  default: return NAN;
  }
}

LS_CODE_CALL f64 ls_code_two(u32 op, f64 x, f64 y) {
  switch (op) {
    LS_CODE_TWO(LS_CODE_CASE)
#undef LS_CODE_CASE
  default: return NAN;
  }
}

LS_CODE_INLINE bool ls_code_is_many(u32 op) { return op >= LS_CODE_PLUS_NARY && op <= LS_CODE_XOR_NARY; }
/* Applies an n-ary operator to one more argument, from left to right; x begins as ls_code_begin. */
LS_CODE_INLINE f64 ls_code_more(u32 op, f64 x, f64 y) {
  switch (op) {
  case LS_CODE_PLUS_NARY: return x + y;
  case LS_CODE_TIMES_NARY: return x * y;
  case LS_CODE_MAX_NARY: return fmax(x, y);
  case LS_CODE_MIN_NARY: return fmin(x, y);
  case LS_CODE_AND_NARY: return x != 0 && y != 0;
  case LS_CODE_OR_NARY: return x != 0 || y != 0;
  default: return (x != 0) != (y != 0);
  }
}
/* Initial x for ls_code_more: the first argument, for logical operators as 0 or 1. */
LS_CODE_INLINE f64 ls_code_begin(u32 op, f64 x) {
  return op == LS_CODE_AND_NARY || op == LS_CODE_OR_NARY || op == LS_CODE_XOR_NARY ? x != 0 : x;
}

static inline __attribute__((unused)) u64 ls_code_word(u32 op, u32 operand) {
  return (u64)operand << 32 | op;
}

#endif
