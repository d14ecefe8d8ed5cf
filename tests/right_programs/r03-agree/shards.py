import numpy as np

from agreement import collective_try


class ShardError(Exception):
    pass


def write_shards(comm, directory, n_shards):
    """Each shard is written by its owner; lengths differ from shard to shard."""
    with collective_try(comm, "writing shards"):
        for k in range(comm.rank, n_shards, comm.size):
            rng = np.random.default_rng(1000 + k)
            np.save(directory / f"shard-{k:02d}.npy", rng.normal(3.0, 2.0, size=50 + 9 * k))


def load_shard(path):
    try:
        data = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as exc:
        raise ShardError(f"{path.name} unreadable") from exc
    if data.ndim != 1 or not np.isfinite(data).all():
        raise ShardError(f"{path.name} malformed")
    return data
