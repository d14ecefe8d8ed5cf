"""Training with periodic orbax checkpoints on several hosts."""
import argparse
import os

import jax

import trainer
from checkpoints import Checkpoints


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--workdir", default="/shared/runs/regression")
    ap.add_argument("--steps", type=int, default=1000)
    ap.add_argument("--save-every", type=int, default=250)
    ap.add_argument("--learning-rate", type=float, default=1e-2)
    return ap.parse_args()


def main():
    args = parse_args()
    jax.distributed.initialize()
    chief = jax.process_index() == 0

    mesh = trainer.make_mesh()
    state = trainer.init_state(mesh, seed=0)
    ckpt = Checkpoints(os.path.join(args.workdir, "ckpt"), keep=3)
    state, start = ckpt.restore_or(state)

    for step in range(start, args.steps):
        batch = trainer.global_batch(mesh, step)
        state, loss = trainer.train_step(state, batch, args.learning_rate)
        if (step + 1) % args.save_every == 0:
            ckpt.save(step + 1, state)
            value = float(loss)
            if chief:
                print(f"step {step + 1}: loss {value:.5f}", flush=True)
    ckpt.close()


if __name__ == "__main__":
    main()
