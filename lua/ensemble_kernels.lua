-- The kernels of an ensemble: one model, many instances, a thread an instance. Their text is made from the model's equations,
-- a line for each state, so that a compiler keeps what it can in registers. The methods: Dormand and Prince 1980, and for stiff
-- models RODAS4 (Hairer and Wanner 1996, section IV.7), whose linear systems are solved by the Jacobian's symbolic LU factors.

local MOST_FACTORS = 4096 -- elements of the factors that a thread keeps

-- --- the model's parts ---

--- ensemble.parts(m, varied): the equations in the form in which kernels are made of them. varied: by the numbers of the
--- variables that differ from instance to instance. Of the result: states and parameters, lists of variables' numbers; n and
--- q, how many values of y and of p an instance has; at, the places of the values of y; b, the bytecode that was read;
--- place_of[place] = {"y", k} or {"p", k}, where time, functions and what is the same for all instances have none; next, a
--- place that nothing has.
function ensemble.parts(m, varied, start)
  local b = m:bytecode {base = true, start = start}
  local e = {m = m, b = b, states = {}, parameters = {}, place_of = {}, first = m:first(start), variable = {}, at = {},
    next = b.vars}
  e.functions, e.rates = symbolic.read(b)
  for i = 1, m.variables do
    local place, role = b.code:place(i), m:variable(i).role
    e.variable[place] = i
    if role == "state" then
      e.states[#e.states + 1], e.at[#e.at + 1] = i, place
      e.place_of[place] = {"y", #e.states - 1}
    elseif varied[i] then
      e.parameters[#e.parameters + 1] = i
      e.place_of[place] = {"p", #e.parameters - 1}
    end
  end
  e.n, e.q = #e.states, #e.parameters
  e.time = b.vars - 1
  e.tree = {} -- of functions, by place
  for _, f in ipairs(e.functions) do e.tree[f[1]] = f[2] end
  return e
end

-- What a variable is called in a function's text.
local function name_in(e)
  return function(place)
    local at = e.place_of[place]
    if at then return ("%s[%d]"):format(at[1], at[2]) end
    if place == e.time then return "t" end
    if e.tree[place] then return "f" .. place end
    return symbolic.literal(e.first[e.variable[place] - 1])
  end
end

-- Which functions the trees need, by place.
local function needed(e, trees)
  local is = {}
  local function need(place)
    if e.tree[place] and not is[place] then
      is[place] = true
      symbolic.walk(e.tree[place], need)
    end
  end
  for _, t in ipairs(trees) do symbolic.walk(t, need) end
  return is
end

-- The needed functions, each a local variable.
local function put_functions(e, trees, out)
  local is, name = needed(e, trees), name_in(e)
  for _, f in ipairs(e.functions) do
    if is[f[1]] then out[#out + 1] = ("  const f64 f%d = %s;"):format(f[1], symbolic.text(f[2], name)) end
  end
end

local function rate_trees(e)
  local trees = {}
  for k, place in ipairs(e.at) do trees[k] = e.rates[place] or 0 end
  return trees
end

local UNUSED = "  (void)t, (void)p, (void)y;"

local function rates_text(e, name)
  local trees, out = rate_trees(e), {("LS_INLINE void %s_rates(f64 t, const f64 *p, const f64 *y, f64 *rate) {"):format(name), UNUSED}
  put_functions(e, trees, out)
  for k, t in ipairs(trees) do out[#out + 1] = ("  rate[%d] = %s;"):format(k - 1, symbolic.text(t, name_in(e))) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

-- --- the Jacobian ---

-- The derivatives of functions by the state k, or by time (k = nil): d[place] is a tree, whose variables may be derivatives
-- themselves: their places are beyond those of the model.
local Slopes = {}
Slopes.__index = Slopes

local function slopes(e) return setmetatable({e = e, place = {}, list = {}, next = e.next}, Slopes) end

-- The tree that stands for d f / d (state k, or time) of what is at the place.
function Slopes:of(place, k)
  local e, at = self.e, self.e.place_of[place]
  if at then return at[1] == "y" and at[2] == k and 1 or 0 end
  if place == e.time then return k == nil and 1 or 0 end
  if not e.tree[place] then return 0 end
  local key = ("%d %s"):format(place, k or "t")
  local known = self.place[key]
  if known == nil then
    local tree = symbolic.derivative(e.tree[place], function(q) return self:of(q, k) end)
    known = tree
    if type(tree) == "table" then
      known = {"VARIABLE", self.next}
      self.list[#self.list + 1] = {self.next, tree}
      self.next = self.next + 1
    end
    self.place[key] = known
  end
  return known
end

-- The Jacobian: entries {row, column, tree} of those that are not zero, the rates' derivatives by time, and what both need.
local function jacobian(e)
  local s, entries, by_time = slopes(e), {}, {}
  for row, t in ipairs(rate_trees(e)) do
    for column = 1, e.n do
      local tree = symbolic.derivative(t, function(q) return s:of(q, column - 1) end)
      if tree ~= 0 then entries[#entries + 1] = {row, column, tree} end
    end
    by_time[row] = symbolic.derivative(t, function(q) return s:of(q, nil) end)
  end
  return entries, by_time, s.list
end

local function jacobian_text(e, name, entries, by_time, list)
  local plain = name_in(e)
  local function called(place) return place >= e.next and "d" .. place or plain(place) end
  local out = {("LS_INLINE void %s_jacobian(f64 t, const f64 *p, const f64 *y, f64 *J, f64 *by_time) {"):format(name), UNUSED}
  local trees = {}
  for _, x in ipairs(entries) do trees[#trees + 1] = x[3] end
  for _, x in ipairs(list) do trees[#trees + 1] = x[2] end
  for _, x in ipairs(by_time) do trees[#trees + 1] = x end
  put_functions(e, trees, out)
  for _, x in ipairs(list) do out[#out + 1] = ("  const f64 d%d = %s;"):format(x[1], symbolic.text(x[2], called)) end
  for k, x in ipairs(entries) do out[#out + 1] = ("  J[%d] = %s;"):format(k - 1, symbolic.text(x[3], called)) end
  for k, x in ipairs(by_time) do out[#out + 1] = ("  by_time[%d] = %s;"):format(k - 1, symbolic.text(x, called)) end
  out[#out + 1] = "}\n"
  return table.concat(out, "\n")
end

--- ensemble.equations(e, name): the text of NAME_rates(t, p, y, rate) and NAME_jacobian(t, p, y, J, by_time), and the places
--- of the Jacobian's elements that may differ from zero, a list of {row, column}, in the order of J.
function ensemble.equations(e, name)
  local entries, by_time, list = jacobian(e)
  return rates_text(e, name) .. jacobian_text(e, name, entries, by_time, list), entries
end

-- --- the factors ---

-- An order of the diagonal's elements in which elimination fills in little: the least product of what is left in a row and in
-- a column comes next (Markowitz 1957).
local function elimination(n, entries)
  local row, column = {}, {} -- the columns of a row and the rows of a column, sets
  for i = 1, n do row[i], column[i] = {[i] = true}, {[i] = true} end
  for _, x in ipairs(entries) do row[x[1]][x[2]], column[x[2]][x[1]] = true, true end
  local function count(set)
    local c = 0
    for _ in pairs(set) do c = c + 1 end
    return c
  end
  local order, left = {}, {}
  for i = 1, n do left[i] = true end
  local at = {} -- at[i * n + j]: the place of the element in the factors
  local places = 0
  local function place(i, j)
    if not at[i * n + j] then at[i * n + j], places = places, places + 1 end
  end
  for i = 1, n do for j in pairs(row[i]) do place(i, j) end end
  while #order < n do
    local best, least
    for i = 1, n do
      if left[i] then
        local cost = (count(row[i]) - 1) * (count(column[i]) - 1)
        if not least or cost < least then best, least = i, cost end
      end
    end
    left[best], order[#order + 1] = nil, best
    for i in pairs(column[best]) do
      if i ~= best then
        row[i][best] = nil
        for j in pairs(row[best]) do
          if j ~= best then
            row[i][j], column[j][i] = true, true
            place(i, j)
          end
        end
      end
    end
    for j in pairs(row[best]) do column[j][best] = nil end
  end
  return order, at, places
end

-- In place: W = L U, L's diagonal is 1, and of U's the inverse is kept; then W x = x.
local function factors_text(e, name, entries)
  local n = e.n
  local order, at, places = elimination(n, entries)
  if places > MOST_FACTORS then
    error(("rodas4 keeps %d elements of the Jacobian's factors in each thread, and takes %d at most: the model is too large"):format(
      places, MOST_FACTORS), 0)
  end
  local function W(i, j) return ("W[%d]"):format(at[i * n + j]) end
  local set, lu, solve, given = {}, {}, {}, {}
  for k, x in ipairs(entries) do given[x[1] * n + x[2]] = k - 1 end
  for i = 1, n do
    for j = 1, n do
      if at[i * n + j] then
        local k = given[i * n + j]
        set[#set + 1] = ("  %s = %s%s;"):format(W(i, j), i == j and "diagonal" or k and "" or "0", k and (" - J[%d]"):format(k) or "")
      end
    end
  end
  local rank = {}
  for r, i in ipairs(order) do rank[i] = r end
  for r, k in ipairs(order) do
    lu[#lu + 1] = ("  %s = 1 / %s;"):format(W(k, k), W(k, k))
    for s = r + 1, n do
      local i = order[s]
      if at[i * n + k] then
        lu[#lu + 1] = ("  %s *= %s;"):format(W(i, k), W(k, k))
        for q = r + 1, n do
          local j = order[q]
          if at[k * n + j] then lu[#lu + 1] = ("  %s -= %s * %s;"):format(W(i, j), W(i, k), W(k, j)) end
        end
      end
    end
  end
  for r = 1, n do
    local i = order[r]
    for q = 1, r - 1 do
      local j = order[q]
      if at[i * n + j] then solve[#solve + 1] = ("  x[%d] -= %s * x[%d];"):format(i - 1, W(i, j), j - 1) end
    end
  end
  for r = n, 1, -1 do
    local i = order[r]
    for q = r + 1, n do
      local j = order[q]
      if at[i * n + j] then solve[#solve + 1] = ("  x[%d] -= %s * x[%d];"):format(i - 1, W(i, j), j - 1) end
    end
    solve[#solve + 1] = ("  x[%d] *= %s;"):format(i - 1, W(i, i))
  end
  local function body(head, lines) return head .. " {\n" .. table.concat(lines, "\n") .. "\n}\n" end
  return body(("LS_INLINE void %s_factors(f64 diagonal, const f64 *J, f64 *W)"):format(name), table.move(lu, 1, #lu, #set + 1, set)) ..
    body(("LS_INLINE void %s_solve(const f64 *W, f64 *x)"):format(name), solve), places
end

-- --- the steps ---

-- The text n times, a line each; @ is the number of the line, from 0.
local function each(n, text)
  local out = {}
  for k = 0, n - 1 do out[#out + 1] = (text:gsub("@", ("%d"):format(k))) end
  return table.concat(out, "\n")
end

-- "  + c1 * k1[@] + c2 * k2[@]" of the coefficients that are not zero.
local function terms(coefficients, of)
  local out = {}
  for s, c in ipairs(coefficients) do
    if c ~= 0 then out[#out + 1] = ("%s * %s%d[@]"):format(symbolic.literal(c), of, s) end
  end
  return table.concat(out, " + ")
end

local ARGS = [[
#define NAME_STEP_ARGS(A) \
  A(QIN, u32, front, "instances+1", vertex_queue, "instances") A(IN, f64, p, "VARIED*instances") \
  A(INOUT, f64, y, "STATES*instances") A(INOUT, f64, t, "instances") A(INOUT, f64, h, "instances") \
  A(INOUT, u32, way, "instances") A(INOUT, u32, doubt, "instances") A(QOUT, u32, front_next, "instances+1", vertex_queue, "instances") \
  A(IN, f64, stop, "1") A(IN, f64, tolerance, "2") A(VALUE, u32, attempts, "1") \
  A(VALUE, u32, auto_stiff, "1") A(VALUE, u32, instances, "1") \
  A(COUNT, u32, accepted, "1") A(COUNT, u32, rejected, "1") A(COUNT, u32, left, "1") A(COUNT, u32, failed, "1")
]]

-- What both methods do around an attempt: STEP tries one of length `step` from (t, y) to z, and leaves what the error is,
-- relative to the tolerance, in `error`. ORDER: of the error.
local BODY = [[
QUEUE_BODY(ROW) {
  const u32 i = item;
  f64 y[STATES], z[STATES], p[VARIED];
  if (i >= a->instances) return;
  f64 t = a->t[i], h = a->h[i];
  const f64 stop = a->stop[0], rtol = a->tolerance[0], atol = a->tolerance[1];
  bool refused = false, over = !(t < stop); /* over: for this method and this interval */
  u32 doubt = a->doubt[i];
LOAD
BEGIN
  for (u32 attempt = 0; attempt < a->attempts && !over; attempt++) {
    const f64 left = stop - t;
    const bool last = h * (1 + 1e-9) >= left;
    const f64 step = last ? left : h;
    f64 error = 0;
    if (!(step > 4e-16 * fabs(t) && step > 1e-300)) {
      a->way[i] = ENSEMBLE_FAILED;
      count->failed++;
      over = true;
      break;
    }
STEP
    error = sqrt(error / STATES);
    if (!(error <= 1)) { /* not a number either */
      count->rejected++;
      refused = true;
      h = step * (error - error == 0 ? fmax(0.2, 0.9 * pow(error, -1.0 / ORDER)) : 0.1);
      continue;
    }
    count->accepted++;
    const f64 longer = step * fmin(refused ? 1.0 : 5.0, error > 0 ? 0.9 * pow(error, -1.0 / ORDER) : 5.0);
    h = last && longer < h ? h : longer;
    refused = false;
    t = last ? stop : t + step;
    over = last;
ACCEPT
  }
STORE
  a->t[i] = t;
  a->h[i] = h;
  a->doubt[i] = doubt;
  if (over) return;
  count->left++;
  PUSH(front_next, i);
}
]]

-- The text, in which words of capitals are replaced by what[word], if there is such a word.
local function filled(text, what)
  return (text:gsub("%f[%w_](%u[%u%d_]*)%f[^%w_]", what))
end
ensemble.each, ensemble.filled = each, filled

local FIRST_STEP = [[
  if (!(h > 0)) { /* the first step, as in Hairer, Norsett and Wanner 1993, II.4 */
    f64 size = 0, speed = 0;
EACH
    size = sqrt(size / STATES), speed = sqrt(speed / STATES);
    h = size < 1e-5 || speed < 1e-5 ? 1e-6 * (stop - t) : 0.01 * size / speed;
    if (!(h < stop - t)) h = stop - t;
  }]]

local function first_step(n, rate)
  return filled(FIRST_STEP, {STATES = tostring(n), EACH = each(n, ([[
    size += y[@] * y[@] / ((atol + rtol * fabs(y[@])) * (atol + rtol * fabs(y[@])));
    speed += %s[@] * %s[@] / ((atol + rtol * fabs(y[@])) * (atol + rtol * fabs(y[@])));]]):format(rate, rate))})
end

-- The shape of a row whose threads keep so many numbers of 64 bits at a time: blocks of 128, and as many as their registers allow.
local function shape(row, kept)
  local registers = 48 + 2 * kept
  return ("SHAPE(%s, 128, %d)\n"):format(row, registers <= 64 and 8 or registers <= 128 and 4 or registers <= 168 and 3 or 2)
end

local function step_row(e, name, row, parts)
  local n, q = e.n, e.q
  local what = {ROW = row, STATES = tostring(n), VARIED = tostring(math.max(q, 1)), ORDER = tostring(parts.order),
    LOAD = each(n, "  y[@] = a->y[(u64)@ * a->instances + i];") .. "\n" .. (q > 0 and each(q, "  p[@] = a->p[(u64)@ * a->instances + i];")
      or "  p[0] = 0;"),
    STORE = each(n, "  a->y[(u64)@ * a->instances + i] = y[@];"), BEGIN = parts.begin, STEP = parts.step, ACCEPT = parts.accept}
  return ("#define %s_ARGS(A, W) %s_STEP_ARGS(A)\nARGS(%s, %s_ARGS)\n"):format(row:upper(), name:upper(), row, row:upper()) ..
    shape(row, parts.kept + 2 * n + q) .. filled(BODY, what)
end

local ERROR = "    error += (E / (atol + rtol * fmax(fabs(y[@]), fabs(z[@])))) * (E / (atol + rtol * fmax(fabs(y[@]), fabs(z[@]))));"

-- Dormand and Prince 1980.
local DOPRI = {
  c = {0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1},
  a = {{}, {1 / 5}, {3 / 40, 9 / 40}, {44 / 45, -56 / 15, 32 / 9}, {19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729},
    {9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656}, {35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84}},
  e = {71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40},
}

-- A step that explicit methods are bound to by stability, and not by accuracy, fifteen times: the instance is stiff
-- (Hairer and Wanner 1996, IV.2).
local DOUBT = [[
    if (a->auto_stiff) {
      f64 rates = 0, values = 0;
EACH
      if (values > 0 && step * sqrt(rates / values) > 3.25) {
        doubt += 1;
        if (doubt >= 15) {
          doubt = 0;
          a->way[i] = ENSEMBLE_STIFF;
          over = true;
        }
      } else if (doubt > 0) doubt -= 1;
    }]]

local function dopri5(e, name, row)
  local n, step = e.n, {}
  for s = 2, 7 do
    step[#step + 1] = each(n, ("    z[@] = y[@] + step * (%s);"):format(terms(DOPRI.a[s], "k")))
    if s == 6 then step[#step + 1] = each(n, "    w[@] = z[@];") end
    step[#step + 1] = ("    %s_rates(t + %s * step, p, z, k%d);"):format(name, symbolic.literal(DOPRI.c[s]), s)
  end
  local of_error = ("(step * (%s))"):format(terms(DOPRI.e, "k"))
  step[#step + 1] = each(n, (ERROR:gsub("E", function() return of_error end)))
  local begin = ("  f64 w[%d]"):format(n)
  for s = 1, 7 do begin = begin .. (", k%d[%d]"):format(s, n) end
  return step_row(e, name, row, {order = 5, kept = 7 * n, begin = begin .. (";\n  %s_rates(t, p, y, k1);\n"):format(name) .. first_step(n, "k1"),
    step = table.concat(step, "\n"),
    accept = filled(DOUBT, {EACH = each(n, "      rates += (k7[@] - k6[@]) * (k7[@] - k6[@]), values += (z[@] - w[@]) * (z[@] - w[@]);")}) ..
      "\n" .. each(n, "    y[@] = z[@], k1[@] = k7[@];")})
end

-- RODAS4 in the variables of Hairer and Wanner 1996, IV.7.
local RODAS = {
  gamma = 0.25,
  alpha = {0, 0.386, 0.21, 0.63, 1, 1},
  d = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0},
  a = {{}, {1.544}, {0.9466785280815826, 0.2557011698983284}, {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}},
  c = {{}, {-5.6688}, {-2.430093356833875, -0.2063599157091915}, {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}},
}

local function rodas4(e, name, row, entries, factors)
  local n, step = e.n, {}
  local begin = ("  f64 J[%d], W[%d], by_time[%d]"):format(math.max(#entries, 1), factors, n)
  for s = 1, 6 do begin = begin .. (", k%d[%d]"):format(s, n) end
  begin = begin .. (";\n  %s_jacobian(t, p, y, J, by_time);\n  %s_rates(t, p, y, k1);\n"):format(name, name) .. first_step(n, "k1")
  step[1] = ("    %s_factors(1 / (%s * step), J, W);"):format(name, symbolic.literal(RODAS.gamma))
  for s = 1, 6 do
    if s == 6 then
      step[#step + 1] = each(n, "    z[@] += k5[@];")
    else
      local more = terms(RODAS.a[s], "k")
      step[#step + 1] = each(n, "    z[@] = y[@]" .. (#more > 0 and " + " .. more or "") .. ";")
    end
    step[#step + 1] = ("    %s_rates(t + %s * step, p, z, k%d);"):format(name, symbolic.literal(RODAS.alpha[s]), s)
    local more = terms(RODAS.c[s], "k")
    if #more > 0 or RODAS.d[s] ~= 0 then
      step[#step + 1] = each(n, ("    k%d[@] +=%s%s;"):format(s, #more > 0 and " (" .. more .. ") / step" or "",
        RODAS.d[s] ~= 0 and ("%s %s * step * by_time[@]"):format(#more > 0 and " +" or "", symbolic.literal(RODAS.d[s])) or ""))
    end
    step[#step + 1] = ("    %s_solve(W, k%d);"):format(name, s)
  end
  step[#step + 1] = each(n, "    z[@] += k6[@];")
  step[#step + 1] = each(n, (ERROR:gsub("E", "k6[@]")))
  return step_row(e, name, row, {order = 4, kept = 7 * n + #entries + factors, begin = begin, step = table.concat(step, "\n"),
    accept = each(n, "    y[@] = z[@];") .. ("\n    if (!over) %s_jacobian(t, p, y, J, by_time);"):format(name)})
end

-- --- what is recorded ---

local RECORD = [[
#define %s_ARGS(A, W) \
  A(IN, f64, p, "%d*instances") A(IN, f64, y, "%d*instances") A(IN, f64, t, "instances") \
  A(IN, u32, way, "instances") A(INOUT, f64, record, "%d*rows*instances") A(VALUE, u32, row, "1", index, "rows") \
  A(VALUE, u32, rows, "1") A(VALUE, u32, instances, "1")
ARGS(%s, %s_ARGS)
VERTEX_BODY(%s) {
  UNUSED_BODY;
  f64 y[%d], p[%d];
  const f64 t = a->t[v];
  (void)t;
%s
  const bool there = a->way[v] != ENSEMBLE_FAILED;
%s
}
]]

local function record(e, row, columns)
  local n, q, name = e.n, e.q, name_in(e)
  local trees, out = {}, {}
  for c, place in ipairs(columns) do trees[c] = {"VARIABLE", place} end
  put_functions(e, trees, out)
  for c, t in ipairs(trees) do
    out[#out + 1] = ("  a->record[((u64)%d * a->rows + a->row) * a->instances + v] = there ? %s : NAN;"):format(c - 1,
      symbolic.text(t, name))
  end
  return RECORD:format(row:upper(), math.max(q, 1), n, #columns, row, row:upper(), row, n, math.max(q, 1),
    each(n, "  y[@] = a->y[(u64)@ * a->instances + v];") .. "\n" .. (q > 0 and each(q, "  p[@] = a->p[(u64)@ * a->instances + v];")
      or "  p[0] = 0;") .. "\n  (void)y, (void)p;", table.concat(out, "\n"))
end

-- --- all of it ---

local function row_text(name, what, domain, items, doc)
  return ('PRIM(%s_%s, %s_%s_ARGS, UNTYPED, %s, "%s", TOLERANCE, "", "", "%s")\n'):format(name, what, name:upper(), what:upper(), domain,
    items, doc)
end

-- 32 bits of a text (Fowler, Noll and Vo's), so that different kernels have different names.
local function hash(text)
  local h = 0x811c9dc5
  for i = 1, #text do h = ((h ~ text:byte(i)) * 0x01000193) & 0xffffffff end
  return h
end

--- ensemble.named_text(of): a text of kernels and the name that theirs begin with, which goes by the text: of(name) is the text
--- for a name.
function ensemble.named_text(of)
  local name = ("ensemble_%08x"):format(hash(of "ensemble"))
  return of(name), name
end

--- ensemble.text(e, methods, columns): the text of the kernels for parts(), and the name that theirs begin with: NAME_dopri5
--- and NAME_rodas4, as far as methods[...] asks for them, and NAME_record, which records the variables whose places are in
--- columns. An error says why a method cannot be had.
function ensemble.text(e, methods, columns)
  local function of(name)
    local out = {'#include "language/kernel.h"\n#include "ode/ode.h"\n#include "ensemble/ensemble.h"\n\n'}
    local rows = row_text(name, "record", "VERTEX", "instances", name .. "_record(...): the columns of all instances, as they are now.")
    local bodies = {rates_text(e, name)}
    if methods.dopri5 then
      rows = rows .. row_text(name, "dopri5", "QUEUE", "queue", name .. "_dopri5(...): attempts of steps by Dormand and Prince's method.")
      bodies[#bodies + 1] = dopri5(e, name, name .. "_dopri5")
    end
    if methods.rodas4 then
      rows = rows .. row_text(name, "rodas4", "QUEUE", "queue", name .. "_rodas4(...): attempts of steps by RODAS4.")
      local entries, by_time, list = jacobian(e)
      local factors, places = factors_text(e, name, entries)
      bodies[#bodies + 1] = jacobian_text(e, name, entries, by_time, list)
      bodies[#bodies + 1] = factors
      bodies[#bodies + 1] = rodas4(e, name, name .. "_rodas4", entries, places)
    end
    bodies[#bodies + 1] = record(e, name .. "_record", columns)
    local args = filled(ARGS, {NAME_STEP_ARGS = name:upper() .. "_STEP_ARGS", VARIED = tostring(math.max(e.q, 1)), STATES = tostring(e.n)})
    return table.concat(out) .. rows .. "\n" .. args .. "\n" .. table.concat(bodies, "\n")
  end
  return ensemble.named_text(of)
end
