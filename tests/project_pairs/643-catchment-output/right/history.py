import json
import os

import numpy as np

from parallel import root_only


class History:
    """Snapshots and a small time series of the model state."""

    def __init__(self, blocks, outdir):
        self.blocks = blocks
        self.comm = blocks.comm
        self.outdir = outdir
        self.series = []
        self._prepare()

    @root_only
    def _prepare(self):
        os.makedirs(self.outdir, exist_ok=True)
        with open(os.path.join(self.outdir, "grid.json"), "w") as fh:
            json.dump({"shape": self.blocks.shape, "ranks": self.comm.size}, fh)

    @root_only
    def note(self, step, volume, peak):
        self.series.append((step, volume, peak))
        print(f"step {step:4d}  volume {volume:12.5f}  peak {peak:8.5f}")

    def snapshot(self, step, depth):
        full = self.blocks.collect(depth)
        if full is None:
            return
        path = os.path.join(self.outdir, f"depth_{step:05d}.npz")
        np.savez_compressed(path, depth=full, step=step)

    @root_only
    def close(self):
        path = os.path.join(self.outdir, "series.txt")
        np.savetxt(path, np.array(self.series), header="step volume peak")
        print(f"wrote {len(self.series)} records to {path}")
