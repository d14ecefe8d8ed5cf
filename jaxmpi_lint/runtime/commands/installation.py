"""Whether the sanitizer is installed such that it can become active."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jaxmpi_lint.runtime.commands.answers import Answer, State
from jaxmpi_lint.runtime.settings import options
from jaxmpi_lint.runtime.settings.environment import without_core

PTH = "jaxmpi_sanitize.pth"


def core() -> Answer:
    """Whether the native core is installed and can read the interpreter's frames."""
    try:
        from jaxmpi_lint.runtime import _native
    except ImportError as reason:
        return Answer(State.BAD, "native core", without_core(reason))
    if _native.call_sites_missing:
        return Answer(
            State.ABSENT, "native core", f"installed, but without lines of the program: {_native.call_sites_missing}"
        )
    return Answer(State.GOOD, "native core", "installed")


def switch() -> Answer:
    """Whether the interpreter reads the variable when it starts."""
    places = [Path(folder) / PTH for folder in sys.path if (Path(folder) / PTH).is_file()]
    if not places:
        return Answer(State.BAD, "switch", f"{PTH} is in no folder of sys.path: JAXMPI_SANITIZE=1 has no effect")
    state = os.environ.get(options.SWITCH, "not set")
    return Answer(State.GOOD, "switch", f"{places[0]}; {options.SWITCH} is {state}")
