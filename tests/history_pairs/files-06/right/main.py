import os

import numpy as np
from mpi4py import MPI

FOLDER = "spectra"


def power(comm, modes):
    spectrum = np.zeros(modes)
    for k in range(comm.rank, modes, comm.size):
        rng = np.random.default_rng(k)
        spectrum[k] = float((rng.normal(size=64) ** 2).mean() / (1 + k))
    total = np.empty_like(spectrum)
    comm.Allreduce(spectrum, total, op=MPI.SUM)
    return total


def main():
    comm = MPI.COMM_WORLD
    os.makedirs(FOLDER, exist_ok=True)
    partial = os.path.join(FOLDER, "power.txt.part")
    final = os.path.join(FOLDER, "power.txt")

    spectrum = power(comm, 24)
    if comm.rank == 0:
        np.savetxt(partial, spectrum)
        os.rename(partial, final)
    comm.Barrier()

    back = np.loadtxt(final)
    same = comm.reduce(bool(np.allclose(back, spectrum)), op=MPI.LAND, root=0)
    if comm.rank == 0:
        print("modes:", len(back), "same on all ranks:", bool(same))


if __name__ == "__main__":
    main()
