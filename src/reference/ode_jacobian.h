/* Which states' rates go by which states, and the derivatives of the rates by differences of few evaluations.
 */
#ifndef LS_REFERENCE_ODE_JACOBIAN_H
#define LS_REFERENCE_ODE_JACOBIAN_H

#include "reference/ode_parts.h"

/* Columns of a Jacobian in groups: no two of a group have an entry in one row, so that one evaluation serves
 * the whole group (Curtis, Powell and Reid 1974). */
typedef struct ode_groups {
  u32 states, words; /* words: of 64 bits, for a bit a state */
  u64 *rows;         /* [states][words]: bit i of column j: does the rate of state i go by state j? */
  u32 count;         /* groups */
  u32 *group;        /* [states]: of each column */
} ode_groups;

ls_status ode_groups_new(ode_groups *g, const ode_system *s); /* LS_EMEM */
void ode_groups_free(ode_groups *g);

/* column[j][i] becomes the derivative of rate i by state j, where it may be other than 0: rates at y, each
 * state of a group by step[j] larger, less `rate`, over step[j]. y is as before, moved and other are
 * [states]; false: a rate is not finite. The system is left at other values. */
bool ode_derivatives(const ode_groups *g, ode_system *s, const f64 *y, const f64 *rate, const f64 *step,
                     f64 *moved, f64 *other, f64 *const *column);

#endif
