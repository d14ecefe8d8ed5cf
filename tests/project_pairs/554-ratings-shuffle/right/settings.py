import json
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    users: int = 120
    items: int = 40
    ratings: int = 2400
    rank: int = 3
    reg: float = 0.1
    sweeps: int = 4
    seed: int = 5
    prefix: str = "ratings-"
    scratch: str | None = None

    @classmethod
    def load(cls, path=os.environ.get("RATINGS_SETTINGS")):
        if not path:
            return cls()
        with open(path) as f:
            return cls(**json.load(f))
