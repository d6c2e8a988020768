-- Finds the sums that a model's equations conserve, such as A + B + C for reactions between A, B and C: weights w with w.f(y) = 0 for
-- the rates f at every y. If rates are sums of products, such as those of reactions, w must annihilate the coefficients of each
-- product (the stoichiometric matrix: Reder's conservation analysis, 1988). For any equations, w must annihilate the rates at many
-- random states.

local ensemble_writer = import "ensemble/ensemble_writer"
local symbolic = import "ode/symbolic"
local ensemble_conserved = {}

local PRECISION = 1e-14 -- a row, scaled to a greatest element of 1, depends on others if elimination leaves less than n times this

-- A basis of the vectors w with w.F = 0: Gaussian elimination of the rows of [F | identity] with full pivoting; where F's part of a row
-- vanishes, the other part annihilates F. rates: a list of the columns of F, each the rates of all n states.
local function annihilators(rates, n)
  local rows, scale = {}, {}
  for i = 1, n do
    local most = 0
    for _, f in ipairs(rates) do most = math.max(most, math.abs(f[i])) end
    scale[i] = most > 0 and 1 / most or 1
    local row = {}
    for k, f in ipairs(rates) do row[k] = f[i] * scale[i] end
    for k = 1, n do row[#rates + k] = k == i and 1.0 or 0.0 end
    rows[i] = row
  end
  local samples, left = #rates, n
  while left > 0 do
    local best, at, column = 0, nil, nil
    for r = 1, left do
      for k = 1, samples do
        local x = math.abs(rows[r][k])
        if x > best then best, at, column = x, r, k end
      end
    end
    if best < PRECISION * n then break end
    local pivot = rows[at]
    rows[at], rows[left] = rows[left], pivot
    left = left - 1
    for r = 1, left do
      local row = rows[r]
      local factor = row[column] / pivot[column]
      if factor ~= 0 then
        for k = 1, samples + n do row[k] = row[k] - factor * pivot[k] end
        row[column] = 0.0
      end
    end
  end
  local list = {}
  for r = 1, left do
    list[r] = {}
    for i = 1, n do list[r][i] = rows[r][samples + i] * scale[i] end
  end
  return list
end

-- The nearest fraction of small integers, if x differs from it only by rounding; else x.
local function rounded(x)
  for below = 1, 12 do
    local whole = math.floor(x * below + 0.5)
    if math.abs(x * below - whole) < 1e-8 and math.abs(whole) <= 1000 then return whole / below end
  end
  return x
end

-- ensemble_conserved.conserved(rates, n [, dependent]): the sums that are conserved, given the rates of n states at more than n points.
-- Returns a list of {weight of state 1, ...}, one item per sum; and a list that has, for each sum, a state that occurs in no other sum.
-- `dependent`, if given, is used as the list of these states; nil is returned if that is impossible.
function ensemble_conserved.conserved(rates, n, dependent)
  local list, chosen = annihilators(rates, n), {}
  if dependent and #dependent ~= #list then return nil end
  for r, weights in ipairs(list) do
    local at = dependent and dependent[r]
    if not at then
      for i = 1, n do
        if not at or math.abs(weights[i]) > math.abs(weights[at]) * (1 + 1e-9) then at = i end
      end
    end
    local pivot = weights[at]
    if math.abs(pivot) < 1e-9 then return nil end
    for i = 1, n do weights[i] = weights[i] / pivot end
    chosen[r] = at
    for other, more in ipairs(list) do
      local factor = other ~= r and more[at] or 0
      if factor ~= 0 then
        for i = 1, n do more[i] = more[i] - factor * weights[i] end
        more[at] = 0.0
      end
    end
  end
  for _, weights in ipairs(list) do
    local most = 0
    for i = 1, n do most = math.max(most, math.abs(weights[i])) end
    for i = 1, n do weights[i] = math.abs(weights[i]) < 1e-10 * most and 0.0 or rounded(weights[i]) end
  end
  return list, chosen
end

-- ensemble_conserved.annihilated(sums, rates): do the sums annihilate these rates up to rounding? If rates differ by many orders of
-- magnitude, ensemble_conserved.conserved may find more sums than there are; this test rejects them.
function ensemble_conserved.annihilated(sums, rates)
  for _, weights in ipairs(sums) do
    for _, f in ipairs(rates) do
      local total, size = 0, 0
      for i, w in ipairs(weights) do total, size = total + w * f[i], size + math.abs(w * f[i]) end
      if math.abs(total) > 1e-14 * size then return false end
    end
  end
  return true
end

-- --- from the equations ---

-- Expands a tree into a sum of products, {[product's text] = coefficient}. The place of a function stands for the
-- function's tree; known[place] caches the sum of products of that tree.
local function sum_of_products(e, tree, known)
  local function text(t) return symbolic.text(t, function(place) return "v" .. place end) end
  local function added(map, other, factor)
    for product, c in pairs(other) do map[product] = (map[product] or 0) + factor * c end
    return map
  end
  local function single(map) -- the product and its coefficient if there is only one; else nil
    local product, c = next(map)
    if product and not next(map, product) then return product, c end
  end
  local function of(t)
    if type(t) == "number" then return {[""] = t} end
    local op = t[1]
    if op == "VARIABLE" then
      local place = t[2]
      if not e.tree[place] then return {["v" .. place] = 1} end
      known[place] = known[place] or of(e.tree[place])
      return known[place]
    elseif op == "PLUS_NARY" then
      local map = {}
      for k = 2, #t do added(map, of(t[k]), 1) end
      return map
    elseif op == "MINUS" then return added(added({}, of(t[2]), 1), of(t[3]), -1)
    elseif op == "NEGATE" then return added({}, of(t[2]), -1)
    elseif op == "DIVIDE" then
      local over, map = of(t[3]), {}
      local below, c = single(over)
      if not below or c == 0 then return {[text(t)] = 1} end
      for product, x in pairs(of(t[2])) do map[below == "" and product or ("%s / (%s)"):format(product, below)] = x / c end
      return map
    elseif op == "TIMES_NARY" then
      local factors, coefficient, several = {}, 1, nil
      for k = 2, #t do
        local map = of(t[k])
        local product, c = single(map)
        if not product and several then return {[text(t)] = 1} end
        if not product then several = map else
          coefficient = coefficient * c
          if product ~= "" then factors[#factors + 1] = product end
        end
      end
      local map = {}
      for product, x in pairs(several or {[""] = 1}) do
        local list = table.move(factors, 1, #factors, 1, {})
        if product ~= "" then list[#list + 1] = product end
        table.sort(list)
        map[table.concat(list, " * ")] = coefficient * x
      end
      return map
    end
    return {[text(t)] = 1}
  end
  return of(tree)
end

-- ensemble_conserved.sums_of_equations(e): the sums that are conserved for all values of the parameters, derived from the equations:
-- rates are expanded into sums of products, and the weights of a sum annihilate the coefficients of each product. e: from
-- ensemble_kernels.parts. Returns the same two lists as ensemble_conserved.conserved.
function ensemble_conserved.sums_of_equations(e)
  local products, columns, known = {}, {}, {}
  for i, tree in ipairs(ensemble_writer.rate_trees(e)) do
    for product, c in pairs(sum_of_products(e, tree, known)) do
      if c - c ~= 0 then return {}, {} end
      if not products[product] then
        columns[#columns + 1] = {}
        for k = 1, e.n do columns[#columns][k] = 0.0 end
        products[product] = columns[#columns]
      end
      products[product][i] = products[product][i] + c
    end
  end
  return ensemble_conserved.conserved(columns, e.n)
end

-- ensemble_conserved.sum_text(weights, names): a sum as text, such as "A + 2*B - C".
function ensemble_conserved.sum_text(weights, names)
  local out = {}
  for i, w in ipairs(weights) do
    if w ~= 0 then
      local sign = w < 0 and (#out > 0 and " - " or "-") or #out > 0 and " + " or ""
      out[#out + 1] = sign .. (math.abs(w) == 1 and "" or ("%.6g*"):format(math.abs(w))) .. names[i]
    end
  end
  return table.concat(out)
end

return ensemble_conserved
