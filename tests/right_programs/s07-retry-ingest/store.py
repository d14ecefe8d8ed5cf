"""Part files of a data set; some of them need a second look."""
import json
from collections import ChainMap
from collections.abc import Mapping
from pathlib import Path


class Flaky(Mapping):
    """Part files by name. Named parts fail the first few times they are read."""

    def __init__(self, folder, faults):
        self.folder, self.faults = Path(folder), dict(faults)

    def __iter__(self):
        return iter(sorted(p.name for p in self.folder.glob("part-*.json")))

    def __len__(self):
        return sum(1 for _ in self)

    def __getitem__(self, name):
        if self.faults.get(name, 0) > 0:
            self.faults[name] -= 1
            raise OSError(f"{name} not ready")
        return json.loads((self.folder / name).read_text())


def write_parts(folder, parts, rows):
    for i in range(parts):
        rows_here = {f"{i}:{j}": (i + 1) * j for j in range(rows - i)}
        (Path(folder) / f"part-{i:02d}.json").write_text(json.dumps(rows_here))


def joined(tables):
    return dict(sorted(ChainMap(*tables).items()))
