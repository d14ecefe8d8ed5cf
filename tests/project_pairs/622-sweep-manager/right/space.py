"""Search space of the sweep."""
import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Trial:
    uid: int
    lr: float
    l2: float
    momentum: float
    epochs: int = 25


GRID = {
    "lr": [1e-3, 1e-2, 1e-1, 50.0],
    "l2": [0.0, 1e-3],
    "momentum": [0.0, 0.9],
}


def make_trials():
    keys = sorted(GRID)
    trials = []
    for uid, values in enumerate(itertools.product(*(GRID[k] for k in keys))):
        trials.append(Trial(uid=uid, **dict(zip(keys, values))))
    return trials
