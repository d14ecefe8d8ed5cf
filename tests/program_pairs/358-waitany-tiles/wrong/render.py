# Julia set, rendered in horizontal tiles; rank 0 pastes each tile as soon as it is in
import numpy as np
from mpi4py import MPI

WIDTH, HEIGHT, MAXITER = 160, 120, 60
SEED = complex(-0.8, 0.156)


def tile_rows(rank, size):
    return HEIGHT * rank // size, HEIGHT * (rank + 1) // size


def compute(r0, r1):
    y = np.linspace(-1.2, 1.2, HEIGHT)[r0:r1, None]
    x = np.linspace(-1.6, 1.6, WIDTH)[None, :]
    z = x + 1j * y
    count = np.zeros(z.shape, dtype=np.int32)
    for _ in range(MAXITER):
        alive = np.abs(z) < 2
        z[alive] = z[alive] ** 2 + SEED
        count += alive
    return count


def paste(image, rank, size, tile):
    r0, r1 = tile_rows(rank, size)
    image[r0:r1] = tile


def collect(comm, mine):
    image = np.zeros((HEIGHT, WIDTH), dtype=np.int32)
    paste(image, 0, comm.size, mine)
    bufs, reqs = {}, []
    for src in range(1, comm.size):
        r0, r1 = tile_rows(src, comm.size)
        bufs[src] = np.empty((r1 - r0, WIDTH), dtype=np.int32)
        reqs.append(comm.Irecv(bufs[src], source=src, tag=8))
    pasted = [0]
    for _ in range(len(reqs)):
        k = MPI.Request.Waitany(reqs)
        paste(image, k, comm.size, bufs[k])
        pasted.append(k)
    return image, pasted


def main():
    comm = MPI.COMM_WORLD
    r0, r1 = tile_rows(comm.rank, comm.size)
    mine = compute(r0, r1)
    if comm.rank != 0:
        comm.Send(mine, dest=0, tag=8)
        return
    image, pasted = collect(comm, mine)
    reference = compute(0, HEIGHT)
    print("tiles pasted in the order", pasted)
    print("pixels that differ from the serial picture:", int((image != reference).sum()))
    if not np.array_equal(image, reference):
        raise SystemExit(1)


main()
