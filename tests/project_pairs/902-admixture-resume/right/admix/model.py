"""EM for Q (individuals x ancestries, on all ranks) and F (own markers x ancestries)."""
import itertools

import numpy as np


class AdmixtureModel:
    def __init__(self, comm, data, ancestries):
        self.comm = comm
        self.g = data.genotypes
        self.f = data.start.copy()
        rng = np.random.default_rng(1)
        self.q = rng.dirichlet(np.full(ancestries, 5.0), size=self.g.shape[1])
        self.loglik = -np.inf

    def em_step(self):
        g, q, f = self.g, self.q, self.f
        p = np.clip(f @ q.T, 1e-9, 1 - 1e-9)
        local_ll = float(np.sum(g * np.log(p) + (2 - g) * np.log(1 - p)))
        up, down = g / p, (2 - g) / (1 - p)
        a = f * (up @ q)
        b = (1 - f) * (down @ q)
        part = q * (up.T @ f + down.T @ (1 - f))
        total = np.empty_like(part)
        self.comm.Allreduce(part, total)
        self.f = np.clip(a / (a + b), 1e-6, 1 - 1e-6)
        self.q = total / total.sum(axis=1, keepdims=True)
        self.loglik = self.comm.allreduce(local_ll)

    def assignment_error(self, truth):
        k = truth.shape[1]
        return min(
            float(np.abs(self.q[:, list(perm)] - truth).mean())
            for perm in itertools.permutations(range(k))
        )
