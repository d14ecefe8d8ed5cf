import logging
from pathlib import Path

import numpy as np

log = logging.getLogger("md.checkpoint")


class CheckpointStore:
    def __init__(self, comm, folder, keep=2):
        self.comm = comm
        self.folder = Path(folder)
        self.keep = keep
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, step):
        return self.folder / f"state_{step:07d}.npz"

    def available(self):
        return sorted(self.folder.glob("state_*.npz"))

    def save(self, system, potential):
        target = self.path(system.step)
        partial = target.with_suffix(".part")
        with open(partial, "wb") as fh:
            np.savez(fh, potential=potential, **system.state())
        partial.replace(target)
        self.prune()
        log.info("saved %s", target.name)

    def prune(self):
        for old in self.available()[:-self.keep]:
            old.unlink()

    def load_latest(self):
        state = None
        if self.comm.rank == 0:
            found = self.available()
            if found:
                with np.load(found[-1]) as data:
                    state = {k: data[k] for k in ("x", "v", "step")}
        return self.comm.bcast(state, root=0)
