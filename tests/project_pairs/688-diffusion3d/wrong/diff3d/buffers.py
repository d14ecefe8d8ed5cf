import numpy as np


class BufferPool:
    """Scratch arrays that live as long as the exchange, made on first use."""

    def __init__(self):
        self.arrays = {}

    def get(self, shape, *key):
        full_key = (tuple(shape),) + key
        if full_key not in self.arrays:
            self.arrays[full_key] = np.empty(shape)
        return self.arrays[full_key]
