"""Saving and restoring by orbax's CheckpointManager, asynchronously and awaited, with a limit of files."""

import jax
import jax.numpy as jnp
import numpy as np
import orbax.checkpoint as ocp
from job import FOLDER, SPLIT, WHOLE, batch, told


@jax.jit
def advance(state, rows):
    return {
        "weights": state["weights"] + rows.mean(axis=0),
        "moments": state["moments"] * 0.9,
        "step": state["step"] + 1,
    }


state = {
    "weights": jax.device_put(jnp.zeros(4), WHOLE),
    "moments": jax.device_put(np.arange(16.0, dtype=np.float32), SPLIT),
    "step": jax.device_put(jnp.int32(0), WHOLE),
}
options = ocp.CheckpointManagerOptions(max_to_keep=2, save_interval_steps=2, enable_async_checkpointing=True)
with ocp.CheckpointManager(FOLDER / "manager", options=options) as manager:
    for step in range(9):
        state = advance(state, batch(step))
        manager.save(step, args=ocp.args.Composite(
            state=ocp.args.StandardSave(state), notes=ocp.args.JsonSave({"step": step})))  # fmt: skip
    manager.wait_until_finished()
    told("steps", manager.all_steps())
    shapes = jax.tree.map(ocp.utils.to_shape_dtype_struct, state)
    found = manager.restore(
        manager.latest_step(),
        args=ocp.args.Composite(state=ocp.args.StandardRestore(shapes), notes=ocp.args.JsonRestore()),
    )
told("notes", found.notes["step"])
told("weights", found.state["weights"])
told("moments", found.state["moments"].addressable_shards[0].data)
restored = advance(found.state, batch(100))
told("step", restored["step"])
