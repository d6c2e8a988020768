"""Single models of SBML by lockstep and by libRoadRunner (pip install libroadrunner), both by CVODE on one thread.

   python3 scripts/measure/models-roadrunner.py build/lockstep [a folder of models [pairs]]

Loads and simulations are told apart: libRoadRunner compiles a model when it loads it. Simulations write 1001 rows of all
floating species' concentrations, relative tolerance 1e-8, absolute 1e-12. Both programs stay alive and take turns, each first in
every second pair; seconds are medians, a ratio is the median of the pairs' ratios (ours over theirs). What differs is the largest
difference of a concentration at the end, over the larger.
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import roadrunner

PAIRS, ROWS, RTOL, ATOL = 11, 1000, 1e-8, 1e-12
CASES = [  # file, end, what it is
    ("models/BIOMD0000000009.xml", 150, "the largest, stiff"),
    ("models/BIOMD0000000020.xml", 20, "few states"),
    ("sbml/T1/00868/00868-sbml-l3v2.xml", 50, "three reactions"),
    ("sbml/T1/00738/00738-sbml-l3v2.xml", 50, "four species"),
    ("sbml/T2/01772/01772-sbml-l3v2.xml", 10, "two events"),
]

LUA = """
local path, stop, species = arg[1], tonumber(arg[2]), {table.unpack(arg, 3)}
local function load()
  local begun = trace.clock()
  local m = model.load(path)
  return trace.clock() - begun, m
end
local _, m = load()
local o = {stop = stop, steps = %d, rtol = %g, atol = %g, method = "cvode", variables = species, concentration = species}
local r
for what in io.lines() do
  local seconds
  if what == "load" then seconds = load() else
    local begun = trace.clock()
    r = simulate(m, o)
    seconds = trace.clock() - begun
  end
  local ends = {}
  for i, name in ipairs(r and species or {}) do ends[i] = ('"%%s": %%.17g'):format(name, r[name][#r.t - 1]) end
  print(('{"seconds": %%.17g, "steps": %%d, "ends": {%%s}}'):format(seconds, r and r.steps or 0, table.concat(ends, ", ")))
  io.stdout:flush()
end
""" % (ROWS, RTOL, ATOL)


class Lockstep:
    def __init__(self, program, script, path, stop, names):
        self.process = subprocess.Popen([program, "--backend", "cpu", script, path, str(stop), *names], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                self.last = json.loads(line)
                return self.last["seconds"]
        sys.exit("lockstep ended with %s" % self.process.wait())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class RoadRunner:
    def __init__(self, path, stop):
        self.path, self.stop = path, stop
        self.r = self.load()
        self.names = list(self.r.model.getFloatingSpeciesIds())
        self.r.timeCourseSelections = ["time"] + ["[%s]" % n for n in self.names]

    def load(self):
        r = roadrunner.RoadRunner(self.path)
        r.setIntegrator("cvode")
        r.getIntegrator().setValue("relative_tolerance", RTOL)
        r.getIntegrator().setValue("absolute_tolerance", ATOL)
        return r

    def __call__(self, what):
        if what != "load":
            self.r.resetAll()
        begun = time.perf_counter()
        if what == "load":
            self.load()
        else:
            rows = self.r.simulate(0, self.stop, ROWS + 1)
            self.ends = dict(zip(self.names, (float(x) for x in rows[-1][1:])))
        return time.perf_counter() - begun


def pairs(ours, theirs, what, count):
    for each in (ours, theirs):  # warm-up
        each(what)
    seconds = []
    for k in range(count):
        if k % 2:
            b = theirs(what)
            seconds.append((ours(what), b))
        else:
            seconds.append((ours(what), theirs(what)))
    return [statistics.median(x) for x in zip(*seconds)] + [statistics.median(a / b for a, b in seconds)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, folder = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "../shared/data"
    count = int(sys.argv[3]) if len(sys.argv) > 3 else PAIRS
    print("%-22s %7s %7s %10s %10s %6s %10s %10s %6s %8s  %s" % ("model", "species", "steps", "ours ms", "theirs ms", "ratio",
                                                                 "load ms", "theirs ms", "ratio", "differs", "what"))
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(LUA)
        script.flush()
        for file, stop, what in CASES:
            path = os.path.join(folder, file)
            theirs = RoadRunner(path, stop)
            ours = Lockstep(program, script.name, path, stop, theirs.names)
            run = pairs(ours, theirs, "run", count)
            load = pairs(ours, theirs, "load", count)
            ends = ours.last["ends"]
            differs = max((abs(x - theirs.ends[n]) / max(abs(x), abs(theirs.ends[n]), ATOL) for n, x in ends.items()), default=0)
            print("%-22s %7d %7d %10.3f %10.3f %6.2f %10.3f %10.3f %6.2f %8.1e  %s" % (
                os.path.basename(file)[:22], len(ends), ours.last["steps"], 1e3 * run[0], 1e3 * run[1], run[2],
                1e3 * load[0], 1e3 * load[1], load[2], differs, what))
            ours.close()


main()
