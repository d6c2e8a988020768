"""The cases of ensembles.lua by JAX and diffrax, on the same GPU: python3 scripts/measure/ensembles-diffrax.py
Dormand and Prince's method and Kvaerno's of order 5, in f64, an instance a lane of vmap. Seconds are the least of three runs
behind one that compiles, the result waited for."""
import time

import diffrax
import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)


def lorenz(t, y, rho):
    return jnp.stack([10 * (y[1] - y[0]), y[0] * (rho - y[2]) - y[1], y[0] * y[1] - y[2] * (8 / 3)])


def lotka_volterra(t, y, a):
    eaten = y[0] * y[1]
    return jnp.stack([a * y[0] - 0.1 * eaten, 0.05 * eaten - y[1]])


def robertson(t, y, slow):
    a, b, c = slow * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]
    return jnp.stack([b - a, a - b - c, c])


CASES = [
    ("Lorenz", lorenz, [1.0, 1.0, 1.0], (20, 30), 10.0, 1000000, diffrax.Dopri5),
    ("Lotka-Volterra", lotka_volterra, [10.0, 5.0], (1, 2), 20.0, 1000000, diffrax.Dopri5),
    ("Robertson", robertson, [1.0, 0.0, 0.0], (0.04, 0.04), 1e5, 10000, diffrax.Kvaerno5),
]

print(f"{'model':<16} {'instances':>9} {'method':<8} {'rtol':>6} | {'seconds':>9} {'steps each':>12}")
for name, rates, start, (low, high), stop, instances, solver in CASES:
    parameters = jax.random.uniform(jax.random.key(7), (instances,), minval=low, maxval=high, dtype=jnp.float64)
    for rtol in (1e-3, 1e-6):
        def one(p):
            r = diffrax.diffeqsolve(diffrax.ODETerm(rates), solver(), 0.0, stop, None, jnp.array(start), p, max_steps=1 << 20,
                                    saveat=diffrax.SaveAt(t1=True), throw=False,
                                    stepsize_controller=diffrax.PIDController(rtol=rtol, atol=rtol * 1e-3))
            return r.ys[-1], r.stats["num_accepted_steps"]

        run = jax.jit(jax.vmap(one))
        best = None
        for k in range(4):
            began = time.perf_counter()
            ys, steps = jax.block_until_ready(run(parameters))
            seconds = time.perf_counter() - began
            if k > 0 and (best is None or seconds < best):
                best = seconds
        print(f"{name:<16} {instances:>9} {solver.__name__:<8} {rtol:6.0e} | {best:9.4f} {float(steps.mean()):12.1f}", flush=True)
