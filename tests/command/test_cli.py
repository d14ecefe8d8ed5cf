"""The command: options, exit codes, one line for every mistake of the user."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jaxmpi_lint import __version__
from jaxmpi_lint.command import cli
from jaxmpi_lint.settings import pyproject
from jaxmpi_lint.settings.settings import FORMATS

CLEAN = "from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()\n"
IDLE = "from mpi4py import MPI\nMPI.COMM_WORLD.Barrier()  # noqa: JM002\n"
BROKEN = "from mpi4py import MPI\nprint 'rank'\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    (tmp_path / "pyproject.toml").touch()

    def command(*arguments: str, stdin: str | None = None) -> tuple[int, str, str]:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin.encode())))
        status = cli.main(list(arguments))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return command


def test_clean_is_0_and_the_last_line_counts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    (tmp_path / "b.py").write_text("x = 1\n")
    status, out, err = run()
    assert (status, err) == (0, "")
    assert out == "no findings\n2 files, 1 communicates, 0 not analysed\n"
    assert run("--output-format", "concise")[1] == "2 files, 1 communicates, 0 not analysed\n"


def test_no_files_are_a_success_with_a_warning(run: Run) -> None:
    status, out, err = run()
    assert status == 0
    assert out.splitlines()[-1] == "0 files, 0 communicate, 0 not analysed"
    assert err == "warning: no Python files found; check the paths and the setting `exclude`\n"
    assert run("--quiet") == (0, "", "")


def test_project_is_not_read_for_an_excluded_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint]\nexclude = ["old"]\n')
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "b.py").write_text(IDLE)
    status, out, err = run("old/b.py", "--verbose")
    assert (status, out.splitlines()[-1]) == (0, "0 files, 0 communicate, 0 not analysed")
    assert ": 0 files read" in err


@pytest.mark.parametrize("text", [IDLE, BROKEN])
def test_a_warning_or_an_error_is_1(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.py").write_text(text)
    assert run()[0] == 1
    assert run("--exit-zero")[0] == 0


def test_the_least_severity_and_confidence_choose_what_is_shown(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    assert run("--min-severity", "error")[0] == 0
    assert run("--min-confidence", "high")[0] == 1


def test_one_broken_file_does_not_keep_others_from_being_linted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BROKEN)
    (tmp_path / "b.py").write_text(IDLE)
    (tmp_path / "c.py").write_bytes(b"from mpi4py import MPI\n\0")
    (tmp_path / "d.py").write_bytes(b"from mpi4py import MPI\nx = '\xff'\n")
    (tmp_path / "e.py").symlink_to("nowhere.py")
    status, out, _ = run("--output-format", "concise")
    lines = out.splitlines()
    assert status == 1
    assert [line.split(": ")[1].split()[0] for line in lines[:5]] == ["JM001", "JM003", "JM001", "JM001", "JM002"]
    assert lines[-1] == "5 files, 1 communicates, 4 not analysed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.py"], "absent.py: no such file or folder"),
        (["--select", "JM999"], "--select: unknown rule code 'JM999'"),
        (["--frobnicate"], "unrecognized arguments: --frobnicate"),
        (["--output-format", "xml"], "invalid choice: 'xml'"),
        (["--target", "torch=1"], "--target torch=1"),
        (["--jobs", "0"], "'0' is not a number from 1"),
        (["--config", "absent.toml"], "--config absent.toml: no such file"),
        (["--config", "pyproject.toml", "--isolated"], "contradicts --isolated"),
        (["--explain", "JM000"], "unknown rule 'JM000'"),
        (["--stdin-filename", "a.py"], "--stdin-filename needs `-`"),
        (["-", "a.py"], "cannot be combined"),
        (["--output-file", "absent/x", "--output-format", "json"], "--output-file"),
        (["--write-baseline", "b.json", "--diff"], "--write-baseline and --diff exclude each other"),
        (["--write-baseline", "b.json", "--add-noqa"], "--write-baseline and --add-noqa exclude each other"),
        (["--add-noqa", "--fix"], "--add-noqa and --fix exclude each other"),
    ],
)
def test_a_mistake_is_2_and_one_line(run: Run, arguments: list[str], message: str) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_broken_configuration_is_2_unless_isolated(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool")
    status, _, err = run()
    assert status == 2
    assert "pyproject.toml: not valid TOML" in err
    assert run("--isolated")[0] == 0


def test_an_unknown_code_in_the_configuration_names_the_setting(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint.per-file-ignores]\n"a.py" = ["JM999"]\n')
    (tmp_path / "a.py").write_text(CLEAN)
    assert "setting per-file-ignores 'a.py': unknown rule code 'JM999'" in run()[2]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            'operation = "mpi4py.MPI.Comm.allreduc"',
            "operation: unknown operation 'mpi4py.MPI.Comm.allreduc'; did you mean ",
        ),
        ('operation = "mpi4py.MPI.Comm.allreduc"', "did you mean `mpi4py.MPI.Comm.allreduce`? expected a function"),
        ('operation = "Bcast"', "operation: unknown operation 'Bcast'; did you mean `mpi4py.MPI.Comm.Bcast`? expected"),
        ('operation = "frobnicate"', "operation: unknown operation 'frobnicate'; expected a function or method"),
        (
            'operation = "mpi4py.MPI.Comm.Barrier"\nroot = 0',
            "root: mpi4py.MPI.Comm.Barrier has no root; remove the key",
        ),
    ],
)
def test_a_wrapper_of_nothing_is_refused(run: Run, tmp_path: Path, table: str, message: str) -> None:
    settings = tmp_path / "pyproject.toml"
    settings.write_text(f'[[tool.jaxmpi-lint.wrappers]]\nname = "tools.share"\n{table}\n')
    status, out, err = run()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {settings}: [tool.jaxmpi-lint] wrappers: tools.share: ")
    assert message in err


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ('"com"', "communicator: the function has no parameter `com`; did you mean `comm`? it has data, comm"),
        ('"x"', "communicator: the function has no parameter `x`; it has data, comm"),
        ("2", "communicator: the function has no parameter 2; expected a position from 0 to 1"),
        ('"comm"', ""),
        ("1", ""),
    ],
)
def test_a_parameter_that_a_wrapper_does_not_have_is_told(run: Run, tmp_path: Path, place: str, message: str) -> None:
    (tmp_path / "tools.py").write_text("from mpi4py import MPI\n\n\ndef share(data, comm):\n    comm.bcast(data)\n")
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.jaxmpi-lint.wrappers."tools.share"]\noperation = "mpi4py.MPI.Comm.bcast"\ncommunicator = {place}\n'
    )
    for _ in range(2):  # the second one is from the cache
        status, _, err = run()
        assert status == 0
        assert message in err if message else "warning" not in err


def test_select_takes_codes_prefixes_and_lists(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    assert run("--select", "JM001,JM002")[0] == 0
    assert run("--select", "JM001", "--select", "JM0")[0] == 1
    assert run("--select", "ALL", "--ignore", "JM003")[0] == 0


def test_per_file_ignores_speak_of_paths(run: Run, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "a.py").write_text(IDLE)
    (tmp_path / "b.py").write_text(IDLE)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint.per-file-ignores]\n"tests" = ["JM003"]\n')
    out = run("--output-format", "concise")[1]
    assert "b.py:2" in out
    assert "tests/a.py" not in out


def test_a_folder_a_file_and_standard_input_agree(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text(IDLE)
    (tmp_path / "clean.py").write_text(CLEAN)
    options = ("--output-format", "json")
    whole, folder, file = (json.loads(run(path, *options)[1]) for path in (".", "sub", "sub/a.py"))
    (tmp_path / "sub" / "a.py").write_text(CLEAN)
    piped = json.loads(run("-", "--stdin-filename", "sub/a.py", *options, stdin=IDLE)[1])
    assert whole == folder == file == piped
    assert whole[0]["filename"] == "sub/a.py"
    assert run("sub/a.py")[0] == 0


def test_an_excluded_file_stays_excluded_when_it_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint]\nexclude = ["a.py"]\n')
    assert run("a.py")[0] == 0


def test_a_file_that_git_ignores_is_linted_when_it_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / ".gitignore").write_text("a.py\n")
    assert run()[0] == 0
    assert run("a.py")[0] == 1


def test_two_projects_in_one_run_have_their_own_settings(run: Run, tmp_path: Path) -> None:
    for name, table in (("one", 'ignore = ["JM003"]\n'), ("two", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text(f"[tool.jaxmpi-lint]\n{table}")
        (tmp_path / name / "a.py").write_text(IDLE)
    out = run("one", "two", "--output-format", "concise")[1]
    assert "two/a.py" in out
    assert "one/a.py" not in out


def test_fix_repairs_the_file_and_reports_what_is_left(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(IDLE.replace("\n", "\r\n").encode())
    path.chmod(0o640)
    status, _, err = run("--fix")
    assert status == 0
    assert "1 repair made" in err
    assert path.read_bytes() == CLEAN.replace("\n", "\r\n").encode()
    assert path.stat().st_mode & 0o777 == 0o640


def test_diff_shows_the_repair_and_changes_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text(IDLE)
    status, out, err = run("--diff")
    assert status == 1
    assert "-MPI.COMM_WORLD.Barrier()  # noqa: JM002\n+MPI.COMM_WORLD.Barrier()\n" in out
    assert "1 file would be changed" in err
    assert path.read_text() == IDLE


@pytest.mark.jobs
def test_fix_of_standard_input_prints_the_text(run: Run) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "jaxmpi_lint", "--fix", "--isolated", "-"],
        input=IDLE.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert process.returncode == 0
    assert process.stdout.decode() == CLEAN


def test_suppressed_findings_are_not_shown_but_are_in_sarif(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    log = json.loads(run("--output-format", "sarif")[1])
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["JM003"]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written_and_the_count_does_not_spoil_it(run: Run, tmp_path: Path, form: str) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    status, out, err = run("--output-format", form)
    assert status == 1
    assert "JM003" in out
    assert ("1 file, 1 communicates" in out) is (form in ("full", "concise"))
    assert ("1 file, 1 communicates" in err) is (form not in ("full", "concise"))


def test_output_file_takes_the_report(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    status, out, _ = run("--output-format", "json", "--output-file", "report.json")
    assert (status, out) == (1, "")
    assert json.loads((tmp_path / "report.json").read_text())[0]["code"] == "JM003"


def test_statistics_count(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    assert run("--statistics")[1].split()[:2] == ["1", "JM003"]


def test_quiet_prints_findings_only(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    assert run("--quiet") == (0, "", "")


def test_verbose_tells_what_was_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CLEAN)
    err = run("--verbose", "--target", "mpi4jax=0.7")[2]
    assert "1 files read" in err
    assert "library versions: mpi4jax 0.7" in err


def test_show_settings_prints_each_setting(run: Run) -> None:
    status, out, _ = run("--show-settings", "--target", "jax=0.4.30", "--select", "JM1")
    assert status == 0
    assert "select = ['JM1']" in out
    assert "target = { jax = '0.4.30' }" in out
    assert "per-file-ignores = {}" in out
    assert "min-severity = 'warning'" in out


def test_show_settings_prints_what_a_settings_file_may_have(run: Run, tmp_path: Path) -> None:
    table = """\
per-file-ignores = { 'tests/*' = ['JM102', 'JM5'], docs = ['JM1'] }
target = { jax = '0.5.3' }
wrappers = [{ name = 'tools.share', operation = 'mpi4py.MPI.Comm.bcast', communicator = 1 }]
"""
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxmpi-lint]\n{table}")
    shown = run("--show-settings")[1]
    assert all(line in shown.splitlines() for line in table.splitlines())
    names = {line.partition(" = ")[0] for line in shown.splitlines()}
    assert names == {"root", "diff", *pyproject._READERS}


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_rules_are_listed_as_data(run: Run, form: str) -> None:
    status, out, _ = run("--list-rules", "--output-format", form)
    assert status == 0
    rules = json.loads(out) if form == "json" else [json.loads(line) for line in out.splitlines()]
    (idle,) = (rule for rule in rules if rule["code"] == "JM003")
    assert idle == {
        "code": "JM003",
        "name": "unused-suppression",
        "severity": "warning",
        "summary": idle["summary"],
        "preview": False,
        "fix": "safe",
        "sanitizer": [],
    }
    assert run("--list-rules", "--output-format", "sarif")[::2] == (
        2,
        "error: --list-rules has no format sarif; give full, json or jsonl\n",
    )


def test_list_rules_and_explain(run: Run) -> None:
    assert any(line.startswith("JM003  warning  unused-suppression:") for line in run("--list-rules")[1].splitlines())
    assert "Unused suppression comment" in run("--explain", "JM003")[1]


def test_explain_shows_a_code_of_the_sanitizer_and_its_rules(run: Run) -> None:
    status, out, _ = run("--explain", "js108")
    assert status == 0
    assert out.startswith("# JS108 ")
    assert "Severity: error." in out and "What to do: " in out
    assert "\n## Related lint rules\n\n- JM102 collective-after-divergent-exit: " in out
    assert "](" not in out
    assert "## Related lint rules" not in run("--explain", "JS000")[1]


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("XY999", "; `jaxmpi-lint --list-rules` shows all"),
        ("JS119", "; did you mean JS11"),
        ("JM10", "did you mean JM1"),
    ],
)
def test_explain_suggests_codes_of_the_same_family_only(run: Run, code: str, hint: str) -> None:
    status, _, err = run("--explain", code)
    assert status == 2
    assert hint in err


@pytest.mark.jobs
def test_explain_needs_no_native_module() -> None:
    program = (
        "import sys; sys.modules['jaxmpi_lint.runtime._native'] = None; from jaxmpi_lint import cli;"
        "sys.exit(cli.main(['--explain', 'JS101']) or any(name in sys.modules for name in ('jax', 'mpi4py', 'numpy')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# JS101 ")


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"jaxmpi-lint {__version__}\n", "")


def test_the_options_of_the_command_line_are_settings_of_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint]\noutput-format = "concise"\nexit-zero = true\n')
    status, out, _ = run()
    assert status == 0
    assert out.startswith("a.py:2:")
    assert set(pyproject._READERS) >= {"select", "target", "min-confidence"}


def test_an_error_of_ours_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxmpi_lint.command import run as running

    def fail(given: object) -> int:
        raise ZeroDivisionError("division by zero\nsecond line")

    monkeypatch.setattr(running, "run", fail)
    status, _, err = run()
    assert status == 2
    assert err.count("\n") == 1
    assert "internal error (ZeroDivisionError: division by zero)" in err


@pytest.mark.jobs
def test_start_and_warm_run_import_nothing_heavy(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    run()
    program = (
        "import sys; from jaxmpi_lint import cli; cli.main(sys.argv[1:]);"
        "print(sorted({'libcst', 'networkx', 'rich', 'numpy', 'jax', 'mpi4py'} & set(sys.modules)), file=sys.stderr)"
    )
    for arguments in (["--version"], ["."]):
        process = subprocess.run(
            [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True, timeout=60
        )
        assert process.stderr == "[]\n"


@pytest.mark.jobs
def test_all_that_is_printed_arrives_before_the_process_ends(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE * 500)
    command = [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--isolated", "--output-format", "concise", "a.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 0)
    assert done.stdout.count("JM003") == 500
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode not in (0, 1)
    assert "No space left on device" in done.stderr


def test_a_baseline_hides_what_is_known_wherever_it_is_read(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "a.py"
    path.write_text(IDLE)
    assert run("--write-baseline")[0] == 0
    path.write_text(f"# moved down\n{IDLE}")
    name = str(tmp_path / ".jaxmpi-lint-baseline.json")
    assert run("--baseline", name)[0] == 0
    monkeypatch.chdir(tmp_path / "sub")
    assert run("a.py", "--baseline", name)[0] == 0
    path.write_text(IDLE + "MPI.COMM_WORLD.barrier()  # noqa: JM001\n")
    assert run("a.py", "--baseline", name, "--output-format", "concise")[1].startswith("a.py:3:")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--write-baseline", "known.json", "sub"],
        ["--write-baseline=known.json", "sub"],
        ["sub", "--write-baseline", "known.json"],
        ["--write-baseline", "--baseline", "known.json", "sub"],
        ["sub", "--baseline", "known.json", "--write-baseline"],
        ["--write-baseline", "known.json", "--baseline", "known.json", "sub"],
    ],
)
def test_a_baseline_is_written_to_the_file_that_is_named(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text(IDLE)
    status, out, err = run(*arguments)
    assert (status, out) == (0, "")
    assert err.endswith(f"known.json: 1 finding recorded; use --baseline {tmp_path / 'known.json'}\n")
    assert json.loads((tmp_path / "known.json").read_text())["findings"][0]["filename"] == "sub/a.py"
    assert not (tmp_path / ".jaxmpi-lint-baseline.json").exists()
    assert run("--baseline", "known.json")[0] == 0


def test_a_baseline_that_is_written_may_exist_and_take_the_place_of_a_setting(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "pyproject.toml").write_text('[tool.jaxmpi-lint]\nbaseline = "set.json"\n')
    (tmp_path / "known.json").write_text("broken")
    assert run("--write-baseline", "known.json")[0] == 0
    assert run("--baseline", "known.json")[0] == 0
    assert not (tmp_path / "set.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--write-baseline", "sub"], "--write-baseline sub: is a folder; name the file to write, then the paths"),
        (["--write-baseline", "sub/a.py"], "--write-baseline sub/a.py: is a program; name the file to write"),
        (["--write-baseline", "b.json", "--baseline", "c.json"], "b.json and --baseline c.json name different files"),
    ],
)
def test_a_baseline_is_not_written_over_what_is_linted(
    run: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.py").write_text(IDLE)
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert (tmp_path / "sub" / "a.py").read_text() == IDLE


def test_projects_that_share_a_baseline_are_written_to_it_together(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").touch()
        (tmp_path / name / f"{name}.py").write_text(IDLE)
    assert "2 findings recorded" in run("--write-baseline", "known.json", "one", "two")[2]
    assert run("--baseline", "known.json", "one", "two")[::2] == (0, "")


def test_fix_does_not_touch_what_the_baseline_knows(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    run("--write-baseline", "--baseline", "known.json")
    assert run("--fix", "--baseline", "known.json")[0] == 0
    assert (tmp_path / "a.py").read_text() == IDLE


def test_a_broken_baseline_is_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    (tmp_path / "known.json").write_text("{")
    status, _, err = run("--baseline", "known.json")
    assert status == 2
    assert err.count("\n") == 1


def test_an_entry_of_the_baseline_that_is_gone_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(IDLE)
    run("--write-baseline", "--baseline", "known.json")
    (tmp_path / "a.py").write_text(CLEAN)
    assert "1 entry of the baseline is gone" in run("--baseline", "known.json")[2]


def test_add_noqa_silences_what_is_shown_and_doing_it_twice_changes_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("from mpi4py import MPI\nif MPI.COMM_WORLD.Get_rank() == 0:\n    MPI.COMM_WORLD.bcast(1)\n")
    assert run()[0] == 1
    assert "1 file changed" in run("--add-noqa")[2]
    text = path.read_text()
    assert "    MPI.COMM_WORLD.bcast(1)  # noqa: JM101\n" in text
    assert run()[0] == 0
    run("--add-noqa")
    assert path.read_text() == text


def test_add_noqa_with_diff_shows_the_comments_and_writes_nothing(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    text = "from mpi4py import MPI\nif MPI.COMM_WORLD.Get_rank() == 0:\n    MPI.COMM_WORLD.bcast(1)\n"
    path.write_text(text)
    status, out, err = run("--add-noqa", "--diff")
    assert (status, path.read_text()) == (1, text)
    assert "-    MPI.COMM_WORLD.bcast(1)\n+    MPI.COMM_WORLD.bcast(1)  # noqa: JM101\n" in out
    assert "1 file would be changed" in err
    assert run("--add-noqa", "--diff", "--exit-zero")[0] == 0
    piped = run("--add-noqa", "--diff", "-", "--stdin-filename", "a.py", stdin=text)
    assert (piped[0], piped[1]) == (1, out)
    assert run("--add-noqa")[0] == 0
    assert run("--add-noqa", "--diff") == (0, "", "0 files would be changed\n")


@pytest.mark.jobs
def test_a_project_inside_another_has_its_own_settings(tmp_path: Path) -> None:
    program = "import mpi4jax\n\n\ndef f(x):\n    y, token = mpi4jax.bcast(x, 0)\n    return y\n"
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "outer"\n')
    (tmp_path / "new.py").write_text(program)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "pyproject.toml").write_text('[project]\nname = "old"\ndependencies = ["mpi4jax<0.8"]\n')
    (tmp_path / "old" / "old.py").write_text(program)
    run = subprocess.run(
        [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--output-format", "concise", "--select", "JM501", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "new.py:5" in run.stdout
    assert "old.py" not in run.stdout
    assert "2 files, 2 communicate" in run.stdout + run.stderr


@pytest.mark.jobs
def test_a_file_given_by_name_is_parsed_though_it_does_not_communicate(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = (\n")
    (tmp_path / "fine.py").write_text("x = 1\n")
    for arguments, code in ((["broken.py", "fine.py"], 1), (["fine.py"], 0)):
        run = subprocess.run(
            [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "--output-format", "concise", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert run.returncode == code, run.stdout + run.stderr
        assert ("broken.py:1:5: JM001 cannot be parsed: '(' was never closed" in run.stdout) is bool(code), run.stdout
