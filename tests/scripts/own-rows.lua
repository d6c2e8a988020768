-- Registers every shipped row that has a body, and every loop over rows, again from its own text, as a user's kernel is
-- registered; then runs the given specs on these rows.
-- Usage: lockstep [--backend cuda] own-rows.lua FOLDER-OF-THE-TESTS [SPEC.lua ...]
local part = os.getenv "TEST_PART" or ""
if part ~= "" and part ~= "6" then -- a long test: it compiles each row
  print "runs in part 6"
  os.exit(77)
end
local tests = table.remove(arg, 1)
local rows, loops = {}, {}
for i = 1, math.huge do
  local row = prim.describe(i)
  if not row then break end
  if row.domain == "loop" then
    loops[#loops + 1] = row.name
  elseif not row.domain:find "library" then
    rows[#rows + 1] = row.name
  end
end
for _, names in ipairs {rows, loops} do
  for _, name in ipairs(names) do kernel(kernel.source(name)) end
end
print(("%d rows and %d loops registered again"):format(#rows, #loops))
assert(#rows > 100 and #loops > 30)
if arg[1] then
  arg[0] = tests .. "/lua/run.lua"
  dofile(arg[0])
end
