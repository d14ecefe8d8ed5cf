"""Planted defects: what each kind does to the text, and how findings are counted."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from places import BENCHMARKS

if TYPE_CHECKING:
    from planting import defects

NAMES = ("defects", "edits", "findings", "graph", "kinds", "messages", "operations", "results", "sites")
PROGRAM = '''\
"""A program."""
from mpi4py import MPI
import numpy as np

comm = MPI.COMM_WORLD
rank = comm.Get_rank()


def shared(values):
    return comm.allgather(values)


def main():
    config = None
    if rank == 0:
        config = {"steps": 3}
    config = comm.bcast(config, root=0)
    total = 1
    total = comm.allreduce(total, op=MPI.SUM)
    table = np.zeros(4)
    comm.Bcast(table, root=0)
    for step in range(10):
        comm.Barrier()
    if rank == 0:
        comm.send(total, dest=1, tag=3)
    else:
        total = comm.recv(source=0, tag=3)
    parts = shared(total)
    return parts


main()
'''
PLANTED = {
    ("guard", "Barrier", "0"): ["        if rank", "            comm.Barrier()"],
    ("guard", "Barrier", "object"): [
        "class Channel:",
        "        self.comm = comm",
        "        return self.comm.Barrier()",
        "        channel = Channel(comm)",
        "            channel.exchange()",
    ],
    ("guard", "shared", "1"): ["    if rank", "        parts = shared(total)"],
    ("early return", "Bcast", "0"): ["    if rank", "        return", "    comm.Bcast(table, root=0)"],
    ("break on own data", "Barrier", "0"): ["            break", "        comm.Barrier()"],
    ("skipped in handler", "Bcast", "0"): ["    try:", "        comm.Bcast(table, root=0)", "    except OSError:"],
    ("swapped order", "Bcast", "2"): [
        "def exchange_1(comm, values):",
        "    return comm.Bcast(values, root=0)",
        "    return exchange_1(comm, values)",
        "    if rank % 2 == 0:",
        "        exchange_2(comm, table)",
        "        comm.Barrier()",
        "    else:",
        "        comm.Barrier()",
        "        exchange_2(comm, table)",
    ],
    ("other root", "bcast", "0"): ["    config = comm.bcast(config, root=rank)"],
    ("other root", "bcast", "1"): [
        "    return comm.bcast(values, root=root)",
        "    config = exchange_1(comm, config, rank)",
    ],
    ("other communicator", "Bcast", "0"): [".Split(rank % 2, rank)", "    group.Bcast(table, root=0)"],
    ("dropped result", "bcast", "0"): ["    comm.bcast(config, root=0)"],
    ("dropped result", "allreduce", "0"): ["    comm.allreduce(total, op=MPI.SUM)"],
    ("one iteration fewer", "Barrier", "0"): ["    for step in range((10) - 1 if rank == 0 else 10):"],
    ("lost broadcast", "bcast", "1"): ["    return values", "    config = exchange_1(comm, config)"],
    ("unequal tags", "recv", "0"): ["        total = comm.recv(source=0, tag=11)"],
    ("lost request", "send", "0"): ["        comm.isend(total, dest=1, tag=3)"],
    ("other operator", "allreduce", "0"): ["comm.allreduce(total, op=MPI.MAX if rank == 0 else MPI.SUM)"],
    ("other count", "Bcast", "0"): ["    comm.Bcast(table[rank:], root=0)"],
}


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The modules of the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        names = ("planted", *(f"planting.{name}" for name in NAMES))
        yield {name.rpartition(".")[2]: importlib.import_module(name) for name in names}


@pytest.fixture
def tree(modules: dict[str, ModuleType], tmp_path: Path) -> defects.Tree:
    """A project of one program."""
    folder = tmp_path / "owner__project"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    found: defects.Tree = modules["defects"].read_tree(folder)
    return found


def planted(modules: dict[str, ModuleType], tree: defects.Tree, kind: str, method: str, distance: str) -> Any:
    site = next(one for one in tree.sites if one.method == method)
    return modules["defects"].plant(tree, site, kind, distance, "1-name-0-1", Random(1))


@pytest.mark.parametrize(("kind", "method", "distance"), PLANTED)
def test_a_kind_changes_the_text(
    modules: dict[str, ModuleType], tree: defects.Tree, kind: str, method: str, distance: str
) -> None:
    defect = planted(modules, tree, kind, method, distance)
    new = [line[1:] for line in defect.difference().splitlines() if line.startswith("+") and line[:3] != "+++"]
    place = 0
    for expected in PLANTED[kind, method, distance]:
        found = [number for number, line in enumerate(defect.after.splitlines()) if expected in line]
        assert any(number >= place for number in found), f"{expected} is not in\n{defect.difference()}"
        place = min(number for number in found if number >= place)
    assert new
    assert defect.entry == ("module level" if defect.place[1] == "shared" else "main")
    assert defect.after.splitlines()[defect.row - 1] in new or not defect.helpers


def test_every_kind_is_tested(modules: dict[str, ModuleType]) -> None:
    assert {kind for kind, _, _ in PLANTED} == {*modules["kinds"].KINDS}


@pytest.mark.parametrize(
    ("kind", "method"),
    [("guard", "send"), ("other root", "Barrier"), ("one iteration fewer", "Bcast"), ("dropped result", "Bcast")],
)
def test_a_site_without_the_necessary_parts_is_left_alone(
    modules: dict[str, ModuleType], tree: defects.Tree, kind: str, method: str
) -> None:
    assert planted(modules, tree, kind, method, "0") is None


def test_a_removed_broadcast_leaves_the_value_of_the_root(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    defect = planted(modules, tree, "lost broadcast", "bcast", "0")
    assert defect.after == PROGRAM.replace("    config = comm.bcast(config, root=0)\n", "")


def test_the_same_seed_selects_the_same(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    first, second, other = (list(modules["defects"].select([tree], seed, 2)) for seed in (1, 1, 2))
    assert first == second
    assert [one.after for one in first] != [one.after for one in other]
    assert {one.kind for one in first} == {*modules["kinds"].KINDS}
    assert {(one.distance, one.real_chain) for one in first} >= {("0", False), ("1", True), ("object", False)}


def test_a_function_that_nothing_calls_is_not_reached(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    (tmp_path / "unused.py").write_text(PROGRAM.replace("\nmain()\n", ""))
    (tmp_path / "used.py").write_text("from unused import shared\n\nif __name__ == '__main__':\n    shared(1)\n")
    found = modules["defects"].read_tree(tmp_path)
    assert found.graph.entries["unused.py", "shared"] == (
        "main",
        "unused.py",
    )  # by the function main() of the same file
    (tmp_path / "unused.py").write_text("def main_of_tests():\n    helper()\n\n\ndef helper():\n    pass\n")
    found = modules["defects"].read_tree(tmp_path)
    assert ("unused.py", "helper") not in found.graph.entries


# --- findings ---


def finding(row: int, code: str = "JM101", related: int = 0, file: str = "program.py") -> dict[str, Any]:
    places = [{"filename": file, "location": {"row": related, "column": 1}, "message": ""}] if related else []
    return {"filename": file, "code": code, "message": "m", "location": {"row": row, "column": 1}, "related": places}


def test_a_finding_is_new_unless_the_same_line_had_it(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    defect = planted(modules, tree, "early return", "Bcast", "0")
    new = modules["findings"].new
    assert new([], [finding(defect.row)], defect) == [finding(defect.row)]
    assert new([finding(defect.row + 1)], [finding(defect.row + 3)], defect) == []  # moved by two lines
    assert new([finding(3)], [finding(3), finding(4)], defect) == [finding(4)]
    assert new([finding(3)], [finding(3, "JM102")], defect) == [finding(3, "JM102")]


def test_a_finding_counts_in_the_changed_function_only(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    defect = planted(modules, tree, "guard", "Bcast", "1")
    helper = next(number for number, line in enumerate(defect.after.splitlines(), 1) if "def exchange_1" in line)
    about = modules["findings"].about
    assert about([finding(defect.row), finding(helper)], defect) == [finding(defect.row), finding(helper)]
    assert about([finding(1)], defect) == []
    assert about([finding(1, related=defect.row)], defect) == [finding(1, related=defect.row)]
    assert about([finding(defect.row, file="other.py")], defect) == []


def test_the_table_counts_what_is_found(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    names = [("guard", "Bcast"), ("guard", "Barrier"), ("unequal tags", "recv")]
    found = [planted(modules, tree, *one, "0") for one in names]
    linted = modules["findings"].Linted
    results = [modules["planted"].judged(one, lambda _: (linted([]), linted([]))) for one in found[1:]]
    results.append(modules["planted"].judged(found[0], lambda one: (linted([]), linted([finding(one.row)]))))
    named = [
        type(one)(type(one.defect)(**{**fields(one.defect), "identifier": str(number)}), one.found)
        for number, one in enumerate(results)
    ]
    lines = modules["planted"].table(named)
    rows = {line[:22].strip(): line[22:].split() for line in lines}
    assert rows["guard"] == ["1/2", "-", "-", "-", "-", "1/2"]
    assert rows["unequal tags"] == ["0/1", "-", "-", "-", "-", "0/1"]
    assert rows["reached, by rank"] == ["1/2", "-", "-", "-", "-", "1/2"]
    assert "reached, by rank, distances 0 and 1: 0.50 of 2" in lines


def fields(defect: defects.Defect) -> dict[str, Any]:
    return {name: getattr(defect, name) for name in defect.__dataclass_fields__}


def test_a_linter_that_fails_is_no_silence(modules: dict[str, ModuleType], tree: defects.Tree) -> None:
    def failing(_: object) -> None:
        raise modules["findings"].NotLinted("exit status 2: broken")

    result = modules["planted"].judged(planted(modules, tree, "guard", "Bcast", "0"), failing)
    assert result.failure == "exit status 2: broken"
    assert result.found == ()


# --- the command ---


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent"], "no such folder; give the one that holds the checkouts"),
        (["."], "no checkout owner__project; trees.csv has its commit"),
        ([".", "--only", "x"], "error: x: not in trees.csv; trees are named owner__repo"),
        ([".", "--trees", "none.csv"], "error: none.csv: "),
    ],
)
def test_bad_input_is_one_clear_line(
    modules: dict[str, ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trees.csv").write_text("repository,commit,kind\nowner/project,0,small\n")
    monkeypatch.setattr("sys.argv", ["planted.py", "--trees", "trees.csv", *arguments])
    with pytest.raises(SystemExit) as raised:
        modules["planted"].main()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_sample_prints_diffs_and_lints_nothing(
    modules: dict[str, ModuleType],
    tree: defects.Tree,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tree.folder.parent
    (folder / "trees.csv").write_text("repository,commit,kind\nowner/project,0,small\n")
    arguments = ["planted.py", str(folder), "--trees", str(folder / "trees.csv"), "--sample", "3", "--kind", "guard"]
    monkeypatch.setattr("sys.argv", arguments)
    assert modules["planted"].main() == 0
    text = capsys.readouterr().out
    assert text.count("### 1-guard-") == 3
    assert text.count("--- program.py\n+++ program.py\n") == 3


def test_judgements_are_known_verdicts(modules: dict[str, ModuleType], tmp_path: Path) -> None:
    verdicts = modules["planted"].judgements(modules["planted"].JUDGEMENTS)
    assert len(verdicts) >= 60
    (tmp_path / "wrong.csv").write_text("seed,identifier,kind,verdict,reason\n1,a,guard,maybe,\n")
    with pytest.raises(SystemExit, match="unknown verdict 'maybe'"):
        modules["planted"].judgements(tmp_path / "wrong.csv")
