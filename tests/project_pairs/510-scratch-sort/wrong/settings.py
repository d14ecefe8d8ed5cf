import os
from dataclasses import dataclass


@dataclass
class Settings:
    events_per_rank: int = 6000
    buckets: int = 8
    mass_max: float = 160.0
    seed: int = 99
    scratch: str = "scratch_sort"
    keep_scratch: bool = False

    @classmethod
    def from_env(cls, env=os.environ):
        s = cls()
        for name, cast in (("events_per_rank", int), ("buckets", int), ("seed", int)):
            raw = env.get("SORT_" + name.upper())
            if raw is not None:
                setattr(s, name, cast(raw))
        s.keep_scratch = env.get("SORT_KEEP", "0") == "1"
        return s
