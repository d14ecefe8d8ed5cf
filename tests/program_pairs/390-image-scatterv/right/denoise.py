"""
Non-local-ish denoising of one big greyscale picture, strips of rows per rank.
"""
import argparse
import numpy as np
from mpi4py import MPI as mpi
from scipy.ndimage import median_filter


def synthetic_picture(h, w, noise=0.2):
    yy, xx = np.mgrid[0:h, 0:w]
    img = np.sin(xx / 7.0) * np.cos(yy / 5.0)
    rng = np.random.default_rng(5)
    salt = rng.random((h, w)) < noise
    img[salt] = 2.0
    return np.ascontiguousarray(img)


class StripDistributor:
    def __init__(self, comm, height, width):
        self.comm, self.h, self.w = comm, height, width
        n, extra = divmod(height, comm.size)
        self.rows = np.array([n + (i < extra) for i in range(comm.size)], dtype=int)
        self.first = np.concatenate(([0], np.cumsum(self.rows)[:-1]))

    @property
    def local_shape(self):
        return (int(self.rows[self.comm.rank]), self.w)

    def _layout(self):
        return self.rows * self.w, self.first * self.w

    def scatter(self, picture):
        counts, displs = self._layout()
        strip = np.zeros(self.local_shape)
        send = None
        if self.comm.rank == 0:
            send = [picture, counts, displs, mpi.DOUBLE]
        self.comm.Scatterv(send, [strip, counts[self.comm.rank], mpi.DOUBLE], root=0)
        return strip

    def gather(self, strip):
        counts, displs = self._layout()
        recv = None
        out = None
        if self.comm.rank == 0:
            out = np.zeros((self.h, self.w))
            recv = [out, counts, displs, mpi.DOUBLE]
        self.comm.Gatherv([strip, counts[self.comm.rank], mpi.DOUBLE], recv, root=0)
        return out


def pad_with_neighbours(comm, strip, k):
    """k ghost rows on both sides (edge strips repeat their last row)"""
    up, down = comm.rank - 1, comm.rank + 1
    if up < 0:
        up = mpi.PROC_NULL
    if down >= comm.size:
        down = mpi.PROC_NULL
    top = np.repeat(strip[:1], k, axis=0)
    bottom = np.repeat(strip[-1:], k, axis=0)
    comm.Sendrecv(np.ascontiguousarray(strip[-k:]), dest=down, recvbuf=top, source=up)
    comm.Sendrecv(np.ascontiguousarray(strip[:k]), dest=up, recvbuf=bottom, source=down)
    return np.vstack([top, strip, bottom])


def denoise(comm, dist, picture, k=2):
    strip = dist.scatter(picture)
    padded = pad_with_neighbours(comm, strip, k)
    clean = median_filter(padded, size=2 * k + 1, mode="nearest")[k:-k]
    return dist.gather(np.ascontiguousarray(clean))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--height", type=int, default=256)
    ap.add_argument("--width", type=int, default=256)
    ap.add_argument("--check", action="store_true", default=True)
    a = ap.parse_args()
    comm = mpi.COMM_WORLD

    picture = None
    if comm.rank == 0:
        picture = synthetic_picture(a.height, a.width)
    dist = StripDistributor(comm, a.height, a.width)
    result = denoise(comm, dist, picture)

    if comm.rank == 0 and a.check:
        ref = median_filter(picture, size=5, mode="nearest")
        print("max deviation from serial: %.3g" % np.abs(ref - result).max())


if __name__ == "__main__":
    main()
