import numpy as np
from mpi4py import MPI


class KMeans:
    """Lloyd iterations; points are distributed, centres are replicated."""

    def __init__(self, k, comm=MPI.COMM_WORLD, iters=15):
        self.k, self.comm, self.iters = k, comm, iters
        self.centres = None

    def _init_centres(self, pts):
        first = self.comm.bcast(pts[: self.k].copy() if self.comm.rank == 0 else None)
        self.centres = first

    def _assign(self, pts):
        d = ((pts[:, None, :] - self.centres[None]) ** 2).sum(-1)
        return d.argmin(1), d.min(1).sum()

    def fit(self, pts):
        self._init_centres(pts)
        dim = pts.shape[1]
        sums = np.zeros((self.k, dim))
        counts = np.zeros(self.k)
        for _ in range(self.iters):
            label, _ = self._assign(pts)
            my_sums = np.zeros_like(sums)
            np.add.at(my_sums, label, pts)
            my_counts = np.bincount(label, minlength=self.k).astype(float)
            self.comm.Reduce(my_sums, sums, op=MPI.SUM, root=0)
            self.comm.Reduce(my_counts, counts, op=MPI.SUM, root=0)
            self.centres = sums / np.maximum(counts, 1.0)[:, None]
        return self

    def inertia(self, pts):
        _, local = self._assign(pts)
        return self.comm.allreduce(float(local), op=MPI.SUM)


def blobs(comm, n_local=300, k=4):
    rng = np.random.default_rng(100 + comm.rank)
    centres = np.array([[0, 0], [6, 0], [0, 6], [6, 6]], float)[:k]
    which = rng.integers(0, k, n_local)
    which[:k] = np.arange(k)
    return centres[which] + rng.normal(scale=0.6, size=(n_local, 2))


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    points = blobs(comm)
    model = KMeans(4).fit(points)
    j = model.inertia(points)
    if comm.rank == 0:
        print(f"inertia per point: {j / (len(points) * comm.size):.4f}")
        print(np.round(model.centres[np.lexsort(model.centres.T)], 2))
