"""Input decks: a JSON file over built-in values."""
import json
from dataclasses import dataclass, fields


@dataclass
class Deck:
    optical_depth: float = 2.0
    albedo: float = 0.9
    anisotropy: float = 0.0
    photons: int = 8000
    seed: int = 5

    def update_from(self, path):
        known = {f.name: f.type for f in fields(self)}
        with open(path) as fh:
            for key, value in json.load(fh).items():
                if key in known:
                    setattr(self, key, known[key](value))
