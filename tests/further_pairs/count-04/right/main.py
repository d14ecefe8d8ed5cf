import numpy as np
from mpi4py import MPI


def centres_of_mass(comm: MPI.Intracomm, pos: np.ndarray) -> np.ndarray:
    mine = pos.mean(axis=0)
    everyone = np.empty((comm.size, pos.shape[1]))
    comm.Allgather(mine, everyone)
    return everyone


def pull(pos, centres, strength=0.05):
    towards = centres.mean(axis=0) - pos
    return pos + strength * towards


def main() -> None:
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank)
    pos = rng.normal(loc=comm.rank, size=(100, 3))
    for _ in range(10):
        pos = pull(pos, centres_of_mass(comm, pos))
    spread = comm.allreduce(float(pos.std(axis=0).sum()))
    if comm.rank == 0:
        print(f"spread {spread / comm.size:.5f}")


main()
