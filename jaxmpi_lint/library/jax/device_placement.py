"""Devices, meshes and shardings in JAX: which calls name all devices, which those of one process.

Facts from "Distributed arrays and automatic parallelization", ``jax.sharding`` and
``jax.devices`` in JAX's documentation.
"""

from __future__ import annotations

DEVICE_PUT = "jax.device_put"
"""Places an array on devices; given a sharding over all processes it is a collective of all of them."""

OWN_DEVICES = frozenset({"local_devices", "local_mesh", "addressable_devices"})
"""Functions and attributes that name devices of one process."""

ALL_DEVICES = frozenset({"devices", "make_mesh", "create_device_mesh", "create_hybrid_device_mesh"})
"""Functions that name the devices of all processes."""

PLACEMENT_PARAMETERS = frozenset(
    {"devices", "device", "in_axis_resources", "in_shardings", "mesh", "out_axis_resources", "out_shardings"}
)
"""Parameters of transforms that say on which devices the program runs."""

SHARDINGS = frozenset({"NamedSharding", "PositionalSharding"})
"""Classes of shardings that name a mesh."""

PARTITION_SPECS = frozenset({"P", "PartitionSpec"})
"""Names of the class that says along which axes of a mesh an array is split."""
