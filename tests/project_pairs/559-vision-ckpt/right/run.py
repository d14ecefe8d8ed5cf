import argparse
import os
import sys

from cluster import start
from trainer import Trainer


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=12)
    p.add_argument("--save-every", type=int, default=3)
    p.add_argument("--keep", type=int, default=2)
    p.add_argument("--batch", type=int, default=16, help="rows per process")
    p.add_argument("--workdir", default="work")
    p.add_argument("--port", type=int, default=int(os.environ.get("COORD_PORT", "23459")))
    return p.parse_args()


def main():
    args = parse_args()
    start(args.port)
    trainer = Trainer(args)
    losses = trainer.run()
    trainer.log(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}, kept {trainer.checkpoints.steps()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
