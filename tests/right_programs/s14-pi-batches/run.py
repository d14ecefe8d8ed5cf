from math import pi

from mpi4py import MPI

from context import active_comm, agreed_entropy, isolated, on, stream
from estimate import estimate


def trial(comm, seed, tolerance, rounds=40):
    with on(comm, seed):
        first = stream.get().random()
        assert len(set(comm.allgather(first))) == comm.size
        return estimate(tolerance, rounds)


def main():
    world = MPI.COMM_WORLD
    world.name = "world"
    halves = world.Split(world.rank % 2, world.rank)
    halves.name = f"half {world.rank % 2}"
    table = {}
    for seed in (11, 12, 11):
        for tolerance in (0.05, 0.02, 1e-9):
            got, used = isolated(trial, world, seed, tolerance)
            assert abs(got.value - pi) < 5.0 * got.error
            assert (used < 0) == (tolerance == 1e-9)
            assert table.setdefault((seed, tolerance), (got, used)) == (got, used)
    assert active_comm.get() == world
    assert agreed_entropy.cache_info().misses == 2

    sub, _ = isolated(trial, halves, 5 + world.rank % 2, 0.03)
    values = dict(world.allgather((halves.name, sub.value)))
    assert len(values) == min(world.size, 2)
    halves.Free()
    if world.rank == 0:
        for (seed, tolerance), (got, used) in table.items():
            print(f"seed {seed} tol {tolerance:g}: {got.value:.5f} +- {got.error:.5f} "
                  f"({got.draws} draws, {abs(used)} rounds)")


if __name__ == "__main__":
    main()
