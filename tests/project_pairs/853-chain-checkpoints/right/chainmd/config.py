from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunConfig:
    workdir: Path
    n_atoms: int = 3000
    n_steps: int = 60
    dt: float = 0.02
    anharmonic: float = 0.25
    temperature: float = 0.05
    checkpoint_every: int = 20
    keep: int = 2
    track_from: float = 0.8     # atoms behind this fraction are tracked
    seed: int = 31
