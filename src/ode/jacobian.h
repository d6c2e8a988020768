/* The sparsity pattern of the Jacobian of the rates, and its computation by differences with few evaluations.
 * Kernels of ensembles have it from derivatives of expressions instead (lua/ode/symbolic.lua). */
#ifndef LS_ODE_JACOBIAN_H
#define LS_ODE_JACOBIAN_H

#include "ode/parts.h"

/* The columns of a Jacobian in groups: no two columns of a group have an entry in the same row, so one
 * evaluation serves the whole group (Curtis, Powell and Reid 1974). */
typedef struct ode_groups {
  u32 states, words; /* words: number of 64-bit words for one bit per state */
  u64 *rows;         /* [states][words]: bit i of column j: does the rate of state i depend on state j? */
  u32 count;         /* number of groups */
  u32 *group;        /* [states]: the group of each column */
} ode_groups;

ls_status ode_groups_new(ode_groups *g, const ode_system *s); /* LS_EMEM */
void ode_groups_free(ode_groups *g);

/* Sets column[j][i] to the derivative of rate i by state j, for all i and j for which it may differ from 0.
 * The derivative is (new rate i - rate[i]) / step[j]; the new rates are those at y with step[j] added to y[j]
 * for all j of a group. `moved` and `other`, [states], are scratch. Changes the values of the system. Returns
 * false if a rate is not finite. */
bool ode_derivatives(const ode_groups *g, ode_system *s, const f64 *y, const f64 *rate, const f64 *step,
                     f64 *moved, f64 *other, f64 *const *column);

#endif
