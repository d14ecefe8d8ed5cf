"""A small multilayer perceptron with named layers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Iterator, Mapping

import jax
import jax.numpy as jnp

Params = dict[str, jax.Array]


@dataclass(frozen=True)
class LayerSpec:
    name: str
    rows: int
    cols: int

    @property
    def scale(self) -> float:
        return self.rows**-0.5


class KeyBook:
    """Gives each parameter a random key that depends only on its name."""

    def __init__(self, seed: int) -> None:
        self.base = jax.random.PRNGKey(seed)

    def _label(self, name: str) -> int:
        return hash(name) & 0x7FFFFFFF

    def key(self, name: str) -> jax.Array:
        return jax.random.fold_in(self.base, self._label(name))


class Network:
    def __init__(self, widths: tuple[int, ...]) -> None:
        self.layers = list(self._specs(widths))

    @staticmethod
    def _specs(widths: tuple[int, ...]) -> Iterator[LayerSpec]:
        for number, (rows, cols) in enumerate(zip(widths, widths[1:])):
            yield LayerSpec(f"dense{number}", rows, cols)

    def initial(self, seed: int) -> Params:
        book = KeyBook(seed)
        return {
            s.name: s.scale * jax.random.normal(book.key(s.name), (s.rows, s.cols))
            for s in self.layers
        }

    def apply(self, params: Mapping[str, jax.Array], x: jax.Array) -> jax.Array:
        for spec in self.layers[:-1]:
            x = jnp.tanh(x @ params[spec.name])
        return x @ params[self.layers[-1].name]
