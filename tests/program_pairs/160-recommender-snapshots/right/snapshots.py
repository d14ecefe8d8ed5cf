"""Snapshots that are collected and written while the training goes on."""
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from mpi4py import MPI


class SnapshotWriter:
    def __init__(self, comm, path):
        self.comm = comm.Dup()
        self.path = path
        self.pool = ThreadPoolExecutor(max_workers=1)
        self.pending = []

    def submit(self, epoch, users):
        self.pending.append(self.pool.submit(self._write, epoch, users.copy()))

    def _write(self, epoch, users):
        blocks = self.comm.gather(users, root=0)
        if self.comm.rank == 0:
            whole = np.concatenate(blocks)
            with open(self.path, "a") as out:
                out.write(json.dumps({"epoch": epoch, "users": len(whole),
                                      "norm": float(np.linalg.norm(whole))}) + "\n")

    def close(self):
        for job in self.pending:
            job.result()
        self.pool.shutdown()
        self.comm.Free()
