/* The expression tree of all model formats (PHML, CellML, SBML).
 *
 * A term is a node: an operator with arguments, or a leaf. Terms are immutable, so that subtrees can be
 * shared. They live in an arena, which is freed as a whole. Every function that creates a term returns NULL,
 * with the message set, if memory is short or the term would be too large or too deep. A NULL argument gives
 * NULL, so that one check at the end is enough. */
#ifndef LS_ODE_TERM_H
#define LS_ODE_TERM_H

#include "core/error.h"
#include "core/types.h"

enum {
  LS_TERM_DEEPEST = 1000, /* maximum number of nodes from the root to a leaf, so that functions may recurse */
  LS_TERM_LARGEST = 1 << 22, /* maximum number of nodes of a term; a shared node counts at each use */
  LS_TERM_MANY = 0x7fffffff,
};

/* X(operator, name as printed, minimum and maximum number of arguments). Angles are radians. */
#define LS_TERM_OPS(X)                                                                                       \
  X(NUMBER, "number", 0, 0)     /* .number */                                                                \
  X(VARIABLE, "variable", 0, 0) /* .index in the model's variables */                                        \
  X(TIME, "time", 0, 0)                                                                                      \
  X(ARGUMENT, "argument", 0, 0) /* .index: argument of a function definition, replaced in calls */           \
  X(PLUS, "+", 0, LS_TERM_MANY)                                                                              \
  X(MINUS, "-", 1, 2)                                                                                        \
  X(TIMES, "*", 0, LS_TERM_MANY)                                                                             \
  X(DIVIDE, "/", 2, 2)                                                                                       \
  X(POWER, "^", 2, 2)                                                                                        \
  X(ROOT, "root", 2, 2) /* degree, x */                                                                      \
  X(SQRT, "sqrt", 1, 1)                                                                                      \
  X(EXP, "exp", 1, 1)                                                                                        \
  X(LN, "ln", 1, 1)                                                                                          \
  X(LOG, "log", 2, 2) /* base, x */                                                                          \
  X(LOG10, "log10", 1, 1)                                                                                    \
  X(ABS, "abs", 1, 1)                                                                                        \
  X(FLOOR, "floor", 1, 1)                                                                                    \
  X(CEILING, "ceiling", 1, 1)                                                                                \
  X(FACTORIAL, "factorial", 1, 1)                                                                            \
  X(REM, "rem", 2, 2)           /* x - y * quotient; has the sign of x */                                    \
  X(MODULO, "mod", 2, 2)        /* has the sign of y */                                                      \
  X(QUOTIENT, "quotient", 2, 2) /* x / y towards zero */                                                     \
  X(MAX, "max", 1, LS_TERM_MANY)                                                                             \
  X(MIN, "min", 1, LS_TERM_MANY)                                                                             \
  X(MEAN, "mean", 1, LS_TERM_MANY)                                                                           \
  X(EQ, "==", 1, LS_TERM_MANY)   /* relations hold between adjacent arguments; true is 1 */                  \
  X(NEAR, "==", 2, LS_TERM_MANY) /* equal within DBL_EPSILON, as in PHML */                                  \
  X(NEQ, "!=", 2, 2)                                                                                         \
  X(LT, "<", 1, LS_TERM_MANY)                                                                                \
  X(GT, ">", 1, LS_TERM_MANY)                                                                                \
  X(LEQ, "<=", 1, LS_TERM_MANY)                                                                              \
  X(GEQ, ">=", 1, LS_TERM_MANY)                                                                              \
  X(AND, "and", 0, LS_TERM_MANY)                                                                             \
  X(OR, "or", 0, LS_TERM_MANY)                                                                               \
  X(XOR, "xor", 0, LS_TERM_MANY)                                                                             \
  X(NOT, "not", 1, 1)                                                                                        \
  X(IMPLIES, "implies", 2, 2)                                                                                \
  X(SIN, "sin", 1, 1)                                                                                        \
  X(COS, "cos", 1, 1)                                                                                        \
  X(TAN, "tan", 1, 1)                                                                                        \
  X(SEC, "sec", 1, 1)                                                                                        \
  X(CSC, "csc", 1, 1)                                                                                        \
  X(COT, "cot", 1, 1)                                                                                        \
  X(SINH, "sinh", 1, 1)                                                                                      \
  X(COSH, "cosh", 1, 1)                                                                                      \
  X(TANH, "tanh", 1, 1)                                                                                      \
  X(SECH, "sech", 1, 1)                                                                                      \
  X(CSCH, "csch", 1, 1)                                                                                      \
  X(COTH, "coth", 1, 1)                                                                                      \
  X(ARCSIN, "arcsin", 1, 1)                                                                                  \
  X(ARCCOS, "arccos", 1, 1)                                                                                  \
  X(ARCTAN, "arctan", 1, 1)                                                                                  \
  X(ARCSEC, "arcsec", 1, 1)                                                                                  \
  X(ARCCSC, "arccsc", 1, 1)                                                                                  \
  X(ARCCOT, "arccot", 1, 1)                                                                                  \
  X(ARCSINH, "arcsinh", 1, 1)                                                                                \
  X(ARCCOSH, "arccosh", 1, 1)                                                                                \
  X(ARCTANH, "arctanh", 1, 1)                                                                                \
  X(ARCSECH, "arcsech", 1, 1)                                                                                \
  X(ARCCSCH, "arccsch", 1, 1)                                                                                \
  X(ARCCOTH, "arccoth", 1, 1)                                                                                \
  X(PIECEWISE, "piecewise", 0, LS_TERM_MANY) /* value, condition, ... [otherwise]; NaN if none applies */    \
  X(KEEP, "keep", 1, 1)                      /* this variable keeps its present value */                     \
  X(LAST, "last", 1, 1)                      /* a variable, or time, one step ago */                         \
  X(DELAY, "delay", 2, 2)                    /* x, d: x at time - d; ls_ode_complete makes x a variable */   \
  X(RATE, "rateOf", 1, 1)                    /* of a variable; ls_ode_complete replaces it */                \
  X(SERIES, "series", 1, 1)                  /* t: value of the model's time series .index at t */           \
  X(WIENER, "wiener", 0, 0)   /* white noise: N(0, 1) / sqrt(dt) in each step; .index is its stream */       \
  X(UNIFORM, "uniform", 2, 2) /* from, to; like all below, one draw per step from stream .index */           \
  X(GAUSS, "gauss", 2, 2)     /* mean, standard deviation */                                                 \
  X(EXPONENTIAL, "exponential", 1, 1) /* rate */                                                             \
  X(POISSON, "poisson", 1, 1)         /* mean */                                                             \
  X(GAMMA, "gamma", 2, 2)             /* shape, scale */                                                     \
  X(LOGNORMAL, "lognormal", 2, 2)     /* mean, standard deviation of the logarithm */                        \
  X(WEIBULL, "weibull", 2, 2)         /* scale, shape */

typedef enum ls_op {
#define LS_TERM_ENUM(op, name, least, most) LS_##op##_OP,
  LS_TERM_OPS(LS_TERM_ENUM)
#undef LS_TERM_ENUM
      LS_TERM_OPS_COUNT
} ls_op;

/* What a term contains somewhere. */
enum {
  LS_HAS_PAST = 1,    /* LAST or DELAY */
  LS_HAS_LONG_SUM = 2 /* a PLUS with LS_LONG_SUM arguments or more */
};
enum { LS_LONG_SUM = 32 };

typedef struct ls_term {
  u8 op;          /* ls_op */
  u8 has;         /* LS_HAS_PAST and others */
  uint16_t depth; /* 1: a leaf */
  u32 count;      /* arguments */
  union {
    f64 number;
    struct {
      u32 index;
      u32 size; /* number of nodes; a shared node counts at each use */
    };
  };
  const struct ls_term *arg[];
} ls_term;

typedef struct ls_terms ls_terms; /* the arena */

ls_terms *ls_terms_new(void);
void ls_terms_free(ls_terms *a); /* NULL is fine */
/* The status for a function that returned NULL: LS_EMEM if an allocation in the arena has ever failed, else
 * LS_EINPUT. */
ls_status ls_terms_status(const ls_terms *a);
/* A copy of n bytes of s with a final 0. */
char *ls_terms_text(ls_terms *a, const char *s, size_t n);
/* Zeroed memory that lives as long as the arena, 8-byte aligned. */
void *ls_terms_memory(ls_terms *a, size_t bytes);

const ls_term *ls_term_number(ls_terms *a, f64 x);
const ls_term *ls_term_leaf(ls_terms *a, ls_op op, u32 index); /* VARIABLE, ARGUMENT, TIME, WIENER */
/* LS_EINPUT if the operator does not take `count` arguments. */
const ls_term *ls_term_new(ls_terms *a, ls_op op, u32 count, const ls_term *const *arg);
const ls_term *ls_term_indexed(ls_terms *a, ls_op op, u32 index, u32 count, const ls_term *const *arg);
const ls_term *ls_term_1(ls_terms *a, ls_op op, const ls_term *x);
const ls_term *ls_term_2(ls_terms *a, ls_op op, const ls_term *x, const ls_term *y);

/* The term with nodes replaced: leaf(ctx, t) is called for every node without arguments and for every node
 * for which whole(ctx, t) is true (whole may be NULL); it returns the replacement, or NULL on failure.
 * Unchanged subtrees are shared. */
typedef struct ls_term_change {
  ls_terms *to;
  const ls_term *(*leaf)(void *ctx, const ls_term *t);
  bool (*whole)(void *ctx, const ls_term *t);
  void *ctx;
} ls_term_change;
const ls_term *ls_term_replace(const ls_term_change *c, const ls_term *t);

/* Calls each(ctx, node) for the term and all nodes in it, parents first, until `each` returns false. Returns
 * false if a call returned false, else true. */
bool ls_term_walk(const ls_term *t, bool (*each)(void *ctx, const ls_term *t), void *ctx);

const char *ls_op_name(ls_op op);
static inline u32 ls_term_size(const ls_term *t) { return t->op == LS_NUMBER_OP ? 1 : t->size; }
bool ls_op_is_relation(ls_op op); /* EQ to GEQ */
bool ls_op_is_random(ls_op op);

#endif
