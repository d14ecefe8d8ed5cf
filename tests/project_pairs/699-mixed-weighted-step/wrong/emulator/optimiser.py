import jax
import jax.numpy as jnp


class Momentum:
    def __init__(self, rate, momentum):
        self.rate, self.momentum = rate, momentum
        self.velocity = None

    def apply(self, params, grads):
        if self.velocity is None:
            self.velocity = jax.tree.map(jnp.zeros_like, params)
        self.velocity = jax.tree.map(lambda v, g: self.momentum * v - self.rate * g,
                                     self.velocity, grads)
        return jax.tree.map(lambda p, v: p + v, params, self.velocity)
