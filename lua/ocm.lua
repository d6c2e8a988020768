-- Optimal cycle mean and ratio by Howard's policy iteration.

ocm = {}

-- The part of the graph whose edges are marked in keep: row offsets, heads, and which edge of the whole each is.
local function part(edges, n, keep, kept)
  local m = #edges.to
  local place = buffer.new("u32", m)
  scan(keep, place)
  local some = {off = buffer.new("u32", n + 1), to = buffer.new("u32", kept), from = buffer.new("u32", kept)}
  keep_edges{to = edges.to, keep = keep, place = place, part_to = some.to, from = some.from}
  keep_rows{off = edges.off, place = place, kept = kept, part_off = some.off}
  return some
end

local function taken(x, from)
  local y = buffer.new(x.dtype, #from)
  gather(x, from, y)
  return y
end

-- Weights as the type that sums are kept in.
local function long(w)
  local make = ({i32 = widen, f32 = widen_real})[w.dtype]
  if not make then return w end
  local y = buffer.new(w.dtype == "i32" and "i64" or "f64", #w)
  make(w, y)
  return y
end

-- The edges that can lie on a cycle: those inside components.
local function inner(g, comp)
  local keep = buffer.new("u32", g.m)
  local kept = inner_flag(g, comp, keep)
  local e
  if kept == g.m then
    e = {off = g.off, to = g.to, w = long(g.w)}
  else
    e = part({off = g.off, to = g.to}, g.n, keep, kept)
    e.w = long(taken(g.w, e.from))
  end
  e.t, e.timed, e.comp = buffer.new(e.w.dtype, 0), 0, comp
  return e
end

-- The transpose, made when the first search needs it.
local function transposed(e)
  if not e.roff then
    e.roff, e.rto = buffer.new("u32", #e.off), buffer.new("u32", #e.to)
    transpose{off = e.off, to = e.to, roff = e.roff, rto = e.rto}
  end
end

local function pick(e, name)
  local t = {}
  for _, arg in ipairs(prim.takes[name]) do t[arg] = e[arg] end
  return t
end

-- Values of the present policy, and how many vertices do not come to a root.
local function follow(s, e)
  policy_links(s, pick(e, "policy_links"))
  policy_sum_fix(s, {comp = e.comp})
  return policy_loose(s, {comp = e.comp})
end

local function passes(n)
  local k = 0
  while 1 << k < n do k = k + 1 end
  return k
end

function ocm.howard(g, options)
  options = options or {}
  local r = scc(g)
  local e = inner(g, r.id)
  local s = state.policy(g, e.w.dtype)
  policy_first(s, pick(e, "policy_first"))
  for it in iterations(s) do
    local loose = follow(s, e)
    local cycles = 0
    if loose > 0 then
      policy_jump_fix(s, {max_iterations = passes(loose)})
      policy_cycles(s, pick(e, "policy_cycles"))
      policy_least_fix(s)
      policy_total(s, pick(e, "policy_total"))
      cycles = policy_vote(s, {comp = e.comp})
      policy_lambda(s, {comp = e.comp})
      if follow(s, e) > 0 then
        policy_border(s, pick(e, "policy_border"))
        transposed(e)
        policy_connect_fix(s, pick(e, "policy_connect_fix"))
        policy_adopt(s, pick(e, "policy_adopt"))
        follow(s, e)
      end
    end
    local improved = policy_improve(s, pick(e, "policy_improve"))
    prim.swap(s.work, s.work_next)
    fill(s.work_next, 0)
    it:mark{improved = improved, cycles = cycles}
    if improved == 0 then break end
  end
  local cyclic = policy_optimum(s, {comp = e.comp})
  if cyclic == 0 then return {state = s} end
  local best = s.optimum[0] - 1
  return {p = s.p[best], q = s.q[best], mean = s.p[best] / s.q[best], state = s, edges = e}
end
