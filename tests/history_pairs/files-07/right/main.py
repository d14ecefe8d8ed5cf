from pathlib import Path

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
out = Path("walkers")
out.mkdir(exist_ok=True)

rng = np.random.default_rng(7 + comm.rank)


def random_walk(steps: int) -> np.ndarray:
    moves = rng.integers(0, 4, size=steps)
    table = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    return np.cumsum(table[moves], axis=0)


squares = []
for number in range(8):
    path = random_walk(400)
    squares.append(float((path[-1] ** 2).sum()))
    np.savetxt(out / f"walk_{comm.rank}_{number}.txt", path, fmt="%d")

mean = comm.allreduce(sum(squares), op=MPI.SUM) / (8 * comm.size)
if comm.rank == 0:
    print("walks:", 8 * comm.size)
    print("diffusive:", 50.0 < mean < 2000.0)
