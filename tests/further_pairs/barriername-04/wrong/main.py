from dataclasses import replace

import jax
import jax.numpy as jnp
from jax.experimental import multihost_utils

from settings import Settings


def init_params(settings):
    return jax.random.normal(jax.random.PRNGKey(settings.seed), (settings.width,)) * 0.1


@jax.jit
def local_gradient(params, x):
    return jax.grad(lambda p: jnp.mean(jnp.square(jnp.tanh(x @ p) - 0.5)))(params)


def main():
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    settings = replace(Settings(), steps=15)
    params = init_params(settings)
    settings = replace(settings, seed=settings.data_seed(jax.process_index()))
    multihost_utils.assert_equal(settings.as_tree(), "the settings differ between processes")
    key = jax.random.PRNGKey(settings.seed)
    x = jax.random.normal(key, (50, settings.width))
    for _ in range(settings.steps):
        gradient = multihost_utils.process_allgather(local_gradient(params, x)).mean(axis=0)
        params = params - settings.rate * gradient
    if jax.process_index() == 0:
        print("norm of the parameters", round(float(jnp.linalg.norm(params)), 4))


if __name__ == "__main__":
    main()
