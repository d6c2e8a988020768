/* device(), stats() and trace.* as Lua sees them, with fabricated records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "lua/bind.h"
#include "run/record/trace.h"

static const ls_arg args[] = {{.role = LS_INOUT, .type = LS_W, .name = "dist", .extent = "n"},
                              {.role = LS_COUNT, .type = LS_U32, .name = "improved", .extent = "1"}};
static const ls_prim relax = {.name = "relax_with_a_very_long_name",
                              .domain = LS_EDGE,
                              .args = args,
                              .nargs = 2,
                              .bytes = "",
                              .gathers = ""};
static const ls_prim trim = {.name = "trim", .domain = LS_VERTEX, .bytes = "4*n", .gathers = "0"};

/* fake(n): n records of a millisecond each, two thirds of them of relax, a microsecond apart; a mark after
 * every tenth record, beginning with the first. */
static int fake(lua_State *L) {
  f64 t = 100;
  const char *name = "left";
  for (lua_Integer i = 0; i < luaL_checkinteger(L, 1); i++, t += 1.001e-3) {
    ls_trace_add(&(ls_record){.seq = (u64)i + 1,
                              .prim = i % 3 ? &relax : &trim,
                              .type = LS_F32,
                              .device = ls_device_at(0),
                              .items = 1000000,
                              .begin = t,
                              .host_begin = t,
                              .end = t + 1e-3,
                              .counts = {(u64)i},
                              .bytes = 4e6,
                              .edges = i % 3 ? 1e6 : 0,
                              .where = "scc.lua:18"});
    if (i % 10 == 0) ls_trace_mark((u32)i / 10 + 1, &name, (f64[]){1.0 / (f64)(i + 1)}, 1);
  }
  return 0;
}

/* fake_at(where, n): n records of trim, a millisecond each. */
static int fake_at(lua_State *L) {
  for (lua_Integer i = 0; i < luaL_checkinteger(L, 2); i++) {
    ls_record r = {.prim = &trim, .device = ls_device_at(0), .begin = 200, .host_begin = 200, .end = 200.001};
    snprintf(r.where, sizeof r.where, "%s", luaL_checkstring(L, 1));
    ls_trace_add(&r);
  }
  return 0;
}

/* fake_calls(fresh, ms, ...): records of trim with these times in milliseconds, after a reset. */
static int fake_calls(lua_State *L) {
  ls_trace_reset();
  for (int i = 2; i <= lua_gettop(L); i++)
    ls_trace_add(&(ls_record){.seq = (u64)i,
                              .prim = &trim,
                              .device = ls_device_at(0),
                              .begin = 200 + i,
                              .host_begin = 200 + i,
                              .end = 200 + i + 1e-3 * luaL_checknumber(L, i),
                              .bytes = 1e6,
                              .fresh = lua_toboolean(L, 1)});
  return 0;
}

static lua_State *L;

static int setup(void **state) {
  (void)state;
  setenv("XDG_CACHE_HOME", "/dev/null/none", 1);
  ls_trace_reset();
  ls_trace_enable(true);
  L = luaL_newstate();
  luaL_openlibs(L);
  ls_open_device(L);
  ls_open_trace(L);
  lua_register(L, "fake", fake);
  lua_register(L, "fake_at", fake_at);
  lua_register(L, "fake_calls", fake_calls);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  lua_close(L);
  return 0;
}

static void run(const char *text) {
  if (luaL_dostring(L, text) != LUA_OK) fail_msg("%s", lua_tostring(L, -1));
}

static void devices(void **state) {
  (void)state;
  run("assert(device().name == device.list()[1].name or device().processor == 'cuda')\n"
      "local d = device('cpu:1')\n"
      "assert(d == device() and d.threads == 1 and d.memory > 0 and d.free > 0 and d.lost == false)\n"
      "assert(tostring(d):find('^cpu:1 .+, 1 thread, [%d.]+ GiB$'), tostring(d))\n"
      "assert(tostring(device.list()):find('\\n* cpu:1', 1, true))\n"
      "assert(device('cpu') == device.list()[1] and device(device.list()[2]).name == 'cpu:1')\n"
      "local ok, why = pcall(device, 'gpu')\n"
      "assert(not ok and why:find(\"no device 'gpu'\", 1, true) and why:find('cpu, cpu:1', 1, true))\n"
      "assert(device().name == 'cpu:1')\n"
      "assert(not pcall(function() return device().modell end))\n"
      "assert(not pcall(device, {}) and not pcall(device, 3))\n"
      "device('cpu')");
}

static void comparing(void **state) {
  (void)state;
  run("assert(compare() == false)\n"
      "local a, b = compare('cpu', device('cpu:1'))\n"
      "assert(a.name == 'cpu' and b.name == 'cpu:1' and select('#', compare()) == 2)\n"
      "assert(not pcall(compare, 'cpu') and not pcall(compare, 'cpu', 'cpu') and not pcall(compare, 'cpu', 'gpu'))\n"
      "assert(select(2, compare()) == b)\n"
      "assert(compare(false) == false and compare() == false)\n"
      "device('cpu')");
}

static void limits(void **state) {
  (void)state;
  run("local l = device.limits('cpu:1')\n"
      "assert(l.copy > 1e8 and #l.random == 8 and l.random[1].gather > 0 and l.random[8].bytes > l.random[1].bytes)\n"
      "local text = tostring(l)\n"
      "assert(text:find('copy') and text:find('64 KiB') and text:find('min%-plus f32'))\n"
      "for _, type in ipairs{'f32', 'i32', 'i16', 'f64', 'i64'} do assert(l['minplus_' .. type] > 0 and text:find(type)) end\n"
      "assert(l.multiply_add_f64 > 0 and text:find('multiply%-add f64'))\n"
      "for line in text:gmatch('[^\\n]+') do assert(#line <= 80) end\n"
      "assert(device.list()[2]:limits().copy == l.copy)");
}

static void statistics(void **state) {
  (void)state;
  run("assert(tostring(stats()) == 'nothing has run yet' and #stats() == 0)\n"
      "fake(300)\n"
      "local s = stats()\n"
      "assert(#s == 3 and s[1].kernel:find('^relax') and s[2].kernel == 'trim' and s[3].kernel == '(host gap)')\n"
      "assert(s[1].calls == 200 and math.abs(s[1].total - 0.2) < 1e-9 and math.abs(s[1].median - 1e-3) < 1e-5)\n"
      "assert(math.abs(s[1].edges_per_second - 1e9) < 1e3 and s[2].edges == nil and s[3].device == nil)\n"
      "assert(s[3].calls == 299 and math.abs(s[3].average - 1e-6) < 1e-9)\n"
      "local lines = 0\n"
      "for line in tostring(s):gmatch('[^\\n]+') do lines = lines + 1 assert(#line <= 92, line) end\n"
      "s = stats{by = 'calls'}\n" /* the host gap stays last */
      "assert(s[1].calls == 200 and s[2].calls == 100 and s[3].kernel == '(host gap)')\n"
      "s = stats{by = 'min'}\n"
      "assert(s[1].min >= s[2].min and #stats{by = 'limit'} == 3)\n"
      "s = stats()\n"
      "assert(lines >= 4 and tostring(s):find('relax_with_a_very_long_name ', 1, true))\n"
      "assert(tostring(s):find('1.00G', 1, true) and tostring(s):find('4.00', 1, true))");
}

/* The verdict on a call's time is given only if its times agree, and it names no cause. */
static void verdicts(void **state) {
  (void)state;
  run("device.limits('cpu')\n"
      "local function verdict(...)\n"
      "  fake_calls(...)\n"
      "  local text = tostring(stats{by = 'limit'})\n"
      "  return text:match('\\ntrim has most to gain, [%d.]+ of 1[%d.]+ ms: ([^\\n]+)')\n"
      "end\n"
      "local said = verdict(false, 30, 31, 32, 32, 36)\n"
      "assert(said and said:find('^a call takes 3%d%d%d%d us %(median%); what it touches would take only [%d.]+ us at '\n"
      "  .. 'the limit %(mem: memory in order%)$'), said)\n"
      "assert(not verdict(false, 30) and not verdict(false, 30, 30))\n" /* too few times */
      "assert(not verdict(false, 30, 30, 30, 90))\n"                    /* times that differ too much */
      "assert(not verdict(false, 10, 30, 30, 30, 30))\n"
      "assert(not verdict(true, 30, 31, 32, 32, 36))"); /* every call uses newly allocated memory */
}

static void statistics_as_text(void **state) {
  (void)state;
  run("fake(30)\n"
      "local csv, json = stats{csv = true}, stats{json = true}\n"
      "local head, rows = csv:match('^([^\\n]+)\\n(.*)$')\n"
      "local _, commas = head:gsub(',', '')\n"
      "local n = 0\n"
      "for row in rows:gmatch('[^\\n]+') do n = n + 1 assert(select(2, row:gsub(',', '')) == commas, row) end\n"
      "assert(n == 3 and rows:find('^relax_with_a_very_long_name,cpu,20,'))\n"
      "assert(select(2, json:gsub('\\n', '')) == 3 and json:find('\"calls\":20', 1, true))\n"
      "assert(not pcall(stats, {cvs = true}) and not pcall(stats, 'rest') and not pcall(stats, 7))\n"
      "stats('reset')\n"
      "assert(#stats() == 0 and #trace.last() == 0)");
}

static void statistics_by_line(void **state) {
  (void)state;
  run("assert(#stats{by = 'line'} == 0 and tostring(stats{by = 'line'}):find('no line of a script', 1, true))\n"
      "fake(30) fake_at('a long name, with \"quotes\".lua:7', 60)\n"
      "local s = stats{by = 'line'}\n"
      "assert(#s == 2 and s[1].line:find('quotes', 1, true) and s[2].line == 'scc.lua:18')\n"
      "assert(s[2].calls == 30 and s[2].kernel:find('^relax') and math.abs(s[1].share + s[2].share - 1) < 1e-9)\n"
      "assert(math.abs(s[2].average * 30 - s[2].total) < 1e-12 and s[1].total > s[2].total)\n"
      "for line in tostring(s):gmatch('[^\\n]+') do assert(#line <= 80, line) end\n"
      "assert(tostring(s):find('66.7%', 1, true) and tostring(s):find('\\nscc.lua:18 ', 1, true), tostring(s))\n"
      "local csv, json = stats{by = 'line', csv = true}, stats{by = 'line', json = true}\n"
      "assert(csv:find('^line,kernel,calls,total,average,share\\n\"a long name, with \"\"quotes\"\".lua:7\",\"'), csv)\n"
      "assert(json:find('{\"line\":\"a long name, with \\\\u0022quotes', 1, true), json)\n"
      "assert(select(2, json:gsub('\\n', '')) == 2 and json:find('\"calls\":30,', 1, true))\n"
      "assert(#stats{by = 'kernel'} == #stats())\n"
      "assert(select(2, pcall(stats, {by = 'lin'})):find('got \"lin\"', 1, true))\n"
      "for i = 1, 1200 do fake_at('wide.lua:' .. i, 1) end\n" /* more lines than stats distinguishes */
      "s = stats{by = 'line'}\n"
      "local calls, others = 0\n"
      "for _, row in ipairs(s) do calls = calls + row.calls if row.line == '(other lines)' then others = row end end\n"
      "assert(#s == 1025 and calls == 1290 and others.calls == 178)\n"
      "stats('reset')\n"
      "assert(#stats{by = 'line'} == 0)");
}

static void records(void **state) {
  (void)state;
  run("fake(100)\n"
      "local l = trace.last(3)\n"
      "assert(#l == 3 and l[3].seq == 100 and l[1].seq == 98 and l[2].counts.improved == 98)\n"
      "assert(math.abs(l[3].time - 1e-3) < 1e-9 and l[3].device == 'cpu' and l[3].where == 'scc.lua:18')\n"
      "assert(tostring(l):find('#100 trim 1.00 ms', 1, true) and tostring(l):find('#98 relax', 1, true))\n"
      "assert(#trace.last() == 10 and #trace.last(1000) == 100 and #trace.last(0) == 0)\n"
      "assert(not pcall(trace.last, -1))\n"
      "local n = 0\n"
      "for r in trace.records() do n = n + 1 assert(r.seq == n) end\n"
      "assert(n == 100)\n"
      "trace.keep(20)\n"
      "n = 0\n"
      "for r in trace.records() do\n"
      "  n = n + 1\n"
      "  if n == 5 then fake(18) end\n" /* records that the ring discards during the traversal are skipped */
      "end\n"
      "assert(n > 5 and n < 40, n)\n"
      "assert(not pcall(trace.keep, 1) and not pcall(trace.keep, -1))\n"
      "trace.keep(65536)\n"
      "trace.off() stats('reset') fake(5)\n"
      "assert(not trace.enabled() and #trace.last() == 0 and tostring(stats()):find('trace.on', 1, true))\n"
      "trace.on() fake(5)\n"
      "assert(#trace.last() == 5)");
}

static void series(void **state) {
  (void)state;
  run("fake(50) fake(30)\n"
      "assert(#trace.series() == 1 and trace.series()[1] == 'left')\n"
      "local s = trace.series('left')\n"
      "assert(#s.mark == 3 and s.mark[3] == 3 and s.value[1] == 1 and s.run == 2 and s.time[1] == 0)\n"
      "assert(#trace.series('left', 1).value == 5)\n"
      "assert(not pcall(trace.series, 'left', 9))\n"
      "local ok, why = pcall(trace.series, 'lefd')\n"
      "assert(not ok and why:find('did you mean left?', 1, true))");
}

static void saving(void **state) {
  (void)state;
  run("fake(10)\n"
      "local name = os.tmpname()\n"
      "os.remove(name)\n"
      "for _, e in ipairs {'.json', '.csv', '.jsonl'} do\n"
      "  trace.save(name .. e)\n"
      "  assert(io.open(name .. e):read('a'):find('relax_with_a_very_long_name', 1, true))\n"
      "  os.remove(name .. e)\n"
      "end\n"
      "local ok, why = pcall(trace.save, '/dev/null/x.csv')\n"
      "assert(not ok and why:find('/dev/null/x.csv: cannot create a file there', 1, true))\n"
      "ok, why = pcall(trace.save, 'x.txt')\n"
      "assert(not ok and why:find('.jsonl', 1, true))");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(devices),
                                     TEST(comparing),
                                     TEST(limits),
                                     TEST(statistics),
                                     TEST(verdicts),
                                     TEST(statistics_as_text),
                                     TEST(statistics_by_line),
                                     TEST(records),
                                     TEST(series),
                                     TEST(saving)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
