"""Sentences of different lengths on each process, padded to the longest one of each process.

The processes build arrays of different shapes and compile different programs, which send and expect different sizes.
Small sums may be right; a gather kills one process with a signal, and the other reports "connection reset".

    python examples/launch.py 2 examples/ragged_shapes/wrong_local_maximum.py 60
"""

import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

SENTENCES = (
    ("mass is conserved", "waves travel"),
    ("the basin is closed and the water in it comes to rest", "walls reflect"),
)


def tokens_of(sentences: tuple[str, ...]) -> list[np.ndarray]:
    """Each sentence as an array of word lengths, which represent the tokens of a real vocabulary."""
    return [np.array([len(word) for word in sentence.split()], dtype=np.int32) for sentence in sentences]


def pad(rows: list[np.ndarray], length: int) -> np.ndarray:
    """One array; the rows are padded with zeros."""
    return np.stack([np.pad(row, (0, length - row.size)) for row in rows])


@jax.jit
def token_histogram(tokens: jax.Array) -> jax.Array:
    """How often each token occurs in the sentences of all processes; zeros are padding."""
    return jnp.bincount(tokens.reshape(-1), length=16).at[0].set(0)


def main() -> None:
    """Count the tokens of all sentences."""
    jax.distributed.initialize(
        coordinator_address=os.environ["JAX_COORDINATOR_ADDRESS"],
        num_processes=int(os.environ["JAX_NUM_PROCESSES"]),
        process_id=int(os.environ["JAX_PROCESS_ID"]),
    )
    rows = tokens_of(SENTENCES[jax.process_index() % len(SENTENCES)])
    # later: process-dependent shape of a global array (no separate code yet)
    longest = max(row.size for row in rows)

    data = NamedSharding(Mesh(np.array(jax.devices()), ("data",)), PartitionSpec("data"))
    tokens = jax.make_array_from_process_local_data(data, pad(rows, longest))
    histogram = token_histogram(tokens)  #! JM121
    if jax.process_index() == 0:
        counted = int(histogram.addressable_data(0).sum())
        print(f"{jax.process_count()} processes, shape {tokens.shape}: counted {counted} tokens")


if __name__ == "__main__":
    main()
