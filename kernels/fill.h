/* Every element becomes one value. A LIBRARY row: fill.c and fill.cu. */
#define FILL_ARGS(A, W) A(OUT, W, x, "k", uniform, "value") A(VALUE, W, value, "1")
