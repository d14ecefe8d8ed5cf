"""Contiguous work arrays for faces, allocated once and used in every step."""
import numpy as np


class FacePool:
    def __init__(self):
        self._store = {}

    def get(self, name, side, shape):
        key = (name, side, shape)
        if key not in self._store:
            self._store[key] = np.empty(shape)
        return self._store[key]

    def pack(self, name, side, face):
        buf = self.get(name, side, face.shape)
        np.copyto(buf, face)
        return buf

    def __len__(self):
        return len(self._store)
