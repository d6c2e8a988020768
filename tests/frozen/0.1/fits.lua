-- Parameters and first values from data, in tables and in a file.
local m = model.from_text "x' = -k*x \n k = 1 \n x(0) = 4"
local t, x = {}, {}
for i = 0, 10 do t[i + 1], x[i + 1] = i * 0.2, 5 * math.exp(-0.7 * i * 0.2) end
local r = fit(m, {data = {time = t, x = x}, parameters = {k = {0.1, 10}, x = {1, 10}}, errors = {x = 0.1}})
assert(math.abs(r.parameters.k - 0.7) < 1e-4 and math.abs(r.parameters.x - 5) < 1e-4)
assert(r.errors.k > 0 and r.correlation.k.x and r.sum_of_squares < 1e-6 and #r.starts == 8 and r.ended == "converged" and check(r))
assert(#r:value "x" == 201 and #r:residuals "x" == 11)
r:plot("x", {file = "fit.csv"})
r:show()

local f = assert(io.open("x.csv", "w"))
f:write "time,x,x_sd\n0,5,0.1\n1,2.483,0.1\n2,1.233,0.1\n"
f:close()
assert(math.abs(fit(m, {data = "x.csv", parameters = {k = {0.1, 10}, x = {1, 10}}, starts = 2, seed = 3}).parameters.k - 0.7) < 0.01)
