import numpy as np

HIT = np.dtype([("phi", "f8"), ("eta", "f8"), ("energy", "f8"), ("time", "f8")])


def generate_hits(n, seed):
    rng = np.random.default_rng(seed)
    hits = np.empty(n, dtype=HIT)
    hits["phi"] = rng.uniform(-np.pi, np.pi, n)
    hits["eta"] = rng.normal(scale=1.2, size=n)
    # a hot region around phi = 1
    hits["energy"] = rng.exponential(2.0, n) * (1.0 + (np.abs(hits["phi"] - 1.0) < 0.2))
    hits["time"] = rng.normal(scale=0.4, size=n)
    return hits
