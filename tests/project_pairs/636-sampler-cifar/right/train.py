"""Small convnet in JAX on synthetic 12x12 colour images, mpi4py for the gradients."""
import argparse
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree
from mpi4py import MPI

from sampler import Augmenter, ShardedSampler

N_CLASSES = 4


def make_images(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, N_CLASSES, n)
    grid = np.arange(12)
    images = 0.7 * rng.normal(size=(n, 12, 12, 3))
    for i, c in enumerate(labels):
        stripes = np.sin(grid * (0.6 + 0.5 * (c // 2)))
        images[i, :, :, c % 2] += stripes[:, None] if c % 2 else stripes[None, :]
    return images.astype(np.float32), labels


def init(key):
    kc, kd = jax.random.split(key)
    return {
        "conv": 0.2 * jax.random.normal(kc, (3, 3, 3, 8)),
        "dense": 0.05 * jax.random.normal(kd, (8 * 6 * 6, N_CLASSES)),
        "bias": jnp.zeros(N_CLASSES),
    }


def logits_fn(params, images):
    h = jax.lax.conv_general_dilated(
        images, params["conv"], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    h = jax.nn.relu(h).reshape(images.shape[0], -1)
    return h @ params["dense"] + params["bias"]


def loss_fn(params, images, labels):
    logp = jax.nn.log_softmax(logits_fn(params, images))
    return -jnp.mean(logp[jnp.arange(labels.shape[0]), labels])


class DataParallel:
    def __init__(self, comm, params, lr):
        self.comm = comm
        self.lr = lr
        flat, self.unravel = ravel_pytree(params)
        self.flat = np.array(flat)
        comm.Bcast(self.flat, root=0)
        self._vg = jax.jit(jax.value_and_grad(lambda w, x, y: loss_fn(self.unravel(w), x, y)))
        self._logits = jax.jit(logits_fn)

    @property
    def params(self):
        return self.unravel(jnp.asarray(self.flat))

    def step(self, images, labels):
        loss, grad = self._vg(jnp.asarray(self.flat), images, labels)
        grad = np.asarray(grad)
        total = np.empty_like(grad)
        self.comm.Allreduce(grad, total, op=MPI.SUM)
        self.flat -= self.lr * total / self.comm.Get_size()
        return float(loss)

    def accuracy(self, images, labels):
        hits = int((np.argmax(self._logits(self.params, images), axis=1) == labels).sum())
        hits, n = self.comm.allreduce(np.array([hits, len(labels)]))
        return hits / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--batch", type=int, default=20)
    ap.add_argument("--lr", type=float, default=0.1)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()

    images, labels = make_images(960, seed=1)
    test_images, test_labels = make_images(240, seed=2)
    sampler = ShardedSampler(len(images), args.batch, comm, seed=args.seed)
    augment = Augmenter(comm, seed=args.seed)
    model = DataParallel(comm, init(jax.random.PRNGKey(args.seed)), args.lr)

    seen = np.zeros(len(images), dtype=np.int32)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        tic = time.perf_counter()
        losses = []
        for idx in sampler:
            losses.append(model.step(augment(images[idx]), labels[idx]))
            seen[idx] += 1
        loss = comm.allreduce(np.mean(losses)) / size
        acc = model.accuracy(test_images[rank::size], test_labels[rank::size])
        if rank == 0:
            print(f"epoch {epoch}: loss {loss:.4f}, test acc {acc:.3f}, {time.perf_counter() - tic:.1f} s")

    comm.Allreduce(MPI.IN_PLACE, seen, op=MPI.SUM)
    if rank == 0:
        print(f"visits per example: min {seen.min()}, mean {seen.mean():.2f}, max {seen.max()}")


if __name__ == "__main__":
    main()
