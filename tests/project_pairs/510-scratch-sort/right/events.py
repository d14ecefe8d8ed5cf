import numpy as np

EVENT = np.dtype([("run", "i4"), ("id", "i8"), ("mass", "f8"), ("pt", "f8")])


def generate(n, rank, settings):
    rng = np.random.default_rng([settings.seed, rank])
    out = np.zeros(n, dtype=EVENT)
    out["run"] = 1000 + rank
    out["id"] = np.arange(n) + rank * n
    signal = rng.random(n) < 0.2
    out["mass"] = np.where(signal, rng.normal(91.2, 2.5, n), rng.exponential(45.0, n))
    out["pt"] = rng.gamma(2.0, 15.0, n)
    return out


def bucket_of(mass, settings):
    width = settings.mass_max / settings.buckets
    return np.clip((mass / width).astype(int), 0, settings.buckets - 1)
