"""Batch of stiff-ish reaction networks, one set of start values per rank."""
import json

import numpy as np
from mpi4py import MPI

from kinetics.files import load_model

comm = MPI.COMM_WORLD

if comm.rank == 0:
    with open("units.json", "w") as f:
        json.dump({"time": 60.0, "amount": 1e-3}, f)
    with open("model.json", "w") as f:
        json.dump({"species": ["A", "B", "C"],
                   "rates": [["A", "B", 2.4], ["B", "C", 1.2], ["C", "A", 0.3]]}, f)


def integrate(model, start, t_end=4.0, n=4000):
    names = model["species"]
    y = np.array(start, dtype=float)
    dt = t_end / n
    for _ in range(n):
        dy = np.zeros_like(y)
        for src, dst, k in model["rates"]:
            flow = k * y[names.index(src)]
            dy[names.index(src)] -= flow
            dy[names.index(dst)] += flow
        y += dt * dy
    return y


def main():
    model = load_model("model.json", "units.json")
    start = [1.0 + comm.rank, 0.0, 0.0]
    y = integrate(model, start)
    rows = comm.gather((start[0], y), root=0)
    if comm.rank == 0:
        for total, final in rows:
            share = ", ".join(f"{n}={v / total:.4f}" for n, v in zip(model["species"], final))
            print(f"start {total:.1f}: {share}")
            assert abs(final.sum() - total) < 1e-9


main()
