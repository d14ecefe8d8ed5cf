"""Snapshots of the parameters, with the number kept limited."""
import json
import logging
from pathlib import Path

import numpy as np

from cluster import chief

log = logging.getLogger("store")


class SnapshotStore:
    def __init__(self, layout, folder, keep=2):
        self.layout = layout
        self.folder = Path(folder)
        self.keep = keep
        self._written = []

    def _host_copy(self, params):
        return self.layout.fetch(params)

    def save(self, step, params, extra=None):
        arrays = self._host_copy(params)
        if chief():
            self._write(step, arrays, extra)

    def _write(self, step, arrays, extra):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"step{step:05d}.npz"
        np.savez(path, **arrays)
        path.with_suffix(".json").write_text(json.dumps(extra or {}))
        self._written.append(path)
        for old in self._written[:-self.keep]:
            old.unlink()
            old.with_suffix(".json").unlink()
        self._written = self._written[-self.keep:]
        log.info("snapshot %s", path.name)
