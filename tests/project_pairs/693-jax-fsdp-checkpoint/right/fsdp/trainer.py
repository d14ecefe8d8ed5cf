import jax

from . import dist, model


class Trainer:
    def __init__(self, cfg, mesh, data, callbacks):
        self.cfg = cfg
        self.mesh = mesh
        self.data = data
        self.callbacks = callbacks
        self.params = dist.to_global(mesh, model.init(cfg))
        shardings = jax.tree.map(lambda p: p.sharding, self.params)

        def update(params, x, y):
            value, grads = jax.value_and_grad(model.loss)(params, x, y)
            return jax.tree.map(lambda p, g: p - cfg.rate * g, params, grads), value
        self.update = jax.jit(update, out_shardings=(shardings, None))

    def set_params(self, host_tree):
        self.params = dist.to_global(self.mesh, host_tree)

    def fit(self, first=0):
        loss = float("nan")
        for epoch in range(first, self.cfg.epochs):
            for x, y in self.data.batches(epoch):
                self.params, value = self.update(self.params, x, y)
            loss = float(value)
            for cb in self.callbacks:
                cb.on_epoch_end(epoch, loss, self)
        return loss
