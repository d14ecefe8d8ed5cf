import time

import numpy as np


class StripStats:
    """Numbers of the strips over time."""

    def __init__(self, comm):
        self.comm = comm
        self.records = []
        self._clock = time.perf_counter()

    def snapshot(self, sweep, strip, acceptance):
        now = time.perf_counter()
        entry = {
            "rank": self.comm.rank,
            "m": strip.magnetisation(),
            "acceptance": acceptance,
            "seconds": now - self._clock,
        }
        self._clock = now
        rows = self.comm.gather(entry, root=0)
        self.records.append((sweep, rows))
        return rows


def column(rows, key):
    return np.array([row[key] for row in rows])


def imbalance(rows):
    t = column(rows, "seconds")
    return float(t.max() / t.mean())


def spread(rows):
    m = column(rows, "m")
    return float(m.max() - m.min())
