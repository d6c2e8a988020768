-- b:grid_text: translates bytecode into the text of one kernel that makes many steps on CUDA (kernels/ode/ode_grid.h). Its operations,
-- and their order, are those of the kernels of b:translate. In a phase each thread has an instance of an equation, and neighbouring
-- threads access neighbouring elements (lua/ode/translate_layout.lua).

local bytecode = import "ode/bytecode"
local translate_layout = import "ode/translate_layout"
local translate_parts = import "ode/translate_parts"

local WARP = 32
local THREADS = 1024 -- maximum number of threads per block
local STORES = {functions = "made[TARGET] = VALUE;", euler = "to[TARGET] = from[TARGET] + p->target.h * VALUE;",
  rk4 = "to[TARGET] = ode_state(&p->target, from[TARGET], TARGET, VALUE);"}

-- Writes a part of a phase, for the threads from part.begin on.
local function write_part(t, out, part, store, indent)
  local before, within, write = translate_parts.part_text(t, part, store)
  local threads = #part * t.cells
  local some = threads % WARP ~= 0
  local function put(form, ...) out[#out + 1] = indent .. form:format(...) end
  if some then
    put("if (t < %d) {", part.begin + threads)
    indent = indent .. "  "
  end
  if t.cells > 1 then put("const u32 c = (t - %d) %% %d;", part.begin, t.cells) end
  if #part > 1 then put(t.cells > 1 and "const u32 i = (t - %d) / %d;" or "const u32 i = t - %d;", part.begin, t.cells) end
  for _, list in ipairs {before, within} do
    for _, line in ipairs(list) do put("%s", line) end
  end
  write(out, indent)
  if some then out[#out + 1] = indent:sub(3) .. "}" end
end

-- Writes the selection of a thread's part, by bisection; all threads of a warp have the same part.
local function write_choice(t, out, parts, first, last, store, indent)
  if first == last then return write_part(t, out, parts[first], store, indent) end
  local middle = (first + last + 1) // 2
  out[#out + 1] = ("%sif (t < %d) {"):format(indent, parts[middle].begin)
  write_choice(t, out, parts, first, middle - 1, store, indent .. "  ")
  out[#out + 1] = indent .. "} else {"
  write_choice(t, out, parts, middle, last, store, indent .. "  ")
  out[#out + 1] = indent .. "}"
end

-- Returns the text of a phase (nil if there is nothing to compute), and its number of threads.
local function write_phase(t, name, units, store)
  local parts, threads = {}, 0
  for _, u in ipairs(units) do
    for _, part in ipairs(translate_layout.parts(u, t.within, t.made)) do
      parts[#parts + 1] = part
      part.begin = threads
      threads = threads + (#part * t.cells + WARP - 1) // WARP * WARP
    end
  end
  if #parts == 0 then return nil, 0 end
  local out = {("LS_INLINE void %s(const ode_point *p) {"):format(name),
    "  const f64 *const still = p->still, *const from = p->from;",
    "  f64 *const made = p->made, *const to = p->to;",
    "  const u32 *__restrict__ const entry = p->entry;",
    "  const f64 *__restrict__ const factor = p->factor;",
    "  (void)still, (void)from, (void)made, (void)to, (void)entry, (void)factor;",
    ("  ODE_EACH_THREAD (t, %d) {"):format(threads)}
  write_choice(t, out, parts, 1, #parts, store, "    ")
  out[#out + 1] = "  }\n}"
  return table.concat(out, "\n"), threads
end

local FOOT = [[
LS_INLINE void NAME_phases(const ode_point *p) {
  (void)p;
%s}
GRID_BODY(NAME) {
  UNUSED_BODY;
  const ode_grid_model m = {%d, %d, %d, %s, %s};
  ODE_GRID(a, count, grid, &m, NAME_phases, NAME_rates)
}
]]

--- b:grid_text(method, name): returns a table. Field text: the source of a row `name` that makes steps by euler or rk4. The other fields
--- are arguments of this row: slot, entry and factor (lists), space (length of the buffer work), team (the useful number of threads).
function bytecode:grid_text(method, name)
  local s, threads = translate_parts.many_text(self, method, name, {what = "b:grid_text", header = "ode/ode_grid.h", domain = 'GRID, "team"',
    shape = ("SHAPE(NAME, %d, 1)\n"):format(THREADS), stores = STORES, width = tostring(self.cells), phase = write_phase,
    none = "LS_INLINE void NAME_rates(const ode_point *p) { (void)p; }", foot = FOOT, copies = 4})
  s.team = math.max(WARP, threads)
  return s
end
