-- Models with state spaces of any size: models.NAME(k) is the text of a model in the DVE language. Approximate
-- numbers of states: philosophers(k) 3.3^k, clients(k) at most 6^k, counters(k) k^6, bakery(k) at least k^3, pipeline(k) 5^k,
-- hanoi(k) 3^k in 2^k levels, lift(k) 2.4^k, fischer(k) 6.5^k, lamport(k) at most 36^(k - 1), sums(k) 21 k^2.
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

--- Clients of one server, which work between their requests: what is the worst load that they can sustain?
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

--- Discs on three pegs. Place 0 of a peg is below all discs.
function models.hanoi(k)
  local out = {}
  for _, peg in ipairs {"a", "b", "c"} do
    out[#out + 1] = ("byte %s[%d] = {%d%s}, n%s = %d;\n"):format(peg, k + 1, k + 1,
      repeated(k, function(i) return ", " .. (peg == "a" and k - i or 0) end), peg, peg == "a" and k or 0)
    out[#out] = out[#out]:gsub("}, n", "}; byte n")
  end
  for from, to in ("ab ac ba bc ca cb"):gmatch "(%a)(%a)" do
    out[#out + 1] = ([[process F_T { state q; init q; trans q -> q { guard F[nF] < T[nT];
      effect T[nT + 1] = F[nF], nT = nT + 1, F[nF] = 0, nF = nF - 1; }; }
    ]]):gsub("[FT]", {F = from, T = to})
  end
  return table.concat(out) .. "system async;"
end

--- A lift between k floors, which goes up and down to the floors that call it.
function models.lift(k)
  return ("byte calls[%d]; int goal, at; byte busy;\n"):format(k) .. [[process cabin { state idle, moves, open; init idle; trans
      idle -> moves { guard busy == 1; }, moves -> open { guard at == goal; }, moves -> moves { guard goal < at; effect at = at - 1; },
      moves -> moves { guard goal > at; effect at = at + 1; }, open -> idle { effect calls[at] = 0, busy = 0; }; }
    process people { state q; init q; trans ]] .. repeated(k, function(i)
      return ("%sq -> q { guard calls[%d] == 0; effect calls[%d] = 1; }"):format(i > 0 and ", " or "", i, i)
    end) .. ([[; }
    process control { byte down; state waits, looks, found; init waits; trans waits -> looks { guard busy == 0; effect goal = goal + 1 - 2 * down; },
      looks -> waits { guard goal < 0 or goal == K; effect down = 1 - down; }, looks -> found { guard goal >= 0 and goal < K and calls[goal] == 1; },
      looks -> looks { guard goal >= 0 and goal < K and calls[goal] == 0; effect goal = goal + 1 - 2 * down; }, found -> waits { effect busy = 1; }; }
    ]]):gsub("K", tostring(k)) .. "system async;"
end

--- Fischer's mutual exclusion in discrete time; a clock with the value 255 is off.
function models.fischer(k)
  local ticks = repeated(k, function(i)
    return ("%st[%d] = (t[%d] - 1) | ((t[%d] == 255) * 255)"):format(i > 0 and ", " or "", i, i, i)
  end)
  local running = repeated(k, function(i) return ("%st[%d] != 0"):format(i > 0 and " and " or "", i) end)
  return ("byte id; byte t[%d] = {255%s};\nprocess time_ { state q; init q; trans q -> q { guard %s; effect %s; }; }\n"):format(k,
    (", 255"):rep(k - 1), running, ticks) .. repeated(k, function(i)
    return ([[process P_I { state out, try, wait, inside; init out; trans out -> try { guard id == 0; effect t[I] = 2; },
      try -> wait { effect t[I] = 3, id = I + 1; }, wait -> wait { guard t[I] == 0; effect t[I] = 255; },
      wait -> inside { guard t[I] == 255 and id == I + 1; }, wait -> out { guard id != I + 1 and t[I] == 255; }, inside -> out { effect id = 0; }; }
    ]]):gsub("%f[%w]I%f[%W]", tostring(i)):gsub("P_I", "P_" .. i)
  end) .. "system async;"
end

--- Lamport's fast mutual exclusion of 1987; in x and y, 255 means "no process".
function models.lamport(k)
  return ("byte b[%d]; byte x = 255; byte y = 255;\n"):format(k) .. repeated(k, function(i)
    return ([[process P_I { byte j; state out, s1, s2, s3, s4, s5, s6, s7, back, inside, leave; init out; trans
      out -> s1 { effect b[I] = 1; }, s1 -> s2 { effect x = I; }, s2 -> back { guard y != 255; effect b[I] = 0; }, back -> out { guard y == 255; },
      s2 -> s3 { guard y == 255; }, s3 -> s4 { effect y = I; }, s4 -> inside { guard x == I; }, s4 -> s5 { guard x != I; effect b[I] = 0, j = 0; },
      s5 -> s5 { guard j < K and b[j] == 0; effect j = j + 1; }, s5 -> s6 { guard j == K; }, s6 -> inside { guard y == I; },
      s6 -> out { guard y == 255; }, inside -> leave { effect y = 255; }, leave -> out { effect b[I] = 0; }; }
    ]]):gsub("%f[%w]I%f[%W]", tostring(i)):gsub("P_I", "P_" .. i):gsub("%f[%w]K%f[%W]", tostring(k))
  end) .. "system async;"
end

--- Two processes that read a number, double what they have read, and write it back.
function models.sums(k)
  return "int c = 1; int x[2];\n" .. repeated(2, function(i)
    return ([[process P_I { state a, b, d; init a; trans a -> b { guard c < K; effect x[I] = c; }, b -> d { effect x[I] = x[I] + c; },
      d -> a { effect c = x[I]; }; }
    ]]):gsub("%f[%w]I%f[%W]", tostring(i)):gsub("P_I", "P_" .. i):gsub("%f[%w]K%f[%W]", tostring(k))
  end) .. "system async;"
end

--- Ten models of 10^6 to 10^7 states.
models.ten = {{"philosophers", 14}, {"clients", 9}, {"counters", 13}, {"bakery", 60}, {"pipeline", 8}, {"hanoi", 13}, {"lift", 12}, {"fischer", 7},
  {"lamport", 4}, {"sums", 250}}

--- Loads the model of that name and size.
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
