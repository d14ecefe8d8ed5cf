"""Lloyd's k-means on points that are spread over the ranks."""
import sys
from dataclasses import dataclass, field

import numpy as np
from mpi4py import MPI


@dataclass
class KMeans:
    k: int
    comm: MPI.Comm
    max_iter: int = 25
    tol: float = 1e-6
    centers: np.ndarray = field(default=None, repr=False)
    iterations: int = 0

    def _nearest(self, x):
        d2 = ((x[:, None, :] - self.centers[None, :, :]) ** 2).sum(axis=2)
        return d2.argmin(axis=1), d2.min(axis=1)

    def _partial(self, x):
        label, _ = self._nearest(x)
        stats = np.zeros((self.k, x.shape[1] + 1))
        for j in range(self.k):
            members = x[label == j]
            stats[j, :-1] = members.sum(axis=0)
            stats[j, -1] = len(members)
        return stats

    def _start(self, x):
        seeds = x[: self.k].copy() if self.comm.rank == 0 else None
        self.centers = self.comm.bcast(seeds, root=0)

    def fit(self, x):
        self._start(x)
        totals = np.zeros((self.k, x.shape[1] + 1))
        for self.iterations in range(1, self.max_iter + 1):
            self.comm.Reduce(self._partial(x), totals, op=MPI.SUM, root=0)
            size = np.maximum(totals[:, -1:], 1.0)
            moved = totals[:, :-1] / size
            shift = np.abs(moved - self.centers).max()
            self.centers = moved
            if self.comm.allreduce(shift, op=MPI.MAX) < self.tol:
                break
        return self

    def inertia(self, x):
        _, d2 = self._nearest(x)
        return self.comm.allreduce(d2.sum(), op=MPI.SUM)


def make_points(n, seed):
    rng = np.random.default_rng(seed)
    middle = np.array([[3.0, 3.0], [9.0, 4.0], [6.0, 9.0]])
    return middle[rng.integers(0, 3, n)] + rng.normal(0.0, 0.7, (n, 2))


def main():
    comm = MPI.COMM_WORLD
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    points = None
    if comm.rank == 0:
        points = np.array_split(make_points(n, seed=8), comm.size)
    mine = comm.scatter(points, root=0)

    model = KMeans(k=3, comm=comm).fit(mine)
    inertia = model.inertia(mine)
    if comm.rank == 0:
        print(f"{model.iterations} iterations, inertia/point {inertia / n:.4f}")
        for c in sorted(model.centers.tolist()):
            print("  center", np.round(c, 3))


if __name__ == "__main__":
    main()
