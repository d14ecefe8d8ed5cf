"""History-by-history random walk."""
import numpy as np

LEAK_LEFT, LEAK_RIGHT = -1, -2


class Walker:
    def __init__(self, slab, rng):
        self.slab = slab
        self.rng = rng

    def follow(self, start):
        """Return the layer of absorption, or one of the leak codes, and the collisions."""
        rng, slab = self.rng, self.slab
        x, layer, collisions = slab.middle(start), start, 0
        mu = rng.uniform(-1.0, 1.0)
        while True:
            here = slab.layers[layer]
            path = rng.exponential(1.0 / here.sigma_t)
            wall = slab.edges[layer + 1] if mu > 0 else slab.edges[layer]
            to_wall = (wall - x) / mu
            if path >= to_wall:
                x = wall
                layer += 1 if mu > 0 else -1
                if layer < 0:
                    return LEAK_LEFT, collisions
                if layer == len(slab):
                    return LEAK_RIGHT, collisions
                continue
            x += mu * path
            collisions += 1
            if rng.random() > here.scatter:
                return layer, collisions
            mu = rng.uniform(-1.0, 1.0)
