import numpy as np
from mpi4py import MPI


class KMeans:
    def __init__(self, comm, k, max_iter=50, tol=1e-6):
        self.comm = comm
        self.k = k
        self.max_iter = max_iter
        self.tol = tol
        self.centres = None
        self.inertia = None

    def _seed(self, x):
        centres = None
        if self.comm.rank == 0:
            rng = np.random.default_rng(self.k)
            centres = [x[rng.integers(len(x))]]
            while len(centres) < self.k:
                d2 = ((x[:, None] - np.array(centres)[None]) ** 2).sum(-1).min(1)
                centres.append(x[rng.choice(len(x), p=d2 / d2.sum())])
            centres = np.array(centres)
        self.centres = self.comm.bcast(centres, root=0)

    def assign(self, x):
        d2 = ((x[:, None] - self.centres[None]) ** 2).sum(axis=-1)
        label = d2.argmin(axis=1)
        self.inertia = self.comm.allreduce(d2.min(axis=1).sum())
        return label

    def fit(self, x):
        self._seed(x)
        for _ in range(self.max_iter):
            label = self.assign(x)
            sums = np.zeros((self.k, x.shape[1] + 1))
            np.add.at(sums, label, np.column_stack([x, np.ones(len(x))]))
            self.comm.Allreduce(MPI.IN_PLACE, sums)
            new = sums[:, :-1] / np.maximum(sums[:, -1:], 1)
            moved = np.abs(new - self.centres).max()
            self.centres = new
            if moved < self.tol:
                break
        self.assign(x)
        return self
