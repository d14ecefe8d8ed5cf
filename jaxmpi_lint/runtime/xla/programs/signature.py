"""The collectives of an executable in execution order, and a hash of them, the signature.

If two processes launch executables with equal signatures, each sends what the other expects. The signature depends on
the kind, reduction, shapes and groups of each collective and on the loops and branches around it. It does not depend on
source lines, names, channel ids or the process.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.xla.programs import groups, hlo
from jaxmpi_lint.runtime.xla.programs.places import Places

COLLECTIVES = (
    "all-gather", "all-reduce", "all-to-all", "collective-broadcast", "collective-permute", "ragged-all-to-all",
    "reduce-scatter",
)  # fmt: skip
# Operations that call MPI: their data is compared at the MPI call. Here it may differ between ranks (the result of a
# gather on the root, a send on one side only).
_THROUGH_MPI = re.compile(r"(?:mpi_|jaxmpi_)(allgather|allreduce|alltoall|barrier|bcast|gather|reduce|scan|scatter)"
                          r"(?:_ffi)?")  # fmt: skip
# jaxmg: cuSOLVERMp from 1.0 on, cuSOLVERMg before.
_SOLVERS = re.compile(r"cusolvermp_\w+|(?:cyclic|potr[fsi]|syevd|syevd_no_V)_mg")

_KINDS = "|".join(COLLECTIVES)
_ANY = re.compile(rf" (?:(?:{_KINDS})(?:-start)?|send|recv)\(|custom_call_target=|-start\(")
_STEPS = re.compile(rf" (?:while|conditional|call|fusion|custom-call|send|recv|{_KINDS}|[a-z\-]*-start)\(")
_TRIPS = re.compile(r'"known_trip_count":\{"n":"?(\d+)')
_DIRECTION = re.compile(r"\bdirection=(\w+)")
_NO_ARITHMETIC = frozenset(("parameter", "convert", "bitcast", "copy", "tuple", "get-tuple-element", "constant"))
_PAIRS = re.compile(r'_xla_send_recv_source_target_pairs="(\{[^"]*\})"')


@dataclass(frozen=True, slots=True)
class Collective:
    """One collective of an executable.

    ``shapes`` are those of the result on one device, ``("float32[4,8]",)``; ``groups`` are the numbers of the devices
    in the executable, ``{0,2},{1,3}``, the pairs of a permutation likewise; ``within`` are the loops and branches
    around it, outermost first, ``("while, 5 iterations", "branch 1")``. ``file`` is "" if the module names none.
    """

    kind: str  # "all-reduce"; "custom-call" for that of a library
    reduction: str  # "add", "maximum"; "" if nothing is reduced
    shapes: tuple[str, ...]
    groups: str
    target: str = ""  # of a custom call: "cusolvermp_potrf_execute"
    within: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    function: str = ""

    def __str__(self) -> str:
        """``all-reduce(add) of float32[4,8] in groups {0,1},{2,3}``."""
        return self.described("")

    def described(self, among: str) -> str:
        """``all-reduce(add) of float32[4,8] along data``; ``among`` "": with the numbers of its groups."""
        name = self.target or self.kind
        text = f"{name}({self.reduction})" if self.reduction else name
        if self.shapes:
            text += f" of {', '.join(self.shapes)}"
        if among:
            text += f" {among}"
        elif self.groups:
            text += f" {'from-to' if self.kind == 'collective-permute' else 'in groups'} {self.groups}"
        return text + "".join(f", in {where}" for where in reversed(self.within))

    @property
    def site(self) -> Site | None:
        """Its line in the program, None if the module names none."""
        return Site(self.file, self.line, self.function) if self.file else None


def collectives(hlo_text: str) -> tuple[Collective, ...]:
    """All collectives of an optimised HLO text (one or more modules), in execution order."""
    if _ANY.search(hlo_text) is None:
        return ()
    places = Places(hlo_text)
    return tuple(found for module in hlo.modules(hlo_text) for found in _Walk(module, places).run())


def collectives_in(module: hlo.Module, computation: str, places: Places) -> tuple[Collective, ...]:
    """The collectives of one computation of a module and of those that it calls, in execution order."""
    return tuple(_Walk(module, places).within(computation))


def branches_of(conditional: hlo.Instruction) -> list[str]:
    """The computations of the branches of a conditional, in order."""
    called = conditional.called()
    branches = [called[part] for part in ("true_computation", "false_computation") if part in called]
    return branches or [name for part, name in called.items() if part.startswith("branch")]


def signature(found: Iterable[Collective]) -> int:
    """A 64-bit hash of collectives, equal if the exchanges are equal; independent of process and source lines."""
    digest = hashlib.blake2b(digest_size=8)
    for one in found:
        words = (one.kind, one.reduction, *one.shapes, "\1", one.groups, one.target, *one.within)
        digest.update("\0".join(words).encode() + b"\n")
    return int.from_bytes(digest.digest())


class _Walk:
    """A walk through one module in execution order."""

    def __init__(self, module: hlo.Module, places: Places) -> None:
        self._module = module
        self._places = places
        self._steps: dict[str, list[hlo.Instruction]] = {}
        self._communicates: dict[str, bool] = {}

    def run(self) -> Iterator[Collective]:
        """The collectives from the entry computation on."""
        return self.within(self._module.entry)

    def within(self, computation: str) -> Iterator[Collective]:
        """The collectives from a computation on."""
        return self._in(computation, ())

    def _in(self, computation: str, within: tuple[str, ...]) -> Iterator[Collective]:
        if not self._holds_any(computation):
            return
        for step in self._steps_of(computation):
            if (found := self._collective(step, within)) is not None:
                yield found
                continue
            for inner, where in _entered(step):
                yield from self._in(inner, (*within, where) if where else within)

    def _holds_any(self, computation: str) -> bool:
        """Whether a computation, or one that it calls, may communicate."""
        known = self._communicates.get(computation)
        if known is None:
            known = self._communicates[computation] = any(
                self._collective(step, ()) is not None or any(self._holds_any(inner) for inner, _ in _entered(step))
                for step in self._steps_of(computation)
            )
        return known

    def _steps_of(self, computation: str) -> list[hlo.Instruction]:
        """The instructions of a computation that may communicate."""
        known = self._steps.get(computation)
        if known is None:
            lines = self._module.computations.get(computation, ())
            read = (hlo.instruction(line) for line in lines if _STEPS.search(line))
            known = self._steps[computation] = [one for one in read if one is not None]
        return known

    def _collective(self, step: hlo.Instruction, within: tuple[str, ...]) -> Collective | None:
        """The collective of an instruction, None if it is not one."""
        started = step.opcode.endswith("-start")
        kind = step.opcode.removesuffix("-start")
        target, shapes, among = "", hlo.arrays(_result(step) if started else step.shape), ""
        if kind in COLLECTIVES:
            found = groups.groups_of(step.rest, self._module.devices)
            if _goes_nowhere(kind, found):
                return None
            among = groups.written(found)
        elif kind in ("send", "recv"):
            if "is_host_transfer=true" in step.rest:
                return None
            pairs = _PAIRS.search(step.rest)
            among, shapes = pairs[1] if pairs else "", shapes[:1]
        elif kind == "custom-call":
            target = step.attribute("custom_call_target")
            if _THROUGH_MPI.fullmatch(target):
                shapes = ()
            elif not _SOLVERS.fullmatch(target):
                return None
        else:
            return None
        site = self._places.of(step)
        return Collective(
            kind, self._reduction(kind, step), shapes, among, target, within, site.file, site.line, site.function
        )

    def _reduction(self, kind: str, step: hlo.Instruction) -> str:
        """The arithmetic of the computation with which an instruction reduces."""
        applied = step.called().get("to_apply") if kind in ("all-reduce", "reduce-scatter") else None
        if applied is None:
            return ""
        read = [hlo.instruction(line) for line in self._module.computations.get(applied, ())]
        steps = [one for one in read if one is not None and one.opcode not in _NO_ARITHMETIC]
        return ",".join(_arithmetic(one) for one in steps)


def _arithmetic(step: hlo.Instruction) -> str:
    direction = _DIRECTION.search(step.rest)
    return f"{step.opcode} {direction[1]}" if direction else step.opcode


def _entered(step: hlo.Instruction) -> Iterator[tuple[str, str]]:
    """The computations that an instruction runs, in order, each with a description of the loop or branch."""
    called = step.called()
    if step.opcode == "while":
        trips = _TRIPS.search(step.rest)
        name = f"while, {trips[1]} iterations" if trips else "while"
        yield from ((called[part], name if part == "body" else "condition of while")
                    for part in ("condition", "body") if part in called)  # fmt: skip
    elif step.opcode == "conditional":
        yield from ((name, f"branch {index}") for index, name in enumerate(branches_of(step)))
    elif step.opcode in ("call", "fusion", "custom-call") or step.opcode.endswith("-start"):
        yield from ((name, "") for name in called.values() if name)


def _result(step: hlo.Instruction) -> str:
    """The result shape of a start instruction, whose tuple holds operands, result and contexts."""
    parts = hlo.parts(step.shape)
    return step.shape if step.opcode == "all-reduce-start" or len(parts) < 2 else parts[1]


def _goes_nowhere(kind: str, found: tuple[groups.Group, ...] | str) -> bool:
    """Whether no device sends data to another one."""
    if isinstance(found, str):
        return False
    if kind == "collective-permute":
        return all(source == target for source, target in found)
    return all(len(group) < 2 for group in found)
