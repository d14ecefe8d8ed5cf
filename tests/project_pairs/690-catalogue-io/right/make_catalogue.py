"""Find density peaks in a noise field and write one shared binary catalogue."""
import argparse
import logging
import sys

from mpi4py import MPI

from halocat.catalogue import PEAK_DTYPE, CatalogueFile, read_catalogue
from halocat.config import CatalogueConfig
from halocat.decomp import Slabs
from halocat.field import make_field
from halocat.peaks import find_peaks
from halocat.verify import check


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--cells", type=int, default=64)
    ap.add_argument("--threshold", type=float, default=0.4)
    ap.add_argument("--snapshots", type=int, default=2)
    ap.add_argument("--seed", type=int, default=8)
    ap.add_argument("--out", default="peaks_{:02d}.bin")
    ap.add_argument("-v", "--verbose", action="store_true")
    a = ap.parse_args()
    cfg = CatalogueConfig(a.cells, a.threshold, a.snapshots, a.seed, a.out)
    slabs = Slabs(MPI.COMM_WORLD, cfg.cells)
    logging.basicConfig(stream=sys.stdout, format=f"[{slabs.rank}] %(message)s",
                        level=logging.INFO if a.verbose else logging.WARNING)

    failures = 0
    for snap in range(cfg.snapshots):
        field = make_field(cfg, slabs, snap)
        rows = find_peaks(field, cfg, slabs)
        logging.info("snapshot %d: %d peaks here", snap, len(rows))
        with CatalogueFile(slabs.comm, cfg.path(snap), PEAK_DTYPE) as cat:
            total = cat.write(rows)
        if slabs.rank == 0:
            table = read_catalogue(cfg.path(snap), PEAK_DTYPE)
            problem = check(table, total, cfg)
            failures += problem is not None
            print(f"{cfg.path(snap)}: {len(table)} peaks, highest "
                  f"{table['height'].max() if len(table) else 0:.6f}, {problem or 'complete'}")
    sys.exit(1 if slabs.comm.bcast(failures, root=0) else 0)


if __name__ == "__main__":
    main()
