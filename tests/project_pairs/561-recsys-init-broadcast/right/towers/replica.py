import secrets

import jax

from .events import EventStream
from .model import apply, init_towers, loss_and_grads
from .sync import share


class Replica:
    def __init__(self, cfg, reduce_fn):
        self.cfg = cfg
        self.reduce_fn = reduce_fn
        self.events = EventStream(cfg, jax.process_index())
        self.params = None

    def _initial(self):
        seed = self.cfg.seed
        if seed is None:
            seed = secrets.randbits(31)
        return init_towers(jax.random.key(seed), self.cfg.users, self.cfg.items, self.cfg.dim)

    def prepare(self):
        self.params = share(self._initial())

    def step(self, number):
        loss, grads = loss_and_grads(self.params, *self.events.batch(number))
        loss, grads = self.reduce_fn((loss, grads))
        self.params = apply(self.params, grads, self.cfg.lr)
        return float(loss)
