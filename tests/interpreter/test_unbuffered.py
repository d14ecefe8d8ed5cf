"""Worlds are run again without buffering only where the ranks could block then: with the same findings."""

from __future__ import annotations

import random

import pytest

from interpreter.running import explored
from jaxmpi_lint.interpreter import unbuffered
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.unbuffered import may_block
from jaxmpi_lint.interpreter.world import World

_TO, _FROM = "rank, dest=(rank + 1) % size, tag={tag}", "source=(rank - 1) % size, tag={tag}"
CALLS = (
    f"comm.send({_TO})",
    f"comm.recv({_FROM})",
    "comm.sendrecv(rank, dest=(rank + 1) % size, source=(rank - 1) % size)",
    f"pending = comm.isend({_TO}); comm.recv({_FROM}); pending.wait()",
    f"pending = comm.irecv({_FROM}); comm.send({_TO}); pending.wait()",
    f"comm.ssend({_TO}); comm.recv({_FROM})",
    "comm.allreduce(rank)",
    "pending = comm.Ibarrier(); pending.Wait()",
)
HEAD = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nrank, size = comm.rank, comm.size\n"


def drawn(seed: int) -> str:
    """A program whose ranks send and receive in pairs of arms, one for the even and one for the odd ranks."""
    random_ = random.Random(seed)
    lines: list[str] = []
    for tag in range(random_.randint(2, 4)):
        both = [call.format(tag=tag) for call in random_.sample(CALLS[:2], 2)]
        if random_.random() < 0.4:
            arms = [both, random_.sample(both, 2)]
            lines += ["if rank % 2 == 0:", *(f"    {one}" for one in arms[0])]
            lines += ["else:", *(f"    {one}" for one in arms[1])]
        else:
            lines += random_.choice((both, [random_.choice(CALLS[2:]).format(tag=tag)]))
    return HEAD + "\n".join(lines) + "\n"


def shown(results: list[Explored]) -> list[tuple[str, int, int, int]]:
    """What is found: the kind and the row of each fault, the number of ranks, and the certainty."""
    found = [one for result in results for one in result.found]
    return [(one.fault.kind.value, one.fault.place.row, one.size, one.certainty) for one in found]


@pytest.mark.parametrize("seed", range(60))
def test_the_same_findings(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = drawn(seed)
    found = shown(explored(text))
    monkeypatch.setattr(unbuffered, "may_block", lambda world: True)
    assert shown(explored(text)) == found, text


def test_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[bool] = []

    def recorded(world: World) -> bool:
        answers.append(may_block(world))
        return answers[-1]

    monkeypatch.setattr(unbuffered, "may_block", recorded)
    seen = set()
    for seed in range(60):
        explored(drawn(seed))
        seen.update(answers)
        answers.clear()
    assert seen == {True, False}
    explored(HEAD + "comm.send(1, dest=(rank + 1) % size)\ncomm.recv(source=MPI.ANY_SOURCE)\n")
    assert set(answers) == {True}
