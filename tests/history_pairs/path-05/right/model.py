import numpy as np


def epidemic(seed, contacts, people=1000, days=200):
    rng = np.random.default_rng(seed)
    healthy, ill, total = people - 10, 10, 10
    for _ in range(days):
        chance = 1.0 - np.exp(-contacts * ill / people / 3.0)
        new = int(rng.binomial(healthy, chance))
        cured = int(rng.binomial(ill, 1.0 / 3.0))
        healthy, ill, total = healthy - new, ill + new - cured, total + new
    return {"seed": seed, "contacts": contacts, "ill": total}
