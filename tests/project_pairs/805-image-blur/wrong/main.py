"""Box blur of a grey image. Every process has some columns of it, plus one
column at either side that belongs to the neighbour."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

HEIGHT, WIDTH, PASSES = 60, 96, 8

west = rank - 1 if rank > 0 else MPI.PROC_NULL
east = rank + 1 if rank < size - 1 else MPI.PROC_NULL


def test_image():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    return 127.0 + 120.0 * np.sin(x / 5.0) * np.cos(y / 7.0)


def exchange(block):
    comm.Sendrecv(block[:, -2].copy(), dest=east, sendtag=5,
                  recvbuf=block[:, 0].copy(), source=west, recvtag=5)
    comm.Sendrecv(block[:, 1].copy(), dest=west, sendtag=6,
                  recvbuf=block[:, -1].copy(), source=east, recvtag=6)


def blur(block):
    out = block.copy()
    acc = np.zeros((HEIGHT - 2, block.shape[1] - 2))
    for dy in range(3):
        for dx in range(3):
            acc += block[dy:dy + HEIGHT - 2, dx:dx + block.shape[1] - 2]
    out[1:-1, 1:-1] = acc / 9.0
    return out


cols = np.array_split(np.arange(WIDTH), size)[rank]
block = np.zeros((HEIGHT, len(cols) + 2))
block[:, 1:-1] = test_image()[:, cols]

for _ in range(PASSES):
    exchange(block)
    block = blur(block)

parts = comm.gather(block[:, 1:-1], root=0)
if rank == 0:
    image = np.hstack(parts)
    print("shape   ", image.shape)
    print("mean    ", round(float(image.mean()), 6))
    print("variance", round(float(image.var()), 6))
