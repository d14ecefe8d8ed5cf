import jax


class Trainer:
    """Plain gradient descent on globally sharded batches."""

    def __init__(self, cluster, model, sampler, store=None, rate=0.1, save_every=10):
        self.cluster = cluster
        self.sampler = sampler
        self.store = store
        self.save_every = save_every
        params = model.init(seed=0)
        self.step = 0
        if store is not None:
            self.step, params = store.restore(params)
        self.params = cluster.replicate(params)

        def update(params, x, y):
            loss, grads = jax.value_and_grad(model.loss)(params, x, y)
            return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss

        self._update = jax.jit(update, out_shardings=(cluster.everywhere, cluster.everywhere))

    def train(self, until):
        loss = None
        while self.step < until:
            x, y = self.sampler.batch(self.step)
            self.params, loss = self._update(self.params, x, y)
            self.step += 1
            if self.store is not None and self.step % self.save_every == 0:
                self.store.save(self.step, self.params)
        return float(loss)
