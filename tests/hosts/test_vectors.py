"""Collectives with counts between two hosts: what one rank sends and what the other expects."""

from __future__ import annotations

import pytest
from sanitizer.cases import Clean, Fault
from sanitizer.environments import Environment
from sanitizer.expectations import complaints_about_clean, complaints_about_fault

from .conftest import Hosts
from .jobs import run_on_two

pytestmark = pytest.mark.runs_mpi

WRONG = [
    Fault(
        "more is sent to the other host than expected",
        """
        comm.Barrier()
        send = [3 if rank == 0 and peer == 1 else 2 for peer in range(size)]
        comm.Alltoallv([np.ones(sum(send)), send], [np.empty(2 * size), [2] * size])  #@ 0 1: JS110
        """,
        alone="fails",
    ),
    Fault(
        "less is sent than expected, and only the sums show it",
        """
        comm.Barrier()
        mine = np.ones(1 if rank == 1 else 2)
        comm.Gatherv(mine, [np.empty(2 * size), [2] * size] if rank == 0 else None, root=0)  #@ 0 1: JS110
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "part of a scatter",
        """
        comm.Barrier()
        given = [np.ones(2 * size), [2] * size] if rank == 0 else None
        comm.Scatterv(given, np.empty(3 if rank == 1 else 2))  #@ 0 1: JS110
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "a type of the same size",
        """
        comm.Barrier()
        mine = np.ones(2, dtype=np.int64 if rank == 1 else float)
        comm.Gatherv(mine, [np.empty(2 * size), [2] * size] if rank == 0 else None, root=0)  #@ 0 1: JS110
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "non-blocking",
        """
        comm.Barrier()
        send = [1 if rank == 0 and peer == 1 else 2 for peer in range(size)]
        request = comm.Ialltoallv([np.ones(2 * size), send], [np.empty(2 * size), [2] * size])  #@ 0 1: JS110
        request.Wait()
        comm.Barrier()
        """,
        alone="ends",
    ),
    Fault(
        "counts of an allgather",
        """
        comm.Barrier()
        counts = [2] * size
        counts[0] = 3 if rank == 1 else 2
        comm.Allgatherv(np.ones(2), [np.empty(sum(counts)), counts])  #@ all: JS110
        comm.Barrier()
        """,
        alone="ends",
        codes=("JS105",),
    ),
]
RIGHT = Clean(
    "all of them",
    """
    comm.Barrier()
    for turn in range(40):
        many = [[(source * 3 + destination + turn) % 5 for destination in range(size)] for source in range(size)]
        send, receive = many[rank], [many[source][rank] for source in range(size)]
        data, got = np.ones(sum(send)), np.empty(sum(receive))
        comm.Alltoallv([data, send], [got, receive])
        comm.Alltoallv([data, [8 * one for one in send], MPI.BYTE], [got, receive])
        request = comm.Ialltoallv([data, send], [got, receive])
        request.Wait()
        root = turn % size
        places = [np.empty(sum(range(size))), list(range(size))]
        comm.Gatherv(np.ones(rank), places if rank == root else None, root=root)
        comm.Scatterv(places if rank == root else None, np.empty(rank), root=root)
        comm.Allgatherv(np.ones(rank), places)
        got = np.ones(2 * size)
        comm.Alltoallv(MPI.IN_PLACE, [got, [2] * size])
        half = comm.Split(rank % 2)
        half.Gatherv(np.ones(1), [np.empty(half.size), [1] * half.size] if half.rank == 0 else None)
        half.Free()
    types = [MPI.DOUBLE] * size
    places = [16 * peer for peer in range(size)]
    one = [np.ones(2 * size), [2] * size, places, types]
    comm.Alltoallw(one, [np.empty(2 * size), [2] * size, places, types])
    time.sleep(1)
    comm.Barrier()
    """,
)


@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "in turn"])
@pytest.mark.parametrize("fault", WRONG, ids=str)
def test_misfit_is_reported(mpi: Environment, fault: Fault, in_turn: bool, two_for_all: Hosts) -> None:
    ranks = 4 if in_turn else 2
    result = run_on_two(mpi, two_for_all, fault.text, ranks, in_turn=in_turn)
    complaints = complaints_about_fault(fault, result, ranks)
    assert not complaints, "\n".join([*complaints, fault.text, str(result)])


@pytest.mark.parametrize("in_turn", [False, True], ids=["blocks", "in turn"])
def test_parts_that_fit_are_silent(mpi: Environment, in_turn: bool, two_for_all: Hosts) -> None:
    result = run_on_two(mpi, two_for_all, RIGHT.text, 4, in_turn=in_turn, seconds=60)
    complaints = complaints_about_clean(RIGHT, result)
    assert not complaints, "\n".join([*complaints, str(result)])


def test_a_part_that_is_no_longer_in_the_history(mpi: Environment, two_for_all: Hosts) -> None:
    program = Clean(
        "long ago",
        """
        comm.Barrier()
        mine = np.ones(1 if rank == 1 else 2)
        comm.Gatherv(mine, [np.empty(2 * size), [2] * size] if rank == 0 else None, root=0)
        for _ in range(200):
            comm.Gatherv(np.ones(2), [np.empty(2 * size), [2] * size] if rank == 0 else None, root=0)
            comm.allreduce(1)
        """,
    )
    result = run_on_two(mpi, two_for_all, program.text, 2, options={"history": 64})
    assert result.status == 66, str(result)
    (found,) = result.findings
    assert found.code == "JS110", str(result)
    assert "it is no longer in the history" in str(found.raw), str(result)
