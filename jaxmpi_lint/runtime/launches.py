"""When compiled functions with operations of mpi4jax are started, as far as the Python side of JAX does it.

A function with ordered effects never takes JAX's way past Python, so every start of one is seen here.
"""

from __future__ import annotations

import functools
import re
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from jaxmpi_lint.runtime import _native

_NUMBER = re.compile(rf"\b{_native.operation_attribute} = (-?\d+)")
_known: WeakKeyDictionary[Any, tuple[int, ...]] = WeakKeyDictionary()


def watch() -> bool:
    """See every start from now on; whether that is possible."""
    try:
        executable: Any = import_module("jax._src.interpreters.pxla").ExecuteReplicated
    except (ImportError, AttributeError):
        return False
    start = executable.__call__

    @functools.wraps(start)
    def begin(self: Any, *arguments: Any) -> Any:
        keys = operations(self) if self.ordered_effects else ()
        if not keys:
            return start(self, *arguments)
        _native.launch_begins(keys)
        try:
            return start(self, *arguments)
        finally:
            _native.launch_ends()

    executable.__call__ = begin
    return True


def operations(executable: Any) -> tuple[int, ...]:
    """The numbers of the operations in an executable, in the order of its text; none if it cannot be read."""
    known = _known.get(executable)
    if known is None:
        known = _known[executable] = tuple(read(executable))
    return known


def read(executable: Any) -> list[int]:
    """Those that the compiled program's own text names."""
    try:
        modules = executable.xla_executable.hlo_modules()
        found = [number for module in modules for number in _NUMBER.findall(module.to_string())]
    except Exception:  # some platforms keep no text
        return []
    return [int(number) % (1 << 64) for number in dict.fromkeys(found)]
