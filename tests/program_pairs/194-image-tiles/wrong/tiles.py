# Julia set, rendered tile by tile; every rank writes its own PGM tiles
import os
import sys

import numpy as np
from mpi4py import MPI

WIDTH = 240
HEIGHT = 240
TILE = 60
MAXITER = 60
C = complex(-0.74543, 0.11301)
OUTDIR = "tiles"


def tile_list():
    for ty in range(0, HEIGHT, TILE):
        for tx in range(0, WIDTH, TILE):
            yield tx, ty


def render(tx, ty):
    xs = -1.6 + 3.2 * (np.arange(tx, tx + TILE) + 0.5) / WIDTH
    ys = -1.6 + 3.2 * (np.arange(ty, ty + TILE) + 0.5) / HEIGHT
    z = xs[None, :] + 1j * ys[:, None]
    count = np.zeros(z.shape, dtype=np.uint8)
    for _ in range(MAXITER):
        inside = np.abs(z) < 2.0
        count[inside] += 1
        z[inside] = z[inside] ** 2 + C
    return count


def write_pgm(path, img):
    with open(path, "wb") as f:
        f.write(b"P5\n%d %d\n%d\n" % (img.shape[1], img.shape[0], MAXITER))
        f.write(img.tobytes())


def main():
    comm = MPI.COMM_WORLD
    me, n = comm.Get_rank(), comm.Get_size()

    os.makedirs(OUTDIR)

    pixels = 0
    for k, (tx, ty) in enumerate(tile_list()):
        if k % n != me:
            continue
        img = render(tx, ty)
        write_pgm(os.path.join(OUTDIR, f"tile_{tx:04d}_{ty:04d}.pgm"), img)
        pixels += img.size

    total = comm.reduce(pixels, op=MPI.SUM, root=0)
    if me == 0:
        print(f"{total} pixels in {len(os.listdir(OUTDIR))} tiles")
        if total != WIDTH * HEIGHT:
            sys.exit("some tiles are missing")


if __name__ == "__main__":
    main()
