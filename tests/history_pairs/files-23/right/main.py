import json
import os

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank

STATE = os.path.join("state", "search.json")
os.makedirs(os.path.dirname(STATE), exist_ok=True)


def store(state):
    """Never leaves half a file behind."""
    scratch = STATE + ".tmp"
    with open(scratch, "w") as handle:
        json.dump(state, handle)
    os.replace(scratch, STATE)


def objective(x):
    return float((x ** 2).sum() + 0.3 * np.cos(5 * x).sum())


rng = np.random.default_rng(rank + 60)
best_x, best_f = np.ones(2), objective(np.ones(2))
for round_number in range(10):
    trials = best_x + rng.normal(scale=0.4, size=(30, 2))
    local = min(((objective(x), x.tolist()) for x in trials), key=lambda pair: pair[0])
    f, x = min(comm.allgather(local), key=lambda pair: pair[0])
    if f < best_f:
        best_x, best_f = np.array(x), f
    if rank == 0:
        store({"round": round_number, "x": best_x.tolist(), "f": best_f})

if rank == 0:
    with open(STATE) as handle:
        state = json.load(handle)
    print("rounds:", state["round"] + 1, "improved:", state["f"] < objective(np.ones(2)))
