import time

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
me = comm.Get_rank()


def read_settings():
    return {"steps": 25, "dt": 0.01, "box": (4.0, 4.0, 4.0)}


if me == 0:
    settings = read_settings()
    for dest in range(1, comm.Get_size()):
        comm.send(settings, dest=dest)
    comm.Barrier()
else:
    settings = comm.recv(source=0)
    comm.Barrier()

started = time.perf_counter()
rng = np.random.default_rng(me)
pos = rng.uniform(size=(64, 3)) * settings["box"]
vel = rng.normal(size=(64, 3))
for _ in range(settings["steps"]):
    pos = (pos + settings["dt"] * vel) % settings["box"]
spent = time.perf_counter() - started

slowest = comm.reduce(spent, op=MPI.MAX, root=0)
if me == 0:
    print("steps:", settings["steps"], "measured:", slowest > 0.0)
