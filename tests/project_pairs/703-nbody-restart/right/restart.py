"""Restart files: the newest is <stem>.0.npz, older ones are numbered upwards."""
import os

import numpy as np

from bodies import State


class RestartFiles:
    def __init__(self, comm, stem, keep=3):
        self.comm = comm
        self.stem = stem
        self.keep = keep

    def name(self, age):
        return f"{self.stem}.{age}.npz"

    def shift(self):
        for age in range(self.keep - 1, 0, -1):
            if os.path.exists(self.name(age - 1)):
                os.replace(self.name(age - 1), self.name(age))

    def save(self, state):
        if self.comm.rank == 0:
            self.shift()
            np.savez(self.name(0), pos=state.pos, vel=state.vel, mass=state.mass, step=state.step)
        self.comm.Barrier()

    def load(self):
        """The newest state, or None where there is none."""
        state = None
        if self.comm.rank == 0 and os.path.exists(self.name(0)):
            with np.load(self.name(0)) as f:
                state = State(f["pos"], f["vel"], f["mass"], int(f["step"]))
        return self.comm.bcast(state, root=0)
