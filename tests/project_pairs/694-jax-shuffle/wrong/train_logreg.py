"""Data-parallel logistic regression; each process feeds its part of the data set."""
import argparse
import logging

from logreg import runtime
from logreg.audit import EpochAudit
from logreg.config import Options
from logreg.dataset import make_blobs
from logreg.loaders import LOADERS
from logreg.optim import Learner


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--process-id", type=int, default=0)
    ap.add_argument("--num-processes", type=int, default=1)
    ap.add_argument("--coordinator", default="localhost:12702")
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--loader", choices=sorted(LOADERS), default="jittered")
    ap.add_argument("--samples", type=int, default=480)
    a = ap.parse_args()
    opts = Options(epochs=a.epochs, loader=a.loader, samples=a.samples)
    with runtime.session(a.coordinator, a.num_processes, a.process_id) as rt:
        logging.basicConfig(level=logging.INFO if rt.index == 0 else logging.WARNING,
                            format="%(message)s")
        logging.getLogger("jax").setLevel(logging.WARNING)
        data = make_blobs(opts)
        loader = LOADERS[opts.loader](data, opts, rt)
        learner = Learner(opts, rt)
        audit = EpochAudit(rt, opts)
        for epoch in range(opts.epochs):
            loss = float("nan")
            for ids, batch in loader.epoch(epoch):
                audit.note(ids)
                loss = learner.step(*batch)
            logging.info("epoch %d loss %.6f  %s", epoch, loss, audit.close())
        logging.info("accuracy %.4f", learner.accuracy(data))


if __name__ == "__main__":
    main()
