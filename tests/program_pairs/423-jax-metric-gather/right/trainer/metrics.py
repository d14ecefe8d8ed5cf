import time
from dataclasses import dataclass, field
from typing import Dict, List

import jax
import numpy as np
from jax.experimental import multihost_utils


@dataclass
class HostMetrics:
    """Things measured on each host: data loading time, number of examples..."""
    values: Dict[str, List[float]] = field(default_factory=dict)
    t0: float = field(default_factory=time.time)

    def add(self, name: str, v: float) -> None:
        self.values.setdefault(name, []).append(float(v))

    def local_means(self) -> np.ndarray:
        return np.array([np.mean(self.values[k]) for k in sorted(self.values)], np.float32)

    def across_hosts(self) -> Dict[str, float]:
        rows = multihost_utils.process_allgather(self.local_means())
        rows = np.atleast_2d(rows)
        return dict(zip(sorted(self.values), rows.mean(axis=0).tolist()))

    def clear(self) -> None:
        self.values.clear()


def fmt(step: int, d: Dict[str, float]) -> str:
    return f"[{step:4d}] " + " ".join(f"{k}={v:.4f}" for k, v in d.items())


def is_chief() -> bool:
    return jax.process_index() == 0
