import logging
import sys

import numpy as np
from mpi4py import MPI

from burgers import Burgers
from config import merged, parse_overrides
from mesh import Mesh1D


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if comm.rank == 0 else logging.WARNING)
    cfg = merged(parse_overrides(sys.argv[1:]))
    mesh = Mesh1D(comm, **cfg["mesh"])
    solver = Burgers(mesh, cfg)
    every = cfg["output"]["every"]

    def progress(s, dt):
        if s.steps % every == 0:
            logging.info("step %4d  t=%.4f  dt=%.2e", s.steps, s.t, dt)

    solver.observers.append(progress)
    start = mesh.integral(solver.u)
    steps = solver.run()
    end = mesh.integral(solver.u)
    times = comm.gather(solver.t, root=0)
    if comm.rank == 0:
        print(f"{steps} steps, integral {start:.6f} -> {end:.6f}")
        print("times", np.round(times, 6).tolist())


if __name__ == "__main__":
    main()
