import json
import os
import random

WORDS = "the a cell gene model rank mesh wave node flux run of to and".split()


def raw_text(seed, n=4000):
    rnd = random.Random(seed)
    return [rnd.choice(WORDS) for _ in range(n)]


def build_vocab(cache):
    """Vocabulary from the cache file; written on the first call."""
    if os.path.exists(cache):
        with open(cache) as fh:
            return json.load(fh)
    seen = sorted(set(raw_text(0)) | set(raw_text(1)))
    vocab = {w: i for i, w in enumerate(seen)}
    tmp = cache + ".part"
    with open(tmp, "w") as fh:
        json.dump(vocab, fh)
    os.replace(tmp, cache)
    return vocab


def check_vocab(comm, vocab):
    sizes = comm.allgather(len(vocab))
    if len(set(sizes)) != 1:
        raise RuntimeError(f"vocabularies differ: {sizes}")
