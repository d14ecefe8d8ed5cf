import numpy as np

from mpi import world

rng = np.random.default_rng(world.rank + 1)
x = rng.normal(size=(40, 3))
v = np.zeros_like(x)
centre = np.zeros(3)
if world.is_root:
    centre[:] = (0.5, 0.0, -0.5)
world.broadcast(centre)

for step in range(1, 101):
    v -= 0.02 * (x - centre)
    x += 0.02 * v
    if step % 25 == 0:
        local = 0.5 * float((v ** 2).sum() + ((x - centre) ** 2).sum())
        energy = world.sum(local)
        if world.is_root:
            print(f"step {step}: energy per body {energy / (40 * world.size):.2f}")
