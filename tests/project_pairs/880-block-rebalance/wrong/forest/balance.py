from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Move:
    name: str
    number: int
    level: int
    source: int
    target: int


class Balancer(ABC):
    @abstractmethod
    def assign(self, catalogue, nprocs):
        """New owner for every entry of the catalogue."""

    def plan(self, forest):
        """The set of moves that leads to the new owners."""
        catalogue = forest.catalogue()
        owners = self.assign(catalogue, forest.comm.size)
        return {Move(name, number, level, old, new)
                for (name, number, level, old), new in zip(catalogue, owners)
                if old != new}


class CurveBalancer(Balancer):
    """Cuts the space-filling curve into pieces of nearly equal work."""

    def assign(self, catalogue, nprocs):
        work = [2 ** level for _, _, level, _ in catalogue]
        total, done, owners = sum(work), 0.0, []
        for w in work:
            owners.append(min(nprocs - 1, int((done + 0.5 * w) * nprocs / total)))
            done += w
        return owners
