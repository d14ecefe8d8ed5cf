import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
me, n = world.Get_rank(), world.Get_size()
left, right = (me - 1) % n, (me + 1) % n

rng = np.random.default_rng(100 + me)
pos = me + rng.random(40_000)
vel = rng.random(pos.size)

for step in range(5):
    pos += 0.1 * vel
    gone = pos >= me + 1
    out_pos = pos[gone] if me < n - 1 else pos[gone] - n
    out_vel = vel[gone]
    leaving = np.stack([out_pos, out_vel])
    count = world.sendrecv(leaving.shape[1], dest=right, source=left)
    arriving = np.zeros((2, count))
    reqs = [
        world.Irecv(arriving, source=left, tag=step),
        world.Isend(leaving, dest=right, tag=step),
    ]
    pos = np.concatenate([pos[~gone], arriving[0]])
    vel = np.concatenate([vel[~gone], arriving[1]])
    MPI.Request.Waitall(reqs)

number = world.reduce(pos.size, root=0)
momentum = world.reduce(float(vel.sum()), root=0)
if me == 0:
    print("particles", number, "momentum", round(momentum, 6))
