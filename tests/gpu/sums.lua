-- Sums of many variables (Okuyama 2013, figure 5.10, Sum): microseconds of an Euler step by the interpreter, with each sum in one
-- thread and in parts, and the threads of each phase. LR-Ring has one sum of 80; the network has 100 sums of 99, as Wang's model has.
-- Usage: lockstep tests/gpu/sums.lua
trace.off()
local text, currents = {}, {}
for k = 1, 80 do currents[k] = ("g%d.left"):format(k) end
local ring = model.line {cells = 80, ring = true, stimulated = {1, 2, 3, 4}, more = "flow = " ..
  table.concat(currents, " + ") .. "\npulse = (c1.pulse + c2.pulse + c3.pulse + c4.pulse)/4\nbalance = flow + pulse"}
for i = 1, 100 do
  local terms = {}
  for k = 1, 99 do terms[k] = ("s%d"):format(k < i and k or k + 1) end
  text[i] = ("s%d = 1/(1 + exp(-v%d))\nin%d = 0.001*(v%d + 75)*(%s)\nv%d' = -in%d - v%d/20\nv%d(0) = %g"):format(i, i, i, i,
    table.concat(terms, " + "), i, i, i, i, -60 - i % 7)
end
for name, m in pairs {["LR-Ring"] = ring, network = model.from_text(table.concat(text, "\n"))} do
  for _, x in ipairs {{"one thread", false}, {"parts", true}} do
    for _, unify in ipairs {"warp", "phase"} do
      local b, best = m:bytecode {sum = x[2], unify = unify}, math.huge
      local function run(n) b:run {start = 0, stop = n * 0.01, intervals = 1, dt = 0.01, method = "euler", columns = {0}} end
      run(5000)
      for _ = 1, 5 do local t = trace.clock() run(20000) best = math.min(best, (trace.clock() - t) / 20000) end
      print(("%-8s %-10s unified per %-5s %8.2f us  %s"):format(name, x[1], unify, 1e6 * best, tostring(b):match "threads [^;]*"))
    end
  end
end
