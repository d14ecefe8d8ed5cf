"""Convert blocks of sensor text logs to arrays, rejecting malformed blocks."""
import io
import logging
import sys

import numpy as np
from mpi4py import MPI

logger = logging.getLogger("convert")
BLOCKS = 8


def raw_block(stream, index):
    rng = np.random.default_rng([stream, index])
    rows = rng.normal(20.0, 2.0, size=(6, 3))
    text = io.StringIO()
    for t, row in enumerate(rows):
        text.write(f"{index * 6 + t};" + ";".join(f"{v:.3f}" for v in row) + "\n")
    if (stream, index) in {(0, 5), (2, 1)}:
        text.write("4x;n.a.;;\n")
    return text.getvalue()


def parse(text):
    records = []
    for line in text.splitlines():
        stamp, *values = line.split(";")
        if len(values) != 3:
            raise ValueError(f"expected 3 channels, got {len(values)}: {line!r}")
        records.append([int(stamp), *map(float, values)])
    return np.asarray(records)


class Converter:
    def __init__(self, comm):
        self.comm = comm
        self.stream = comm.rank
        self.accepted = []
        self.rejected = 0
        self.totals = []

    def convert(self, index):
        try:
            records = parse(raw_block(self.stream, index))
        except ValueError as err:
            self.rejected += 1
            logger.warning("block %d rejected: %s", index, err)
            records = np.empty((0, 4))
        self.totals.append(self.comm.allreduce(len(records), op=MPI.SUM))
        self.accepted.append(records)

    def summary(self):
        rejected = self.comm.allreduce(self.rejected)
        mean = self.comm.allreduce(sum(float(p[:, 1:].sum()) for p in self.accepted))
        return rejected, mean / (3 * sum(self.totals))


def main():
    comm = MPI.COMM_WORLD
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)
    conv = Converter(comm)
    for index in range(BLOCKS):
        conv.convert(index)
    rejected, mean = conv.summary()
    if comm.rank == 0:
        print("rows per block:", conv.totals)
        print(f"{rejected} rejections, overall mean {mean:.6f}")


if __name__ == "__main__":
    main()
