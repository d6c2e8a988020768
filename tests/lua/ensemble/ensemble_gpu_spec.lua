-- The generated GPU kernels of ensembles (one thread per instance), compiled for the current processor and compared with the
-- kernels that are generated for that processor.
local ensemble_lanes = import "ensemble/ensemble_lanes"
local ensemble_options = import("ensemble/ensemble_options").ensemble_options
local ensemble_run = import "ensemble/ensemble_run"
local symbolic = import "ode/symbolic"
local M = dofile((arg[0]:match("^(.*)/") or ".") .. "/models.lua")
local near = M.near

-- Runs simulate(m, options) with kernels that are generated for a GPU. Returns the result and the text of the kernels.
local function simulate_as_gpu(m, options)
  local followers, lanes, compiled, here, text = ensemble_options.followers, ensemble_lanes.choose_lanes, ensemble_run.compiled, device, nil
  ensemble_options.followers = function(...)
    device = function() return {processor = "cuda"} end
    return followers(...)
  end
  ensemble_lanes.choose_lanes = function(...)
    device = here
    return lanes(...)
  end
  ensemble_run.compiled = function(...)
    text = ...
    return compiled(...)
  end
  local good, r = pcall(simulate, m, options)
  ensemble_options.followers, ensemble_lanes.choose_lanes, ensemble_run.compiled, device = followers, lanes, compiled, here
  if not good then error(r, 0) end
  return r, text
end

-- A ring of n states with a flow from each to the next; `more` is an additional line of the model.
local function ring(n, drive, more)
  local lines = {"k = 1", "volume = 3", more or ""}
  for i = 0, n - 1 do
    lines[#lines + 1] = ("x%d' = k*x%d/volume*%d - 20*x%d*x%d/volume - x%d^2%s"):format(i, (i + n - 1) % n, 1 + i % 3, i, (i + 1) % n, i,
      i == 0 and drive or "")
    lines[#lines + 1] = ("x%d(0) = %g"):format(i, 1 + i / n)
  end
  return model.from_text(table.concat(lines, "\n") .. "\n")
end

local function same(m, options, error)
  local r, text = simulate_as_gpu(m, options)
  local usual = simulate(m, options)
  equal(#r.failed, 0)
  for _, name in ipairs(usual.names) do
    for row = 0, usual.rows - 1 do
      for i = 0, usual.instances - 1 do near(r[name]:get(row, i), usual[name]:get(row, i), error, error) end
    end
  end
  return text
end

local function options(method)
  return {sweep = {k = {0.5, 1, 2}}, stop = 3, steps = 6, rtol = 1e-9, atol = 1e-12, method = method}
end

describe("the text of an ensemble's kernels for a GPU", function()
  long("computes what the other texts do, whatever a model's size", function()
    local drive = " + 3*cos(5*time)"
    same(ring(5, drive), options "rodas4", 1e-7) -- all values in registers
    for _, method in ipairs {"dopri5", "rodas4", "radau5"} do same(ring(24, drive), options(method), 1e-7) end -- a loop over the stages
    same(ring(70, drive), options "rodas4", 1e-7) -- loops over the stages and over the states
  end)
  long("finds conditions within a step of many states", function()
    same(ring(24, " + {2 if x3 > 0.5; 0 otherwise}"), options "rodas4", 1e-6)
  end)
  long("has statements for each of many states, and a loop over the stages where registers are short", function()
    local text = same(ring(24, ""), options "rodas4", 1e-7)
    for _, name in ipairs {"EACH_STATE", "EACH_VARIED"} do
      local macro = text:match("#define " .. name .. "%(%.%.%.%) ([^\n]*)")
      equal(macro:find "for ", nil)
      equal(select(2, macro:gsub("ENSEMBLE_AT%(", "")), name == "EACH_STATE" and 24 or 1)
    end
    for _, line in ipairs {"BY_THREAD ", "TIMED 0", "STAGES_LOOP 1"} do assert(text:find("\n#define " .. line .. "\n", 1, true), line) end
    local _, small = simulate_as_gpu(ring(3, " + cos(time)"), options "rodas4")
    for _, line in ipairs {"TIMED 1", "STAGES_LOOP 0"} do assert(small:find("\n#define " .. line .. "\n", 1, true), line) end
  end)
end)

describe("a quotient", function()
  local X, constants = {"VARIABLE", 1}, {[2] = 8.0}
  local function of(t)
    local product = symbolic.by_reciprocals(t, function(place) return constants[place] end)
    return symbolic.text(product, function(place) return "v" .. place end)
  end

  it("by a constant is a product in an ensemble's rates", function()
    equal(of {"PLUS_NARY", 1.0, {"DIVIDE", X, 4.0}}, "(1.0 + (v1 * 0.25))")
    equal(of {"DIVIDE", X, {"VARIABLE", 2}}, "(v1 * 0.125)")
    equal(of {"DIVIDE", {"DIVIDE", X, -2.0}, X}, "((v1 * (-0.5)) / v1)")
    local r, text = simulate_as_gpu(ring(3, ""), options "rodas4")
    equal(#r.failed, 0)
    equal(text:match "_rates%(.-\n}":find("/", 1, true), nil)
  end)
  it("stays one where there is no such reciprocal, and where conditions are exact", function()
    equal(of {"DIVIDE", 1.0, 3.0}, "(1.0 / 3.0)")
    equal(of {"DIVIDE", X, 1e-300}, "(v1 / 1e-300)")
    equal(of {"DIVIDE", X, 0.0}, "(v1 / 0.0)")
    equal(of {"DIVIDE", 1.0, X}, "(1.0 / v1)")
    local _, text = simulate_as_gpu(ring(3, " + {2 if x1/volume > 0.5; 0 otherwise}"), options "rodas4")
    equal(select(2, text:match "_rates%(.-\n}":gsub("/ 3%.0", "")) > 0, true)
  end)
end)
