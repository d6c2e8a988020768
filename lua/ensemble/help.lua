-- Help texts of simulations of many instances of a model (lua/ensemble/ensemble.lua), and of the analyses that use them.

--- The mean of a variable over the instances that have not failed: f64[rows].
--: ensemble:mean(name)

--- The standard deviation of a variable over the instances that have not failed: f64[rows].
--: ensemble:deviation(name)

--- Quantiles: for each number q from 0 to 1 an f64[rows], below which a fraction q of the instances lies, interpolated between
--- two instances.
---   low, middle, high = r:quantile("V", 0.05, 0.5, 0.95)
--: ensemble:quantile(name, q, ...)

--- How many instances are in each of `bins` bins of equal width, at a row from 0 on (default: the last one).
--: ensemble:histogram(name, bins [, row])

--- The parameters of instance i, a table by name.
--: ensemble:instance(i)

--- Draws the median of a variable and its quantiles of 5 and 95 %; if the simulation had keep = false, the mean and the
--- quantiles that were computed instead. Options as for plot{}.
---   r:plot("V", {file = "V.svg"})
--: ensemble:plot([name] [, {file =, log =, ...}])

--- Writes the values of the named variables, or of all, as .csv or .npy: a column for each instance of each variable
--- (V_0, V_1, ...).
---   r:save("V.csv", "V")
--- r.record is an f64 matrix of all values, with a column for each instance: first the rows of the first variable of r.names, then
--- those of the second, and so on. r.record:save("all.npy") writes it; in Python, numpy.load("all.npy").reshape(variables, rows, -1)
--- is an array of variables x rows x instances.
--: ensemble:save(path [, name, ...])

--- Writes the parameters of each instance, one line per instance, as .csv or .npy.
---   r:save_parameters("given.csv")
--: ensemble:save_parameters(path)

--- The values of a variable: f64[rows], or for several instances a matrix, rows x instances.
--: sensitivities:value(name)

--- The derivative of a variable with respect to a parameter, or to the initial value of a state: f64[rows], or rows x instances.
--- relative multiplies it by the parameter and divides it by the variable.
--: sensitivities:of(name, parameter)
--: sensitivities:relative(name, parameter)

--- Draws the derivatives of a variable with respect to each parameter, multiplied by that parameter.
--: sensitivities:plot([name] [, {file =, log =, ...}])

--- Writes all derivatives, as .csv or .npy.
--: sensitivities:save(path)

--- The parameters of instance i, a table by name.
--: sensitivities:instance(i)

--- Draws the first-order index and the total index of each parameter.
--: sobol:plot([{file =, log =, ...}])

--- Draws sigma against mu*, a point for each parameter.
--: morris:plot([{file =, log =, ...}])

--- Two f64 buffers of 201 elements: the values of the fitted model for the column `name` of the data, and their times.
---   x, t = r:value "x"
--: fit:value(name)

--- (model - data)/deviation of each value of a column: an f64 buffer.
--: fit:residuals(name)

--- Draws the data of a column, and the model with the fitted parameters; options as for plot.
--: fit:plot([name] [, {file =, log =, ...}])

--- Runs check(r), and prints the greatest rate, divided by its scale (?steady defines it), and the greatest change of a conserved sum.
--: steady:check()

--- The parameters of instance i, a table by name.
--: steady:instance(i)

--- Draws a variable over the parameter that differs between the instances.
---   steady(m, {sweep = {k = range(0, 1, 50)}}):plot("x", "k")
--: steady:plot([name [, parameter]] [, {file =, log =, ...}])

--- Writes a line for each instance, as .csv or .npy: its parameters, then its values.
--: steady:save(path)

--- A list of `count` equally spaced numbers from `from` to `to`, both included.
---   simulate(m, {sweep = {k = range(0, 1, 11)}, stop = 50})
--: range(from, to, count)

--- A list of `count` numbers from `from` to `to`, both included, with a constant ratio from each to the next.
--: logrange(from, to, count)

--- A uniform distribution from low to below high, from which simulate draws each instance's value.
---   simulate(m, {sample = {k = uniform(1, 2)}, instances = 1000, stop = 50})
--: uniform(low, high)

--- A normal distribution with the given mean and standard deviation.
--: normal(mean, deviation)

--- A lognormal distribution: mu and sigma are the mean and the standard deviation of the logarithm of a value. So half of the
--- values are below exp(mu).
--: lognormal(mu, sigma)
