"""Entry of a process into a JAX job of several processes; its launches are recorded and compared from then on."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from jaxmpi_lint.runtime.process import exit_hooks
from jaxmpi_lint.runtime.settings import options
from jaxmpi_lint.runtime.settings.domains import Value
from jaxmpi_lint.runtime.settings.environment import say_in_each_process
from jaxmpi_lint.runtime.xla.hosts.first_line import introduction

OLDEST = (0, 8)
WATCHING = "jaxmpi_lint.runtime.xla.checks.watching"
MONITOR = "jaxmpi_lint.runtime.xla.monitor"

Guard = Callable[..., None]


class Refused(Exception):
    """Nothing can be checked, for the reason in the text."""


def watch(distributed: ModuleType, guarded: Guard) -> None:
    """Observe when this process enters and exits a job."""
    state: Any = getattr(distributed, "State", None)
    if not hasattr(state, "initialize") or not hasattr(state, "shutdown"):
        say_in_each_process("NOT CHECKING: this JAX version starts jobs of several processes in an unknown way")
        return
    initialize, shutdown = state.initialize, state.shutdown

    @functools.wraps(initialize)
    def initialised(self: Any, *arguments: Any, **named: Any) -> Any:
        result = initialize(self, *arguments, **named)
        guarded(begin, self)
        return result

    @functools.wraps(shutdown)
    def shut_down(self: Any, *arguments: Any, **named: Any) -> Any:
        guarded(leave)
        try:
            return shutdown(self, *arguments, **named)
        finally:
            guarded(be_alone)

    state.initialize, state.shutdown = initialised, shut_down


def leave() -> None:
    """Record that this process launches nothing more: JAX's shutdown begins."""
    from jaxmpi_lint.runtime import _native

    _native.leave_launches()
    if (watching := sys.modules.get(WATCHING)) is not None:
        watching.WATCHING.part()


def be_alone() -> None:
    """Stop the exchange with other processes: JAX's key-value store has ended."""
    if (watching := sys.modules.get(WATCHING)) is not None:
        watching.WATCHING.be_alone()


def begin(state: Any) -> None:
    """Join the other processes of this host. Prints one line: what is checked, or why nothing is."""
    if state.num_processes in (None, 1):
        return
    try:
        attached = join(state)
    except Refused as reason:
        if state.process_id == 0:
            say_in_each_process(f"NOT CHECKING: {reason}")
        return
    exit_hooks.watch_launches()
    from jaxmpi_lint.runtime import _native
    from jaxmpi_lint.runtime.xla.checks import watching

    wishes = options.read_canonical(options.checked(os.environ))
    watching.WATCHING.connect(
        state, _native.launches_folder(), say_in_each_process, patience(wishes) if wishes["strict"] else None
    )
    if attached == state.num_processes:
        say_in_each_process(introduction(attached, attached, bool(wishes["strict"])))


def join(state: Any) -> int:
    """Attach to the ledger of the job; the number of processes attached. Refused: nothing can be checked."""
    from jaxmpi_lint.runtime.settings.environment import monitor_command, without_core

    try:
        from jaxmpi_lint.runtime import _native
    except ImportError as missing:
        raise Refused(without_core(missing)) from missing
    jax = sys.modules["jax"]
    version = getattr(jax, "__version_info__", (0,))
    if version < OLDEST:
        raise Refused(f"launches of jax {jax.__version__}; jax {OLDEST[0]}.{OLDEST[1]} or newer is needed")
    recoverable = getattr(sys.modules[type(state).__module__], "_ENABLE_RECOVERABILITY", None)
    if recoverable is not None and recoverable.value:
        raise Refused("launches under jax_enable_recoverability, where processes may join and exit during the job")
    from jaxmpi_lint.runtime.xla.capture import hook

    problem = hook.install()
    if problem:
        raise Refused(f"launches of jax {jax.__version__} ({problem})")
    text = options.checked(os.environ)
    wishes = options.read_canonical(text)
    command = monitor_command()
    try:
        return _native.join_launches(
            identity=str(state.coordinator_address),
            index=state.process_id,
            expected=state.num_processes,
            job=f"jax-{state.coordinator_address}",
            library=f"jax {jax.__version__}",
            options=text,
            monitor=[*command[:-1], MONITOR] if command else [],
            on_error=str(wishes["on_error"]),
            exit_code=int(wishes["exitcode"]),
            strict=bool(wishes["strict"]),
            patience=patience(wishes),
        )
    except RuntimeError as reason:
        raise Refused(str(reason)) from reason


def patience(wishes: Mapping[str, Value]) -> float:
    """Seconds that a launch waits for other processes with `strict`: as many as before a notice of a stall."""
    return float(wishes["stall_seconds"]) or float(options.BY_NAME["stall_seconds"].default)
