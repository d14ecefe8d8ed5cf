import numpy as np
from mpi4py import MPI

from migration import exchange_particles

LENGTH = 1.0


def main():
    comm = MPI.COMM_WORLD
    width = LENGTH / comm.size
    rng = np.random.default_rng(30 + comm.rank)
    x = (comm.rank + rng.random(200)) * width
    v = rng.normal(scale=0.3, size=200)
    for _ in range(5):
        x = (x + 0.1 * v) % LENGTH
        owner = np.minimum((x / width).astype(int), comm.size - 1)
        x, v = exchange_particles(comm, owner, x, v)
    numbers = comm.gather(x.size, root=0)
    if comm.rank == 0:
        print("particles", sum(numbers), "per rank", numbers)


if __name__ == "__main__":
    main()
