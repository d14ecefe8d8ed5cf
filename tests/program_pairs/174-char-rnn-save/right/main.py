"""Next character model (bigram embedding) with data parallel gradient descent."""
import numpy as np
from mpi4py import MPI

from checkpoint import Checkpointer

TEXT = ("it was the best of times it was the worst of times it was the age of wisdom "
        "it was the age of foolishness it was the epoch of belief ") * 12
VOCAB = sorted(set(TEXT))
DIM = 24


def batches(comm, steps, size, seed=0):
    """The same stream of global batches everywhere, each rank takes its rows."""
    codes = np.array([VOCAB.index(c) for c in TEXT])
    rng = np.random.default_rng(seed)
    for step in range(1, steps + 1):
        at = rng.integers(0, len(codes) - 2, size)
        rows = at[comm.rank::comm.size]
        yield step, codes[rows], codes[rows + 1], codes[rows + 2]


def init():
    rng = np.random.default_rng(1)
    v = len(VOCAB)
    return {"first": 0.1 * rng.normal(size=(v, DIM)), "second": 0.1 * rng.normal(size=(v, DIM)),
            "out": 0.1 * rng.normal(size=(DIM, v))}


def gradients(params, a, b, target):
    h = np.tanh(params["first"][a] + params["second"][b])
    logits = h @ params["out"]
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    loss = -np.log(p[np.arange(len(target)), target]).sum()
    p[np.arange(len(target)), target] -= 1.0
    dh = (p @ params["out"].T) * (1 - h * h)
    grads = {k: np.zeros_like(v) for k, v in params.items()}
    grads["out"] += h.T @ p
    np.add.at(grads["first"], a, dh)
    np.add.at(grads["second"], b, dh)
    return loss, grads


def main(steps=200, size=64, lr=0.5):
    comm = MPI.COMM_WORLD
    params = init()
    saver = Checkpointer(comm, "model.npz", every=20)
    for step, a, b, target in batches(comm, steps, size):
        loss, grads = gradients(params, a, b, target)
        loss = comm.allreduce(loss) / size
        for name in sorted(params):
            comm.Allreduce(MPI.IN_PLACE, grads[name])
            params[name] -= lr / size * grads[name]
        saver.maybe_save(step, params)
        if comm.rank == 0 and step % 50 == 0:
            print(f"step {step:4d}  loss {loss:.4f}", flush=True)
    comm.Barrier()
    if comm.rank == 0:
        step, saved = saver.load()
        same = all(np.array_equal(saved[k], params[k]) for k in params)
        print(f"saved at step {step}, equal to the model: {same}")


if __name__ == "__main__":
    main()
