from __future__ import annotations

import logging

from mpi4py import MPI

from domain import RodConfig
from strips import make_strip


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    comm = MPI.COMM_WORLD
    config = RodConfig()
    strip = make_strip(comm, config)
    history = strip.run()
    heat = comm.reduce(float(strip.u[1:-1].sum()), op=MPI.SUM, root=0)
    if comm.rank == 0:
        logging.info("heat %.6f, last change %.6f after %d steps",
                     heat, history[-1], len(history))


if __name__ == "__main__":
    main()
