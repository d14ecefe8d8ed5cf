"""Saving and restoring by orbax's own checkpointers, with different shardings for each."""

import jax
import numpy as np
import orbax.checkpoint as ocp
from job import FOLDER, SPLIT, WHOLE, told

tree = {
    "split": jax.device_put(np.arange(32.0, dtype=np.float32).reshape(8, 4), SPLIT),
    "whole": jax.device_put(np.linspace(0, 1, 5, dtype=np.float32), WHOLE),
}
with ocp.StandardCheckpointer() as checkpointer:
    checkpointer.save(FOLDER / "standard", tree)
    checkpointer.wait_until_finished()
    other = {
        "split": jax.ShapeDtypeStruct((8, 4), np.float32, sharding=WHOLE),
        "whole": jax.ShapeDtypeStruct((5,), np.float32, sharding=WHOLE),
    }
    found = checkpointer.restore(FOLDER / "standard", other)
told("split", found["split"])
told("whole", found["whole"])
with ocp.AsyncCheckpointer(ocp.PyTreeCheckpointHandler()) as checkpointer:
    for step in range(3):
        checkpointer.save(
            FOLDER / f"async{step}", args=ocp.args.PyTreeSave(jax.tree.map(lambda one, by=step: one + by, tree))
        )
        told("sum", jax.jit(lambda tree: sum(one.sum() for one in tree.values()))(tree))
    checkpointer.wait_until_finished()
    kinds = jax.tree.map(lambda one: ocp.ArrayRestoreArgs(sharding=one.sharding), tree)
    found = checkpointer.restore(FOLDER / "async2", args=ocp.args.PyTreeRestore(restore_args=kinds))
told("again", found["whole"])
