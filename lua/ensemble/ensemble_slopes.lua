-- The sensitivity equations of a model: for y' = f(t, y, p), the derivative s of y in a direction w of p obeys s' = (df/dy) s +
-- (df/dp) w (the forward method: Dickinson and Gelinas 1976). They are derived on the expression trees, once for all directions: w
-- is one of the values of an instance, and there is one instance per parameter.

local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_run = import "ensemble/ensemble_run"
local symbolic = import "ode/symbolic"
local ensemble_slopes = {}

-- A copy of the list or table.
local function copy(t)
  local out = {}
  for k, x in pairs(t) do out[k] = x end
  return out
end

-- ensemble_slopes.with_slopes(e): the equations e (from ensemble_kernels.parts), extended by those of the derivatives in a direction.
-- Instances have 2n values of y, the states and then their derivatives, and 2q of p, the parameters and then the direction.
-- slope_of(place) returns the place of the derivative of a variable; shift_of(t) the tree of the derivative, in that direction, of the
-- time at which the relation t changes.
function ensemble_slopes.with_slopes(e)
  local a = copy(e)
  for _, key in ipairs {"place_of", "functions", "tree", "rates", "at"} do a[key] = copy(e[key]) end
  local slope = {} -- place -> the tree of its derivative in the direction
  local function new(name, k)
    local place = a.next
    a.next = place + 1
    if name then a.place_of[place] = {name, k} end
    return place
  end
  for k, place in ipairs(e.at) do
    local own = new("y", e.n + k - 1)
    a.at[e.n + k], slope[place] = own, {"VARIABLE", own}
  end
  for place, at in pairs(e.place_of) do
    if at[1] == "p" then slope[place] = {"VARIABLE", new("p", e.q + at[2])} end
  end
  local function add(tree)
    local place = new()
    a.functions[#a.functions + 1], a.tree[place] = {place, tree}, tree
    return {"VARIABLE", place}
  end
  local function of(place)
    if slope[place] == nil then
      local tree = a.tree[place] and symbolic.derivative(a.tree[place], of) or 0
      slope[place] = type(tree) == "table" and add(tree) or tree
    end
    return slope[place]
  end
  for k, place in ipairs(e.at) do a.rates[a.at[e.n + k]] = symbolic.derivative(e.rates[place] or 0, of) end
  function a.slope_of(place)
    local tree = of(place)
    if type(tree) ~= "table" then
      tree = add(tree)
      slope[place] = tree
    end
    return tree[2]
  end
  local rate = {} -- place -> the tree of its derivative by time
  local function in_time(place)
    if rate[place] == nil then
      local at = e.place_of[place]
      local tree = place == e.time and 1 or at and at[1] == "y" and (e.rates[place] or 0) or
        a.tree[place] and symbolic.derivative(a.tree[place], in_time) or 0
      rate[place] = type(tree) == "table" and add(tree) or tree
    end
    return rate[place]
  end
  function a.shift_of(t)
    local gap = {"MINUS", t[2], t[3]}
    return {"DIVIDE", {"NEGATE", symbolic.derivative(gap, of)}, symbolic.derivative(gap, in_time)}
  end
  a.n, a.q = 2 * e.n, 2 * e.q
  return a
end

local function filled(count, x)
  local b = buffer.new("f64", count)
  fill(b, x)
  return b
end

-- The derivatives of all initial values by a variable with the value x, by a central difference of sixth order; first(x) returns the
-- initial values for x.
local function slopes_of_first(first, x, size, n)
  local h, out = 1e-3 * size, {}
  for i = 1, n do out[i] = 0 end
  for k, weight in pairs {[1] = 45, [2] = -9, [3] = 1} do
    local up <close> = first(x + k * h)
    local down <close> = first(x - k * h)
    for i = 1, n do out[i] = out[i] + weight * (up[i - 1] - down[i - 1]) / (60 * h) end
  end
  return out
end

-- ensemble_slopes.begin_slopes(m, o): as ensemble_run.begin, for derivatives by the variables whose numbers are in the list o.by. The
-- run has one instance for each pair of an instance i (from 0) and a variable o.by[j]: number i * #o.by + j - 1. Its derivatives are
-- scaled by the magnitude of the variable, or by 1 if that is 0. The columns are the variables o.numbers, followed by their derivatives.
-- Returns the run; run.sizes[j][i + 1] are the scales.
function ensemble_slopes.begin_slopes(m, o)
  local by, count = o.by, o.count
  local first <close> = m:first(o.start)
  local values, of, sizes = {}, {}, {}
  for i, b in pairs(o.values) do of[i] = b end
  for _, i in ipairs(by) do
    of[i] = of[i] or filled(count, first[i - 1])
  end
  for i, b in pairs(of) do
    local wide = buffer.new("f64", count * #by)
    for c = 0, count - 1 do
      for j = 0, #by - 1 do wide[c * #by + j] = b[c] end
    end
    values[i] = wide
  end
  local run = ensemble_run.begin(m, {values = values, count = count * #by, start = o.start, method = o.method, rtol = o.rtol, atol = o.atol,
    attempts = o.attempts, rows = o.rows, parts = ensemble_slopes.with_slopes, columns = function(e)
      local columns = ensemble_options.places(e, o.numbers)
      for k = 1, #o.numbers do columns[#o.numbers + k] = e.slope_of(columns[k]) end
      return columns
    end})
  local e, all = run.e, run.count
  local n, q = e.n // 2, e.q // 2
  local place = {}
  for k, i in ipairs(e.parameters) do place[i] = {run.s.p, q + k - 1} end
  for k, i in ipairs(e.states) do place[i] = {run.s.y, n + k - 1} end
  for j, number in ipairs(by) do
    sizes[j] = {}
    for c = 0, count - 1 do
      local x, at = of[number][c], c * #by + j - 1
      local size = x ~= 0 and math.abs(x) or 1.0
      sizes[j][c + 1] = size
      place[number][1][place[number][2] * all + at] = size
      if #run.following > 0 then
        local given = {}
        for i, b in pairs(of) do given[i] = b[c] end
        local slope = slopes_of_first(function(y)
          given[number] = y
          return m:first(o.start, given)
        end, x, size, m.variables)
        for _, i in ipairs(run.following) do
          local to = place[i]
          if to then to[1][to[2] * all + at] = slope[i] * size end
        end
      end
    end
  end
  run.sizes, run.by, run.numbers, run.own = sizes, by, o.numbers, count
  return run
end

return ensemble_slopes
