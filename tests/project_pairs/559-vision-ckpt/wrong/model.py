import jax
import jax.numpy as jnp


def init(key, inputs=36, hidden=24, classes=4):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (inputs, hidden)) * inputs ** -0.5,
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(k2, (hidden, classes)) * hidden ** -0.5,
        "b2": jnp.zeros(classes),
    }


def loss_fn(params, image, label):
    h = jax.nn.relu(image @ params["w1"] + params["b1"])
    logp = jax.nn.log_softmax(h @ params["w2"] + params["b2"])
    return -jnp.mean(jnp.take_along_axis(logp, label[:, None], axis=1))


def update(params, image, label, lr=0.3):
    loss, grads = jax.value_and_grad(loss_fn)(params, image, label)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads), loss
