"""Unigram statistics of a token file, one shard per device of the whole job.

Every process is started with COORDINATOR, NUM_PROCESSES and PROCESS_ID in its environment.
"""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

VOCAB = 512
SHARD_TOKENS = 4096


def connect():
    jax.distributed.initialize(
        coordinator_address=os.environ["COORDINATOR"],
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
    )


def read_shard(index):
    """Tokens of shard number index; the language drifts from shard to shard."""
    rng = np.random.default_rng([40, index])
    weights = 1.0 / (np.arange(VOCAB) + 2.0 + 5.0 * index)
    return rng.choice(VOCAB, SHARD_TOKENS, p=weights / weights.sum()).astype(np.int32)


def load(mesh):
    """The global (devices, tokens) array, each device holds one row."""
    sharding = NamedSharding(mesh, P("data", None))
    rows = []
    order = list(mesh.devices.flat)
    for device in jax.local_devices():
        rows.append(jax.device_put(read_shard(order.index(device))[None], device))
    shape = (mesh.devices.size, SHARD_TOKENS)
    return jax.make_array_from_single_device_arrays(shape, sharding, rows)


def make_statistics(mesh):
    replicated = NamedSharding(mesh, P())

    def statistics(tokens):
        counts = jnp.zeros(VOCAB).at[tokens.reshape(-1)].add(1.0)
        p = counts / counts.sum()
        entropy = -jnp.sum(jnp.where(p > 0, p * jnp.log2(jnp.maximum(p, 1e-12)), 0.0))
        return counts, entropy

    return jax.jit(statistics, out_shardings=replicated)


def checksum(tokens):
    local = sum(int(np.asarray(s.data, dtype=np.int64).sum()) for s in tokens.addressable_shards)
    return multihost_utils.process_allgather(np.array([local])).reshape(-1)


def main():
    connect()
    mesh = Mesh(np.array(jax.devices()), ("data",))
    tokens = load(mesh)
    counts, entropy = make_statistics(mesh)(tokens)
    counts = np.asarray(counts)
    sums = checksum(tokens)
    if jax.process_index() == 0:
        top = np.argsort(-counts, kind="stable")[:5]
        print(f"{int(counts.sum())} tokens in {tokens.shape[0]} shards, entropy {float(entropy):.5f} bits")
        print("most frequent:", " ".join(f"{t}:{int(counts[t])}" for t in top))
        print("sums of the processes:", *sums)


if __name__ == "__main__":
    main()
