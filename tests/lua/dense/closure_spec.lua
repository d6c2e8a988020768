-- Closures, Floyd-Warshall and the Kleene star at every size from 1 to 200, over all semirings, compared with the textbook loops
-- of `reference`, which are themselves compared with sums computed by hand. Each size is tested with i32 and with one other type: the next
-- one of the list for the next size.
local NAMES = {"min-plus", "max-plus", "max-min", "or-and"}
local OTHERS = {"i16", "i64", "f32", "f64"}
local WIDER = {"i64", "f32", "f64"} -- the types of weights; a graph cannot have i16 weights

local function same(a, b) equal({a.dtype, a.rows, a.cols, (a:diff(b))}, {b.dtype, b.rows, b.cols, 0}) end

-- A matrix of n x n whole numbers, with about three edges per row; no cycle improves paths without bound. (Floating-point sums
-- of such numbers are exact in any order.)
local function some_matrix(kind, n, name, seed)
  math.randomseed(seed)
  local ring, A = matrix.semiring(name), buffer.new(kind, n, n)
  local down = seed % 3 == 0 -- if true, weights have both signs, and edges lead only to later rows
  A:fill(ring.zero[kind])
  for _ = 1, 3 * n do
    local i, j, w = math.random(0, n - 1), math.random(0, n - 1), math.random(0, 40)
    if name == "or-and" then
      w = 1
    elseif name == "max-plus" then
      w = -w
    end
    if down and i < j and name ~= "or-and" then w = w - 20 end
    if not down or i < j then A:set(i, j, w) end
  end
  return A
end

describe("the reference", function()
  it("sums what is summed by hand", function()
    local far, least = 0x7fffffff, -0x80000000
    same(reference.closure(buffer.new("i32", {0, 5, far, far, 7, -2, 1, far, 9}, 3)), buffer.new("i32", {0, 5, 3, -1, 0, -2, 1, 6, 0}, 3))
    same(reference.closure(buffer.new("i32", {least, 5, least, least, least, -2, -9, least, -1}, 3), "max-plus"),
      buffer.new("i32", {0, 5, 3, -11, 0, -2, -9, -4, 0}, 3))
    same(reference.closure(buffer.new("f64", {1, 5, -math.huge, 2, 3, 4, 7, -math.huge, 1}, 3), "max-min"),
      buffer.new("f64", {math.huge, 5, 4, 4, math.huge, 4, 7, 5, math.huge}, 3))
    same(reference.closure(buffer.new("i16", {0, 7, 0, 0, 0, -3, 0, 0, 0}, 3), "or-and"), buffer.new("i16", {1, 1, 1, 0, 1, 1, 0, 0, 1}, 3))
    local g = graph.from_edges {weights = "i32", {0, 1, 5}, {1, 2, -2}, {0, 2, 1}, {0, 2, 2}, {3, 0, 4}}
    same(reference.kleene(g), buffer.new("i32", {0, 5, 3, least, least, 0, -2, least, least, least, 0, least, 4, 9, 7, 0}, 4))
    equal(reference.kleene(gen.path {n = 3}, "f64"):totable(), {0.0, 1.0, 2.0, -math.huge, 0.0, 1.0, -math.huge, -math.huge, 0.0})
  end)
  it("says what has no such sum", function()
    raises("vertex 0 lies on a cycle that is negative: there is no closure", reference.closure, buffer.new("i32", {0, 1, -2, 0}, 2))
    raises("vertex 0 lies on a cycle that is positive: there is no closure", reference.closure, buffer.new("f32", {0, 1, 2, 0}, 2), "max-plus")
    raises("a path from 0 to 2 does not fit i16", reference.closure,
      buffer.new("i16", {0, 30000, 32767, 32767, 0, 30000, 32767, 32767, 0}, 3))
    raises("no semiring 'plus'", reference.closure, buffer.new("i32", 2, 2), "plus")
    raises("is of i16, i32, i64, f32 or f64, not of u8", reference.closure, buffer.new("u8", 2, 2))
    raises("expected a square matrix", reference.closure, buffer.new("i32", 2, 3))
    raises("the graph has a cycle through ", reference.kleene, gen.ring {n = 5})
    raises("the graph has a cycle through 1", reference.kleene, graph.from_edges {{0, 1}, {1, 1}})
    raises("a path from 0 through 1 does not fit i32", reference.kleene, graph.from_edges {{0, 1, 2000000000}, {1, 2, 2000000000}})
    raises("the graph has f32 weights; expected weights that fit i32", reference.kleene, gen.path {n = 3, weights = "f32"}, "i32")
    raises("a Kleene star is of i32, i64, f32 or f64, not of i16", reference.kleene, gen.path {n = 3}, "i16")
  end)
end)

for _, processor in ipairs(processors) do
  describe("at every size, on " .. processor .. ",", function()
    device(processor)
    -- All sizes are tested with all threads, every 29th with one thread; fewer with a sanitizer or bounds-checked variants on a GPU.
    local step = processor == "cpu:1" and 29 or sized(1, 17, 67)
    local function each_size(body, others)
      for n = 1, 200, step do
        if due() then
          body(n, "i32")
          body(n, others[(n // step) % #others + 1])
        end
      end
    end
    for k, name in ipairs(NAMES) do
      it("closures over " .. name, function()
        each_size(function(n, kind)
          local A = some_matrix(kind, n, name, 4 * n + k)
          same(closure(A, {semiring = name}), reference.closure(A, name))
        end, OTHERS)
      end)
    end
    it("Floyd-Warshall", function()
      each_size(function(n, kind)
        local g = matrix.graph(some_matrix(kind, n, "min-plus", n))
        same(fw(g).matrix, reference.floyd_warshall(g))
      end, WIDER)
    end)
    it("the Kleene star", function()
      each_size(function(n, kind)
        local g = matrix.graph(some_matrix(kind, n, "max-plus", 3 * n), {semiring = "max-plus"}) -- acyclic with this seed
        same(kleene(g, {form = n % 2 == 0 and "blocked" or "updates"}).matrix, reference.kleene(g))
      end, WIDER)
    end)
  end)
end
device(processors[1])

it("large ones, at random", function()
  local most = device().processor == "cuda" and sized(2048, 300) or sized(600, 300)
  for seed, name in ipairs(NAMES) do
    math.randomseed(seed)
    local A = some_matrix(OTHERS[seed], math.random(most // 2, most), name, seed)
    same(closure(A, {semiring = name}), reference.closure(A, name))
  end
end)
