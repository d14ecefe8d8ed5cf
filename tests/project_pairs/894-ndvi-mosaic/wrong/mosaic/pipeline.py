import numpy as np

from .imagery import grow_mask, read_tile, smooth_index
from .tilestore import TileStore
from .timers import Timers


class ScenePipeline:
    def __init__(self, comm, options):
        self.comm = comm
        self.options = options
        self.store = TileStore(options.store)
        self.timers = Timers(comm)

    def run(self):
        with self.timers.phase("tiles"):
            self.make_tiles()
        summary = None
        with self.timers.phase("mosaic"):
            if self.comm.rank == 0:
                summary = self.assemble()
        return self.comm.bcast(summary, root=0)

    def make_tiles(self):
        for row, col in self.options.share(self.comm.rank, self.comm.size):
            red, nir, cloud = read_tile(self.options, row, col)
            mask = grow_mask(cloud, 2)
            # cloudier tiles leave more holes and need more passes
            passes = 40 + int(400 * mask.mean())
            self.store.save(row, col, smooth_index(red, nir, mask, passes))

    def assemble(self):
        opt = self.options
        n = opt.tile
        scene = np.full((opt.rows * n, opt.cols * n), np.nan, dtype=np.float32)
        count = 0
        for row, col, index in self.store:
            scene[row * n : (row + 1) * n, col * n : (col + 1) * n] = index
            count += 1
        good = scene[np.isfinite(scene)]
        np.save(opt.store / "mosaic.npy", scene)
        return {
            "tiles": count,
            "valid": good.size / scene.size,
            "mean": float(good.mean(dtype=np.float64)),
            "p90": float(np.quantile(good, 0.9)),
        }
