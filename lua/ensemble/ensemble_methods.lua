-- Generates the kernels of the integration methods of ensembles: Dormand and Prince 1980; for stiff models RODAS4 (Hairer and Wanner
-- 1996, section IV.7) and Radau IIA of order 5 (IV.8), which solve linear systems by generated LU factorisations.

local conservation = import "ensemble/ensemble_conserved"
local lane_text = import "ensemble/ensemble_lanes"
local step_text = import "ensemble/ensemble_attempt"
local symbolic = import "ode/symbolic"
local writer = import "ensemble/ensemble_writer"
local method_text = {}

local filled, terms = writer.filled, writer.terms

-- The text that declares the arrays {name, size}; "" for one block per instance, where block_of.block_arrays declares them.
local function declared(e, arrays)
  if e.group > 1 then return "" end
  local out = {}
  for k, x in ipairs(arrays) do out[k] = ("%s[%d]"):format(x[1], x[2]) end
  return ("  %s %s;\n"):format(writer.words(e).number, table.concat(out, ", "))
end

-- The prefix of the model's functions, and the name of the array with the parameters, which is passed to them.
local function called(e, name)
  if e.group > 1 then return name .. "_block", "g" end
  return e.lanes and name .. "_lanes" or name, "p"
end

-- --- Dormand and Prince ---

local DOPRI = {
  c = {0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1},
  a = {{}, {1 / 5}, {3 / 40, 9 / 40}, {44 / 45, -56 / 15, 32 / 9}, {19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729},
    {9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656}, {35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84}},
  e = {71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40},
  -- coefficients of the interpolant (Hairer, Norsett and Wanner 1993, II.6)
  d = {-12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072, 701980252875 / 199316789632,
    -1453857185 / 822651844, 69997945 / 29380423},
}

-- Stiffness detection (Hairer and Wanner 1996, IV.2): an instance is stiff after fifteen steps whose length was limited by stability,
-- not by accuracy, unless six others in a row come in between. doubt: the number of such steps + 256 * the number of others since.
local DOUBT = [[
    if (a->auto_stiff HERE) {
      f64 rates = 0, values = 0;
EACH
      rates = SUM(rates), values = SUM(values);
      if (values > 0 && step * sqrt(rates / values) > 3.25) {
        doubt = doubt % 256 + 1;
        if (doubt >= 15) {
          doubt = 0;
          a->way[i] = ENSEMBLE_STIFF;
          over = true;
        }
      } else if (doubt > 0) {
        doubt += 256;
        if (doubt >= 6 * 256) doubt = 0;
      }
    }]]

function method_text.dopri5(e, name, row)
  local n, step, each, model, p = e.n, {}, writer.each_of(e), called(e, name)
  local arrays = {{"w", n}}
  for s = 2, 7 do
    step[#step + 1] = each(n, ("    z[@] = PLUS_PRODUCT(y[@], step, %s);"):format(terms(DOPRI.a[s], "k")))
    if s == 6 then step[#step + 1] = each(n, "    w[@] = z[@];") end
    step[#step + 1] = ("    %s_rates(t + %s * step, %s, z, k%d);"):format(model, symbolic.literal(DOPRI.c[s]), p, s)
  end
  step[#step + 1] = step_text.error_text(e, ("step * (%s)"):format(terms(DOPRI.e, "k")))
  for s = 1, 7 do arrays[#arrays + 1] = {"k" .. s, n} end
  local dense = "y[@] + part * (z[@] - y[@] + (1 - part) * (step * k1[@] - (z[@] - y[@]) + part * (2 * (z[@] - y[@]) - " ..
    ("step * (k1[@] + k7[@]) + (1 - part) * step * (%s))))"):format(terms(DOPRI.d, "k"))
  local doubtful = each(n, "      rates += (k7[@] - k6[@]) * (k7[@] - k6[@]), values += (z[@] - w[@]) * (z[@] - w[@]);")
  return step_text.step_row(e, name, row, {order = 5, kept = 7 * n, dense = dense, arrays = arrays,
    begin = declared(e, arrays) .. ("  %s_rates(t, %s, y, k1);\n"):format(model, p) .. step_text.first_step(e, name, "k1"), step = table.concat(step, "\n"),
    accept = e.lanes and lane_text.lanes_doubt(doubtful) .. "\n" ..
      each(n, "    y[@] = CHOOSE(good, z[@], y[@]), k1[@] = CHOOSE(good, k7[@], k1[@]);") or filled(DOUBT, {HERE = (e.events or e.conditions) and "&& !found" or "", SUM = step_text.sum_of(e, name),
      EACH = doubtful}) ..
      "\n" .. each(n, "    y[@] = z[@], k1[@] = k7[@];") ..
      (e.conditions and ("\n    if (found && !over) %s_rates(t, p, y, k1);"):format(name) or "")})
end

-- --- RODAS4 ---

-- The coefficients, for the transformed variables of Hairer and Wanner 1996, IV.7.
local RODAS = {
  gamma = 0.25,
  alpha = {0, 0.386, 0.21, 0.63, 1, 1},
  d = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0},
  a = {{}, {1.544}, {0.9466785280815826, 0.2557011698983284}, {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950}},
  c = {{}, {-5.6688}, {-2.430093356833875, -0.2063599157091915}, {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}},
  dense = {{10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872}},
}

-- Rounding in the solution of linear systems violates the sums that the equations conserve. If a small state is the difference of
-- large ones (E5 of the test problems), the error is soon as large as the state. So each step's end is projected back onto the sums:
-- each state takes a share of the error proportional to the square of its tolerance.
local MOST = 64 -- maximum number of states; conserved sums are not used in larger models
local function kept_sums(e)
  local out, w = {}, writer.words(e)
  if e.group > 1 or e.n > MOST then return "" end
  for _, weights in ipairs(conservation.sums_of_equations(e)) do
    local lost, size, back = {}, {}, {}
    for k, c in ipairs(weights) do
      if c ~= 0 then
        local at, factor = k - 1, symbolic.literal(c)
        lost[#lost + 1] = ("%s * (z[%d] - y[%d])"):format(factor, at, at)
        size[#size + 1] = ("%s * SQUARE(%d)"):format(symbolic.literal(c * c), at)
        back[#back + 1] = ("      z[%d] -= %s * SQUARE(%d) * part;"):format(at, factor, at)
      end
    end
    if #lost > 1 then
      local text = ("    {\n      const %s part = (%s) / %sfmax(%s, %s);\n%s\n    }"):format(w.number, table.concat(lost, " + "), w.call,
        table.concat(size, " + "), w.value "1e-300", table.concat(back, "\n"))
      out[#out + 1] = text:gsub("SQUARE(%b())", function(at)
        local one = ("(ATOL%s + rtol * %sfabs(y[%s]))"):format(at, w.call, at:sub(2, -2))
        return ("%s * %s"):format(one, one)
      end)
    end
  end
  return table.concat(out, "\n")
end

-- The stages as a loop, for models that need more registers than a GPU has. With unrolled stages, the compiler computes sums of later
-- stages early and keeps all of them, and the code exceeds the instruction cache. k holds k1 to k5; `sum` is the part of a stage's
-- right side that comes from earlier stages. The table has one row per stage: alpha, d, five coefficients a and five coefficients c.
local ROOM = 100 -- number of values that fit into registers, not counting temporaries
local STAGES = [[
    for (u32 s = 0; s < 6; s++) {
EACH_BEGIN
      for (u32 j = 0; j < s; j++) {
        const f64 a_j = NAME_stages[s][2 + j], c_j = NAME_stages[s][7 + j];
EACH_SUM
      }
      NAME_rates(t + NAME_stages[s][0] * step, p, z, k6);
EACH_RIGHT
      NAME_solve(W, k6);
      if (s < 5) {
EACH_KEPT
      }
    }]]

-- Returns the text of the table and the text of the loop.
local function stages_text(e, name, timed)
  local each, rows = writer.each_of(e), {}
  local function lines(text) return each(e.n, (text:gsub("STATES", e.n))) end
  for s = 1, 6 do
    local row, a = {RODAS.alpha[s], RODAS.d[s]}, s < 6 and RODAS.a[s] or table.move(RODAS.a[5], 1, 4, 1, {[5] = 1})
    for k = 1, 5 do row[2 + k], row[7 + k] = a[k] or 0, RODAS.c[s][k] or 0 end
    for k, x in ipairs(row) do row[k] = symbolic.literal(x) end
    rows[s] = ("  {%s},\n"):format(table.concat(row, ", "))
  end
  local loop = filled(STAGES, {EACH_BEGIN = lines "      z[@] = y[@], sum[@] = 0;",
    EACH_SUM = lines "        { const f64 x = k[j * STATES + @]; z[@] = PLUS_PRODUCT(z[@], a_j, x), sum[@] = PLUS_PRODUCT(sum[@], c_j, x); }",
    EACH_RIGHT = lines(("      k6[@] += sum[@] * per_step%s;"):format(timed and " + NAME_stages[s][1] * step * by_time[@]" or "")),
    EACH_KEPT = lines "        k[s * STATES + @] = k6[@];"})
  return ("ENSEMBLE_TABLE f64 %s_stages[6][12] = {\n%s};\n"):format(name, table.concat(rows)), (loop:gsub("NAME", name))
end

-- method_text.rodas4(e, name, row, places, timed): the source of RODAS4's row. places: the number of elements of the factors; timed: do
-- rates depend on time? Each attempt computes the Jacobian in the array of the factors, which then overwrite it. Keeping the Jacobian for
-- the next attempt would rarely help, because few steps are rejected, and would take memory of each thread.
function method_text.rodas4(e, name, row, places, timed)
  local n, step, each, model, p = e.n, {}, writer.each_of(e), called(e, name)
  local kept = 7 * n + places
  local loop = e.on_gpu and kept > ROOM
  local arrays = {{"W", places}, {"k6", n}}
  if timed then arrays[#arrays + 1] = {"by_time", n} end
  if loop then
    arrays[#arrays + 1], arrays[#arrays + 2] = {"k", 5 * n}, {"sum", n}
  else
    for s = 1, 5 do arrays[#arrays + 1] = {"k" .. s, n} end
  end
  local begin = declared(e, arrays) .. ("  %s_rates(t, %s, y, k6);\n"):format(model, p) .. step_text.first_step(e, name, "k6")
  step[1] = ("    const %s per_step = 1 / step;\n    %s_jacobian(t, %s, y, W%s);\n    %s_factors(%s * per_step, W, W);"):format(
    writer.words(e).number, model, p, timed and ", by_time" or "", model, symbolic.literal(1 / RODAS.gamma))
  local dense = ("(1 - part) * y[@] + part * (z[@] + (1 - part) * (%s + part * (%s)))"):format(terms(RODAS.dense[1], "k"),
    terms(RODAS.dense[2], "k"))
  local tables = ""
  if loop then
    tables, step[2] = stages_text(e, name, timed)
    dense = dense:gsub("k(%d)%[@%]", function(s) return ("k[%d + @]"):format((s - 1) * n) end)
  end
  for s = 1, loop and 0 or 6 do
    if s == 6 then
      step[#step + 1] = each(n, "    z[@] += k5[@];")
    else
      step[#step + 1] = each(n, ("    z[@] = %s;"):format(terms(RODAS.a[s], "k", "y[@]")))
    end
    step[#step + 1] = ("    %s_rates(t + %s * step, %s, z, k%d);"):format(model, symbolic.literal(RODAS.alpha[s]), p, s)
    local more = terms(RODAS.c[s], "k")
    local by_time = timed and RODAS.d[s] ~= 0
    if #more > 0 or by_time then
      step[#step + 1] = each(n, ("    k%d[@] +=%s%s;"):format(s, #more > 0 and " (" .. more .. ") * per_step" or "",
        by_time and ("%s %s * step * by_time[@]"):format(#more > 0 and " +" or "", symbolic.literal(RODAS.d[s])) or ""))
    end
    step[#step + 1] = ("    %s_solve(W, k%d);"):format(model, s)
  end
  step[#step + 1] = each(n, "    z[@] += k6[@];")
  step[#step + 1] = kept_sums(e)
  step[#step + 1] = step_text.error_text(e, "k6[@]")
  return tables .. step_text.step_row(e, name, row, {order = 4, kept = kept, arrays = arrays, begin = begin, dense = dense,
    step = table.concat(step, "\n"), accept = each(n, e.lanes and "    y[@] = CHOOSE(good, z[@], y[@]);" or "    y[@] = z[@];")})
end

-- --- Radau IIA of order 5 ---

-- The equations of the three stages become one real and one complex system in the variables w = T^-1 (stages - y) (IV.8). Newton's
-- iterations start from the last step's collocation polynomial. The error estimate is an embedded formula of order 3, so the method
-- works with the tolerance 0.1 rtol^(3/4). (The program RADAU5 uses 0.1 rtol^(2/3), which is cheaper but meets small tolerances less
-- well.)
local root6, cube9, cube3 = math.sqrt(6), 9 ^ (1 / 3), 81 ^ (1 / 3)
local RE, IM = (12 - cube3 + cube9) / 60, (cube3 + cube9) * math.sqrt(3) / 60
local RADAU = {
  C1 = (4 - root6) / 10, C2 = (4 + root6) / 10, REAL = 30 / (6 + cube3 - cube9), RE = RE / (RE * RE + IM * IM),
  IM = IM / (RE * RE + IM * IM), E1 = -(13 + 7 * root6) / 3, E2 = (-13 + 7 * root6) / 3, E3 = -1 / 3,
  T11 = 9.1232394870892942792e-02, T12 = -0.14125529502095420843, T13 = -3.0029194105147424492e-02,
  T21 = 0.24171793270710701896, T22 = 0.20412935229379993199, T23 = 0.38294211275726193779, T31 = 0.96604818261509293619,
  B11 = 4.3255798900631553510, B12 = 0.33919925181580986954, B13 = 0.54177053993587487119,
  B21 = -4.1787185915519047273, B22 = -0.32768282076106238708, B23 = 0.47662355450055045196,
  B31 = -0.50287263494578687595, B32 = 2.5719269498556054292, B33 = -0.59603920482822492497,
}
method_text.radau = RADAU

local RADAU_BEGIN = [[
  f64 J[ENTRIES], W[PLACES], X[PLACES], V[PLACES], rate[STATES], scale[STATES], z1[STATES], z2[STATES], z3[STATES];
  f64 w1[STATES], w2[STATES], w3[STATES], f1[STATES], f2[STATES], f3[STATES], c1[STATES], c2[STATES], c3[STATES];
  f64 before = 0, slowness = 1; /* before: length of the step of c1 to c3, or 0; slowness: theta/(1 - theta) of Newton's method */
  const f64 enough = fmax(10 * 2.2e-16 / rtol, fmin(0.03, sqrt(rtol)));
  NAME_jacobian(t, p, y, J);
  NAME_rates(t, p, y, rate);
]]

local RADAU_STEP = [[
    const f64 re = RE / step, im = IM / step, real = REAL / step;
    NAME_factors(real, J, W);
    NAME_complex_factors(re, im, J, X, V);
    const f64 ratio = before > 0 ? step / before : 0, s1 = C1 * ratio, s2 = C2 * ratio;
    if (ratio > 0) {
FROM_LAST
    } else {
FROM_ZERO
    }
EACH_SCALE
    f64 change = 0, theta = 0, ratio_before = 0;
    bool solved = false;
    slowness = pow(fmax(slowness, QUICKEST), 0.8);
    shorter = 0.5;
    for (u32 turn = 0; turn < 7 && !solved; turn++) {
EACH_Z1
      NAME_rates(t + C1 * step, p, z, f1);
EACH_Z2
      NAME_rates(t + C2 * step, p, z, f2);
EACH_Z3
      NAME_rates(t + step, p, z, f3);
EACH_RIGHT
      NAME_solve(W, f1);
      NAME_complex_solve(X, V, f2, f3);
      f64 size = 0;
EACH_SIZE
      size = sqrt(size / (3 * STATES));
      if (!(size - size == 0)) break;
      if (turn > 0) {
        const f64 ratio_now = size / change;
        theta = turn == 1 ? ratio_now : sqrt(ratio_now * ratio_before);
        ratio_before = ratio_now;
        if (!(theta < 0.99)) break;
        slowness = theta / (1 - theta);
        const f64 to_come = slowness * size * pow(theta, 6.0 - turn) / enough; /* the predicted error after all iterations */
        if (turn < 6 && to_come >= 1) {
          shorter = 0.8 * pow(fmax(1e-4, fmin(20.0, to_come)), -1.0 / (10.0 - turn));
          break;
        }
      }
      change = fmax(size, 2.2e-16);
EACH_NEXT
      solved = slowness * size <= enough;
    }
    if (!solved) {
      slowness = 1;
      before = 0;
      error = INFINITY;
    } else {
      /* the error estimate: the embedded formula's difference, damped by the real system (IV.8.19) */
EACH_LEFT
      NAME_solve(W, f3);
      for (u32 again = 0;; again++) {
        error = 0;
EACH_ERROR
        if (again > 0 || error < STATES || (!refused && before > 0)) break;
EACH_CORRECTED
        NAME_rates(t, p, z, f1);
EACH_AGAIN
        NAME_solve(W, f3);
      }
EACH_END
    }]]

local RADAU_READY = [[
EACH_READY
    before = step;
]]

-- method_text.radau5(e, name, row, entries, places): the source of the row of Radau IIA. entries: of the Jacobian; places: the number of
-- elements of the factors.
function method_text.radau5(e, name, row, entries, places)
  local n, each = e.n, writer.each_of(e)
  local what = {STATES = tostring(n), ENTRIES = tostring(math.max(#entries, 1)), PLACES = tostring(places), NAME_rates = name .. "_rates",
    -- If a condition may change between two iterations, fast convergence in the last step does not show that one iteration is enough now.
    QUICKEST = e.conditions and "1" or "2.2e-16"}
  for key, x in pairs(RADAU) do what[key] = symbolic.literal(x) end
  local function lines(text) return each(n, filled(text, what)) end
  local function stage(s) return lines(("      z[@] = y[@] + z%d[@];"):format(s)) end
  local function polynomial(s)
    return ("%s * (c1[@] + (%s - (C2 - 1)) * (c2[@] + (%s - (C1 - 1)) * c3[@]))"):format(s, s, s)
  end
  local transformed = "w1[@] = B11 * z1[@] + B12 * z2[@] + B13 * z3[@], w2[@] = B21 * z1[@] + B22 * z2[@] + B23 * z3[@], " ..
    "w3[@] = B31 * z1[@] + B32 * z2[@] + B33 * z3[@];"
  local texts = {
    FROM_LAST = lines(("      z1[@] = %s, z2[@] = %s, z3[@] = %s;\n      %s"):format(polynomial "s1", polynomial "s2",
      polynomial "ratio", transformed)),
    FROM_ZERO = lines "      z1[@] = z2[@] = z3[@] = w1[@] = w2[@] = w3[@] = 0;",
    EACH_SCALE = each(n, "    scale[@] = ATOL(@) + rtol * fabs(y[@]);"),
    EACH_Z1 = stage(1), EACH_Z2 = stage(2), EACH_Z3 = stage(3),
    EACH_RIGHT = lines([[
      {
        const f64 g1 = f1[@], g2 = f2[@], g3 = f3[@];
        f1[@] = B11 * g1 + B12 * g2 + B13 * g3 - real * w1[@];
        f2[@] = B21 * g1 + B22 * g2 + B23 * g3 - re * w2[@] + im * w3[@];
        f3[@] = B31 * g1 + B32 * g2 + B33 * g3 - re * w3[@] - im * w2[@];
      }]]),
    EACH_SIZE = lines "      size += (f1[@] * f1[@] + f2[@] * f2[@] + f3[@] * f3[@]) / (scale[@] * scale[@]);",
    EACH_NEXT = lines([[
      w1[@] += f1[@], w2[@] += f2[@], w3[@] += f3[@];
      z1[@] = T11 * w1[@] + T12 * w2[@] + T13 * w3[@], z2[@] = T21 * w1[@] + T22 * w2[@] + T23 * w3[@], z3[@] = T31 * w1[@] + w2[@];]]),
    EACH_LEFT = lines "      f2[@] = (E1 * z1[@] + E2 * z2[@] + E3 * z3[@]) / step, f3[@] = f2[@] + rate[@];",
    EACH_ERROR = lines "        error += (f3[@] / scale[@]) * (f3[@] / scale[@]);",
    EACH_CORRECTED = lines "        z[@] = y[@] + f3[@];",
    EACH_AGAIN = lines "        f3[@] = f1[@] + f2[@];",
    EACH_END = lines "      z[@] = y[@] + z3[@];",
    EACH_READY = lines([[
    c1[@] = (z2[@] - z3[@]) / (C2 - 1);
    c2[@] = ((z1[@] - z2[@]) / (C1 - C2) - c1[@]) / (C1 - 1);
    c3[@] = c2[@] - ((z1[@] - z2[@]) / (C1 - C2) - z1[@] / C1) / C2;]]),
  }
  for key, text in pairs(texts) do what[key] = text end
  local function named_text(text) return (filled(text, what):gsub("NAME", name)) end
  local begin = named_text(RADAU_BEGIN) .. step_text.first_step(e, name, "rate")
  local ready = named_text(RADAU_READY)
  return step_text.step_row(e, name, row, {order = 4, kept = 18 * n + #entries + 3 * places, begin = begin, step = named_text(RADAU_STEP),
    ready = ready, redo = "        before = 0;", dense = filled("z[@] + (part - 1) * (c1[@] + (part - 1 - (C2 - 1)) * (c2[@] + (part - 1 - (C1 - 1)) * c3[@]))", what),
    rtol = "0.1 * pow(a->tolerance[0], 0.75)", atol = "(a->atol[k] * rtol / a->tolerance[0])",
    accept = each(n, "    y[@] = z[@];") .. ("\n    if (!over) {\n      %s_jacobian(t, p, y, J);\n      %s_rates(t, p, y, rate);%s\n    }")
      :format(name, name, e.conditions and "\n      if (found) before = 0;" or "")})
end

return method_text
