"""Bag-of-words sentiment classifier, data-parallel.

usage: mpirun -n 4 python train.py [--docs 2000] [--epochs 10]
"""
import argparse
import pickle

import numpy as np
from mpi4py import MPI

from corpus import reviews
from vocab import Vocabulary


def featurize(vocab, texts):
    X = np.zeros((len(texts), len(vocab)))
    for row, text in enumerate(texts):
        for i in vocab.encode(text):
            X[row, i] += 1.0
    return X


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-np.clip(z, -30, 30)))


def global_mean(comm, value, weight):
    num = comm.allreduce(value * weight)
    den = comm.allreduce(weight)
    return num / den


def evaluate(comm, w, X, y):
    return global_mean(comm, float(np.mean((X @ w > 0) == (y == 1))), len(y))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--docs", type=int, default=1200, help="documents on each rank")
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--lr", type=float, default=0.5)
    ap.add_argument("--model", default="sentiment.pkl")
    args = ap.parse_args()
    comm = MPI.COMM_WORLD

    texts, labels = zip(*reviews(args.docs, seed=100 + comm.rank))
    split = int(0.8 * len(texts))
    vocab = Vocabulary.build(texts[:split], comm)
    y = np.array(labels)
    X_train, X_test = featurize(vocab, texts[:split]), featurize(vocab, texts[split:])
    y_train, y_test = y[:split], y[split:]

    if comm.rank == 0:
        print(f"{len(vocab)} words, {comm.size * split} training documents")

    w = np.zeros(len(vocab))
    grad = np.empty_like(w)
    for epoch in range(1, args.epochs + 1):
        local = X_train.T @ (sigmoid(X_train @ w) - y_train) / split
        comm.Allreduce(local, grad, op=MPI.SUM)
        w -= args.lr * grad / comm.size
        if epoch % 10 == 0:
            acc = evaluate(comm, w, X_test, y_test)
            if comm.rank == 0:
                print(f"epoch {epoch}: test accuracy {acc:.4f}")

    if comm.rank == 0:
        with open(args.model, "wb") as f:
            pickle.dump({"words": vocab.itos, "weights": w}, f)
        strongest = np.argsort(-np.abs(w))[:6]
        print("strongest words:", ", ".join(vocab.itos[i] for i in strongest))


if __name__ == "__main__":
    main()
