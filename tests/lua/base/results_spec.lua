-- A short run of tests/fuzz/results.lua, which describes the mutations of results and how they are judged.
local folder = arg[0]:match("^(.*)/") or "."

for seed = 1, 3 do
  it("no wrong result is accepted, no other word is said, seed " .. seed, function()
    local lines = {}
    local function note(text) lines[#lines + 1] = text end
    local env = setmetatable({arg = {"400", tostring(seed)}, print = note, io = {write = note}, os = {exit = function() end}}, {__index = _G})
    assert(loadfile(folder .. "/../fuzz/results.lua", "t", env))()
    local refused = tonumber(lines[#lines]:match("^400 mutated results: (%d+) refused, %d+ accepted and judged right, 0 findings$"))
    if not refused then error(table.concat(lines, "\n"), 0) end
    assert(refused > 200, "hardly any was wrong")
  end)
end
