"""Particles in a periodic box, cut into slabs.  Those that leave a slab
migrate; when the load is uneven the cuts are moved (a decision of all)."""
import numpy as np
from mpi4py import MPI

from slabs import Slabs

N, STEPS = 600, 40
PARTICLE = np.dtype([("id", "i8"), ("x", "f8"), ("v", "f8")])


def initial():
    rng = np.random.default_rng(21)
    p = np.zeros(N, dtype=PARTICLE)
    p["id"] = np.arange(N)
    p["x"] = rng.beta(2.0, 6.0, size=N)
    p["v"] = 0.01 * rng.normal(size=N) + 0.004
    return p


def drift(p):
    p["x"] = (p["x"] + p["v"] + 0.002 * np.sin(2 * np.pi * p["x"])) % 1.0


def main():
    comm = MPI.COMM_WORLD
    slabs = Slabs(comm)
    everything = initial()
    mine = everything[slabs.owner(everything["x"]) == comm.rank]

    moves, recuts = 0, 0
    for step in range(STEPS):
        drift(mine)
        mine, moved = slabs.migrate(mine)
        moves += moved
        if step % 5 == 4 and slabs.imbalance(len(mine)) > 1.2:
            slabs.recut(mine["x"])
            mine, moved = slabs.migrate(mine)
            moves += moved
            recuts += 1

    # nobody lost, positions as in the serial run
    ids = comm.gather(mine["id"], root=0)
    xs = comm.gather(mine["x"], root=0)
    moves = comm.reduce(moves, root=0)
    assert np.all(slabs.owner(mine["x"]) == comm.rank)
    if comm.rank == 0:
        for _ in range(STEPS):
            drift(everything)
        ids, xs = np.concatenate(ids), np.concatenate(xs)
        assert np.array_equal(np.sort(ids), np.arange(N))
        np.testing.assert_allclose(xs, everything["x"][ids], atol=1e-12)
    final = slabs.imbalance(len(mine))
    if comm.rank == 0:
        print(f"{moves} migrations, {recuts} recuts, final imbalance {final:.3f}")


if __name__ == "__main__":
    main()
