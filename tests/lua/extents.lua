-- Evaluates the extent `text` of a row's buffer, for specs that call arbitrary rows. size(name): the value of a name in it;
-- values[name]: true if the name is a VALUE argument of the row. Returns the number of elements, and a name that is no VALUE, or nil.
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
