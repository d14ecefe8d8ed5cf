"""Observation of mpi4jax: when one of its operations runs, the core knows the line that it was traced from.

An operation is compiled into a call of a handler in mpi4jax's extension, which runs later, possibly on a thread without
Python. So the compiled call gets an additional attribute, a number for the line; a relay in front of the handler
removes it and passes it to the core. The traced program and its results, caching and ordering do not change.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import groupby, takewhile
from types import FrameType, ModuleType
from typing import Any

from jaxmpi_lint.runtime import _native
from jaxmpi_lint.runtime.process import compiled_calls
from jaxmpi_lint.runtime.settings.environment import say
from jaxmpi_lint.runtime.settings.ownership import is_library, is_machinery, is_part_of

BRIDGES = "mpi4jax._src.xla_bridge.mpi_xla_bridge_"
CONFIGURATION = "mhlo.backend_config"  # where jax keeps the attributes of a call
MPI_NAMES = {"nitems": "count", "dtype": "datatype"}  # where mpi4jax's name of an argument of MPI differs
KEPT = 4  # lines kept from an operation to the program
CALLERS = 4  # lines of the program kept around that one
_UNKNOWN_LAUNCHES = "this JAX version starts compiled functions in an unknown way"
OFTEN = 16  # compilations of an operation outside jit before a warning

Rule = Callable[..., Any]
Place = tuple[str, int, str]


class Mpi4jax:
    """The observation of mpi4jax in this process."""

    def __init__(self) -> None:
        self.compatibility: ModuleType | None = None  # where its modules take `register_lowering` from
        self.told = False

    def watch(self, bridge: ModuleType) -> None:
        """Put the relays in front of the handlers of a freshly loaded bridge, before mpi4jax registers them."""
        targets = getattr(bridge, "ffi_targets", None)
        compatibility = sys.modules.get("mpi4jax._src.jax_compat")
        if not isinstance(targets, dict) or compatibility is None or not hasattr(compatibility, "register_lowering"):
            self.tell("mpi4jax 0.9 and later only")
            return
        for name, handler in targets.items():
            targets[name] = _native.relayed(handler) or handler
        if self.compatibility is None:
            self.compatibility = compatibility
            register = compatibility.register_lowering

            @functools.wraps(register)
            def register_lowering(primitive: Any, rule: Rule, *arguments: Any, **options: Any) -> Any:
                return register(primitive, self.naming(rule), *arguments, **options)

            compatibility.register_lowering = register_lowering  # type: ignore[attr-defined]
            if not compiled_calls.watch():
                say(f"not checked: the order of mpi4py's and mpi4jax's calls ({_UNKNOWN_LAUNCHES})")
                compiled_calls.tell(_UNKNOWN_LAUNCHES)

    def naming(self, rule: Rule) -> Rule:
        """The lowering rule; it also attaches the operation's line to its result."""

        @functools.wraps(rule)
        def lower(context: Any, *operands: Any, **parameters: Any) -> Any:
            results = rule(context, *operands, **parameters)
            try:
                attach(context)
            except Exception as error:
                self.tell(f"{type(error).__name__}: {error}")
            return results

        return lower

    def tell(self, reason: str) -> None:
        """Report once that lines are missing."""
        if not self.told:
            say(f"not checked: lines of mpi4jax's operations ({reason})")
        self.told = True


def attach(context: Any) -> None:
    """Attach the number of its line to the call that a lowering rule has just made."""
    if context.tokens_out is None:  # the transposed allreduce, which does not communicate
        return
    ir = import_module("jax.interpreters.mlir").ir
    token = context.tokens_out.get(sys.modules["mpi4jax._src.utils"].ordered_effect)
    call = (token if isinstance(token, ir.Value) else token[0]).owner
    key, times = mark(context, call, "mpi4jax." + str(context.primitive.name).removesuffix("_mpi"))
    if times == OFTEN and outside_jit():
        _native.report_recompiled(key)
    if gives_device_memory(context) and _native.takes_device_memory() == 0:
        _native.report_device_memory(key)


def mark(context: Any, call: Any, name: str, arguments: Mapping[str, int] | None = None) -> tuple[int, int]:
    """Attach the number of its line to a call of a handler; that number, and how often the operation was compiled.

    ``arguments`` are the arguments of MPI, by the names of its parameters; None: those in the attributes of the call.
    """
    if not _native.relays_fit():
        raise NotImplementedError("this jaxlib calls handlers differently")
    ir = import_module("jax.interpreters.mlir").ir
    places, callers, inside = lines_of(context)
    operand = ", ".join(aval.str_short() for aval in (context.avals_in or context.avals_out))
    attributes = {entry.name: entry.attr for entry in call.attributes[CONFIGURATION]}
    fixed = {argument: ir.IntegerAttr(value).value for argument, value in attributes.items()}
    communicator = _native.communicator_id(fixed["comm"]) if "comm" in fixed else 0
    key = number(repr((name, places, callers, operand, communicator, fixed)))
    given = {MPI_NAMES.get(argument, argument): value for argument, value in fixed.items()}
    told = given if arguments is None else arguments
    times = _native.know_operation(key, name, places, callers, inside, operand, communicator, fixed, told)
    attributes[_native.operation_attribute] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), signed(key))
    call.attributes[CONFIGURATION] = ir.DictAttr.get(attributes)
    return key, times


def number(text: str) -> int:
    """A 64-bit hash of the text, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def signed(key: int) -> int:
    """The same 64 bits as a signed number."""
    return key - (1 << 64) if key >> 63 else key


def lines_of(context: Any) -> tuple[list[Place], list[Place], int]:
    """The lines from the operation outward to the first line of the program itself, and the program's around that.

    And how many of the latter are lines of the compiled function; -1: nor is the first line of the program.
    """
    # What was traced has the frames inside the compiled function; the current stack those that called it.
    outside = [place for place in called() if not _of_jax(place[0])]
    stack = list(dict.fromkeys((*(place for place in traced(context) if not _of_jax(place[0])), *outside)))
    inner = next((count for count, place in enumerate(stack, 1) if count == KEPT or not is_library(place[0])), KEPT)
    around = (place for place in stack[inner:] if not is_library(place[0]))
    callers = [place for place, _ in groupby(around)][:CALLERS]
    is_outside = bool(stack) and stack[:inner][-1] in outside and not is_library(stack[:inner][-1][0])
    inside = -1 if is_outside else sum(1 for _ in takewhile(lambda place: place not in outside, callers))
    return stack[:inner], callers, inside


def _of_jax(file: str) -> bool:
    return is_machinery(file) or is_part_of(file, "jax", "mpi4jax")


def traced(context: Any) -> Iterator[Place]:
    """Where the operation was traced, the innermost frame first; nothing if JAX did not store it."""
    current = import_module("jax._src.source_info_util").current()
    traceback = current.traceback or getattr(context, "traceback", None)
    for frame in traceback.frames if traceback is not None else ():
        yield frame.file_name, frame.line_num, frame.function_name


def called() -> Iterator[Place]:
    """The current stack: an operation outside any traced function is compiled where it is called."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname
        frame = frame.f_back


def outside_jit() -> bool:
    """Whether the operation that is being compiled is called directly, not as part of a traced function."""
    for file, _, function in called():
        if function == "apply_primitive" and is_part_of(file, "jax._src.dispatch"):
            return True
        if not is_library(file):
            return False
    return False


def gives_device_memory(context: Any) -> bool:
    """Whether mpi4jax is configured to pass pointers to CUDA memory to MPI."""
    wanted = os.environ.get("MPI4JAX_USE_CUDA_MPI", "").lower() in ("true", "1", "on")
    return wanted and "cuda" in (getattr(context, "platforms", None) or context.module_context.platforms)


MPI4JAX = Mpi4jax()
