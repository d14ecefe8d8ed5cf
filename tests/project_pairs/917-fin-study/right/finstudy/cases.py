"""Cases of the parameter study."""
import itertools
from dataclasses import dataclass

CONDUCTIVITIES = (20.0, 60.0, 200.0)
FILM = (10.0, 40.0)


@dataclass(frozen=True)
class Case:
    number: int
    conductivity: float
    film: float
    length: float = 0.1
    thickness: float = 0.004
    base: float = 80.0
    ambient: float = 20.0

    def __post_init__(self):
        if min(self.conductivity, self.film, self.thickness) <= 0:
            raise ValueError(f"case {self.number}: parameters must be positive")

    @property
    def m2(self):
        return 2.0 * self.film / (self.conductivity * self.thickness)


class CaseBook:
    """The case list, as the owner of a team sees it."""

    def __init__(self):
        self._all = [Case(i, k, h) for i, (k, h)
                     in enumerate(itertools.product(CONDUCTIVITIES, FILM))]

    def share(self, team, teams):
        return self._all[team::teams]
