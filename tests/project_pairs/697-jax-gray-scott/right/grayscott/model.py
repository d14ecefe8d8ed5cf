import jax
import jax.numpy as jnp
import numpy as np


def laplacian(a):
    return (jnp.roll(a, 1, 0) + jnp.roll(a, -1, 0) + jnp.roll(a, 1, 1)
            + jnp.roll(a, -1, 1) - 4.0 * a)


class GrayScott:
    """State of shape (2, cells, cells), second axis over the devices."""

    def __init__(self, cfg, procs):
        start = self.initial(cfg.cells)
        self.state = jax.make_array_from_callback(start.shape, procs.rows,
                                                  lambda index: start[index])

        def update(state):
            u, v = state
            react = u * v * v
            return jnp.stack([u + cfg.du * laplacian(u) - react + cfg.feed * (1.0 - u),
                              v + cfg.dv * laplacian(v) + react - (cfg.feed + cfg.kill) * v])
        self.update = jax.jit(update, out_shardings=procs.rows)

    @staticmethod
    def initial(n):
        state = np.stack([np.ones((n, n)), np.zeros((n, n))]).astype(np.float32)
        lo, hi = n // 2 - max(n // 12, 1), n // 2 + max(n // 12, 1)
        state[0, lo:hi, lo:hi], state[1, lo:hi, lo:hi] = 0.5, 0.25
        return state

    def step(self):
        # waiting keeps the queue of pending steps short on CPU
        self.state = jax.block_until_ready(self.update(self.state))
