import sys

from mpi4py import MPI

from kmeans import KMeans
from points import Blobs
from summary import print_table


def main():
    comm = MPI.COMM_WORLD
    data = Blobs(clusters=4, dims=3, seed=21).sample(comm.rank, 500 + 40 * comm.rank)
    model = KMeans(comm, clusters=4, max_iter=30, tol=1e-4, seed=8)
    model.fit(data)
    sizes = model.cluster_sizes(data)
    if comm.rank == 0:
        print(f"{model.iterations} iterations, inertia {model.inertia:.3f}")
        print_table(model.centers, sizes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
