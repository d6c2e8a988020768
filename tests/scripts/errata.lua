--- errata.lua [ROOT]: checks that every mark of an error in a paper has a test, and that every test of an error has a mark. Run by ctest as
--- `errata`. A mark is `paper errs: PAPER, PLACE: text` in a comment of kernels/ or lua/, which `help errata` reads; its test is
--- it("PAPER, PLACE: ...") in tests/lua/base/errata_spec.lua. Exits with 1 if one is missing.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local csource = dofile(here .. "/csource.lua")
local root = arg[1] or here .. "/../.."

-- Compares the marks in the texts {path = text} with the tests in `spec`, the text of the spec. Returns a list of error messages
-- and the marks found {name = path}.
local function problems(texts, spec)
  local wrong, marked, tested = {}, {}, {}
  local function say(...) wrong[#wrong + 1] = (...):format(select(2, ...)) end
  for name in spec:gmatch '%f[%w]it%("(%d%d%d, [^:"]+)[:"]' do tested[name] = true end
  for name in spec:gmatch '[{,] ?"(%d%d%d, [^:"]+):' do tested[name] = true end -- names in a list, for each of which a loop defines a test
  for path, text in pairs(texts) do
    for line in (text:find("paper errs:", 1, true) and text or ""):gmatch "[^\n]+" do
      if not line:find("paper errs:", 1, true) then goto continue end
      local name = line:match "paper errs: (%d%d%d, [^:]+): %S"
      if not name then
        say("%s: expected 'paper errs: PAPER, PLACE: text' (as in 001, Algorithm 1, line 13), got '%s'", path, line)
      elseif not (path:find "^kernels/.*%.h$" or path:find "^kernels/.*%.def$" or path:find "^lua/") then
        say("%s: the mark '%s' is where help errata does not see it: expected in a .h or .def of kernels/, or in lua/", path, name)
      elseif marked[name] then
        say("%s: the mark '%s' is in %s too", path, name, marked[name])
      else
        marked[name] = path
        if not tested[name] then say("%s: the mark '%s' has no test in tests/lua/base/errata_spec.lua", path, name) end
      end
      ::continue::
    end
  end
  for name in pairs(tested) do
    if not marked[name] then say("tests/lua/base/errata_spec.lua: the test '%s' has no mark", name) end
  end
  table.sort(wrong)
  return wrong, marked
end

-- Tests of `problems` itself.
local M = "paper errs" .. ": "
local function found(text, spec, path)
  local wrong = problems({[path or "kernels/a/b.h"] = text}, spec)
  return wrong[1] or ""
end
assert(found("/* " .. M .. "001, line 4: x. */", 'it("001, line 4: y", f)') == "")
assert(found("/* " .. M .. "001, line 4: x. */", 'it("001, line 5: y", f)'):find "no test")
assert(found("", 'it("001, line 5: y", f)'):find "no mark")
assert(found("/* " .. M .. "line 4 is wrong. */", ""):find "expected 'paper errs")
assert(found("/* " .. M .. "001, line 4: x. */", 'it("001, line 4: y", f)', "src/a.c"):find "does not see")

local texts = {}
for _, folder in ipairs {"kernels", "lua", "src", "samples"} do
  for _, path in ipairs(csource.files(root, folder, {c = true, h = true, def = true, cuh = true, cu = true, lua = true})) do
    texts[path] = csource.read(root .. "/" .. path)
  end
end
texts["src/repl/help/errata.c"] = nil -- this file reads the marks
texts["lua/help/topics_papers.lua"] = nil -- this page describes the marks
local wrong, marked = problems(texts, csource.read(root .. "/tests/lua/base/errata_spec.lua"))
for _, line in ipairs(wrong) do print(line) end
assert(next(marked), "no marks found")
os.exit(#wrong == 0 and 0 or 1)
