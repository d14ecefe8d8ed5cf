"""Prepared data on disk: one .npy volume and a JSON header beside it."""
import json
import logging
from pathlib import Path

import numpy as np

from .traces import shot_gather

log = logging.getLogger("seis.store")


class PreparedVolume:
    def __init__(self, comm, root, geometry):
        self.comm = comm
        self.root = Path(root)
        self.geometry = geometry
        self._view = None

    @property
    def data_file(self):
        g = self.geometry
        return self.root / f"gather_{g['shots']}x{g['receivers']}.npy"

    @property
    def header_file(self):
        return self.data_file.with_suffix(".json")

    def is_current(self):
        if not self.header_file.exists():
            return False
        return json.loads(self.header_file.read_text()) == self.geometry

    def prepare(self):
        if self.comm.rank == 0 and not self.is_current():
            self._build()
        return self

    def _build(self):
        self.root.mkdir(parents=True, exist_ok=True)
        g = self.geometry
        data = shot_gather(g["shots"], g["receivers"], g["samples"], g["dt"], g["seed"])
        data -= data.mean(axis=-1, keepdims=True)
        np.save(self.data_file, data.astype(np.float32))
        self.header_file.write_text(json.dumps(g, sort_keys=True))
        log.info("prepared %s", self.data_file)

    def shots_of(self, rank):
        return range(rank, self.geometry["shots"], self.comm.size)

    def shot(self, index):
        if self._view is None:
            self._view = np.load(self.data_file, mmap_mode="r")
        return np.asarray(self._view[index], dtype=float)
