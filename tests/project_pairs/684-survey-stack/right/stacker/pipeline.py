import logging

import numpy as np

from .stats import RunningProfile
from .tiles import TileError, list_tiles, read_tile

log = logging.getLogger("stacker")


class Pipeline:
    def __init__(self, cfg, team):
        self.cfg = cfg
        self.team = team
        self.profile = RunningProfile(cfg, team)
        self.tally = np.zeros(2, dtype=np.int64)

    def empty(self):
        return np.zeros(0), np.zeros(0)

    def load(self, path):
        if path is None:
            return self.empty()
        try:
            r, flux = read_tile(path, self.cfg)
        except TileError as err:
            log.warning("skipped %s", err)
            self.tally[1] += 1
            return self.empty()
        self.tally[0] += 1
        return r, flux

    def run(self, folder):
        paths = self.team.share(lambda: list_tiles(folder))
        for path in self.team.deal(paths):
            r, flux = self.load(path)
            self.profile.add(r, flux)
        used, rejected = self.team.sum(self.tally)
        mean, std = self.profile.moments()
        return {"used": int(used), "rejected": int(rejected),
                "profile": mean.tolist(), "scatter": std.tolist(),
                "objects": self.profile.weight.tolist()}
