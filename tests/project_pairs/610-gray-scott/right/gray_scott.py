"""Gray-Scott reaction-diffusion on strips, with check-points for restarting.

    mpirun -n 4 python gray_scott.py --workdir run1 --steps 400
    mpirun -n 4 python gray_scott.py --workdir run1 --steps 800 --resume
"""
import argparse
import json
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
PARAMS = dict(Du=0.16, Dv=0.08, F=0.035, k=0.065)


def strip(n):
    lo = n * comm.rank // comm.size
    hi = n * (comm.rank + 1) // comm.size
    return lo, hi


def initial_state(n, lo, hi):
    u = np.ones((hi - lo + 2, n))
    v = np.zeros_like(u)
    rng = np.random.default_rng(12)
    noise = rng.random((n, n))
    rows = np.arange(lo, hi)
    core = np.where(np.abs(rows - n // 3) < n // 10)[0] + 1
    cols = slice(n // 2 - n // 10, n // 2 + n // 10)
    u[core, cols] = 0.5
    v[core, cols] = 0.25
    v[1:-1] += 0.01 * noise[lo:hi]
    return u, v


def swap_edges(a):
    up, down = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size
    comm.Sendrecv(a[1], dest=up, sendtag=1, recvbuf=a[-1], source=down, recvtag=1)
    comm.Sendrecv(a[-2], dest=down, sendtag=2, recvbuf=a[0], source=up, recvtag=2)


def lap(a):
    c = a[1:-1]
    return a[:-2] + a[2:] + np.roll(c, 1, axis=1) + np.roll(c, -1, axis=1) - 4 * c


def advance(u, v):
    swap_edges(u)
    swap_edges(v)
    ui, vi = u[1:-1], v[1:-1]
    uvv = ui * vi * vi
    du = PARAMS["Du"] * lap(u) - uvv + PARAMS["F"] * (1 - ui)
    dv = PARAMS["Dv"] * lap(v) + uvv - (PARAMS["F"] + PARAMS["k"]) * vi
    ui += du
    vi += dv


def state_file(workdir, step):
    return workdir / f"state_{step:07d}_r{comm.rank:04d}.npz"


def save(workdir, step, u, v):
    np.savez(state_file(workdir, step), u=u, v=v)
    comm.Barrier()
    # the marker appears only when the pieces of all ranks are there
    if comm.rank == 0:
        (workdir / "latest.json").write_text(json.dumps({"step": step, "ranks": comm.size}))


def load(workdir):
    meta = None
    if comm.rank == 0:
        marker = workdir / "latest.json"
        if marker.exists():
            meta = json.loads(marker.read_text())
    meta = comm.bcast(meta, root=0)
    if meta is None:
        return None
    if meta["ranks"] != comm.size:
        sys.exit(f"check-point is for {meta['ranks']} ranks")
    with np.load(state_file(workdir, meta["step"])) as d:
        return meta["step"], d["u"].copy(), d["v"].copy()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=96)
    ap.add_argument("--steps", type=int, default=400)
    ap.add_argument("--every", type=int, default=200)
    ap.add_argument("--workdir", type=Path, default=Path("gs_run"))
    ap.add_argument("--resume", action="store_true")
    a = ap.parse_args()

    if comm.rank == 0:
        a.workdir.mkdir(parents=True, exist_ok=True)
    comm.Barrier()

    lo, hi = strip(a.n)
    restored = load(a.workdir) if a.resume else None
    if restored is not None:
        first, u, v = restored
    else:
        first = 0
        u, v = initial_state(a.n, lo, hi)

    for step in range(first + 1, a.steps + 1):
        advance(u, v)
        if step % a.every == 0:
            save(a.workdir, step, u, v)

    sums = np.array([u[1:-1].sum(), v[1:-1].sum()])
    comm.Allreduce(MPI.IN_PLACE, sums, op=MPI.SUM)
    if comm.rank == 0:
        print(f"steps {first}..{a.steps}: sum u = {sums[0]:.6f}, sum v = {sums[1]:.6f}")


if __name__ == "__main__":
    main()
