import numpy as np
from mpi4py import MPI

BINS = 16


def main() -> None:
    world = MPI.COMM_WORLD
    counts = np.zeros(BINS) if world.rank == 0 else None
    win = MPI.Win.Create(counts, disp_unit=8, comm=world)

    rng = np.random.default_rng(40 + world.rank)
    energies = rng.exponential(1.0, size=5000)
    local = np.histogram(energies, bins=BINS, range=(0.0, 4.0))[0].astype(float)

    win.Lock(0, MPI.LOCK_SHARED)
    win.Accumulate(local, 0, op=MPI.SUM)
    win.Unlock(0)
    world.Barrier()

    win.Lock(world.rank)
    win.Unlock(world.rank)
    if world.rank == 0:
        density = counts / counts.sum()
        print("density:", " ".join(f"{d:.3f}" for d in density))
        win.Free()


if __name__ == "__main__":
    main()
