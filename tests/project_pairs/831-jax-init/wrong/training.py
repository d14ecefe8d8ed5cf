"""Synchronous gradient descent; every process holds all parameters."""
from __future__ import annotations

from dataclasses import dataclass

import jax
import jax.numpy as jnp

from network import Network, Params
from parallel import process_mean


@dataclass(frozen=True)
class TrainConfig:
    widths: tuple[int, ...] = (4, 16, 1)
    seed: int = 3
    steps: int = 25
    rate: float = 0.05
    batch: int = 32


class SyncTrainer:
    def __init__(self, cfg: TrainConfig) -> None:
        self.cfg = cfg
        self.network = Network(cfg.widths)
        self.params = self.network.initial(cfg.seed)
        self._grad = jax.jit(jax.grad(self._loss))

    def _loss(self, params: Params, x: jax.Array) -> jax.Array:
        target = jnp.sum(x, axis=1, keepdims=True)
        return jnp.mean((self.network.apply(params, x) - target) ** 2)

    def _batch(self, step: int) -> jax.Array:
        key = jax.random.PRNGKey(step * jax.process_count() + jax.process_index())
        return jax.random.normal(key, (self.cfg.batch, self.cfg.widths[0]))

    def _update(self, p: jax.Array, g: jax.Array) -> jax.Array:
        return p - self.cfg.rate * g

    def train(self) -> Params:
        for step in range(self.cfg.steps):
            gradient = process_mean(self._grad(self.params, self._batch(step)))
            self.params = jax.tree.map(self._update, self.params, gradient)
        return self.params
