import argparse
import tempfile
from pathlib import Path

import jax
import numpy as np

from ensemble import ensemble_predict, forward, global_accuracy
from launch import multiprocess
from pretrained import load_everywhere, read_weights, write_demo_weights


def test_set(weights_seed, n):
    """Inputs labelled by the clean teacher network."""
    rng = np.random.default_rng(99)
    x = rng.normal(size=(n, 12)).astype(np.float32)
    with tempfile.TemporaryDirectory() as tmp:
        teacher = Path(tmp) / "teacher.npz"
        write_demo_weights(teacher, weights_seed)
        labels = np.asarray(forward(read_weights(teacher), x)).argmax(axis=1)
    return x, labels


@multiprocess
def main(args):
    path = Path(args.weights)
    if jax.process_index() == 0 and not path.exists():
        write_demo_weights(path, args.seed)

    x, labels = test_set(args.seed, args.examples)
    mine = slice(jax.process_index(), None, jax.process_count())
    weights = load_everywhere(path)

    for scale in args.noise:
        predicted = ensemble_predict(weights, x[mine], args.members, scale, args.seed)
        accuracy, seen = global_accuracy(predicted, labels[mine])
        if jax.process_index() == 0:
            print(f"noise {scale:.2f}  accuracy {accuracy:.3f} on {seen} examples", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", default="encoder.npz")
    parser.add_argument("--examples", type=int, default=600)
    parser.add_argument("--members", type=int, default=7)
    parser.add_argument("--noise", type=float, nargs="+", default=[0.0, 0.1, 0.5])
    parser.add_argument("--seed", type=int, default=8)
    main(parser)
