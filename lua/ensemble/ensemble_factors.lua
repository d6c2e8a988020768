-- Sparse LU factorisation of the matrix (diagonal - Jacobian) in the kernels of an ensemble. The order of elimination is chosen once
-- per model; the generated text has one line per operation, on real or complex numbers.

local ensemble_factors = {}

local MOST_FACTORS = 4096 -- maximum number of elements of the factors, which each thread keeps
local LONG = 400 -- maximum number of operations per generated function

-- ensemble_factors.elimination(n, entries, most): a pivot order along the diagonal with little fill-in: the next pivot has the least
-- product of two numbers, the remaining elements in its row and in its column without the pivot itself (Markowitz 1957). Returns `order`
-- (a list of 1 .. n); `at`, where at[i * n + j] is the place (from 0) of element (i, j) in the factors; and the number of places. Stops
-- early if there are more than `most` places. The entries have the first places, in their order, so that a Jacobian can be factored in
-- place.
function ensemble_factors.elimination(n, entries, most)
  local row, column = {}, {} -- row[i]: the set of columns with an element in row i; column[j]: of rows in column j
  local in_row, in_column = {}, {} -- the sizes of these sets
  for i = 1, n do row[i], column[i], in_row[i], in_column[i] = {[i] = true}, {[i] = true}, 1, 1 end
  local function put(i, j)
    if row[i][j] then return end
    row[i][j], column[j][i] = true, true
    in_row[i], in_column[j] = in_row[i] + 1, in_column[j] + 1
  end
  for _, x in ipairs(entries) do put(x[1], x[2]) end
  local order, left = {}, {}
  for i = 1, n do left[i] = true end
  local at, places = {}, 0
  local function place(i, j)
    if not at[i * n + j] then at[i * n + j], places = places, places + 1 end
  end
  for _, x in ipairs(entries) do place(x[1], x[2]) end
  for i = 1, n do place(i, i) end
  while #order < n and places <= most do
    local best, least
    for i = 1, n do
      if left[i] then
        local cost = (in_row[i] - 1) * (in_column[i] - 1)
        if not least or cost < least then best, least = i, cost end
      end
    end
    left[best], order[#order + 1] = nil, best
    for i in pairs(column[best]) do
      if i ~= best then
        row[i][best], in_row[i] = nil, in_row[i] - 1
        for j in pairs(row[best]) do
          if j ~= best then
            put(i, j)
            place(i, j)
          end
        end
      end
    end
    for j in pairs(row[best]) do column[j][best], in_column[j] = nil, in_column[j] - 1 end
  end
  return order, at, places
end

-- The text of a function: the lines `begin`, then the operations of the list. A long list is split into inner functions that this
-- one calls, because compile time grows faster than a function's length. inner: {parameters of an inner function, arguments of a call};
-- kind: "COMPLEX_" for complex numbers.
local function function_text(name, arguments, inner, begin, list, kind)
  local out, before = begin, {}
  for from = 1, #list, LONG do
    local part = #list > LONG and {} or out
    for k = from, math.min(from + LONG - 1, #list) do
      part[#part + 1] = ("  %s%s(%s)"):format(kind or "", list[k][1], table.concat(list[k], ", ", 2))
    end
    if part ~= out then
      local called = ("%s_%d"):format(name, #before)
      before[#before + 1] = ("CALL void %s(%s) {\n%s\n}\n"):format(called, inner[1], table.concat(part, "\n"))
      out[#out + 1] = ("  %s(%s);"):format(called, inner[2])
    end
  end
  return table.concat(before) .. ("CALL void %s(%s) {\n%s\n}\n"):format(name, arguments, table.concat(out, "\n"))
end

-- ensemble_factors.factors(e, entries, method): a solver for linear systems with the Jacobian's entries, a list of {row, column}. Returns
-- {places =, text =}: places is the number of elements of the factors; text(name, call, words, complex) returns the source of two
-- functions. NAME_factors(diagonal, J, F) computes the factors F of diagonal - J (J and F may be the same array): F = L U, where L's
-- diagonal is 1 and U's diagonal is stored inverted. NAME_solve(F, x) replaces the right side x by the solution. If `complex` is true,
-- the source also has NAME_complex_factors(re, im, J, F, V) and NAME_complex_solve(F, V, x, z) for the diagonal re + i im: F and x are
-- the real parts, V and z the imaginary parts. call: the macro that declares the functions; words: from ensemble_writer.words. Raises an
-- error if the model is too large.
function ensemble_factors.factors(e, entries, method)
  local n = e.n
  local order, at, places = ensemble_factors.elimination(n, entries, MOST_FACTORS)
  if places > MOST_FACTORS then
    error(("%s keeps the elements of the Jacobian's factors in each thread, and can have at most %d of them: the model is too large"):format(
      method, MOST_FACTORS), 0)
  end
  local function W(i, j) return at[i * n + j] end
  local lu, solve = {}, {} -- lists of operations {macro, places}
  for r, k in ipairs(order) do
    lu[#lu + 1] = {"LU_INVERT", W(k, k)}
    for s = r + 1, n do
      local i = order[s]
      if W(i, k) then
        lu[#lu + 1] = {"LU_SCALE", W(i, k), W(k, k)}
        for q = r + 1, n do
          local j = order[q]
          if W(k, j) then lu[#lu + 1] = {"LU_SUBTRACT", W(i, j), W(i, k), W(k, j)} end
        end
      end
    end
  end
  for r = 1, n do
    local i = order[r]
    for q = 1, r - 1 do
      local j = order[q]
      if W(i, j) then solve[#solve + 1] = {"LU_SOLVE", i - 1, W(i, j), j - 1} end
    end
  end
  for r = n, 1, -1 do
    local i = order[r]
    for q = r + 1, n do
      local j = order[q]
      if W(i, j) then solve[#solve + 1] = {"LU_SOLVE", i - 1, W(i, j), j - 1} end
    end
    solve[#solve + 1] = {"LU_DIVIDE", i - 1, W(i, i)}
  end
  local function set(words, imaginary)
    local out = {}
    for i = 1, n do
      for j = 1, n do
        local k = W(i, j)
        if k then
          local given = k < #entries
          local first = i == j and "diagonal" or given and "" or words.value "0"
          out[#out + 1] = ("  F[%d] = %s%s;"):format(k, first, given and (" - J[%d]"):format(k) or "")
          if imaginary then out[#out + 1] = ("  V[%d] = %s;"):format(k, i == j and "im" or "0") end
        end
      end
    end
    return out
  end
  local function text(name, call, words, complex)
    local out = (function_text("NAME_factors", "NUMBER diagonal, const NUMBER *J, NUMBER *F", {"NUMBER *F", "F"}, set(words), lu) ..
      function_text("NAME_solve", "const NUMBER *F, NUMBER *x", {"const NUMBER *F, NUMBER *x", "F, x"}, {}, solve)):gsub("NUMBER", words.number)
    if complex then
      out = out .. function_text("NAME_complex_factors", "f64 diagonal, f64 im, const f64 *J, f64 *F, f64 *V",
        {"f64 *F, f64 *V", "F, V"}, set(words, true), lu, "COMPLEX_") .. function_text("NAME_complex_solve",
        "const f64 *F, const f64 *V, f64 *x, f64 *z", {"const f64 *F, const f64 *V, f64 *x, f64 *z", "F, V, x, z"}, {}, solve, "COMPLEX_")
    end
    return '#include "ensemble/factors.h"\n' .. out:gsub("NAME", name):gsub("CALL", call)
  end
  return {text = text, places = places}
end

return ensemble_factors
