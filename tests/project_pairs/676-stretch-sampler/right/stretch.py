"""Affine-invariant ensemble sampler (stretch move), likelihood calls in parallel.

All ranks carry the whole ensemble and make the same proposals; every rank
evaluates its share of the log-probabilities, which are then put together.
"""
import numpy as np
from mpi4py import MPI


class StretchSampler:
    def __init__(self, comm, logp, nwalkers, ndim, a=2.0, seed=None):
        if nwalkers % 2 or nwalkers < 2 * ndim:
            raise ValueError("even number of walkers, at least 2 * ndim")
        self.comm = comm
        self.logp = logp
        self.nwalkers, self.ndim, self.a = nwalkers, ndim, a
        if seed is None:
            seed = comm.bcast(np.random.SeedSequence().entropy, root=0)
        self.rng = np.random.default_rng(seed)
        self.accepted = 0
        self.steps = 0

    def evaluate(self, points):
        rank, size = self.comm.Get_rank(), self.comm.Get_size()
        n = len(points)
        lo, hi = n * rank // size, n * (rank + 1) // size
        mine = [self.logp(p) for p in points[lo:hi]]
        out = []
        for part in self.comm.allgather(mine):
            out.extend(part)
        return np.array(out)

    def _half(self, move, other):
        n = len(move)
        z = ((self.a - 1) * self.rng.random(n) + 1) ** 2 / self.a
        partners = self.x[other][self.rng.integers(len(other), size=n)]
        prop = partners + z[:, None] * (self.x[move] - partners)
        lp = self.evaluate(prop)
        logr = (self.ndim - 1) * np.log(z) + lp - self.lp[move]
        ok = np.log(self.rng.random(n)) < logr
        self.x[move[ok]] = prop[ok]
        self.lp[move[ok]] = lp[ok]
        self.accepted += int(ok.sum())

    def run(self, x0, nsteps):
        self.x = np.array(x0)
        self.lp = self.evaluate(self.x)
        half = self.nwalkers // 2
        first, second = np.arange(half), np.arange(half, self.nwalkers)
        chain = np.empty((nsteps, self.nwalkers, self.ndim))
        for s in range(nsteps):
            self._half(first, second)
            self._half(second, first)
            chain[s] = self.x
        self.steps += nsteps
        return chain

    @property
    def acceptance(self):
        return self.accepted / (self.steps * self.nwalkers)
