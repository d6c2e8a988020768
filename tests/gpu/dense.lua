local lim = device.limits()
for k, v in pairs(lim) do if type(v) == "number" and (k:find "minplus" or k:find "multiply_add") then print(k, v) end end
local function timed(f)
  local best
  for round = 1, 3 do
    trace.reset()
    f()
    local first, last, rows = math.huge, 0, {}
    for _, r in ipairs(trace.last(100000)) do
      if r.kernel ~= "fill" then
        first, last = math.min(first, r.begin), math.max(last, r.begin + r.time)
        rows[r.kernel] = (rows[r.kernel] or 0) + 1e3 * r.time
      end
    end
    local ms = 1e3 * (last - first)
    if round > 1 and (not best or ms < best.ms) then best = {ms = ms, rows = rows} end
  end
  return best
end
for _, kind in ipairs {"i16", "i32", "f32", "i64", "f64"} do
  for _, n in ipairs {128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768} do
    if n <= 8192 or kind:sub(2) == "32" or kind == "i16" then
    local D, o = buffer.new(kind, n, n), buffer.new("u32", 1)
    for _, tile in ipairs {64, 128, 256, 512, 1024} do
      if (n <= 1024 or tile >= 256 or (n <= 4096 and tile >= 64)) and (n <= 8192 or tile >= 512) and tile <= math.max(n, 64) then
        for _, positive in ipairs(n == 8192 and {1, 0} or {1}) do
          local ok = true
          local t = timed(function() fill(D, 5) ok = matrix.close(D, n, {tile = tile, positive = positive}) and ok end)
          print(("%s n %5d tile %4d positive %d  ms %9.3f  T/s %6.2f  share %5.1f %%   pivot %.2f cross %.2f rest %.2f %s"):format(kind, n, tile, positive, t.ms,
            n^3 / t.ms * 1e-9, 100 * n^3 / (t.ms * 1e-3) / lim["minplus_" .. kind], t.rows.close_pivot or 0, t.rows.close_cross or 0, t.rows.close_rest or 0, ok and "" or "FLAGGED"))
        end
      end
    end
    D:close()
    end
  end
end
for _, kind in ipairs {"i16", "i32", "f32"} do
  local n = 8192
  local A, B, C, o = buffer.new(kind, n, n), buffer.new(kind, n, n), buffer.new(kind, n, n), buffer.new("u32", 1)
  fill(A, 3) fill(B, 4) fill(C, 100)
  for s = 0, 3 do
    local t = timed(function() multiply(A, B, C, o, n, n, n, s, 1) o[0] = 0 end)
    print(("multiply %s n %d semiring %d ms %.3f T/s %.2f"):format(kind, n, s, t.ms, n^3 / t.ms * 1e-9))
  end
end

-- Wall-clock seconds of successors, and of the out-of-core closure with device memory of two thirds of the matrix's size.
for _, n in ipairs {1024, 4096, 16384} do
  local g = gen.uniform {n = n, m = 8 * n, seed = 1, weights = "i32", lo = 1, hi = 1000}
  local function clocked(f)
    local best
    for _ = 1, 2 do
      local begun = trace.clock()
      f()
      best = math.min(best or math.huge, trace.clock() - begun)
    end
    return best
  end
  local D = fw(g).matrix
  local core = clocked(function() assert(matrix.close(matrix.of(g), n, {positive = 1})) end)
  local edge
  local blocks = clocked(function() edge = fw(g, {memory = n * n * 4 * 2 // 3}).edge end)
  print(("n %5d  in core %.3f s  out of core %.3f s, edge %s  successors %.3f s"):format(n, core, blocks, tostring(edge),
    clocked(function() matrix.successors(g, D) end)))
end
