"""Wrong programs and their right twins, in all forms: what is found is what the snapshot says."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from places import BENCHMARKS, PAIRS

if TYPE_CHECKING:
    import pairs
    from pair_forms import programs

FORMS = ("as they are", "one folder", "two modules", "namespace package", "from main()", "at import", "library")
RARE = {
    "one folder",
    "two modules",
    "namespace package",
}  # forms that differ in how modules are found, tested in `soak`
NAMES = ("from_main", "imports", "library", "namespace_package", "one_folder", "programs", "statements", "two_modules")
LIBRARIES = {*sys.stdlib_module_names, "jax", "mpi4jax", "mpi4py", "numpy"}
Run = Callable[..., tuple[int, str]]

PROGRAM = """\
from mpi4py import MPI

limit = 3
comm = MPI.COMM_WORLD


def small(value):
    return value < limit


for step in range(2):
    if small(step):
        comm.Barrier()
"""


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The modules of the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield {name.rpartition(".")[2]: importlib.import_module(name) for name in ("pairs", *_dotted())}


def _dotted() -> list[str]:
    return [f"pair_forms.{name}" for name in NAMES]


@pytest.fixture(scope="module")
def loaded(modules: dict[str, ModuleType]) -> list[programs.Program]:
    """All programs, wrong and right."""
    found: list[programs.Program] = modules["programs"].load(PAIRS)
    return found


# --- what is found ---


@pytest.fixture(
    scope="module",
    params=[pytest.param(form, marks=pytest.mark.soak if form in RARE else pytest.mark.jobs) for form in FORMS],
)
def found(
    request: pytest.FixtureRequest, modules: dict[str, ModuleType], loaded: list[programs.Program]
) -> pairs.Result:
    """What is found in one form; its name is in front of the rows of a failure."""
    result: pairs.Result = modules["pairs"].result(request.param, loaded)
    return result


@pytest.fixture
def form(request: pytest.FixtureRequest) -> str:
    """The form that ``found`` is about."""
    return str(request.node.callspec.params["found"])


def test_findings_are_those_of_the_snapshot(form: str, found: pairs.Result, modules: dict[str, ModuleType]) -> None:
    known = modules["pairs"].stored(modules["pairs"].SNAPSHOT)
    assert modules["pairs"].differences(form, known.get(form), found) == []


def test_no_right_program_is_flagged(found: pairs.Result) -> None:
    assert found.with_findings("right") == []


@pytest.mark.parametrize(
    "step", [pytest.param(12, marks=pytest.mark.jobs), pytest.param(1, marks=pytest.mark.soak)], ids=["some", "all"]
)
@pytest.mark.parametrize("name", ["further_pairs", "history_pairs", "program_pairs", "project_pairs"])
def test_other_pairs_are_found_as_the_snapshot_says(name: str, step: int, modules: dict[str, ModuleType]) -> None:
    loaded = modules["programs"].load(PAIRS.parent / name)
    chosen = set(sorted({program.pair for program in loaded})[::step])
    result = modules["pairs"].result("as they are", [program for program in loaded if program.pair in chosen])
    known = modules["pairs"].stored(BENCHMARKS / f"{name}_snapshot.json")["as they are"]
    assert set(result.rows) == {row for row in known.rows if row.pair in chosen}
    assert result.with_findings("right") == []


def test_what_does_not_count_is_found_on_both_sides(modules: dict[str, ModuleType]) -> None:
    rows = modules["pairs"].stored(modules["pairs"].SNAPSHOT)["as they are"].rows
    own = {row.pair for row in rows}
    for pair, code in modules["pairs"].BESIDE:
        if pair not in own:
            continue  # one of the further pairs
        assert {row.side for row in rows if (row.pair, row.code) == (pair, code)} == {"wrong", "right"}


# --- the programs ---


def test_every_pair_has_two_sides_that_differ_and_a_row(loaded: list[programs.Program]) -> None:
    sides = {(program.pair, program.side): program.texts for program in loaded}
    identifiers = [line.split(",")[0] for line in (PAIRS / "index.csv").read_text().splitlines()[1:]]
    assert len(identifiers) == 138
    assert sides.keys() == {(pair, side) for pair in identifiers for side in ("wrong", "right")}
    for pair in identifiers:
        assert "main.py" in sides[pair, "wrong"], pair
        assert sides[pair, "wrong"] != sides[pair, "right"], pair


@pytest.mark.jobs
@pytest.mark.parametrize("form", FORMS)
def test_every_file_is_a_program(form: str, modules: dict[str, ModuleType], loaded: list[programs.Program]) -> None:
    files = [item for project in modules["programs"].projects(form, loaded) for item in project.texts.items()]
    assert files
    for name, text in files:
        compile(text, name, "exec")
        assert modules["statements"].unbound(text) == set(), f"{name}\n{text}"


@pytest.mark.jobs
@pytest.mark.parametrize("form", FORMS)
def test_every_import_of_a_program_finds_its_file(
    form: str, modules: dict[str, ModuleType], loaded: list[programs.Program]
) -> None:
    foreign = set[str]()
    for project in modules["programs"].projects(form, loaded):
        below = "programs/" if form == "namespace package" else ""
        own = {path.removeprefix(below).removesuffix(".py").replace("/", ".") for path in project.texts}
        own |= {module.rpartition(".")[0] for module in own} | {module.removesuffix(".__init__") for module in own}
        for text in project.texts.values():
            foreign |= set(modules["imports"].imported(text)) - own
    assert {module.partition(".")[0] for module in foreign} <= LIBRARIES


def test_forms_are_those_of_the_benchmark(modules: dict[str, ModuleType]) -> None:
    assert modules["programs"].FORMS == FORMS


def test_the_list_of_library_forms_is_complete(modules: dict[str, ModuleType], loaded: list[programs.Program]) -> None:
    made = modules["programs"].projects("library", loaded)
    pairs_of = {program.pair for project in made for program in project.owners.values()}
    assert sorted(pairs_of) == (PAIRS / "library_form.txt").read_text().split()


# --- the forms ---


def test_from_main_keeps_what_functions_read(modules: dict[str, ModuleType]) -> None:
    made = modules["from_main"].from_main({"main.py": PROGRAM})["main.py"]
    before, _, inside = made.partition("def main():\n")
    assert "limit = 3" in before
    assert inside.startswith("    comm = MPI.COMM_WORLD\n    for step in range(2):\n")
    assert inside.endswith("if __name__ == '__main__':\n    main()\n")
    assert modules["from_main"].from_main({"main.py": made}) is None


def test_a_name_that_is_bound_again_stays_outside_of_main(modules: dict[str, ModuleType]) -> None:
    text = "total = 0\nlimit = 3\ndef f():\n    return limit\ntotal += f()\nprint(total)\n"
    made = modules["from_main"].from_main({"main.py": text})["main.py"]
    assert made.index("total += f()") < made.index("def main():") < made.index("print(total)")


def test_at_import_takes_the_guard_away(modules: dict[str, ModuleType]) -> None:
    at_import = modules["from_main"].at_import
    assert at_import({"main.py": "if __name__ == '__main__':\n    print(1)\n"}) == {"main.py": "print(1)\n"}
    assert at_import({"main.py": "print(1)\n"}) is None


def test_a_library_takes_the_communicator_as_a_parameter(modules: dict[str, ModuleType]) -> None:
    made = modules["library"].library({"main.py": PROGRAM})["main.py"]
    assert "COMM_WORLD" not in made
    assert "limit = 3\n\ndef small(value):" in made
    assert made.endswith(
        "def run(comm):\n    for step in range(2):\n        if small(step):\n            comm.Barrier()\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()\n",
        "import jax\ndef f():\n    return jax.process_index()\nf()\n",
        "from mpi4py import MPI\ndef f():\n    MPI.COMM_WORLD.Barrier()\nf()\n",
        "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\ndef f():\n    comm.Barrier()\nf()\n",
        "from mpi4py import MPI\nrank = MPI.COMM_WORLD.rank\nfirst = rank == 0\ndef f():\n    return first\nf()\n",
    ],
    ids=["a script", "no communicator", "named in a function", "read by a function", "computed from it"],
)
def test_what_has_no_library_form(text: str, modules: dict[str, ModuleType]) -> None:
    assert modules["library"].library({"main.py": text}) is None


def test_two_modules_share_what_functions_read(modules: dict[str, ModuleType]) -> None:
    made = modules["two_modules"].in_two_modules({"main.py": PROGRAM})
    assert "from parts import small\n" in made["main.py"]
    assert "comm = MPI.COMM_WORLD" in made["main.py"]
    assert "limit = 3" in made["parts.py"]
    assert "for step" not in made["parts.py"]


def test_statements_are_not_divided_where_their_order_would_change(modules: dict[str, ModuleType]) -> None:
    text = "import jax\njax.distributed.initialize()\nn = jax.process_count()\ndef f():\n    return n\nf()\n"
    assert modules["two_modules"].in_two_modules({"main.py": text}) is None


def test_a_package_imports_itself_by_its_whole_name(modules: dict[str, ModuleType]) -> None:
    texts = {
        "main.py": "import checks\nfrom app.io import save\n",
        "checks.py": "",
        "app/__init__.py": "",
        "app/io.py": "",
    }
    made = modules["namespace_package"].in_namespace_package(texts)
    assert sorted(made) == [f"programs/lab/{name}" for name in ("app/io.py", "checks.py", "main.py")]
    assert made["programs/lab/main.py"] == "import lab.checks as checks\nfrom lab.app.io import save\n"


def test_files_in_one_folder_import_those_of_their_program(modules: dict[str, ModuleType]) -> None:
    texts = {"main.py": "from app.io import save\n", "app/__init__.py": "", "app/io.py": ""}
    made = modules["one_folder"].in_one_folder(texts, "x")
    assert sorted(made) == ["app_x/__init__.py", "app_x/io.py", "main_x.py"]
    assert made["main_x.py"] == "from app_x.io import save\n"


# --- the benchmark itself ---


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with one pair; the right side can be made wrong."""
    right = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\ncomm.Barrier()\n"
    for side, text in (("wrong", right.replace("comm.B", "if comm.rank == 0:\n    comm.B")), ("right", right)):
        folder = tmp_path / "pairs" / "101-01" / side
        folder.mkdir(parents=True)
        (folder / "main.py").write_text(text)
    return tmp_path / "pairs"


@pytest.fixture
def run(
    small: Path, modules: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Runs the benchmark on the small folder."""

    def start(*options: str) -> tuple[int, str]:
        snapshot = str(small.parent / "snapshot.json")
        monkeypatch.setattr("sys.argv", ["pairs.py", "--pairs", str(small), "--snapshot", snapshot, *options])
        return modules["pairs"].main(), capsys.readouterr().out

    return start


def test_the_snapshot_is_written_and_compared(run: Run, small: Path) -> None:
    status, printed = run("--form", "as they are")
    assert (status, "as they are: not in the snapshot" in printed) == (1, True)
    assert run("--write")[0] == 0
    status, printed = run()
    assert (status, printed.splitlines()[-1]) == (0, "as in the snapshot")
    assert "as they are              1     1              0" in printed
    (small / "101-01" / "wrong" / "main.py").write_text("print('nothing')\n")
    status, printed = run("--missed", "--form", "as they are")
    assert status == 1
    assert "as they are: gone: 101-01 wrong main.py JM101 (high error)" in printed
    assert "missed, as they are: 101-01" in printed


def test_a_right_program_that_is_flagged_fails_even_in_the_snapshot(run: Run, small: Path) -> None:
    wrong = (small / "101-01" / "wrong" / "main.py").read_text()
    (small / "101-01" / "right" / "main.py").write_text(wrong)
    status, printed = run("--write", "--form", "as they are")
    assert (status, "flagged, as they are: 101-01" in printed) == (1, True)
