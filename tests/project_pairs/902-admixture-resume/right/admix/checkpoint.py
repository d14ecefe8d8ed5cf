"""Checkpoints: the shared state in one file, the markers of each rank in another."""
import json
import os
from dataclasses import dataclass

import numpy as np


@dataclass
class SharedState:
    step: int
    q: np.ndarray


class CheckpointStore:
    def __init__(self, root):
        self.root = root
        self.shared_path = root / "shared.npz"

    def local_path(self, rank):
        return self.root / f"markers_{rank:04d}.npy"

    def save_shared(self, state):
        partial = self.root / "shared.part.npz"
        np.savez(partial, step=state.step, q=state.q)
        os.replace(partial, self.shared_path)
        with open(self.root / "history.jsonl", "a") as fh:
            fh.write(json.dumps({"step": state.step}) + "\n")

    def load_shared(self):
        if not self.shared_path.exists():
            return None
        with np.load(self.shared_path) as data:
            return SharedState(int(data["step"]), data["q"])

    def save_local(self, rank, f):
        self.root.mkdir(parents=True, exist_ok=True)
        np.save(self.local_path(rank), f)

    def load_local(self, rank):
        return np.load(self.local_path(rank))
