/* Replaces operations of SUNDIALS' serial vectors, dense matrices and dense solvers by faster ones. Clones
 * inherit them. */
#ifndef LS_ODE_VECTORS_H
#define LS_ODE_VECTORS_H
#ifdef LOCKSTEP_WITH_SUNDIALS

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "core/types.h"

void ode_fast_vector(N_Vector v);
void ode_fast_matrix(SUNMatrix m);
void ode_fast_solver(SUNLinearSolver s);

#endif
#endif
