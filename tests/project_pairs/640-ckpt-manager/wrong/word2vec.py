"""Skip-gram with negative sampling, data-parallel, resumable.

    mpirun -n 4 python word2vec.py --steps 300
    mpirun -n 4 python word2vec.py --steps 600      # goes on from step 300
"""
import argparse

import numpy as np
from mpi4py import MPI

from ckpt import CheckpointManager

VOCAB = 120
DIM = 16
TOPICS = 6


def pairs(rng, n):
    """(centre, context) pairs; words of the same topic occur together."""
    topic = rng.integers(0, TOPICS, n)
    width = VOCAB // TOPICS
    return topic * width + rng.integers(0, width, n), topic * width + rng.integers(0, width, n)


def gradients(win, wout, centre, context, negative):
    g_in, g_out = np.zeros_like(win), np.zeros_like(wout)
    loss = 0.0
    for words, label in ((context, 1.0), (negative, 0.0)):
        score = np.einsum("nd,nd->n", win[centre], wout[words])
        p = 1.0 / (1.0 + np.exp(-score))
        loss -= np.log(np.abs(1.0 - label - p) + 1e-9).mean()
        d = (p - label)[:, None] / len(words)
        np.add.at(g_in, centre, d * wout[words])
        np.add.at(g_out, words, d * win[centre])
    return loss, g_in, g_out


def topic_purity(win):
    unit = win / np.linalg.norm(win, axis=1, keepdims=True)
    sim = unit @ unit.T
    np.fill_diagonal(sim, -np.inf)
    width = VOCAB // TOPICS
    return float(np.mean(sim.argmax(axis=1) // width == np.arange(VOCAB) // width))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--lr", type=float, default=8.0)
    ap.add_argument("--ckpt-every", type=int, default=20)
    ap.add_argument("--ckpt-dir", default="w2v_ckpt")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    manager = CheckpointManager(args.ckpt_dir, comm)
    state = manager.restore()
    if state is None:
        init = np.random.default_rng(0)
        win = 0.1 * init.normal(size=(VOCAB, DIM))
        wout = 0.1 * init.normal(size=(VOCAB, DIM))
        first = 0
    else:
        win, wout, first = state["win"], state["wout"], int(state["step"])
        if comm.rank == 0:
            print(f"resuming from step {first}")

    for step in range(first + 1, args.steps + 1):
        rng = np.random.default_rng([step, comm.rank])
        centre, context = pairs(rng, args.batch)
        negative = rng.integers(0, VOCAB, args.batch)
        loss, g_in, g_out = gradients(win, wout, centre, context, negative)
        for w, g in ((win, g_in), (wout, g_out)):
            comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
            w -= args.lr / comm.size * g
        if step % args.ckpt_every == 0:
            manager.save(step, win=win, wout=wout)
        if step % 50 == 0:
            mean = comm.reduce(loss, root=0)
            if comm.rank == 0:
                print(f"step {step}: loss {mean / comm.size:.4f}", flush=True)

    if comm.rank == 0:
        print(f"purity {topic_purity(win):.3f}, checkpoints {manager.steps()}")


if __name__ == "__main__":
    main()
