"""A program in a package without ``__init__.py``, below the root of the project, with absolute imports.

The package is started as ``python -m lab.main`` in the folder ``programs``. A program of one file is divided into two
modules first where that is possible, so that there are imports.
"""

from __future__ import annotations

from collections.abc import Mapping

from pair_forms.imports import own_modules, renamed
from pair_forms.two_modules import in_two_modules

FOLDER, PACKAGE = "programs", "lab"
INIT = "__init__.py"


def in_namespace_package(texts: Mapping[str, str]) -> dict[str, str] | None:
    """The program in its package; None if its own packages have code in their ``__init__.py``."""
    if any(text.strip() for path, text in texts.items() if path.endswith(INIT)):
        return None
    divided = in_two_modules(texts) or texts
    names = {name: f"{PACKAGE}.{name}" for name in own_modules(divided)}
    return {
        f"{FOLDER}/{PACKAGE}/{path}": renamed(text, names) for path, text in divided.items() if not path.endswith(INIT)
    }
