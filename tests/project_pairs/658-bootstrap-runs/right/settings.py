import argparse
import json
import uuid
from dataclasses import asdict, dataclass, field
from pathlib import Path


def _new_run_id():
    return uuid.uuid4().hex[:8]


@dataclass
class Settings:
    replicates: int = 400
    sample: int = 250
    seed: int = 77
    base: str = "runs"
    run_id: str = field(default_factory=_new_run_id)

    @property
    def folder(self):
        return Path(self.base) / self.run_id

    def dump(self):
        with open(self.folder / "settings.json", "w") as fh:
            json.dump(asdict(self), fh, indent=1)

    @classmethod
    def parse(cls, argv=None):
        ap = argparse.ArgumentParser(description="bootstrap of the Gutenberg-Richter b value")
        ap.add_argument("--replicates", type=int, default=cls.replicates)
        ap.add_argument("--sample", type=int, default=cls.sample)
        ap.add_argument("--seed", type=int, default=cls.seed)
        ap.add_argument("--base", default=cls.base)
        return cls(**vars(ap.parse_args(argv)))
