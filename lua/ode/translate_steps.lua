-- b:steps_text: translates bytecode into the text of one kernel that makes many steps on a CPU (kernels/ode/ode_steps.h). Its
-- operations, and their order, are those of the kernels of b:translate, but vector instructions compute several instances of an
-- equation at once.

local bytecode = import "ode/bytecode"
local translate_layout = import "ode/translate_layout"
local translate_parts = import "ode/translate_parts"

local WORTH = 24000 -- least number of instructions per step that are worth one more thread

local STORES = {functions = "made[TARGET] = VALUE;", euler = "to[TARGET] = from[TARGET] + h * VALUE;", rk4 = "to[TARGET] = VALUE;"}

local function write_part(t, out, part, store, turn)
  local loops = #part > 1 or t.cells > 1
  local before, within, write = translate_parts.part_text(t, part, store)
  local function put(form, ...) out[#out + 1] = form:format(...) end
  put "  {"
  if loops then
    local n = t.cells > 1 and "p->cells" or #part
    put("    const u32 first = ode_first(p, %s, %d), last = ode_last(p, %s);", n, turn, n)
  end
  for _, line in ipairs(before) do put("    %s", line) end
  if t.cells > 1 and #part > 1 then put("    ODE_EACH (u64 i = 0; i < %d; i++)", #part) end
  if loops then
    put("    ODE_LANES (u64 %s = first; %s < last; %s++) {", table.unpack(t.cells > 1 and {"c", "c", "c"} or {"i", "i", "i"}))
  end
  local indent = loops and "      " or "    "
  for _, line in ipairs(within) do put("%s%s", indent, line) end
  write(out, indent)
  if loops then put "    }" end
  put "  }"
end

local function write_phase(t, name, units, store)
  local out, singles, turn = {}, {}, 0
  local function put(form, ...) out[#out + 1] = form:format(...) end
  for _, u in ipairs(units) do
    for _, part in ipairs(translate_layout.parts(u, t.within, t.made)) do
      turn = turn + 1
      write_part(t, #part == 1 and t.cells == 1 and singles or out, part, store, turn)
    end
  end
  if #singles > 0 then
    put "  if (p->grid->me == 0) {"
    table.move(singles, 1, #singles, #out + 1, out)
    put "  }"
  end
  if #out == 0 then return nil end
  table.insert(out, 1, ("static void %s(const ode_part *p) {"):format(name))
  table.insert(out, 2, "  const f64 *restrict const still = p->still, *restrict const from = p->from, h = p->h;")
  table.insert(out, 3, ("  f64 *restrict const made = p->made, *restrict const to = p->to;"))
  table.insert(out, 4, "  const u32 *const entry = p->entry; const f64 *const factor = p->factor;")
  table.insert(out, 5, "  (void)still, (void)from, (void)h, (void)made, (void)to, (void)entry, (void)factor;")
  put "}"
  return table.concat(out, "\n")
end

local FOOT = [[
static void NAME_phases(const ode_part *p) {
  (void)p;
%s}
CPU_LIBRARY(NAME) {
  const ode_steps_model m = {%d, %d, %d, %s, %s, NAME_phases, NAME_rates};
  ODE_STEPS(L, a, count, &m)
}
]]

--- b:steps_text(method, name): returns a table. Field text: the source of a row `name` that makes steps by euler or rk4. The other fields
--- are arguments of this row: slot, entry and factor (lists), space (length of the buffer work), team (the most threads that are useful).
function bytecode:steps_text(method, name)
  local s, _, instructions = translate_parts.many_text(self, method, name, {what = "b:steps_text", header = "ode/ode_steps.h",
    domain = 'CPU_LIBRARY, "made"', shape = "", stores = STORES, width = "p->cells", phase = write_phase,
    none = "static void NAME_rates(const ode_part *p) { (void)p; }", foot = FOOT, copies = 5})
  s.team = math.max(1, instructions // WORTH)
  return s
end
