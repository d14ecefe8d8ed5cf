"""The properties of a JAX executable that are compared between processes: devices, collectives, program."""

from __future__ import annotations

import json
import os
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from weakref import WeakKeyDictionary

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.xla.capture import divergent_branches
from jaxmpi_lint.runtime.xla.programs import axes, program, signature
from jaxmpi_lint.runtime.xla.programs.signature import Collective

_TEXTS = 64  # programs that have been compiled and not yet launched
_HASHES = 4096
_LARGEST = 1 << 20  # characters of a program that are kept for a report
_ELEMENTS = 256  # of a constant; the text omits the values of larger ones
_GROUPS = re.compile(r"\{([\d,]*)\}")

_launches: WeakKeyDictionary[Any, _native.Launch | None] = WeakKeyDictionary()
_texts: OrderedDict[object, str] = OrderedDict()
_hashes: OrderedDict[object, int] = OrderedDict()
_findings: list[Finding] = []


def launch_of(replicated: Any) -> _native.Launch | None:
    """The recorder of the launches of an executable; None if it involves only this process."""
    if replicated in _launches:
        return _launches[replicated]
    made = _launches[replicated] = _describe(replicated)
    return made


def findings() -> list[Finding]:
    """Findings about executables described since the last call."""
    found = _findings[:]
    _findings.clear()
    return found


def compiled(module: Any, devices: Any, executable: Any) -> None:
    """Remember the program that an executable was compiled from, if several processes run it."""
    if len({device.process_index for device in devices.flat}) < 2:
        return
    text = module.operation.get_asm(enable_debug_info=True, large_elements_limit=_ELEMENTS)
    _texts[_key(executable)] = text
    if len(_texts) > _TEXTS:
        _texts.popitem(last=False)


def _describe(replicated: Any) -> _native.Launch | None:
    devices = device_assignment(replicated)
    processes = [device.process_index for device in devices]
    if len(set(processes)) < 2:
        return None
    executable = replicated.xla_executable
    hlo_text = "\n".join(module.to_string() for module in executable.hlo_modules())
    found = signature.collectives(hlo_text)
    groups = [group for one in found for group in groups_of(one, len(devices))]
    if not any(len({processes[place] for place in group}) > 1 for group in groups):
        return None
    own = next(device.client.process_index() for device in devices)
    partners = {processes[place] for group in groups if own in {processes[at] for at in group} for place in group}
    text, number = _program(executable)
    names = [device.id for device in devices]
    mesh = axes.mesh_of(_shardings(replicated), len(devices))
    launch = _native.Launch(
        set=_hash(names),
        devices=axes.device_set(devices, mesh),
        signature=signature.signature(found),
        program=number,
        partners=sorted(partners - {own}),
        name=readable(replicated.name),
    )
    described = [_described(one, len(devices), mesh) for one in found]
    _keep(launch.place, readable(replicated.name), found, described, text)
    divergent = divergent_branches.finding(readable(replicated.name), hlo_text, processes)
    _findings.extend([divergent] if divergent is not None else [])
    return launch


def device_assignment(replicated: Any) -> Sequence[Any]:
    """The devices of an executable in the order of its partitions; none if it has neither inputs nor outputs."""
    known = [tuple(sharding._device_assignment) for sharding in _shardings(replicated)]
    return max(known, key=len, default=())


def _shardings(replicated: Any) -> list[Any]:
    return [*replicated.in_handler.in_shardings, *replicated.out_handler.out_shardings]


def groups_of(one: Collective, devices: int) -> list[tuple[int, ...]]:
    """The device groups of a collective, as positions in the executable; one group of all if they cannot be parsed."""
    return _listed(one, devices) or [tuple(range(devices))]


def _listed(one: Collective, devices: int) -> list[tuple[int, ...]]:
    text = one.groups.replace(" ", "")
    listed = [tuple(int(number) for number in group.split(",") if number) for group in _GROUPS.findall(text)]
    plain = listed and _GROUPS.sub("", text).strip("{},") == ""
    return listed if plain and all(place < devices for group in listed for place in group) else []


def _described(one: Collective, devices: int, mesh: Mapping[str, int]) -> str:
    """A collective with the devices that take part in it, by the axes of the mesh if possible."""
    permutes = one.kind == "collective-permute"  # its groups are pairs
    return one.described("" if permutes else axes.among(_listed(one, devices), mesh, devices))


def readable(name: str) -> str:
    """``jit(step)`` of ``jit_step``."""
    kind, _, rest = name.partition("_")
    return f"{kind}({rest})" if kind in ("jit", "pmap", "pjit") and rest else name


def _program(executable: Any) -> tuple[str, int]:
    """The text of the program and its hash; 0 if it is unknown."""
    key = _key(executable)
    text = _texts.pop(key, "")
    if text:
        _hashes[key] = program.program_hash(text)
        if len(_hashes) > _HASHES:
            _hashes.popitem(last=False)
    return text, _hashes.get(key, 0)


def _key(executable: Any) -> object:
    """The key of an executable during its lifetime: different programs may compile to equal executables."""
    return id(executable), executable.fingerprint


def _hash(names: Sequence[int]) -> int:
    import hashlib

    return int.from_bytes(hashlib.blake2b(repr(names).encode(), digest_size=8).digest())


def _keep(place: int, name: str, found: Sequence[Collective], described: Sequence[str], text: str) -> None:
    """Write the details of an executable that a report needs to the job's folder."""
    path = os.path.join(_native.launches_folder(), f"{os.getpid()}-{place}.json")
    collectives = [
        {"what": what, "file": one.file, "line": one.line, "function": one.function}
        for one, what in zip(found, described, strict=True)
    ]
    kept = {"name": name, "collectives": collectives, "program": text if len(text) <= _LARGEST else ""}
    with (
        suppress(OSError),  # the report then lacks these details
        open(path, "w", encoding="utf-8", opener=lambda file, flags: os.open(file, flags, 0o600)) as file,
    ):
        json.dump(kept, file)
