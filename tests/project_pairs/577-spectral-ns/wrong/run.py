import sys

from mpi4py import MPI

from diagnostics import EnstrophyLog
from settings import RunSettings
from slab import Slab
from vorticity import VorticitySolver


def main(comm=MPI.COMM_WORLD):
    settings = RunSettings()
    slab = Slab(comm, settings)
    solver = VorticitySolver(slab, settings)
    observe = EnstrophyLog(comm)
    observe(0, solver)
    for step in range(1, settings.steps + 1):
        solver.step()
        if step % settings.every == 0:
            observe(step, solver)
    if not observe.verdict():
        print(f"rank {comm.rank}: enstrophy does not decay", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
