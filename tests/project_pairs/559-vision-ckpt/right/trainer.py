import os

import jax
from jax.sharding import NamedSharding, PartitionSpec as P

from checkpoints import CheckpointManager
from cluster import is_main
from model import init, update
from patches import batch_of


class Trainer:
    def __init__(self, args):
        self.args = args
        self.mesh = jax.make_mesh((jax.device_count(),), ("data",))
        self.rows = NamedSharding(self.mesh, P("data"))
        self.whole = NamedSharding(self.mesh, P())
        self.checkpoints = CheckpointManager(
            os.path.join(args.workdir, "ckpt"), args.keep, writer=is_main())
        self.step_fn = jax.jit(update, out_shardings=(self.whole, self.whole))

    def log(self, text):
        if is_main():
            print(text, flush=True)

    def _global(self, arrays):
        return [jax.make_array_from_process_local_data(self.rows, a) for a in arrays]

    def run(self):
        params = jax.jit(init, out_shardings=self.whole)(jax.random.key(0))
        losses = []
        for step in range(1, self.args.steps + 1):
            batch = batch_of(step, jax.process_index(), self.args.batch)
            params, loss = self.step_fn(params, *self._global(batch))
            losses.append(float(loss))
            if step % self.args.save_every == 0:
                self.checkpoints.save(step, params)
                self.log(f"step {step} loss {losses[-1]:.4f}")
        return losses
