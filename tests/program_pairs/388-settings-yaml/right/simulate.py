#!/usr/bin/env python3
# Langevin dynamics of non-interacting particles in a double well.
# Usage: mpiexec -n N simulate.py run.yaml

import sys
import numpy as np
import yaml
from mpi4py import MPI


class Parallel(object):
    """thin wrapper so the rest of the code does not depend on mpi4py"""

    def __init__(self):
        self.comm = MPI.COMM_WORLD
        self.me = self.comm.Get_rank()
        self.np = self.comm.Get_size()

    def is_root(self):
        return self.me == 0

    def share(self, obj):
        return self.comm.bcast(obj, root=0)

    def total(self, x):
        return self.comm.allreduce(x, op=MPI.SUM)


par = Parallel()

DEFAULTS = dict(steps=100, dt=0.005, particles=100, gamma=1.0,
                temperature=1.0, seed=2021)


def read_settings(path):
    """
    Read the yaml file and fill in the defaults.
    """
    settings = None
    if par.is_root():
        with open(path) as fh:
            user = yaml.safe_load(fh) or {}
        unknown = set(user) - set(DEFAULTS)
        if unknown:
            print("ignoring unknown keys:", sorted(unknown), file=sys.stderr)
        settings = dict(DEFAULTS)
        settings.update((k, v) for k, v in user.items() if k in DEFAULTS)
        for k in sorted(settings):
            print("  %-12s = %s" % (k, settings[k]))
    return par.share(settings)


class Langevin:
    def __init__(self, settings):
        self.s = settings
        n = settings["particles"]
        self.n = n // par.np + (1 if par.me < n % par.np else 0)
        self.rng = np.random.default_rng([settings["seed"], par.me])
        self.x = self.rng.choice([-1.0, 1.0], size=self.n)
        self.v = np.zeros(self.n)

    def force(self):
        return -4.0 * self.x * (self.x ** 2 - 1.0)

    def step(self):
        dt, g, T = self.s["dt"], self.s["gamma"], self.s["temperature"]
        noise = np.sqrt(2 * g * T * dt) * self.rng.normal(size=self.n)
        self.v += dt * (self.force() - g * self.v) + noise
        self.x += dt * self.v

    def temperature(self):
        ke = par.total(float((self.v ** 2).sum()))
        return ke / self.s["particles"]

    def right_fraction(self):
        return par.total(int((self.x > 0).sum())) / self.s["particles"]


def run(settings):
    sim = Langevin(settings)
    record = []
    for i in range(settings["steps"]):
        sim.step()
        if (i + 1) % 50 == 0:
            T = sim.temperature()
            record.append((i + 1, T))
            if par.is_root():
                print("step %5d  T=%.4f" % (i + 1, T))
    return sim, record


def main(argv):
    if len(argv) != 2:
        if par.is_root():
            print(__doc__ or "usage: simulate.py run.yaml")
        return 2
    settings = read_settings(argv[1])
    sim, record = run(settings)
    f = sim.right_fraction()
    if par.is_root():
        print("fraction in right well: %.3f" % f)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
