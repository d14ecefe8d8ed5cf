"""The watch over a call of `jax.distributed.initialize`: a thread that compares, reports, and ends the process.

JAX releases the interpreter's lock while it waits. The arguments and the outcome of the call are never changed.
"""

from __future__ import annotations

import atexit
import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from types import ModuleType
from typing import Any

from jaxmpi_lint.runtime.findings import report
from jaxmpi_lint.runtime.findings.finding import Finding
from jaxmpi_lint.runtime.reports import jsonl
from jaxmpi_lint.runtime.reports.suppressions import Suppressions
from jaxmpi_lint.runtime.settings import options
from jaxmpi_lint.runtime.settings.domains import Value
from jaxmpi_lint.runtime.xla.checks.values import user_site
from jaxmpi_lint.runtime.xla.starting import address, causes, contradictions
from jaxmpi_lint.runtime.xla.starting.board import (
    CALLING,
    IMPORTED,
    INITIALISED,
    LEFT,
    RAISED,
    Board,
    Marker,
    Unusable,
    default_folder,
)  # fmt: skip
from jaxmpi_lint.runtime.xla.starting.group import BEFORE, Group, order
from jaxmpi_lint.runtime.xla.starting.origin import Started, ranks_alive

_TICK = 0.25
_NOTICE = 4.0  # seconds before a notice if a cause is known, or all processes must be on this host
_MOST = 3  # notices of one call
_FLUSH = 1.0
_HOLD, _STEP = 3.0, 0.05
_COORDINATOR = 1.5  # seconds for which the process with the coordinator lets the others end before it
_LINE = 160  # characters of an exception
_NAMES = ("coordinator_address", "num_processes", "process_id")


class Watch:
    """The calls of `initialize` of this process."""

    def __init__(self, state: Any, complain: Callable[[str], None]) -> None:
        self._state = state
        self._complain = complain
        self._board: Board | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._notices = 0
        self._since: float | None = None  # a contradiction has lasted since then
        self._open()

    def _open(self) -> None:
        try:
            self._board = Board(default_folder())
        except Unusable as reason:
            self._board = None
            self._complain(f"not checked: the calls of jax.distributed.initialize ({reason})")

    def begin(self, given: Mapping[str, Any]) -> None:
        """Show the arguments of a call, and begin to watch it."""
        if self._board is not None and self._board.mine.process != os.getpid():  # a forked child
            self._open()
        board = self._board
        if board is None:
            return
        site, _ = user_site(sys._getframe(2))
        mine = board.mine
        self._stop, self._since, self._notices = threading.Event(), None, 0
        shown = replace(
            Marker(mine.process, mine.key, mine.origin, mine.imported),
            state=CALLING, attempt=mine.attempt + 1, begun=time.monotonic(), site=site, **arguments(given),
        )  # fmt: skip
        board.show(shown)
        threading.Thread(target=self._run, args=(self._stop,), name="jaxmpi-sanitize-starting", daemon=True).start()
        self._hold(board)

    def _hold(self, board: Board) -> None:
        """Wait while a process with the same id is in its call: JAX aborts that one as soon as this one connects."""
        until = time.monotonic() + _HOLD
        while time.monotonic() < until and not self._is_recoverable():
            if board.mine.ends and _wishes()["on_error"] != "abort":
                return
            group = Group(board.mine, board.read(), time.monotonic())
            if contradictions.same_id(group) is None and not group.is_ending:
                return
            time.sleep(_STEP)

    def end(self, error: BaseException | None) -> None:
        """Show that the call has ended, and stop to watch it."""
        with self._lock:
            self._stop.set()
            if (board := self._board) is None or board.mine.state != CALLING:
                return
            known = board.mine if error is not None else self._resolved(board.mine)
            text = "" if error is None else described(error)
            state = INITIALISED if error is None else RAISED
            board.show(replace(known, state=state, finished=time.monotonic(), end=text))
        if error is None:
            self._compare_numbers(board)

    def leave(self) -> None:
        """Show that this process has shut JAX's job down."""
        board = self._board
        if board is not None and board.mine.state == INITIALISED and board.mine.process == os.getpid():
            board.show(replace(board.mine, state=LEFT))

    def exit(self) -> None:
        """Show how this process ends, if others may wait for it."""
        board = self._board
        if board is None or board.mine.process != os.getpid():
            return
        mine = board.mine
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        local = mine.state == IMPORTED and not mine.origin.job and time.monotonic() - mine.imported > BEFORE
        if mine.state in (INITIALISED, LEFT) or local:
            board.remove()
        else:
            end = mine.end or ("it reached its end" if error is None else f"raised {described(error)}")
            board.show(replace(mine, end=end))

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self, stop: threading.Event) -> None:
        try:
            while not stop.wait(_TICK):
                self._look()
        except Exception as error:
            self._complain(f"not checked: the start of the job ({type(error).__name__}: {error}; internal error)")

    def _look(self) -> None:
        with self._lock:
            board = self._board
            if board is None or board.mine.state != CALLING:
                return
            known = self._resolved(board.mine)
            if known != board.mine:
                board.show(known)
        group = Group(board.mine, board.read(), time.monotonic())
        self._judge(group, board)
        if self._since is None and group.is_reporter and group.seconds > _NOTICE and self._notices < _MOST:
            self._notify(group, board)

    def _judge(self, group: Group, board: Board) -> None:
        """Report an error that has lasted, and end this process; also if another process has reported it."""
        if self._is_recoverable() or group.me.attempt > 1:
            return
        if group.is_ending:
            self._fail(None, board)
            return
        finding = contradictions.contradiction(group)
        if finding is None and group.seconds > _NOTICE - contradictions.SETTLED:
            finding = contradictions.ended(group, _alive(group))
        if finding is None:
            self._since = None
            return
        self._since = self._since or group.now
        if group.now - self._since > contradictions.SETTLED and _reports(group):
            self._fail(finding, board)

    def _notify(self, group: Group, board: Board) -> None:
        seconds = float(_wishes()["stall_seconds"])
        if not seconds:
            return
        finding = causes.notice(group, _alive(group), group.seconds > seconds)
        if finding is None or any(finding.subject in one.told for one in group.waiting):
            return
        self._notices += 1
        with self._lock:
            if board.mine.state != CALLING:
                return
            board.show(replace(board.mine, told=(*board.mine.told, finding.subject)))
        if not _is_suppressed(finding):
            tell(finding, "")

    def _compare_numbers(self, board: Board) -> None:
        """Report different numbers of processes, with which `initialize` may return before it is noticed."""
        if self._is_recoverable():
            return
        group = Group(board.mine, board.read(), time.monotonic())
        finding = contradictions.different_number(group)
        if finding is not None:
            self._fail(None if group.is_ending else finding, board)

    def _fail(self, finding: Finding | None, board: Board) -> None:
        """End this process with the exit code of errors; report the finding, None if another process has done so."""
        wishes = _wishes()
        if finding is not None and _is_suppressed(finding):
            return
        with self._lock:
            if board.mine.state not in (CALLING, INITIALISED) or board.mine.ends:
                return
            ends, aborts = finding.code if finding is not None else "told", wishes["on_error"] == "abort"
            board.show(replace(board.mine, ends=ends, finished=time.monotonic(), end="it was ended by the sanitizer"))
            if finding is not None and self._is_first(board):
                aborts = wishes["on_error"] == "abort"
                tell(
                    finding, f"the job ends with exit code {wishes['exitcode']}" if aborts else "the program continues"
                )
            if wishes["on_error"] == "abort":
                # JAX aborts the others as soon as the process with the coordinator ends.
                time.sleep(_COORDINATOR if self._state.service is not None else 0)
                leave(int(wishes["exitcode"]))

    def _is_first(self, board: Board) -> bool:
        """Whether no other process reports the same error at the same time."""
        group = Group(board.mine, board.read(), time.monotonic())
        return min([one for one in group.fellows if one.ends and one.ends != "told"], key=order) is group.me

    def _resolved(self, mine: Marker) -> Marker:
        """The marker with the arguments that JAX has found, once they are final."""
        state = self._state
        if state.coordinator_address is None or (state.client is None and state.service is None):
            return mine
        written = str(state.coordinator_address)
        index = state.process_id
        number = state.num_processes if state.client is not None else mine.number
        return replace(mine, address=address.normalised(written), written=written, index=index, number=number)

    def _is_recoverable(self) -> bool:
        """Whether processes may enter and exit during the job."""
        setting = getattr(sys.modules[type(self._state).__module__], "_ENABLE_RECOVERABILITY", None)
        return setting is not None and bool(setting.value)


def install(distributed: ModuleType, guarded: Callable[..., None], complain: Callable[[str], None]) -> None:
    """Watch the calls of `initialize`; ``distributed`` is `jax._src.distributed`."""
    state: Any = getattr(distributed, "State", None)
    if not hasattr(state, "initialize") or not hasattr(state, "shutdown"):
        return  # `joining.watch` says so
    initialize, shutdown = state.initialize, state.shutdown

    def begin(made: Any, given: Mapping[str, Any]) -> None:
        if made.client is None:
            watch.begin(given)

    @functools.wraps(initialize)
    def initialised(self: Any, *arguments: Any, **named: Any) -> Any:
        guarded(begin, self, dict(zip(_NAMES, arguments, strict=False)) | named)
        try:
            result = initialize(self, *arguments, **named)
        except BaseException as error:
            guarded(watch.end, error)
            raise
        guarded(watch.end, None)
        return result

    @functools.wraps(shutdown)
    def shut_down(self: Any, *arguments: Any, **named: Any) -> Any:
        guarded(watch.leave)
        return shutdown(self, *arguments, **named)

    watch = Watch(distributed.global_state, complain)
    state.initialize, state.shutdown = initialised, shut_down
    atexit.register(guarded, watch.exit)


def arguments(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a marker from the arguments of a call, before JAX has filled in what is missing."""
    written = given.get("coordinator_address") or os.environ.get("JAX_COORDINATOR_ADDRESS")
    written = written if isinstance(written, str) else ""
    number, index = given.get("num_processes"), given.get("process_id")
    return {
        "written": written,
        "address": address.normalised(written) if written else "",
        "number": number if isinstance(number, int) else None,
        "index": index if isinstance(index, int) else None,
    }


def described(error: BaseException) -> str:
    """``ValueError: no data``, on one line."""
    text = f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")
    return text if len(text) <= _LINE else f"{text[: _LINE - 3]}..."


def tell(finding: Finding, consequence: str) -> None:
    """Print a finding, and add it to the JSON report."""
    os.write(2, report.plain([*report.lines(finding, "", consequence), ()]).encode(errors="backslashreplace"))
    path = os.environ.get(options.REPORT, "")
    if path:
        jsonl.append(path, [jsonl.as_object(finding)])


def leave(exit_code: int) -> None:
    """End this process; what it has printed is flushed, for at most a second."""
    flushing = threading.Thread(target=_flush, daemon=True)
    flushing.start()
    flushing.join(_FLUSH)
    os._exit(exit_code)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()


def _reports(group: Group) -> bool:
    """Whether this process reports an error: the first of those that wait in their first call."""
    return min([one for one in group.fellows if one.calls and one.attempt == 1], key=order) is group.me


def _is_suppressed(finding: Finding) -> bool:
    return Suppressions.read(str(_wishes()["suppressions"])).covers(finding)


def _alive(group: Group) -> dict[int, Started]:
    return ranks_alive(group.me.origin) if group.me.origin.job else {}


def _wishes() -> dict[str, Value]:
    return dict(options.read_canonical(options.checked(os.environ)))
