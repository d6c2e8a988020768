-- Arrays: what they hold, how they compare, and files of them, also those that are written row by row.
local b = buffer.new("u32", {5, 1, 4, 1, 3})
assert(#b == 5 and b.dtype == "u32" and b[2] == 4 and b:min() == 1 and b:max() == 5 and b:sum() == 14 and b:mean() == 2.8)
b[0] = 9
assert(b:find(9) == 0 and b:find(function(x) return x < 2 end) == 1 and b:count(1) == 2 and b:count(function(x) return x > 3 end) == 2)
assert(b:top(1)[1].x == 9 and b:top()[2].i == 2 and b:hist(4).lo == 1 and b:hist().hi == 9 and #b:hist().count == 9)
assert(#b:head(3) == 3 and table.concat(b:totable(), " ") == "9 1 4 1 3" and #b:totable(1, 3) == 2)

local c = b:copy()
assert(b:digest() == c:digest() and b == c)
c:fill(1)
local differing, list = b:diff(c)
assert(differing == 3 and list[1].i == 0 and list[1].a == 9 and list[1].b == 1 and b ~= c)
c:paste(b:slice(0, 2), 3)
assert(c[3] == 9 and c[4] == 1)

local D = buffer.new("f64", {1, 2, 3, 4, 5, 6}, 3)
assert(D.rows == 2 and D.cols == 3 and D:get(1, 0) == 4)
D:set(1, 0, -4)
assert(D:slice(0, 2, 1, 3):get(1, 1) == 6 and D:min() == -4)
D:pin()

for _, name in ipairs{"d.npy", "d.mtx", "d.csv", "d.txt", "d.npy.gz"} do
  D:save(name)
  local back = buffer.load(name, {dtype = "f64"})
  assert(back.rows == 2 and back:diff(D) == 0, name)
end
D:save "d.bin"
assert(buffer.load("d.bin", {dtype = "f64", cols = 3, rows = {1, 2}}):get(0, 0) == -4)

local out = buffer.writer("rows.npy", "i32", 4, 2)
for i = 0, 1 do out:put(buffer.new("i32", {i, i, i + 1, i + 1}, 2)) end
out:close()
assert(buffer.load("rows.npy"):sum() == 8)

do
  local scratch <close> = buffer.new("u8", 100)
  assert(scratch:sum() == 0)
end
b:close()
assert(not pcall(b.sum, b))
csv({a = D, b = D:copy()}, "columns.csv")
json({{n = 8, ms = 5}, {n = 16, ms = 9}}, "times.json")

-- by primitives
local x, y, z = buffer.new("i32", {3, 1, 2}), buffer.new("i32", 3), buffer.new("i64", 3)
scan(x, y)
assert(table.concat(y:totable(), " ") == "0 3 4")
radix_sort(x, y)
gather(x, buffer.new("u32", {2, 2, 0}), x:copy())
widen(x, z)
assert(y[0] == 1 and y[2] == 3 and z:sum() == 6 and negate(z) == 0 and z:sum() == -6)
local total = buffer.new("i32", 1)
reduce(x, total, 0)
assert(total[0] == 6)
