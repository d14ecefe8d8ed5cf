"""Attention over a sequence that is split over the ranks; keys and values travel round the ring."""
import argparse
import sys

import jax
import jax.numpy as jnp
from mpi4py import MPI

from attention import RingAttention, full_attention
from ring import Ring
from sequence import Sequence


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--length", type=int, default=48)
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--layers", type=int, default=2)
    p.add_argument("--tolerance", type=float, default=1e-3)
    return p.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    ring = Ring(comm)
    seq = Sequence(args.length, args.width, comm.Get_rank(), comm.Get_size())

    attend = RingAttention(ring)
    x = seq.local()
    for layer in range(args.layers):
        x = x + attend(*seq.project(layer, x))

    want = seq.everything()
    for layer in range(args.layers):
        want = want + full_attention(*seq.project(layer, want))
    error = float(jnp.abs(x - seq.cut(want)).max())
    worst = comm.allreduce(error, op=MPI.MAX)
    if comm.Get_rank() == 0:
        print(f"{comm.Get_size()} ranks, largest difference {worst:.2e}")
    return 0 if worst < args.tolerance else 1


if __name__ == "__main__":
    jax.config.update("jax_platforms", "cpu")
    sys.exit(main())
