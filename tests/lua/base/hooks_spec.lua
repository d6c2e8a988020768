-- A hook may raise an error at any call or return, as Ctrl-C does: nothing must be freed twice, and nothing must leak.
local MOST = 5000

-- Calls make() repeatedly, with an error at its first call or return, then at the second, and so on until there are no more.
local function errors_everywhere(make)
  for n = 1, MOST do
    local left = n
    local function hook()
      left = left - 1
      if left > 0 then return end
      debug.sethook()
      error("hooked", 0)
    end
    local ok, why = pcall(function()
      debug.sethook(hook, "cr")
      make()
      debug.sethook()
    end)
    collectgarbage()
    if ok then return n end
    assert(tostring(why):find "hooked$", why)
  end
  error("it has more events than that")
end

describe("an error from a hook", function()
  local g = gen.ring {n = 5}
  local s = state.scc(g)
  local makers = {
    ["a new graph"] = function() return gen.ring {n = 5} end,
    ["a reversed graph"] = function() return g:reverse() end,
    ["a state's graph"] = function() return s.graph end,
    ["a state's buffer"] = function() return s.comp end,
    ["a new buffer"] = function() return buffer.new("u32", 7) end,
    ["a new state"] = function() return state.scc(g) end,
    ["a result"] = function() return scc.forward_backward(g).id end,
  }
  for name, make in pairs(makers) do
    it(name, function()
      assert(errors_everywhere(make) > 2, "no error came: the test tests nothing")
      equal(g.n, 5)
      equal(s.graph.n, 5)
    end)
  end
end)
