"""Devices, meshes and shardings in JAX: calls that return all devices, or those of one process.

Facts from "Distributed arrays and automatic parallelization", ``jax.sharding`` and ``jax.devices`` in JAX's
documentation.
"""

from __future__ import annotations

DEVICE_PUT = "jax.device_put"
"""Places an array on devices; with a sharding over all processes it is a collective of all of them."""

OWN_DEVICES = frozenset({"local_devices", "local_mesh", "addressable_devices"})
"""Functions and attributes that return devices of one process."""

ALL_DEVICES = frozenset({"devices", "make_mesh", "create_device_mesh", "create_hybrid_device_mesh"})
"""Functions that return the devices of all processes."""

PLACEMENT_PARAMETERS = frozenset(
    {"devices", "device", "in_axis_resources", "in_shardings", "mesh", "out_axis_resources", "out_shardings"}
)
"""Parameters of transforms that determine the devices of the program."""

SHARDINGS = frozenset({"NamedSharding", "PositionalSharding"})
"""Classes of shardings that refer to a mesh."""

PARTITION_SPECS = frozenset({"P", "PartitionSpec"})
"""Names of the class that determines the mesh axes along which an array is split."""
