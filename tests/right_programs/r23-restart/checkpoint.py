import os
import zipfile

import numpy as np


class CheckpointError(RuntimeError):
    pass


class Checkpointer:
    """All methods are collective; the file is touched by rank 0 alone."""

    def __init__(self, comm, path, shape):
        self.comm, self.path, self.shape = comm, path, shape
        edges = np.arange(comm.size + 1) * shape[0] // comm.size
        self.rows = np.diff(edges)
        self.counts = self.rows * shape[1]

    def scatter(self, full):
        part = np.empty((self.rows[self.comm.rank], self.shape[1]), dtype=np.uint8)
        self.comm.Scatterv([full, self.counts] if self.comm.rank == 0 else None, part, root=0)
        return part

    def gather(self, part):
        if self.comm.rank != 0:
            self.comm.Gatherv(part, None, root=0)
            return None
        full = np.empty(self.shape, dtype=np.uint8)
        self.comm.Gatherv(part, [full, self.counts], root=0)
        return full

    def save(self, generation, part):
        full = self.gather(part)
        problem = None
        if self.comm.rank == 0:
            tmp = self.path.with_suffix(".tmp.npz")
            try:
                np.savez(tmp, world=full, generation=generation)
                os.replace(tmp, self.path)
            except OSError as exc:
                problem = str(exc)
        self._raise_everywhere(problem)

    def load(self):
        generation, full, problem = None, None, None
        if self.comm.rank == 0 and self.path.exists():
            try:
                with np.load(self.path) as data:
                    full, generation = data["world"], int(data["generation"])
            except (OSError, KeyError, ValueError, zipfile.BadZipFile) as exc:
                problem = str(exc)
            else:
                if full.shape != self.shape:
                    problem = f"shape {full.shape} instead of {self.shape}"
        self._raise_everywhere(problem)
        generation = self.comm.bcast(generation, root=0)
        if generation is None:
            return None
        return generation, self.scatter(full)

    def _raise_everywhere(self, problem):
        problem = self.comm.bcast(problem, root=0)
        if problem is not None:
            raise CheckpointError(problem)
