# Bootstrap particle filter for the usual non-linear growth model.
# Particles are spread over the ranks; resampling moves them between ranks.
import argparse

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()

Q, R = 10.0, 1.0          # process and measurement variance


def propagate(x, t, rng):
    mean = x / 2 + 25 * x / (1 + x ** 2) + 8 * np.cos(1.2 * t)
    return mean + rng.normal(scale=np.sqrt(Q), size=x.shape)


def make_data(steps, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros(1)
    truth, obs = [], []
    for t in range(steps):
        x = propagate(x, t, rng)
        truth.append(x[0])
        obs.append(x[0] ** 2 / 20 + rng.normal(scale=np.sqrt(R)))
    return np.array(truth), np.array(obs)


def effective_size(w):
    """Kish effective sample size of the normalised weights."""
    return 1.0 / comm.reduce(float((w ** 2).sum()), op=MPI.SUM)


def normalise(logw):
    top = comm.allreduce(float(logw.max()), op=MPI.MAX)
    w = np.exp(logw - top)
    return w / comm.allreduce(float(w.sum()), op=MPI.SUM)


def resample(x, w, rng0):
    """Systematic resampling of all particles, done on rank 0."""
    n = len(x)
    allx = np.empty(n * size) if rank == 0 else None
    allw = np.empty(n * size) if rank == 0 else None
    comm.Gather(x, allx, root=0)
    comm.Gather(w, allw, root=0)
    if rank == 0:
        u = (np.arange(n * size) + rng0.random()) / (n * size)
        idx = np.searchsorted(np.cumsum(allw), u)
        allx = allx[np.minimum(idx, n * size - 1)]
    new = np.empty(n)
    comm.Scatter(allx, new, root=0)
    return new


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--particles", type=int, default=2000, help="per rank")
    ap.add_argument("--steps", type=int, default=60)
    ap.add_argument("--threshold", type=float, default=0.5)
    args = ap.parse_args()

    truth, obs = make_data(args.steps, seed=8)
    rng = np.random.default_rng([42, rank])
    rng0 = np.random.default_rng(4242)
    n = args.particles
    x = rng.normal(scale=2.0, size=n)
    logw = np.zeros(n)
    estimates, resamplings = [], 0

    for t, y in enumerate(obs):
        x = propagate(x, t, rng)
        logw += -0.5 * (y - x ** 2 / 20) ** 2 / R
        w = normalise(logw)
        estimates.append(comm.allreduce(float(w @ x), op=MPI.SUM))
        if effective_size(w) < args.threshold * n * size:
            x = resample(x, w, rng0)
            logw = np.zeros(n)
            resamplings += 1
        else:
            logw = np.log(w + 1e-300)

    if rank == 0:
        err = np.abs(np.abs(estimates) - np.abs(truth))
        print("%d particles, %d steps, %d resamplings" % (n * size, args.steps, resamplings))
        print("mean abs. error of |x|: %.3f" % err.mean())


main()
