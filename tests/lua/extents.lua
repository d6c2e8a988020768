-- Evaluates an extent, for specs that call arbitrary rows: size(name) is the value of a name. Returns the number of elements
-- and the name in the extent that is no VALUE of the row, if there is one; values[name] is true for VALUEs.
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
