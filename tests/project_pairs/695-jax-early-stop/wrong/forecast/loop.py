import jax
import jax.numpy as jnp

from . import model


class Fit:
    def __init__(self, cfg, cluster, data, hooks):
        self.cfg = cfg
        self.cluster = cluster
        self.data = data
        self.hooks = hooks
        self.params = jax.tree.map(cluster.replicate, model.start(cfg))

        def objective(params, x, y):
            return jnp.mean(model.squared_errors(params, x, y))

        def update(params, x, y):
            value, grads = jax.value_and_grad(objective)(params, x, y)
            return jax.tree.map(lambda p, g: p - cfg.rate * g, params, grads), value
        self.update = jax.jit(update, out_shardings=(cluster.same, cluster.same))
        self.errors = jax.jit(model.squared_errors, out_shardings=cluster.rows)

    def validate(self):
        errors = self.errors(self.params, *self.data.validation())
        return float(self.cluster.local(errors).mean())

    def run(self):
        for epoch in range(1, self.cfg.max_epochs + 1):
            for x, y in self.data.batches(epoch):
                self.params, value = self.update(self.params, x, y)
            error = self.validate()
            if any([hook.after_epoch(epoch, float(value), error) for hook in self.hooks]):
                return epoch
        return self.cfg.max_epochs
