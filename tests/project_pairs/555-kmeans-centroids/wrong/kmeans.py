import numpy as np

from reducers import largest, sum_arrays, sum_arrays_everywhere


def nearest(x, centers):
    d = ((x[:, None, :] - centers[None]) ** 2).sum(axis=2)
    label = d.argmin(axis=1)
    return label, d[np.arange(len(x)), label]


class KMeans:
    def __init__(self, comm, clusters, max_iter=50, tol=1e-4, seed=0):
        self.comm = comm
        self.clusters = clusters
        self.max_iter = max_iter
        self.tol = tol
        self.seed = seed
        self.centers = None
        self.inertia = np.inf
        self.iterations = 0

    def _seed_centers(self, x):
        picked = None
        if self.comm.rank == 0:
            rng = np.random.default_rng(self.seed)
            picked = [x[rng.integers(len(x))]]
            while len(picked) < self.clusters:
                _, d = nearest(x, np.array(picked))
                picked.append(x[rng.choice(len(x), p=d / d.sum())])
            picked = np.array(picked)
        return self.comm.bcast(picked, root=0)

    def _assign(self, x):
        label, dist = nearest(x, self.centers)
        sums = np.zeros_like(self.centers)
        np.add.at(sums, label, x)
        counts = np.bincount(label, minlength=self.clusters)
        return sums, counts, dist.sum()

    def _update(self, x):
        sums, counts, inertia = sum_arrays(self.comm, *self._assign(x))
        moved = sums / np.maximum(counts, 1)[:, None]
        moved[counts == 0] = self.centers[counts == 0]
        shift = np.abs(moved - self.centers).max()
        self.centers = moved
        self.inertia = float(inertia)
        return shift

    def fit(self, x):
        self.centers = self._seed_centers(x)
        for self.iterations in range(1, self.max_iter + 1):
            shift = self._update(x)
            if largest(self.comm, shift) < self.tol:
                break
        return self

    def cluster_sizes(self, x):
        _, counts, _ = self._assign(x)
        total = sum_arrays(self.comm, counts)
        return None if total is None else total[0].astype(int)

    def spread(self, x):
        """Mean squared distance to the own center, over all ranks."""
        _, counts, inertia = sum_arrays_everywhere(self.comm, *self._assign(x))
        return float(inertia / counts.sum())
