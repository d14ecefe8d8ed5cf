import json
import os
import shutil

import numpy as np


class StateStore:
    """Weights in one file, what belongs to them in another."""

    def __init__(self, folder):
        self.folder = folder

    @property
    def meta_path(self):
        return os.path.join(self.folder, "meta.json")

    @property
    def weights_path(self):
        return os.path.join(self.folder, "weights.npy")

    def clear(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def exists(self):
        return os.path.exists(self.meta_path)

    def save(self, weights, **meta):
        os.makedirs(self.folder, exist_ok=True)
        np.save(self.weights_path, weights)
        tmp = self.meta_path + ".new"
        with open(tmp, "w") as f:
            json.dump(meta, f)
        os.replace(tmp, self.meta_path)

    def load(self):
        with open(self.meta_path) as f:
            meta = json.load(f)
        return np.load(self.weights_path), meta
