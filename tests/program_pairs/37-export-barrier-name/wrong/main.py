import dataclasses
import json
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils


@dataclasses.dataclass
class ExportConfig:
    out: pathlib.Path = pathlib.Path("export")
    shards_per_process: int = 2
    rows: int = 64
    width: int = 8
    temperature: float = 0.7


class ShardWriter:
    def __init__(self, cfg):
        self.cfg = cfg
        self.process = jax.process_index()
        self.written = []

    def prepare(self):
        if self.process == 0:
            self.cfg.out.mkdir(parents=True, exist_ok=True)
            for old in self.cfg.out.glob("shard-*.npy"):
                old.unlink()
        multihost_utils.sync_global_devices("export:prepared")

    def write(self, index, array):
        path = self.cfg.out / f"shard-{self.process:03d}-{index:02d}.npy"
        np.save(path, np.asarray(array))
        self.written.append(path.name)

    def finish(self):
        tag = f"export:{self.process}:{len(self.written)}"
        multihost_utils.sync_global_devices(tag)
        if self.process == 0:
            names = sorted(p.name for p in self.cfg.out.glob("shard-*.npy"))
            meta = {"shards": names, "width": self.cfg.width}
            (self.cfg.out / "index.json").write_text(json.dumps(meta, indent=2))
        multihost_utils.sync_global_devices("export:index")


@jax.jit
def embed(key, temperature):
    logits = jax.random.normal(key, (64, 8)) / temperature
    return jax.nn.softmax(logits, axis=-1)


def main():
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    cfg = ExportConfig()
    writer = ShardWriter(cfg)
    writer.prepare()
    key = jax.random.fold_in(jax.random.key(0), jax.process_index())
    for i in range(cfg.shards_per_process):
        key, sub = jax.random.split(key)
        writer.write(i, embed(sub, jnp.float32(cfg.temperature)))
    writer.finish()
    meta = json.loads((cfg.out / "index.json").read_text())
    if jax.process_index() == 0:
        print(len(meta["shards"]), "shards listed")


if __name__ == "__main__":
    main()
