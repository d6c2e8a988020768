/* Topological order by levels, last step: extracts the order from the sorted keys, and each vertex's place in it. */
#include "language/kernel.h"

#define ORDER_LIST_ARGS(A, W)                                                                               \
  A(IN, u64, key, "n") A(OUT, u32, order, "n", vertex, "n") A(INOUT, u32, place, "n", vertex, "n")
ARGS(order_list, ORDER_LIST_ARGS)

VERTEX_BODY(order_list) {
  (void)push, (void)count;
  const u32 u = (u32)a->key[v], in = u < a->n ? u : 0;
  a->order[v] = in;
  store_relaxed(&a->place[in], v);
}
