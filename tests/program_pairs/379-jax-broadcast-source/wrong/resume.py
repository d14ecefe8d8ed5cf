"""Reaction-diffusion on processes that may be restarted from local scratch.

Each process keeps its own copy of the last snapshot. After a restart some of
the scratch folders can be empty, so the snapshot is handed on by a process
that still has one.
"""
import os
import pathlib
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

jax.config.update("jax_cpu_collectives_implementation", "gloo")

N = 64


class Scratch:
    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.file = self.folder / "snapshot.npz"

    def save(self, state, step):
        np.savez(self.file, u=state["u"], v=state["v"], step=step)

    def load(self):
        if not self.file.exists():
            return None
        with np.load(self.file) as z:
            return {"u": z["u"], "v": z["v"], "step": z["step"]}


def fresh():
    u = np.ones(N, np.float32)
    v = np.zeros(N, np.float32)
    u[28:36], v[28:36] = 0.5, 0.25
    return {"u": u, "v": v, "step": np.zeros((), np.int64)}


def agree_on_state(scratch):
    mine = scratch.load()
    state = mine if mine is not None else fresh()
    return multihost_utils.broadcast_one_to_all(state, is_source=mine is not None)


@jax.jit
def advance(u, v):
    def lap(a):
        return jnp.roll(a, 1) + jnp.roll(a, -1) - 2 * a

    uvv = u * v * v
    return u + 0.16 * lap(u) - uvv + 0.035 * (1 - u), v + 0.08 * lap(v) + uvv - 0.1 * v


def run(state, steps):
    u, v = jnp.asarray(state["u"]), jnp.asarray(state["v"])
    for _ in range(steps):
        u, v = advance(u, v)
    return {"u": np.asarray(u), "v": np.asarray(v), "step": state["step"] + steps}


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    scratch = Scratch()
    state = run(fresh(), 50)
    scratch.save(state, int(state["step"]))

    # the job is restarted here
    again = agree_on_state(scratch)
    again = run(again, 50)
    through = run(state, 50)
    if jax.process_index() == 0:
        print("step", int(again["step"]), "sum of u %.4f, without restart %.4f"
              % (again["u"].sum(), through["u"].sum()))
    assert int(again["step"]) == 100
    np.testing.assert_allclose(again["u"], through["u"], rtol=1e-5)


if __name__ == "__main__":
    main()
