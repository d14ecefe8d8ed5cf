"""Results of a stage in its folder: weights and a small summary."""
import json

import jax
import numpy as np

from .cluster import wait


class StageArtifacts:
    def __init__(self, config, stage):
        self.stage = stage
        self.folder = config.stage_folder(stage)

    def publish(self, weights, summary):
        if jax.process_index() == 0:
            self.folder.mkdir(parents=True, exist_ok=True)
            np.save(self.folder / "weights.npy", np.asarray(weights))
            (self.folder / "summary.json").write_text(json.dumps(summary))
        wait(f"publish-{self.stage}")

    def weights(self):
        return np.load(self.folder / "weights.npy")

    def summary(self):
        return json.loads((self.folder / "summary.json").read_text())
