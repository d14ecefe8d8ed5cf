"""Task farm: one spectral band per task, handed out on demand."""
import math
import sys

from mpi4py import MPI

TASK, STOP, DONE = 1, 2, 3

BANDS = [
    {"name": "B", "lo": 0.40, "hi": 0.50},
    {"name": "V", "lo": 0.50, "hi": 0.60},
    {"name": "R", "lo": 0.60, "hi": 0.75},
]


def planck(lam_um, temp):
    c = 14387.77
    return 1.0 / (lam_um ** 5 * (math.exp(c / (lam_um * temp)) - 1.0))


def integrate(band, temp, n=20000):
    h = (band["hi"] - band["lo"]) / n
    total = 0.0
    for i in range(n):
        total += planck(band["lo"] + (i + 0.5) * h, temp)
    return total * h


def manager(comm, tasks):
    status = MPI.Status()
    pending = list(tasks)
    results = {}
    active = 0
    for worker in range(1, comm.size):
        if pending:
            comm.send(pending.pop(0), dest=worker, tag=TASK)
            active += 1
        else:
            comm.send(None, dest=worker, tag=STOP)
    while active:
        name, value = comm.recv(source=MPI.ANY_SOURCE, tag=DONE, status=status)
        results[name] = value
        worker = status.Get_source()
        if pending:
            comm.send(pending.pop(0), dest=worker, tag=TASK)
        else:
            comm.send(None, dest=worker, tag=STOP)
            active -= 1
    return results


def worker(comm, temp):
    status = MPI.Status()
    while True:
        band = comm.recv(source=0, tag=MPI.ANY_TAG, status=status)
        if status.Get_tag() == STOP:
            return
        comm.send((band["name"], integrate(band, temp)), dest=0, tag=DONE)


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    if world.size < 2:
        sys.exit("this program needs at least two processes")
    temperature = 5772.0
    if world.rank == 0:
        flux = manager(world, BANDS)
        for key in sorted(flux):
            print(f"{key}: {flux[key]:.6e}")
    else:
        worker(world, temperature)
