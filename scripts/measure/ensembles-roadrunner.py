"""The cases of ensembles-roadrunner.lua by libRoadRunner (pip install libroadrunner), a process a core:
python3 scripts/measure/ensembles-roadrunner.py [a folder of models [instances]]
Seconds are of the simulations alone: each process has its model compiled before."""
import multiprocessing
import os
import sys
import time

import roadrunner

RTOL, ATOL, ROWS = 1e-6, 1e-12, 11
CASES = [
    ("models/BIOMD0000000009.xml", "K_PP_norm_max", 150),
    ("models/BIOMD0000000020.xml", "g_Na", 20),
    ("sbml/T1/00868/00868-sbml-l3v2.xml", None, 50),
    ("sbml/T1/00738/00738-sbml-l3v2.xml", None, 50),
    ("sbml/T1/00259/00259-sbml-l3v1.xml", None, 50),
]


def prepare(path, varied):
    r = roadrunner.RoadRunner(path)
    r.integrator.relative_tolerance, r.integrator.absolute_tolerance = RTOL, ATOL
    names = [n for n in r.model.getGlobalParameterIds() if r.getValue(n) != 0]
    return r, varied if varied in names else (names or list(r.model.getFloatingSpeciesInitConcentrationIds()))[0]


def work(path, varied, stop, part, parts, instances, ready, answer):
    r, name = prepare(path, varied)
    x = r.getValue(name)
    r.simulate(0, stop, ROWS)
    ready.wait()
    begun = time.perf_counter()
    for i in range(part, instances, parts):
        r.resetAll()
        r.setValue(name, x * (0.5 + i / (instances - 1)))
        r.simulate(0, stop, ROWS)
    answer.put(time.perf_counter() - begun)


if __name__ == "__main__":
    data = sys.argv[1] if len(sys.argv) > 1 else "../shared/data"
    instances, parts = int(sys.argv[2]) if len(sys.argv) > 2 else 1000, os.cpu_count()
    print(f"{'model':40} {'instances':>9} {'seconds':>9} {'us/instance':>12}   {parts} processes")
    for file, varied, stop in CASES:
        ready, answer = multiprocessing.Barrier(parts), multiprocessing.Queue()
        path = os.path.join(data, file)
        all_of = [multiprocessing.Process(target=work, args=(path, varied, stop, k, parts, instances, ready, answer)) for k in range(parts)]
        for p in all_of:
            p.start()
        seconds = max(answer.get() for _ in all_of)
        for p in all_of:
            p.join()
        print(f"{os.path.basename(file):40} {instances:9} {seconds:9.3f} {1e6 * seconds / instances:12.1f}")
