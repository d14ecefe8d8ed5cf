import numpy as np
from mpi4py import MPI

N_POINTS, N_CLUSTERS = 40, 3


def assign(points, centres):
    distance = np.abs(points[:, None] - centres[None, :])
    return distance.argmin(axis=1).astype(np.int32)


def collect(comm):
    sizes = np.zeros(N_CLUSTERS, dtype=np.int64)
    labels = np.zeros(N_POINTS, dtype=np.int64)
    for source in range(1, comm.size):
        comm.Recv(labels, source=source, tag=2)
        for k in range(N_CLUSTERS):
            sizes[k] += np.count_nonzero(labels == k)
    return sizes


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("at least two ranks, please")
    centres = np.array([-2.0, 0.0, 2.0])
    if comm.rank == 0:
        print("cluster sizes", [int(s) for s in collect(comm)])
    else:
        points = np.random.default_rng(comm.rank).normal(scale=2.0, size=N_POINTS)
        comm.Send(assign(points, centres), dest=0, tag=2)


if __name__ == "__main__":
    main()
