"""Vegetation index tiles of a synthetic scene and their mosaic."""
import argparse
import shutil
from pathlib import Path

from mpi4py import MPI

from mosaic.options import Options
from mosaic.pipeline import ScenePipeline


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--rows", type=int, default=4, help="rows of tiles")
    ap.add_argument("--cols", type=int, default=5, help="columns of tiles")
    ap.add_argument("--tile", type=int, default=96, help="edge of a tile in pixels")
    ap.add_argument("--store", type=Path, default=Path("tiles"))
    ap.add_argument("--timings", action="store_true")
    return ap.parse_args()


def main():
    args = parse_args()
    comm = MPI.COMM_WORLD
    options = Options(rows=args.rows, cols=args.cols, tile=args.tile, store=args.store)
    if comm.rank == 0:
        shutil.rmtree(options.store, ignore_errors=True)
        options.store.mkdir(parents=True)
    comm.Barrier()

    pipeline = ScenePipeline(comm, options)
    summary = pipeline.run()
    if comm.rank == 0:
        print("tiles {tiles} valid {valid:.4f} mean {mean:.5f} p90 {p90:.5f}".format(**summary))
        if args.timings:
            print(pipeline.timers.table())


if __name__ == "__main__":
    main()
