"""Tokenised data set, kept on the shared file system."""
import logging
from functools import cached_property
from pathlib import Path

import numpy as np

from corpus import reviews
from vocab import Vocab

log = logging.getLogger("cache")


class TokenCache:
    def __init__(self, comm, root, n_reviews, length, vocab_size, seed):
        self.comm = comm
        self.root = Path(root) / f"reviews-{n_reviews}-{length}-{vocab_size}-{seed}"
        self.n_reviews = n_reviews
        self.length = length
        self.vocab_size = vocab_size
        self.seed = seed

    @property
    def complete(self):
        return (self.root / "DONE").exists()

    def prepare(self):
        if self.comm.rank == 0 and not self.complete:
            self._build()
        self.comm.Barrier()
        return self

    def _build(self):
        log.info("building %s", self.root)
        self.root.mkdir(parents=True, exist_ok=True)
        texts, labels = zip(*reviews(self.n_reviews, self.seed))
        vocab = Vocab.build(texts, self.vocab_size)
        vocab.save(self.root / "vocab.txt")
        tokens = np.array([vocab.encode(t, self.length) for t in texts], dtype=np.int32)
        np.save(self.root / "tokens.npy", tokens)
        np.save(self.root / "labels.npy", np.array(labels, dtype=np.int8))
        (self.root / "DONE").touch()

    @cached_property
    def vocab(self):
        return Vocab.load(self.root / "vocab.txt")

    @cached_property
    def tokens(self):
        return np.load(self.root / "tokens.npy", mmap_mode="r")

    @cached_property
    def labels(self):
        return np.load(self.root / "labels.npy")

    def shard(self):
        """Rows of this rank, cut to the same number on every rank."""
        n = len(self.labels) // self.comm.size
        rows = slice(self.comm.rank, n * self.comm.size, self.comm.size)
        return np.asarray(self.tokens[rows]), self.labels[rows].astype(float)
