"""Stream blocks of a signal through a chain of ranks.

Rank 0 produces, the inner ranks each apply one filter stage, the last rank
consumes.  Stages are generators; the stream ends with an empty message."""
import numpy as np
from mpi4py import MPI

from stages import apply_stage, consume, produce, stage_name

TAG = 17
BLOCK = 50


def receive_stream(comm, source):
    """Yield blocks until the sentinel (None) arrives."""
    while True:
        block = comm.recv(source=source, tag=TAG)
        if block is None:
            return
        yield block


def send_stream(comm, dest, blocks):
    """Forward every block, never more than two in flight, then the sentinel."""
    in_flight = []
    count = 0
    for block in blocks:
        if len(in_flight) == 2:
            in_flight.pop(0).wait()
        in_flight.append(comm.isend(block, dest=dest, tag=TAG))
        count += 1
    in_flight.append(comm.isend(None, dest=dest, tag=TAG))
    MPI.Request.waitall(in_flight)
    return count


def run_chain(comm, n_samples):
    rank, last = comm.rank, comm.size - 1
    stream = produce(n_samples, BLOCK) if rank == 0 else receive_stream(comm, rank - 1)
    stream = apply_stage(rank, stream)
    if rank < last:
        return send_stream(comm, rank + 1, stream), None
    return consume(stream)


def main():
    comm = MPI.COMM_WORLD
    n_samples = 1230
    n_blocks, result = run_chain(comm, n_samples)

    # every stage has seen every block
    lo = comm.allreduce(n_blocks, op=MPI.MIN)
    hi = comm.allreduce(n_blocks, op=MPI.MAX)
    assert lo == hi == -(-n_samples // BLOCK), (lo, hi)

    last = comm.size - 1
    magnitude = None
    if comm.rank == last:
        stream = produce(n_samples, BLOCK)
        for r in range(comm.size):
            stream = apply_stage(r, stream)
        _, reference = consume(stream)
        assert np.allclose(result, reference)
        magnitude = float(np.abs(result).mean())
        if last != 0:
            comm.send(magnitude, dest=0, tag=TAG + 1)
    if comm.rank == 0:
        if last != 0:
            magnitude = comm.recv(source=last, tag=TAG + 1)
        names = " | ".join(stage_name(r) for r in range(comm.size))
        print(f"{names}: {lo} blocks, mean magnitude {magnitude:.5f}")


if __name__ == "__main__":
    main()
