"""The benchmarks, each run on a tree of a few lines; how long anything takes is not judged."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from places import BENCHMARKS

IMPORTS = "from mpi4py import MPI\n\ncomm = MPI.COMM_WORLD\nrank = comm.Get_rank()\n"
RIGHT = f"{IMPORTS}comm.Barrier()\n"
WRONG = f"{IMPORTS}if rank == 0:\n    comm.Barrier()\n"


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / f"{script}.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> ModuleType:
    """The module of the benchmarks that the test names."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module(request.param)


def uses(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("module", [name], indirect=True)


def checkout(folder: Path, name: str, text: str) -> Path:
    tree = folder / name
    tree.mkdir(parents=True)
    (tree / "program.py").write_text(text)
    return tree


# --- lint.py -------------------------------------------------------------------------------------------------------


@pytest.mark.jobs
def test_lint_measures_every_tool_and_judges_every_gate(tmp_path: Path) -> None:
    tree = checkout(tmp_path, "netket__tiny", RIGHT)
    done = run("lint", tree, "--gates", "--runs", 1)
    assert "netket__tiny: 1 file" in done.stdout, done.stderr
    assert "1 communicate (6 lines)" in done.stdout
    for name in ("jaxmpi-lint --version", "jaxmpi-lint, cold", "jaxmpi-lint, warm"):
        assert re.search(rf"^{name} +\d+\.\d+ ", done.stdout, re.MULTILINE), done.stdout
    for name in ("ruff", "pyflakes", "pylint", "fixit"):
        assert re.search(rf"^{name}.*(\d+\.\d+|missing)", done.stdout, re.MULTILINE), done.stdout
    verdicts = re.findall(r"^(pass|FAIL)  ", done.stdout, re.MULTILINE)
    assert len(verdicts) == 5
    assert done.returncode == ("FAIL" in verdicts)
    assert "not measured" not in done.stdout


@pytest.mark.jobs
def test_lint_says_that_a_gate_was_not_measured(tmp_path: Path) -> None:
    done = run("lint", checkout(tmp_path, "other__tiny", RIGHT), "--gates", "--runs", 1)
    assert "FAIL  netket, cold: not measured" in done.stdout
    assert done.returncode == 1


@pytest.mark.jobs
def test_lint_refuses_a_tree_that_is_not_there(tmp_path: Path) -> None:
    done = run("lint", tmp_path / "absent")
    assert done.returncode == 2
    assert "no such folder" in done.stderr
    assert "Traceback" not in done.stderr


@uses("lint")
def test_a_tool_that_is_missing_is_named(module: ModuleType) -> None:
    missing = module.Measured("fixit", remark="missing: install the extra `bench`")
    assert re.fullmatch(r"fixit +- +- +- +missing: install the extra `bench`", module._row("fixit", missing, 1.0))


@pytest.mark.jobs
@uses("processes")
def test_processes_that_outlive_their_parent_are_counted(module: ModuleType) -> None:
    burn = "import time\nwhile time.process_time() < 0.4: pass"
    start = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {burn!r}])"
    assert module.run([sys.executable, "-c", start], 60).cpu > 0.4


@pytest.mark.jobs
@uses("processes")
def test_a_command_is_stopped_at_its_limit(module: ModuleType) -> None:
    done = module.run([sys.executable, "-c", "import time; time.sleep(600)"], 0.5)
    assert done.stopped
    assert done.status < 0


# --- corpus.py -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two checkouts, one with a finding, and a snapshot of them."""
    folder = tmp_path_factory.mktemp("written") / "corpus"
    checkout(folder, "one__wrong", WRONG)
    checkout(folder, "two__right", RIGHT)
    (folder / "notes").mkdir()
    assert compared(folder, "--write").returncode == 0
    return folder


@pytest.fixture
def corpus(written: Path, tmp_path: Path) -> Path:
    """A copy of them for one test."""
    shutil.copytree(written.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / written.name


def compared(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run("corpus", folder, "--snapshot", folder.parent / "snapshot.json", *arguments)


@pytest.mark.jobs
def test_corpus_counts_findings_of_each_tree_and_code(corpus: Path) -> None:
    done = compared(corpus)
    assert re.search(r"^one__wrong +1 +1 +7 +1 +0 ", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^JM101  1$", done.stdout, re.MULTILINE)
    assert "13 lines in files that communicate" in done.stdout
    assert "errors: 1, 769.23 per 10 000 such lines" in done.stdout
    assert "no difference to the snapshot" in done.stdout
    assert done.returncode == 0


@pytest.mark.jobs
def test_the_snapshot_names_files_relative_to_their_tree(corpus: Path) -> None:
    text = (corpus.parent / "snapshot.json").read_text()
    found = json.loads(text)["trees"]
    assert [entry[:3] for entry in found["one__wrong"]] == [["program.py", 6, "JM101"]]
    assert found["two__right"] == []
    assert str(corpus) not in text


@pytest.mark.jobs
def test_a_finding_in_another_row_has_moved(corpus: Path) -> None:
    (corpus / "one__wrong" / "program.py").write_text(f"# new first line\n{WRONG}")
    done = compared(corpus)
    assert re.search(r"^moved one__wrong/program.py:7 JM101 .*, was in row 6$", done.stdout, re.MULTILINE), done.stdout
    assert "0 new, 0 gone, 1 moved" in done.stdout
    assert done.returncode == 1


@pytest.mark.jobs
def test_findings_that_come_and_go_are_listed(corpus: Path) -> None:
    (corpus / "one__wrong" / "program.py").write_text(RIGHT)
    (corpus / "two__right" / "program.py").write_text(WRONG)
    done = compared(corpus)
    assert re.search(r"^new   two__right/program.py:6 JM101 ", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^gone  one__wrong/program.py:6 JM101 ", done.stdout, re.MULTILINE)
    assert done.returncode == 1


@pytest.mark.jobs
def test_a_tree_that_is_absent_is_not_compared_and_stays_in_the_snapshot(corpus: Path) -> None:
    (corpus / "one__wrong").rename(corpus.parent / "elsewhere")
    done = compared(corpus, "--write")
    assert "not compared: one__wrong" in done.stdout
    assert "no difference" in done.stdout
    assert len(json.loads((corpus.parent / "snapshot.json").read_text())["trees"]["one__wrong"]) == 1


@pytest.mark.jobs
def test_a_tree_that_cannot_be_linted_is_a_failure(corpus: Path) -> None:
    (corpus / "two__right" / "pyproject.toml").write_text("[tool.jaxmpi-lint]\nunknown = 1\n")
    done = compared(corpus)
    assert "FAILED two__right: exit status 2: error: " in done.stdout
    assert done.returncode == 1


def reword(snapshot: Path) -> None:
    """Another message for each finding of a snapshot."""
    document = json.loads(snapshot.read_text())
    document["trees"] = {tree: [[*row[:-1], "other words"] for row in rows] for tree, rows in document["trees"].items()}
    snapshot.write_text(json.dumps(document))


@pytest.mark.jobs
def test_messages_are_compared_unless_they_are_to_be_ignored(corpus: Path) -> None:
    reword(corpus.parent / "snapshot.json")
    strict, lenient = compared(corpus), compared(corpus, "--ignore-messages")
    assert "1 new, 1 gone, 0 moved" in strict.stdout
    assert strict.returncode == 1
    assert "no difference to the snapshot" in lenient.stdout
    assert lenient.returncode == 0


@pytest.mark.jobs
def test_a_finding_in_another_row_is_a_difference_when_messages_are_ignored(corpus: Path) -> None:
    reword(corpus.parent / "snapshot.json")
    (corpus / "one__wrong" / "program.py").write_text(f"# new first line\n{WRONG}")
    done = compared(corpus, "--ignore-messages")
    assert re.search(r"^moved one__wrong/program.py:7 JM101 .*, was in row 6$", done.stdout, re.MULTILINE), done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("field", ["code", "severity", "confidence"])
@uses("corpus")
def test_only_messages_are_ignored(module: ModuleType, field: str) -> None:
    before = module.Row("t", "f.py", 1, "JM101", "error", "high", "m")
    after = replace(before, message="n", **{field: "other"})
    assert module.compare([before], [after], messages=False) == module.Difference((after,), (before,), ())


def trees_list(folder: Path, *repositories: str) -> str:
    path = folder / "trees.csv"
    path.write_text("".join(f"{line}\n" for line in ("repository,commit", *(f"{name},abc" for name in repositories))))
    return str(path)


@pytest.mark.jobs
def test_a_list_of_trees_restricts_the_run_and_names_the_absent_ones(corpus: Path) -> None:
    done = compared(corpus, "--trees", trees_list(corpus.parent, "two/right", "three/absent"))
    assert re.search(r"^two__right +1 ", done.stdout, re.MULTILINE), done.stdout
    assert "not compared: one__wrong" in done.stdout
    assert "absent: three__absent, commit abc" in done.stdout
    assert "absent: two__right" not in done.stdout
    assert done.returncode == 0


@pytest.mark.jobs
def test_what_is_no_list_of_trees_is_refused(corpus: Path) -> None:
    path = corpus.parent / "trees.csv"
    path.write_text("name\nx\n")
    for wrong in (path, path.with_name("missing.csv")):
        done = compared(corpus, "--trees", str(wrong))
        assert done.stderr.startswith(f"error: {wrong}: ")
        assert done.returncode == 1


@pytest.mark.jobs
def test_trees_linted_at_the_same_time_give_the_same_findings(corpus: Path) -> None:
    done = compared(corpus, "--jobs", "2")
    assert "13 lines in files that communicate" in done.stdout, done.stderr
    assert "no difference to the snapshot" in done.stdout
    assert compared(corpus, "--jobs", "0").returncode == 2


@pytest.mark.jobs
@uses("corpus")
def test_each_tree_is_written_before_the_next_one_is_linted(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch, corpus: Path
) -> None:
    snapshot = corpus.parent / "snapshot.json"
    (corpus / "one__wrong" / "program.py").write_text(RIGHT)
    lint = module.trees.lint

    def interrupted(tree: Path, limit: float) -> object:
        if tree.name == "two__right":
            raise KeyboardInterrupt
        return lint(tree, limit)

    monkeypatch.setattr(module.trees, "lint", interrupted)
    monkeypatch.setattr(sys, "argv", ["corpus.py", str(corpus), "--snapshot", str(snapshot), "--write"])
    with pytest.raises(KeyboardInterrupt):
        module.main()
    assert json.loads(snapshot.read_text())["trees"] == {"one__wrong": [], "two__right": []}


@uses("corpus")
def test_every_further_tree_is_in_the_snapshot(module: ModuleType) -> None:
    listed = module._listed(BENCHMARKS / "further_trees.csv")
    assert module.load(BENCHMARKS / "further_snapshot.json").keys() == listed.keys()


@uses("corpus")
def test_two_equal_findings_are_paired_one_by_one(module: ModuleType) -> None:
    first, second, third = (module.Row("t", "f.py", row, "JM101", "error", "high", "m") for row in (1, 5, 9))
    difference = module.compare([first, second], [first, second, third])
    assert difference == module.Difference((third,), (), ())


# --- fuzz.py -------------------------------------------------------------------------------------------------------


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Programs that repairs change, that are no Python, and that are not analysed."""
    texts = {
        "discarded.py": f"{IMPORTS}comm.Ibarrier()\n",
        "python2.py": "print 'no'\n",
        "deep.py": f"x = {'(' * 300}1{')' * 300}\n",
        "plain.py": "import os\r\nprint(os.name)",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.jobs
def test_fuzz_checks_files_and_programs(programs: Path) -> None:
    done = run("fuzz", programs, "--programs", 6, "--jobs", 1)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"slice 1/1: \d+ programs \(\d+ analysed, 1 not analysed, 1 unparsable\), ", done.stdout)
    assert "0 failures" in done.stdout


@pytest.mark.jobs
def test_slices_of_fuzz_are_parts_of_the_whole(programs: Path) -> None:
    parts = [run("fuzz", programs, "--programs", 0, "--jobs", 1, "--slice", f"{part}/3").stdout for part in (1, 2, 3)]
    assert [int(re.findall(r"(\d+) programs \(", part)[-1]) for part in parts] == [2, 1, 1]


@pytest.mark.jobs
@pytest.mark.parametrize("part", ["0/2", "3/2", "2", "a/b"])
def test_fuzz_refuses_what_is_no_slice(part: str) -> None:
    done = run("fuzz", "--slice", part)
    assert done.returncode == 2
    assert "is not a part such as 2/8" in done.stderr


@pytest.mark.jobs
@uses("workers")
def test_a_program_without_an_end_is_a_hang(module: ModuleType) -> None:
    worker = module.Worker(0.001, 4000)
    try:
        verdict = worker.check("program.py", RIGHT.encode())
    finally:
        worker.close()
    assert verdict.failures == ("hang: no end after 0.001 s",)


@uses("checks")
def test_an_exception_is_a_failure_with_its_place(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxmpi_lint.analysis.frontend import lower_module

    def fail(*_: object) -> None:
        raise ValueError("a reason\nand more")

    monkeypatch.setattr(lower_module, "lower_module", fail)
    (failure,) = module.check("program.py", RIGHT.encode()).failures
    assert re.fullmatch(r"exception ValueError in analysis.frontend.parse\.py line \d+: a reason", failure)


FOUND = {
    "many star imports of modules that are not there": (
        "asyncio/__init__.py",
        "".join(f"from .part{number} import *\n" for number in range(16)) + "__all__ = part1.__all__ + part2.__all__\n",
    ),
}


@pytest.mark.jobs
@pytest.mark.parametrize(("name", "text"), FOUND.values(), ids=FOUND)
@uses("workers")
def test_what_fuzzing_found_once(module: ModuleType, name: str, text: str) -> None:
    worker = module.Worker(10, 4000)
    try:
        assert worker.check(name, text.encode()).failures == ()
    finally:
        worker.close()


@uses("fuzz")
def test_a_program_that_fails_is_cut_down(module: ModuleType) -> None:
    class Fails:
        """Calls every program with the word a hang."""

        def check(self, _: str, data: bytes) -> object:
            reasons = ("hang: of course",) if b"bad" in data else ()
            return type("Verdict", (), {"failures": reasons})

    failure = module.Failure("program.py", "hang: after 10 s", b"a = 1\nb = bad(2)\nc = 3\n")
    assert module.cut_down(failure, Fails()) == b"bad"


# --- jax_multiprocess.py, jax_libraries.py, jax_matrix.py ------------------------------------------------------------


@pytest.mark.jobs
def test_a_tree_without_jax_s_tests_is_refused(tmp_path: Path) -> None:
    done = run("jax_multiprocess", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


@pytest.mark.jobs
def test_an_unknown_combination_is_refused() -> None:
    done = run("jax_matrix", "--only", "2.7")
    assert done.returncode == 1
    assert "error: no combination has '2.7' in its name: Python 3.11, jax==0.8.1" in done.stderr


@uses("jax_libraries")
def test_results_reports_and_silence_of_the_sanitizer_count_as_differences(module: ModuleType) -> None:
    job, beginning = module.jax_jobs.Job, module.jax_jobs.BEGINNING
    off = job((0, 0), False, ("sum 3\n", "[Gloo] Rank 1\nsum 3\n"), ("", ""), ())
    checked = (f"{beginning} 2 JAX processes\n", "")
    assert list(module.complaints(off, job((0, 0), False, ("sum 3\n", "sum 3\n"), checked, ()))) == []
    for status, out, err, codes, said in (
        ((66, 66), off.out, checked, ("JS501",), ["exit (0, 0) without, (66, 66) with", "reported: JS501"]),
        ((0, 0), ("sum 4\n", "sum 3\n"), checked, (), ["process 0 prints ['sum 3'] without, ['sum 4'] with"]),
        ((0, 0), off.out, ("", ""), (), ["the sanitizer printed: []"]),
    ):
        assert list(module.complaints(off, job(status, False, out, err, codes))) == said


@pytest.mark.jobs
def test_monitors_of_many_hosts_are_simulated() -> None:
    done = run("hosts_simulation", "--ranks", 1200)  # more hosts than one monitor asks
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [row[-6] for row in rows] == ["1200"] * 5, done.stdout
