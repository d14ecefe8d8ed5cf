"""Mandelbrot-like escape counts by row with a task farm.

Rank 0 hands out rows on demand; with a single process the rows are computed
in place.  Workers leave when they receive the STOP tag."""
import numpy as np
from mpi4py import MPI

TAG_READY, TAG_ROW, TAG_DONE, TAG_STOP = 1, 2, 3, 4

WIDTH, HEIGHT, LIMIT = 60, 40, 80


def row_counts(row):
    y = -1.2 + 2.4 * row / (HEIGHT - 1)
    c = np.linspace(-2.1, 0.7, WIDTH) + 1j * y
    z = np.zeros_like(c)
    counts = np.zeros(WIDTH, dtype=np.int32)
    for _ in range(LIMIT):
        alive = np.abs(z) <= 2.0
        z[alive] = z[alive] ** 2 + c[alive]
        counts += alive
    return counts


def serve(comm):
    image = np.full((HEIGHT, WIDTH), -1, dtype=np.int32)
    handled = dict.fromkeys(range(1, comm.size), 0)
    pending = iter(range(HEIGHT))
    active = comm.size - 1
    status = MPI.Status()
    while active:
        comm.Probe(source=MPI.ANY_SOURCE, tag=MPI.ANY_TAG, status=status)
        worker, tag = status.Get_source(), status.Get_tag()
        if tag == TAG_READY:
            comm.recv(source=worker, tag=TAG_READY)
        elif tag == TAG_DONE:
            buf = np.empty(WIDTH + 1, dtype=np.int32)
            assert status.Get_count(MPI.INT32_T) == WIDTH + 1
            comm.Recv([buf, MPI.INT32_T], source=worker, tag=TAG_DONE)
            image[buf[0]] = buf[1:]
            handled[worker] += 1
        else:
            raise RuntimeError(f"unexpected tag {tag} from rank {worker}")
        row = next(pending, None)
        if row is None:
            comm.send(None, dest=worker, tag=TAG_STOP)
            active -= 1
        else:
            comm.send(row, dest=worker, tag=TAG_ROW)
    return image, handled


def work(comm):
    comm.send(None, dest=0, tag=TAG_READY)
    status = MPI.Status()
    out = np.empty(WIDTH + 1, dtype=np.int32)
    n = 0
    while True:
        row = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == TAG_STOP:
            return n
        out[0] = row
        out[1:] = row_counts(row)
        comm.Send([out, MPI.INT32_T], dest=0, tag=TAG_DONE)
        n += 1


def main():
    comm = MPI.COMM_WORLD
    if comm.size == 1:
        image = np.array([row_counts(r) for r in range(HEIGHT)])
        handled = {0: HEIGHT}
        done = HEIGHT
    elif comm.rank == 0:
        image, handled = serve(comm)
        done = 0
    else:
        image = None
        done = work(comm)

    total = comm.allreduce(done)
    assert total == HEIGHT, total
    if comm.rank == 0:
        reference = np.array([row_counts(r) for r in range(HEIGHT)])
        np.testing.assert_array_equal(image, reference)
        assert sum(handled.values()) == HEIGHT
        print(f"image complete, {int(image.sum())} iterations, rows handled: {handled}")


if __name__ == "__main__":
    try:
        main()
    except Exception as exc:  # a lost worker would leave the others waiting
        print(f"rank {MPI.COMM_WORLD.rank}: {exc!r}", flush=True)
        MPI.COMM_WORLD.Abort(1)
