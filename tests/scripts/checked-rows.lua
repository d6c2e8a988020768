-- Checks that the bounds-checked and race-checked variants of all shipped rows compile. Builds one text per element type with
-- all rows of that type, and compiles it with the C++ compiler as at run time. Prints what does not compile.
-- Usage: lockstep checked-rows.lua FOLDER-OF-THE-SOURCES FOLDER-OF-THE-BUILD
local root, build = arg[1], arg[2]
local compiler = os.getenv "CXX" or "c++"

local texts, count = {}, 0 -- by type
for path in io.popen(("ls %s/gen/new/*.c"):format(build)):lines() do -- the rows as the build compiles them
  local file <close> = assert(io.open(path))
  local all = file:read "a"
  for kind, include, driver in all:gmatch '#define W (%w+)\n(#include "[%w_/]+%.h")\n(CPU_DRIVER%([^\n]*%))' do
    local text = texts[kind] or {includes = {}, drivers = {}}
    texts[kind] = text
    table.insert(text.includes, include)
    table.insert(text.drivers, driver)
    count = count + 1
  end
end

local failed = 0
for kind, text in pairs(texts) do
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write("#define LS_UNIT 1\n#define LS_CHECKED 1\n#define LS_RACES 1\n#include \"driver/cpu.h\"\n#define W ", kind, "\n",
    table.concat(text.includes, "\n"), "\nextern \"C\" {\n", table.concat(text.drivers, "\n"), "\n}\n")
  file:close()
  local command = ("%s -x c++ -std=gnu++17 -fno-exceptions -fsyntax-only -w -I%s/kernels -I%s/src -I%s/gen %s 2>&1"):format(compiler,
    root, root, build, path)
  local pipe = io.popen(command)
  for line in pipe:lines() do
    if line:find "error" then
      print(kind .. ": " .. line)
      failed = failed + 1
    end
  end
  pipe:close()
  os.remove(path)
end
print(("checked rows: %d forms, %d errors"):format(count, failed))
os.exit(failed == 0 and count > 100)
