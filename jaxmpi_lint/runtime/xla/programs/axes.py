"""Devices in the words of the program: all of them, or the axes of a mesh. Their numbers mean little to a reader."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from jaxmpi_lint.runtime.findings import wording

Group = tuple[int, ...]
"""Places of devices in an executable, which are those in the mesh."""


def mesh_of(shardings: Sequence[Any], devices: int) -> Mapping[str, int]:
    """The axes of the mesh of so many devices that one of the shardings uses, with their sizes; none without a mesh."""
    meshes = [dict(mesh.shape) for one in shardings if (mesh := getattr(one, "mesh", None)) is not None]
    return next((mesh for mesh in meshes if math.prod(mesh.values()) == devices), {})


def device_set(devices: Sequence[Any], mesh: Mapping[str, int]) -> str:
    """``all 8 devices``, ``4 of 8 devices (mesh data=4, of ranks 0 and 2)``."""
    total = devices[0].client.device_count()
    if len(devices) == total:
        return f"all {total} devices"
    axes = ", ".join(f"{name}={size}" for name, size in mesh.items())
    owners = wording.ranks(device.process_index for device in devices)
    return f"{len(devices)} of {total} devices ({f'mesh {axes}, ' if axes else ''}of {owners})"


def among(groups: Sequence[Group], mesh: Mapping[str, int], devices: int) -> str:
    """``over all 8 devices``, ``along data``; "" if the groups, in their order, are neither."""
    if list(groups) == [tuple(range(devices))]:
        return f"over all {devices} devices"
    for count in range(1, len(mesh)):
        for axes in combinations(mesh, count):
            if list(groups) == list(_groups_along(axes, mesh)):
                return f"along {wording.joined(axes)}"
    return ""


def _groups_along(axes: Collection[str], mesh: Mapping[str, int]) -> Iterator[Group]:
    """The groups of devices that differ only along some axes of a mesh."""
    found: dict[Group, list[int]] = {}
    for place, at in enumerate(product(*(range(size) for size in mesh.values()))):
        fixed = tuple(number for name, number in zip(mesh, at, strict=True) if name not in axes)
        found.setdefault(fixed, []).append(place)
    return (tuple(group) for group in found.values())
