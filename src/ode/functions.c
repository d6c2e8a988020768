#include "ode/functions.h"

#if defined __x86_64__ && defined __GNUC__ && !defined __FMA__
__attribute__((target("fma"))) static f64 exp_fused(f64 x) { return ls_exp_here(x); }

f64 ls_exp(f64 x) { return __builtin_cpu_supports("fma") ? exp_fused(x) : ls_exp_here(x); }
#else
f64 ls_exp(f64 x) { return ls_exp_here(x); }
#endif
