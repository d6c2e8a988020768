-- Random reaction networks similar to models of systems biology: mass action, most reactions between neighbours, a few species in
-- many reactions, rate constants over six orders of magnitude. Every reaction except inflow and outflow conserves mass (a species
-- has mass 1, 2 or 3), so that nothing grows without bound.

local function generator(seed)
  local random = ensemble.random(seed)
  return random, function(n) return math.floor(random() * n) end
end

--- of(species, seed): the text of a network with that number of species, in which `scale` multiplies every rate constant of the reactions.
return function(species, seed)
  local random, below = generator(seed)
  local function between(low, high) return low * (high / low) ^ random() end
  local mass, hubs, lines, rates = {}, math.max(1, species // 60), {"scale = 1"}, {}
  for s = 1, species do mass[s], rates[s] = 1 + below(3), {} end
  local function one(near, wanted) -- a species near `near` whose mass satisfies `wanted`
    for _ = 1, 200 do
      local s = random() < 0.08 and 1 + below(hubs) or (near + below(9) - 4 - 1) % species + 1
      if wanted(mass[s]) then return s end
    end
  end
  local reactions = 0
  local function react(from, to, rate)
    reactions = reactions + 1
    local text, name = {("%.6g*scale"):format(rate)}, ("v%d"):format(reactions)
    for _, s in ipairs(from) do text[#text + 1] = ("s%d"):format(s) end
    lines[#lines + 1] = name .. " = " .. table.concat(text, "*")
    for _, s in ipairs(from) do table.insert(rates[s], " - " .. name) end
    for _, s in ipairs(to) do table.insert(rates[s], " + " .. name) end
  end
  for k = 1, species + species // 3 do
    local a = k <= species and k or 1 + below(species)
    local from, to = {a}, nil
    if random() < 0.45 then from[2] = one(a, function() return true end) end
    local all = mass[a] + (from[2] and mass[from[2]] or 0)
    if all <= 3 and random() < 0.6 then
      to = {one(a, function(m) return m == all end)}
    elseif all > 1 then
      local b = one(a, function(m) return m < all and all - m <= 3 end)
      to = b and {b, one(a, function(m) return m == all - mass[b] end)}
      if to and not to[2] then to = nil end
    else
      to = {one(a, function(m) return m == all end)}
    end
    local again = false -- no autocatalysis, because at 0 only rounding would decide whether such a species starts to grow
    for _, s in ipairs(to or {}) do again = again or s == from[1] or s == from[2] end
    if to and to[1] and not again then
      react(from, to, between(1e-3, 1e3))
      if random() < 0.35 then react(to, from, between(1e-3, 1e3)) end
    end
  end
  for s = 1, species do
    if random() < 0.1 then table.insert(rates[s], (" + %.6g - %.6g*s%d"):format(between(1e-3, 1), between(1e-2, 10), s)) end
  end
  for s = 1, species do
    lines[#lines + 1] = ("s%d' = 0%s"):format(s, table.concat(rates[s]))
    lines[#lines + 1] = ("s%d(0) = %s"):format(s, ("%.6g"):format(random() < 0.4 and between(1e-4, 1e-2) or between(0.1, 10)))
  end
  return table.concat(lines, "\n")
end
