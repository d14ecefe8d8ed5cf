import numpy as np
from mpi4py import MPI

from writers import WriterGroup


def simulate(rank, steps=50):
    u = np.sin(np.linspace(0, 3, 40) + rank)
    for _ in range(steps):
        u[1:-1] = 0.5 * u[1:-1] + 0.25 * (u[2:] + u[:-2])
    return u


def main() -> None:
    world = MPI.COMM_WORLD
    if world.size < 2:
        raise SystemExit("two ranks or more")
    writers = WriterGroup(world)
    u = simulate(world.rank)
    writers.write(u)
    world.Barrier()
    writers.close()


if __name__ == "__main__":
    main()
