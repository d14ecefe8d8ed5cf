"""Gray-Scott reaction-diffusion in 1-D, configured from an INI file."""
import configparser
import os

import numpy as np
from mpi4py import MPI

INI = "grayscott.ini"

DEFAULTS = """\
[model]
du = 0.16
dv = 0.08
feed = 0.035
kill = 0.060

[run]
points = 300
steps = 400
"""


def read_config(path):
    if not os.path.exists(path):
        with open(path, "w") as f:
            f.write(DEFAULTS)
    cp = configparser.ConfigParser()
    cp.read(path)
    cfg = {k: float(v) for k, v in cp["model"].items()}
    cfg["points"] = cp.getint("run", "points")
    cfg["steps"] = cp.getint("run", "steps")
    return cfg


def halo(comm, a):
    up = (comm.rank + 1) % comm.size
    down = (comm.rank - 1) % comm.size
    a[0] = comm.sendrecv(a[-2], dest=up, source=down)
    a[-1] = comm.sendrecv(a[1], dest=down, source=up)


def lap(a):
    return a[:-2] - 2.0 * a[1:-1] + a[2:]


comm = MPI.COMM_WORLD

if comm.rank == 0:
    cfg = read_config(INI)
    print("configuration:", ", ".join(f"{k}={v}" for k, v in sorted(cfg.items())))

n = cfg["points"] // comm.size
u = np.ones(n + 2)
v = np.zeros(n + 2)
if comm.rank == comm.size // 2:
    u[n // 2 - 5:n // 2 + 5] = 0.5
    v[n // 2 - 5:n // 2 + 5] = 0.25

for step in range(cfg["steps"]):
    halo(comm, u)
    halo(comm, v)
    uvv = u[1:-1] * v[1:-1] ** 2
    du = cfg["du"] * lap(u) - uvv + cfg["feed"] * (1.0 - u[1:-1])
    dv = cfg["dv"] * lap(v) + uvv - (cfg["feed"] + cfg["kill"]) * v[1:-1]
    u[1:-1] += du
    v[1:-1] += dv

blocks = comm.gather((u[1:-1], v[1:-1]), root=0)
if comm.rank == 0:
    uu = np.concatenate([b[0] for b in blocks])
    vv = np.concatenate([b[1] for b in blocks])
    print(f"u in [{uu.min():.4f}, {uu.max():.4f}]  v in [{vv.min():.4f}, {vv.max():.4f}]")
    np.savetxt("profile.txt", np.column_stack([uu, vv]))
