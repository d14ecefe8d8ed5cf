import zlib

import numpy as np


class HashingEncoder:
    """Bag of hashed character trigrams, projected to a small dense vector."""

    def __init__(self, dim=24, buckets=512, seed=0):
        rng = np.random.default_rng(seed)
        self.dim = dim
        self.buckets = buckets
        self.projection = (rng.normal(size=(buckets, dim)) / np.sqrt(dim)).astype(np.float32)

    def _bag(self, text):
        bag = np.zeros(self.buckets, dtype=np.float32)
        padded = f"  {text.lower()} "
        for i in range(len(padded) - 2):
            bag[zlib.crc32(padded[i : i + 3].encode()) % self.buckets] += 1.0
        return bag

    def encode(self, texts):
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        out = np.stack([self._bag(t) for t in texts]) @ self.projection
        return out / np.linalg.norm(out, axis=1, keepdims=True)
