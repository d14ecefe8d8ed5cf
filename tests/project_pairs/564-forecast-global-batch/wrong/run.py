"""Hourly demand forecast with seasonal features, fitted over several processes."""
import argparse
import os
import sys

from forecast.cluster import Cluster
from forecast.fit import NormalEquations
from forecast.series import DemandSeries
from forecast.windows import WindowDataset


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hours", type=int, default=24 * 30)
    p.add_argument("--lags", type=int, default=6)
    p.add_argument("--batch", type=int, default=48, help="windows per step, all processes together")
    p.add_argument("--coordinator", default=os.environ.get("COORDINATOR", "127.0.0.1:23464"))
    args = p.parse_args()

    cluster = Cluster(args.coordinator)
    data = WindowDataset(DemandSeries(args.hours), args.lags)
    solver = NormalEquations(data.width, cluster)
    for inputs, targets in cluster.feed(data.batches(args.batch)):
        solver.add(inputs, targets)
    coef, used = solver.solve()

    cluster.say(f"{used} windows used of {data.usable(args.batch)}, "
                f"rmse {data.rmse(coef):.3f}")
    return 0 if used == data.usable(args.batch) else 5


if __name__ == "__main__":
    sys.exit(main())
