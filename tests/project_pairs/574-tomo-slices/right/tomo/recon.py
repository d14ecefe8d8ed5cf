import logging
from time import perf_counter

from .phantom import slice_image
from .radon import Geometry

log = logging.getLogger("tomo")


class Reconstruction:
    def __init__(self, comm, config):
        self.comm = comm
        self.config = config
        self.geometry = Geometry(config["size"], config["angles"])

    def own_slices(self):
        return range(self.comm.rank, self.config["slices"], self.comm.size)

    def run(self, volume):
        start = perf_counter()
        for index in self.own_slices():
            truth = slice_image(index, self.config["slices"], self.config["size"])
            volume.put(index, self.geometry.backproject(self.geometry.project(truth)))
        slowest = self.comm.reduce(perf_counter() - start)
        if self.comm.rank == 0:
            log.info("%d slices, %.2f s per rank", self.config["slices"], slowest / self.comm.size)


def check(stack, config):
    """Correlation of every slice with the phantom."""
    import numpy as np
    scores = []
    for index in range(config["slices"]):
        truth = slice_image(index, config["slices"], config["size"])
        got = np.asarray(stack[index], dtype=float)
        scores.append(0.0 if not got.any() else float(np.corrcoef(truth.ravel(), got.ravel())[0, 1]))
    return scores
