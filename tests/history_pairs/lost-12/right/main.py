import numpy as np
from mpi4py import MPI


def global_moments(comm, values):
    """Mean and standard deviation over the values of all ranks."""
    local = np.array([values.size, values.sum(), (values ** 2).sum()], dtype=np.float64)
    total = np.empty_like(local)
    comm.Allreduce(local, total, op=MPI.SUM)
    n, first, second = total
    mean = first / n
    return mean, np.sqrt(second / n - mean ** 2)


def normalise(comm, values):
    mean, std = global_moments(comm, values)
    return (values - mean) / std


def main():
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank)
    values = rng.normal(loc=10.0 * comm.rank, scale=1.0 + comm.rank, size=400)
    scaled = normalise(comm, values)

    means = comm.gather(float(scaled.mean()), root=0)
    if comm.rank == 0:
        print("mean of all vanishes:", abs(sum(means)) < 1e-9)
        print("order of the ranks is kept:", means == sorted(means))
        print("ranks differ:", max(means) - min(means) > 1.0)


if __name__ == "__main__":
    main()
