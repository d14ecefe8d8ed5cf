"""Transforms that map a function over an axis: inside one program, or over devices.

Facts from the pages of ``jax.vmap``, ``jax.pmap``, ``jax.shard_map`` and ``jax.experimental.maps`` in JAX's
documentation.
"""

from __future__ import annotations

VMAPS = frozenset({"jax.vmap", "equinox.filter_vmap", "flax.nnx.vmap", "flax.linen.vmap", "haiku.vmap"})
"""Transforms that batch a function: its operations need a batching rule."""

PMAPS = frozenset({"jax.pmap", "flax.nnx.pmap", "equinox.filter_pmap"})
"""Transforms that run a function on all devices of all processes unless given ``devices``."""

MULTI_DEVICE_PROGRAMS = frozenset(
    {
        "equinox.filter_pmap", "flax.nnx.pmap", "flax.nnx.shard_map", "jax.experimental.shard_map.shard_map",
        "jax.pmap", "jax.shard_map", "jax.smap", "jax.xmap",
    }
)  # fmt: skip
"""Transforms that run a function on several devices at once."""

TREE_MAPS = frozenset({"jax.tree.map", "jax.tree_map", "jax.tree_util.tree_map"})
"""Functions that apply a function to each leaf of a tree."""
