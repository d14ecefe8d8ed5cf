"""Hooks that run while a model is trained."""
from __future__ import annotations

import logging
from abc import ABC
from dataclasses import dataclass, field
from pathlib import Path

import jax
import numpy as np
from jax.experimental import multihost_utils

log = logging.getLogger(__name__)


@dataclass
class TrainState:
    step: int
    weights: jax.Array
    losses: list[float] = field(default_factory=list)


class Callback(ABC):
    def on_step(self, state: TrainState) -> None: ...

    def on_end(self, state: TrainState) -> None: ...


class ProgressLog(Callback):
    def on_step(self, state: TrainState) -> None:
        log.info("step %d loss %.5f", state.step, state.losses[-1])


class LossSpread(Callback):
    """Keeps the largest difference of the loss among the processes."""

    def __init__(self) -> None:
        self.history: list[float] = []

    def on_step(self, state: TrainState) -> None:
        losses = multihost_utils.process_allgather(np.float32(state.losses[-1]))
        self.history.append(float(np.ptp(np.asarray(losses))))


class FinalSave(Callback):
    def __init__(self, path: Path) -> None:
        self.path = path

    def on_end(self, state: TrainState) -> None:
        np.save(self.path, np.asarray(state.weights))
