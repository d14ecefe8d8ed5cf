import numpy as np


def generate(cfg, rank, size):
    """The slice of the log that this rank reads."""
    rng = np.random.default_rng(cfg.seed)
    u = rng.normal(size=(cfg.users, cfg.rank))
    v = rng.normal(size=(cfg.items, cfg.rank))
    who = rng.integers(0, cfg.users, size=cfg.ratings)
    what = rng.integers(0, cfg.items, size=cfg.ratings)
    noise = 0.2 * rng.normal(size=cfg.ratings)
    for i in range(rank, cfg.ratings, size):
        yield int(who[i]), int(what[i]), float(u[who[i]] @ v[what[i]] + noise[i])
