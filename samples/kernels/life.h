/* Conway's Game of Life on a torus of rows x columns, one thread for each cell.
 *
 *   kernel.load("life.h")
 *   world, next_world = buffer.new("u8", 64 * 64), buffer.new("u8", 64 * 64)
 *   for i = 0, 63 do world[i * 65 % 4096], world[i * 67 % 4096] = 1, 1 end
 *   life{world = world, next_world = next_world, rows = 64, columns = 64} */
#include "language/kernel.h"

PRIM(life, LIFE_ARGS, UNTYPED, VERTEX, "n", EXACT, "2*n", "0",
     "life{world =, next_world =, rows =, columns =}: the next generation; a cell lives if its byte is odd.\n"
     "Returns how many cells live.")

#define LIFE_ARGS(A, W)                                                                                    \
  A(IN, u8, world, "n") A(OUT, u8, next_world, "n") A(VALUE, u32, rows, "1") A(VALUE, u32, columns, "1")   \
  A(COUNT, u32, alive, "1")
ARGS(life, LIFE_ARGS)

VERTEX_BODY(life) {
  const u32 row = v / a->columns, column = v % a->columns;
  const u32 up = (row + a->rows - 1) % a->rows, down = (row + 1) % a->rows;
  const u32 left = (column + a->columns - 1) % a->columns, right = (column + 1) % a->columns;
  const u32 at[3] = {up * a->columns, row * a->columns, down * a->columns}, beside[3] = {left, column, right};
  u32 around = 0;
  for (u32 i = 0; i < 3; i++)
    for (u32 k = 0; k < 3; k++)
      if (i != 1 || k != 1) around += a->world[at[i] + beside[k]] & 1;
  const u32 lives = around == 3 || (around == 2 && (a->world[v] & 1));
  a->next_world[v] = (u8)lives;
  count->alive += lives;
}
