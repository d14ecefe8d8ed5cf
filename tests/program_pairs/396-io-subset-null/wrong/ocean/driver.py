import argparse
import json
from typing import Dict, List

import numpy as np
from mpi4py import MPI

from .layout import Layout
from .model import Column

OUT_TAG = 55


def integrate(layout: Layout, model: Column, steps: int, every: int) -> None:
    for n in range(1, steps + 1):
        model.step()
        if n % every == 0:
            layout.world.send((n, model.T.mean(axis=0)), dest=layout.writer, tag=OUT_TAG)


def collect(layout: Layout, steps: int, every: int) -> List[Dict]:
    records = []
    for n in range(every, steps + 1, every):
        profiles = []
        for src in range(layout.n_compute):
            step, prof = layout.world.recv(source=src, tag=OUT_TAG)
            assert step == n
            profiles.append(prof)
        records.append({"step": n, "profile": np.mean(profiles, axis=0).round(5).tolist()})
    return records


def summary(layout: Layout, model: Column) -> None:
    m = model.mean()
    if layout.world.rank == 0:
        print(f"mean temperature {m:.6f}")


def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=10)
    ap.add_argument("--io-every", type=int, default=5)
    ap.add_argument("--columns", type=int, default=30)
    ns = ap.parse_args()

    layout = Layout(MPI.COMM_WORLD)
    model = Column(layout, ns.columns)
    summary(layout, model)
    if layout.is_compute:
        integrate(layout, model, ns.steps, ns.io_every)
    else:
        recs = collect(layout, ns.steps, ns.io_every)
        with open("profiles.json", "w") as fh:
            json.dump(recs, fh)
        print(f"wrote {len(recs)} records")
    summary(layout, model)
    layout.close()


if __name__ == "__main__":
    main()
