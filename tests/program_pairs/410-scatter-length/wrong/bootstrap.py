# Bootstrap confidence intervals for the Hubble diagram fit.
# (exercise 5b, parallel version)

import numpy as np
from mpi4py import MPI
from scipy.optimize import curve_fit

N_SN = 80
N_BOOT = 60

world = MPI.COMM_WORLD
size = world.Get_size()
rank = world.Get_rank()


# ------------------------------------------------------------------
# model
# ------------------------------------------------------------------
def mu_model(z, h0, q0):
    c = 299792.458
    dl = c / h0 * (z + 0.5 * (1 - q0) * z ** 2)
    return 5 * np.log10(dl) + 25


def make_data(seed):
    rng = np.random.default_rng(seed)
    z = np.sort(rng.uniform(0.02, 0.4, N_SN))
    err = rng.uniform(0.08, 0.2, N_SN)
    mu = mu_model(z, 70.0, -0.55) + err * rng.normal(size=N_SN)
    return {"z": z, "mu": mu, "err": err}


def fit(z, mu, err):
    p, cov = curve_fit(mu_model, z, mu, p0=[65.0, -0.3], sigma=err)
    return p


# ------------------------------------------------------------------
# parallel things
# ------------------------------------------------------------------
def deal(items, n):
    """like cards: item k goes to hand k % n"""
    hands = []
    for k in range(n):
        hands.append(items[k::n])
    return hands


def plan(nboot):
    """lists of bootstrap seeds, to be scattered"""
    seeds = [10000 + i for i in range(nboot)]
    nhands = size - 1 if size > 1 else 1
    return deal(seeds, nhands)


def one_bootstrap(seed, data):
    rng = np.random.default_rng(seed)
    k = rng.integers(0, N_SN, N_SN)
    return fit(data["z"][k], data["mu"][k], data["err"][k])


def main():
    if rank == 0:
        data = make_data(3)
        best = fit(data["z"], data["mu"], data["err"])
        print("best fit  H0 = %.2f   q0 = %.3f" % tuple(best))
        work = plan(N_BOOT)
    else:
        data = None
        work = None

    data = world.bcast(data, root=0)
    seeds = world.scatter(work, root=0)

    mine = []
    failed = 0
    for s in seeds:
        try:
            mine.append(one_bootstrap(s, data))
        except RuntimeError:
            # curve_fit did not converge
            failed += 1

    collected = world.gather(mine, root=0)
    nfail = world.reduce(failed, root=0)

    if rank == 0:
        p = np.array([q for part in collected for q in part])
        lo, hi = np.percentile(p, [16, 84], axis=0)
        print("%d bootstraps (%d failed)" % (len(p), nfail))
        print("H0  in [%.2f, %.2f]" % (lo[0], hi[0]))
        print("q0  in [%.3f, %.3f]" % (lo[1], hi[1]))
        print("corr %.3f" % np.corrcoef(p.T)[0, 1])


if __name__ == "__main__":
    main()
