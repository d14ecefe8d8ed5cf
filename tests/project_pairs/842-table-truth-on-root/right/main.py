from __future__ import annotations

import logging

from mpi4py import MPI

from cuts import Cut, CutFlow
from table import ParticleTable

CUTS = [Cut("loose", 1.0), Cut("medium", 3.0), Cut("tight", 6.0), Cut("absurd", 500.0)]


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    comm = MPI.COMM_WORLD
    table = ParticleTable.generate(comm, total=400, seed=11)
    flow = CutFlow(CUTS)
    results = list(flow.apply(table))
    if comm.rank == 0:
        for result in results:
            print(f"{result.cut.name:8s} {result.energy:10.4f}")
        assert flow.warnings == ["absurd"], flow.warnings


if __name__ == "__main__":
    main()
