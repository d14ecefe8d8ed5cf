"""The ledger of the night: which exposures are reduced, with their quality."""
import json
from pathlib import Path


class Ledger:
    def __init__(self, path):
        self.path = Path(path)

    def load(self):
        if not self.path.exists():
            return {}
        return json.loads(self.path.read_text())

    def record(self, entries):
        known = self.load()
        known.update(entries)
        tmp = self.path.with_suffix(".tmp")
        tmp.write_text(json.dumps(known, indent=1, sort_keys=True))
        tmp.replace(self.path)

    def missing(self, names):
        known = self.load()
        return [n for n in names if n not in known]
