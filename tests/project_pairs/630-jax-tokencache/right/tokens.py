"""Byte-pair-free character tokens with an on-disk cache (shared file system)."""
import logging
import pathlib

import jax
import numpy as np
from jax.experimental import multihost_utils

logger = logging.getLogger(__name__)


def synthetic_text(n_lines=20000, seed=4):
    rng = np.random.default_rng(seed)
    subjects = ["the pump", "a valve", "one sensor", "this motor", "the relay"]
    verbs = ["opened", "failed", "restarted", "overheated", "tripped"]
    return "\n".join(
        f"{rng.choice(subjects)} {rng.choice(verbs)} at {rng.integers(0, 24):02d}h"
        for _ in range(n_lines)
    )


def encode(text):
    alphabet = sorted(set(text))
    lookup = {c: i for i, c in enumerate(alphabet)}
    ids = np.fromiter((lookup[c] for c in text), dtype=np.int32, count=len(text))
    return ids, "".join(alphabet)


def load_tokens(cache_dir):
    """Token ids and alphabet; the first process fills the cache if needed."""
    path = pathlib.Path(cache_dir) / "tokens.npz"
    if jax.process_index() == 0 and not path.exists():
        logger.info("building token cache %s", path)
        path.parent.mkdir(parents=True, exist_ok=True)
        ids, alphabet = encode(synthetic_text())
        np.savez(path, ids=ids, alphabet=np.array(alphabet))
    multihost_utils.sync_global_devices("token cache ready")

    with np.load(path) as f:
        return f["ids"], str(f["alphabet"])
