import numpy as np
from mpi4py import MPI

from ensemble import Ensemble

comm = MPI.COMM_WORLD
ensemble = Ensemble(comm, members_per_group=2)
for day in range(3):
    ensemble.forecast(day)
mean = ensemble.group_mean()
means = comm.gather(mean, root=0)
if comm.rank == 0:
    for value in means:
        if value is not None:
            print(np.round(value[:4], 5))
ensemble.close()
