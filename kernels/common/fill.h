/* Sets every element to one value. Bodies: cpu/fill.h, cuda/fill.cuh. */
#define FILL_ARGS(A, W) A(OUT, W, x, "k", uniform, "value") A(VALUE, W, value, "1")
