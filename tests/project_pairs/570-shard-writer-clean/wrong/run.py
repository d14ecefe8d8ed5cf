"""Embeds documents with a fixed random projection and writes one shard per rank."""
import argparse
import sys

import jax
from mpi4py import MPI

from embedder.encode import Projection
from embedder.manifest import write_manifest
from embedder.sink import ShardSink
from embedder.stats import ColumnStats

jax.config.update("jax_platforms", "cpu")


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--documents", type=int, default=120)
    p.add_argument("--width", type=int, default=8)
    p.add_argument("--chunk", type=int, default=16)
    p.add_argument("--out", default="embeddings")
    p.add_argument("--append", action="store_true", help="keep what the folder holds")
    return p.parse_args()


def main():
    args = arguments()
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    projection = Projection(args.width)
    stats = ColumnStats(args.width, comm)
    documents = list(range(rank, args.documents, size))
    with ShardSink(args.out, comm, overwrite=not args.append) as sink:
        for start in range(0, len(documents), args.chunk):
            block = projection(documents[start:start + args.chunk])
            stats.add(block)
            sink.write(block)

    summary = stats.finish()
    if rank == 0:
        manifest = write_manifest(args.out, summary)
        print(f"{manifest['rows']} rows in {len(manifest['shards'])} shards, "
              f"mean norm {summary['norm']:.4f}")
        return 0 if manifest["rows"] == args.documents else 7
    return 0


if __name__ == "__main__":
    sys.exit(main())
