"""Unsharp-mask a stack of detector frames; each rank filters a horizontal stripe."""
import logging

import numpy as np
from mpi4py import MPI

logging.basicConfig(format="[%(levelname)s] %(message)s", level=logging.INFO)
log = logging.getLogger(__name__)

HEIGHT, WIDTH, NFRAMES = 96, 64, 8


class BadFrame(ValueError):
    pass


def read_frame(k):
    rng = np.random.default_rng(k)
    frame = rng.random((HEIGHT, WIDTH))
    if k == 5:
        frame[4, 10:14] = np.nan
    return frame


def stripe_bounds(rank, size):
    edges = np.linspace(0, HEIGHT, size + 1).astype(int)
    return edges[rank], edges[rank + 1]


def unsharp(stripe, amount=0.6):
    if not np.isfinite(stripe).all():
        raise BadFrame("dead pixels in stripe")
    blur = (stripe + np.roll(stripe, 1, axis=1) + np.roll(stripe, -1, axis=1)) / 3.0
    return stripe + amount * (stripe - blur)


def main():
    comm = MPI.COMM_WORLD
    lo, hi = stripe_bounds(comm.rank, comm.size)
    kept, means = 0, []

    for k in range(NFRAMES):
        try:
            part = unsharp(read_frame(k)[lo:hi])
        except BadFrame as exc:
            log.warning("frame %d, rows %d-%d: %s", k, lo, hi, exc)
            part = None

        stripes = comm.gather(part, root=0)
        if comm.rank == 0:
            if any(s is None for s in stripes):
                continue
            frame = np.vstack(stripes)
            means.append(frame.mean())
            kept += 1

    if comm.rank == 0:
        log.info("kept %d of %d frames", kept, NFRAMES)
        log.info("means: %s", np.round(means, 5))
    comm.Barrier()


if __name__ == "__main__":
    main()
