-- Evaluates an extent, for specs that call arbitrary rows. size(name) is the value of a name; values[name] is true for VALUEs of
-- the row. Returns the number of elements, and a name in the extent that is not a VALUE, if there is one.
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
