"""
Gaussian blur + Sobel edge map of a grey-scale image, bands of rows per rank.

  mpirun -n 4 python blur.py [width height]

Rank 0 has the image; it is spread with Scatterv (bands need not be equal),
filtered with ghost rows, and collected with Gatherv.
"""
import sys

import numpy as np
from mpi4py import MPI
from scipy import ndimage

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

GHOST = 6           # rows of neighbours needed for the filter chain
SIGMA = 1.2


def test_card(w, h):
    yy, xx = np.mgrid[0:h, 0:w]
    img = 40 + 30 * np.sin(xx / 9.0) * np.cos(yy / 13.0)
    img[(xx - w / 2) ** 2 + (yy - h / 2) ** 2 < (min(w, h) / 4) ** 2] += 90
    img[(xx // 16 + yy // 16) % 7 == 0] += 35
    return img.astype(np.float32)


def edges(img):
    smooth = ndimage.gaussian_filter(img, SIGMA, truncate=4.0, mode="nearest")
    gx = ndimage.sobel(smooth, axis=1, mode="nearest")
    gy = ndimage.sobel(smooth, axis=0, mode="nearest")
    return np.hypot(gx, gy).astype(np.float32)


def bands(h):
    """first row and number of rows of every rank's band"""
    rows = np.full(size, h // size)
    rows[:h % size] += 1
    start = np.concatenate(([0], np.cumsum(rows)[:-1]))
    return start, rows


def main():
    w, h = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (203, 151)
    if min(w, h) < 16 or h < size:
        if rank == 0:
            print("image too small")
        return

    start, rows = bands(h)
    # each rank also gets GHOST rows from either side, where they exist
    top = np.maximum(start - GHOST, 0)
    bottom = np.minimum(start + rows + GHOST, h)
    ext = bottom - top

    image = test_card(w, h) if rank == 0 else None
    band = np.empty((ext[rank], w), dtype=np.float32)

    send = [image, ext * w, top * w, MPI.FLOAT] if rank == 0 else None
    comm.Scatterv(send, band, root=0)

    res = edges(band)
    a = start[rank] - top[rank]
    mine = np.ascontiguousarray(res[a:a + rows[rank]])

    result = np.zeros((h, w), dtype=np.float32) if rank == 0 else None
    recv = [result, rows * w, start * w, MPI.FLOAT] if rank == 0 else None
    comm.Gatherv(mine, recv, root=0)

    if rank == 0:
        diff = np.abs(result - edges(image)).max()
        print(f"{w}x{h} on {size} ranks, bands {rows.tolist()}")
        print(f"edge strength max {result.max():.3f} mean {result.mean():.4f}")
        print(f"difference to serial: {diff:.3e}")
        if diff > 1e-3:
            print("MISMATCH")


if __name__ == "__main__":
    main()
