-- Matrices over semirings: conversion from and to graphs, products, sums, powers, closures, and every variant of Floyd-Warshall, each
-- compared with loops in this file.
local GREATEST = {i16 = 0x7fff, i32 = 0x7fffffff, i64 = math.maxinteger, f32 = math.huge, f64 = math.huge}
local LEAST = {i16 = -0x8000, i32 = -0x80000000, i64 = math.mininteger, f32 = -math.huge, f64 = -math.huge}
local KINDS = {"i32", "i64", "f32", "f64"} -- types of weights
local ELEMENTS = {"i16", "i32", "i64", "f32", "f64"}

-- The semirings, defined independently of the program.
local rings = {
  ["min-plus"] = {zero = GREATEST, one = function() return 0 end, join = math.min, times = function(a, b) return a + b end},
  ["max-plus"] = {zero = LEAST, one = function() return 0 end, join = math.max, times = function(a, b) return a + b end},
  ["max-min"] = {zero = LEAST, one = function(kind) return GREATEST[kind] end, join = math.max, times = math.min},
  ["or-and"] = {zero = {i16 = 0, i32 = 0, i64 = 0, f32 = 0, f64 = 0}, one = function() return 1 end,
    join = function(a, b) return (a ~= 0 or b ~= 0) and 1 or 0 end, times = function(a, b) return (a ~= 0 and b ~= 0) and 1 or 0 end},
  ["plus-times"] = {zero = {i16 = 0, i32 = 0, i64 = 0, f32 = 0, f64 = 0}, one = function() return 1 end,
    join = function(a, b) return a + b end, times = function(a, b) return a * b end},
}

local NAMES = {"min-plus", "max-plus", "max-min", "or-and", "plus-times"}

local function random_matrix(kind, rows, cols, name, low, high, seed)
  math.randomseed(seed)
  local zero, values = rings[name].zero[kind], {}
  for i = 1, rows * cols do values[i] = math.random() < 0.4 and math.random(low, high) or zero end
  return buffer.new(kind, values, cols)
end

local function product_by_loops(A, B, name)
  local ring, kind = rings[name], A.dtype
  local zero = ring.zero[kind]
  local C = buffer.new(kind, A.rows, B.cols)
  for i = 0, A.rows - 1 do
    for j = 0, B.cols - 1 do
      local sum = zero
      for k = 0, A.cols - 1 do
        local a, b = A:get(i, k), B:get(k, j)
        if a ~= zero and b ~= zero then sum = ring.join(sum, ring.times(a, b)) end
      end
      C:set(i, j, sum)
    end
  end
  return C
end

-- Floating-point numbers may be added in another order than in `want`, so such results are verified by check().
local function right(r, want)
  if want.dtype == "i32" or want.dtype == "i64" then
    equal({r.matrix.dtype, (r.matrix:diff(want))}, {want.dtype, 0})
  else
    equal({r.matrix.dtype, check(r)}, {want.dtype, true})
  end
end

local function same(a, b) equal({a.dtype, a.rows, a.cols, (a:diff(b))}, {b.dtype, b.rows, b.cols, 0}) end

for _, processor in ipairs(processors) do
  describe("on " .. processor .. ",", function()
    device(processor)
    for _, name in ipairs(NAMES) do
      for _, kind in ipairs(ELEMENTS) do
        it(("products over %s in %s"):format(name, kind), function()
          for seed, size in ipairs {{1, 1, 1}, {2, 3, 4}, {5, 1, 7}, {33, 17, 40}, {64, 64, 64}, {70, 130, 5}} do
            if due() then
              local p, q, r = table.unpack(size)
              local low = name == "or-and" and 0 or seed % 2 == 0 and -9 or 0
              local A, B = random_matrix(kind, p, q, name, low, 9, seed), random_matrix(kind, q, r, name, low, 9, seed + 50)
              local want = product_by_loops(A, B, name)
              same(product(A, B, {semiring = name}), want)
              if name ~= "or-and" then
                local plain, overflow = buffer.new(kind, p, r), buffer.new("u32", 1)
                fill(plain, rings[name].zero[kind])
                multiply_tile {left = A, right = B, into = plain, overflow = overflow, p = p, q = q, r = r,
                  semiring = matrix.semiring(name).row, down = (p + 31) // 32, across = (r + 31) // 32}
                same(plain, want)
              end
            end
          end
        end)
        it(("sums and powers over %s in %s"):format(name, kind), function()
          local A, B = random_matrix(kind, 9, 9, name, 0, 3, 5), random_matrix(kind, 9, 9, name, 0, 3, 6)
          local S, ring = sum(A, B, {semiring = name}), rings[name]
          for i = 0, 80 do assert(S[i] == ring.join(A[i], B[i])) end
          local P = matrix.identity(kind, 9, {semiring = name})
          for k = 0, 5 do
            same(power(A, k, {semiring = name}), P)
            P = product_by_loops(P, A, name)
          end
        end)
      end
    end
    it("closures are the sum of all powers", function()
      for _, name in ipairs {"min-plus", "max-plus", "max-min", "or-and"} do
        for _, kind in ipairs(ELEMENTS) do
          for seed, n in ipairs {1, 2, 5, 20, 33} do
            if due() then
              local A = random_matrix(kind, n, n, name, name == "max-plus" and -9 or 0, name == "max-plus" and 0 or 9, seed)
              local I = matrix.identity(kind, n, {semiring = name})
              local want = power(sum(I, A, {semiring = name}), n, {semiring = name})
              same(closure(A, {semiring = name}), want)
            end
          end
        end
      end
    end)
    it("values near a type's end are exact, or an error", function()
      local big = 2000000000
      local A = buffer.new("i32", {0, big, GREATEST.i32, 0}, 2)
      same(product(A, A), A)
      raises("product: a sum overflowed i32", product, buffer.new("i32", {big, big}, 2), buffer.new("i32", {big, 5}, 1))
      same(product(buffer.new("i64", {big, big}, 2), buffer.new("i64", {big, 5}, 1)), buffer.new("i64", {big + 5}, 1))
      same(product(buffer.new("i32", {-big}, 1), buffer.new("i32", {GREATEST.i32}, 1)), buffer.new("i32", {GREATEST.i32}, 1))
      same(product(buffer.new("i32", {1 << 28}, 1), buffer.new("i32", {1 << 28}, 1)), buffer.new("i32", {1 << 29}, 1))
      raises("a sum overflowed i32", product, buffer.new("i32", {1 << 20}, 1), buffer.new("i32", {1 << 20}, 1), {semiring = "plus-times"})
      raises("a sum overflowed i64", product, buffer.new("i64", {1 << 62}, 1), buffer.new("i64", {2}, 1), {semiring = "plus-times"})
      same(closure(buffer.new("i32", {0, big, GREATEST.i32, 0}, 2)), A)
      local short = buffer.new("i16", {0, 30000, GREATEST.i16, 0}, 2)
      same(closure(short), short)
      same(product(buffer.new("i16", {5460}, 1), buffer.new("i16", {-5460}, 1)), buffer.new("i16", {0}, 1))
      same(product(buffer.new("i16", {5460}, 1), buffer.new("i16", {5460}, 1)), buffer.new("i16", {10920}, 1))
      same(product(buffer.new("i16", {16383}, 1), buffer.new("i16", {16383}, 1)), buffer.new("i16", {32766}, 1))
      raises("a sum overflowed i16; use matrices of i32", product, buffer.new("i16", {16384}, 1), buffer.new("i16", {16383}, 1))
      raises("a sum overflowed i16", product, buffer.new("i16", {200}, 1), buffer.new("i16", {200}, 1), {semiring = "plus-times"})
      raises("closure: vertex 0 lies on a cycle that is negative", closure, buffer.new("i32", {0, 1, -2, 0}, 2))
      -- weights that are too large for the fast primitives, then for any primitive
      local far = closure(buffer.new("i32", {0, 1 << 29, LEAST.i32, 0}, 2), {semiring = "max-plus"})
      equal(far:totable(), {0, 1 << 29, LEAST.i32, 0})
      local ring = {}
      for v = 0, 39 do ring[v + 1] = {v, (v + 1) % 40, -(1 << 25)} end
      local D = matrix.of(graph.from_edges(ring))
      raises("lies on a cycle that is negative", closure, D)
      for v = 1, 40 do ring[v][3] = 1 << 25 end
      raises("lies on a cycle that is positive", closure, matrix.of(graph.from_edges(ring), {semiring = "max-plus"}), {semiring = "max-plus"})
      ring[40] = nil
      for v = 1, 39 do ring[v][3] = 1 << 29 end
      raises("a sum overflowed i32; use matrices of i64", closure, matrix.of(graph.from_edges(ring)))
      raises("closure: vertex 0 lies on a cycle that is positive", closure, buffer.new("f64", {0, 1, 2, 0}, 2), {semiring = "max-plus"})
    end)
    it("a closure that does not exist names the cycle and its weight", function()
      for _, kind in ipairs(ELEMENTS) do
        local far, least = GREATEST[kind], LEAST[kind]
        raises("closure: vertex 1 lies on a cycle that is negative: 1 -> 2 -> 1 (2 edges) weighs -3", closure,
          buffer.new(kind, {0, 1, far, far, 0, 4, far, -7, 0}, 3))
        raises("closure: vertex 1 lies on a cycle that is positive: 1 -> 2 -> 1 (2 edges) weighs 3", closure,
          buffer.new(kind, {0, 1, least, least, 0, -4, least, 7, 0}, 3), {semiring = "max-plus"})
        raises("closure: vertex 2 lies on a cycle that is positive: 2 -> 2 (1 edge) weighs 5", closure,
          buffer.new(kind, {0, 1, least, least, 0, -4, least, least, 5}, 3), {semiring = "max-plus"})
      end
      local apart = buffer.new("f64", {0, 0.5, 1, -0.75, 0, 1e300, 1, 1, 0}, 3)
      raises("closure: vertex 0 lies on a cycle that is negative", closure, apart)
    end)
    it("or-and takes any elements, and ones and zeros alone come out", function()
      for _, kind in ipairs(ELEMENTS) do
        local A = buffer.new(kind, {0, -3, 0, 7}, 2)
        equal(sum(A, A, {semiring = "or-and"}):totable(), buffer.new(kind, {0, 1, 0, 1}, 2):totable())
        equal(A:totable(), buffer.new(kind, {0, -3, 0, 7}, 2):totable())
        local y = buffer.new(kind, 4)
        negate_paths(buffer.new(kind, {5, -2, 0, 9}), y, 9, LEAST[kind])
        equal(y:totable(), buffer.new(kind, {-5, 2, 0, LEAST[kind]}):totable())
      end
      local y = buffer.new("i16", 2)
      negate_paths(buffer.new("i16", {-32768, 32767}), y, 1, 2)
      equal(y:totable(), {-32768, -32767})
    end)
    it("graphs become matrices and graphs again", function()
      local g = graph.from_edges {n = 4, weights = "i32", {0, 1, 5}, {0, 1, 3}, {1, 2, -4}, {2, 2, 7}, {2, 0, 0}}
      local far = GREATEST.i32
      equal(matrix.of(g):totable(), {0, 3, far, far, far, 0, -4, far, 0, far, 0, far, far, far, far, 0})
      local wide = matrix.of(g, {semiring = "max-plus", dtype = "i64"})
      equal({wide.dtype, wide:get(0, 1), wide:get(2, 2), wide:get(3, 0)}, {"i64", 5, 7, math.mininteger})
      equal(matrix.of(g, {semiring = "or-and"}):totable(), {1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1})
      equal(matrix.of(g, {semiring = "plus-times"}):get(0, 1), 8)
      local back = matrix.graph(matrix.of(g))
      equal({back.n, back.m, back.off:totable(), back.to:totable(), back.w:totable()}, {4, 3, {0, 1, 2, 3, 3}, {1, 2, 0}, {3, -4, 0}})
      for _, kind in ipairs(KINDS) do
        local h = gen.uniform {n = 50, m = 400, seed = 3, weights = kind, lo = 1, hi = 9}
        same(matrix.of(h), reference.distance_matrix(h))
        same(matrix.of(matrix.graph(matrix.of(h))), matrix.of(h))
      end
    end)
    for _, form in ipairs {"blocked", "recursive", "mm", "two-level", "tiles", "textbook"} do
      it("Floyd-Warshall, " .. form, function()
        for n = 1, 140, form == "blocked" and sized(1, 3) or 23 do
          for _, kind in ipairs(n % 7 == 0 and KINDS or {"i32"}) do
            for _, low in ipairs {0, -3} do
              local g = (low == 0 or n == 1) and gen.uniform {n = n, m = 4 * n, seed = n, weights = kind, lo = 0, hi = 50}
                or gen.dag {n = n, m = 4 * n, seed = n, weights = kind, lo = -9, hi = 50}
              local r, want = fw(g, {form = form}), reference.floyd_warshall(g)
              equal(r.variant, (form == "mm" or form == "two-level") and kind:sub(2) == "64" and "blocked" or form)
              right(r, want)
            end
          end
        end
        local g = gen.uniform {n = 300, m = 3000, seed = 1, weights = "i32", lo = 1, hi = 100}
        for _, tile in ipairs(form == "two-level" and {16, 32, 64} or {16, 32, 64, 128, 256, 512}) do
          same(fw(g, {form = form, tile = tile}).matrix, reference.floyd_warshall(g))
        end
      end)
    end
    long("a diagonal tile that is closed at once, of many tiles of 64", function()
      local many = device().processor == "cuda" and 1300 or 130 -- too many tiles for a GPU to close them without grid barriers
      for _, x in ipairs {{"i32", 1000, 1024}, {"f32", 610, 1024}, {"i16", 450, 1024}, {"i32", many, 2048}} do
        local kind, n, tile = table.unpack(x)
        for _, low in ipairs {1, -9} do -- graphs with negative weights are acyclic (gen.dag), because a negative cycle is an error
          local g = low > 0 and gen.uniform {n = n, m = 8 * n, seed = n, weights = kind == "f32" and kind or "i32", lo = low, hi = 50}
            or gen.dag {n = n, m = 8 * n, seed = n, weights = kind == "f32" and kind or "i32", lo = low, hi = 50}
          local r, want = fw(g, {form = "blocked", tile = tile, dtype = kind}), reference.floyd_warshall(g, kind)
          equal(r.variant, "blocked")
          if kind == "f32" then right(r, want) else same(r.matrix, want) end
        end
      end
    end)
    long("parts of an upper triangle, without a look at what is below its diagonal", function()
      local n, o = 390, buffer.new("u32", 1)
      for _, kind in ipairs(ELEMENTS) do
        local A = random_matrix(kind, n, n, "max-plus", -9, 9, 5)
        for i = 0, n - 1 do for j = 0, i - 1 do A:set(i, j, LEAST[kind]) end end
        for _, part in ipairs {{0, n, 0, n, 0, n}, {256, 134, 256, 134, 256, 134}, {0, 128, 128, 200, 0, 128}, {5, 300, 70, 320, 64, 100},
          {300, 90, 300, 90, 10, 50}} do
          local into = {}
          for upper = 0, 1 do
            local D = buffer.new(kind, n, n)
            copy {x = A, y = D}
            local i, rows, j, cols, k, deep = table.unpack(part)
            block_multiply {D = D, overflow = o, i = i, rows = rows, j = j, cols = cols, k = k, deep = deep, semiring = 1, positive = 0, upper = upper}
            into[upper] = D:totable()
          end
          equal(into[1], into[0])
        end
      end
      equal(o[0], 0)
    end)
    it("some rows of a product, as in the whole", function()
      local p, q, r = 90, 1100, 70
      for _, kind in ipairs(ELEMENTS) do
        for name, semiring in pairs {["min-plus"] = 0, ["max-min"] = 2} do
          local A, B = random_matrix(kind, p, q, name, 0, 9, 1), random_matrix(kind, q, r, name, 0, 9, 2)
          local whole, o = random_matrix(kind, p, r, name, 0, 9, 3), buffer.new("u32", 1)
          local before, parts = whole:copy(), whole:copy()
          local given = {left = A, right = B, overflow = o, p = p, q = q, r = r, semiring = semiring, positive = 1}
          given.into = whole
          prim.multiply(given)
          given.into = parts
          for _, part in ipairs {{30, 0}, {64, 26}, {0, 64}} do
            local old = parts:copy()
            given.first, given.rows = part[1], part[2]
            multiply_rows(given)
            for i = 0, p * r - 1 do
              local row = i // r
              equal(parts[i], row >= part[1] and row < part[1] + part[2] and whole[i] or old[i])
            end
          end
          same(parts, whole)
          assert(whole:diff(before) > 0 and o[0] == 0)
          given.first, given.rows = 80, 11
          raises("multiply_rows: 11 rows from 80 on: there are 90", multiply_rows, given)
        end
      end
    end)
    it("parts of matrices, copied", function()
      local A, B = random_matrix("i32", 7, 9, "min-plus", -9, 9, 6), buffer.new("i32", 5, 11)
      fill(B, 77)
      matrix_copy(A, 9, 2, 3, 4, 5, B, 11, 1, 6)
      for i = 0, 4 do
        for j = 0, 10 do equal(B:get(i, j), i >= 1 and j >= 6 and A:get(i + 1, j - 3) or 77) end
      end
      local C = buffer.new("i32", 3, 9)
      matrix_copy(A, 9, 4, 0, 3, 9, C, 9, 0, 0) -- whole rows
      for j = 0, 26 do equal(C[j], A[36 + j]) end
      raises("matrix_copy: 4 x 5 elements at row 4, column 3 do not lie in 7 x 9", matrix_copy, A, 9, 4, 3, 4, 5, B, 11, 1, 6)
      raises("matrix_copy: 4 x 5 elements at row 2, column 6 do not lie in 5 x 11", matrix_copy, A, 9, 2, 3, 4, 5, B, 11, 2, 6)
      raises("matrix_copy: 4 x 5 elements at row 1, column 7 do not lie in 5 x 11", matrix_copy, A, 9, 2, 3, 4, 5, B, 11, 1, 7)
    end)
    it("the same for maxima of minima", function()
      for _, kind in ipairs {"i16", "i32", "f32"} do
        local A = random_matrix(kind, 333, 333, "max-min", 0, 999, 8)
        for i = 0, 332 do -- most pairs have no edge, so paths are long
          for j = 0, 332 do
            if (7 * i + 5 * j) % 83 ~= 0 then A:set(i, j, rings["max-min"].zero[kind]) end
          end
        end
        same(closure(A, {semiring = "max-min"}), reference.closure(A, "max-min"))
      end
    end)
    it("Floyd-Warshall in 16 bits", function()
      for _, form in ipairs {"blocked", "recursive", "mm", "two-level", "tiles", "textbook"} do
        for _, n in ipairs((form == "blocked" or form == "tiles") and {1, 2, 63, 64, 65, 130} or {65}) do
          for _, low in ipairs {0, -3} do
            local g = (low == 0 or n == 1) and gen.uniform {n = n, m = 4 * n, seed = n, weights = "i32", lo = 0, hi = 50}
              or gen.dag {n = n, m = math.min(4 * n, n * (n - 1) // 2), seed = n, weights = "i32", lo = -9, hi = 50}
            local r = fw(g, {form = form, dtype = "i16"})
            equal({r.matrix.dtype, check(r), (r.matrix:diff(reference.floyd_warshall(g, "i16")))}, {"i16", true, 0})
            local q = reference.floyd_warshall(g)
            for i = 0, n * n - 1, 7 do assert(r.matrix[i] == q[i] or r.matrix[i] == 0x7fff and q[i] == 0x7fffffff) end
          end
        end
      end
      local function chain(n, w)
        local edges = {weights = "i32"}
        for v = 0, n - 2 do edges[v + 1] = {v, v + 1, w} end
        return graph.from_edges(edges)
      end
      -- Path weights within the limit of the fast rows, above it, at the type's maximum, and above the maximum.
      for _, x in ipairs {{5460, "i16", "blocked"}, {5461, "i16", "blocked, tiles"}, {32766, "i16", "blocked, tiles"},
        {32767, "i32", "blocked, tiles, blocked"}, {-5460, "i16", "blocked"}, {-32767, "i16", "blocked, tiles"}} do
        local g = chain(3, 0)
        g = graph.from_edges {weights = "i32", {0, 1, x[1] // 2}, {1, 2, x[1] - x[1] // 2}}
        local r = fw(g, {dtype = "i16", form = "blocked"})
        equal({x[1], r:get(0, 2), r.matrix.dtype, check(r)}, {x[1], x[1], x[2], true})
        if x[2] == "i16" then equal(r.variant:gsub("^tiles$", "blocked, tiles"), x[3]) end
      end
      local far = fw(chain(60, 1000), {dtype = "i16"})
      equal({far.matrix.dtype, far:get(0, 59), check(far)}, {"i32", 59000, true})
      equal(fw(chain(3, 40000), {dtype = "i16"}).matrix.dtype, "i32")
      equal({fw(gen.path {n = 9}, {dtype = "i16"}):get(0, 8), fw(gen.path {n = 9}, {dtype = "i64"}).matrix.dtype}, {8, "i64"})
      raises("lies on a cycle of negative weight", fw, graph.from_edges {weights = "i32", {0, 1, -1}, {1, 0, 0}}, {dtype = "i16"})
      raises("fw: weights of f32 cannot be summed as i16", fw, gen.ring {n = 3, weights = "f32"}, {dtype = "i16"})
      raises("fw: weights of i64 cannot be summed as i16", fw, gen.ring {n = 3, weights = "i64"}, {dtype = "i16"})
      raises("fw: dtype is 'u8', expected 'i16', 'i32', 'i64', 'f32' or 'f64'", fw, gen.ring {n = 3}, {dtype = "u8"})
      raises("matrix.of: a weight does not fit i16: -32768 to 32767", matrix.of, chain(3, 40000), {dtype = "i16"})
      same(matrix.of(matrix.graph(matrix.of(chain(9, 7), {dtype = "i16"}))), matrix.of(chain(9, 7)))
    end)
    it("paths", function()
      for _, kind in ipairs(KINDS) do
        local g = gen.uniform {n = 60, m = 200, seed = 4, weights = kind, lo = 0, hi = 5}
        local r = fw(g)
        for i = 0, 59, 7 do
          for j = 0, 59 do
            local path, length = r:path(i, j), 0
            if r:get(i, j) == GREATEST[kind] then
              equal(path, nil)
            else
              equal({path[1], path[#path]}, {i, j})
              for at = 2, #path do
                local best = math.huge
                for e = g.off[path[at - 1]], g.off[path[at - 1] + 1] - 1 do
                  if g.to[e] == path[at] then best = math.min(best, g.w[e]) end
                end
                length = length + best
              end
              assert(math.abs(length - r:get(i, j)) <= (kind:sub(1, 1) == "f" and 1e-5 * length or 0))
            end
          end
        end
      end
      raises("path: expected two vertices of 0 .. 1, got 0 and 7", function() fw(graph.from_edges {{0, 1}}):path(0, 7) end)
    end)
  end)
end

-- The set of vertices that v reaches by at least one edge.
local function descendants(g, v)
  local seen, todo = {}, {v}
  while #todo > 0 do
    local u = table.remove(todo)
    for e = g.off[u], g.off[u + 1] - 1 do
      local t = g.to[e]
      if not seen[t] then seen[t], todo[#todo + 1] = true, t end
    end
  end
  return seen
end

describe("a topological order", function()
  for _, form in ipairs {"levels", "host", "descendants"} do
    it("by " .. form .. " goes along every edge", function()
      for seed, n in ipairs {1, 2, 63, 64, 65, 200, 1000} do
        local g = gen.dag {n = n, m = math.min(20 * n, n * (n - 1) // 2), seed = seed}
        local order, place, left, _, ran = kleene.order(g, {form = form})
        equal({left, ran}, {0, form})
        for i = 0, n - 1 do assert(place[order[i]] == i) end
        for v = 0, n - 1 do
          for e = g.off[v], g.off[v + 1] - 1 do assert(place[v] < place[g.to[e]]) end
        end
      end
      local none = buffer.new("u32", 0)
      equal(#kleene.order(graph.from_edges(0, none, none), {form = form}), 0)
      local _, _, left, indegree, ran = kleene.order(graph.from_edges {{0, 1}, {1, 2}, {2, 1}, {2, 3}}, {form = form})
      equal({left, ran, indegree:totable()}, {3, form == "host" and form or "levels", {0, 1, 1, 1}})
    end)
  end
  it("is the same by levels and by the host", function()
    for seed, n in ipairs {1, 2, 64, 333, 2000} do
      for _, m in ipairs {0, n // 2, 5 * n} do
        local g = gen.dag {n = n, m = n > 1 and m or 0, seed = seed}
        equal((kleene.order(g, {form = "host"}):diff((kleene.order(g, {form = "levels"})))), 0)
      end
    end
  end)
  it("has its forms by name", function()
    raises("kleene.order: form is 'level', expected 'levels', 'host' or 'descendants'", kleene.order, gen.path {n = 3}, {form = "level"})
  end)
  it("sets the bits of edges", function()
    local s = bundle {bits = buffer.new("u64", 66, 2), from = 0, across = 2}
    local g = graph.from_edges {{0, 1}, {0, 1}, {0, 64}, {65, 0}, {65, 65}}
    bits_edges(g, s)
    equal({s.bits:get(0, 0), s.bits:get(0, 1), s.bits:get(65, 0), s.bits:get(65, 1), s.bits:count(0)}, {2, 1, 1, 2, 128})
    for from = 0, 2 do -- each part has one 64-bit word of each row, word `from`; the third part has none
      local part = bundle {bits = buffer.new("u64", 66, 1), from = from, across = 1, descendants = buffer.new("u32", 66)}
      bits_edges(g, part)
      for v = 0, 65 do equal(part.bits:get(v, 0), from < 2 and s.bits:get(v, from) or 0) end
      equal(descendant_counts(part), from == 1 and 1 or 0) -- the loop 65 -> 65 is in part 1
      equal({part.descendants[0], part.descendants[65]}, ({[0] = {1, 1}, {1, 1}, {0, 0}})[from])
    end
  end)
  it("rests on a Boolean matrix that is closed, with cycles too", function()
    for seed, n in ipairs {1, 5, 64, 130, 333, 400} do
      local g = seed == 6 and gen.path {n = n} or gen.uniform {n = n, m = seed == 5 and 6 * n or n, seed = seed}
      local words = (n + 63) // 64
      local s = bundle {bits = buffer.new("u64", n, words), words = words, from = 0, across = words, key = buffer.new("u64", n),
        within = buffer.new("u64", 64), table = buffer.new("u64", 256, words), descendants = buffer.new("u32", n)}
      bits_edges(g, s)
      raises("words is " .. words + 1 .. ", expected the words of 64 bits that cover n = " .. n, warshall_pivots, s.bits, s.within, 0,
        words + 1, 0, words)
      warshall(s)
      local cyclic, pairs_of = 0, {n = n}
      for v = 0, n - 1 do
        local want = descendants(g, v)
        for t in pairs(want) do pairs_of[#pairs_of + 1] = {v, t} end
        cyclic = cyclic + (want[v] and 1 or 0)
      end
      local expected = bundle {bits = buffer.new("u64", n, words), from = 0, across = words}
      bits_edges(graph.from_edges(pairs_of), expected)
      equal((s.bits:diff(expected.bits)), 0)
      local narrow = bundle {bits = buffer.new("u64", n, words), words = words, from = 0, across = words, pivots = buffer.new("u64", 128, words)}
      bits_edges(g, narrow)
      copy_part {x = narrow.bits, from = 0, count = math.min(64, n) * words, y = narrow.pivots, to = 0}
      warshall_narrow(narrow)
      equal((narrow.bits:diff(expected.bits)), 0)
      equal(descendant_counts(s), cyclic)
      descendant_keys(s)
      for v = 0, n - 1 do equal(s.key[v], n - s.descendants[v] << 32 | v) end
      s.from = words -- beyond the last word, so the pivots' word is missing: the result is meaningless, but no access is out of bounds
      warshall(s)
      s.from = 0
      if n % 64 > 0 then -- columns beyond n must be ignored
        for v = 0, n - 1 do s.bits:set(v, words - 1, 1 << 62) end
        warshall(s)
      end
    end
  end)
end)

-- The greatest weights of paths from every vertex, computed in reverse topological order.
local function stars(g, kind)
  local n, none = g.n, LEAST[kind]
  local best, done = {}, {}
  local function visit(v)
    if done[v] then return end
    done[v] = true
    local row = {}
    for j = 0, n - 1 do row[j] = j == v and 0 or none end
    for e = g.off[v], g.off[v + 1] - 1 do
      local u, w = g.to[e], g.w and g.w[e] or 1
      visit(u)
      for j = 0, n - 1 do
        if best[u][j] ~= none then row[j] = math.max(row[j], w + best[u][j]) end
      end
    end
    best[v] = row
  end
  for v = 0, n - 1 do visit(v) end
  return best
end

describe("the Kleene star", function()
  for _, processor in ipairs(processors) do
    for _, form in ipairs {"blocked", "updates"} do
      for _, kind in ipairs(KINDS) do
        it(("on %s, %s, of %s"):format(processor, form, kind), function()
          device(processor)
          for seed, n in ipairs {2, 3, 40, 64, 65, 130, 300} do
            local g = gen.dag {n = n, m = math.min(6 * n, n * (n - 1) // 2), seed = seed, weights = kind,
              lo = seed % 2 == 0 and -20 or 0, hi = 30}
            local r = kleene(g, {form = form, tile = n > 200 and 128 or nil})
            equal({r.variant, r.matrix.dtype}, {form, kind})
            equal(check(r), true)
            local want = n < 100 and stars(g, kind)
            for i = 0, want and n - 1 or -1 do
              for j = 0, n - 1 do
                local a, b = r:get(i, j), want[i][j]
                assert(a == b or math.abs(a - b) <= (kind:sub(1, 1) == "f" and 1e-5 * (1 + math.abs(b)) or 0))
              end
            end
          end
        end)
      end
    end
  end
  device(processors[1])
  it("has paths, parallel edges, no weights", function()
    local r = kleene(graph.from_edges {{0, 1, 2}, {0, 1, 7}, {1, 2, -3}, {0, 2, 1}, {3, 3 - 1, 5}})
    equal({r:get(0, 2), r:path(0, 2), r:get(2, 0), r:path(2, 0), r:get(3, 3)}, {4, {0, 1, 2}, LEAST.i32, nil, 0})
    equal(kleene(gen.path {n = 9}):get(0, 8), 8)
    equal(kleene(graph.from_edges {n = 1}).matrix:totable(), {0})
    equal(kleene(graph.from_edges {{0, 1, 2}, {0, 1, 7}}, {form = "updates"}):get(0, 1), 7)
  end)
  it("of a graph with a cycle is an error that names it, or a closure", function()
    local g = graph.from_edges {weights = "i32", {0, 1, 1}, {1, 2, -3}, {2, 1, 2}, {2, 3, 5}}
    raises("kleene: the graph has a cycle: ", kleene, g)
    raises("(2 edges); {closure = true} allows cycles", kleene, g)
    local r = kleene(g, {closure = true})
    equal({r.variant, r:get(0, 3), r:get(1, 1), check(r)}, {"closure", 3, 0, true})
    raises("kleene: vertex 0 lies on a cycle that is positive: 0 -> 1 -> 0 (2 edges) weighs 1", kleene, graph.from_edges {{0, 1, 1}, {1, 0, 0}},
      {closure = true})
    raises("kleene: vertex 0 lies on a cycle that is positive: 0 -> 1 -> 0 (2 edges) weighs 0.5", kleene,
      graph.from_edges {weights = "f32", {0, 1, 1}, {1, 0, -0.5}}, {closure = true})
    raises("kleene: the graph has a cycle: 0 -> 0 (1 edge)", kleene, graph.from_edges {{0, 0, -1}})
  end)
  it("goes on in 64 bits where sums leave 32", function()
    local big = 2000000000
    local g = graph.from_edges {weights = "i32", {0, 1, big}, {1, 2, big}, {2, 3, -big}}
    local r = kleene(g)
    equal({r.matrix.dtype, r:get(0, 2), r:get(0, 3), check(r)}, {"i64", 2 * big, big, true})
    local fits = kleene(graph.from_edges {weights = "i32", {0, 1, big}, {1, 2, 5}})
    equal({fits.matrix.dtype, fits:get(0, 2), fits.variant}, {"i32", big + 5, "updates"})
    local loop = kleene(graph.from_edges {weights = "i32", {0, 1, big}, {1, 2, big}, {2, 1, -big}}, {closure = true})
    equal({loop.matrix.dtype, loop:get(0, 2), check(loop)}, {"i64", 2 * big, true})
    raises("that is positive", kleene, graph.from_edges {weights = "i32", {0, 1, big}, {1, 0, big}}, {closure = true})
    local ring = {weights = "i64"}
    for v = 0, 79 do ring[v + 1] = {v, (v + 1) % 80, 1 << 56} end
    raises("that is positive", kleene, graph.from_edges(ring), {closure = true})
    for _, sign in ipairs {1, -1} do
      local x = sign * 3e38
      for _, options in ipairs {{form = "blocked"}, {form = "updates"}, {closure = true}} do
        local real = kleene(graph.from_edges {weights = "f32", {0, 1, x}, {1, 2, x}}, options)
        equal({real.matrix.dtype, real:get(0, 2) * sign > 5e38, check(real)}, {"f64", true, true})
      end
      raises("kleene: a sum overflowed f64: distances are at most 1.8e308", kleene, graph.from_edges {{0, 1, sign * 1.7e308}, {1, 2, sign * 1.7e308}})
    end
  end)
  it("is proved: a wrong one is found", function()
    local r = kleene(gen.dag {n = 30, m = 90, seed = 1, weights = "i32", lo = 1, hi = 9})
    for i = 0, 899 do
      local x = r.matrix[i]
      if x > 0 then
        r.matrix[i] = x + 1
        raises("distances from", check, r)
        r.matrix[i] = x
        return
      end
    end
  end)
end)

describe("what is wrong", function()
  local A = buffer.new("i32", 4, 4)
  it("is said", function()
    raises("product: expected a matrix of i16, i32, i64, f32 or f64, got u32[3]", product, buffer.new("u32", 3), A)
    raises("product: a matrix of 4 x 4 has no product with one of 3 x 2", product, A, buffer.new("i32", 3, 2))
    raises("expected matrices of one type, got i32 and f32", product, A, buffer.new("f32", 4, 4))
    raises("product: semiring is 'min', expected 'min-plus', 'max-plus', 'max-min', 'or-and' or 'plus-times'", product, A, A, {semiring = "min"})
    raises("power: expected a whole number from 0 on, got -1", power, A, -1)
    raises("closure: expected a square matrix, got 3 x 2", closure, buffer.new("i32", 3, 2))
    raises("closure: in the semiring 'plus-times' the sum of all powers may not exist", closure, A, {semiring = "plus-times"})
    raises("sum: expected two matrices of one type and size", sum, A, buffer.new("i32", 3, 3))
    raises("fw: tile is 48, expected 16, 32, 64", fw, gen.ring {n = 5}, {tile = 48})
    raises("kleene: a block has 256 x 5 threads, expected at most 1024", kleene, gen.path {n = 5}, {rows = 5})
    raises("fw: unknown option 'tiel' (did you mean tile?)", fw, gen.ring {n = 5}, {tiel = 4})
    local o = buffer.new("u32", 1)
    raises("close_rest: tiles is 9, expected the tiles of 16 that cover n = 4, 1", close_rest, A, o, 0, 9, 16, 0, 0)
    raises("tile is 17, expected 16, 32, 64", close_rest, A, o, 0, 1, 17, 0, 0)
    raises("semiring is 3, expected 0 (min, +), 1 (max, +) or 2 (max, min)", close_rest, A, o, 0, 1, 16, 3, 0)
    raises("block_multiply: 3 elements from 2 on: there are 4", block_multiply, A, o, 2, 3, 0, 4, 0, 4, 0, 0, 0)
    close_pivot(A, o, 0, 1, 16, 0, 1)
    equal(o[0], 0)
    A[3] = -1
    close_pivot(A, o, 0, 1, 16, 0, 1) -- with a negative element the guarantee `positive` is violated, which is reported
    equal(o[0], 1)
  end)
end)
