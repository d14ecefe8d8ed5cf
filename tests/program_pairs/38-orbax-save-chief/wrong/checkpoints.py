import jax
import orbax.checkpoint as ocp


class Checkpoints:
    def __init__(self, path, keep):
        options = ocp.CheckpointManagerOptions(max_to_keep=keep, create=True)
        self._manager = ocp.CheckpointManager(path, options=options)

    def restore_or(self, state):
        latest = self._manager.latest_step()
        if latest is None:
            return state, 0
        target = jax.tree.map(ocp.utils.to_shape_dtype_struct, state)
        restored = self._manager.restore(latest, args=ocp.args.StandardRestore(target))
        return restored, latest

    def save(self, step, state):
        self._manager.save(step, args=ocp.args.StandardSave(state))

    def close(self):
        self._manager.wait_until_finished()
        self._manager.close()
