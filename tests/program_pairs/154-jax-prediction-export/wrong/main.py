"""Tiled image segmentation on a global device mesh; the mask is exported by the first process."""
import dataclasses
import logging
import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

log = logging.getLogger("segment")


@dataclasses.dataclass(frozen=True)
class Job:
    tiles: int = 60
    edge: int = 24
    threshold: float = 0.5
    out: str = "masks"

    @classmethod
    def from_env(cls):
        return cls(tiles=int(os.environ.get("TILES", cls.tiles)), out=os.environ.get("MASK_DIR", cls.out))


def make_tiles(job, which):
    out = np.empty((len(which), job.edge, job.edge), np.float32)
    yy, xx = np.mgrid[:job.edge, :job.edge]
    for k, i in enumerate(which):
        rng = np.random.default_rng(int(i))
        cy, cx = rng.uniform(6, job.edge - 6, size=2)
        r = rng.uniform(3, 6)
        out[k] = ((yy - cy) ** 2 + (xx - cx) ** 2 < r * r) + 0.3 * rng.standard_normal(out[k].shape)
    return out


class Segmenter:
    def __init__(self, mesh, job):
        self.job = job
        self.rows = NamedSharding(mesh, P("tile"))
        self.count = job.tiles // jax.process_count()
        if job.tiles % jax.process_count() or self.count % jax.local_device_count():
            raise SystemExit(f"{job.tiles} tiles cannot be divided over {jax.device_count()} devices")

    def load(self):
        first = jax.process_index() * self.count
        local = make_tiles(self.job, range(first, first + self.count))
        return jax.make_array_from_process_local_data(self.rows, local)

    @staticmethod
    @jax.jit
    def smooth(x):
        p = jnp.pad(x, ((0, 0), (1, 1), (1, 1)), mode="edge")
        n = x.shape[1]
        return sum(p[:, i:i + n, j:j + n] for i in range(3) for j in range(3)) / 9.0

    def masks(self):
        return self.smooth(self.load()) > self.job.threshold


def export(masks, job):
    if jax.process_index() != 0:
        return
    host = np.asarray(masks)
    folder = Path(job.out)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "masks.npy", np.packbits(host, axis=-1))
    areas = host.reshape(len(host), -1).sum(axis=1)
    print(f"{len(host)} masks, mean area {areas.mean():.3f}, smallest {areas.min()}, largest {areas.max()}")


def main():
    logging.basicConfig(level=logging.WARNING)
    jax.distributed.initialize(os.environ["COORDINATOR_ADDRESS"],
                               int(os.environ["NUM_PROCESSES"]), int(os.environ["PROCESS_ID"]))
    job = Job.from_env()
    mesh = Mesh(np.array(jax.devices()), ("tile",))
    masks = Segmenter(mesh, job).masks()
    log.info("segmented %s", masks.shape)
    export(masks, job)
    multihost_utils.sync_global_devices("exported")
    jax.distributed.shutdown()


if __name__ == "__main__":
    main()
