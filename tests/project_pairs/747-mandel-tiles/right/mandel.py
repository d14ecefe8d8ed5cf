"""Escape-time picture of the Mandelbrot set, bands of rows dealt out cyclically."""
import numpy as np
from mpi4py import MPI

WIDTH = 256
BAND_ROWS = 40
N_BANDS = 9
MAX_ITER = 30

XS = np.linspace(-2.2, 0.8, WIDTH)
YS = np.linspace(-1.3, 1.3, BAND_ROWS * N_BANDS)


def render(band, out):
    rows = slice(band * BAND_ROWS, (band + 1) * BAND_ROWS)
    c = XS[None, :] + 1j * YS[rows, None]
    z = np.zeros_like(c)
    out.fill(0.0)
    for _ in range(MAX_ITER):
        alive = np.abs(z) <= 2.0
        z[alive] = z[alive] ** 2 + c[alive]
        out += alive


def bands_of(rank, size):
    return range(rank, N_BANDS, size)


def send_bands(comm, root):
    pending = []
    for band in bands_of(comm.rank, comm.size):
        tile = np.empty((BAND_ROWS, WIDTH))
        render(band, tile)
        pending.append(comm.Isend(tile, dest=root, tag=band))
    MPI.Request.Waitall(pending)


def collect_bands(comm):
    picture = np.zeros((N_BANDS, BAND_ROWS, WIDTH))
    for band in bands_of(comm.rank, comm.size):
        render(band, picture[band])
    for source in range(comm.size):
        if source == comm.rank:
            continue
        for band in bands_of(source, comm.size):
            comm.Recv(picture[band], source=source, tag=band)
    return picture.reshape(-1, WIDTH)


def main():
    comm = MPI.COMM_WORLD
    root = 0
    if comm.rank != root:
        send_bands(comm, root)
        return
    picture = collect_bands(comm)
    inside = np.mean(picture == MAX_ITER)
    mirror = np.abs(picture - picture[::-1]).max()
    print(f"picture {picture.shape}, mean iterations {picture.mean():.4f}")
    print(f"area estimate {inside * 3.0 * 2.6:.4f}, asymmetry {mirror:.1f}")


if __name__ == "__main__":
    main()
