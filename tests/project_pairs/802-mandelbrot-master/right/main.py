# Mandelbrot set, one row at a time is given to whoever is free
import numpy as np
from mpi4py import MPI

WIDTH = 160
HEIGHT = 100
MAXITER = 80

TAG_WORK = 1
TAG_RESULT = 2
TAG_STOP = 3


def compute_row(y):
    im = -1.2 + 2.4 * y / (HEIGHT - 1)
    row = np.zeros(WIDTH, dtype=np.int64)
    for x in range(WIDTH):
        c = complex(-2.1 + 3.0 * x / (WIDTH - 1), im)
        z = 0j
        k = 0
        while abs(z) <= 2.0 and k < MAXITER:
            z = z * z + c
            k += 1
        row[x] = k
    return row


def master(comm):
    image = np.zeros((HEIGHT, WIDTH), dtype=np.int64)
    status = MPI.Status()
    next_row = 0
    busy = 0

    for worker in range(1, comm.Get_size()):
        comm.send(next_row, dest=worker, tag=TAG_WORK)
        next_row += 1
        busy += 1

    while busy > 0:
        y, row = comm.recv(source=MPI.ANY_SOURCE, tag=TAG_RESULT, status=status)
        image[y, :] = row
        busy -= 1
        if next_row < HEIGHT:
            comm.send(next_row, dest=status.Get_source(), tag=TAG_WORK)
            next_row += 1
            busy += 1

    for worker in range(1, comm.Get_size()):
        comm.send(None, dest=worker, tag=TAG_STOP)
    return image


def worker(comm):
    status = MPI.Status()
    while True:
        y = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == TAG_STOP:
            break
        comm.send((y, compute_row(y)), dest=0, tag=TAG_RESULT)


def main():
    comm = MPI.COMM_WORLD
    if comm.Get_rank() != 0:
        worker(comm)
        return
    if comm.Get_size() == 1:
        image = np.array([compute_row(y) for y in range(HEIGHT)])
    else:
        image = master(comm)
    print("rows filled:", int((image.max(axis=1) > 0).sum()), "of", HEIGHT)
    print("sum of iterations:", int(image.sum()))
    print("points inside:", int((image == MAXITER).sum()))


main()
