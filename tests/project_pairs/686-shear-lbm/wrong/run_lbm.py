"""Decaying shear wave with a D2Q9 lattice Boltzmann scheme on a periodic box."""
import argparse
import logging
import sys

import numpy as np
from mpi4py import MPI

from lbm.diagnostics import Monitor
from lbm.halo import Halo
from lbm.lattice import Lattice
from lbm.layout import Layout
from lbm.params import Params


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--nx", type=int, default=32)
    ap.add_argument("--ny", type=int, default=36)
    ap.add_argument("--tau", type=float, default=0.8)
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--every", type=int, default=40)
    ap.add_argument("--tolerance", type=float, default=0.02)
    a = ap.parse_args()
    params = Params(a.nx, a.ny, a.tau, a.steps, a.every)

    layout = Layout(params, MPI.COMM_WORLD)
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if layout.rank == 0 else logging.ERROR)
    lattice = Lattice(layout, params)
    halo = Halo(layout)
    monitor = Monitor(layout, params)
    monitor.start(lattice)
    for step in range(1, params.steps + 1):
        lattice.collide()
        halo.update(lattice.f)
        lattice.stream()
        if step % params.every == 0:
            monitor.report(step, lattice)
    error = monitor.decay_error(params.steps, lattice)
    ok = error < a.tolerance and np.isfinite(error)
    if layout.rank == 0:
        print(f"relative decay error {error:.5f}: {'passed' if ok else 'FAILED'}")
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
