import numpy as np
from mpi4py import MPI

SAMPLES_PER_RANK = 20_000


def sample_inside(seed, n):
    rng = np.random.default_rng(seed)
    xy = rng.random((n, 2))
    return int(np.count_nonzero((xy ** 2).sum(axis=1) < 1.0))


def main():
    world = MPI.COMM_WORLD
    me = world.Get_rank()

    inside = sample_inside(1000 + me, SAMPLES_PER_RANK)
    all_inside = world.reduce(inside, op=MPI.SUM, root=0)
    all_samples = SAMPLES_PER_RANK * world.Get_size()

    if me == 0:
        estimate = 4.0 * all_inside / all_samples
        error = abs(estimate - np.pi)
        print(f"pi is about {estimate:.4f}")
        print("error below 0.05:", error < 0.05)


if __name__ == "__main__":
    main()
