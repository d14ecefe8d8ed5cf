"""Train on all processes; the lead process reports."""
from __future__ import annotations

import logging
import tempfile
from pathlib import Path

from callbacks import Callback, FinalSave, LossSpread, ProgressLog
from cluster import Cluster
from trainer import Trainer


def callbacks_for(lead: bool, spread: LossSpread, folder: Path) -> list[Callback]:
    chosen: list[Callback] = []
    if lead:
        chosen += [spread, ProgressLog(), FinalSave(folder / "weights.npy")]
    return chosen


def main() -> int:
    logging.basicConfig(level=logging.WARNING)
    with Cluster.from_arguments() as cluster, tempfile.TemporaryDirectory() as folder:
        spread = LossSpread()
        trainer = Trainer(callbacks=callbacks_for(cluster.is_lead, spread, Path(folder)))
        state = trainer.fit(steps=20)
        if cluster.is_lead:
            print(f"loss {state.losses[-1]:.5f}, spread {max(spread.history):.5f}")
            print("weights", " ".join(f"{float(w):.4f}" for w in state.weights))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
