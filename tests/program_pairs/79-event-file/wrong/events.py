from dataclasses import dataclass

import numpy as np

DTYPE = np.dtype([("run", "i4"), ("channel", "i4"), ("time", "f8"), ("energy", "f8")])


@dataclass(frozen=True)
class Cut:
    threshold: float
    channels: tuple

    def apply(self, ev):
        return ev[(ev["energy"] > self.threshold) & np.isin(ev["channel"], self.channels)]


def read_run(run, n=4000):
    """Later runs were taken with a shorter exposure and a weaker source."""
    rng = np.random.default_rng(run)
    ev = np.zeros(n, dtype=DTYPE)
    ev["run"] = run
    ev["channel"] = rng.integers(0, 16, n)
    ev["time"] = np.sort(rng.random(n))
    ev["energy"] = rng.random(n) * (3.0 if run < 4 else 0.9)
    return ev
