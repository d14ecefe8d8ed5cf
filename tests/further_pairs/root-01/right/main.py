import numpy as np
from mpi4py import MPI


def fit(seed):
    """Random search for the slope of a noisy line."""
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 1, 50)
    y = 3.0 * x + 0.01 * np.cos(40 * x)
    slopes = rng.uniform(2.0, 4.0, size=30)
    errors = [float(np.abs(y - s * x).max()) for s in slopes]
    best = int(np.argmin(errors))
    return errors[best], float(slopes[best])


def main():
    comm = MPI.COMM_WORLD
    error, slope = fit(seed=comm.rank)
    errors = comm.allgather(error)
    owner = errors.index(min(errors))
    winner = comm.bcast(slope, root=owner)
    used = comm.gather(winner, root=0)
    if comm.rank == 0:
        print(f"best error {min(errors):.5f}, slopes in use {sorted(set(used))}")


if __name__ == "__main__":
    main()
