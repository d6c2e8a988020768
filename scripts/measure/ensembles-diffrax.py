"""The cases of ensembles.lua by JAX and diffrax, on the same GPU:

   python3 scripts/measure/ensembles-diffrax.py [build/lockstep [a folder of models [seconds [part [case]]]]]

Dormand and Prince's method and Kvaerno's of order 5, in f64, an instance a lane of vmap. With lockstep given, also the models
whose equations it writes for JAX (equations-jax.lua): Luo and Rudy's, and three of SBML in the folder (../shared/data). Seconds
are the least of four runs, or of the first ones until one takes 20 s, of what was compiled before, the result waited for; a run
that takes more than 40 s is ended, and its process with it. When
`seconds` (150) are over, what is left is left out. part: of all instances, 1. case: that one alone.

A case takes XLA minutes to compile, on one core. So that cases may be compiled side by side, a process each, a process that has
compiled waits for the lock of the file $LOCK, if it is set, before it runs anything on the GPU.
"""
import contextlib
import fcntl
import os
import subprocess
import sys
import threading
import time

import diffrax
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
LONGEST = 20.0
MOST = 40.0
lockstep = sys.argv[1] if len(sys.argv) > 1 else None
data = sys.argv[2] if len(sys.argv) > 2 else "../shared/data"
limit = float(sys.argv[3]) if len(sys.argv) > 3 else 150.0
part = float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
only = sys.argv[5] if len(sys.argv) > 5 else None
here = os.path.dirname(os.path.abspath(__file__))
started = time.perf_counter()


def lorenz(t, y, rho):
    return jnp.stack([10 * (y[1] - y[0]), y[0] * (rho - y[2]) - y[1], y[0] * y[1] - y[2] * (8 / 3)])


def lotka_volterra(t, y, a):
    eaten = y[0] * y[1]
    return jnp.stack([a * y[0] - 0.1 * eaten, 0.05 * eaten - y[1]])


def robertson(t, y, slow):
    a, b, c = slow * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return jnp.stack([b - a, a - b - c, c])


def written(path, varied):
    """The equations that lockstep writes of a model: rates, first values, the value of what is varied, sizes of tolerances."""
    text = subprocess.run([lockstep, "--backend", "cpu", os.path.join(here, "equations-jax.lua"), path, varied], check=True, capture_output=True, text=True)
    names = {"jnp": jnp}
    exec(text.stdout, names)
    return names["rates"], names["start"], names["value"], names["size"]


CASES = [
    ("Lorenz", lorenz, [1.0, 1.0, 1.0], (20, 30), 10.0, 1000000, diffrax.Dopri5, 1e-3, None),
    ("Lotka-Volterra", lotka_volterra, [10.0, 5.0], (1, 2), 20.0, 1000000, diffrax.Dopri5, 1e-3, None),
    ("Robertson", robertson, [1.0, 0.0, 0.0], (0.04, 0.04), 1e5, 10000, diffrax.Kvaerno5, 1e-3, None),
]
MODELS = [  # last but one: relative tolerance; last: the longest step, so that no stimulus is stepped over
    ("BIOMD0000000020", os.path.join(data, "models/BIOMD0000000020.xml"), "g_Na", 20.0, diffrax.Dopri5, 1e-3, None),
    ("00259-sbml-l3v1", os.path.join(data, "sbml/T1/00259/00259-sbml-l3v1.xml"), "k2", 50.0, diffrax.Kvaerno5, 1e-9, None),
    ("Luo-Rudy", os.path.join(here, "../../samples/models/luo-rudy-1991.ode"), "-", 500.0, diffrax.Kvaerno5, 1e-3, 5.0),
    ("BIOMD0000000009", os.path.join(data, "models/BIOMD0000000009.xml"), "K_PP_norm_max", 150.0, diffrax.Kvaerno5, 1e-3, None),
]
for called, path, varied, stop, solver, least, longest in MODELS if lockstep else []:
    if only not in (None, called):
        continue
    if os.path.exists(path):
        rates, start, value, size = written(path, varied)
        CASES.append((called, rates, start, (0.5 * value, 1.5 * value) if varied != "-" else (1, 1), stop, 100000, solver,
                      [least * x for x in size], longest))
    else:
        print(f"left out {path}, which is not there")


def measure(name, rates, start, low, high, stop, instances, solver, least, longest):
    """A case with both tolerances, which are an argument, so that both are compiled at once."""
    def one(p, rtol):
        r = diffrax.diffeqsolve(diffrax.ODETerm(rates), solver(), 0.0, stop, None, jnp.array(start, dtype=jnp.float64), p,
                                max_steps=1 << 20, saveat=diffrax.SaveAt(t1=True), throw=False,
                                stepsize_controller=diffrax.PIDController(rtol=rtol, atol=rtol * jnp.array(least), dtmax=longest))
        return r.ys[-1], r.stats["num_accepted_steps"]

    began = time.perf_counter()
    parameters = jax.random.uniform(jax.random.key(7), (instances,), minval=low, maxval=high, dtype=jnp.float64)
    run = jax.jit(jax.vmap(one, (0, None))).lower(parameters, 1e-3).compile()
    print(f"{name:<16} compiled in {time.perf_counter() - began:.0f} s", flush=True)
    with held():
        tell(name, instances, solver, lambda rtol: run(parameters, rtol))


@contextlib.contextmanager
def held():
    """Holds the lock, if there is one."""
    path = os.environ.get("LOCK")
    if not path:
        yield
        return
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def at_most(seconds, words):
    """Ends the process with these words when so many seconds are over."""
    def end():
        print(words, flush=True)
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.start()
    yield
    timer.cancel()


def tell(name, instances, solver, run):
    """The lines of a case."""
    for rtol in (1e-3, 1e-6):
        head = f"{name:<16} {instances:>9} {solver.__name__:<8} {rtol:6.0e} | "
        if time.perf_counter() - started > limit:
            print(f"{head}left out: {limit:.0f} s are over")
            continue
        best = None
        for _ in range(4):
            began = time.perf_counter()
            with at_most(MOST, f"{head}more than {MOST:.0f} s"):
                _, steps = jax.block_until_ready(run(rtol))
            seconds = time.perf_counter() - began
            best = seconds if best is None else min(best, seconds)
            if seconds > LONGEST:
                break
        print(f"{head}{best:9.4f} {float(steps.mean()):12.1f}", flush=True)


print(f"{'model':<16} {'instances':>9} {'method':<8} {'rtol':>6} | {'seconds':>9} {'steps each':>12}   {jax.devices()[0].device_kind}")
for name, rates, start, (low, high), stop, instances, solver, least, longest in CASES:
    if only not in (None, name):
        continue
    measure(name, rates, start, low, high, stop, max(100, int(instances * part)), solver, least, longest)
