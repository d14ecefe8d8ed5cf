"""Random SPMD programs: no finding where all ranks agree, one wherever they part, as far as that is promised."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from places import BENCHMARKS

if TYPE_CHECKING:
    import spmd
    from spmd_programs import syntax


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The modules of the benchmark."""
    names = (
        "spmd",
        *(f"spmd_programs.{name}" for name in ("generator", "interpreter", "rendering", "shrinking", "syntax")),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield {name.rpartition(".")[2]: importlib.import_module(name) for name in names}


def described(judged: spmd.Judged) -> str:
    lines = [f"{finding.start.row}: {finding.code} {finding.message}" for finding in judged.findings]
    return "\n".join([judged.text.source, f"diverges with {judged.diverging}", *lines])


def failures(judged: list[spmd.Judged], attribute: str) -> str:
    """The smallest program about which the linter is wrong."""
    wrong = [described(one) for one in judged if getattr(one, attribute)]
    return min(wrong, key=len, default="")


@pytest.mark.jobs
def test_no_false_alarm_with_any_construct(modules: dict[str, ModuleType]) -> None:
    judged = list(modules["spmd"].judged_programs(150, 1))
    assert sum(one.diverging is None for one in judged) > 45
    assert sum(bool(one.findings) for one in judged) > 30
    assert failures(judged, "false_alarm") == ""
    assert failures(judged, "misplaced") == ""


@pytest.mark.jobs
def test_every_divergence_in_the_supported_language_is_found(modules: dict[str, ModuleType]) -> None:
    spmd, shrinking = modules["spmd"], modules["shrinking"]
    judged = list(spmd.judged_programs(150, 2))
    judged = [
        one for one in judged if not one.missed or shrinking.outside(shrinking.cause(spmd.smallest_cause(one))) is None
    ]
    assert sum(one.diverging is None for one in judged) > 45
    assert sum(one.diverging is not None for one in judged) > 30
    assert failures(judged, "missed") == ""
    assert failures(judged, "false_alarm") == ""
    assert failures(judged, "misplaced") == ""


# --- the truth they are compared with ---


@pytest.fixture
def programs(modules: dict[str, ModuleType]) -> dict[str, tuple[syntax.Block, bool]]:
    """Main parts, and whether the ranks agree."""
    import spmd_programs.syntax as s

    first = s.Binary("==", s.Rank(), s.Constant(0))
    barrier, total = s.Collective("Barrier", "comm"), s.Collective("allreduce", "comm", None, "SUM", s.Rank(), "total")
    own = s.Collective("Barrier", "part")
    split = s.Split("part", "comm", first)
    return {
        "straight": ((barrier, total), True),
        "one arm": ((s.If(first, (barrier,)),), False),
        "equal arms": ((s.If(first, (barrier,), (barrier,)),), True),
        "made up for later": ((s.If(first, (barrier,)), s.If(s.Not(first), (barrier,))), True),
        "another operation": ((s.If(first, (barrier,), (total,)),), False),
        "only with more than three": ((s.If(s.Binary("==", s.Rank(), s.Constant(3)), (barrier,)),), False),
        "the result of an allreduce": ((total, s.If(s.Name("total"), (barrier,))), True),
        "root": ((s.Collective("Bcast", "comm", s.Binary("%", s.Rank(), s.Constant(2))),), False),
        "the members of a part": ((split, s.If(first, (own,))), True),
        "one member of a part": ((split, s.If(s.Binary("==", s.Rank(), s.Constant(1)), (own,))), False),
        "return": ((s.If(first, (s.Return(),)), barrier), False),
        "passes": ((s.For("i", s.Rank(), (barrier,)),), False),
        "break": ((s.For("i", s.Size(), (barrier, s.If(first, (s.Break(),)))),), False),
        "a handled exception": ((s.Try((s.If(first, (s.Raise(),)),), (s.Print("failed"),)), barrier), True),
        "an exception": ((s.If(first, (s.Raise(),)), barrier), False),
        "crossed": (
            (s.Duplicate("part", "comm"), s.If(first, (barrier, own), (own, barrier))),
            False,
        ),
    }


def test_the_interpreter_knows_who_waits(
    modules: dict[str, ModuleType], programs: dict[str, tuple[syntax.Block, bool]]
) -> None:
    program = modules["syntax"].Program
    found = {
        name: modules["interpreter"].truth(program((), main)).diverging is None for name, (main, _) in programs.items()
    }
    assert found == {name: agrees for name, (_, agrees) in programs.items()}


def test_a_program_without_an_end_is_not_judged(modules: dict[str, ModuleType]) -> None:
    syntax, interpreter = modules["syntax"], modules["interpreter"]
    with pytest.raises(interpreter.Invalid):
        interpreter.truth(syntax.Program((), (syntax.While(None, (syntax.Print("again"),)),)))


def test_every_text_is_python(modules: dict[str, ModuleType]) -> None:
    import random

    for number in range(100):
        program = modules["generator"].Generator(random.Random(number)).program()
        text = modules["rendering"].render(program)
        compile(text.source, "program.py", "exec")
        assert all(0 < row <= text.rows for row in text.communication)


# --- the benchmark itself ---


def test_a_silent_linter_misses_and_a_loud_one_is_wrong(
    modules: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = modules["spmd"]
    wrong = module.findings_in("from mpi4py import MPI\nif MPI.COMM_WORLD.rank == 0:\n    MPI.COMM_WORLD.Barrier()\n")
    assert [finding.code for finding in wrong] == ["JM101"]
    monkeypatch.setattr("sys.argv", ["spmd.py", "--programs", "20", "--show", "1"])
    monkeypatch.setattr(module, "findings_in", lambda _: ())
    assert module.main() == 0
    assert "--- missed: " in capsys.readouterr().out
    monkeypatch.setattr(module, "findings_in", lambda _: wrong)
    assert module.main() == 1
    assert "--- false positive ---" in capsys.readouterr().out
