from functools import cached_property, lru_cache

import numpy as np

_SYLLABLES = ["ka", "lo", "mi", "ren", "tu", "sha"]


@lru_cache(maxsize=None)
def documents(k):
    """Words of document k, the same on whichever rank asks."""
    rng = np.random.default_rng([2, k])
    n = int(rng.integers(12, 60))
    return tuple("".join(_SYLLABLES[s] for s in rng.geometric(0.45, size=2).clip(1, 6) - 1)
                 for _ in range(n))


class Vocabulary:
    """Collective look-ups with a cache.  The cache has the same content on
    all ranks, since all ranks ask the same questions in the same order."""

    def __init__(self, comm, docs):
        self.comm, self._docs = comm, docs
        self._known = {}
        self.collectives = 0

    @cached_property
    def _sets(self):
        return [set(words) for _, words in self._docs]

    def document_frequency(self, word):
        if word not in self._known:
            self._known[word] = self.comm.allreduce(sum(word in s for s in self._sets))
            self.collectives += 1
        return self._known[word]
