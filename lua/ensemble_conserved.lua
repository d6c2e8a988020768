-- Sums that a model's equations conserve, as A + B + C of reactions between A, B and C: weights w with w.f(y) = 0 for
-- the rates f at every y. They are what annihilates the rates at many states at random (for the stoichiometric matrix
-- this is Reder's conservation analysis, 1988; states at random need no matrix, and so any equations will do).

local PRECISION = 1e-12 -- what is left of a row, relative to what it was, when it is a sum of others

-- The rows of [F | 1] are eliminated, the greatest element of what is left as pivot. What stands beside rows that vanish
-- annihilates F. rates: a list of lists, a state's rates each.
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

-- A number that is a fraction of small whole numbers, up to roundings, as this fraction.
local function rounded(x)
  for below = 1, 12 do
    local whole = math.floor(x * below + 0.5)
    if math.abs(x * below - whole) < 1e-8 and math.abs(whole) <= 1000 then return whole / below end
  end
  return x
end

--- ensemble.conserved(rates, n [, dependent]): the sums that are conserved, given the rates of n states at more than n
--- points: a list of {weight of state 1, ...}; and a list of states, one a sum, of which no other sum has any. With
--- dependent, these are taken; nil if they will not do.
function ensemble.conserved(rates, n, dependent)
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

--- ensemble.sum_text(weights, names): a sum as a person writes it: A + 2*B - C.
function ensemble.sum_text(weights, names)
  local out = {}
  for i, w in ipairs(weights) do
    if w ~= 0 then
      local sign = w < 0 and (#out > 0 and " - " or "-") or #out > 0 and " + " or ""
      out[#out + 1] = sign .. (math.abs(w) == 1 and "" or ("%.6g*"):format(math.abs(w))) .. names[i]
    end
  end
  return table.concat(out)
end
