"""Variational ansatz optimised until a wall-clock budget is used up."""
import argparse
import os
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


class Budget:
    """Asks whether the batch system still leaves time for another step."""

    def __init__(self, seconds):
        self.start = time.monotonic()
        self.seconds = seconds

    def used(self):
        return time.monotonic() - self.start

    def exhausted(self):
        over = np.array(self.used() > self.seconds)
        return bool(multihost_utils.broadcast_one_to_all(over))


class Sampler:
    """Draws positions for a trial wave function; each process supplies its own walkers."""

    def __init__(self, mesh, walkers):
        self.sharding = NamedSharding(mesh, P("walkers"))
        self.rng = np.random.default_rng([5, jax.process_index()])
        self.walkers = walkers

    def __call__(self, alpha):
        x = self.rng.standard_normal(self.walkers) / np.sqrt(4.0 * alpha)
        return jax.make_array_from_process_local_data(self.sharding, x.astype(np.float32))


@jax.jit
def energy_and_slope(alpha, x):
    local = alpha + x ** 2 * (0.5 - 2 * alpha ** 2)
    dlog = -x ** 2
    e = local.mean()
    slope = 2 * ((local * dlog).mean() - e * dlog.mean())
    return e, slope


def optimise(sampler, budget, alpha, lr, max_steps):
    trace = []
    for step in range(max_steps):
        if budget.exhausted():
            break
        e, slope = energy_and_slope(alpha, sampler(alpha))
        alpha = float(alpha - lr * slope)
        trace.append(float(e))
    return alpha, trace


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--seconds", type=float, default=10.0)
    ap.add_argument("--max-steps", type=int, default=100_000)
    ap.add_argument("--walkers", type=int, default=512)
    args = ap.parse_args()
    budget = Budget(args.seconds)
    jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"],
                               int(os.environ["NUM_PROCESSES"]), int(os.environ["PROCESS_ID"]))
    mesh = Mesh(np.array(jax.devices()), ("walkers",))
    sampler = Sampler(mesh, args.walkers)
    alpha, trace = optimise(sampler, budget, 0.9, 0.1, args.max_steps)
    spread = np.ptp(multihost_utils.process_allgather(np.array([alpha])))
    if jax.process_index() == 0:
        energy = np.mean(trace[-20:]) if trace else np.nan
        print(f"alpha {alpha:.4f} energy {energy:.4f} after {len(trace)} steps, spread {spread:.1e}")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
