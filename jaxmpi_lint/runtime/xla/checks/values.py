"""Checks of JAX's multihost functions, which all processes call with local data.

Wrappers publish the types of this process's arguments and compare them with those of the other processes before they
call JAX's function. No process waits: of two processes with mismatched arguments, the later one detects it before it
takes part. Calls that only some processes make are found at the launches, not here.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.ledger.snapshot import Site
from jaxmpi_lint.runtime.settings.ownership import is_library
from jaxmpi_lint.runtime.xla.checks import calls, replicas
from jaxmpi_lint.runtime.xla.hosts.exchange import Exchange

_OWN = "jaxmpi_lint.runtime"
KEPT_CALLS = 64
"""Calls of a function that stay available to slower processes."""
_FRAMES = 16
_FIRST = 16  # calls whose contents are compared; after these, every sixteenth
_INFERRED = "make_array_from_process_local_data"
_MADE = (_INFERRED, "make_array_from_callback", "make_array_from_single_device_arrays")

Arguments = tuple[Any, ...]
Named = dict[str, Any]
Compare = Callable[[str, calls.Said, calls.Said], Finding | None]


@dataclass(frozen=True, slots=True)
class Connection:
    """The connection of the checks to a job."""

    exchange: Exchange
    process: int
    processes: int
    tell: Callable[[Finding], None]
    complain: Callable[[str], None]  # prints a line if something can no longer be checked
    begin: Callable[[], None] = lambda: None  # called before each multihost function
    largest_replica: int = replicas.LARGEST_BYTES  # bytes; 0: contents are not compared


class Disagreement(RuntimeError):
    """Processes pass mismatched arguments, and the user wants an exception (`on_error=raise`)."""


class Values:
    """The checks of one process; inactive until `connect`."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._calls: Counter[str] = Counter()
        self._counting = threading.Lock()

    def connect(self, connection: Connection) -> None:
        """Activate the checks; `jax.distributed.initialize` must have returned."""
        self._connection = connection if connection.processes > 1 else None

    def watch_jax(self, module: ModuleType) -> None:
        """Wrap functions that make global arrays, in `jax`, or in `jax._src.array` before `jax` imports them."""
        for name in _MADE:
            self._replace(module, name, after=self._made)

    def watch_multihost(self, module: ModuleType) -> None:
        """Wrap functions of `jax.experimental.multihost_utils` that exchange host data."""
        for name in ("process_allgather", "broadcast_one_to_all"):
            self._replace(module, name, before=self._exchanged)

    def _replace(
        self,
        module: ModuleType,
        name: str,
        before: Callable[..., None] | None = None,
        after: Callable[..., None] | None = None,
    ) -> None:
        original = getattr(module, name, None)
        if original is None or hasattr(original, "_jaxmpi_sanitize"):
            return

        @functools.wraps(original)
        def checked(*arguments: Any, **named: Any) -> Any:
            if before is not None and self._connection is not None:
                self._guarded(before, name, sys._getframe(1), arguments, named)
            result = original(*arguments, **named)
            if after is not None and self._connection is not None:
                self._guarded(after, name, sys._getframe(1), arguments, named, result)
            return result

        checked._jaxmpi_sanitize = True  # type: ignore[attr-defined]
        setattr(module, name, checked)

    def _guarded(self, check: Callable[..., None], name: str, *call: Any) -> None:
        """Run a check; an internal error ends the checks with a message, never the program.

        Disagreement: the check found an error that is to be raised.
        """
        connection = self._connection
        if connection is None or not in_order():
            return
        try:
            check(connection, name, *call)
        except Disagreement:
            raise
        except Exception as reason:
            self._connection = None
            lines = str(reason).splitlines() or [""]
            connection.complain(f"arguments of JAX's multihost functions are no longer compared: {name}: {lines[0]}")

    def _exchanged(
        self, connection: Connection, name: str, frame: FrameType, arguments: Arguments, named: Named
    ) -> None:
        tree = arguments[0] if arguments else named.get("in_tree")
        source = False
        if name == "broadcast_one_to_all":
            wished = arguments[1] if len(arguments) > 1 else named.get("is_source")
            source = connection.process == 0 if wished is None else bool(wished)
        connection.begin()
        number, (site, inside) = self._next(name), user_site(frame)
        mine = calls.said(connection.process, number, site, calls.leaves(tree), source, inside=inside)
        self._compare(connection, name, name, mine, calls.disagreement)

    def _made(
        self, connection: Connection, name: str, frame: FrameType, arguments: Arguments, named: Named, result: Any
    ) -> None:
        """Compare a global array with those that other processes made at the same line of the program.

        Only arrays that the program itself makes: libraries that restore checkpoints make arrays in the order in which
        files arrive.
        """
        import jax

        if is_library(frame.f_code.co_filename):
            return
        arrays = [leaf for leaf in jax.tree_util.tree_leaves(result) if isinstance(leaf, jax.Array)]
        arrays = [leaf for leaf in arrays if len(replicas.processes(leaf)) > 1]
        if not arrays:
            return
        site, key = _site(frame), f"{name}/{_way(frame)}/{_devices(arrays)}"
        number, agreed = self._next(key), True
        if name == _INFERRED:
            data = jax.tree_util.tree_leaves(arguments[1] if len(arguments) > 1 else named.get("local_data"))
            local = ", ".join(calls.kind(leaf) for leaf in data[:4])
            kinds = [(str(position), calls.kind(array)) for position, array in enumerate(arrays)]
            mine = calls.said(connection.process, number, site, kinds, local=local)
            agreed = self._compare(connection, key, name, mine, calls.other_array)
        if agreed and connection.largest_replica and (number <= _FIRST or number % _FIRST == 0):
            self._compare_contents(connection, f"{key}/contents", name, number, arrays, site)

    def _compare(self, connection: Connection, key: str, name: str, mine: calls.Said, compare: Compare) -> bool:
        """Publish a call of this process; report a mismatched call of another process."""
        slot = f"{key}/{mine.number % KEPT_CALLS}"
        connection.exchange.publish(slot, mine.written())
        texts = connection.exchange.read(slot)
        others = [calls.read(text) for process, text in sorted(texts.items()) if process != mine.process]
        found = [compare(name, *_by_process(mine, other)) for other in others if other.number == mine.number]
        told = next((finding for finding in found if finding is not None), None)
        if told is not None:
            connection.tell(told)
        return told is None

    def _compare_contents(
        self, connection: Connection, key: str, name: str, number: int, arrays: list[Any], site: Site
    ) -> None:
        for position, array in enumerate(arrays):
            sums = replicas.checksums(array, connection.largest_replica)
            if not sums:
                continue
            slot = f"{key}/{position}/{calls.kind(array)}/{number % KEPT_CALLS}"
            connection.exchange.publish(slot, f"{number} {replicas.written(sums, site)}")
            parts = {process: text.split(" ", 1) for process, text in connection.exchange.read(slot).items()}
            same = {process: text for process, (other, text) in parts.items() if int(other) == number}
            told = replicas.disagreement(name, calls.kind(array), connection.process, same)
            if told is not None:
                connection.tell(told)
                return

    def _next(self, key: str) -> int:
        with self._counting:
            self._calls[key] += 1
            return self._calls[key]


def in_order() -> bool:
    """Whether calls have a defined order: they are made in the main thread and outside of asyncio tasks."""
    running = getattr(sys.modules.get("asyncio"), "_get_running_loop", None)
    return threading.current_thread() is threading.main_thread() and (running is None or running() is None)


def user_site(frame: FrameType) -> tuple[Site, str]:
    """The innermost line of the user's code, and the library function that it calls there, "" if none."""
    inside = ""
    outward: FrameType | None = frame
    while outward is not None:
        if not is_library(outward.f_code.co_filename):
            return _site(outward), inside
        if _public(outward):
            inside = outward.f_code.co_name
        outward = outward.f_back
    return _site(frame), ""


def _public(frame: FrameType) -> bool:
    """Whether a function is public, not a wrapper."""
    module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
    return not name.startswith("_") and "<locals>" not in frame.f_code.co_qualname and not module.startswith(_OWN)


def _site(frame: FrameType) -> Site:
    return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)


def _way(frame: FrameType | None) -> str:
    """A hash of the call stack: calls are counted by stack, independent of calls elsewhere."""
    lines: list[tuple[str, int]] = []
    while frame is not None and len(lines) < _FRAMES:
        lines.append((frame.f_code.co_filename.rpartition("/")[2], frame.f_lineno))
        frame = frame.f_back
    return hashlib.blake2b(repr(lines).encode(), digest_size=6).hexdigest()


def _devices(arrays: list[Any]) -> str:
    """A hash of the devices of arrays: calls on different devices are counted separately."""
    ids = sorted({device.id for array in arrays for device in array.sharding.device_set})
    return hashlib.blake2b(repr(ids).encode(), digest_size=6).hexdigest()


def _by_process(one: calls.Said, other: calls.Said) -> tuple[calls.Said, calls.Said]:
    return (one, other) if one.process < other.process else (other, one)
