import os

import numpy as np


class Output:
    def __init__(self, grid, folder):
        self.grid = grid
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def save(self, step):
        whole = self.grid.whole()
        if self.grid.is_root:
            np.save(os.path.join(self.folder, f"u_{step:04d}.npy"), whole)
        self.grid.wait()

    def frames(self):
        return sorted(os.listdir(self.folder))
