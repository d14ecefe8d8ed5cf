"""Random-restart fit of a lens profile to a noisy rotation curve."""
import numpy as np
from mpi4py import MPI

from lensfit.model import chi2, synthetic
from lensfit.search import ParallelSearch


def main():
    comm = MPI.COMM_WORLD
    radius, speed = synthetic()
    search = ParallelSearch(comm, lambda p: chi2(p, radius, speed))
    value, params = search.run(starts_per_rank=25, sweeps=200)

    agreed = comm.allgather(tuple(np.round(params, 12)))
    again = chi2(params, radius, speed)
    if comm.rank == 0:
        print("best chi2  %.5f" % value)
        print("parameters", np.round(params, 4))
    assert len(set(agreed)) == 1
    assert abs(again - value) < 1e-9, "parameters do not belong to the best value"


if __name__ == "__main__":
    main()
