"""Random number streams of a run.

``common`` gives the same numbers on every rank, ``local`` differs from rank to rank.
"""
import numpy as np


class Streams:
    def __init__(self, seed, rank):
        root = np.random.SeedSequence(seed)
        shared, private = root.spawn(2)
        self.common = np.random.default_rng(shared)
        key = np.random.SeedSequence(private.entropy, spawn_key=private.spawn_key + (rank,))
        self.local = np.random.default_rng(key)
