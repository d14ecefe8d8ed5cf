from dataclasses import dataclass

import numpy as np


@dataclass
class Design:
    x: np.ndarray
    y: np.ndarray
    cost: np.ndarray


def response(x):
    return np.sin(2.0 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.5 * x[:, 1] ** 2


def make_design(cfg, comm):
    """Own points of the design; the numbers differ by at most one."""
    if cfg.points < comm.size:
        raise ValueError("every rank needs a point")
    rng = np.random.default_rng(cfg.seed)
    x = rng.uniform(-1.0, 1.0, (cfg.points, cfg.inputs))
    cost = rng.uniform(0.5, 1.5, cfg.points)
    mine = np.array_split(np.arange(cfg.points), comm.size)[comm.rank]
    return Design(x[mine].astype(np.float32), response(x[mine]).astype(np.float32),
                  cost[mine].astype(np.float32))
