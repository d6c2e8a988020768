-- Models whose state spaces are as large as one likes: NAME(k) is the text of a model in the DVE language. About the
-- number of states: philosophers(k) 3.3^k, clients(k) 6^k and less, counters(k) k^6, bakery(k) k^3 and more, pipeline(k) 5^k.
local models = {}

local function repeated(n, f)
  local t = {}
  for i = 0, n - 1 do t[#t + 1] = f(i) end
  return table.concat(t)
end

function models.philosophers(k)
  return ("byte fork[%d];\n"):format(k) .. repeated(k, function(i)
    local l, r = i, (i + 1) % k
    return ([[process phil_%d { state think, one, eat, sated; init think; trans
      think -> one { guard fork[%d] == 0; effect fork[%d] = 1; cost 2; }, one -> eat { guard fork[%d] == 0; effect fork[%d] = 1; cost 5; },
      eat -> sated { effect fork[%d] = 0; }, sated -> think { effect fork[%d] = 0; }; }
    ]]):format(i, l, l, r, r, l, r)
  end) .. "system async;"
end

--- Clients of one server, each of which works between its requests: what is the worst load that they can keep up?
function models.clients(k)
  return "channel take, give; process server { state free, busy; init free; trans free -> busy { sync take?; cost 1; }, " ..
    "busy -> free { sync give?; cost 1; }; }\n" .. repeated(k, function(i)
    return ([[process client_%d { state a, b, c, d, e, f; init a; trans a -> b { cost %d; time 3; }, b -> c { sync take!; time 2; },
      c -> d { cost 7; }, d -> e { sync give!; cost 1; }, e -> f { cost 2; time 5; }, f -> a {}; }
    ]]):format(i, i)
  end) .. "system async;"
end

function models.counters(k)
  return "byte x[6]; process P { state q; init q; trans " .. repeated(6, function(i)
    return ("%s q -> q { guard x[%d] < %d; effect x[%d] = x[%d] + 1; }"):format(i > 0 and "," or "", i, k - 1, i, i)
  end) .. "; } system async;"
end

function models.bakery(k)
  return "byte choosing[3]; byte number[3];\n" .. repeated(3, function(i)
    return (([[process P_@ { byte j, max; state NCS, choose, for_loop, wait, CS; init NCS; trans
      NCS -> choose { effect choosing[@] = 1, j = 0, max = 0; },
      choose -> choose { guard j < 3 and number[j] > max; effect max = number[j], j = j + 1; },
      choose -> choose { guard j < 3 and number[j] <= max; effect j = j + 1; },
      choose -> for_loop { guard j == 3 and max < MOST; effect number[@] = max + 1, j = 0, choosing[@] = 0; },
      for_loop -> wait { guard j < 3 and choosing[j] == 0; },
      wait -> for_loop { guard number[j] == 0 or (number[j] > number[@]) or (number[j] == number[@] and @ <= j); effect j = j + 1; },
      for_loop -> CS { guard j == 3; }, CS -> NCS { effect number[@] = 0; }; }
    ]]):gsub("@", tostring(i)):gsub("MOST", tostring(k)))
  end) .. "system async;"
end

function models.pipeline(k)
  return "channel {byte} " .. repeated(k, function(i) return ("%sc%d[2]"):format(i > 0 and ", " or "", i) end) ..
    "; process source { byte n; state s; init s; trans s -> s { sync c0!n; effect n = (n + 1) % 2; }; }\n" .. repeated(k - 1, function(i)
    return ("process stage_%d { byte v; state e, f; init e; trans e -> f { sync c%d?v; }, f -> e { sync c%d!v; effect v = 0; }; }\n"):format(i, i, i + 1)
  end) .. ("process sink { byte v; state s; init s; trans s -> s { sync c%d?v; effect v = 0; }; } system async;"):format(k - 1)
end

--- The model of that name and size, read.
function models.load(name, k)
  local path = os.tmpname()
  os.remove(path)
  path = path .. ".dve"
  local file = assert(io.open(path, "w"))
  file:write(models[name](k))
  file:close()
  local m = model.load(path)
  os.remove(path)
  return m
end

return models
