"""Loss and gradient over the points of all ranks."""
import jax
import jax.numpy as jnp
import numpy as np

from . import network

STEPS = {}


def register(name):
    def add(cls):
        STEPS[name] = cls
        return cls
    return add


class Step:
    """Subclasses give the share of the loss that comes from this rank's points."""

    def __init__(self, cfg, sync, design):
        self.cfg = cfg
        self.sync = sync
        self.design = design
        self.prepare()
        self.local = jax.jit(jax.value_and_grad(self.share))

    def start(self):
        return network.initial(self.cfg)

    def prepare(self):
        pass

    def share(self, params):
        raise NotImplementedError

    def combine(self, tree):
        return self.sync.mean(tree)

    def evaluate(self, params):
        value, grads = self.local(params)
        total = self.combine({"loss": np.float32(value), "grads": grads})
        return float(total["loss"]), total["grads"]


@register("plain")
class PlainStep(Step):
    """Mean over the own points; all ranks count the same."""

    def share(self, params):
        r = network.predict(params, self.design.x) - self.design.y
        return jnp.mean(r ** 2)


@register("weighted")
class WeightedStep(Step):
    """Points weighted by their cost, normalised over the whole design."""

    def prepare(self):
        total = self.sync.scalar_sum(float(self.design.cost.sum()))
        self.weight = self.design.cost / np.float32(total)

    def share(self, params):
        r = network.predict(params, self.design.x) - self.design.y
        return jnp.sum(self.weight * r ** 2)
