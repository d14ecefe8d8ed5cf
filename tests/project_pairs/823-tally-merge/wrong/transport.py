"""Follow particles until they fall below the cut-off."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics import Particle, catalogue
from tally import TallyBook


@dataclass(frozen=True)
class Source:
    """A beam whose energy grows with the index of the segment."""

    segment: int
    particles: int = 60

    @property
    def energy(self) -> float:
        return 0.6 + 0.7 * self.segment


class Tracker:
    cutoff = 0.05

    def __init__(self, book: TallyBook, seed: int) -> None:
        self.book = book
        self.rng = np.random.default_rng(seed)
        self.models = catalogue()

    def follow(self, particle: Particle) -> None:
        while particle.energy > self.cutoff and particle.weight > 0.01:
            open_models = [m for m in self.models if m.possible(particle)]
            model = open_models[self.rng.integers(len(open_models))]
            model.apply(particle, self.rng)
            self.book.score(model.channel, particle.weight)

    def shoot(self, source: Source) -> None:
        for _ in range(source.particles):
            self.follow(Particle(source.energy))
