"""Draw `docs/picture.svg`: the terminal output of the tool for one of the examples (`--check`: is it up to date?)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jaxmpi_lint.command import arguments, report_builder, requests, rule_pages
from jaxmpi_lint.engine.engine import Engine

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "picture.svg"
EXAMPLE = "examples/shallow_water/wrong_gather_on_root.py"
COLUMNS = 120


def draw() -> str:
    """The picture as SVG."""
    os.chdir(ROOT)
    given = arguments.parse(["--isolated", "--no-cache", EXAMPLE])
    (request,) = requests.requests(given)
    engine = Engine(request)
    report, _ = report_builder.report([report_builder.Project(engine, engine.lint())], request.settings)
    return rule_pages.picture(report, COLUMNS)


def main() -> int:
    """Write the picture, or with ``--check`` report whether it is up to date."""
    drawn = draw()
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(drawn, encoding="utf-8")
        return 0
    if PICTURE.exists() and PICTURE.read_text(encoding="utf-8") == drawn:
        return 0
    print(f"{PICTURE.relative_to(ROOT)} is not up to date; run python tools/draw_picture.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
