"""Run settings of the calibration."""
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class CalConfig:
    cache_dir: Path
    bands: tuple = ("g", "r", "i")
    shape: tuple = (96, 96)
    n_frames: int = 12
    n_lamp: int = 15
    gain: dict = field(default_factory=lambda: {"g": 1.4, "r": 1.7, "i": 1.5})
    clip_sigma: float = 4.5
    seconds_per_pass: float = 6.0

    def exposure(self, index: int) -> float:
        """Exposure times of the observing programme grow over the night."""
        return 30.0 * (1 + index) ** 2
