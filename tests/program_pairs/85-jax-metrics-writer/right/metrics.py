import json

import jax
import numpy as np
from jax.experimental import multihost_utils


class MetricsWriter:
    """Collects scalars and appends them to a JSON-lines file on process 0."""

    def __init__(self, path):
        self.path = path
        self.buffer = {}

    def add(self, **scalars):
        for key, value in scalars.items():
            self.buffer.setdefault(key, []).append(float(value))

    def flush(self, step):
        local = {k: np.mean(v) for k, v in self.buffer.items()}
        self.buffer.clear()
        everyone = multihost_utils.process_allgather(local)
        if jax.process_index() != 0:
            return
        row = {"step": step}
        for key in sorted(everyone):
            values = np.atleast_1d(everyone[key])
            row[key] = float(values.mean())
            row[key + "_max"] = float(values.max())
        with open(self.path, "a") as fh:
            fh.write(json.dumps(row) + "\n")
        print(row, flush=True)
