/* CVODE of SUNDIALS (Hindmarsh et al. 2005): backward differentiation formulas of variable order, for stiff
 * models. Newton's method uses a dense Jacobian, or GMRES if there are many states. */
#include <math.h>
#include <string.h>

#include "ode/parts.h"

#ifdef LOCKSTEP_WITH_SUNDIALS
#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_spgmr.h>

#include "core/mem.h"
#include "ode/jacobian.h"
#include "ode/vectors.h"

enum { DENSE_STATES = 600, MOST_STEPS = 100000000 };

typedef struct cvode {
  ode_stepper p;
  SUNContext context;
  void *memory;
  N_Vector y, scratch, weights;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  ode_groups groups; /* groups of columns of the dense matrix */
  bool begun;
  bool lost; /* was a rate not finite in this step? If so, at time lost_t and states lost_at */
  f64 lost_t, *lost_at;
} cvode;

/* Records the current time and states, at which a rate is not finite. */
static void lose(cvode *c) {
  const ode_system *s = c->p.s;
  c->lost = true;
  c->lost_t = s->t;
  for (u32 i = 0; i < s->states; i++) c->lost_at[i] = s->value[s->state[i]];
}

static int rates(sunrealtype t, N_Vector y, N_Vector rate, void *arg) {
  ode_system *s = ((cvode *)arg)->p.s;
  f64 *k = N_VGetArrayPointer(rate);
  ode_move(s, t, N_VGetArrayPointer(y));
  ode_rates(s, k);
  for (u32 i = 0; i < s->states; i++)
    if (!isfinite(k[i])) {
      lose(arg);
      return 1; /* a shorter step may help */
    }
  return 0;
}

/* Computes the Jacobian by the same difference quotients as CVODE (its manual, section 2.1), but for a group
 * of columns at a time. */
static int jacobian(sunrealtype t, N_Vector y, N_Vector rate, SUNMatrix j, void *arg, N_Vector step,
                    N_Vector moved, N_Vector other) {
  enum { LEAST = 1000 };
  cvode *c = arg;
  ode_system *s = c->p.s;
  f64 h = 0, *of = N_VGetArrayPointer(step);
  if (CVodeGetErrWeights(c->memory, c->weights) != CV_SUCCESS ||
      CVodeGetCurrentStep(c->memory, &h) != CV_SUCCESS)
    return -1;
  const f64 norm = N_VWrmsNorm(rate, c->weights);
  const f64 least = norm != 0 ? LEAST * fabs(h) * SUN_UNIT_ROUNDOFF * s->states * norm : 1;
  for (u32 i = 0; i < s->states; i++) {
    const f64 x = sqrt(SUN_UNIT_ROUNDOFF) * fabs(N_VGetArrayPointer(y)[i]),
              z = least / N_VGetArrayPointer(c->weights)[i];
    of[i] = x > z ? x : z;
  }
  s->t = t;
  if (ode_derivatives(&c->groups, s, N_VGetArrayPointer(y), N_VGetArrayPointer(rate), of,
                      N_VGetArrayPointer(moved), N_VGetArrayPointer(other), SM_COLS_D(j)))
    return 0;
  lose(c);
  return 1;
}

#if SUNDIALS_VERSION_MAJOR < 7 /* later versions report errors to handlers of the context */
static void silent(int code, const char *module, const char *function, char *message, void *arg) {
  (void)code, (void)module, (void)function, (void)message, (void)arg;
}
#endif

/* Makes an error message from CVODE's error code. */
static ls_status explain(cvode *c, int code) {
  ode_system *s = c->p.s;
  f64 *before = N_VGetArrayPointer(c->scratch);
  f64 h = 0, most = -1;
  u32 worst = 0;
  if (code == CV_MEM_FAIL) return ls_fail(LS_EMEM, "cvode: out of memory");
  if (c->lost) {
    ode_move(s, c->lost_t, c->lost_at);
    ode_rates(s, before);
    ls_status st = ode_rates_finite(s, before);
    if (st) return st;
  }
  CVodeGetCurrentStep(c->memory, &h);
  if (CVodeGetErrWeights(c->memory, c->weights) == CV_SUCCESS &&
      CVodeGetEstLocalErrors(c->memory, c->scratch) == CV_SUCCESS)
    for (u32 i = 0; i < s->states; i++) {
      const f64 e = fabs(N_VGetArrayPointer(c->scratch)[i] * N_VGetArrayPointer(c->weights)[i]);
      if (!(e <= most)) most = e, worst = i;
    }
  CVodeGetCurrentTime(c->memory, &s->t);
  if (!s->states) return ls_fail(LS_EOVERFLOW, "cvode stopped at time %g with error code %d", s->t, code);
  return ode_too_small(s, h, worst);
}

static ls_status begin_steps(ode_stepper *p) {
  cvode *c = (cvode *)p;
  ode_system *s = p->s;
  f64 *y = N_VGetArrayPointer(c->y);
  int code;
  p->t0 = p->t1 = s->t;
  for (u32 i = 0; i < s->states; i++) y[i] = s->value[s->state[i]];
  if (c->begun) {
    code = CVodeReInit(c->memory, s->t, c->y);
    return code == CV_SUCCESS ? LS_OK : explain(c, code);
  }
  c->begun = true;
  for (u32 i = 0; i < s->states; i++) N_VGetArrayPointer(c->weights)[i] = p->o->atol * s->scale[i];
  const bool dense_one = s->states <= DENSE_STATES;
  if (CVodeInit(c->memory, rates, s->t, c->y) || CVodeSVtolerances(c->memory, p->o->rtol, c->weights) ||
      CVodeSetUserData(c->memory, c) || CVodeSetMaxNumSteps(c->memory, MOST_STEPS))
    return ls_fail(LS_EMEM, "cvode: out of memory");
#if SUNDIALS_VERSION_MAJOR < 7
  CVodeSetErrHandlerFn(c->memory, silent, NULL);
#else
  SUNContext_ClearErrHandlers(c->context);
#endif
  if (isfinite(p->longest)) CVodeSetMaxStep(c->memory, p->longest);
  if (dense_one) {
    c->matrix = SUNDenseMatrix((sunindextype)s->states, (sunindextype)s->states, c->context);
    c->solver = c->matrix ? SUNLinSol_Dense(c->y, c->matrix, c->context) : NULL;
    if (c->matrix) ode_fast_matrix(c->matrix);
    if (c->solver) ode_fast_solver(c->solver);
  } else {
    c->solver = SUNLinSol_SPGMR(c->y, SUN_PREC_NONE, 30, c->context);
  }
  if (!c->solver || CVodeSetLinearSolver(c->memory, c->solver, c->matrix))
    return ls_fail(LS_EMEM, "cvode: out of memory");
  if (!dense_one) return LS_OK;
  ls_status st = ode_groups_new(&c->groups, s);
  if (!st && c->groups.count < s->states && CVodeSetJacFn(c->memory, jacobian))
    st = ls_fail(LS_EMEM, "cvode: out of memory");
  return st;
}

static ls_status step(ode_stepper *p, f64 limit) {
  cvode *c = (cvode *)p;
  f64 t = p->t1;
  c->lost = false;
  if (isfinite(limit)) CVodeSetStopTime(c->memory, limit);
  const int code = CVode(c->memory, limit, c->y, &t, CV_ONE_STEP);
  if (code < 0) return explain(c, code);
  p->t0 = p->t1;
  p->t1 = t;
  p->steps++;
  return LS_OK;
}

static ls_status dense(ode_stepper *p, f64 t, f64 *y) {
  cvode *c = (cvode *)p;
  if (t >= p->t1) {
    memcpy(y, N_VGetArrayPointer(c->y), p->s->states * sizeof *y);
    return LS_OK;
  }
  const int code = CVodeGetDky(c->memory, t, 0, c->scratch);
  if (code != CV_SUCCESS) return explain(c, code);
  memcpy(y, N_VGetArrayPointer(c->scratch), p->s->states * sizeof *y);
  return LS_OK;
}

static void free_it(ode_stepper *p) {
  cvode *c = (cvode *)p;
  if (c->memory) CVodeFree(&c->memory);
  if (c->solver) SUNLinSolFree(c->solver);
  if (c->matrix) SUNMatDestroy(c->matrix);
  if (c->y) N_VDestroy(c->y);
  if (c->scratch) N_VDestroy(c->scratch);
  if (c->weights) N_VDestroy(c->weights);
  if (c->context) SUNContext_Free(&c->context);
  ode_groups_free(&c->groups);
  ls_free(c->lost_at);
  ls_free(c);
}

ls_status ode_cvode_new(ode_system *s, const ls_simulation *o, ode_stepper **out) {
  cvode *c = ls_calloc(1, sizeof *c);
  if (!c) return LS_EMEM;
  c->p = (ode_stepper){.s = s,
                       .o = o,
                       .longest = HUGE_VAL,
                       .begin = begin_steps,
                       .step = step,
                       .dense = dense,
                       .free = free_it};
  c->lost_at = ls_malloc(s->states * sizeof *c->lost_at);
  if (SUNContext_Create(0, &c->context) == 0) {
    c->y = N_VNew_Serial((sunindextype)s->states, c->context);
    c->scratch = N_VNew_Serial((sunindextype)s->states, c->context);
    c->weights = N_VNew_Serial((sunindextype)s->states, c->context);
    if (c->y) ode_fast_vector(c->y);
    if (c->scratch) ode_fast_vector(c->scratch);
    if (c->weights) ode_fast_vector(c->weights);
    c->memory = CVodeCreate(CV_BDF, c->context);
  }
  if (!c->lost_at || !c->y || !c->scratch || !c->weights || !c->memory) {
    free_it(&c->p);
    return ls_fail(LS_EMEM, "cvode: out of memory");
  }
  *out = &c->p;
  return LS_OK;
}
#else
ls_status ode_cvode_new(ode_system *s, const ls_simulation *o, ode_stepper **out) {
  (void)s, (void)o, (void)out;
  return ls_fail(
      LS_EARG,
      "simulate: this build has no cvode: install libsundials-dev and build again, or use method = \"dopri5\"");
}
#endif
