"""Initial conditions: a Plummer-like sphere plus a table of tracked stars."""
import io

import numpy as np

TRACKED = """\
# id   label
3      alpha
40     beta
77     gamma
111    delta
"""


def plummer(n, seed):
    rng = np.random.default_rng(seed)
    r = 1.0 / np.sqrt(rng.uniform(0.02, 0.98, n) ** (-2.0 / 3.0) - 1.0)
    d = rng.normal(size=(n, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    x = r[:, None] * d
    v = rng.normal(scale=0.3, size=(n, 3))
    return x - x.mean(axis=0), v - v.mean(axis=0)


def read_tracked(stream=None):
    table = {}
    for line in stream or io.StringIO(TRACKED):
        line = line.split("#")[0].split()
        if line:
            table[int(line[0])] = line[1]
    return table
