"""Spectrogram pipeline: rank 0 reads blocks, the other ranks transform them."""
import numpy as np
from mpi4py import MPI

BLOCK = 1 << 16
BLOCKS = 12
TAG_DATA = 5


class Source:
    """A synthetic recording: a chirp with a little hum."""

    def __init__(self, rate=48000.0):
        self.rate = rate

    def read_into(self, buf, index):
        t = (np.arange(BLOCK) + index * BLOCK) / self.rate
        freq = 200.0 + 300.0 * index
        buf[:] = np.sin(2 * np.pi * freq * t) + 0.1 * np.sin(2 * np.pi * 50 * t)


def peak_frequency(block, rate=48000.0):
    spec = np.abs(np.fft.rfft(block * np.hanning(BLOCK)))
    return float(np.fft.rfftfreq(BLOCK, 1 / rate)[spec.argmax()])


def reader(comm):
    source = Source()
    workers = comm.size - 1
    buf = np.empty(BLOCK)
    pending = []
    for index in range(BLOCKS):
        source.read_into(buf, index)
        req = comm.Isend(buf, dest=1 + index % workers, tag=TAG_DATA)
        pending.append(req)
    MPI.Request.Waitall(pending)
    return []


def transformer(comm):
    workers = comm.size - 1
    found = []
    block = np.empty(BLOCK)
    for index in range(comm.rank - 1, BLOCKS, workers):
        comm.Recv(block, source=0, tag=TAG_DATA)
        found.append((index, peak_frequency(block)))
    return found


def main():
    comm = MPI.COMM_WORLD
    if comm.size < 2:
        raise SystemExit("run with at least two processes")
    found = reader(comm) if comm.rank == 0 else transformer(comm)
    tables = comm.gather(found, root=0)
    if comm.rank == 0:
        for index, freq in sorted(sum(tables, [])):
            print(f"block {index:2d}  {freq:9.2f} Hz")


if __name__ == "__main__":
    main()
