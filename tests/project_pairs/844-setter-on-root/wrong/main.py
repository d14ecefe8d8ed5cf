from __future__ import annotations

import logging

import numpy as np
from mpi4py import MPI

from control import Limits, StepControl
from ode import Oscillators


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    control = StepControl(comm, Limits(), first=0.01)
    seen: list[float] = []
    control.subscribe(seen.append)
    system = Oscillators(comm, count=8, control=control)
    progress = system.integrate(end=1.0, tolerance=1e-3)
    off = float(np.abs(system.y - np.exp(-system.rate)).max(initial=0.0))
    off = comm.allreduce(off, op=MPI.MAX)
    steps = comm.allgather(progress.steps)
    if comm.rank == 0:
        print(f"steps {steps}, {len(seen)} changes, error {off:.2e}")
        assert off < 1e-2 and len(set(steps)) == 1


if __name__ == "__main__":
    main()
