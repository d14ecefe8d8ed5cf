"""A world: ranks that run by turns, the messages between them, and what becomes of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jaxmpi_lint.analysis import ir
from jaxmpi_lint.analysis.participation.job_starters import starts_jobs
from jaxmpi_lint.interpreter import (
    bound_buffers,
    collectives,
    echoes,
    file_parts,
    joined_lists,
    lazy_generators,
    local_averages,
    loops,
    lost_updates,
    messages,
    own_extremes,
    own_parameters,
    own_paths,
    own_shares,
    repeated_sums,
    requests,
    same_draws,
    sought_paths,
    summed_again,
    unset_roots,
    windows,
)
from jaxmpi_lint.interpreter.communication import communicates
from jaxmpi_lint.interpreter.decisions import Decisions
from jaxmpi_lint.interpreter.events import Abort, Collective, Event, Opaque, Place, Poll, Receive, Send, Wait
from jaxmpi_lint.interpreter.exceptions import lone_failure, trusted
from jaxmpi_lint.interpreter.file_accesses import Accesses
from jaxmpi_lint.interpreter.file_races import race
from jaxmpi_lint.interpreter.machine import Rank
from jaxmpi_lint.interpreter.raised import ProgramError, is_regular_end
from jaxmpi_lint.interpreter.symbols import FEW_PASSES, Symbol, Symbols
from jaxmpi_lint.interpreter.values import Cut, NotMeant, Yielded
from jaxmpi_lint.interpreter.verdicts import MEMORY, POINT_TO_POINT, Fault, Kind, Verdict

if TYPE_CHECKING:
    from jaxmpi_lint.interpreter.entries import Entry
    from jaxmpi_lint.interpreter.interfaces import ProgramView as Program


TOO_MANY_STEPS = "too many steps"


@dataclass(slots=True, eq=False)
class Process:
    """One rank while it runs: ``pending`` is the event that it waits for, ``log`` all of its events."""

    rank: Rank
    running: Generator[Any, Any, Any]
    pending: Event | None = None
    response: Any = None
    is_over: bool = False
    error: ProgramError | None = None
    log: list[Event] = field(default_factory=list)
    started: bool = False

    @property
    def is_waiting(self) -> bool:
        """Whether an event holds it."""
        return self.pending is not None and not self.is_over

    @property
    def has_failed(self) -> bool:
        """Whether an exception has ended it, or an exit that tells a failure."""
        return not is_regular_end(self.error)

    @property
    def fault(self) -> Fault | None:
        """The MPI call that has ended the rank, if one did that is itself a fault."""
        return None if self.error is None else self.error.value.fields.get("*fault")


MANY_MESSAGES = 16
"""Messages of a rank that a loop must have made."""

MAX_ITEMS = 4_000_000
"""Items of the lists that are made at once, of all ranks: references to them take 32 MB."""

MAX_POLLS = 12
"""Tests in vain, one after the other, of ranks of which none continues otherwise."""


class World:
    """Ranks of one entry with one set of decisions; ``run`` gives the verdict.

    ``answers_all`` if rooted collectives return the result of the root on every rank.
    """

    def __init__(
        self, program: Program, symbols: Symbols, size: int, decisions: Decisions, limit: int, buffering: bool = True
    ) -> None:
        self.program = program
        self.symbols = symbols
        self.size = size
        self.decisions = decisions
        self.limit = limit
        self.buffering = buffering
        self.answers_all = False
        self.steps = 0
        self.items = 0
        self.is_bounded = False
        self.has_long_loop = False
        self.opaque: set[int] = set()
        self.lengths: dict[object, int] = {}
        self.samplers: dict[object, set[int]] = {}
        self.unequal: set[object] = set()
        self.communicating: set[object] = set()
        self.communicators: dict[object, int] = {}
        self.slots: dict[tuple[int, int], dict[int, Collective]] = {}
        self.sequence: dict[tuple[int, int], int] = {}
        self.mail = messages.Mail()
        self.sends = 0
        self.uses_size = False
        self.reads_size = False
        self.compares_size = False
        self.names_other_size = False
        self.is_too_small = False
        self.is_of_one = False
        self.named_sizes: set[int] = set()
        self.thresholds: set[int] = set()
        self.faults: list[Fault] = []
        self.refused: list[Fault] = []
        self.notes: dict[object, Any] = {}
        self.polls = 0
        self.windows: dict[int, dict[int, Any]] = {}
        self.sampled_frames: set[int] = set()
        self.processes: list[Process] = []
        self.accesses = Accesses(size)
        self.stale: Any = None
        self.origins: dict[Symbol, tuple[ir.Module, ir.Span]] = {}

    # --- services for ranks ---

    def count_step(self) -> None:
        """Count one step of any rank."""
        self.steps += 1
        if self.steps > self.limit:
            raise Cut(TOO_MANY_STEPS)

    def count_items(self, number: int) -> None:
        """Count the items of lists that are made at once."""
        self.items += number
        if self.items > MAX_ITEMS:
            raise Cut("lists with many items")

    def decide(self, symbol: Symbol, rank: Rank) -> bool:
        """The outcome of a symbol as a test: equal wherever the symbol is equal."""
        return self.decisions.outcome(symbol, rank)

    def choose(self, symbol: Symbol, rank: Rank) -> int:
        """The number of items of a symbol."""
        return self.decisions.length(symbol, rank)

    def passes(self, rank: Rank) -> int:
        """The most passes of a loop of the current function that are all run."""
        is_lean = self.symbols.is_lean and rank.frames
        if is_lean and not self.program.may_communicate(rank.frames[-1].scope.module.ir, rank.frames[-1].function):
            return FEW_PASSES
        return self.symbols.max_passes

    def sample_items(self, rank: Rank, length: int) -> None:
        """Items are sampled: ranks with different numbers of them could not be compared afterwards."""
        self._sample(rank, length)
        self.communicating.add(rank.turn)
        self._compare_loops()

    def sample_loop(self, rank: Rank, length: int) -> None:
        """A long loop is sampled: it may communicate only if all ranks run equally many passes."""
        self._sample(rank, length)
        self._compare_loops()

    def _sample(self, rank: Rank, length: int) -> None:
        self.sampled_frames.update(frame.path for frame in rank.frames)
        if self.symbols.max_passes == FEW_PASSES:
            self.notes[loops.LEFT_EARLY] = True
        self.samplers.setdefault(rank.turn, set()).add(rank.number)
        if self.lengths.setdefault(rank.turn, length) != length:
            self.unequal.add(rank.turn)

    def _compare_loops(self) -> None:
        if self.unequal & self.communicating:
            raise Cut("long loops of different length that communicate")

    def communicator(self, *key: object) -> int:
        """A number for a communicator, equal for all of its members."""
        return self.communicators.setdefault(key, len(self.communicators) + 2)

    def report(self, fault: Fault) -> None:
        """Keep a fault that does not end the world."""
        self.faults.append(fault)

    # --- running ---

    def run(self, entry: Entry) -> Verdict:
        """Run all ranks to their ends, to a fault or to a cut."""
        self.is_of_one = starts_jobs(entry.module.text)
        self.processes = []
        for number in range(self.size):
            rank = Rank(number, self)
            self.processes.append(Process(rank, rank.run_entry(entry)))
        try:
            return self._schedule()
        except NotMeant:
            return Verdict(self, self._shown(), is_not_meant=True)
        except Cut as cut:
            return Verdict(self, own_paths.fault(self) or self._shown(), cut.reason, self._place())
        except RecursionError:
            return Verdict(self, None, "calls are nested too deeply", None)

    def _shown(self) -> Fault | None:
        """A misuse of memory or different replicas: they remain, whatever the ranks would do later."""
        return next((fault for fault in self.faults if fault.kind in MEMORY | {Kind.REPLICA}), None)

    def _place(self) -> Place | None:
        for process in self.processes:
            frames = process.rank.frames
            if frames and not process.is_over and process.pending is None:
                frame = frames[-1]
                block = frame.function.blocks[frame.block]
                return Place(frame.scope.module.ir, block.terminator.span)
        return None

    def _schedule(self) -> Verdict:
        while True:
            progress = False
            for process in self.processes:
                if not process.is_over and process.pending is None:
                    progress = True
                    self._advance(process)
                    if self._is_aborted(process):
                        return Verdict(self, next((one for one in self.faults if one.kind in MEMORY), None))
            fault = collectives.complete(self) or messages.complete(self)
            if isinstance(fault, Fault):
                return Verdict(self, fault)
            if fault:
                self.polls = 0
                continue
            if not progress and not self._answer_polls():
                return Verdict(self, self._at_end())

    def _at_end(self) -> Fault | None:
        fault = self._end()
        if fault is not None and fault.kind in POINT_TO_POINT:
            if messages.has_unknown_tags(self):
                raise Cut("an unknown tag")
            if self._samples_differently():
                raise Cut("long loops of different length that communicate")
        return fault

    def _samples_differently(self) -> bool:
        """Whether ranks exchange messages in loops of which some are sampled and others are not, or are longer."""
        sampled = self.communicating & self.lengths.keys()
        ranks = {rank for turn in sampled for rank in self.samplers[turn]}
        others = (one.log for one in self.processes if one.rank.number not in ranks)
        lengths = {self.lengths[turn] for turn in sampled}
        return len(lengths) > 1 or (bool(sampled) and any(_exchanges_many(log) for log in others))

    def _answer_polls(self) -> bool:
        """Let the ranks that test something go on, when no other rank can."""
        polling = [process for process in self.processes if isinstance(process.pending, Poll)]
        ready = [one for one in polling if isinstance(one.pending, Poll) and one.pending.is_ready()]
        self.polls = 0 if ready else self.polls + 1
        if polling and self.polls > MAX_POLLS:
            raise Cut("a test of a request or message that is repeated without end")
        for process in ready or polling:
            self.answer(process, None)
        return bool(polling)

    def _is_aborted(self, process: Process) -> bool:
        return isinstance(process.pending, Abort)

    def answer(self, process: Process, value: Any) -> None:
        """Resume a rank at its next turn with the result of its event."""
        process.pending = None
        process.response = value

    def _advance(self, process: Process) -> None:
        """Run one rank to its next event that may wait."""
        rank = process.rank
        while True:
            try:
                response, process.response = process.response, None
                event = process.running.send(response if process.started else None)
                process.started = True
            except StopIteration:
                process.is_over = True
                return
            except ProgramError as error:
                process.is_over = True
                process.error = trusted(error)
                if isinstance(error.value.fields.get("*fault"), Fault):
                    self.refused.append(error.value.fields["*fault"])
                return
            if isinstance(event, Yielded):
                raise Cut("a yield outside of a generator")
            if loops.is_in_lazy(rank.frames):
                lazy_generators.note(self.program.lazy, rank.frames)
                raise Cut("a generator that communicates")
            process.log.append(event)
            if self.lengths:
                self.communicating.update(loops.sampled(rank.frames))
                self._compare_loops()
            self.sends += isinstance(event, Send)
            if self.stale is not None and isinstance(event, Send):
                self.stale.message(self, rank.number, event)
            if isinstance(event, Opaque):
                self._note_opaque(event)
            elif isinstance(event, Send) and self._is_free(event):
                messages.post(self, rank, event)
            elif isinstance(event, Receive) and event.request is not None:
                messages.post_receive(self, rank, event)
            elif isinstance(event, Collective) and event.extra.get("request") is not None:
                collectives.post(self, rank, event)
            else:
                process.pending = event
                if isinstance(event, (Collective, Receive, Send, Wait)):
                    self._enlist(rank, event)
                return

    def _note_opaque(self, event: Opaque) -> None:
        self.opaque |= {communicator.identity for communicator in event.communicators}

    def _is_free(self, event: Send) -> bool:
        """Whether a send ends at once: it does not block, or the message is buffered."""
        return event.request is not None or not event.blocks or (self.buffering and not event.is_synchronous)

    def _enlist(self, rank: Rank, event: Event) -> None:
        if isinstance(event, Collective):
            collectives.post(self, rank, event)
        elif isinstance(event, Send):
            messages.post(self, rank, event)
        elif isinstance(event, Receive):
            messages.post_receive(self, rank, event)

    def _end(self) -> Fault | None:
        """What is wrong when no rank can go on: ranks that wait, messages and requests that are left."""
        sought = sought_paths.fault(self)
        if sought is not None:
            return sought
        failed = next((process.fault for process in self.processes if process.fault is not None), None)
        if failed is not None:
            return failed
        waiting = [process for process in self.processes if process.is_waiting]
        if waiting:
            return collectives.parted(self, waiting)
        found = self.faults or self.refused
        if found:
            return found[0]
        misused = requests.misused(self) or windows.open_at_end(self)
        left = messages.leftover(self) or requests.left(self)
        at_end = misused or left or lone_failure(self) or own_paths.fault(self) or race(self)
        of_files = file_parts.fault(self) or lost_updates.fault(self)
        of_sums = same_draws.fault(self) or own_parameters.fault(self)
        of_sums = of_sums or repeated_sums.fault(self) or summed_again.fault(self) or local_averages.fault(self)
        of_sums = of_sums or joined_lists.fault(self)
        of_buffers = bound_buffers.fault(self) or unset_roots.fault(self)
        of_shares = own_shares.fault(self) if communicates(self) else None
        of_parts = own_extremes.fault(self) or echoes.fault(self)
        return at_end or of_files or of_sums or of_buffers or of_shares or of_parts


def _exchanges_many(log: list[Event]) -> bool:
    return sum(isinstance(event, (Send, Receive)) for event in log) > MANY_MESSAGES
