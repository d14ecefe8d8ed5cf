"""Statistics that follow a run."""
import logging

import numpy as np

from .moments import RunningMoments

log = logging.getLogger("ensemble.monitor")


class Monitor:
    names = ("temp", "ice")

    def __init__(self, comm, cfg, every):
        self.comm = comm
        self.every = every
        self.stats = {name: RunningMoments(cfg.bands) for name in self.names}

    def attach(self, bus):
        bus.on("state", self.observe)
        bus.on("year", self.report)

    def observe(self, year, fields):
        for name, values in fields.items():
            self.stats[name].push(values)

    def report(self, year):
        if year % self.every:
            return
        current = self.totals()
        temp = current["temp"]
        log.info("year %d: mean temperature %.3f", year, np.mean(temp.mean))

    def totals(self):
        for name in self.names:
            self.stats[name] = self.stats[name].across(self.comm)
        return self.stats


class SnapshotWriter:
    def __init__(self, path):
        self.path = path

    def write(self, moments):
        arrays = {}
        for name, mom in moments.items():
            arrays[f"{name}_mean"] = mom.mean
            arrays[f"{name}_std"] = mom.std()
        np.savez(self.path, **arrays)
