/* Sets every element to one value. A LIBRARY row. */
#define FILL_ARGS(A, W) A(OUT, W, x, "k", uniform, "value") A(VALUE, W, value, "1")
