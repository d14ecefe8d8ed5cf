import argparse
import logging

import jax
import jax.numpy as jnp
import numpy as np

import ckpt
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--coordinator", default="127.0.0.1:9876")
    p.add_argument("--num-processes", type=int, default=1)
    p.add_argument("--process-id", type=int, default=0)
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--save-every", type=int, default=5)
    p.add_argument("--dir", default="ckpts")
    return p.parse_args()


def make_batch(mesh, step, per_process=32):
    rng = np.random.default_rng([step, jax.process_index()])
    x = rng.normal(size=(per_process, 4)).astype(np.float32)
    y = (x @ np.array([1.0, -2.0, 0.5, 3.0], dtype=np.float32))[:, None]
    sh = NamedSharding(mesh, P("data"))
    return (jax.make_array_from_process_local_data(sh, x),
            jax.make_array_from_process_local_data(sh, y))


@jax.jit
def train_step(params, x, y):
    def loss(p):
        return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)
    val, g = jax.value_and_grad(loss)(params)
    return jax.tree_util.tree_map(lambda a, b: a - 0.1 * b, params, g), val


def main():
    args = parse()
    jax.distributed.initialize(args.coordinator, args.num_processes, args.process_id)
    logging.basicConfig(level=logging.INFO if jax.process_index() == 0 else logging.WARNING)
    mesh = Mesh(np.array(jax.devices()), ("data",))
    rep = NamedSharding(mesh, P())
    params = {"w": jax.device_put(np.zeros((4, 1), np.float32), rep),
              "b": jax.device_put(np.zeros((1,), np.float32), rep)}

    saver = ckpt.Checkpointer(args.dir)
    for step in range(1, args.steps + 1):
        x, y = make_batch(mesh, step)
        params, loss = train_step(params, x, y)
        if step % args.save_every == 0:
            saver.save(step, params)
            logging.getLogger("train").info("step %d loss %.5f", step, float(loss))
    if jax.process_index() == 0:
        print("latest checkpoint", saver.latest())


if __name__ == "__main__":
    main()
