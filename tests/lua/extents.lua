-- The elements of an argument whose extent is that text, for specs that call any row: size(name) is what a name stands for.
-- Returns also the one name that no VALUE of the row gives; values[name] is true of those that one gives.
return function(text, size, values)
  local sum, free = 0, nil
  for term in text:gmatch("[^+]+") do
    local product = 1
    for factor in term:gmatch("[%w_]+") do
      if tonumber(factor) then
        product = product * tonumber(factor)
      else
        product = product * size(factor)
        if not (values and values[factor]) then free = factor end
      end
    end
    sum = sum + product
  end
  return math.tointeger(sum), free
end
