# Tokenise text files, all processes together, then count token pairs on the devices.
import os
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

jax.config.update("jax_cpu_collectives_implementation", "gloo")

WORDS = "the a cat dog tree house runs sleeps under over red green old small".split()
N_FILES = 5


def write_corpus(folder):
    folder.mkdir(exist_ok=True)
    for k in range(N_FILES):
        rng = np.random.default_rng(k)
        text = " ".join(rng.choice(WORDS, size=200 + 37 * k))
        (folder / f"part{k}.txt").write_text(text)


def tokenise(path):
    index = {w: i for i, w in enumerate(WORDS)}
    return np.array([index[w] for w in path.read_text().split()], np.int32)


def tokenise_all(folder):
    files = sorted(folder.glob("part*.txt"))
    mine = files[jax.process_index()::jax.process_count()]
    for path in mine:
        np.save(path.with_suffix(".npy"), tokenise(path))
    multihost_utils.sync_global_devices("tokenised")
    return [f.with_suffix(".npy") for f in files]


@jax.jit
def pair_counts(tokens):
    n = len(WORDS)
    pairs = tokens[:-1] * n + tokens[1:]
    return jnp.zeros(n * n, jnp.int32).at[pairs].add(1)


def main():
    jax.distributed.initialize(os.environ["COORDINATOR"], int(os.environ["NUM_PROCESSES"]),
                               int(os.environ["PROCESS_ID"]))
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "corpus")
    if jax.process_index() == 0:
        write_corpus(folder)
    multihost_utils.sync_global_devices("corpus written")

    token_files = tokenise_all(folder)
    # every process may read every token file now
    start = jax.process_index()
    local = sum(np.asarray(pair_counts(jnp.asarray(np.load(f))))
                for f in token_files[start::jax.process_count()])
    total = np.asarray(multihost_utils.process_allgather(local)).reshape(-1, local.size).sum(axis=0)
    if jax.process_index() == 0:
        best = int(total.argmax())
        print("pairs", int(total.sum()), "most frequent:",
              WORDS[best // len(WORDS)], WORDS[best % len(WORDS)], int(total.max()))


main()
