"""
Producer/consumer pipeline: rank 0 plays detector, the other ranks reduce
frames (mean, rms, hot pixels).  Frames are dealt round robin.
"""
import argparse
import numpy as np
from mpi4py import MPI

FRAME_TAG = 100


class Detector:
    def __init__(self, npix, seed=1):
        self.npix = npix
        self.rng = np.random.default_rng(seed)
        self.pedestal = self.rng.normal(10, 1, size=npix)

    def read_into(self, buf, index):
        buf[:] = self.pedestal
        buf += index            # easy to verify downstream
        hot = self.rng.integers(0, self.npix, size=5)
        buf[hot] += 500.0


class Sender:
    """Sends frames without blocking the readout."""

    def __init__(self, comm, npix, depth=3):
        self.comm = comm
        self.depth = depth
        self.buffers = [np.zeros(npix) for _ in range(depth)]
        self.requests = [MPI.REQUEST_NULL] * depth
        self.head = 0

    def next_buffer(self):
        slot = self.head
        self.head = (self.head + 1) % self.depth
        return slot, self.buffers[slot]

    def push(self, slot, dest, tag):
        self.requests[slot] = self.comm.Isend(self.buffers[slot], dest=dest, tag=tag)

    def flush(self):
        MPI.Request.Waitall(self.requests)


def consumer_of(i, nconsumers):
    return 1 + i % nconsumers


def produce(comm, nframes, npix):
    det = Detector(npix)
    out = Sender(comm, npix)
    nc = comm.size - 1
    for i in range(nframes):
        slot, buf = out.next_buffer()
        det.read_into(buf, i)
        out.push(slot, consumer_of(i, nc), FRAME_TAG + i)
    out.flush()
    return []


def consume(comm, nframes, npix):
    nc = comm.size - 1
    frame = np.empty(npix)
    stats = []
    for i in range(nframes):
        if consumer_of(i, nc) != comm.rank:
            continue
        comm.Recv(frame, source=0, tag=FRAME_TAG + i)
        med = np.median(frame)
        stats.append((i, float(med), float(frame.std()), int((frame > med + 100).sum())))
    return stats


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--frames", type=int, default=12)
    ap.add_argument("--pixels", type=int, default=100_000)
    args = ap.parse_args()

    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("run with at least 2 ranks")

    role = produce if comm.rank == 0 else consume
    local = role(comm, args.frames, args.pixels)

    table = comm.gather(local, root=0)
    if comm.rank == 0:
        rows = sorted(r for part in table for r in part)
        print(" frame   median      rms   hot")
        for i, med, rms, hot in rows:
            print(f"{i:6d} {med:8.3f} {rms:8.3f} {hot:5d}")


if __name__ == "__main__":
    main()
