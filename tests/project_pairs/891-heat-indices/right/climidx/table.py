"""Columns of per-cell indices, spread over the ranks by latitude band."""
import json

import numpy as np

from .fields import area_weights


class IndexTable:
    def __init__(self, comm, cfg):
        self.comm = comm
        self.cfg = cfg
        self.rows = cfg.band(comm.rank, comm.size)
        self.weights = area_weights(cfg, self.rows)
        self.columns = {}

    def add(self, name, values):
        if values.shape != self.weights.shape:
            raise ValueError(f"{name}: shape {values.shape}, expected {self.weights.shape}")
        self.columns[name] = values

    def area_mean(self, name):
        local = np.array([(self.columns[name] * self.weights).sum(), self.weights.sum()])
        total = np.empty_like(local)
        self.comm.Allreduce(local, total)
        return total[0] / total[1]

    def means(self):
        return {name: self.area_mean(name) for name in self.columns}

    def __str__(self):
        parts = [f"{name}={value:.3f}" for name, value in self.means().items()]
        return " ".join(parts) if parts else "(empty)"

    def write(self, path):
        means = self.means()
        bands = self.comm.gather({k: v.mean(axis=1).tolist() for k, v in self.columns.items()})
        if self.comm.rank != 0:
            return
        zonal = {k: sum((b[k] for b in bands), []) for k in self.columns}
        with open(path, "w") as fh:
            json.dump({"area_mean": means, "zonal_mean": zonal}, fh, indent=1)
        for name in sorted(means):
            print(f"{name:>12s} {means[name]:10.4f}")
