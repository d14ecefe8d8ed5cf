from pathlib import Path

import numpy as np

from .synthetic import synthetic_text


class TokenCache:
    """Tokens in a flat uint16 file that all ranks map into memory."""

    vocab = 48

    def __init__(self, folder, length):
        self.folder = Path(folder)
        self.length = length
        self.path = self.folder / f"tokens_{length}.bin"

    def build(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        tokens = synthetic_text(self.length, self.vocab).astype(np.uint16)
        tokens.tofile(self.path)

    def prepare(self, comm):
        if comm.rank == 0 and not self.path.exists():
            self.build()

    def shard(self, rank, size):
        tokens = np.memmap(self.path, dtype=np.uint16, mode="r")
        bounds = np.linspace(0, len(tokens), size + 1).astype(int)
        return np.asarray(tokens[bounds[rank]:bounds[rank + 1]])
