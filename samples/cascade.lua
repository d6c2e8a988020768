-- A switch made of enzymes: Goldbeter and Koshland 1981. Two enzymes move a protein between two forms, S and P; if
-- both are saturated, slightly more of the first enzyme turns nearly all of the protein into P. One model, many runs at once: the
-- steady state of the switch, the constants that matter for it, and a fit of the constants to measurements. From the command line:
-- lockstep samples/cascade.lua

local switch = model.from_text [[
title A switch of two enzymes
v1 = 1      # the most that each enzyme can move
v2 = 1
k1 = 0.05   # how much of the protein half saturates it
k2 = 0.05
forth = v1*S/(k1 + S)
back = v2*P/(k2 + P)
S' = back - forth
P' = forth - back
S(0) = 1
P(0) = 0
]]

print("At rest, by how strong the first enzyme is (the second is 1):")
local strengths = {0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2}
local rest = steady(switch, {sweep = {v1 = strengths}})
assert(check(rest))
print(("  conserved: %s"):format(rest.conserved[1].text))
for i, v1 in ipairs(strengths) do
  local part = rest.P[i - 1]
  print(("  %5.2f  %6.4f  %s"):format(v1, part, ("#"):rep(math.floor(50 * part + 0.5))))
end

print "\nAt 1: the change of P in percent if a constant changes by one percent, at time 1 and at rest:"
local s = sensitivities(switch, {times = {1, 100}, variables = {"P"}})
assert(check(s))
for _, name in ipairs(s.by) do
  local x = s:relative("P", name)
  print(("  %-3s %8.3f %8.3f"):format(name, x[1], x[2]))
end

print "\nIf all four are known to a tenth, which of them makes P at rest uncertain?"
local within = {}
for _, name in ipairs(s.by) do
  local x = switch:parameters()[name]
  within[name] = uniform(0.9 * x, 1.1 * x)
end
local parts = sobol(switch, {of = "P", sample = within, stop = 200, points = 512})
assert(check(parts))
print(parts)

print "\nTwenty measurements of P, each right to 0.02: how strong are the enzymes?"
local random = ensemble.random(11)
local curve, data = simulate(switch, {stop = 8, steps = 20, variables = {"P"}}), {time = {}, P = {}}
for i = 1, 20 do
  local noise = math.sqrt(-2 * math.log(1 - random())) * math.cos(2 * math.pi * random())
  data.time[i], data.P[i] = curve.t[i], curve.P[i] + 0.02 * noise
end
local found = fit(switch, {data = data, errors = {P = 0.02}, parameters = {v1 = {0.1, 10}, v2 = {0.1, 10}}})
assert(check(found))
print(found)
return {rest = rest, parts = parts, found = found}
