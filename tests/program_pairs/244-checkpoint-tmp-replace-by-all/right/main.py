import argparse
import os
import pickle

import numpy as np
from mpi4py import MPI


class Checkpointer:
    def __init__(self, comm, path):
        self.comm = comm
        self.path = path

    def save(self, step, state):
        if self.comm.rank == 0:
            self._write({"step": step, "state": state})
        self.comm.Barrier()

    def _write(self, payload):
        tmp = self.path + ".tmp"
        with open(tmp, "wb") as fh:
            pickle.dump(payload, fh)
        os.replace(tmp, self.path)

    def restore(self):
        payload = None
        if self.comm.rank == 0 and os.path.exists(self.path):
            with open(self.path, "rb") as fh:
                payload = pickle.load(fh)
        return self.comm.bcast(payload, root=0)


def kmeans_step(comm, points, centres):
    d = ((points[:, None] - centres[None]) ** 2).sum(-1)
    label = d.argmin(1)
    k, dim = centres.shape
    acc = np.zeros((k, dim + 1))
    for c in range(k):
        acc[c, :dim] = points[label == c].sum(0)
        acc[c, dim] = (label == c).sum()
    comm.Allreduce(MPI.IN_PLACE, acc, op=MPI.SUM)
    return acc[:, :dim] / np.maximum(acc[:, dim:], 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--ckpt", default="kmeans.ckpt")
    ap.add_argument("--steps", type=int, default=60)
    a = ap.parse_args()
    comm = MPI.COMM_WORLD
    rng = np.random.default_rng(comm.rank + 1)
    points = np.vstack([rng.normal(m, 0.3, (50, 2)) for m in (-2, 0, 2)])
    ck = Checkpointer(comm, a.ckpt)
    saved = ck.restore()
    start, centres = (saved["step"], saved["state"]) if saved else (
        0, np.array([[-1.0, -1.0], [0.1, 0.0], [1.0, 1.0]]))
    for step in range(start, a.steps):
        centres = kmeans_step(comm, points, centres)
        ck.save(step + 1, centres)
    if comm.rank == 0:
        print(np.round(centres, 1).tolist())


main()
