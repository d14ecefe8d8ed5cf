import numpy as np
from jax.experimental import multihost_utils

from .train import logits


class Confusion:
    """Hits and misses at one threshold."""

    FIELDS = ("tp", "fp", "fn", "tn")

    def __init__(self, values):
        self.values = np.asarray(values, dtype=np.int32)

    @classmethod
    def of(cls, score, fraud, threshold):
        flagged = score > threshold
        real = fraud > 0.5
        return cls([
            np.sum(flagged & real), np.sum(flagged & ~real),
            np.sum(~flagged & real), np.sum(~flagged & ~real),
        ])

    def everywhere(self):
        parts = multihost_utils.process_allgather(self.values)
        return Confusion(parts.reshape(-1, len(self.FIELDS)).sum(axis=0))

    def __getattr__(self, name):
        if name in self.FIELDS:
            return int(self.values[self.FIELDS.index(name)])
        raise AttributeError(name)

    @property
    def precision(self):
        return self.tp / max(self.tp + self.fp, 1)

    @property
    def recall(self):
        return self.tp / max(self.tp + self.fn, 1)


class SegmentEvaluator:
    def __init__(self, weights, threshold=0.0):
        self.weights = weights
        self.threshold = threshold

    def _confusion(self, shard):
        score = logits(self.weights, shard.x)
        total = Confusion.of(score, shard.fraud, self.threshold).everywhere()
        return total if total.values.sum() else None

    def report(self, name, shard):
        c = self._confusion(shard)
        if c is None:
            return None
        return (f"{name:9s} n={int(c.values.sum()):4d} "
                f"precision {c.precision:.3f} recall {c.recall:.3f}")
