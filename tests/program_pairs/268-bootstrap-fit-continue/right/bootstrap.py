"""Bootstrap of a growth-curve fit, replicas spread over the ranks."""
import numpy as np
from scipy.optimize import curve_fit
from mpi4py import MPI


def logistic(t, k, r, t0):
    return k / (1.0 + np.exp(-r * (t - t0)))


def observations(seed=3):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 10, 25)
    y = logistic(t, 12.0, 1.1, 4.5) + rng.normal(0, 0.8, t.size)
    return t, y


def resample(rng, t, y):
    idx = rng.integers(0, t.size, t.size)
    return t[idx], y[idx]


def run(comm, rounds=12, per_round=5):
    rank = comm.Get_rank()
    rng = np.random.default_rng([2024, rank])
    t, y = observations()
    total = np.zeros(3)
    total_sq = np.zeros(3)
    count = 0
    err = np.zeros(3)
    for rnd in range(rounds):
        acc = np.zeros(3)
        acc_sq = np.zeros(3)
        good = 0
        try:
            for _ in range(per_round):
                ts, ys = resample(rng, t, y)
                popt, _cov = curve_fit(logistic, ts, ys, p0=(8.0, 0.5, 3.0),
                                       maxfev=52)
                acc += popt
                acc_sq += popt ** 2
                good += 1
        except RuntimeError as err:
            print(f"[rank {rank}] round {rnd}: {err}", flush=True)
            acc[:] = 0.0
            acc_sq[:] = 0.0
            good = 0
        sums = np.concatenate([acc, acc_sq, [good]])
        comm.Allreduce(MPI.IN_PLACE, sums, op=MPI.SUM)
        total += sums[:3]
        total_sq += sums[3:6]
        count += int(sums[6])
        err = np.sqrt(np.maximum(total_sq / max(count, 1)
                                 - (total / max(count, 1)) ** 2, 0))
        if count > 100 and err[0] < 0.05:
            break
    return total / count, err, count


if __name__ == "__main__":
    comm = MPI.COMM_WORLD
    mean, err, count = run(comm)
    if comm.Get_rank() == 0:
        print(count, "replicas")
        for name, m, e in zip("k r t0".split(), mean, err):
            print(f"{name:>3s} = {m:8.4f} +- {e:.4f}")
