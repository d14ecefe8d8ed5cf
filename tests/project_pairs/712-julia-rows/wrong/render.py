import argparse

import numpy as np
from mpi4py import MPI

from fractal import escape_rows
from rows import RowPlan, collect


def write_pgm(path, image, limit):
    grey = (255 * image // limit).astype(np.uint8)
    with open(path, "wb") as fh:
        fh.write(f"P5\n{image.shape[1]} {image.shape[0]}\n255\n".encode())
        fh.write(grey.tobytes())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--height", type=int, default=62)
    ap.add_argument("--width", type=int, default=80)
    ap.add_argument("--limit", type=int, default=60)
    ap.add_argument("--out", default="julia.pgm")
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    plan = RowPlan(args.height, args.width, comm.size)
    block = escape_rows(
        plan.first_row(comm.rank), plan.heights[comm.rank], args.height, args.width, complex(-0.8, 0.156), args.limit
    )
    image = collect(comm, plan, block)
    if comm.rank == 0:
        write_pgm(args.out, image, args.limit)
        print(f"mean escape time {image.mean():.4f}, asymmetry {np.abs(image - image[::-1, ::-1]).mean():.4f}")


if __name__ == "__main__":
    main()
