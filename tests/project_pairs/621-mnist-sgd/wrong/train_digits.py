"""Data-parallel SGD for a two-layer net on synthetic 14x14 digits."""
import time

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.Get_rank()
size = comm.Get_size()

n_train = 2400
n_test = 600
n_pixels = 14 * 14
n_classes = 10
n_hidden = 32
batch = 60
epochs = 6
lr = 0.3

t0 = time.time()

# rank 0 makes the data set, everybody gets a slice of the training part
if rank == 0:
    data_rng = np.random.default_rng(2023)
    prototypes = data_rng.normal(size=(n_classes, n_pixels))
    labels = data_rng.integers(0, n_classes, size=n_train + n_test)
    images = prototypes[labels] + 2.5 * data_rng.normal(size=(n_train + n_test, n_pixels))
    images = (images - images.mean()) / images.std()
    x_train, y_train = images[:n_train], labels[:n_train]
    x_test, y_test = images[n_train:], labels[n_train:]
    x_parts = np.array_split(x_train, size)
    y_parts = np.array_split(y_train, size)
else:
    x_parts = None
    y_parts = None

x_local = comm.scatter(x_parts, root=0)
y_local = comm.scatter(y_parts, root=0)

# the same number of steps everywhere, leftovers are dropped
steps = comm.allreduce(len(x_local) // (batch // size), op=MPI.MIN)
local_batch = batch // size

if rank == 0:
    print(f"{size} ranks, {len(x_local)} samples on rank 0, {steps} steps per epoch")

rng = np.random.default_rng()
W1 = rng.normal(scale=1.0 / np.sqrt(n_pixels), size=(n_pixels, n_hidden))
b1 = np.zeros(n_hidden)
W2 = rng.normal(scale=1.0 / np.sqrt(n_hidden), size=(n_hidden, n_classes))
b2 = np.zeros(n_classes)
params = [W1, b1, W2, b2]

for epoch in range(epochs):
    order = rng.permutation(len(x_local))
    loss_sum = 0.0
    for step in range(steps):
        idx = order[step * local_batch:(step + 1) * local_batch]
        x = x_local[idx]
        y = y_local[idx]

        # forward
        h_pre = x @ W1 + b1
        h = np.maximum(h_pre, 0.0)
        logits = h @ W2 + b2
        logits -= logits.max(axis=1, keepdims=True)
        prob = np.exp(logits)
        prob /= prob.sum(axis=1, keepdims=True)
        loss_sum += -np.log(prob[np.arange(len(y)), y] + 1e-12).mean()

        # backward
        d_logits = prob
        d_logits[np.arange(len(y)), y] -= 1.0
        d_logits /= len(y)
        gW2 = h.T @ d_logits
        gb2 = d_logits.sum(axis=0)
        d_h = d_logits @ W2.T
        d_h[h_pre <= 0] = 0.0
        gW1 = x.T @ d_h
        gb1 = d_h.sum(axis=0)

        # average the gradients over all ranks and take the step
        for p, g in zip(params, [gW1, gb1, gW2, gb2]):
            comm.Allreduce(MPI.IN_PLACE, g, op=MPI.SUM)
            p -= lr * g / size

    loss = comm.allreduce(loss_sum / steps, op=MPI.SUM) / size
    if rank == 0:
        print(f"epoch {epoch + 1}: loss {loss:.4f}  ({time.time() - t0:.1f} s)")

# test accuracy, all ranks take a part of the test set
if rank == 0:
    tests = list(zip(np.array_split(x_test, size), np.array_split(y_test, size)))
else:
    tests = None
x, y = comm.scatter(tests, root=0)
guess = np.argmax(np.maximum(x @ W1 + b1, 0.0) @ W2 + b2, axis=1)
right = comm.reduce(int((guess == y).sum()), op=MPI.SUM, root=0)
total = comm.reduce(len(y), op=MPI.SUM, root=0)

if rank == 0:
    print(f"test accuracy {right / total:.3f}")
    np.savez("weights.npz", W1=W1, b1=b1, W2=W2, b2=b2)
