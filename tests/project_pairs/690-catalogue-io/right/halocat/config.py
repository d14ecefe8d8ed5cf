from dataclasses import dataclass


@dataclass(frozen=True)
class CatalogueConfig:
    cells: int
    threshold: float
    snapshots: int
    seed: int
    out: str

    def path(self, snap):
        return self.out.format(snap)
