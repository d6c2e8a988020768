-- help knows every word of the kernel language: macros, atomics, domains and contracts of kernels/language, and the words
-- in the first column of the tables of kernels/README.md.

local here = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../.."

local function text_of(path)
  local f <close> = assert(io.open(path))
  return f:read("a")
end

local function words()
  local found = {}
  for _, file in ipairs{"kernel.h", "atomics.h"} do
    local text = text_of(("%s/kernels/language/%s"):format(here, file))
    for word in text:gmatch("#%s*define%s+([%a_][%w_]*)") do
      if not word:find("^LS_") and not word:find("_H$") then found[word] = file end
    end
    for word in text:gmatch("LS_ATOMIC%s+[%w_]+%s+([%l_]+)%(") do
      if not word:find("^_") and word ~= "name" then found[word] = file end
    end
  end
  for word in text_of(here .. "/kernels/language/domains.def"):gmatch("\nDOMAIN%(([%w_]+)") do found[word] = "domains.def" end
  for word in text_of(here .. "/kernels/language/contracts.def"):gmatch("\nCONTRACT%(([%w_]+)") do found[word] = "contracts.def" end
  for row in text_of(here .. "/kernels/README.md"):gmatch("\n|([^|\n]+)|") do
    for word in row:gmatch("`([%u_][%u_%d]+)[`%(]") do
      if word ~= "FAMILY" and word ~= "NAME" then found[word] = "README.md" end
    end
  end
  return found
end

it("help knows every word of the kernel language", function()
  local count, missing = 0, {}
  for word, file in pairs(words()) do
    count = count + 1
    if not pcall(help, word) then missing[#missing + 1] = word .. " (" .. file .. ")" end
  end
  table.sort(missing)
  equal(count > 70, true)
  equal(missing, {})
end)
