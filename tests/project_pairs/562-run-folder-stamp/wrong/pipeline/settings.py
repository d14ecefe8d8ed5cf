import argparse
import os


def parse(argv=None):
    p = argparse.ArgumentParser("pretrain and finetune an autoencoder")
    p.add_argument("--runs", default="runs")
    p.add_argument("--name", default="ae")
    p.add_argument("--pretrain-steps", type=int, default=20)
    p.add_argument("--finetune-steps", type=int, default=10)
    p.add_argument("--rows", type=int, default=32)
    p.add_argument("--features", type=int, default=12)
    p.add_argument("--code", type=int, default=3)
    p.add_argument("--coordinator", default="127.0.0.1:23462")
    p.add_argument("--process-id", type=int, default=int(os.environ.get("OMPI_COMM_WORLD_RANK", 0)))
    p.add_argument("--num-processes", type=int,
                   default=int(os.environ.get("OMPI_COMM_WORLD_SIZE", 1)))
    return p.parse_args(argv)
