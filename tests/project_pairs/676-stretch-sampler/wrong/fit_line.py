"""mpirun -n 4 python fit_line.py [nsteps]

Fits slope, intercept and log-scatter of a line.
"""
import sys

import numpy as np
from mpi4py import MPI

from stretch import StretchSampler

TRUE = np.array([1.7, -0.4, np.log(0.3)])

data = np.random.default_rng(77)
X = np.sort(data.uniform(-2, 2, 60))
Y = TRUE[0] * X + TRUE[1] + data.normal(scale=np.exp(TRUE[2]), size=X.size)


def logp(theta):
    m, c, ls = theta
    if not (-10 < m < 10 and -10 < c < 10 and -5 < ls < 3):
        return -np.inf
    r = (Y - m * X - c) * np.exp(-ls)
    return float(-0.5 * (r @ r) - X.size * ls)


def main():
    comm = MPI.COMM_WORLD
    nsteps = max(int(sys.argv[1]), 20) if len(sys.argv) > 1 else 1500
    walkers = 24
    start = TRUE + 0.05 * np.random.default_rng(3).normal(size=(walkers, 3))

    sampler = StretchSampler(comm, logp, walkers, 3)
    chain = sampler.run(start, nsteps)
    flat = chain[nsteps // 4:].reshape(-1, 3)

    # log-probabilities kept by the sampler against fresh ones
    fresh = np.array([logp(p) for p in sampler.x])
    off = float(np.abs(fresh - sampler.lp).max())

    if comm.Get_rank() == 0:
        print(f"acceptance {sampler.acceptance:.3f}")
        for name, m, s, t in zip(("slope", "icept", "lnsig"), flat.mean(axis=0),
                                 flat.std(axis=0), TRUE):
            print(f"{name}: {m:+.4f} +- {s:.4f}   (true {t:+.4f})")
        print(f"stored log-probabilities off by {off:.2e}")


if __name__ == "__main__":
    main()
