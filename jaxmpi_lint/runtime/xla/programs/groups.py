"""The device groups of a collective in one canonical form.

XLA writes the groups of a collective in four ways: ``{{0,2},{1,3}}``; ``[2,2]<=[2,2]T(1,0)``, the numbers 0 to 3 as a
2 by 2 array, transposed, read as two groups of two; ``mesh['x'=2,'y'=2] {'x'}``, devices that differ along x; and
``{}``, all devices in one group. Two texts are equivalent if they give the same groups.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

LARGEST = 4096
"""For more devices than this, groups keep the form in which XLA writes them."""

_IOTA = re.compile(r"\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
_MESH = re.compile(
    r"mesh\[(?P<axes>[^\]]*)\](?:, device_ids=\((?P<devices>[^)]*(?:\([^)]*\))?)\))? \{(?P<along>[^}]*)\}"
)
_AXIS = re.compile(r"'([^']*)'=(\d+)")
_ALONG = re.compile(r"'([^']*)'(?::\((\d+)\)(\d+))?")
_ORDER = re.compile(r"\[([\d,]+)\](?:T\(([\d,]+)\))?")
_LISTS = re.compile(r"\{([\d,\s]*)\}")
_BRACED = re.compile(r"\{(?:\{[\d,\s]*\},?\s*)*\}")
_ATTRIBUTE = re.compile(r"\b(?:replica_groups|source_target_pairs)=")

Group = tuple[int, ...]


def groups_of(attributes: str, devices: int) -> tuple[Group, ...] | str:
    """The groups (or pairs) in an instruction's attributes, sorted; their text if it cannot be parsed.

    ``devices`` is the number of all devices: an empty list stands for one group of all.
    """
    found = _ATTRIBUTE.search(attributes)
    if found is None:
        return ()
    text = attributes[found.end() :]
    if (braced := _BRACED.match(text)) is not None:
        listed = [_numbers(numbers) for numbers in _LISTS.findall(braced[0][1:-1])]
        return tuple(sorted(listed)) if listed or "pairs" in found[0] else (tuple(range(devices)),)
    if (iota := _IOTA.match(text)) is not None:
        shape, extents = _numbers(iota[1]), _numbers(iota[2])
        if math.prod(extents) > LARGEST or len(shape) != 2:
            return iota[0]
        return _rows(_transposed(extents, _numbers(iota[3] or "")), shape[1])
    if (mesh := _MESH.match(text)) is not None:
        along = _along_mesh(mesh["axes"], mesh["devices"], mesh["along"])
        return mesh[0] if along is None else along
    return text.partition(", metadata=")[0]


def written(groups: tuple[Group, ...] | str) -> str:
    """``{0,2},{1,3}``."""
    return groups if isinstance(groups, str) else ",".join("{" + ",".join(map(str, group)) + "}" for group in groups)


def _numbers(text: str) -> Group:
    return tuple(int(number) for number in text.split(",") if number.strip())


def _rows(numbers: Sequence[int], width: int) -> tuple[Group, ...]:
    return tuple(sorted(tuple(numbers[at : at + width]) for at in range(0, len(numbers), width)))


def _transposed(extents: Group, order: Group) -> list[int]:
    """The numbers from 0 on as an array of these extents, transposed to this axis order, in row-major order."""
    order = order or tuple(range(len(extents)))
    strides = [math.prod(extents[axis + 1 :]) for axis in range(len(extents))]
    numbers = [0]
    for axis in order:
        numbers = [number + step * strides[axis] for number in numbers for step in range(extents[axis])]
    return numbers


def _along_mesh(axes_text: str, devices_text: str | None, along_text: str) -> tuple[Group, ...] | None:
    """The groups of devices that differ along some axes of a mesh; None if the text cannot be parsed."""
    axes = [(name, int(size)) for name, size in _AXIS.findall(axes_text)]
    total = math.prod(size for _, size in axes)
    if total > LARGEST:
        return None
    pieces = _split(axes, along_text)
    ids = _device_order(devices_text, total)
    if pieces is None or ids is None:
        return None
    extents = tuple(size for _, size in pieces)
    wanted = [found[0] for found in _ALONG.finditer(along_text)]
    names = [name for name, _ in pieces]
    inner = tuple(names.index(name) for name in wanted if name in names)
    if len(inner) != len(wanted):
        return None
    outer = tuple(axis for axis in range(len(pieces)) if axis not in inner)
    positions = _transposed(extents, outer + inner)
    return _rows([ids[position] for position in positions], math.prod(extents[axis] for axis in inner))


def _split(axes: list[tuple[str, int]], along_text: str) -> list[tuple[str, int]] | None:
    """The axes of a mesh; an axis of which only a part is named, ``'x':(2)4``, becomes up to three axes."""
    pieces: list[tuple[str, int]] = []
    for name, size in axes:
        parts = [found for found in _ALONG.finditer(along_text) if found[1] == name]
        if len(parts) == 1 and parts[0][2]:
            before, part = int(parts[0][2]), int(parts[0][3])
            if before * part == 0 or size % (before * part):
                return None
            pieces += [(f"before {name}", before), (parts[0][0], part), (f"after {name}", size // (before * part))]
        elif len(parts) > 1:
            return None
        else:
            pieces.append((f"'{name}'", size))
    return pieces


def _device_order(text: str | None, total: int) -> list[int] | None:
    """The devices of a mesh in the order of the mesh."""
    if text is None:
        return list(range(total))
    if (order := _ORDER.fullmatch(text)) is not None:
        listed = _transposed(_numbers(order[1]), _numbers(order[2] or ""))
    elif re.fullmatch(r"[\d,\s]+", text):
        listed = list(_numbers(text))
    else:
        return None
    return listed if len(listed) == total else None
