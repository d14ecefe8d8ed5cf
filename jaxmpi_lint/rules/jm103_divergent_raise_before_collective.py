"""JM103: one role of the processes fails alone, the others wait for it in a collective."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxmpi_lint.analysis.participation.abort_handlers import AbortHandlers
from jaxmpi_lint.checks.base import reason_steps
from jaxmpi_lint.checks.collectives.asserted_input import checks_input
from jaxmpi_lint.checks.collectives.divergent_exits import LoneExit
from jaxmpi_lint.checks.collectives.exit_finder import ExitFinder
from jaxmpi_lint.checks.collectives.exit_groups import lone_exit_groups
from jaxmpi_lint.findings.diagnostics import Confidence, Severity
from jaxmpi_lint.rules.base import Finding, Rule, Step

if TYPE_CHECKING:
    from jaxmpi_lint.analysis import ir
    from jaxmpi_lint.analysis.lattice.interfaces import Program
    from jaxmpi_lint.checks.collectives.guard_files import GuardFile

_SHOWN = 3
"""Further exits of one finding that are shown."""

_VERBS = {"raise": "raise here", "assert": "fail in this assertion", "exit": "exit here"}


class DivergentRaiseBeforeCollective(Rule):
    """Exception of one rank before a collective.

    ## What it does
    Reports a `raise`, an `assert` or a call of `sys.exit` that only some ranks can come to, under a condition of its
    own, while the other ranks surely go on into a collective of the same communicator. Several that one role comes to,
    and for which the others wait in the same place, are one finding. Also a `raise` where a file is
    there already that a process makes further on, before all have asked: the last to ask raises alone.

    ## Why is this bad?
    An exception ends one process only. It leaves the program, or waits in `MPI_Finalize`, and the others wait for it
    in the collective: instead of a message about the wrong input there is a job that hangs until its time is up.

    ## Example
    ```python
    if comm.rank == 0:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        config = read(path)
    config = comm.bcast(config, root=0)
    ```

    ## Use instead
    ```python
    error = None
    if comm.rank == 0:
        if os.path.exists(path):
            config = read(path)
        else:
            error = FileNotFoundError(path)
    error, config = comm.bcast((error, config), root=0)
    if error is not None:
        raise error
    ```

    ## How sure
    High when the rank itself is tested and the exception is raised or the process exits, medium for assertions that
    visibly check arguments, files or what was read, and where the rank reaches the test through other values. Low for
    other assertions: their author holds them to be always true. Silent when the function itself takes the exception and
    goes on or calls `Abort`; when every caller that is known does; when the program installs a `sys.excepthook` that
    calls `Abort`; when the role as a whole must not call the function (`if rank != 0: raise`), unless the program
    visibly brings all ranks there; when the other ranks raise or leave on the same condition; when the role has told
    others something before it raises; when the condition means that there is one process only; and for
    `NotImplementedError`. Assertions that only help a type checker, or check what a collective returned, are silent;
    other assertions in tests are information only.

    ## Known misses
    Exceptions of library calls and of called functions; collectives that only the caller's caller performs
    afterwards; conditions on local values that no test of a rank surrounds; programs that are always started with
    `python -m mpi4py`, which ends every process, are not recognised as such.

    ## References
    MPI 4.1, section 6.14 (collective operations are called by all processes) and section 9.3 (error handling). mpi4py
    documentation, `mpi4py.run`: an unhandled exception of one process can leave the others in a deadlock.
    """

    code = "JM103"
    name = "divergent-raise-before-collective"
    severity = Severity.WARNING
    specificity = 140
    in_tests = Severity.INFO
    sanitizer = ("JS503",)

    VALID = (
        """
        from mpi4py import MPI


        def load(comm, path):
            error = data = None
            if comm.rank == 0:
                try:
                    if not path:
                        raise ValueError("no path")
                    data = open(path).read()
                except (OSError, ValueError) as exception:
                    error = exception
            error = comm.bcast(error)
            if error is not None:
                raise error
            return comm.bcast(data)
        """,
        """
        from mpi4py import MPI


        def check(comm, options):
            if comm.rank == 0:
                if options.steps < 0:
                    print("steps must not be negative")
                    comm.Abort(1)
                    raise SystemExit(1)
            comm.Barrier()
        """,
    )
    INVALID = (
        """
        import os
        from mpi4py import MPI


        def load(comm, path):
            if comm.rank == 0:
                if not os.path.exists(path):
                    raise FileNotFoundError(path)  #! JM103
                data = open(path).read()
            else:
                data = None
            return comm.bcast(data)
        """,
        """
        import json
        import os
        from mpi4py import MPI


        def read(comm, path):
            if comm.rank != 0:
                return None
            if not os.path.exists(path):
                raise FileNotFoundError(path)  #! JM103
            with open(path) as file:
                return json.load(file)


        def main():
            comm = MPI.COMM_WORLD
            config = read(comm, "config.json")
            config = comm.bcast(config)
            print(config)
        """,
    )

    def check(self, project: Program) -> Iterator[Finding]:
        """One finding for each role that fails alone and each place where the others wait for it."""
        for module in project.reported_modules():
            for function in module.functions():
                for first, *others in lone_exit_groups(project, function):
                    yield self._finding(first, others)
                for span, race in ExitFinder(function, project.get(AbortHandlers)).late():
                    yield self._race(span, race)

    def _race(self, span: ir.Span, race: GuardFile) -> Finding:
        module, ahead = race.function.module, race.ahead
        asked = module.source(race.asked.span)
        return self.finding(
            module,
            span,
            f"a process that is late can raise here, as `{asked}` is true once another one has been behind it: the"
            f" others wait in {ahead.title}",
            steps=(
                Step(module, race.asked.span, "processes that are late find what another one has made"),
                Step(module, race.made.span, "makes it, before the others need have asked"),
                Step(module, ahead.at, f"the others wait here: {ahead.title}"),
            ),
            remedy="ask on one rank and broadcast the answer, so that every rank raises",
            confidence=Confidence.HIGH if race.certain else Confidence.LOW,
            severity=self.severity,
        )

    def _finding(self, left: LoneExit, others: list[LoneExit]) -> Finding:
        who = _who(left)
        return self.finding(
            left.function.module,
            left.span,
            f"only {who} can {_VERBS[left.kind]}: the others go on and wait in {left.ahead.title}",
            steps=_steps(left, others, who),
            remedy="let every rank learn of the failure: broadcast it and raise everywhere, or call `Abort`",
            confidence=_confidence(left),
        )


def _who(left: LoneExit) -> str:
    if left.fact is not None:
        return f"rank {left.fact.number}" if left.fact.equal else f"the ranks other than {left.fact.number}"
    text = left.function.module.line(left.role.part.span)
    return f"processes where `{text}` {'holds' if left.role.truth else 'does not hold'}"


def _steps(left: LoneExit, others: list[LoneExit], who: str) -> tuple[Step, ...]:
    module, role, further, ahead = left.function.module, left.role, left.further, left.ahead
    told = reason_steps(role.test.reason)
    told.append(Step(module, role.branch.span, f"only {who} {'takes' if who.startswith('rank ') else 'take'} this way"))
    if further is not None and further.branch.span not in (role.branch.span, left.span):
        told.append(Step(module, further.branch.span, "decides whether the exception is raised"))
    also = [f"can {_VERBS[other.kind]} as well" for other in others[:_SHOWN]]
    if len(others) > _SHOWN:
        also[-1] += f", and in {len(others) - _SHOWN} more"
    told += [Step(module, other.span, message) for other, message in zip(others, also, strict=False)]
    if left.caller is not None:
        module = left.caller.caller.module
        told.append(Step(module, left.caller.span, "every rank calls the function here"))
    told.append(Step(module, ahead.at, f"the others wait here: {ahead.title}"))
    if ahead.span != ahead.at:
        told.append(Step(ahead.module, ahead.span, "the collective, in the function that is called"))
    return tuple(told)


def _confidence(left: LoneExit) -> Confidence:
    if not left.is_by_rank or (left.kind == "assert" and not checks_input(left.function, left.span)):
        return Confidence.LOW
    reason = left.role.test.reason
    direct = reason is not None and len(reason.chain()) <= 1 and left.caller is None
    return Confidence.HIGH if direct and left.kind != "assert" else Confidence.MEDIUM
