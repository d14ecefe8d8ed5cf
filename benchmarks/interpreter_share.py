"""The share of a cold run that the interpreter of small worlds takes.

    python benchmarks/interpreter_share.py [--turns 3] FOLDER...

Each folder is linted without the cache, in turns with the interpreter and without it, each time in a new process: the
share is what the run takes longer with it. (An analysis of the project that the rules and the interpreter both need is
done once, whoever asks first, and does not count for the interpreter.) One line each: CPU seconds without and with it,
medians of the turns, the share, programs and how many of them are followed to the end, steps. The exit status is 1 if a
share exceeds a fifth.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from jaxmpi_lint.checks.worlds import selection
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.interpreter.exploration import explore_all
from jaxmpi_lint.interpreter.explored import Explored
from jaxmpi_lint.interpreter.program import Program
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

LIMIT = 0.2
SECONDS = 900


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--turns", type=int, default=3, help="runs with and without the interpreter (default 3)")
    parser.add_argument("--one", choices=("with", "without"), help="one run in this process, described as JSON")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(run(given.folders[0].resolve(), is_with=given.one == "with")))
        return 0
    print(f"{'folder':<40}{'without s':>10}{'with s':>8}{'share':>8}{'programs':>10}{'followed':>10}{'steps':>10}")
    shares = [measured(folder, given.turns) for folder in given.folders]
    return int(any(share > LIMIT for share in shares))


def measured(folder: Path, turns: int) -> float:
    """The share in one folder, printed."""
    runs = [(in_new_process(folder, "without"), in_new_process(folder, "with")) for _ in range(turns)]
    without = statistics.median(float(one["seconds"]) for one, _ in runs)
    complete = statistics.median(float(one["seconds"]) for _, one in runs)
    share, last = 1 - without / complete, runs[-1][1]
    counts = f"{last['programs']:>10}{last['followed']:>10}{last['steps']:>10}"
    print(f"{folder.resolve().name[:39]:<40}{without:>10.2f}{complete:>8.2f}{share:>8.2f}{counts}", flush=True)
    return share


def in_new_process(folder: Path, how: str) -> dict[str, Any]:
    """One run, as described by the process that makes it."""
    command = [sys.executable, __file__, "--one", how, str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=SECONDS, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def run(root: Path, *, is_with: bool) -> dict[str, Any]:
    """Lint a folder in this process, with the interpreter or without it."""
    explored: list[Explored] = []

    def explore(program: Program) -> list[Explored]:
        explored.extend(explore_all(program) if is_with else ())
        return explored

    vars(selection)["explore_all"] = explore
    begin = time.process_time()
    settings = Settings(root=root, no_cache=True, jobs=1)
    Engine(Request(settings, (root,), str(root)), tree=Tree(str(root))).analyse({})
    return {
        "seconds": time.process_time() - begin,
        "programs": len(explored),
        "followed": sum(not one.cuts for one in explored),
        "steps": sum(one.steps for one in explored),
    }


if __name__ == "__main__":
    sys.exit(main())
