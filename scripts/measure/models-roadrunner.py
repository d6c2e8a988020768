"""Models of SBML by lockstep and by libRoadRunner (pip install libroadrunner), both with CVODE, one after the other.

   python3 scripts/measure/models-roadrunner.py build/lockstep STOP MODEL.xml...

Seconds from 0 to STOP with 1000 intervals, the best of seven runs, loading and compiling left out; relative tolerance 1e-8,
absolute 1e-12. What differs is the largest difference of a floating species' concentration at the end, over the larger.
"""
import json
import subprocess
import sys
import time

import roadrunner

ROUNDS, ROWS, RTOL, ATOL = 7, 1000, 1e-8, 1e-12

LUA = """
local path, stop, species = arg[1], tonumber(arg[2]), {table.unpack(arg, 3)}
local m = model.load(path)
for _, engine in ipairs {"cvode", "dopri5"} do
  local o = {stop = stop, steps = %d, rtol = %g, atol = %g, method = engine, variables = species, concentration = species}
  local best, r = math.huge, nil
  for _ = 1, %d do
    local begun = trace.clock()
    local fine, why = pcall(simulate, m, o)
    if not fine then r = nil break end
    r, best = why, math.min(best, trace.clock() - begun)
  end
  local out = {}
  for i, name in ipairs(species) do out[i] = r and ('"%%s": %%.17g'):format(name, r[name][#r.t - 1]) end
  print(('{"method": "%%s", "seconds": %%s, "ends": {%%s}}'):format(engine, r and ("%%.17g"):format(best) or "null", table.concat(out, ", ")))
end
""" % (ROWS, RTOL, ATOL, ROUNDS)


def by_roadrunner(path, stop):
    r = roadrunner.RoadRunner(path)
    r.setIntegrator("cvode")
    r.getIntegrator().setValue("relative_tolerance", RTOL)
    r.getIntegrator().setValue("absolute_tolerance", ATOL)
    names = list(r.model.getFloatingSpeciesIds())
    r.timeCourseSelections = ["time"] + ["[%s]" % n for n in names]
    best = float("inf")
    for _ in range(ROUNDS):
        r.resetAll()
        begun = time.perf_counter()
        rows = r.simulate(0, stop, ROWS + 1)
        best = min(best, time.perf_counter() - begun)
    return best, dict(zip(names, (float(x) for x in rows[-1][1:])))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    lockstep, stop, paths = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    print("%-34s %12s %12s %12s %10s" % ("model", "RoadRunner s", "CVODE s", "dopri5 s", "differs"))
    for path in paths:
        theirs, ends = by_roadrunner(path, stop)
        done = subprocess.run([lockstep, "--backend", "cpu", "/dev/stdin", path, str(stop), *ends], input=LUA, text=True,
                              capture_output=True)
        if done.returncode:
            sys.exit("%s: %s" % (path, done.stderr))
        ours = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        differs = max((abs(x - ends[n]) / max(abs(x), abs(ends[n]), ATOL) for n, x in ours[0]["ends"].items()), default=0)
        shown = ["%12.3g" % o["seconds"] if o["seconds"] else "%12s" % "-" for o in ours]
        print("%-34s %12.3g %s %10.1e" % (path.rsplit("/", 1)[-1], theirs, " ".join(shown), differs))


main()
