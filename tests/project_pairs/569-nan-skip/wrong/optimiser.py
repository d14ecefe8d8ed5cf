from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class AdamState:
    m: dict
    v: dict
    t: int = 0

    @classmethod
    def zeros_like(cls, params):
        zeros = jax.tree.map(jnp.zeros_like, params)
        return cls(zeros, zeros)


def adam_update(params, grads, state, lr, b1=0.9, b2=0.999, eps=1e-8):
    t = state.t + 1
    m = jax.tree.map(lambda a, g: b1 * a + (1 - b1) * g, state.m, grads)
    v = jax.tree.map(lambda a, g: b2 * a + (1 - b2) * g * g, state.v, grads)

    def move(p, a, s):
        return p - lr * (a / (1 - b1 ** t)) / (jnp.sqrt(s / (1 - b2 ** t)) + eps)

    return jax.tree.map(move, params, m, v), AdamState(m, v, t)
