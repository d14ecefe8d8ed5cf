"""Fit a classifier on random subsamples with clipped gradients and noise."""
import argparse
import logging
import sys

from privfit.checkpoint import Snapshot
from privfit.comm import Group
from privfit.config import PrivConfig
from privfit.data import Records
from privfit.model import ClippedModel
from privfit.samplers import SAMPLERS
from privfit.training import Training


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=80)
    ap.add_argument("--fraction", type=float, default=0.1)
    ap.add_argument("--sampler", choices=sorted(SAMPLERS), default="poisson")
    ap.add_argument("--snapshot", default="privfit.npz")
    ap.add_argument("--snapshot-every", type=int, default=40)
    ap.add_argument("--resume", action="store_true")
    a = ap.parse_args()
    group = Group()
    logging.basicConfig(stream=sys.stdout, format="%(message)s",
                        level=logging.INFO if group.head else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    cfg = PrivConfig(steps=a.steps, fraction=a.fraction)
    records = Records(cfg, group)
    model = ClippedModel(cfg)
    training = Training(cfg, group, model, SAMPLERS[a.sampler](cfg, group, len(records)),
                        records)
    snapshot = Snapshot(group, a.snapshot)
    first = snapshot.load(training) if a.resume else 0
    for step in range(first, cfg.steps):
        used = training.step(step)
        if (step + 1) % 20 == 0:
            logging.info("step %3d  used %d  error rate %.4f", step + 1, used,
                         training.error_rate())
        if (step + 1) % a.snapshot_every == 0:
            snapshot.save(step + 1, training)


if __name__ == "__main__":
    main()
