"""The share of a cold run that the interpreter of small worlds takes.

    python benchmarks/interpreter_share.py FOLDER...

Each folder is read, interpreted, and checked by the rules in this process, without the cache. One line each: CPU
seconds of reading and rules, CPU seconds of the interpreter, its share, programs and how many of them are followed to
the end, steps. The exit status is 1 if a share exceeds a fifth.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from jaxmpi_lint.checks.worlds.selection import Worlds
from jaxmpi_lint.engine.engine import Engine, Request
from jaxmpi_lint.engine.rule_runner import RuleRuns
from jaxmpi_lint.rules import registry
from jaxmpi_lint.settings.settings import Settings
from jaxmpi_lint.sources.discovery import Tree

LIMIT = 0.2


def main() -> int:
    """Measure and print."""
    print(f"{'folder':<40}{'rest s':>8}{'interpreter s':>15}{'share':>8}{'programs':>10}{'followed':>10}{'steps':>10}")
    shares = [measured(Path(given).resolve()) for given in sys.argv[1:]]
    return int(any(share > LIMIT for share in shares))


def measured(root: Path) -> float:
    """The share in one folder, printed."""
    begin = time.process_time()
    settings = Settings(root=root, no_cache=True, jobs=1)
    project = Engine(Request(settings, (root,), str(root)), tree=Tree(str(root))).read({}).project
    read = time.process_time()
    worlds = project.get(Worlds)  # the rules ask for them, and would explore them otherwise
    explored = time.process_time()
    RuleRuns(project).run(registry.load())
    end = time.process_time()
    interpreted, all_of_it = explored - read, end - begin
    share = interpreted / all_of_it
    followed = sum(not one.cuts for one in worlds.explored)
    steps = sum(one.steps for one in worlds.explored)
    counts = f"{len(worlds.explored):>10}{followed:>10}{steps:>10}"
    print(f"{root.name[:39]:<40}{all_of_it - interpreted:>8.2f}{interpreted:>15.2f}{share:>8.2f}{counts}", flush=True)
    return share


if __name__ == "__main__":
    sys.exit(main())
