import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class FitConfig:
    rows: int = 320
    features: int = 10
    teacher_steps: int = 40
    student_steps: int = 40
    rate: float = 0.2
    seed: int = 13
    cache: str = "cache"

    def fingerprint(self):
        text = ",".join(f"{k}={v}" for k, v in sorted(asdict(self).items()))
        return f"{hash(text) & 0xffffffffff:010x}"

    def stage_folder(self, stage):
        return Path(self.cache) / f"{stage}-{self.fingerprint()}"


@dataclass(frozen=True)
class ClusterConfig:
    address: str
    processes: int
    index: int

    @classmethod
    def from_env(cls):
        return cls(os.environ.get("COORDINATOR", "127.0.0.1:29800"),
                   int(os.environ.get("NUM_PROCESSES", "2")),
                   int(os.environ.get("PROCESS_ID", "0")))
