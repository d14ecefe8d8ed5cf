"""Interaction models; each one is registered under its channel name."""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Callable, ClassVar

import numpy as np


@dataclass
class Particle:
    energy: float
    weight: float = 1.0


class Interaction(ABC):
    registry: ClassVar[dict[str, Callable[[], "Interaction"]]] = {}
    channel: ClassVar[str]
    threshold: ClassVar[float] = 0.0

    def __init_subclass__(cls) -> None:
        Interaction.registry[cls.channel] = cls

    def possible(self, particle: Particle) -> bool:
        return particle.energy > self.threshold

    @abstractmethod
    def apply(self, particle: Particle, rng: np.random.Generator) -> None: ...


class Scatter(Interaction):
    channel = "scatter"

    def apply(self, particle: Particle, rng: np.random.Generator) -> None:
        particle.energy *= rng.uniform(0.5, 1.0)


class Absorb(Interaction):
    channel = "absorb"

    def apply(self, particle: Particle, rng: np.random.Generator) -> None:
        particle.weight *= 0.7


class PairCreation(Interaction):
    channel = "pair"
    threshold = 1.022

    def apply(self, particle: Particle, rng: np.random.Generator) -> None:
        particle.energy = (particle.energy - self.threshold) / 2.0
        particle.weight *= 2.0


def catalogue() -> list[Interaction]:
    return [factory() for factory in Interaction.registry.values()]
