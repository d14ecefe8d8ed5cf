import logging
from pathlib import Path

import numpy as np

from .frames import master_flat, read_out
from .ledger import Ledger
from .reduce import Reducer

log = logging.getLogger("ccd")


class NightPipeline:
    def __init__(self, comm, folder):
        self.comm = comm
        self.folder = Path(folder)
        self.ledger = Ledger(self.folder / "ledger.json")
        if comm.rank == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
        flat = comm.bcast(master_flat() if comm.rank == 0 else None, root=0)
        self.reducer = Reducer(flat)

    def _reduce(self, exposure):
        image = self.reducer.calibrate(read_out(exposure), exposure.seconds)
        np.save(self.folder / f"{exposure.name}.npy", image)
        sources, sky = self.reducer.detect(image)
        return {"sources": sources, "sky": round(sky, 4)}

    def _finish(self, entries):
        parts = self.comm.gather(entries, root=0)
        if self.comm.rank == 0:
            for part in parts:
                self.ledger.record(part)
        self.comm.Barrier()

    def process(self, exposures):
        entries = {}
        for exposure in exposures[self.comm.rank::self.comm.size]:
            entries[exposure.name] = self._reduce(exposure)
            log.debug("%s done", exposure.name)
        self._finish(entries)
        return len(entries)
