-- Answers of other programs: cycle means and ratios.

import "cycles/check"
local algorithm = import "base/algorithm"
local answer = import "base/answer"
local ocm = import("cycles/ocm").ocm
local ocr = import("cycles/ocm").ocr
local proof = import "base/proof"

local OPTIONS = {max = "flag", tolerance = {kind = "number", default = 1e-9}}

-- The value of the cycle through these vertices: of parallel edges the best one is taken.
local function value_of(g, cycle, options, ratio)
  local weight, time = 0, 0
  for i, v in ipairs(cycle) do
    local next, best, spent = cycle[i % #cycle + 1], nil, nil
    for to, w, t in g:edges(v) do
      w, t = w or 1, ratio and t or 1
      if to == next and (not best or (options.max and w > best or not options.max and w < best)) then best, spent = w, t end
    end
    if not best then answer.wrong("the cycle needs an edge %d -> %d, and there is none", v, next) end
    weight, time = weight + best, time + spent
  end
  if #cycle == 0 or time == 0 then answer.wrong("the cycle has no edge%s", time == 0 and #cycle > 0 and " that takes time" or "") end
  return weight / time / g.scale
end

local function kind_of(solve, ratio, word)
  local function solved(g, options)
    local r = solve(g, {max = options.max})
    local why = proof.of.ocm(r)
    if why then error(why, 0) end
    return r
  end
  answer.kinds[ratio and "ocr" or "ocm"] = {
    about = ("the %s of the best cycle: a number, or a table with the field value and optionally cycle, a list of vertices"):format(word),
    options = OPTIONS,
    read = function(g, x, options)
      local whole = type(x) == "table" and (x.value ~= nil or x.cycle ~= nil)
      local value = whole and x.value or not whole and answer.single(x) or nil
      local cycle = whole and x.cycle and answer.listed(x.cycle, g.n, options) or nil
      if value ~= nil and (value ~= value or value == math.huge or value == -math.huge) then value = nil end
      return {value = value, cycle = cycle}
    end,
    prove = function(g, y, options)
      local r = solved(g, options)
      if not r.mean then
        if y.value or y.cycle then return ("the answer is %s, but the graph has no cycle"):format(algorithm.described(y.value or y.cycle)) end
        return nil, proof.edges {graph = g} .. ", and no cycle"
      end
      local low, high = algorithm.weight_range(g)
      local room = options.tolerance * math.max(1, math.max(math.abs(low), math.abs(high)) / g.scale)
      local function differs(what, value)
        if value and math.abs(value - r.mean) <= room then return end
        return ("%s %s, but the %s %s is %.17g"):format(what, value and ("has the %s %.17g"):format(word, value) or "is that there is no cycle",
          options.max and "greatest" or "least", word, r.mean)
      end
      local why = not (y.cycle and not y.value) and differs("the answer", y.value) or
        y.cycle and differs("the answer's cycle", value_of(g, y.cycle, options, ratio))
      if why then return why end
      return nil, ("%s%s; by the potentials of %s no cycle has a %s one"):format(y.cycle and "the cycle has this " or "a cycle has this ", word,
        proof.edges {graph = g}, options.max and "greater" or "lower")
    end,
    run = function(g, options) return solve(g, {max = options.max}) end,
    right = function(g, options)
      local r = solved(g, options)
      return r.mean and ("%.17g, the %s of a cycle of %s"):format(r.mean, word, algorithm.counted(#r.cycle, "edge")) or "no cycle"
    end,
  }
end

kind_of(ocm, false, "mean")
kind_of(ocr, true, "ratio")
