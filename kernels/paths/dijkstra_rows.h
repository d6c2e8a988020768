/* Dijkstra's algorithm from each of k sources, one thread per source, as on the CPU cores in section 3.5 of Okuyama 2013.
 * Only on CPUs: cpu/dijkstra_rows.h. */
#define DIJKSTRA_ROWS_ARGS(A, W)                                                                            \
  A(IN, u32, off, "n+1", offset, "m") A(IN, u32, to, "m", vertex, "n") A(IN, W, w, "m")                     \
  A(IN, u32, source, "k", vertex, "n") A(VALUE, u32, base, "1") A(VALUE, u32, rows, "1")                    \
  A(INOUT, W, matrix, "n*rows") A(INOUT, u32, overflow, "1") A(COUNT, u32, settled, "1")
