import numpy as np
from mpi4py import MPI

from metrics import MetricBag


def confusion(scores, labels, threshold=0.5):
    pred = scores > threshold
    return {
        "true_pos": int((pred & labels).sum()),
        "false_pos": int((pred & ~labels).sum()),
        "false_neg": int((~pred & labels).sum()),
        "examples": len(labels),
    }


def batches(rng, n_batches, size):
    for _ in range(n_batches):
        labels = rng.random(size) < 0.3
        scores = np.clip(0.35 + 0.3 * labels + 0.15 * rng.normal(size=size), 0, 1)
        yield scores, labels


def evaluate(comm):
    bag = MetricBag(comm)
    rng = np.random.default_rng([77, comm.rank])
    for scores, labels in batches(rng, n_batches=20, size=64):
        for name, value in confusion(scores, labels).items():
            bag.add(name, value)
        bag.add("brier", float(((scores - labels) ** 2).sum()))
    return bag.reduced()


def main():
    comm = MPI.COMM_WORLD
    m = evaluate(comm)
    if comm.rank == 0:
        tp, fp, fn = m["true_pos"], m["false_pos"], m["false_neg"]
        print(f"examples  {m['examples']}")
        print(f"precision {tp / (tp + fp):.4f}")
        print(f"recall    {tp / (tp + fn):.4f}")
        print(f"brier     {m['brier'] / m['examples']:.4f}")


if __name__ == "__main__":
    main()
