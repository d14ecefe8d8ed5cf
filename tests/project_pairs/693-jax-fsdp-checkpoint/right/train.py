"""Train a small regression network with sharded parameters."""
import argparse
import logging

import jax

from fsdp import dist
from fsdp.callbacks import CheckpointCallback, LogCallback
from fsdp.checkpoint import CheckpointManager
from fsdp.config import TrainConfig
from fsdp.data import SineData
from fsdp.trainer import Trainer


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--process-id", type=int, default=0)
    ap.add_argument("--num-processes", type=int, default=1)
    ap.add_argument("--coordinator", default="localhost:12701")
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--save-every", type=int, default=2)
    ap.add_argument("--ckpt", default="ckpt")
    ap.add_argument("--resume", action="store_true")
    return ap.parse_args()


def main():
    args = parse()
    dist.start(args.coordinator, args.num_processes, args.process_id)
    logging.basicConfig(level=logging.INFO if dist.is_primary() else logging.WARNING,
                        format="%(message)s")
    logging.getLogger("jax").setLevel(logging.WARNING)
    cfg = TrainConfig(epochs=args.epochs, save_every=args.save_every)
    mesh = dist.make_mesh()
    manager = CheckpointManager(args.ckpt)
    callbacks = [LogCallback(), CheckpointCallback(manager, cfg.save_every)]
    trainer = Trainer(cfg, mesh, SineData(cfg, mesh), callbacks)
    first = 0
    if args.resume:
        first = manager.restore(trainer)
    loss = trainer.fit(first)
    logging.info("final loss %.6f, checkpoints %s", loss, manager.saved)
    dist.stop()


if __name__ == "__main__":
    main()
