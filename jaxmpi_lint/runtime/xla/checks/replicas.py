"""Comparison of the replicas of an array's shards between processes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding, Side
from jaxmpi_lint.runtime.ledger.snapshot import Site

LARGEST_BYTES = 1 << 20
_MOST_PARTS = 64


def processes(array: Any) -> frozenset[int]:
    """The processes that hold a shard of a JAX array."""
    return frozenset(device.process_index for device in array.sharding.device_set)


def checksums(array: Any, largest_bytes: int = LARGEST_BYTES) -> dict[str, str]:
    """The checksums of the local shards of which other processes hold replicas, by the shard's index.

    Empty if these shards have more than ``largest_bytes`` in total, if there are no replicas in other processes, and
    for dtypes that numpy does not support (random keys). Waits until the array has been computed.
    """
    import jax
    import numpy

    if not isinstance(array.dtype, numpy.dtype):
        return {}
    owners: dict[str, set[int]] = {}
    for device, index in array.sharding.devices_indices_map(array.shape).items():
        owners.setdefault(place(index, array.shape), set()).add(device.process_index)
    here = {place(shard.index, array.shape): shard for shard in array.addressable_shards}
    shared = {where: shard for where, shard in here.items() if len(owners.get(where, ())) > 1}
    if len(shared) > _MOST_PARTS or sum(shard.data.nbytes for shard in shared.values()) > largest_bytes:
        return {}
    with jax.transfer_guard("allow"):
        return {where: _checksum(numpy.asarray(shard.data)) for where, shard in shared.items()}


def place(index: tuple[slice, ...], shape: tuple[int, ...]) -> str:
    """``[0:4,2:8]``."""
    ends = [part.indices(extent)[:2] for part, extent in zip(index, shape, strict=True)]
    return f"[{','.join(f'{begin}:{end}' for begin, end in ends)}]"


def written(sums: Mapping[str, str], site: Site) -> str:
    """Checksums and the source line, as text."""
    return json.dumps([dict(sums), site.file, site.line, site.function])


def disagreement(what: str, kind: str, process: int, said: Mapping[int, str]) -> Finding | None:
    """The finding if the checksums of two processes differ; ``said`` holds texts of `written`."""
    read = {one: json.loads(text) for one, text in sorted(said.items())}
    mine = read.pop(process)
    for other, theirs in read.items():
        parts = [where for where, checksum in mine[0].items() if theirs[0].get(where, checksum) != checksum]
        if parts:
            sites = {process: Site(*mine[1:]), other: Site(*theirs[1:])}
            return _finding(what, kind, parts, dict(sorted(sites.items())))
    return None


def _checksum(data: Any) -> str:
    return hashlib.blake2b(data.tobytes(), digest_size=8).hexdigest()


def _finding(what: str, kind: str, parts: list[str], sites: Mapping[int, Site]) -> Finding:
    one, other = sites
    extents = kind.partition("[")[2].rstrip("]")
    whole = f"[{','.join(f'0:{extent}' for extent in extents.split(',') if extent)}]"
    where = "" if parts[0] == whole else f" at {parts[0]}"
    return Finding(
        "JS506",
        f"ranks {one} and {other} hold different replicas of one {kind} from {what}{where}",
        (one, other),
        tuple(Side((rank,), f"{what}, {kind}", site, "differs" if rank == other else "", rank == other)
              for rank, site in sites.items()),
    )  # fmt: skip
