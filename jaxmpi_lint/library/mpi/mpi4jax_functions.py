"""Functions of mpi4jax and of JAX's tokens, by supported features.

Facts from mpi4jax's documentation and change log (releases 0.3 to 0.9), and from JAX's (``create_token`` was removed).
"""

from __future__ import annotations

LIBRARY = "mpi4jax."
"""Prefix of all names of the library."""

CREATE_TOKEN = frozenset({"jax.lax.create_token", "jax.interpreters.xla.create_token"})
"""Creates a token for operations of the releases before 0.8."""

AUTO_TOKENIZE = "mpi4jax.experimental.auto_tokenize"
"""Adds tokens to the operations of a function; removed in 0.4."""

BATCHABLE = frozenset({"allreduce", "sendrecv", "barrier"})
"""Operations with a batching rule, which ``jax.vmap`` needs."""

DIFFERENTIABLE = frozenset({"allreduce", "barrier", "sendrecv"})
"""Operations with derivatives: ``allreduce`` for the sum, ``sendrecv`` in reverse mode."""

STACKED = frozenset({"gather", "allgather", "scatter", "alltoall"})
"""Operations whose argument or result has a leading axis of the size of the communicator."""
