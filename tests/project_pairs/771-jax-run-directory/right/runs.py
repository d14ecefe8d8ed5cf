"""Run directories and checkpoints."""
from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path

import jax
import numpy as np
from jax.experimental import multihost_utils


def fresh_run_id() -> str:
    number = np.int32(secrets.randbelow(2**31 - 1))
    return f"{int(multihost_utils.broadcast_one_to_all(number)):08x}"


@dataclass(frozen=True)
class Run:
    directory: Path

    @classmethod
    def start(cls, root: str, config) -> Run:
        run = cls(Path(root) / fresh_run_id())
        if jax.process_index() == 0:
            run.directory.mkdir(parents=True)
            body = asdict(config) if is_dataclass(config) else vars(config)
            (run.directory / "config.json").write_text(json.dumps(body, indent=1))
        multihost_utils.sync_global_devices("run started")
        return run

    @property
    def best_path(self) -> Path:
        return self.directory / "best.npz"

    def save_best(self, params) -> None:
        if jax.process_index() == 0:
            partial = self.best_path.with_suffix(".tmp.npz")
            np.savez(partial, **params)
            partial.rename(self.best_path)
        multihost_utils.sync_global_devices("best saved")

    def load_best(self):
        with np.load(self.best_path) as z:
            return {k: z[k] for k in z.files}
