-- fw.tune's choice of l compared with measurements on a GPU: tuner.lua [SECONDS [all]]; SECONDS per candidate, 0.02 by default. Prints
-- for each case the l that the model chooses, the best measured l, and how much longer the model's l takes. With `all`, it also prints
-- the time of each candidate, and measures values of n that are no powers of two: lua/dense/tuner.lua's constants were fitted to these times.
local each, all = tonumber(arg[1] or 0.02), arg[2] == "all"
local function case(dtype, tile, n)
  local best, times, line = fw.tune(n, {method = "MT", tile = tile, dtype = dtype, seconds = each}), {}, {}
  for i, c in ipairs(best.candidates) do
    times[c.l] = c.seconds
    line[i] = ("%d:%.5f"):format(c.l, 1e3 * c.seconds)
  end
  local model = fw.tune(n, {tile = tile, dtype = dtype})
  local longer = times[model.l] / best.seconds - 1
  print(("tune %s t %2d n %5d  model l %3d  measured l %3d  the model's takes %4.1f %% longer; estimated %.4f ms, measured %.4f%s"):format(dtype,
    tile, n, model.l, best.l, 100 * longer, 1e3 * model.seconds, 1e3 * times[model.l], all and "; " .. table.concat(line, " ") or ""))
  return longer
end
local sizes, sum, most, count, above = {256, 512, 1024, 2048, 4096, 8192, 16384}, 0, 0, 0, 0
if all then sizes = {256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384} end
for _, dtype in ipairs {"i32", "f32"} do
  for _, tile in ipairs {16, 32, 64} do
    for _, n in ipairs(sizes) do
      local longer = case(dtype, tile, n)
      sum, most, count = sum + longer, math.max(most, longer), count + 1
      if longer > 0.03 then above = above + 1 end
    end
  end
end
print(("of %d choices %d take more than 3 %% longer than the best; %.1f %% on average, %.1f %% at most"):format(count, above, 100 * sum / count, 100 * most))
