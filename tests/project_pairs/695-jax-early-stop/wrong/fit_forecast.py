"""Fit an autoregressive forecaster until the validation error stops falling."""
import argparse
import logging

from forecast.cluster import Cluster
from forecast.config import FitConfig
from forecast.hooks import BestKeeper, EarlyStopping, Progress
from forecast.loop import Fit
from forecast.series import SeriesData


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--process-id", type=int, default=0)
    ap.add_argument("--num-processes", type=int, default=1)
    ap.add_argument("--coordinator", default="localhost:12703")
    ap.add_argument("--max-epochs", type=int, default=60)
    ap.add_argument("--patience", type=int, default=2)
    ap.add_argument("--min-delta", type=float, default=2e-4)
    a = ap.parse_args()
    cluster = Cluster(a.coordinator, a.num_processes, a.process_id)
    logging.basicConfig(format="%(message)s",
                        level=logging.INFO if cluster.first else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    cfg = FitConfig(max_epochs=a.max_epochs, patience=a.patience, min_delta=a.min_delta)
    data = SeriesData(cfg, cluster)
    best = BestKeeper()
    fit = Fit(cfg, cluster, data,
              [Progress(), best, EarlyStopping(cfg.patience, cfg.min_delta)])
    epochs = fit.run()
    logging.info("ended after %d epochs, best validation error %.6f in epoch %d",
                 epochs, best.value, best.epoch)
    cluster.close()


if __name__ == "__main__":
    main()
