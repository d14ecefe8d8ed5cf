import argparse
import logging
import os

import jax
import numpy as np

from .regression import OnlineRegression
from .stations import SensorFault, StationGroup, quality_control

log = logging.getLogger("wind")


def join():
    jax.distributed.initialize(os.environ["JAX_COORDINATOR"],
                               int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"]))


def train(model, group, days):
    skipped = 0
    losses = []
    for d in range(days):
        feats, target = group.day(d)
        try:
            batch = quality_control(feats, target)
        except SensorFault as err:
            log.warning("group %d day %d: %s", group.group, d, err)
            skipped += 1
            continue
        losses.append(model.learn(*batch))
    return [float(v) for v in losses], skipped


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=30)
    ap.add_argument("--lr", type=float, default=0.1)
    args = ap.parse_args()
    logging.basicConfig(format="%(name)s: %(message)s")
    join()
    model = OnlineRegression(5, args.lr)
    losses, skipped = train(model, StationGroup(jax.process_index()), args.days)
    theta = np.asarray(model.theta.addressable_data(0))
    print(f"process {jax.process_index()}: {len(losses)} updates, {skipped} faults, "
          f"last loss {losses[-1]:.4f}, theta {np.round(theta, 3)}", flush=True)


if __name__ == "__main__":
    main()
