"""Radial descriptors of crystal batches, scaled to zero mean and unit variance."""
import argparse
import json

import numpy as np
from mpi4py import MPI

from descriptors.batches import make_batches
from descriptors.config import DescriptorConfig
from descriptors.errors import ErrorCollector
from descriptors.runner import BatchRunner


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--batches", type=int, default=9)
    ap.add_argument("--per-batch", type=int, default=12)
    ap.add_argument("--cutoff", type=float, default=5.0)
    ap.add_argument("--strict", action="store_true", help="stop at the first unusable entry")
    ap.add_argument("--prefix", default="descriptors")
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    cfg = DescriptorConfig(batches=args.batches, per_batch=args.per_batch, cutoff=args.cutoff)
    errors = ErrorCollector(comm, strict=args.strict)
    runner = BatchRunner(comm, cfg, errors)
    features = runner.run(make_batches(cfg, comm.rank, comm.size))

    np.savez(f"{args.prefix}_{comm.rank:03d}.npz", features=runner.scaler.transform(features))
    report = errors.report()
    total = comm.reduce(len(features), root=0)
    if comm.rank == 0:
        summary = {
            "structures": total,
            "mean": runner.scaler.mean.round(6).tolist(),
            "errors": report,
        }
        with open(f"{args.prefix}.json", "w") as fh:
            json.dump(summary, fh, indent=1)
        print(f"{total} structures, {len(report)} errors")
        print("mean", np.array2string(runner.scaler.mean, precision=4))
        for entry in report:
            print(f"  rank {entry['rank']} {entry['what']}: {entry['error']}")


if __name__ == "__main__":
    main()
