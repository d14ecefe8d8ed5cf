"""Ray traced spheres. Rows near the bottom cost more, so the rows are dealt out cyclically."""
import sys

import numpy as np
from mpi4py import MPI

from render import render_row


def write_ppm(path, image):
    pixels = (image * 255 + 0.5).astype(np.uint8)
    with open(path, "wb") as out:
        out.write(f"P6 {image.shape[1]} {image.shape[0]} 255\n".encode())
        out.write(pixels.tobytes())


def main(width=320, height=240):
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    rows = [render_row(y, width, height) for y in range(rank, height, size)]
    block = np.array(rows).reshape(-1, width, 3)

    blocks = comm.gather(block, root=0)
    if rank == 0:
        image = np.concatenate(blocks)
        write_ppm("spheres.ppm", image)
        jump = np.abs(np.diff(image, axis=0)).mean()
        print(f"{image.shape[1]} x {image.shape[0]}, mean {image.mean():.5f}, "
              f"top {image[:60].mean():.5f}, bottom {image[-60:].mean():.5f}, row to row {jump:.5f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
