import json
from pathlib import Path

import numpy as np
from jax.experimental import multihost_utils

from cluster import is_main_process


class Callback:
    def on_step_end(self, step, metrics):
        pass

    def on_train_end(self):
        pass


class CallbackList(Callback):
    def __init__(self, *callbacks):
        self.callbacks = callbacks

    def on_step_end(self, step, metrics):
        for cb in self.callbacks:
            cb.on_step_end(step, metrics)

    def on_train_end(self):
        for cb in self.callbacks:
            cb.on_train_end()


class MetricWriter(Callback):
    """Writes the metrics of every n-th step, averaged over the processes, as JSON lines."""

    def __init__(self, path, every=10):
        self.path = Path(path)
        self.every = every
        self.file = self.path.open("w") if is_main_process() else None

    def _mean_over_processes(self, metrics):
        stacked = multihost_utils.process_allgather({k: np.float32(v) for k, v in metrics.items()})
        return {k: float(np.mean(v)) for k, v in stacked.items()}

    def on_step_end(self, step, metrics):
        if step % self.every:
            return
        row = self._mean_over_processes(metrics)
        if self.file is None:
            return
        self.file.write(json.dumps({"step": step, **row}) + "\n")
        self.file.flush()
        print(f"step {step:3d}  " + "  ".join(f"{k} {v:.5f}" for k, v in row.items()), flush=True)

    def on_train_end(self):
        if self.file is not None:
            self.file.close()


class NaNGuard(Callback):
    def on_step_end(self, step, metrics):
        bad = [k for k, v in metrics.items() if not np.isfinite(v)]
        if bad:
            raise FloatingPointError(f"step {step}: {', '.join(bad)} not finite")
