"""Multi-process Monte Carlo option pricing with JAX."""
import argparse

import jax
from jax.experimental import multihost_utils

import pricing
from market import MARKET


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--paths", type=int, default=20000)
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--coordinator", default=None)
    ap.add_argument("--num-processes", type=int, default=None)
    ap.add_argument("--process-id", type=int, default=None)
    return ap.parse_args()


def start(args):
    if args.coordinator:
        jax.distributed.initialize(args.coordinator, args.num_processes,
                                   args.process_id)
    else:
        jax.distributed.initialize(cluster_detection_method="mpi4py")


def main():
    args = parse()
    start(args)
    key = jax.random.fold_in(jax.random.key(args.seed), jax.process_index())
    price = pricing.asian_call(key, MARKET, args.paths)
    prices = multihost_utils.process_allgather(price)
    if jax.process_index() == 0:
        print(f"{jax.process_count() * args.paths} paths, price {prices.mean():.3f}")


if __name__ == "__main__":
    main()
