import json
import os

import numpy as np
from mpi4py import MPI

from sweep import Job, jobs_of

OUT = "sweep_out"


def run(job: Job) -> dict:
    rng = np.random.default_rng(job.seed)
    walk = np.cumsum(rng.normal(scale=job.scale, size=200))
    return {"seed": job.seed, "scale": job.scale, "end": float(walk[-1])}


comm = MPI.COMM_WORLD
os.makedirs(OUT, exist_ok=True)

metrics = [run(job) for job in jobs_of(comm)]
with open(os.path.join(OUT, "metrics.json"), "w") as handle:
    json.dump(metrics, handle, indent=1)

number = comm.reduce(len(metrics), op=MPI.SUM, root=0)
if comm.rank == 0:
    print("jobs done:", number)
