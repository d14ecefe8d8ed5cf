"""Output formats: what each writes for the same findings, for none, and for hostile text."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_samples import DIVERGENT, EMPTY, FULL, ORDER, TEXTS, TOKEN, at, finding

from jaxmpi_lint.findings.diagnostics import Severity
from jaxmpi_lint.findings.model import RuleInfo
from jaxmpi_lint.reporters import FORMATS, STATISTICS, Report, display, github, render, wants_color

HOSTILE = 'a<b> & "c" \x1b[31m\x00\x07 ]]> %0A \u202e \udc80 \ufffe 数\nsecond: line, end'


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def written(format: str, report: Report, color: bool = False) -> str:
    stream = StringIO()
    render(format, report, stream, color)
    return stream.getvalue()


# --- full ----------------------------------------------------------------------------------------------------------

STORY = """\
train.py:41:9: error[JM101] collective-in-rank-branch: only rank 0 of `comm` reaches this `bcast`
   38 |     rank = comm.Get_rank()            <- rank-dependent: Get_rank of MPI.COMM_WORLD
   40 |     if rank == 0:                     <- ranks 1, 2, ... skip the block
   41 |         comm.bcast(config, root=0)    <- collective on MPI.COMM_WORLD
   44 |     comm.Barrier()                    <- they wait here instead
   = move the call out of the branch; the sanitizer reports this as JS101

1 error found
1 file, 1 communicates, 0 not analysed
"""


def test_full_tells_the_story_of_both_sides() -> None:
    assert written("full", Report((DIVERGENT,), TEXTS, files=1, communicating=1)) == STORY


def test_full_puts_steps_of_other_files_under_their_own_heading() -> None:
    assert written("full", Report((TOKEN,), TEXTS, quiet=True)) == (
        "src/hälo 1.py:3:16: warning[JM501] token-api: `allreduce` returns the array alone\n"
        "    3 | field, token = mpi4jax.allreduce(field, op=MPI.SUM)\n"
        "  src/helper.py:2\n"
        "    2 |     return process_allgather(value)    <- collective over all processes\n"
        "   = drop the token\n"
        "   = --fix does this: drop the token\n"
    )


def test_full_shows_notebook_cells() -> None:
    assert written("full", Report((ORDER,), TEXTS, {"run.ipynb": (1, 3)}, quiet=True)) == (
        "run.ipynb:cell 2:2:5: info[JM801] unordered-iteration: a set decides the order of collectives\n"
        "    2 | for name in names:\n"
        "  run.ipynb:cell 1:1\n"
        '    1 | names = {"a", "b"}    <- the set\n'
        "   = --fix --unsafe-fixes does this, check the result: sort it\n"
    )


def test_full_without_the_text_of_the_file() -> None:
    assert written("full", Report((finding("cannot be read", "gone.py"),), quiet=True)) == (
        "gone.py:1:1: error[JM101] collective-in-rank-branch: cannot be read\n"
    )


def test_full_shows_rows_of_a_short_statement_and_the_head_of_a_long_one() -> None:
    text = "f(\n  a,\n)\n" + "g(\n" + "  b,\n" * 9 + ")\n"
    short = finding("short", start=at(1, 1), end=at(3, 2))
    long = finding("long", start=at(4, 1), end=at(14, 2))
    shown = written("full", Report((short, long), {"a.py": text}, quiet=True))
    assert shown == (
        "a.py:1:1: error[JM101] collective-in-rank-branch: short\n    1 | f(\n    2 |   a,\n    3 | )\n\n"
        "a.py:4:1: error[JM101] collective-in-rank-branch: long\n    4 | g(\n"
    )


def test_full_sorts_findings_and_counts_them() -> None:
    shown = written("full", FULL)
    assert shown.index("run.ipynb:cell 2") < shown.index("src/hälo 1.py:3") < shown.index("train.py:41")
    assert shown.endswith(
        "1 error, 1 warning, 1 info found; fixable: 1 with --fix, 1 with --unsafe-fixes\n"
        "12 files, 4 communicate, 1 not analysed\n"
    )


def test_a_clean_run_says_so() -> None:
    assert written("full", EMPTY) == "no findings\n3 files, 0 communicate, 0 not analysed\n"
    known = Report(files=3, baseline=True, baselined=(DIVERGENT,))
    assert written("full", known).startswith("no new findings\n")
    assert written("full", Report(files=3, quiet=True)) == ""


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_the_first_line_of_a_finding_names_severity_and_rule_at_any_width(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = Terminal()
    render("full", Report((DIVERGENT,), TEXTS), stream, color=False)
    head, _, rest = stream.getvalue().partition("   38 |")
    assert head.startswith("train.py:41:9: error[JM101] collective-in-rank-branch: only")
    assert " ".join(head.split()).endswith("only rank 0 of `comm` reaches this `bcast`")
    assert rest


def test_full_has_the_same_words_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.text import Text

    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = Terminal()
    render("full", FULL, stream, color=True)
    plain = [line.rstrip() for line in Text.from_ansi(stream.getvalue()).plain.splitlines()]
    assert "\x1b[1;31m" in stream.getvalue()
    assert plain == written("full", FULL).splitlines()


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_full_keeps_source_and_notes_within_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = Terminal()
    render("full", FULL, stream, color=False)
    lines = [line for line in stream.getvalue().splitlines() if "|" in line or line.startswith("   = ")]
    assert lines and max(map(display.width, lines)) <= columns
    words = " ".join(stream.getvalue().replace("|", " ").split())
    assert all(word in words for word in ("rank-dependent:", "MPI.COMM_WORLD", "instead", "JS101"))


@pytest.mark.jobs
def test_full_does_not_import_rich_when_plain() -> None:
    program = (
        "import sys, io; from jaxmpi_lint.reporters import render, Report;"
        "render('full', Report(), io.StringIO(), False);"
        "sys.exit(any(name.split('.')[0] in ('rich', 'libcst', 'networkx') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_full_prints_nothing_that_steers_the_terminal() -> None:
    report = Report((finding(HOSTILE, "a\x1b.py", remedy=HOSTILE),), {"a\x1b.py": "\x1b[2Jx\u202e\r\n"})
    shown = written("full", report)
    assert not any(character in shown for character in "\x1b\x00\x07\u202e\udc80\r")
    assert "\\x1b[2Jx\\u202e" in shown


def test_characters_that_the_stream_cannot_write_are_escaped() -> None:
    raw = BytesIO()
    stream = TextIOWrapper(raw, encoding="ascii")
    render("concise", Report((finding("数"),), quiet=True), stream, False)
    stream.flush()
    assert raw.getvalue() == b"a.py:1:1: JM101 \\u6570\n"


def test_name_of_a_file_that_is_no_text_is_escaped() -> None:
    assert written("github", Report((finding(filename="\udcff.py"),))).startswith("::error file=\\udcff.py,")


# --- source lines --------------------------------------------------------------------------------------------------


def test_tabs_become_spaces_and_the_mark_moves_along() -> None:
    shown = display.excerpt("\tx = 1", 1, 2, 80)
    assert (shown.text, shown.start, shown.end) == ("    x = 1", 4, 5)


def test_wide_and_combining_characters_count_their_columns() -> None:
    assert display.width("数a\u0301") == 3


@pytest.mark.parametrize("position", [0, 10, 500, 999_990, 999_999])
def test_long_line_is_cropped_around_the_mark(position: int) -> None:
    line = "".join(chr(97 + index % 26) for index in range(1_000_000))
    shown = display.excerpt(line, position, position + 3, 60)
    assert shown.width <= 60
    assert shown.text[shown.start : shown.end] == line[position : position + 3]
    assert shown.text.startswith("...") == (position > 50)
    assert shown.text.endswith("...") == (position < 999_000)


def test_long_line_of_wide_characters_fits() -> None:
    shown = display.excerpt("数" * 200, 100, 104, 41)
    assert shown.width <= 41
    assert shown.text[shown.start : shown.end] == "数" * 4


def test_mark_beyond_the_line_is_cut_off() -> None:
    assert display.excerpt("ab", 5, 9, 80) == display.Excerpt("ab", 2, 2)


def test_quoted_words_stay_together() -> None:
    assert display.wrap("one `two three` four", 12) == ["one", "`two three`", "four"]


# --- when to use colours -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"TERM": "xterm-256color"}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour_follows_terminal_and_environment(environment: dict[str, str], terminal: bool, expected: bool) -> None:
    assert wants_color(Terminal() if terminal else StringIO(), environment) is expected


# --- concise, statistics -------------------------------------------------------------------------------------------


def test_concise_is_one_line_for_each_finding() -> None:
    assert written("concise", FULL).splitlines()[:3] == [
        "run.ipynb:cell 2:2:5: JM801 a set decides the order of collectives",
        "src/hälo 1.py:3:16: JM501 [*] `allreduce` returns the array alone",
        "train.py:41:9: JM101 only rank 0 of `comm` reaches this `bcast`",
    ]


def test_concise_keeps_a_message_on_one_line() -> None:
    assert written("concise", Report((finding(HOSTILE),), quiet=True)).count("\n") == 1


def test_statistics_count_each_code() -> None:
    report = Report((DIVERGENT, TOKEN, DIVERGENT), quiet=True)
    assert written("statistics", report) == "2  JM101      collective-in-rank-branch\n1  JM501  [*] token-api\n"
    assert json.loads(written("statistics-json", report))[0] == {
        "code": "JM101",
        "name": "collective-in-rank-branch",
        "count": 2,
    }


# --- json, jsonl ---------------------------------------------------------------------------------------------------


def test_json_is_as_documented() -> None:
    assert json.loads(written("json", Report((TOKEN,), docs_url="https://docs.example.org/"))) == [
        {
            "code": "JM501",
            "name": "token-api",
            "severity": "warning",
            "confidence": "medium",
            "message": "`allreduce` returns the array alone",
            "help": "drop the token",
            "filename": "src/hälo 1.py",
            "cell": None,
            "location": {"row": 3, "column": 16},
            "end_location": {"row": 3, "column": 52},
            "related": [
                {
                    "filename": "src/helper.py",
                    "location": {"row": 2, "column": 12},
                    "message": "collective over all processes",
                }
            ],
            "ranks": [],
            "fix": {
                "applicability": "safe",
                "message": "drop the token",
                "edits": [
                    {"location": {"row": 3, "column": 6}, "end_location": {"row": 3, "column": 13}, "content": ""}
                ],
            },
            "url": "https://docs.example.org/rules/JM501/",
        }
    ]


def test_json_has_the_last_events_of_ranks_as_rows() -> None:
    table = (("rank 0", "rank 1"), ("Barrier, line 5 (waits)", "ends"))
    (shown,) = json.loads(written("json", Report((finding(table=table),))))
    assert shown["ranks"] == [["rank 0", "rank 1"], ["Barrier, line 5 (waits)", "ends"]]


def test_full_shows_the_last_events_of_ranks_side_by_side() -> None:
    table = (("rank 0", "rank 1"), ("Barrier, line 5 (waits)", "ends"))
    shown = written("full", Report((finding(table=table, remedy="repair it"),), quiet=True))
    assert "| rank 0                     rank 1\n" in shown
    assert "| Barrier, line 5 (waits)    ends\n" in shown


def test_json_of_a_notebook_names_the_cell_and_of_a_finding_without_fix_null() -> None:
    notebook, plain = json.loads(written("json", Report((ORDER, finding(filename="z.py")))))
    assert notebook["cell"] == 2
    assert plain["fix"] is None and plain["related"] == []
    assert plain["help"] is None and plain["url"] is None


def test_jsonl_has_the_objects_of_json_one_on_each_line() -> None:
    lines = written("jsonl", FULL).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(written("json", FULL))


# --- github, gitlab, junit -----------------------------------------------------------------------------------------


def test_github_command() -> None:
    assert written("github", Report((finding("100% wrong\nhere", "a,b:c.py", remedy="repair it"),))) == (
        "::error file=a%2Cb%3Ac.py,line=1,col=1,endLine=1,endColumn=2,title=jaxmpi-lint (JM101)"
        "::a,b:c.py:1:1: JM101 100%25 wrong here%0Arepair it\n"
    )


def test_github_levels_steps_and_notebooks() -> None:
    notebook, token, divergent = written("github", FULL).splitlines()
    assert notebook.startswith("::notice file=run.ipynb,line=1,col=1,title=")
    assert "::run.ipynb:cell 2:2:5: JM801" in notebook
    assert token.startswith("::warning file=src/hälo 1.py,line=3,col=16,endLine=3,endColumn=52,")
    assert "%0Atrain.py:44:5: they wait here instead%0Amove the call" in divergent


def test_github_gives_no_columns_over_several_lines() -> None:
    (line,) = github.github(Report((finding(start=at(1, 3), end=at(2, 1)),))).splitlines()
    assert "line=1,col=3,endLine=2,title" in line


def test_gitlab_issue() -> None:
    (issue,) = json.loads(written("gitlab", Report((DIVERGENT,), TEXTS)))
    assert issue["check_name"] == "JM101"
    assert issue["severity"] == "major"
    assert issue["description"] == (
        "JM101: only rank 0 of `comm` reaches this `bcast`; "
        "move the call out of the branch; the sanitizer reports this as JS101"
    )
    assert issue["location"] == {
        "path": "train.py",
        "positions": {"begin": {"line": 41, "column": 9}, "end": {"line": 41, "column": 35}},
    }


def test_gitlab_fingerprints_are_unique_and_survive_moved_lines() -> None:
    first, second = (finding(start=at(row, 1), end=at(row, 5)) for row in (1, 2))
    moved = finding(start=at(3, 1), end=at(3, 5))
    before = json.loads(written("gitlab", Report((first, second), {"a.py": "f(x)\nf(x)\n"})))
    after = json.loads(written("gitlab", Report((moved,), {"a.py": "\n\nf(x)\n"})))
    assert before[0]["fingerprint"] != before[1]["fingerprint"]
    assert after[0]["fingerprint"] == before[0]["fingerprint"]


def test_junit_fails_for_errors_and_warnings_only() -> None:
    root = ElementTree.fromstring(written("junit", FULL))
    assert (root.get("tests"), root.get("failures")) == ("3", "2")
    assert [suite.get("name") for suite in root] == ["run.ipynb", "src/hälo 1.py", "train.py"]
    failure = root[2][0][0]
    assert failure.get("message") == "only rank 0 of `comm` reaches this `bcast`"
    assert "they wait here instead" in (failure.text or "")
    assert root[0][0][0].tag == "system-out"


# --- all of them ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report", [EMPTY, FULL, Report((finding(HOSTILE, "a&<\x00.py", remedy=HOSTILE),))])
@pytest.mark.parametrize("format", [*FORMATS, *STATISTICS])
def test_every_format_is_valid_for_every_report(format: str, report: Report) -> None:
    text = written(format, report)
    assert text == "" or text.endswith("\n")
    match format:
        case "json" | "gitlab" | "statistics-json":
            assert len(json.loads(text)) == len(report.diagnostics)
        case "sarif":
            assert len(json.loads(text)["runs"][0]["results"]) == len(report.diagnostics)
        case "jsonl":
            assert [json.loads(line)["code"] for line in text.splitlines()] == [d.code for d in report.ordered]
        case "junit":
            tests = ElementTree.fromstring(text.encode()).get("tests")
            assert tests == str(len(report.diagnostics) or 1)
        case "github":
            assert all(line.startswith("::") for line in text.splitlines())
        case _:
            assert text.endswith("not analysed\n")


def test_rule_info_is_taken_from_the_class() -> None:
    from jaxmpi_lint.rules.base import Rule

    class Sample(Rule):
        """Summary.

        ## What it does
        Text.
        """

        code = "JM999"
        name = "sample"
        severity = Severity.WARNING

    assert RuleInfo.of(Sample) == RuleInfo(
        "JM999", "sample", Severity.WARNING, "Summary", "Summary.\n\n## What it does\nText.", False, None
    )


@pytest.mark.jobs
def test_a_report_that_finds_no_room_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("x = (\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run(
            [sys.executable, "-m", "jaxmpi_lint", "--no-cache", "broken.py"],
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert run.returncode == 2, run.stderr
    assert run.stderr == "error: the report cannot be written to standard output (No space left on device)\n"
