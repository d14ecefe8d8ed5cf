import numpy as np
from mpi4py import MPI

from gas import Box, bunch, drift
from migrate import Migration, PARTICLE


def collect(grid, particles):
    """All particles on all ranks, by identity."""
    counts = np.array(grid.allgather(len(particles))) * PARTICLE.itemsize
    everyone = np.empty(counts.sum() // PARTICLE.itemsize, PARTICLE)
    grid.Allgatherv([particles.view("u1"), MPI.BYTE],
                    [everyone.view("u1"), counts.tolist(), None, MPI.BYTE])
    return everyone[np.argsort(everyone["id"])]


def evolve(comm, n, steps=60):
    box = Box(12.0, comm.size)
    grid = comm.Create_cart([comm.size], periods=[True])
    everyone = bunch(n, box, seed=n)
    particles = everyone[box.slab(everyone["x"]) == grid.rank]
    migrate = Migration(grid)
    least, most = n, 0
    for step in range(steps):
        drift(particles, 0.25, box)
        particles = migrate(particles, [box.way(grid.rank, x) for x in particles["x"]])
        if step % 15 == 14:
            numbers = grid.allgather(len(particles))
            assert sum(numbers) == n
            least, most = min(least, *numbers), max(most, *numbers)
    result = collect(grid, particles)
    rounds = grid.bcast(sorted(migrate.log.items()), root=0)
    assert rounds == sorted(migrate.log.items())
    grid.Free()
    return result, rounds, (least, most)


def main():
    comm = MPI.COMM_WORLD
    for n in (150, 5):
        result, rounds, spread = evolve(comm, n)
        reference, _, _ = evolve(MPI.COMM_SELF, n)
        assert np.array_equal(result, reference)
        if comm.rank == 0:
            print(f"n={n} mean x {result['x'].mean():.8f} rounds {dict(rounds)} spread {spread}")


if __name__ == "__main__":
    main()
