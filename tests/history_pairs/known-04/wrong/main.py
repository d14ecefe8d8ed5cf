import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
N = 96


def initial_positions(n: int) -> np.ndarray:
    rng = np.random.default_rng(17)
    return rng.normal(size=(n, 3))


def potential(targets: np.ndarray, sources: np.ndarray) -> np.ndarray:
    diff = targets[:, None, :] - sources[None, :, :]
    dist = np.sqrt((diff ** 2).sum(axis=2) + 0.01)
    return -(1.0 / dist).sum(axis=1)


if rank == 0:
    positions = initial_positions(N)
else:
    positions = np.empty((N, 3))
positions = comm.Bcast(positions, root=0)

mine = positions[rank::size]
energy = 0.5 * float(potential(mine, positions).sum())
total = comm.allreduce(energy, op=MPI.SUM)

if rank == 0:
    print(f"bodies: {N}, potential energy {total:.3f}")
