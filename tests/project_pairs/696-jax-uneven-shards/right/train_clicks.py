"""Factorisation model on record files that are dealt out to the processes."""
import argparse
import logging
import os

from clicks import dist
from clicks.config import ClickConfig
from clicks.files import write_examples
from clicks.metrics import RunningMean
from clicks.model import FactorModel
from clicks.reader import ShardReader


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--process-id", type=int, default=0)
    ap.add_argument("--num-processes", type=int, default=1)
    ap.add_argument("--coordinator", default="localhost:12704")
    ap.add_argument("--data", default="click_data")
    ap.add_argument("--files", type=int, default=7)
    ap.add_argument("--epochs", type=int, default=3)
    a = ap.parse_args()
    dist.init(a.coordinator, a.num_processes, a.process_id)
    logging.basicConfig(format="%(message)s",
                        level=logging.INFO if dist.rank() == 0 else logging.WARNING)
    logging.getLogger("jax").setLevel(logging.WARNING)
    if a.files < dist.world():
        raise SystemExit("every process needs a file")
    cfg = ClickConfig(epochs=a.epochs)
    if dist.rank() == 0 and not os.path.exists(os.path.join(a.data, "DONE")):
        write_examples(a.data, a.files, cfg)
    dist.barrier("data")

    reader = ShardReader(a.data, cfg)
    model = FactorModel(cfg, dist.mesh())
    for epoch in range(cfg.epochs):
        mean = RunningMean()
        for batch in reader.epoch(epoch):
            mean.add(model.train(*batch))
        logging.info("epoch %d: %d steps, loss %.6f", epoch, mean.n, mean.value)
    dist.finish()


if __name__ == "__main__":
    main()
