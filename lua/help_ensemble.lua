-- What help says of many instances of a model at once (lua/ensemble.lua).

--- The mean of a variable over the instances that have not failed: f64[rows].
--: ensemble:mean(name)

--- The standard deviation of a variable over the instances that have not failed: f64[rows].
--: ensemble:deviation(name)

--- For each number q from 0 to 1 an f64[rows]: the value that a fraction q of the instances is below, interpolated between
--- two instances.
---   low, middle, high = r:quantile("V", 0.05, 0.5, 0.95)
--: ensemble:quantile(name, q, ...)

--- How many instances are in each of some bins of equal width, at a row from 0 (the last one, if it is left out).
--: ensemble:histogram(name, bins [, row])

--- What instance i was given, a table by name.
--: ensemble:instance(i)

--- plot draws the median of a variable and its quantiles of 5 and 95 %; with keep = false the quantiles that were kept, and
--- the mean. Options as for plot{}.
---   r:plot("V", {file = "V.svg"})
--: ensemble:plot([name] [, {file =, log =, ...}])

--- Writes the values of the variables named, of all if none is, as .csv or .npy: a column for each instance of each variable
--- (V_0, V_1, ...).
---   r:save("V.csv", "V")
--- r.record has all of them, f64, variables x rows x instances: a matrix with a line for each row of each variable, in the order of
--- r.names. r.record:save("all.npy") writes it; in Python numpy.load("all.npy").reshape(variables, rows, -1) has three dimensions.
--: ensemble:save(path [, name, ...])

--- Writes what each instance was given, a line for each, as .csv or .npy.
---   r:save_parameters("given.csv")
--: ensemble:save_parameters(path)

--- The values of a variable: f64[rows], or of several instances a matrix, rows x instances.
--: sensitivities:value(name)

--- The derivative of a variable by a parameter, or by the first value of a state: f64[rows], or rows x instances. relative gives
--- it times the parameter, divided by the variable.
--: sensitivities:of(name, parameter)
--: sensitivities:relative(name, parameter)

--- Draws the derivatives of a variable by each parameter, times that parameter.
--: sensitivities:plot([name] [, {file =, log =, ...}])

--- Writes all derivatives, as .csv or .npy.
--: sensitivities:save(path)

--- What instance i was given, a table by name.
--: sensitivities:instance(i)

--- Draws both indices of each parameter.
--: sobol:plot([{file =, log =, ...}])

--- Draws sigma over mu*, a point for each parameter.
--: morris:plot([{file =, log =, ...}])

--- The fitted model's values of a column of the data, and their times: f64[201] each.
---   x, t = r:value "x"
--: fit:value(name)

--- (model - data)/deviation of each value of a column: an f64 buffer.
--: fit:residuals(name)

--- Draws the data of a column, and the model with the fitted parameters; options as for plot.
--: fit:plot([name] [, {file =, log =, ...}])

--- check(r), and prints what it found: the greatest rate, relative to its scale, and the greatest change of a conserved sum.
--: steady:check()

--- What instance i was given, a table by name.
--: steady:instance(i)

--- Draws a variable over the parameter that differs between the instances.
---   steady(m, {sweep = {k = range(0, 1, 50)}}):plot("x", "k")
--: steady:plot([name [, parameter]] [, {file =, log =, ...}])

--- Writes a line for each instance, as .csv or .npy: what it was given, then its values.
--: steady:save(path)

--- A list of count numbers at equal distances: the first is from, the last is to.
---   simulate(m, {sweep = {k = range(0, 1, 11)}, stop = 50})
--: range(from, to, count)

--- A list of count numbers from `from` to `to`, each the one before times the same factor.
--: logrange(from, to, count)

--- A distribution, of which simulate draws each instance's value: uniform from low to less than high.
---   simulate(m, {sample = {k = uniform(1, 2)}, instances = 1000, stop = 50})
--: uniform(low, high)

--- A distribution: normal, with that mean and standard deviation.
--: normal(mean, deviation)

--- A distribution: e to the power of a normal number with the mean mu and the standard deviation sigma. So mu and sigma are
--- of the logarithm: half of the values are below exp(mu).
--: lognormal(mu, sigma)
