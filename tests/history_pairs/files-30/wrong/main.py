import numpy as np
from mpi4py import MPI

from store import SnapshotStore


def kick_drift(x, v, dt):
    v = v - dt * np.sin(x)
    return x + dt * v, v


def main():
    world = MPI.COMM_WORLD
    store = SnapshotStore(world, "pendulums/snapshots")
    rng = np.random.default_rng(world.rank)
    x, v = rng.uniform(-1, 1, size=50), np.zeros(50)

    for step in range(1, 101):
        x, v = kick_drift(x, v, 0.02)
        if step % 50 == 0:
            store.write(step, x=x, v=v)

    written = world.reduce(store.written, op=MPI.SUM, root=0)
    if world.rank == 0:
        print("snapshots:", written, "bounded:", bool(np.abs(x).max() < np.pi))


if __name__ == "__main__":
    main()
