import numpy as np

MC = 2.5


def catalogue(n, seed, b=1.05):
    rng = np.random.default_rng(seed)
    return MC + rng.exponential(1.0 / (b * np.log(10)), n)


def b_value(mags):
    return np.log10(np.e) / (mags.mean() - MC)


def replicate(mags, seed, k):
    rng = np.random.default_rng([seed, k])
    return b_value(rng.choice(mags, mags.size))
