-- The scripts that rebuild tables and figures of papers about shortest paths run, on small sizes, and print what they promise.
local root = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../.."

-- What the script prints.
local function printed(script, ...)
  local lines, before_print, before_arg = {}, print, arg
  print = function(...)
    local words = table.pack(...)
    for i = 1, words.n do words[i] = tostring(words[i]) end
    lines[#lines + 1] = table.concat(words, "\t", 1, words.n)
  end
  arg = {[0] = ("%s/scripts/%s"):format(root, script), ...}
  local good, why = pcall(dofile, arg[0])
  print, arg = before_print, before_arg
  if not good then error(why, 2) end
  return table.concat(lines, "\n")
end

local function says(text, ...)
  for _, piece in ipairs {...} do assert(text:find(piece, 1, true), ("'%s' is missing in\n%s"):format(piece, text)) end
end

it("delta-stepping.lua: figures 1 and 2 of Lesnikov and Chernoskutov", function()
  local text = printed("paper/delta-stepping.lua", "8", "9", "2", "1")
  says(text, "scale 8: 256 vertices, 8192 edges, 2 sources", "scale 9", "figure 1, on the CPU", "figure 2 (a)", "figure 2 (b)",
    "best delta by scale", "the paper (Xeon")
  assert(not text:find "nan" and not text:find " inf", text)
end)
it("johnson.lua: the schemes of Pogorilyy and Slynko", function()
  local text = printed("paper/johnson.lua", "128", "4")
  says(text, "inner loop", "outer loop", "Bellman-Ford", "near-far", "threshold (width 0)", "the best is")
  assert(text:find "\n +128 +512 ")
end)
it("many-sources.lua: chapter 3 of Okuyama's thesis", function()
  local text = printed("paper/many-sources.lua", "0", "64")
  says(text, "figures 3.10, 3.11 and 3.14", "figure 3.12: |V| = 64", "figure 3.13", "table 3.1: |V| = 64", "power law", "5730",
    "where Floyd-Warshall passes many sources")
end)
it("sssp-sizes.lua: time and memory, up to what does not fit", function()
  says(printed("measure/sssp-sizes.lua", "6", "7", "4"), "    6          64          256 ", "    7         128          512 ")
  says(printed("measure/sssp-sizes.lua", "31", "31", "16"), "   31 does not fit: ", "is not between 0 and 2^32 - 1 edges")
end)
