import jax
import jax.numpy as jnp

from saving import save


def loss(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def update(params, x, y):
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def main() -> None:
    jax.distributed.initialize(cluster_detection_method="mpi4py")
    x = jax.random.normal(jax.random.PRNGKey(0), (64, 4))
    y = x @ jnp.arange(4.0) + 0.5
    params = {"w": jnp.zeros(4), "b": jnp.zeros(())}
    store: dict = {}
    for step in range(1, 31):
        params = update(params, x, y)
        if step % 10 == 0:
            save(step, params, store)
    if jax.process_index() == 0:
        print("saved steps", sorted(store), "loss", round(float(loss(params, x, y)), 6))


if __name__ == "__main__":
    main()
