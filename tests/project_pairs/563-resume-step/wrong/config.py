import os
from dataclasses import dataclass


@dataclass
class Config:
    dims: int = 10
    rows: int = 40
    first_budget: int = 8
    total_steps: int = 20
    save_every: int = 4
    lr: float = 0.1
    folder: str = "state"
    coordinator: str = "127.0.0.1:23463"

    @classmethod
    def from_env(cls):
        return cls(
            folder=os.environ.get("STATE_FOLDER", cls.folder),
            coordinator=os.environ.get("COORDINATOR", cls.coordinator),
        )
