-- Runs the Lua blocks of the section "From one kernel to a loop of three" of kernels/README.md, in order.
local place = arg[0]:match "^(.*)/[^/]*$" or "."
local file = assert(io.open(place .. "/../../kernels/README.md"))
local text = file:read "a"
file:close()
local page = assert(text:match "### From one kernel to a loop of three\n(.-)\n## ")

local function run_page()
  local count, scope = 0, setmetatable({}, {__index = _G})
  for block in page:gmatch "```lua\n(.-)```" do
    count = count + 1
    assert(load(block, "=page", "t", scope))()
  end
  return count, scope
end

it("runs as it is written", function() equal((run_page()), 4) end)

it("has no races but those that are meant", function()
  kernel.races("on")
  local ok, why = pcall(run_page)
  kernel.races("off")
  assert(ok, why)
end)

it("gives the same on one thread, in order", function()
  local _, one = run_page()
  local before = device().name
  device("cpu:1")
  local _, two = run_page()
  device(before)
  equal({one.members, one.role:totable()}, {two.members, two.role:totable()})
end)
