-- Standard stiff problems (Hairer and Wanner 1996, IV.10; Test Set for IVP Solvers, Mazzia and Magherini 2008). A list of {name, text,
-- stop, atol, solution}: atol(rtol) is the absolute tolerance; `solution` is the solution at time `stop` as the Test Set publishes it;
-- mild = true: an explicit method also finishes.
return {
  {name = "Robertson", stop = 1e11, atol = function(rtol) return 1e-10 * rtol end, text = [[
x' = -0.04*x + 1e4*y*z
y' = 0.04*x - 1e4*y*z - 3e7*y^2
z' = 3e7*y^2
x(0) = 1
y(0) = 0
z(0) = 0
k = 1
]], solution = {x = 0.2083340149701255e-07, y = 0.8333360770334713e-13, z = 0.9999999791665050}},
  {name = "HIRES", mild = true, stop = 321.8122, atol = function(rtol) return 1e-4 * rtol end, text = [[
y1' = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007
y2' = 1.71*y1 - 8.75*y2
y3' = -10.03*y3 + 0.43*y4 + 0.035*y5
y4' = 8.32*y2 + 1.71*y3 - 1.12*y4
y5' = -1.745*y5 + 0.43*y6 + 0.43*y7
y6' = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7
y7' = 280*y6*y8 - 1.81*y7
y8' = -280*y6*y8 + 1.81*y7
y1(0) = 1
y2(0) = 0
y3(0) = 0
y4(0) = 0
y5(0) = 0
y6(0) = 0
y7(0) = 0
y8(0) = 0.0057
k = 1
]], solution = {y1 = 0.7371312573325668e-3, y2 = 0.1442485726316185e-3, y3 = 0.5888729740967575e-4, y4 = 0.1175651343283149e-2,
      y5 = 0.2386356198831331e-2, y6 = 0.6238968252742796e-2, y7 = 0.2849998395185769e-2, y8 = 0.2850001604814231e-2}},
  {name = "Van der Pol", stop = 2000, atol = function(rtol) return rtol end, text = [[
y' = z
z' = 1000*(1 - y^2)*z - y
y(0) = 2
z(0) = 0
k = 1
]], solution = {y = 0.1706167732170483e1, z = -0.8928097010247975e-3}},
  {name = "OREGO", stop = 360, atol = function(rtol) return 1e-6 * rtol end, text = [[
s = 77.27
w = 0.161
q = 8.375e-6
y1' = s*(y2 - y1*y2 + y1 - q*y1^2)
y2' = (-y2 - y1*y2 + y3)/s
y3' = w*(y1 - y3)
y1(0) = 1
y2(0) = 2
y3(0) = 3
]], solution = {y1 = 0.1000814870318523e1, y2 = 0.1228178521549917e4, y3 = 0.1320554942846706e3}},
  {name = "E5", stop = 1e13, atol = function() return 1.7e-24 end, text = [[
A = 7.89e-10
B = 1.1e7
C = 1.13e3
M = 1e6
y1' = -A*y1 - B*y1*y3
y2' = A*y1 - M*C*y2*y3
y3' = A*y1 - M*C*y2*y3 - (B*y1*y3 - C*y4)
y4' = B*y1*y3 - C*y4
y1(0) = 1.76e-3
y2(0) = 0
y3(0) = 0
y4(0) = 0
]], solution = {y1 = 0.1152903278711829e-290, y2 = 0.8867655517642120e-22, y3 = 0.8854814626268838e-22, y4 = 0}},
}
