-- race_dense.lua [NAME]: each kernel of kernels/dense that uses shared memory, on little data, for compute-sanitizer's racecheck: under
-- racecheck, dense_spec.lua would take too long. Prints each case after it has run. NAME: the first case to run.
local wanted, begun = arg[1], trace.clock()
local function case(name, f)
  if wanted and name ~= wanted then return end
  wanted = nil
  f()
  print(("%-40s %6.1f s"):format(name, trace.clock() - begun))
  io.stdout:flush()
end
local function sparse(n, kind) return gen.uniform{n = n, m = 4 * n, seed = n, weights = kind, lo = 1, hi = 9} end

for _, n in ipairs {70, 200} do
  for _, kind in ipairs {"i16", "i32", "i64", "f32", "f64"} do
    case(("blocked %s %d"):format(kind, n), function() fw(sparse(n, kind:sub(1, 1) == "f" and "f32" or "i32"), {dtype = kind}) end)
  end
end
for _, form in ipairs {"recursive", "mm", "two-level"} do
  for _, tile in ipairs {32, 64} do
    case(("%s, tiles of %d"):format(form, tile), function() fw(sparse(150, "i32"), {form = form, tile = tile}) end)
  end
end
for _, form in ipairs {"tiles", "textbook"} do
  case(form, function() fw(sparse(70, "i32"), {form = form}) end)
end
for _, name in ipairs {"max-plus", "max-min", "or-and", "plus-times"} do
  case("product, " .. name, function()
    local A = matrix.of(sparse(100, "i32"), {semiring = name})
    product(A, A, {semiring = name})
  end)
end
case("closure, max-min", function() closure(matrix.of(sparse(150, "i32"), {semiring = "max-min"}), {semiring = "max-min"}) end)
case("power", function() power(matrix.of(sparse(100, "i32")), 3) end)
case("negative weights", function() fw(gen.dag{n = 150, m = 600, seed = 3, weights = "i32", lo = -9, hi = 9}) end)
for _, n in ipairs {70, 300} do
  case(("kleene %d"):format(n), function() kleene(gen.dag{n = n, m = 4 * n, seed = 1, weights = "f32", lo = 1, hi = 9}) end)
end
case("kleene by updates", function() kleene(gen.dag{n = 100, m = 400, seed = 1, weights = "f32", lo = 1, hi = 9}, {form = "updates"}) end)
case("successors", function() fw(sparse(150, "i32"), {successors = true}) end)
case("out of core", function() fw(sparse(300, "i32"), {memory = 200000}) end)
print("race_dense.lua: done on " .. device().name)
