import os

import numpy as np


class Snapshot:
    def __init__(self, group, path):
        self.group, self.path = group, path

    def save(self, step, training):
        if self.group.head:
            with open(self.path + ".part", "wb") as f:
                np.savez(f, w=training.w, step=step)
            os.replace(self.path + ".part", self.path)

    def load(self, training):
        """Weights of the snapshot on all ranks; returns the next step."""
        state = None
        if self.group.head and os.path.exists(self.path):
            with np.load(self.path) as data:
                state = data["w"], int(data["step"])
        state = self.group.share(state)
        if state is None:
            return 0
        training.w = state[0]
        return state[1]
