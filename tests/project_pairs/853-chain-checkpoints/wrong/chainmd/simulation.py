"""Time loop with checkpoint and restart."""
import numpy as np

from .chain import Chain
from .checkpoint import CheckpointManager


class Simulation:
    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.chain = Chain(comm, cfg)
        self.checkpoints = CheckpointManager(comm, cfg.workdir, cfg.keep)
        self.step = 0
        n_tracked = self.chain.tracked.size
        self.track = np.zeros((cfg.n_steps, n_tracked))
        # pair correlations of the tracked atoms, kept for the spectra
        self.correlation = np.zeros((n_tracked, n_tracked))

    def _state(self):
        return {"correlation": self.correlation, "track": self.track,
                "u": self.chain.u, "v": self.chain.v}

    def resume(self):
        """Go back to the newest checkpoint; False when there is none."""
        step = self.checkpoints.latest
        if step is None:
            return False
        arrays = self.checkpoints.load(step)
        self.chain.u[:] = arrays["u"]
        self.chain.v[:] = arrays["v"]
        self.track[:] = arrays["track"]
        self.correlation[:] = arrays["correlation"]
        self.step = step
        return True

    def run(self, until):
        while self.step < until:
            self.chain.step()
            moved = self.chain.u[self.chain.tracked]
            self.track[self.step] = moved
            self.correlation += np.outer(moved, moved)
            self.step += 1
            if self.step % self.cfg.checkpoint_every == 0:
                self.checkpoints.save(self.step, self._state())

    def spectrum_weight(self):
        """Mean square displacement of the tracked atoms."""
        part = float(np.trace(self.correlation)) / self.cfg.n_steps
        return self.comm.allreduce(part)
