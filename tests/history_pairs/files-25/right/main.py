import os

import numpy as np
from mpi4py import MPI

from runlog import RunLog

comm = MPI.COMM_WORLD
rank = comm.Get_rank()

log = RunLog("logs", "tempering", rank)
log.line("started on %d ranks", comm.Get_size())

rng = np.random.default_rng(rank)
beta = 1.0 / (1 + rank)
x = 0.0
accepted = 0
for step in range(600):
    trial = x + rng.normal()
    if rng.random() < np.exp(-beta * (trial ** 2 - x ** 2)):
        x = trial
        accepted += 1
    if step % 200 == 199:
        log.line("step %d accepted %d", step + 1, accepted)
log.close()
comm.Barrier()

if rank == 0:
    lines = 0
    for name in os.listdir("logs"):
        with open(os.path.join("logs", name)) as handle:
            lines += len(handle.readlines())
    print("lines kept:", lines == 4 * comm.Get_size())
