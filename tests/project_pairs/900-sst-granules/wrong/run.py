"""Level-3 sea surface temperature from swath granules."""
import argparse

from mpi4py import MPI

from sst.context import RunContext
from sst.gather import RowGatherer
from sst.grid import bin_to_grid
from sst.plan import RowPlan
from sst.quality import QualityFilter
from sst.swath import ROW_FIELDS, read_rows


def parse_args():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--granules", type=int, default=11)
    ap.add_argument("--pixels", type=int, default=600, help="pixels of a granule")
    ap.add_argument("--max-zenith", type=float, default=55.0)
    ap.add_argument("--cell", type=float, default=10.0, help="cell size in degrees")
    ap.add_argument("--out", default="sst_l3.npz")
    return ap.parse_args()


def main():
    args = parse_args()
    with RunContext(MPI.COMM_WORLD) as run:
        plan = RowPlan(args.granules, args.pixels, run.size)
        with run.section("read"):
            rows = read_rows(plan.granules_of(run.rank), args.pixels)
        with run.section("filter"):
            rows = QualityFilter(max_zenith=args.max_zenith).apply(rows)
        with run.section("collect"):
            table = RowGatherer(run.comm, plan).to_root(rows)
        if run.is_root:
            grid = bin_to_grid(table, args.cell)
            grid.save(args.out)
            print(f"{len(table)} rows x {len(ROW_FIELDS)}, {grid.filled} cells filled")
            print(f"mean {grid.mean:.4f} K, coldest cell {grid.coldest:.4f} K")


if __name__ == "__main__":
    main()
